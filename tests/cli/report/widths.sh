#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests the reports on terminals of 80 and 200 columns, and into a pipe: courses and names give way, numbers do not. The
# figures are those of golden/reports.log, which golden/reports.cases explains.
# test: timeout=120
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
# shellcheck source=tests/lib/terminal.sh
. "$top/tests/lib/terminal.sh"
trap 'terminal_end; rm -rf "$dir"' EXIT

"$BUILD/tests/assemble" "$top/tests/cli/golden/reports.log" >"$dir/reports.log" || exit 1
# These names have 40 characters, and a terminal of 80 columns has no room for all of them.
sed 's/"ten"/"a-name-of-forty-characters-and-not-more-"/; s/"twenty"/"another-of-forty-characters-of-which-few"/' \
	"$top/tests/cli/golden/reports.log" >"$dir/long.txt"
"$BUILD/tests/assemble" "$dir/long.txt" >"$dir/long.log" || exit 1
ln -s "$bcoslog" "$dir/bcoslog"
PATH=$dir:$PATH

# Beside the name, a line of latency has 64 columns. A line of offcpu has more, so that the columns that can be
# spared are left out, and named below.

# pieces COUNT STRING: prints the string so many times.
pieces() { printf "%$1s" '' | sed "s/ /$2/g"; }

# CPU 0 was busy all the time, so its line has 64 columns and then blocks.
cpu='0       0  1000.0 ms     80.0 %  20.0 %   0.0 %    0.0 %      3  '
narrow=$cpu$(pieces $((80 - ${#cpu})) █)
wide=$cpu$(pieces 31 █)

terminal 80 24 "bcoslog cpu reports.log"
point "80 columns: the course gives way" shows "$narrow"
point "to the edge and no further" eval '! on_screen "$narrow█"'
point "a line is one" eval 'test "$(screen | grep -c .)" = 4'
point "and it ends as ever" ends 0
terminal 200 24 "bcoslog cpu reports.log"
point "200 columns: all of it is there" shows "$wide"
bcoslog cpu reports.log >"$dir/piped" 2>&1 || true
(cd "$dir" && COLUMNS=80 bcoslog cpu reports.log >piped)
point "in a pipe, too" grep -qxF "$wide" "$dir/piped"

terminal 80 24 "bcoslog offcpu long.log"
point "80 columns: names give way" shows '     10  a-name-of-forty-charac  1.500000000       100.0 ms        0  kernel'
point "columns that have no room are named" shows '(no room for: to, CPU, for, then CPU, woken by)'
terminal 200 24 "bcoslog offcpu long.log"
point "200 columns: they need not" shows '     10  a-name-of-forty-characters-and-not-more-  1.500000000  1.600000000'
terminal 80 24 "bcoslog latency long.log"
point "80 columns: the waker gives way first" shows '     10  a-name-of-forty-  off      1  100.0 ms  100.0 ms  1.600000000  800.0 ms'
point "and is named" shows '(no room for: woken by)'

# The wall clock is known, so -T shows dates.
sed 's/^1000000000 1 process-event 10.*/1000000000 1 process-event 0	0xC0000010 b:0x40 "wall clock 1700000000.000000000"\n&/' \
	"$dir/long.txt" >"$dir/dated.txt"
"$BUILD/tests/assemble" "$dir/dated.txt" >"$dir/dated.log" || exit 1

# A line that had no room would take two.
for report in cpu "cpu --every 100ms" io "io --every 100ms" power "power --every 100ms" processes "processes --short" "top --once" offcpu latency "latency --histogram" "latency --threads" turns "turns --summary"; do
	# The sentence of a report without rows is on standard error.
	terminal 80 50 "bcoslog $report long.log 2>/dev/null"
	(cd "$dir" && eval "bcoslog $report long.log" >piped)
	lines=$(grep -c . "$dir/piped")
	ends 0 >/dev/null
	[ "$(screen | grep -c '^(no room for: ')" = 0 ] || lines=$((lines + 1))
	point "80 columns: a line of $report is one" eval "test \"\$(screen | grep -c .)\" = $lines"
done
for report in "cpu --every 100ms" "io --every 100ms" "power --every 100ms" processes "top --once" offcpu latency turns "turns --summary"; do
	(cd "$dir" && TZ=UTC eval "bcoslog $report -T dated.log" >piped)
	lines=$(grep -c . "$dir/piped")
	terminal 80 100 "TZ=UTC bcoslog $report -T dated.log"
	ends 0 >/dev/null
	[ "$(screen | grep -c '^(no room for: ')" = 0 ] || lines=$((lines + 1))
	point "80 columns: a line of $report -T is one" eval "test \"\$(screen | grep -c .)\" = $lines"
	terminal 200 100 "TZ=UTC bcoslog $report -T dated.log"
	ends 0 >/dev/null
	point "200 columns: $report -T as in a pipe" is "$(cat "$dir/piped")"
done
terminal 80 24 "bcoslog io long.log"
point "80 columns: bytes, latencies and the course of devices stay" shows '0x00000000  sda          8192 B     0 B           1  50.0 us  50.0 us  '
point "what gave way is said" shows '(no room for: transfers in, out, failed, 99 %)'
# A line of turns has 56 columns before the name, which leaves 24: "  20 twenty, preempted" takes 22, and "  20 twenty"
# takes 11.
"$BUILD/tests/assemble" "$top/tests/cli/golden/threads.log" >"$dir/threads.log" || exit 1
terminal 80 24 "bcoslog turns --next threads.log"
point "80 columns: of turns, how they ended stays" shows '     1.100100000    0                100.0 us   130.0 ms  20 twenty, preempted'
point "what gave way in some line is said" shows '(no room for: then, woken by)'
terminal 80 24 "bcoslog turns --threads threads.log"
point "80 columns: of turns of threads, how they ended gives way" shows '     1.200100000    0                 50.0 ms    30.0 ms  21 of 20 twenty'
point "and that is said" shows '(no room for: how it ended, woken by)'
for report in "turns --next" "turns --threads --next"; do
	terminal 200 24 "bcoslog $report threads.log"
	(cd "$dir" && eval "bcoslog $report threads.log" >piped)
	point "200 columns: $report as in a pipe" is "$(cat "$dir/piped")"
done
for report in io power processes; do
	terminal 200 24 "bcoslog $report reports.log"
	(cd "$dir" && bcoslog "$report" reports.log >piped)
	point "200 columns: $report as in a pipe" is "$(cat "$dir/piped")"
done
echo "1..$n"
exit "$status"
