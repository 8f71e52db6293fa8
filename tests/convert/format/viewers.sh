#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=900 spare=yes
# Viewers that are not ours read the exports: Perfetto's trace processor finds the totals of the log in each, and counts no
# error, and speedscope complains of nothing.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
viewers=$convert/viewers
packages=$("$viewers/fetch" "$BUILD/viewers") || { r=$?; echo "$packages"; exit $r; }
# Chromium keeps its caches here.
export work
for log in devices reports story threads; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$work/$log" || exit 1
done
# Two CPUs that are unknown at a time, which are two threads.
cat >"$work/unknown.log" <<-END
	5 1 h-core 0			h:0 h:0 1000 1000
	5 1 h-cpu 0			0
	5 1 h-cpu 1			0
	0 4294967295 h-process 0	"kernel"
	600 1 h-process 20		"twenty"
	42 1 h-device 0xC0000000	0 "bcos_evlog"
	800 1 h-assign 0		20
	800 1 h-assign 1		20
	1000000 0 process-event 20	0 b:0x40 "begin"
	1001000 0 device-event 0xC0000000	0x80000002 b:0x80 "missed 5 entries, 120 bytes"
	1005000 0 assign 0		0
	1007000 0 assign 1		0
	1009000 0 process-event 20	0 b:0x40 "end"
END
"$BUILD/tests/assemble" "$work/unknown.log" >"$work/unknown" || exit 1
# Losses, CPUs that come and go, processes and devices of one ID. At the end is an entry that every format has, since the
# trace ends with the last one that its format has.
python3 "$convert/lib/hurt_log.py" 300 3000 >"$work/hurt" || exit 1
python3 - "$work/hurt" <<-'END' || exit 1
	import struct, sys
	import bcos_log
	with open(sys.argv[1], "r+b") as log:
	    last = bcos_log.totals(log.read()).last
	    log.write(struct.pack("<HHIQI", 20, 0x11, 0, last, 0))
END
logs=(devices reports story threads unknown hurt)
if "$bcoslog" --engine bpf --classes all cat --for 300ms >"$work/recorded" 2>/dev/null; then
	logs+=(recorded)
else
	n=$((n + 1))
	echo "ok $n - a recording by BPF # SKIP this kernel refuses BPF"
fi

# shellcheck disable=SC2317  # called by point
totals() {
	python3 "$viewers/viewer_totals.py" "$bcoslog" "$packages" "$1" "$2"
}
for format in fxt fxt-current chrome; do
	for log in "${logs[@]}"; do
		point "$format: Perfetto finds the totals of $log, and no error" totals "$work/$log" "$format"
	done
done

# shellcheck disable=SC2317
in_speedscope() {
	"$bcoslog" convert -t chrome "$1" -o "$work/trace.json" 2>/dev/null && python3 -B "$viewers/speedscope.py" "$packages" "$work/trace.json"
}
if command -v chromium chromium-browser google-chrome >/dev/null; then
	for log in reports hurt recorded; do
		[ ! -e "$work/$log" ] || point "speedscope opens the slices of $log, and complains of nothing" in_speedscope "$work/$log"
	done
else
	n=$((n + 1))
	echo "ok $n - speedscope # SKIP no Chromium; scripts/deps test brings it"
fi
echo "1..$n"
exit $status
