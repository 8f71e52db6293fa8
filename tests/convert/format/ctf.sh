#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=900 spare=yes
# Logs become CTF traces, which Babeltrace 2 reads, and which carry the logs.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
if "$bcoslog" convert --help | grep -q 'ctf is left out'; then
	echo "1..0 # SKIP bcoslog-convert was built without its libraries; scripts/deps build brings it"
	exit 0
fi
# shellcheck source=tests/lib/trace.sh
. "$top/tests/lib/trace.sh"
reader=$(python_of_babeltrace)
if [ -z "$reader" ]; then
	echo "1..0 # SKIP Python has no module bt2; scripts/deps test brings it"
	exit 0
fi
mkdir "$work/logs"
python3 "$convert/lib/hurt_log.py" "${ROUNDS:-3000}" >"$work/logs/hurt" || exit 1
for log in "$top"/tests/cli/golden/*.log; do
	"$BUILD/tests/assemble" "$log" >"$work/logs/$(basename "$log" .log)" || exit 1
done
# These names, texts and lists end where the largest entry ends whose size is a multiple of 4, which is 65532.
python3 -B -c '
import sys
from log_entries import Log, u32
log = Log(1000)
log.put(0xA000, 0, bytes(4) + u32(*range(1, 16378)), 5)
log.put(0xC000, 0, u32(0), 6)
log.put(0x8000, 0, b"kernel", 7)
log.put(0x8000, 5, b"5" * 65512, 7)
log.put(0xE000, 7, u32(5) + b"7" * 65508, 7)
log.event(0x0010, 5, 1 << 31, 0x40, "t" * 65507)
log.put(0x0011, 5, u32(*range(16378)))
log.put(0x0000, 6, b"6" * 65512)
sys.stdout.buffer.write(log.bytes())
' >"$work/logs/largest" || exit 1
# This test is not about damaged logs.
rm -f "$work"/logs/{damaged,headless,hostile}

# shellcheck disable=SC2317  # called by point
same_totals() {
	rm -rf "$work/trace"
	"$bcoslog" convert -t ctf "$1" -o "$work/trace" 2>"$work/errors" || { cat "$work/errors"; return 1; }
	"$reader" "$convert/readers/ctf_read.py" "$1" "$work/trace" "$bcoslog"
}

point "times that no reader of CTF takes are refused" eval \
	'! "$bcoslog" convert -t ctf "$work/logs/late" -o "$work/never" 2>"$work/errors"; grep -q "292 years" "$work/errors" && [ ! -e "$work/never" ]'
rm "$work/logs/late"

for log in "$work"/logs/*; do
	name=$(basename "$log")
	point "$name: Babeltrace 2 finds the same totals" same_totals "$log"
	point "$name: carries the log" carries ctf "$log"
done
# The trace has the losses that the log states, each on the CPU for which it is stated.
# shellcheck disable=SC2317
discarded() {
	"$bcoslog" convert -t ctf "$work/logs/hurt" -o "$work/discarded" 2>/dev/null || return 1
	"$reader" - "$work/discarded" <<-'END'
		import sys
		import ctf_read
		found = ctf_read.events(sys.argv[1])[1]
		assert [part[:2] for part in found[:2]] == [(5, 5), (6, 2)], found
		assert len(found) == 3 and found[2][1] == 5, found
		assert all(begin <= end for _, _, begin, end in found), found
	END
}
point "the trace counts what was lost, on the CPU that lost it" discarded

# CPU 0 loses 2^63 events twice, and until 2^63 - 1 ns after boot; another log is of that time itself.
python3 -B -c '
import sys
from log_entries import Log, u32
for name in ("most", "last"):
    log = Log(1000)
    log.put(0xA000, 0, bytes(4) + u32(1000), 1)
    log.put(0xC000, 0, u32(0), 1)
    log.put(0x8000, 0, b"kernel", 1)
    log.put(0xC002, 0, u32(0), 1)
    for _ in range(2):
        log.event(0x4010, 0, 0x80000001, 0x80, "lost 9223372036854775808 transfers: x, until 9223372036.854775807 s")
    if name == "last":
        log.now = (1 << 63) - 1
    log.put(0x4002, 0, u32(0))
    with open(sys.argv[1] + "/" + name, "wb") as out:
        out.write(log.bytes())
' "$work" || exit 1
# shellcheck disable=SC2317
extremes() {
	"$bcoslog" convert -t ctf "$work/most" -o "$work/extremes" 2>/dev/null && babeltrace2 "$work/extremes" >"$work/text" 2>"$work/errors" || return 1
	grep -q 'Tracer discarded 18446744073709551614 events' "$work/errors" && [ "$(grep -c sched_switch "$work/text")" = 1 ] &&
	! "$bcoslog" convert -t ctf "$work/last" -o "$work/never" 2>"$work/errors" && grep -q "292 years" "$work/errors"
}
point "times and counts stop short of those at which readers of CTF give up" extremes

# The names and fields are LTTng's, by the text of babeltrace2 alone.
"$BUILD/tests/assemble" "$top/tests/cli/golden/reports.log" >"$work/reports"
"$bcoslog" convert -t ctf --no-embed "$work/reports" -o "$work/layout"
# shellcheck disable=SC2317
layout() {
	babeltrace2 --no-delta --clock-cycles "$work/layout" >"$work/text" || return 1
	grep -q 'sched_switch: { cpu_id = 0 }, .* prev_comm = "ten", prev_tid = 10, prev_prio = 20, prev_state = 1, next_comm = "kernel", next_tid = 2147483647, next_prio = 20, bcos_process = 2147483647 }' "$work/text" &&
	grep -q 'sched_switch: { cpu_id = 1 }, .* prev_comm = "swapper/1", prev_tid = 0, .* next_comm = "twenty", next_tid = 20,' "$work/text" &&
	grep -q 'lttng_statedump_process_state: .* tid = 10, pid = 10, ppid = 0, name = "ten", type = 0, .* status = 6, cpu = 0,' "$work/text" &&
	grep -q 'lttng_statedump_block_device: .* dev = 0, diskname = "sda"' "$work/text" &&
	grep -q 'lttng_statedump_network_interface: .* name = "eth0"' "$work/text" &&
	grep -q 'irq_handler_entry: .* irq = [0-9]*, name = "sda"' "$work/text" && grep -q 'irq_handler_exit: .* ret = 1' "$work/text" &&
	grep -q 'block_rq_complete: .* dev = 0, .* nr_sector = 8, error = 0, rwbs = 4' "$work/text" &&
	grep -q 'net_dev_xmit: .* rc = 0, len = 1500, name = "eth0"' "$work/text" &&
	grep -q 'sched_process_exit: .* comm = "ten", tid = 10' "$work/text" && grep -q 'sched_process_free: .* tid = 10' "$work/text" &&
	grep -q 'sched_process_fork: .* child_comm = "thirty", child_tid = 30, .* child_pid = 30, child_ns_inum = 0' "$work/text" &&
	[ "$(grep -c 'lttng_statedump_\(start\|end\)' "$work/text")" = 2 ] &&
	grep -q 'tracer_name = "lttng-modules"' "$work/layout/kernel/metadata" && grep -q 'domain = "kernel"' "$work/layout/kernel/metadata" &&
	[ "$(ls "$work/layout")" = kernel ]
}
point "events and fields are those of LTTng's kernel tracer" layout

# What LTTng's events tell comes back from a trace that carries no log, and the rest is counted.
rm -rf "$work/told"
"$bcoslog" convert "$work/layout" -o "$work/told" 2>"$work/untold"
# shellcheck disable=SC2317
told() {
	"$bcoslog" check -q "$work/told" && "$bcoslog" dump --no-history "$work/told" | sed '/imported/d; s/  */ /g' | diff - <(
		cat <<-END
			 1.400000000 Assign CPU CPU 1 -> process 20 "twenty"
			 1.500000000 Assign CPU CPU 0 -> process 0 "kernel"
			 1.600000000 Assign CPU CPU 0 -> process 10 "ten"
			 1.700000000 IRQ device 0xC0000010 "irq 0 sda": IRQ 0
			 1.700050000 Device Input device 0x00000000 "sda": 4096 bytes
			 1.700060000 Device Input device 0x00000000 "sda": 4096 bytes
			 1.800000000 Device Output device 0x40000000 "eth0": 1500 bytes
			 1.900000000 Assign CPU CPU 0 -> process 0 "kernel"
			 1.900000000 Cancel Process Name process 10 "ten": status unknown
			 1.950000000 Set Process Name process 30 "thirty"
		END
	) && grep -q ': 2 events of kind bcos_generic_process are left out: only the log that the recording carried would tell of them' "$work/untold"
}
point "without the log that it carries, it says what LTTng's would, and what is left out" told
# shellcheck disable=SC2317
families() {
	"$bcoslog" convert -t ctf "$work/logs/story" -o "$work/families" && babeltrace2 "$work/families" >"$work/text" || return 1
	grep -q 'sched_process_fork: .* parent_comm = "sh", parent_tid = 10, parent_pid = 10, parent_ns_inum = 0, child_comm = "sh", child_tid = 30,' "$work/text" &&
	grep -q 'sched_process_fork: .* parent_comm = "", parent_tid = 0, .* child_comm = "cc1", child_tid = 30,' "$work/text" &&
	grep -q 'sched_process_exec: .* filename = "/bin/cc1", tid = 30, old_tid = 30,' "$work/text" &&
	grep -q 'sched_wakeup: .* comm = "cc1", tid = 31, prio = 20, target_cpu = 1, .* bcos_process = 30 }' "$work/text" &&
	grep -q 'bcos_process_rename: .* comm = "cc1"' "$work/text"
}
point "a birth names the parent that the entry after it tells, an execution its file" families

