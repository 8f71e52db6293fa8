#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The reports of bcoslog say about a load what perf sched says: both record the same machine at the same time.
#
# test: cpus=2 timeout=120
#
# The oracle is perf. Two threads hand a byte to and fro and move between CPUs, and a child competes with them.

set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
cd "$dir" || exit 1
perf sched record -k CLOCK_MONOTONIC -o try.data -- true >refusal 2>&1 || {
	echo "perf cannot record the scheduler here: $(tail -n 1 refusal)"
	exit 77
}

cat >load.py <<'END_OF_LOAD'
import os, threading, time

pipes = [os.pipe(), os.pipe()]
allowed = sorted(os.sched_getaffinity(0))[:2]
told = []

def turns(number):
    told.append(threading.get_native_id())
    for i in range(40):
        os.read(pipes[number][0], 1)
        until = time.thread_time_ns() + 1000000
        while time.thread_time_ns() < until:
            pass
        if i % 8 == 0:
            os.sched_setaffinity(0, {allowed[(i // 8 + number) % len(allowed)]})
        os.write(pipes[1 - number][1], b"x")

child = os.fork()
if not child:
    os.sched_setaffinity(0, allowed[:1])
    while time.thread_time_ns() < 100000000:
        pass
    os._exit(0)
other = threading.Thread(target=turns, args=(1,))
other.start()
os.write(pipes[0][1], b"x")
turns(0)
other.join()
os.waitpid(child, 0)
# The log has the time since boot, which perf cannot use, so the load tells the difference of the clocks.
ahead = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - time.monotonic_ns()
print(ahead, os.getpid(), child, *told, file=open("told", "w"))
END_OF_LOAD
# record: both recorders, while the load runs.
record() {
	"$bcoslog" --engine bpf --ring 65536 --staging 8192 cat --classes assign,state -- \
		perf sched record -k CLOCK_MONOTONIC -o data -- python3 load.py >log 2>said && return
	cat said
	exit 1
}

# complete: nothing is missing but what was not asked for, and switches that this kernel shows to no program.
complete() {
	"$bcoslog" losses --json log 2>>said | grep -v '"why":"the class was off"\|"why":"the kernel told of no switch"' >lost
	[ ! -s lost ]
}

# On a machine that does much else, either may lose records, of which nothing can be compared.
tries=3
until record && complete || [ $((tries -= 1)) = 0 ]; do
	echo "# the log states losses, so it is recorded again: $(head -n 1 lost)"
done
for report in "timehist --state --next --wakeups" "timehist --summary" "latency --pids" map; do
	# shellcheck disable=SC2086  # a command and its options
	perf sched $report -i data >"perf_${report//[ -]/}" 2>>said
done
for report in "turns --threads --next" "turns --threads --summary" "latency --threads" "text --kind process" cpu; do
	# shellcheck disable=SC2086
	"$bcoslog" $report --json log >"bcos_${report//[ -]/}" 2>>said
done
python3 -B "$top/tests/bpf/perf_sched.py" || {
	sed 's/^/# /' said lost
	exit 1
}
