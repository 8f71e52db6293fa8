#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# BPF programs tell in which system call a thread is blocked, and whether for I/O: threads of this test sleep, wait for a
# lock, a pipe and a child, write to the disk, and are stopped, and know themselves for how long.
#
# test: cpus=1 timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
cd "$dir" || exit 1

cat >waits.py <<'END'
import os, signal, threading, time

def late(seconds, act):
    def run():
        time.sleep(seconds)
        act()
    thread = threading.Thread(target=run)
    thread.start()
    return thread

time.sleep(0.3)
lock = threading.Lock()
lock.acquire()
other = late(0.2, lock.release)
lock.acquire()
other.join()
ends = os.pipe()
other = late(0.15, lambda: os.write(ends[1], b"x"))
os.read(ends[0], 1)
other.join()
child = os.fork()
if not child:
    time.sleep(0.25)
    os._exit(0)
os.waitpid(child, 0)
with open("data", "wb") as file:
    for _ in range(5):
        file.write(bytes(1 << 16))
        file.flush()
        os.fsync(file.fileno())
child = os.fork()
if not child:
    os.kill(os.getpid(), signal.SIGSTOP)
    os._exit(0)
os.waitpid(child, os.WUNTRACED)
time.sleep(0.1)
os.kill(child, signal.SIGCONT)
os.waitpid(child, 0)
print(os.getpid(), child, file=open("told", "w"))
END
"$bcoslog" cat --engine bpf --classes assign,state -- python3 waits.py >log 2>said || {
	cat said
	exit 1
}
read -r pid stopped <told
"$bcoslog" why --json --thread "$pid" "$pid" log >why.json 2>>said || cat said
"$bcoslog" text --severity 0 --kind process log >text 2>>said

# waited CALL MS: the thread waited in this call for at least so long. Where switches are lost it may be less, and is said so.
waited() {
	python3 - "$1" "$2" <<'END'
import json, sys
why = json.load(open("why.json"))
ns = sum(w["ns"] for w in why["where"] if w.get("call_name") in sys.argv[1].split("|"))
unknown = sum(row["ns"] for row in why["rows"] if row["cause"] == "unknown")
print("#", sys.argv[1], ns / 1e6, "ms,", unknown / 1e6, "ms unknown")
sys.exit(ns + unknown < float(sys.argv[2]) * 1e6 * 0.95)
END
}
adds_up() {
	python3 -c 'import json; why = json.load(open("why.json")); raise SystemExit(why["ns"] != sum(r["ns"] for r in why["rows"]))'
}
# by CAUSE MS: it waited for so long until an interrupt of this kind.
by() {
	python3 - "$1" "$2" <<'END'
import json, sys
why = json.load(open("why.json"))
ns = sum(row["ns"] for row in why["rows"] if row["cause"] == sys.argv[1])
unknown = sum(row["ns"] for row in why["rows"] if row["cause"] == "unknown")
print("#", sys.argv[1], ns / 1e6, "ms,", unknown / 1e6, "ms unknown")
sys.exit(ns + unknown < float(sys.argv[2]) * 1e6 * 0.95)
END
}
flushed() { grep -q "thread $pid blocked in fsync, for I/O" text || ! grep -q "thread $pid blocked in fsync" text; }
point "a sleep" waited "clock_nanosleep|select|pselect6" 400
point "a sleep ends by a timer" by timer 400
point "a lock" waited futex 200
point "a pipe" waited read 150
point "a child" waited "wait4|waitid" 250
point "what waits in fsync waits for I/O, if the disk is slow enough for a wait" flushed
point "a stop is none of these" grep -q "thread $stopped stopped\$" text
point "the rows add up" adds_up
echo "1..$n"
exit "$status"