# The lines follow from threads.log: CPU, event, and who leaves a CPU in which state for whom with which priority, or
# who is woken.
# shellcheck disable=SC2317
threads() {
	"$bcoslog" convert -t ctf "$work/logs/threads" -o "$work/threads" && babeltrace2 --no-delta --clock-cycles "$work/threads" >"$work/text" || return 1
	sed -nE -e 's/.* (sched_switch): \{ cpu_id = ([0-9]+) .* prev_tid = (-?[0-9]+), .* prev_state = ([0-9]+), .* next_tid = (-?[0-9]+), next_prio = (-?[0-9]+),.*/\2 \1 \3 \4 \5 \6/p' \
		-e 's/.* (sched_waking): \{ cpu_id = ([0-9]+) .* tid = ([0-9]+), .*/\2 \1 \3/p' "$work/text" | diff - <(
		cat <<-END
			1 sched_waking 20
			0 sched_switch 0 0 20 20
			0 sched_waking 21
			0 sched_switch 20 1 21 20
			0 sched_switch 21 0 32 -2
			0 sched_switch 32 0 21 20
			1 sched_waking 20
			0 sched_switch 21 16 20 20
			1 sched_waking 20
			0 sched_switch 20 1 0 20
			0 sched_switch 0 0 20 20
		END
	)
}
point "threads have CPUs and are woken, as the class of states tells" threads

