#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A process in a control group with a quota of CPU time: the recorder states how often it was throttled, as the kernel counts
# it, and `why` names the group and its quota in one command. Skipped where the kernel refuses BPF programs, or control groups
# cannot be made.
#
# shellcheck disable=SC2317  # waits and point call them
# test: timeout=240

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../lib/tool.sh"

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

# The quota is 10 of 100 ms.
group=''
if [ -w /sys/fs/cgroup/cpu/cpu.shares ] && mkdir "/sys/fs/cgroup/cpu/bcoslog-test-$$" 2>/dev/null; then
	group=/sys/fs/cgroup/cpu/bcoslog-test-$$
	if ! { echo 100000 >"$group/cpu.cfs_period_us" && echo 10000 >"$group/cpu.cfs_quota_us"; }; then
		rmdir "$group"
		group=''
	fi
elif grep -qw cpu /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null && mkdir "/sys/fs/cgroup/bcoslog-test-$$" 2>/dev/null; then
	group=/sys/fs/cgroup/bcoslog-test-$$
	if ! echo "10000 100000" >"$group/cpu.max"; then
		rmdir "$group"
		group=''
	fi
fi
[ -n "$group" ] || skip "no control group with a quota can be made here"
trap 'rmdir "$group" 2>/dev/null; rm -rf "$dir"' EXIT
"$bcoslog" --engine bpf cat --last 0 -- true >"$dir/probe" 2>"$dir/refused" || skip "$(head -1 "$dir/refused")"

# Rings of this size lose nothing on a loaded machine.
"$bcoslog" --engine bpf --ring 65536 --staging 4096 record -o "$dir/log" --socket "$dir/socket" --interval 1s --pin no 2>"$dir/complaints" &
recorder=$!

# waits SECONDS COMMAND...: until it succeeds.
waits() {
	local i tries=$(($1 * 5))
	shift
	for ((i = 0; i < tries; i++)); do
		"$@" && return
		sleep 0.2
	done
	return 1
}

throttled_times() {
	awk '$1 == "nr_throttled" { print $2 }' "$group/cpu.stat"
}

# The sum over all events of the group.
told_times() {
	"$bcoslog" dump --json "$dir/log" 2>/dev/null | python3 -c '
import json, re, sys
times = 0
for line in sys.stdin:
    found = re.match(r"cgroup .*/" + sys.argv[1] + r"\" in \d+ quota 10000000 of 100000000 throttled (\d+) times", json.loads(line).get("text") or "")
    times += int(found.group(1)) if found else 0
print(times)' "$(basename "$group")"
}

# The recorder reads each group before it writes its first entries. What the kernel counts after that is told.
has_entries() {
	[ -n "$("$bcoslog" dump "$dir/log" 2>/dev/null | head -1)" ]
}

all_told() {
	[ "$(told_times)" = "$(throttled_times)" ]
}

was_throttled() {
	[ "$(throttled_times)" -ge 10 ]
}

point "the recorder has begun" waits 100 has_entries
# shellcheck disable=SC2016  # $1 is the shell's own
sh -c 'echo $$ >"$1/cgroup.procs"; while :; do :; done' throttled "$group" &
loop=$!
point "the kernel throttles the group" waits 100 was_throttled
kill "$loop" && wait "$loop" 2>/dev/null
point "all of that is in the log" waits 30 all_told
kill -TERM "$recorder" && wait "$recorder"

"$bcoslog" why --json "$loop" "$dir/log" >"$dir/why" 2>"$dir/why_complaints"
names_quota() {
	python3 - "$dir/why" "$(basename "$group")" <<'PY'
import json, sys
why = json.load(open(sys.argv[1]))
quota = [q for q in why["quotas"] if q["cgroup"].endswith(sys.argv[2])]
rows = sum(row["ns"] for row in why["rows"])
good = len(quota) == 1 and quota[0]["quota_ns"] == 10**7 and quota[0]["period_ns"] == 10**8 and quota[0]["throttled"] >= 10 and \
    quota[0]["throttled_ns"] > 0 and rows == why["ns"]
if not good:
    print(json.dumps(why))
sys.exit(not good)
PY
}
point "why names the group and its quota" names_quota
says_quota() {
	"$bcoslog" why "$loop" "$dir/log" 2>&1 | tee "$dir/page" | grep -q "by the quota of control group /$(basename "$group"), 10 of 100 ms" ||
		{ cat "$dir/page"; return 1; }
}
point "and so does its page" says_quota
echo "1..$n"
exit "$status"
