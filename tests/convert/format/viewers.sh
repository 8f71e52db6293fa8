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
	    last = max(time for kind, _, time, *_ in bcos_log.entries(log.read()) if not kind & bcos_log.HISTORICAL)
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
for format in perfetto fxt fxt-current chrome; do
	for log in "${logs[@]}"; do
		point "$format: Perfetto finds the totals of $log, and no error" totals "$work/$log" "$format"
	done
done

"$BUILD/tests/assemble" "$convert/lib/parked.log" >"$work/parked" || exit 1
# shellcheck disable=SC2317
rows_are() {
	"$bcoslog" convert -t perfetto "$1" -o "$work/trace" 2>/dev/null && python3 "$viewers/trace_processor.py" "$packages" "$work/trace" "${@:2}" | diff - "$work/rows"
}
# shellcheck disable=SC2317
states() {
	sed 's/ /\t/g' >"$work/rows" <<-END
		20 1100000000 100000000 Running 
		20 1200000000 50000000 P 
		20 1250000000 50000000 Running 
		20 1300000000 10000000 P 
		20 1310000000 190000000 D 
		20 1500000000 100000000 R interrupt
		20 1600000000 100000000 Running 
		20 1700000000 50000000 P 
		20 1750000000 50000000 R 
		20 1800000000 -1 Running 
		31 1750000000 50000000 Running 
		31 1800000000 100000000 S 
		31 1900000000 -1 R unknown
		32 1950000000 -1 R thirty
	END
	rows_are "$work/parked" "select thread.tid, ts, dur, state, waker.name from thread_state join thread using (utid)
		left join thread waker on waker.utid = waker_utid
		where thread.tid in (20, 31, 32) and dur != 0 order by 1, 2"
}
point "perfetto: a thread neither sleeps nor waits while the kernel works for it, and is woken by whom the log names" states
point "perfetto: and the totals are right" totals "$work/parked" perfetto

# L is 21 and V is 31, 5 bits in each digit. The log repeats a name, as after a group, which is no mark.
sed -e 's/^1000000000 1 process-event 20.*/&\n1000000000 1 process-event 20 0xC000000B b:0 "Learly"\n1000000000 1 process-event 30 0xC000000B b:0 "Vhelper"/' \
	-e '/^1150100000/s/.*/1150000000 1 process-event 20 0xC000000B b:0 "Lthe worker"\n&\n1150100000 1 process-event 20 0xC000000B b:0 "Lthe worker"/' \
	"$top/tests/cli/golden/threads.log" >"$work/text" && "$BUILD/tests/assemble" "$work/text" >"$work/named" || exit 1
# shellcheck disable=SC2317
names() {
	tr '|' '\t' >"$work/rows" <<-END
		20|20|twenty
		20|21|the worker
		30|31|helper
		30|32|thirty
		1000000000|thread 21 is named early
		1000000000|thread 31 is named helper
		1150000000|thread 21 is named the worker
	END
	rows_are "$work/named" "select p.pid, tid, thread.name from thread join process p using (upid) where tid in (20, 21, 31, 32) order by tid" \
		"select ts, name from slice where name like '%named%' order by ts, name"
}
point "perfetto: threads have their own names" names

# A process of this ID begins when the other one ends, CPUs are idle, the clock is set.
cat >"$work/lives.log" <<-END
	5 1 h-core 0			h:1500 h:2000 7000
	5 1 h-cpu 0			0
	0 4294967295 h-process 0	"kernel"
	600000000 1 h-process 20	"shell"
	0 4294967295 h-process 30	"old"
	42 1 h-device 0x40000000	0 "eth0"
	800000000 1 h-assign 0		20
	1000000000 0 process-event 0	0xC0000010 b:0x40 "wall clock 1700000000.000000000"
	1000000000 0 process-event 0	0xC0000013 b:0x40 "kernel 6.12.5-x amd64"
	1100000000 0 process 50		"shell"
	1100000000 0 process-event 50	0xC0000005 b:0x00 "parent 20 \x22shell\x22"
	1200000000 0 process 50		"ls"
	1200000000 0 process-event 50	0xC0000006 b:0x00 "user 0 path \x22/bin/ls\x22 cgroup \x22/\x22 arguments \x22ls\x22 \x22-l\x22"
	1200000000 0 assign 0		50
	1300000000 0 assign 0		0xFFFFFFFF
	1300000000 0 end 50		3
	1300000000 0 process 50		"cc"
	1300000000 0 process-event 50	0xC0000005 b:0x00 "parent 30 \x22old\x22"
	1400000000 0 cpu-event 0	0x80000006 b:0x00 "idle state 2 for 90000000 ns"
	1400000000 0 assign 0		50
	1500000000 0 irq 0x40000000	4
	1500000000 0 input 0x40000000	100
	1510000000 0 input 0x40000000	50
	1600000000 0 process-event 0	0xC0000010 b:0x40 "wall clock 1600000000.000000000"
	1700000000 0 process-event 50	0 b:0x40 "end"
END
"$BUILD/tests/assemble" "$work/lives.log" >"$work/lives" || exit 1
# shellcheck disable=SC2317
processes() {
	tr '|' '\t' >"$work/rows" <<-END
		20|shell|600000000||||
		30|old|||||
		50|ls|1100000000|1300000000|20|ls -l|ls
		50|cc|1300000000||30|cc|cc
	END
	sed -i -e 's/^20.*/20\tshell\t600000000\t\t\tshell\tshell/' -e 's/^30.*/30\told\t\t\t\told\told/' "$work/rows"
	rows_are "$work/lives" "select p.pid, p.name, p.start_ts, p.end_ts, nullif(parent.pid, 0), p.cmdline, thread.name from process p left join process parent
		on p.parent_upid = parent.upid join thread on thread.upid = p.upid and thread.is_main_thread where p.pid between 1 and 99 order by p.pid, p.upid"
}
point "perfetto: the processes have begin, end, parent, arguments, and their first thread a name" processes
# shellcheck disable=SC2317
machine() {
	tr '|' '\t' >"$work/rows" <<-END
		1000000000|1700000000000000000
		1600000000|1600000000000000000
		system_machine|amd64
		system_name|Linux
		system_release|6.12.5-x
		1310000000|2
		1400000000|4294967295
		core 0 idle power mW|3000
		core 0 more power when busy mW|4000
		core 0 performance|7000
		eth0 0x40000000 input|100
		eth0 0x40000000 input|150
		1300000000|ends: exit code 3
		1500000000|IRQ 4
	END
	rows_are "$work/lives" "select ts, clock_value from clock_snapshot where clock_name = 'REALTIME' order by ts" \
		"select name, str_value from metadata where name in ('system_name', 'system_release', 'system_machine') order by 1" \
		"select ts, cast(value as int) from counter join cpu_counter_track on track_id = cpu_counter_track.id where type = 'cpu_idle' order by ts" \
		"select name, cast(value as int) from counter join track on track_id = track.id where name like 'core %' or name like 'eth%' order by 1, ts" \
		"select ts, name from slice where name like 'ends%' or name like 'IRQ%' order by ts"
}
point "perfetto: the clock, the kernel, idle states, power, transfers as sums, how a process ended, interrupts on no CPU" machine

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