# Process 20 ends with its first thread, and process 30 with thread 31. Each of these is on its CPU again after it has begun
# to exit, where the log counts it for the kernel, whose own thread 9 follows.
cat >"$work/ending.text" <<'END'
5 1 h-core 0			h:0 h:0 1000 1000
5 1 h-cpu 0			0
6 1 h-cpu 1			0
0 4294967295 h-process 0	"kernel"
7 1 h-process 20		"twenty"
7 1 h-process 30		"thirty"
8 1 h-assign 0			0xFFFFFFFF
8 1 h-assign 1			0xFFFFFFFF
1000000000 1 process-event 30	0xC0000003 b:0x00 "thread 31 woken by process 20 thread 20 on CPU 1"
1100000000 1 process-event 0	0xC0000003 b:0x00 "thread 20 runs on CPU 0 at priority 120"
1100000000 1 assign 0		0
1100000001 1 process-event 0	0xC0000003 b:0x00 "thread 31 runs on CPU 1 at priority 120"
1100000001 1 assign 1		0
1200000000 1 process-event 20	0xC0000003 b:0x00 "thread 20 dead"
1200000000 1 end 20		0
1200000000 1 assign 0		0xFFFFFFFF
1200000001 1 process-event 0	0xC0000003 b:0x00 "thread 9 runs on CPU 0 at priority 120"
1200000001 1 assign 0		0
1300000000 1 process-event 30	0xC0000003 b:0x00 "thread 31 dead"
1300000000 1 end 30		0
1400000000 1 process-event 0	0 b:0x40 "end"
END
"$BUILD/tests/assemble" "$work/ending.text" >"$work/ending"
# shellcheck disable=SC2317
ending() {
	"$bcoslog" convert -t ctf --no-embed "$work/ending" -o "$work/ends" && babeltrace2 --no-delta --clock-cycles "$work/ends" >"$work/text" || return 1
	sed -nE -e 's/.* (sched_switch): \{ cpu_id = ([0-9]+) .* prev_comm = "([^"]*)", prev_tid = ([0-9]+), .* prev_state = ([0-9]+), next_comm = "([^"]*)", next_tid = ([0-9]+),.*/\2 \1 \3 \4 \5 \6 \7/p' \
		-e 's/.* (sched_process_[a-z]*): \{ cpu_id = ([0-9]+) .* comm = "([^"]*)", tid = ([0-9]+), .*/\2 \1 \3 \4/p' "$work/text" | diff - <(
		cat <<-END
			0 sched_switch swapper/0 0 0 twenty 20
			1 sched_switch swapper/1 0 0 thirty 31
			0 sched_process_exit twenty 20
			0 sched_switch twenty 20 16 swapper/0 0
			0 sched_process_free twenty 20
			0 sched_switch swapper/0 0 0 kernel 9
			1 sched_process_exit thirty 30
			1 sched_process_free thirty 30
		END
	)
}
point "the last thread of a process keeps its name, and is freed after it has left its CPU" ending

