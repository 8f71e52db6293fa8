#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# BPF programs tell who woke a thread, and for how long threads ran, on this machine's own kernel. Two threads of a
# process hand a byte to and fro through pipes, compute in between, and say at their ends what their own clocks say.
#
# test: cpus=1 timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
cd "$dir" || exit 1

cat >threads.py <<'END'
import os, sys, threading, time
pipes = [os.pipe(), os.pipe()]
told = [None, None]

def turns(number):
    if number:
        with open(f"/proc/self/task/{threading.get_native_id()}/comm", "w") as file:
            file.write("second one")
    for _ in range(5):
        os.read(pipes[number][0], 1)
        until = time.thread_time_ns() + (20 + 20 * number) * 1000000
        while time.thread_time_ns() < until:
            pass
        os.write(pipes[1 - number][1], b"x")
    told[number] = [threading.get_native_id(), time.thread_time_ns()]

other = threading.Thread(target=turns, args=(1,))
other.start()
os.write(pipes[0][1], b"x")
turns(0)
other.join()
with open("told", "w") as file:
    print(os.getpid(), told[0][0], time.thread_time_ns(), *told[1], file=file)
# The first thread does not tidy the interpreter up, which takes time that it cannot read.
os._exit(0)
END
# This one has a name before anybody records.
python3 -c '
import os, threading, time
def name():
    with open(f"/proc/self/task/{threading.get_native_id()}/comm", "w") as file:
        file.write("there before")
    with open("before", "w") as file:
        print(threading.get_native_id(), file=file)
    # A log names the threads that it tells something of.
    while True:
        time.sleep(0.02)
threading.Thread(target=name, daemon=True).start()
time.sleep(60)' &
earlier=$!
for _ in {1..100}; do [ -s before ] && break; sleep 0.05; done
"$bcoslog" cat --engine bpf --classes assign,state -- python3 threads.py >log 2>said || {
	cat said
	kill "$earlier"
	exit 1
}
# A log of a command's time begins with the command, and that thread got its name before.
"$bcoslog" cat -f --engine bpf --classes assign,state >whole 2>>said &
for _ in {1..200}; do grep -aq 'there before' whole && break; sleep 0.05; done
kill -TERM $!
wait $!
kill "$earlier"
read -r pid first first_ns second second_ns <told
"$bcoslog" story --json "$pid" log >story.json 2>>said || cat said

woken() { "$bcoslog" text --kind process --id "$pid" log 2>/dev/null | grep -c "thread $1 woken by process $pid thread $2 on CPU"; }
point "the first thread starts the second one, and wakes it" test "$(woken "$second" "$first")" -ge 5
point "the second thread wakes the first one" test "$(woken "$first" "$second")" -ge 4

# near THREAD NS: the log's time of a thread is within 10 % and 5 ms of the thread's own clock, which the thread reads a
# moment before its end. Some kernels do not tell of all switches, and the log says which time is unknown.
near() {
	python3 - "$1" "$2" <<'END'
import json, sys
story = json.load(open("story.json"))
thread = [each for each in story["thread_times"] if each["thread"] == int(sys.argv[1])][0]
told, unknown = thread["cpu_ns"], story["unnamed_threads_ns"]
print("# thread", sys.argv[1], "ran", told / 1e6, "ms by the log,", int(sys.argv[2]) / 1e6, "ms by its clock,", unknown / 1e6, "ms unnamed")
slack = int(sys.argv[2]) * 0.1 + 5e6
sys.exit(not int(sys.argv[2]) - slack - unknown <= told <= int(sys.argv[2]) + slack)
END
}
point "the first thread's time" near "$first" "$first_ns"
point "the second thread's time" near "$second" "$second_ns"
point "the story of a thread says who woke it most" python3 -c '
import json
story = json.load(open("story.json"))
each = [each for each in story["thread_times"] if each["thread"] == '"$second"'][0]
assert each["most_woken_by"]["process"] == '"$pid"', each'
point "the log names a thread that was there before" grep -q "thread $(cat before) is named there before" <("$bcoslog" text whole 2>/dev/null)
point "the log names a thread that gets a name" grep -q '"second one"' <("$bcoslog" story "$pid" log 2>/dev/null)
point "nothing is wrong with the log" "$bcoslog" check log
echo "1..$n"
exit "$status"
