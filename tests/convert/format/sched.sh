#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=1000:100000 timeout=120:900
# perf sched finds in an export what the log says, and trace-cmd finds in its own recording what the log of it says.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
cd "$work" || exit 1
"$bcoslog" convert --help | grep -q '^  perf ' || { echo "1..0 # SKIP bcoslog-convert was built without its libraries"; exit 77; }

# shellcheck disable=SC2317  # called by point
same_turns() {
	"$bcoslog" convert -t eventheader --switches "$1" -o data && perf sched timehist -i data >turns 2>errors || { cat errors; return 1; }
	python3 "$convert/readers/sched_read.py" timehist "$1" turns
}

# The lines follow from threads.log. At the end of each turn they tell how long the thread had no CPU before, waited for
# one since it was woken, and had it. perf does not count a wake-up while the thread still runs.
# shellcheck disable=SC2317
threads_wait() {
	"$bcoslog" convert -t eventheader --switches threads -o data && perf sched timehist -i data >turns 2>errors || { cat errors; return 1; }
	awk '/^ *[0-9]/ && !/<idle>/ { print $1, $3, $4, $5, $6 }' turns | diff - <(
		cat <<-END
			1.200100 twenty[20] 0.000 0.100 100.000
			1.230100 twenty[21/20] 0.000 50.000 30.000
			1.240100 thirty[32/30] 0.000 0.000 10.000
			1.260100 twenty[21/20] 10.000 0.000 20.000
			1.280100 twenty[20] 60.000 10.000 20.000
			1.300300 twenty[20] 0.200 0.000 20.000
			1.300300 thirty[30] 0.000 0.000 300.300
		END
	)
}

# The same log, which names two threads: 21 is "early" until shortly before it is woken, and the log repeats names, as after a
# group. The lines tell who wakes whom, and who leaves a CPU to whom.
# shellcheck disable=SC2317
threads_have_names() {
	"$bcoslog" convert -t eventheader --switches named -o data && perf script -i data -F comm,tid,event,trace 2>errors >script || { cat errors; return 1; }
	sed -nE 's/^ *(.*[^ ]) +([0-9]+) +sched:sched_waking: comm=(.*) pid=([0-9]*) .*target_cpu=0*([0-9]+)/\1 \2 wakes \3 \4 on CPU \5/p
		s/^ *(.*[^ ]) +([0-9]+) +sched:sched_switch: prev_comm=(.*) prev_pid=([0-9]*) .* next_comm=(.*) next_pid=([0-9]*) .*/\1 \2: \3 \4, \5 \6/p' script |
		grep ' [23]1\b' | diff - <(
		cat <<-END
			helper 31 wakes twenty 20 on CPU 1
			twenty 20 wakes the worker 21 on CPU 0
			twenty 20: twenty 20, the worker 21
			the worker 21: the worker 21, thirty 32
			thirty 32: thirty 32, the worker 21
			the worker 21: the worker 21, twenty 20
			helper 31 wakes twenty 20 on CPU 0
		END
	)
}

# The lines follow from parked.log: the thread that leaves a CPU, its state (64 is parked, and neither sleeps nor waits), and
# the one that gets the CPU. A thread that blocks while the kernel has its CPU, or is preempted, has it for no time before.
# Thread 2147483647 is the kernel, thread 2147483646 nobody known.
# shellcheck disable=SC2317
threads_park() {
	"$bcoslog" convert -t eventheader --switches parked -o data && perf script -i data -F cpu,pid,event,trace 2>errors >script || { cat errors; return 1; }
	sed -n 's/.*\[000\].*prev_pid=\([0-9]*\) .*prev_state=\([0-9]*\) .*next_pid=\([0-9]*\) .*/\1 \2 \3/p' script | diff - <(
		printf '%s\n' "0 0 0" "0 0 20" "20 64 2147483647" "2147483647 0 20" "20 64 2147483647" "2147483647 0 20" "20 2 2147483647" \
			"2147483647 0 0" "0 0 20" "20 64 2147483647" "2147483647 0 20" "20 0 31" "31 1 20" "20 0 0"
	) && sed -n 's/^ *\([0-9]*\) .*sched_waking:.* pid=\([0-9]*\) .*/\1 \2/p' script | diff - <(printf '%s\n' "2147483645 20" "2147483646 31" "30 32")
}

# The lines follow from dying.log. After its process has ended, a thread has its name and process nevertheless; nobody but
# the idle thread has the number 0. Thread 2147483645 is an interrupt; the flag before it, 8, tells perf so in both its events.
# shellcheck disable=SC2317
threads_die() {
	"$bcoslog" convert -t eventheader --switches dying -o data && perf script -i data -F comm,pid,tid,event,trace 2>errors >script || { cat errors; return 1; }
	sed -nE 's/^ *([^ ]+) +([0-9]+)\/([0-9]+) .*prev_comm=([^ ]*) .*prev_state=([0-9]*) .*next_comm=([^ ]*) next_pid=([0-9]*) .*/\1 \2 \3 \4 \5 \6 \7/p' script | grep -v '==> swapper\|^swapper 0 0 swapper 0 swapper 0$' | diff - <(
		cat <<-END
			swapper 0 0 swapper 0 sh 30
			swapper 0 0 swapper 0 sh 31
			sh 30 31 sh 64 kernel 2147483647
			cc1 30 30 sh 64 kernel 2147483647
			kernel 2147483647 2147483647 kernel 0 cc1 30
			cc1 30 30 cc1 16 kernel 2147483647
			kernel 2147483647 2147483647 kernel 0 swapper 0
			kernel 2147483647 2147483647 kernel 0 sh 31
			sh 30 31 sh 0 swapper 0
			swapper 0 0 swapper 0 twenty 20
			twenty 20 20 twenty 1 swapper 0
			swapper 0 0 swapper 0 sh 31
			sh 30 31 sh 16 swapper 0
		END
	) && sed -nE 's/^ *([^ ]+) +([0-9]+)\/.*sched_waking: comm=([^ ]*) .*/\1 \2 \3/p' script | diff - <(printf '%s\n' "interrupt 2147483645 twenty" "unknown 2147483646 twenty") &&
		[ "$(LC_ALL=C grep -aoP '\x08\x00\xFD\xFF\xFF\x7F' data | wc -l)" = 2 ] && perf script --show-task-events -i data 2>/dev/null | sed -n 's/.*PERF_RECORD_COMM: //p' | sort | diff - <(
		printf '%s\n' "cc1:30/30" "interrupt:2147483645/2147483645" "kernel:2147483647/2147483647" "sh:30/30" "sh:30/31" "twenty:20/20" "unknown:2147483646/2147483646"
	)
}