# Analyses of LTTng's kernel traces find the events that they look for, and come to the right results.
{ cat "$top/tests/cli/golden/reports.log" && printf '2000000000 1 input 0x40000000\t1500\n'; } >"$work/network"
"$BUILD/tests/assemble" "$work/network" >"$work/logs/network"
# CPU 0 runs 10 when the log loses assignments. CPU 1 is idle when it goes offline. The notice and the class that is off
# leave nobody known.
cat >"$work/unseen.log" <<-END
	10 1 h-core 0			h:0 h:0 1000
	10 1 h-cpu 0			0
	10 1 h-cpu 1			0
	0 4294967295 h-process 0	"kernel"
	20 1 h-process 10		"ten"
	20 1 h-process 20		"twenty"
	30 1 h-assign 0			10
	30 1 h-assign 1			0xFFFFFFFF
	1000 0 assign 1			20
	1500 0 process-event 10		0 b:0x40 "before"
	2000 0 cpu-event 0		0x80000001 b:0x80 "lost 3 assignments: staging full"
	3000 0 assign 0			20
	3500 0 assign 1			0xFFFFFFFF
	4000 0 cpu-off 1
	5000 0 cpu 1			0
	5500 0 assign 1			10
	6000 0 cpu-event 0		0x80000003 b:0x40 "class mask 0x1f -> 0x1e: assign off"
	7000 0 process-event 10		0 b:0x40 "behind"
	8000 0 assign 1			20
	9000 0 process-event 10		0 b:0x40 "end"
END
"$BUILD/tests/assemble" "$work/unseen.log" >"$work/logs/unseen" || exit 1
# shellcheck disable=SC2317
unseen() {
	"$bcoslog" convert -t ctf "$work/logs/unseen" -o "$work/unseen" 2>/dev/null && babeltrace2 --no-delta --clock-cycles "$work/unseen" >"$work/text" || return 1
	sed -nE 's/^\[0*([0-9]+)\] .*sched_switch: \{ cpu_id = ([0-9]+) .* prev_tid = (-?[0-9]+), .* next_tid = (-?[0-9]+),.*/\2 \1 \3 \4/p' "$work/text" | diff - <(
		cat <<-END
			1 1000 0 20
			0 2000 10 -2
			0 3000 -2 20
			1 3500 20 0
			1 5500 0 10
			0 6000 20 -2
			1 6000 10 -2
			1 8000 -2 20
		END
	)
}
point "a CPU switches to nobody known where it is unknown what it runs" unseen

