#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Other programs read recordings and write them: a decoder of EventHeader that is written from the description of the
# format alone, and perf, with a real recording of its own. Logs that are hard to convert are among them.
#
# test: cpus=1 timeout=120:600 rounds=2000:100000

set -uo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
BUILD=${BUILD:-${HERE%/tests/cli}/build}
BCOSLOG=${BCOSLOG:-$BUILD/bcoslog}
READERS=${HERE%/cli}/convert/readers
PROCESSES=${ROUNDS:-2000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
number=0 failed=0

point() {
	number=$((number + 1))
	if [ "$1" = 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; failed=1; fi
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

make -s -C "$HERE/.." O="$BUILD" "$BUILD/tests/assemble" bcoslog >/dev/null || exit 1
"$BCOSLOG" convert --help | grep -q '^  perf ' || { echo "1..0 # SKIP bcoslog-convert was built without its libraries"; exit 77; }

# A decoder that is not ours reads each log of the golden cases that is whole.
decoded() {
	local log name
	for log in types reports story devices deaths losses calls overtaken woken twins clock; do
		name=$HERE/golden/$log.log
		"$BUILD/tests/assemble" "$name" >"$log.log" && "$BCOSLOG" dump --json "$log.log" >entries 2>/dev/null &&
			"$BCOSLOG" convert -t eventheader "$log.log" -o "$log.data" &&
			python3 "$READERS/eventheader.py" "$log.data" >events && python3 "$READERS/same_entries.py" events entries || return
	done
}

# This log has 300 CPUs, recycled IDs, names with every control character, calls in lists of 256, gaps of minutes,
# losses, and classes that go off and on.
hurting() {
	local i
	for ((i = 0; i < 300; i++)); do echo "10 1 h-core $i h:0 h:0 1000"; done
	for ((i = 0; i < 300; i++)); do echo "10 1 h-cpu $i $i"; done
	echo '0 4294967295 h-process 0 "kernel"'
	for ((i = 0; i < 300; i++)); do echo "20 1 h-assign $i 0"; done
	for ((i = 1; i <= PROCESSES; i++)); do
		printf '%d 1 process %d "\\x%02x\\x%02x\\xc3\\xa9"\n' $((1000 * i)) $((i % 1000 + 1)) $((i % 31 + 1)) $((i / 31 % 31 + 1))
		printf '%d 0 assign %d %d\n' $((1000 * i + 10)) $((i % 300)) $((i % 1000 + 1))
		printf '%d 0 assign %d 0\n' $((1000 * i + 20)) $((i % 300))
		printf '%d 0 end %d 0\n' $((1000 * i + 30)) $((i % 1000 + 1))
	done
	echo "900000000000 1 process 5 \"late\""
	printf '900000000001 1 calls 5'
	for ((i = 0; i < 256; i++)); do printf ' %d' $((i * 7)); done
	echo
	echo '900000000002 5 cpu-event 7 0x80000001 b:0x80 "lost 3 assignments: full, until 900.000000003 s"'
	echo '900000000004 1 cpu-event 0 0x80000003 b:0x40 "recorded: none"'
	echo '990000000004 1 cpu-event 0 0x80000003 b:0x40 "recorded: assign,user"'
	echo '999000000004 1 assign 3 4294967295'
}

returns() {
	hurting >hurt.txt && "$BUILD/tests/assemble" hurt.txt >hurt.log && "$BCOSLOG" check hurt.log >/dev/null &&
		"$BCOSLOG" convert -t eventheader hurt.log -o hurt.data && "$BCOSLOG" convert hurt.data -o back.log &&
		cmp hurt.log back.log
}

hurting_decoded() {
	"$BCOSLOG" dump --json hurt.log >entries 2>/dev/null && python3 "$READERS/eventheader.py" hurt.data >events &&
		python3 "$READERS/same_entries.py" events entries
}

# In this log as many processes are alive at a time, and its reader was overtaken.
crowd() {
	python3 -B "$HERE/../convert/lib/hurt_log.py" 100 "$PROCESSES" >crowd.log && "$BCOSLOG" convert -t eventheader crowd.log -o crowd.data &&
		"$BCOSLOG" convert crowd.data -o back.log && cmp crowd.log back.log || return
	# Without the log that it carries, it has an event for each entry.
	"$BCOSLOG" convert -t eventheader crowd.log 2>/dev/null | "$BCOSLOG" convert - -o back.log 2>/dev/null && "$BCOSLOG" check back.log >/dev/null &&
		[ "$("$BCOSLOG" dump back.log 2>/dev/null | grep -c ' "bcos:')" = "$("$BCOSLOG" dump crowd.log 2>/dev/null | wc -l)" ]
}

# perf sees as many events as the log has entries, in a file and in a pipe, from the first time to the last.
seen_by_perf() {
	local log
	for log in types reports hurt; do
		"$BCOSLOG" dump "$log.log" 2>/dev/null | wc -l >count
		perf script --ns -i "$log.data" 2>/dev/null >script && grep -ac ' user_events:bcos_L' script | cmp - count &&
			"$BCOSLOG" convert -t eventheader "$log.log" | perf script --ns -i - 2>/dev/null | cmp - script || return
	done
	tail -n 1 script | grep -q ' 999\.000000004: *user_events:bcos_L4K1: .* id=16386 '
}

# The times of processes and the switches of CPUs are those of perf's own reading of its recording.
real() {
	perf script --ns -i sched.data -F pid,tid,cpu,time,event,trace 2>/dev/null >script &&
		perf script -i sched.data -D 2>/dev/null | grep -a -e PERF_RECORD_FORK -e PERF_RECORD_COMM >tasks &&
		"$BCOSLOG" convert sched.data -o sched.log && "$BCOSLOG" check sched.log >checked &&
		"$BCOSLOG" top -n 0 --json sched.log >top 2>/dev/null && "$BCOSLOG" cpu --json sched.log >cpu 2>/dev/null &&
		"$BCOSLOG" dump --json sched.log >entries 2>/dev/null && python3 "$READERS/same_totals.py" script tasks top cpu entries
}

# The records of type 81 and, from Linux 6.16, 83 are compressed: "Q" and "S", in a pipe.
refuses_compressed() {
	local type log=$HERE/golden/types.log
	"$BUILD/tests/assemble" "$log" >types.log && "$BCOSLOG" convert -t eventheader types.log | cat >plain || return
	"$BCOSLOG" convert plain -o back.log 2>/dev/null || return
	for type in Q S; do
		{ cat plain; printf '%s\0\0\0\0\0\020\0payload8' "$type"; } >compressed
		"$BCOSLOG" convert compressed -o back.log 2>errors
		[ $? = 2 ] && grep -qxF "bcoslog: compressed: its records are compressed (perf record -z), which bcoslog does not read; record without -z" errors || return
	done
}

decoded; point $? "a decoder from the description of EventHeader reads what the log says"
returns; point $? "a log that hurts comes back byte for byte"
hurting_decoded; point $? "and is decoded"
crowd; point $? "one in which all processes are alive at a time says the same when it comes back"
refuses_compressed; point $? "compressed records of perf are refused, with the remedy"
if command -v perf >/dev/null; then
	seen_by_perf; point $? "perf reads each event, from a file and from a pipe"
else
	skip "perf reads each event" "there is no perf"
fi
# Where nobody has mounted the kernel's tracepoints, they are mounted for this command alone.
with_tracefs() {
	if [ -d /sys/kernel/tracing/events ]; then
		"$@"
	else
		# shellcheck disable=SC2016  # for the other shell
		unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing && exec "$@"' sh "$@"
	fi
}

# The recording must lose nothing, since time is unknown where a log states a loss of it.
record() {
	local i
	command -v perf >/dev/null || return
	for i in 1 2 3 4 5; do
		with_tracefs perf sched record -m 2048 -o sched.data -- sleep 0.3 >/dev/null 2>&1 || return
		perf script -i sched.data -D 2>/dev/null | grep -aq PERF_RECORD_LOST || return 0
	done
	return 1
}

if record; then
	real; point $? "a real recording: the totals of perf script"
else
	skip "a real recording" "perf records nothing here, or not everything"
fi
echo "1..$number"
exit $failed
