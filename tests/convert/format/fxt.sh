#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=5000:100000 timeout=900 spare=yes
# Logs become Fuchsia traces, which a reader reads that follows the page of the format, and which carry the logs.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
# shellcheck source=tests/lib/trace.sh
. "$top/tests/lib/trace.sh"

python3 "$convert/lib/hurt_log.py" "${ROUNDS:-5000}" >"$work/hurt" &&
	python3 "$convert/lib/hurt_log.py" 100 "${ROUNDS:-5000}" >"$work/crowd" || exit 1
for log in "$top"/tests/cli/golden/*.log; do
	"$BUILD/tests/assemble" "$log" >"$work/$(basename "$log" .log)" || exit 1
done
# If a text is too long for a record, its rest may be shorter than a name.
python3 -B -c '
import sys
from log_entries import Log, u32
log = Log(1000)
log.put(0xA000, 0, bytes(8), 5)
log.put(0xC000, 0, u32(0), 6)
for pid in (0, 5):
    log.put(0x8000, pid, b"process-%d" % pid, 7)
log.event(0x0010, 5, 0, 0x40, "7" * 30100)
sys.stdout.buffer.write(log.bytes())
' >"$work/rest" || exit 1
# The reader finds entries by their sizes, and this test is not about damaged logs.
rm -f "$work"/{damaged,headless,hostile}

# same_totals LOG ARGUMENT...: the reader finds in the trace what the log says.
# shellcheck disable=SC2317  # called by point
same_totals() {
	local log=$1
	shift
	"$bcoslog" convert -t fxt "$@" "$log" -o "$work/trace" 2>"$work/errors" || { cat "$work/errors"; return 1; }
	python3 "$convert/readers/fxt_read.py" "$log" "$work/trace"
}

# shellcheck disable=SC2317
carried() {
	carries fxt "$@" && same_totals "$1" --embed
}

for log in "$work"/*; do
	name=$(basename "$log")
	case $name in trace | back | errors) continue ;; esac
	point "$name: totals in the older layout" same_totals "$log"
	point "$name: totals in the current layout" same_totals "$log" --layout current
	point "$name: carries the log" carried "$log"
	point "$name: carries the log beside the current layout" carries fxt "$log" --layout current
done
# A process that ends while it has a CPU, which no log of ours has, leaves it dead, and keeps its name.
{
	printf '5 1 h-core 0 h:0 h:0 1000\n5 1 h-cpu 0 0\n0 4294967295 h-process 0 "kernel"\n5 1 h-process 7 "seven"\n'
	printf '1000 1 assign 0 7\n1100 1 end 7 0\n1200 1 assign 0 0\n'
} >"$work/dead.txt"
"$BUILD/tests/assemble" "$work/dead.txt" >"$work/dead" || exit 1
point "a process that ends on a CPU: in the older layout" same_totals "$work/dead"
point "a process that ends on a CPU: in the current layout" same_totals "$work/dead" --layout current
# The log names threads, and the trace has processes on CPUs. A record would wake one of these that has the CPU.
# shellcheck disable=SC2317
wakes() {
	"$bcoslog" convert -t fxt --layout current "$work/threads" -o "$work/trace" 2>/dev/null &&
		python3 "$convert/readers/fxt_read.py" wakes "$work/trace" | diff - /dev/null
}
point "the current layout wakes no thread that may have a CPU" wakes
point "records of other programs become a log" python3 "$here/fxt_foreign.py" "$bcoslog" "$work"
echo "1..$n"
exit $status