analyzed=()
for name in network story woken preempted unseen; do
	"$bcoslog" convert -t ctf "$work/logs/$name" -o "$work/analyzed-$name" 2>/dev/null
	analyzed+=("$work/logs/$name" "$work/analyzed-$name")
done
point "an analysis of kernel traces has what it needs, and finds the same CPU time" "$reader" "$convert/readers/ctf_kernel.py" "$bcoslog" "${analyzed[@]}"

# ---- traces of LTTng: by a writer that is not ours --------------------------------------

"$reader" "$here/ctf_lttng.py" write "$work/lttng" 2000
point "a trace of LTTng becomes a log that passes the check" eval \
	'"$bcoslog" convert "$work/lttng" -o "$work/back" 2>"$work/errors" && "$bcoslog" check "$work/back" 2>/dev/null'
point "and has the totals of what was written" "$reader" "$here/ctf_lttng.py" check "$work/back" 2000
point "what becomes no entry is counted by kind" eval \
	'[ "$(sed -nE "s/^bcoslog: .*: ([0-9]+) events? of kind (net_dev_queue|irq_handler_exit|lttng_statedump_start|sched_process_free) .*/\1/p" "$work/errors" | awk "{ sum += \$1 } END { print sum }")" = 688 ]'
"$reader" "$here/ctf_lttng.py" write "$work/context" 2000 context
point "a trace of LTTng without a state dump, but with contexts, becomes one" eval \
	'"$bcoslog" convert "$work/context" -o "$work/back2" 2>/dev/null && "$bcoslog" check "$work/back2" 2>/dev/null'
point "and that has the totals, too" "$reader" "$here/ctf_lttng.py" check "$work/back2" 2000 context
mkdir "$work/session" && cp -r "$work/lttng" "$work/session/kernel"
point "the folder of a session will do" eval \
	'"$bcoslog" convert "$work/session" -o "$work/back2" 2>/dev/null && cmp "$work/back" "$work/back2"'

# ---- what goes wrong -----------------------------------------------------------------------

mkdir "$work/abort"
cp "$work/lttng"/* "$work/abort"
sed -i 's/tracer_name = "lttng-modules"/tracer_name = 0x/' "$work/abort/metadata"
point "damaged metadata are said" eval \
	'! "$bcoslog" convert -f ctf "$work/abort" -o "$work/never" 2>"$work/errors"; grep -q "cannot be read" "$work/errors"'
# Where the library ends its process, a sentence says so, and the log has what was read before.
"${CC:-cc}" -shared -fPIC "$convert/lib/gives_up.c" -o "$work/gives_up.so" || exit 1
# gives_up HOW TIME NAME: the library ends the process by the signal HOW, NAME, when it is asked for the TIME-th time.
# shellcheck disable=SC2317
gives_up() {
	rm -f "$work/part"
	HOW=$1 GIVES_UP=$2 LD_PRELOAD=$work/gives_up.so "$bcoslog" convert -f ctf "$work/lttng" -o "$work/part" 2>"$work/errors"
	[ $? = 1 ] && cat "$work/errors" && [ "$(grep -cv 'left out' "$work/errors")" = 1 ] && grep -q 'of kind irq_handler_exit are left out' "$work/errors" &&
		grep -q "lttng is damaged: the library of Babeltrace 2 has given up within it ($3)" "$work/errors" &&
		"$bcoslog" check -q "$work/part" && [ "$(stat -c %s "$work/part")" -lt "$(stat -c %s "$work/back")" ]
}
"$bcoslog" convert "$work/lttng" -o "$work/back" 2>/dev/null
point "a library that aborts is said, and the log has what came before" gives_up 6 30 Aborted
point "so is one that ends otherwise" gives_up 11 30 'Segmentation fault'
# A signal ends the program even while the library comes to no end, and leaves nothing behind.
# shellcheck disable=SC2317
busy() {
	local pid tries code
	rm -rf "$work/empty" "$work/busy" && mkdir "$work/empty" || return 1
	GIVES_UP=30 BUSY=$work/busy LD_PRELOAD=$work/gives_up.so "$bcoslog" convert -f ctf "$work/lttng" -o "$work/empty/log" &
	pid=$!
	for ((tries = 0; tries < 1000; tries++)); do
		[ ! -e "$work/busy" ] || break
		sleep 0.01
	done
	[ -n "$(ls "$work/empty")" ] && kill -TERM "$pid"
	for ((tries = 0; tries < 1000; tries++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.01
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid"
	code=$?
	[ "$code" = 143 ] && [ -z "$(ls "$work/empty")" ] && return
	echo "exit status $code"
	ls "$work/empty"
	return 1
}
point "a signal ends it while the library comes to no end" busy
truncate -s 100000 "$work/lttng/channel0_1"
point "a stream that is cut becomes as much of a log as there is" eval \
	'! "$bcoslog" convert -f ctf "$work/lttng" -o "$work/back" 2>"$work/errors"; grep -q "cannot be read: Failed to index CTF stream file .*/channel0_1" "$work/errors" && "$bcoslog" check -q "$work/back"'
