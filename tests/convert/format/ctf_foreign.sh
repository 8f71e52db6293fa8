#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A CTF trace of another tracer becomes a log: each field, each clock, each loss.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
if "$bcoslog" convert --help | grep -q 'ctf is left out'; then
	echo "1..0 # SKIP bcoslog-convert was built without its libraries; scripts/deps build brings it"
	exit 0
fi

# ctf_foreign.py makes these events: CPU 0 has events at 1, 3 and 4 s and lost 6 events; CPU 1 has events at 2, 6.001
# and 7 s and lost packets 1 and 2.
cat >"$work/expected" <<'END'
       since boot  Historical Core Online  core 0: idle power unknown, busy unknown, performance 0
       since boot  Historical Core Online  core 1: idle power unknown, busy unknown, performance 0
       since boot  Historical CPU Online  CPU 0 of core 0
       since boot  Historical CPU Online  CPU 1 of core 1
       since boot  Historical Set Process Name  process 0 "kernel"
       since boot  Historical Set Process Name  process 42 "?"
       since boot  Historical Set Process Name  process 43 "?"
      1.000000000  Generic Process      process 0 "kernel": info 0x40, event 0xC0000012 (host name), "host there"
      1.000000000  Generic Process      process 0 "kernel": info 0x40, event 0xC0000013 (kernel), "kernel 5.4.0 unknown"
      1.000000000  Generic Process      process 0 "kernel": info 0x40, event 0x00000000, "imported; times are of the clock milli of the trace"
      1.000000000  Generic Process      process 42 "?": info 0x40, event 0x00000000, "fields minus=-5, plus=65535, hex=18364758544493064720, chars=\"te xt\", choice=4, real=?, nested={a=1, b={c=2}}, three=[7, 8, 9], length=2, sequence=[1000, 2000], none=0, empty=[], word=\"ab\""
      2.000000000  Generic Process      process 42 "?": info 0x40, event 0x00000000, "without"
      2.000000000  Generic CPU          CPU 1: error 0x80, event 0x80000001 (records lost), "lost 2 packets: by the tracer, until 6.000000000 s"  +4000ms
      3.000000000  Generic Process      process 43 "?": info 0x40, event 0x00000000, "without"
      3.000000000  Generic CPU          CPU 0: error 0x80, event 0x80000001 (records lost), "lost 6 events: by the tracer, until 5.000000000 s"  +2000ms
      4.000000000  Generic Process      process 42 "?": info 0x40, event 0x00000000, "deep d1={d2={d3={d4={d5={d6={d7={d8={d9=...}}}}}}}}"
      6.001000000  Generic Process      process 0 "kernel": info 0x40, event 0x00000000, "without"
      7.000000000  Generic Process      process 42 "?": info 0x40, event 0x00000000, "without"
END

# shellcheck disable=SC2317  # called by point
becomes() {
	"$bcoslog" convert "$1" -o "$work/log" 2>"$work/errors" && [ ! -s "$work/errors" ] || { cat "$work/errors"; return 1; }
	"$bcoslog" check "$work/log" >/dev/null && "$bcoslog" dump "$work/log" 2>/dev/null | diff "$work/expected" -
}

for order in little big; do
	python3 "$here/ctf_foreign.py" "$work/$order" "$order"
	point "$order endian" becomes "$work/$order"
done
# The times of events and statements are exact. Those of the first group reach back to the boot, and those of losses to
# their ends.
point "precisions" test "$("$bcoslog" dump --json "$work/log" 2>/dev/null | grep -o '"precision":[0-9]*' | sort | uniq -c | tr -s ' \n' ' ')" = \
	' 9 "precision":0 1 "precision":2000000000 1 "precision":4000000000 7 "precision":4294967295 '

# An absolute clock says when the recording began: 1700000000.5, one second before the first event.
sed 's/name = "milli";/& absolute = true;/' "$work/little/metadata" >"$work/metadata" && mv "$work/metadata" "$work/little"
sed -i '7a\      1.000000000  Generic Process      process 0 "kernel": info 0x40, event 0xC0000010 (wall clock), "wall clock 1700000001.500000000"' "$work/expected"
point "the wall clock" becomes "$work/little"
# Without names of the host and the kernel, the log says nothing about them.
sed -i 's/hostname = "there"; kernel_release = "5.4.0";//' "$work/little/metadata"
sed -i '/host there\|kernel 5/d' "$work/expected"
point "no host and no kernel" becomes "$work/little"

# A clock that says 1970 tells nothing about the time of day.
sed -i 's/offset_s = 1700000000/offset_s = 17/' "$work/little/metadata"
sed -i '/wall clock/d' "$work/expected"
point "no wall clock" becomes "$work/little"
echo "1..$n"
exit "$status"
