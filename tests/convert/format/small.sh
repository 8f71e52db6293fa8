#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=900 spare=yes
# Nothing imports these exports. A reader reads each of them that follows the page of the format, and finds what the log
# says.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
python3 "$convert/lib/hurt_log.py" "${ROUNDS:-3000}" >"$work/hurt" &&
	python3 "$convert/lib/hurt_log.py" 100 "${ROUNDS:-3000}" >"$work/crowd" || exit 1
# All IDs in these logs have names, since the account counts what has none for nobody.
for log in again calls clock day devices early late reports story threads twins woken; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$work/$log" || exit 1
done
for log in "$work"/*; do
	point "$(basename "$log")" python3 "$convert/readers/small_read.py" "$bcoslog" "$log" chrome folded journald perfetto pprof
done

# The lines follow from threads.log. Thread 2147483645 stands for interrupts. Thread 30 of CPU 1, about which the log tells nothing, is ((1 + 1) << 22) + 30.
# shellcheck disable=SC2317
threads() {
	"$BUILD/tests/assemble" "$top/tests/cli/golden/threads.log" >"$work/threads" &&
		python3 "$convert/readers/small_read.py" "$bcoslog" "$work/threads" threads | grep -v '^. switch 0 0 0$' | diff - <(
			cat <<-END
				1 switch 0 0 8388638
				1 waking 20 by 31
				0 switch 0 0 20
				0 waking 21 by 20
				0 switch 20 1 21
				0 switch 21 0 32
				0 switch 32 0 21
				1 waking 20 by 2147483645
				0 switch 21 16 20
				0 free 21
				1 waking 20 by 31
				0 switch 20 1 0
				0 switch 0 0 20
			END
		)
}
point "Perfetto's threads have CPUs and are woken, as the class of states tells" threads

# Where times are equal, readers only keep the order of the events of one CPU: a process that ended before it left its CPU
# would be there again, as a thread of no process.
# shellcheck disable=SC2317
leaves() {
	cat >"$work/leaves.log" <<-END
		5 1 h-core 0			h:0 h:0 1000 1000
		5 1 h-cpu 0			0
		5 1 h-cpu 1			0
		0 4294967295 h-process 0	"kernel"
		600 1 h-process 20		"twenty"
		800 1 h-assign 0		0
		800 1 h-assign 1		0
		1000000 0 process-event 20	0xC0000003 b:0 "thread 20 runs on CPU 0 at priority 120"
		1000000 0 assign 0		20
		1900000 0 process-event 20	0xC0000003 b:0 "thread 20 dead"
		2000000 0 assign 0		0
		2000000 0 end 20		3
		3000000 0 process-event 0	0 b:0x40 "end"
	END
	"$BUILD/tests/assemble" "$work/leaves.log" >"$work/leaves" || return 1
	python3 "$convert/readers/small_read.py" "$bcoslog" "$work/leaves" threads | grep -e 'switch 20 ' -e free | diff - <(
		cat <<-END
			0 switch 20 16 4194304
			0 free 20
		END
	)
}
point "and end where they leave their CPU" leaves

# Each line is an arrow: from which CPU, when, to which CPU, when.
cat >"$work/arrows.py" <<-END
	import json, sys
	ends = {}
	for event in json.load(sys.stdin)["traceEvents"]:
	    if event["ph"] in "sf":
	        assert (event["pid"], event["cat"], event["name"]) == (1, "wake-up", "wake-up"), event
	        assert event["ph"] == "s" or event["bp"] == "e", event
	        ends.setdefault(event["id"], []).append("%s %d %.1f" % (event["ph"], event["tid"] - 1, event["ts"]))
	for arrow in ends.values():
	    print(*arrow)
END
# shellcheck disable=SC2317
arrows() {
	diff <("$bcoslog" convert -t chrome "$1" | python3 "$work/arrows.py") -
}

# Each of the three wake-ups by a thread is that of a thread that runs later, though its process has the CPU all the time.
# The one by an interrupt begins at no process.
# shellcheck disable=SC2317
arrows_of_threads() {
	arrows "$work/threads" <<-END
		s 1 1100000.0 f 0 1100100.0
		s 0 1150100.0 f 0 1200100.0
		s 1 1280000.0 f 0 1280300.0
	END
}
point "Chrome's arrows lead from the wake-up of a thread to its next turn" arrows_of_threads

cat >"$work/wakes.log" <<-END
	5 1 h-core 0			h:0 h:0 1000 1000 1000
	5 1 h-cpu 0			0
	5 1 h-cpu 1			0
	5 1 h-cpu 2			0
	0 4294967295 h-process 0	"kernel"
	600 1 h-process 20		"twenty"
	700 1 h-process 30		"thirty"
	800 1 h-assign 0		0xFFFFFFFF
	800 1 h-assign 1		0xFFFFFFFF
	800 1 h-assign 2		30
	# Two threads of one process wake at a time on two CPUs, and run in the other order.
	1000000 0 process-event 20	0xC0000003 b:0x00 "thread 20 woken by process 30 thread 30 on CPU 2"
	1001000 0 process-event 20	0xC0000003 b:0x00 "thread 21 woken by process 30 thread 30 on CPU 2"
	1002000 0 process-event 20	0xC0000003 b:0x00 "thread 21 runs on CPU 1 at priority 120"
	1002000 0 assign 1		20
	1004000 0 process-event 20	0xC0000003 b:0x00 "thread 20 runs on CPU 0 at priority 120"
	1004000 0 assign 0		20
	# Thread 20 is woken while it runs, and preempted: it does not wait since the wake-up.
	1005000 0 process-event 20	0xC0000003 b:0x00 "thread 20 woken by process 30 thread 30 on CPU 2"
	1006000 0 assign 0		0
	1007000 0 process-event 20	0xC0000003 b:0x00 "thread 20 runs on CPU 0 at priority 120"
	1007000 0 assign 0		20
	# Thread 21 is woken while it runs, blocks, and is woken twice: the first one after that counts.
	1008000 0 process-event 20	0xC0000003 b:0x00 "thread 21 woken by process 30 thread 30 on CPU 2"
	1009000 0 process-event 20	0xC0000003 b:0x00 "thread 21 blocked"
	1009000 0 assign 1		0xFFFFFFFF
	1010000 0 process-event 20	0xC0000003 b:0x00 "thread 21 woken by process 20 thread 20 on CPU 0"
	1011000 0 process-event 20	0xC0000003 b:0x00 "thread 21 woken by an interrupt on CPU 2"
	1012000 0 process-event 20	0xC0000003 b:0x00 "thread 21 runs on CPU 2 at priority 120"
	1012000 0 assign 2		20
	# A thread that dies, and one of another process with its ID.
	1013000 0 process-event 30	0xC0000003 b:0x00 "thread 31 woken by process 20 thread 20 on CPU 0"
	1014000 0 process-event 30	0xC0000003 b:0x00 "thread 31 dead"
	1015000 0 process-event 30	0xC0000003 b:0x00 "thread 31 runs on CPU 1 at priority 120"
	1015000 0 assign 1		30
	1016000 0 assign 1		0xFFFFFFFF
	1017000 0 process-event 30	0xC0000003 b:0x00 "thread 32 woken by process 20 thread 20 on CPU 0"
	1018000 0 process-event 20	0xC0000003 b:0x00 "thread 32 runs on CPU 1 at priority 120"
	1018000 0 assign 1		20
	1019000 0 assign 1		0xFFFFFFFF
	# A process whose ID comes again.
	1020000 0 process-event 30	0xC0000003 b:0x00 "thread 33 woken by process 20 thread 20 on CPU 0"
	1021000 0 process-event 30	0xC0000003 b:0x00 "thread 30 woken by process 20 thread 20 on CPU 0"
	1022000 0 end 30		0
	1023000 0 process 30		"another"
	1024000 0 process-event 30	0xC0000003 b:0x00 "thread 33 runs on CPU 1 at priority 120"
	1024000 0 assign 1		30
	1025000 0 process-event 30	0xC0000003 b:0x00 "thread 30 runs on CPU 1 at priority 120"
	# A loss between.
	1025500 0 process-event 30	0xC0000003 b:0x00 "thread 33 blocked"
	1026000 0 process-event 30	0xC0000003 b:0x00 "thread 33 woken by process 20 thread 20 on CPU 0"
	1027000 0 cpu-event 0		0x80000001 b:0x80 "lost 2 task states: staging full"
	1028000 0 process-event 30	0xC0000003 b:0x00 "thread 33 runs on CPU 1 at priority 120"
	1029000 0 assign 1		0xFFFFFFFF
END
# shellcheck disable=SC2317
arrows_of_few() {
	"$BUILD/tests/assemble" "$work/wakes.log" >"$work/wakes" && arrows "$work/wakes" <<-END
		s 2 1001.0 f 1 1002.0
		s 2 1000.0 f 0 1004.0
		s 0 1010.0 f 2 1012.0
	END
}
point "and none from that of another thread's or life's, over a loss, or to a turn after a preemption" arrows_of_few
echo "1..$n"
exit $status