point "a folder without metadata is no trace" eval \
	'mkdir "$work/none"; ! "$bcoslog" convert -f ctf "$work/none" -o "$work/never2" 2>"$work/errors"; grep -q "is no CTF trace" "$work/errors" && [ ! -e "$work/never2" ]'
point "a file is no trace" eval \
	'! "$bcoslog" convert -f ctf "$work/reports" -o "$work/never3" 2>"$work/errors"; grep -q "is no directory, as a CTF trace is" "$work/errors" && [ ! -e "$work/never3" ]'
point "a trace without the folder of a session becomes the same log" eval \
	'mv "$work/layout/kernel" "$work/bare" && rmdir "$work/layout" && "$bcoslog" convert "$work/bare" -o "$work/back" 2>/dev/null && cmp "$work/told" "$work/back"'
point "a trace may have more CPUs than a process may have open files" eval \
	'(ulimit -n 60; "$bcoslog" convert -t ctf "$work/logs/hurt" -o "$work/few" 2>/dev/null) && "$reader" "$convert/readers/ctf_read.py" "$work/logs/hurt" "$work/few" "$bcoslog"'

# A conversion that is interrupted leaves no half-written trace: it leaves nothing, or all of it.
# shellcheck disable=SC2317
interrupted() {
	local pid
	"$bcoslog" convert -t ctf "$work/logs/hurt" -o "$work/partly" 2>/dev/null &
	pid=$!
	until ls "$work"/partly* >/dev/null 2>&1; do sleep 0.01; done
	kill -INT "$pid"
	wait "$pid"
	case $? in
	130) ! ls "$work"/partly* 2>/dev/null ;;
	0) "$bcoslog" convert "$work/partly" -o "$work/back" && "$bcoslog" check -q "$work/back" ;;
	*) return 1 ;;
	esac
}
point "interrupted, nothing of a trace stays" interrupted

# The disk is full at the first file, in the midst of streams, and at the last ones.
if unshare -rm true 2>/dev/null; then
	for size in 4k 300k 1m; do
		point "a full disk of $size: nothing half-written stays" disk_full ctf "$work/logs/hurt" "$size"
	done
else
	n=$((n + 1))
	echo "ok $n - a full disk # SKIP nobody may have namespaces of his own here"
fi

# Whichever bytes are flipped, the conversion ends in order, and what becomes a log passes the check.
point "whatever is damaged ends in order, and in a log that passes the check" \
	python3 "$convert/lib/flipped.py" ctf 0.5 "$work/edited" "$BUILD" "$bcoslog" "$work/bare" "$work/session/kernel"

echo "1..$n"
exit "$status"
