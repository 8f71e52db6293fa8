#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=1000:100000 timeout=120:1200
# bcoslog convert writes trace.dat files, which trace-cmd reads, and a reader that follows their description.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
cd "$work" || exit 1

# shellcheck disable=SC2317  # called by point
same_totals() {
	"$bcoslog" convert -t trace-cmd "$1" -o "$1.dat" && python3 "$convert/readers/trace_dat_read.py" "$1" "$1.dat"
}

# shellcheck disable=SC2317
by_trace_cmd() {
	trace-cmd report -t "$1.dat" >"$1.report" 2>errors || { cat errors; return 1; }
	python3 "$convert/readers/sched_read.py" "$2" "$1" "$1.report"
}

# The last event of reports.log is at 2 s, and trace-cmd cuts times to microseconds.
# shellcheck disable=SC2317
times_are_seconds() {
	trace-cmd report reports.dat 2>errors | tail -n 1 | grep -q ' 2\.000000: bcos_event: .*: end$'
}

# The lines follow from parked.log: who wakes whom on which CPU. The flag "h" means an interrupt. trace-cmd cuts names.
# shellcheck disable=SC2317
wakers() {
	"$BUILD/tests/assemble" "$convert/lib/parked.log" >parked && "$bcoslog" convert -t trace.dat parked -o parked.dat 2>errors && trace-cmd report -l parked.dat 2>errors |
		sed -nE 's/^ *([a-z]+)-([0-9]+) +([0-9]+)(.)(.)(.).* sched_wakeup: +([a-z]+:[0-9]+) .*/\1 \2 \3 \6 \7/p' | diff - <(
		printf '%s\n' "interrup 2147483645 1 h twenty:20" "unknown 2147483646 0 . thirty:30" "thirty 30 1 . thirty:30"
	)
}

# shellcheck disable=SC2317
clock_comes_back() {
	"$bcoslog" convert reports.dat -o clocked.log 2>errors && "$bcoslog" text clocked.log 2>errors | grep -q "recorder's clock boot: ns since boot\$"
}

# shellcheck disable=SC2317
through_a_pipe() {
	"$bcoslog" convert -t trace.dat long | cmp - long.dat
}

# shellcheck disable=SC2317
after_other_bytes() {
	echo before >appended && "$bcoslog" convert -t trace.dat long >>appended && tail -c +8 appended | cmp - long.dat
}

# shellcheck disable=SC2317
comes_back() {
	"$bcoslog" convert "$1.dat" -o back 2>errors || { cat errors; return 1; }
	"$bcoslog" check -q back || return 1
	# If a process begins on one CPU and runs on another at the same nanosecond, their order is not told.
	[ "$1" = hurt ] || python3 "$convert/readers/sched_read.py" back "$1" back
}

# shellcheck disable=SC2317
nothing_stays() {
	! (ulimit -f 64 && trap '' XFSZ && "$bcoslog" convert -t trace-cmd hurt -o full/hurt.dat) 2>errors && grep -q 'cannot be written' errors &&
		[ -z "$(ls -A full)" ]
}

# shellcheck disable=SC2317
no_room_for_the_temporary_file() {
	! (ulimit -f 1 && trap '' XFSZ && "$bcoslog" convert -t trace-cmd long 2>&1 >&3 3>&-) 3> >(cat >none) >errors &&
		grep -q 'the temporary file cannot be written' errors
}

# No file can be made in the folder of a device or a pipe.
# shellcheck disable=SC2317
temporary_file_elsewhere() {
	local output
	"$bcoslog" convert -t trace.dat long -o /dev/null || return 1
	for output in /dev/null -; do
		! TMPDIR=$PWD/missing "$bcoslog" convert -t trace.dat long -o "$output" >none 2>errors &&
			grep -q 'there is no temporary file.*TMPDIR' errors && [ ! -s none ] || return 1
	done
	TMPDIR=$PWD/missing "$bcoslog" convert -t trace.dat long -o beside.dat && cmp beside.dat long.dat
}

for log in again calls clock devices late losses overtaken reports story twins woken; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$log" || exit 1
done
python3 "$convert/lib/hurt_log.py" "${ROUNDS:-1000}" >hurt && python3 "$convert/lib/hurt_log.py" 100 "${ROUNDS:-1000}" >crowd || exit 1
mkdir full
# Each of two CPUs has more than a hundred pages. Process 261 takes turns with 5, whose name and lowest byte it has.
python3 -c '
import sys
from log_entries import Log, u32
log = Log(10 ** 9)
for cpu in (0, 1):
    log.put(0xA000, cpu, bytes(8), 5)
    log.put(0xC000, cpu, u32(cpu), 6)
for pid in (0, 5, 6, 261):
    log.put(0x8000, pid, b"process-%d" % (pid & 0xFF), 7)
for n in range(12000):
    log.now += 1000
    log.put(0x4002, n % 3 > 0, u32(n % 7 and (5, 261, 6, 5)[n // 2 % 4]))
    if n == 9000:
        log.put(0, 5, b"renamed")
sys.stdout.buffer.write(log.bytes())
' >long || exit 1
for log in again calls clock devices late losses overtaken reports story twins woken hurt crowd long; do
	point "$log: the totals" same_totals "$log"
done
point "through a pipe it is the same" through_a_pipe
point "after other bytes of a file it is the same" after_other_bytes
point "on a full disk nothing stays" nothing_stays
point "without room for the temporary file it says so" no_room_for_the_temporary_file
point "the temporary file is not beside a device or a pipe" temporary_file_elsewhere
if command -v trace-cmd >/dev/null; then
	for log in clock reports story long; do point "$log: the totals of trace-cmd report" by_trace_cmd "$log" trace-cmd; done
	point "trace-cmd report shows times in seconds" times_are_seconds
	point "no thread amid which an interrupt came wakes another" wakers
	# No report could be taken apart whose names have ends of lines.
	point "trace-cmd reports each switch of a log that hurts" by_trace_cmd hurt count
else
	n=$((n + 1))
	echo "ok $n - trace-cmd report # SKIP there is no trace-cmd; scripts/deps test brings it"
fi
if "$bcoslog" convert --help | grep -q '^  perf '; then
	for log in reports story hurt long; do point "$log: what comes back" comes_back "$log"; done
	point "and the clock of its times" clock_comes_back
else
	n=$((n + 1))
	echo "ok $n - what comes back # SKIP bcoslog-convert was built without its libraries"
fi
echo "1..$n"
exit $status