# perf shows the idle thread as such only if nothing has named it: as ".", as "<idle>", and not at all.
# shellcheck disable=SC2317
idle_is_idle() {
	"$bcoslog" convert -t eventheader --switches reports -o data && perf sched map -i data 2>errors >map && perf sched latency -i data 2>>errors >latency || { cat errors; return 1; }
	grep -q '\*\. .*\. *=> *swapper:0' map && ! grep -q 'kernel:0' map latency && grep -q 'kernel:2147483647' latency
}

# shellcheck disable=SC2317
comes_back() {
	"$bcoslog" convert -t eventheader --switches "$1" -o data && "$bcoslog" convert data | cmp - "$1"
}

# This script runs in a mount namespace of its own. There, other files hide those that trace-cmd resets and that the
# owner of a machine may have protected from being written, so they stay as they were.
cat >record <<'END'
mount -t tracefs tracefs /sys/kernel/tracing && cd /sys/kernel/tracing || exit
[ "$(cat current_tracer)" = nop ] && [ "$(cat events/enable)" = 0 ] || { echo "somebody traces here"; exit 1; }
size=$(sed 's/.*expanded: \([0-9]*\).*/\1/' buffer_size_kb)
umount -l /sys/kernel/debug/tracing 2>/dev/null
cp /proc/sys/kernel/ftrace_enabled "$1/enabled"
: >"$1/empty"
for file in set_ftrace_* set_graph_*; do [ ! -e "$file" ] || mount --bind "$1/empty" "$file"; done
mount --bind "$1/enabled" /proc/sys/kernel/ftrace_enabled || exit
trace-cmd record -q -b 8192 -e sched:sched_switch -e sched:sched_process_fork -e sched:sched_process_exec \
	-e sched:sched_process_exit -e irq -o "$1/trace.dat" sh -c 'for i in 1 2 3; do /bin/true; sleep 0.1; done' >/dev/null 2>"$1/errors"
recorded=$?
echo "$size" >buffer_size_kb
exit $recorded
END

# shellcheck disable=SC2317
recorded() {
	"$bcoslog" convert trace.dat -o trace.log && "$bcoslog" check -q trace.log && trace-cmd report -t trace.dat >report 2>/dev/null &&
		python3 "$convert/readers/sched_read.py" trace-cmd trace.log report
}

if command -v perf >/dev/null; then
	for log in reports story clock threads; do
		"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$log" || exit 1
		point "$log: the turns of perf sched timehist are those of the log" same_turns "$log"
	done
	point "the waits of threads, since they were woken or preempted" threads_wait
	# L is 21 and V is 31, 5 bits in each digit.
	sed -e 's/^1000000000 1 process-event 20.*/&\n1000000000 1 process-event 20 0xC000000B b:0 "Learly"\n1000000000 1 process-event 30 0xC000000B b:0 "Vhelper"/' \
		-e '/^1150100000/s/.*/1150000000 1 process-event 20 0xC000000B b:0 "Lthe worker"\n&\n1150100000 1 process-event 20 0xC000000B b:0 "Lthe worker"/' \
		"$top/tests/cli/golden/threads.log" >text && "$BUILD/tests/assemble" text >named || exit 1
	point "the names of threads, where they switch, wake and are woken" threads_have_names
	"$BUILD/tests/assemble" "$convert/lib/parked.log" >parked || exit 1
	point "a thread is parked while the kernel has its CPU" threads_park
	point "and its turns are those of the log" same_turns parked
	"$BUILD/tests/assemble" "$convert/lib/dying.log" >dying || exit 1
	point "a thread that outlives its process keeps its name, and no interrupted thread wakes another" threads_die
	point "perf sched map and latency take the idle thread for it" idle_is_idle
	point "and the log comes back byte for byte" comes_back reports
	python3 "$convert/lib/hurt_log.py" "${ROUNDS:-1000}" >hurt || exit 1
	point "a log that hurts: the turns of perf sched timehist are those of the log" same_turns hurt
else
	n=$((n + 1))
	echo "ok $n - perf sched timehist # SKIP there is no perf; scripts/deps test brings it"
fi
if ! command -v trace-cmd >/dev/null; then
	n=$((n + 1))
	echo "ok $n - trace-cmd report # SKIP there is no trace-cmd; scripts/deps test brings it"
elif unshare -m sh record "$work" >refusal 2>&1 && trace-cmd report trace.dat 2>/dev/null | grep -q sched_switch; then
	point "a real recording of trace-cmd: the totals of trace-cmd report" recorded
else
	n=$((n + 1))
	echo "ok $n - a real recording of trace-cmd # SKIP trace-cmd records nothing here: $(cat refusal errors 2>/dev/null | tail -n 1)"
fi
echo "1..$n"
exit $status
