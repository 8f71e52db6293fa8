#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The recorder reads a folder like that of control groups, in which the test writes what kernels write there: a group gets a
# quota, its counts cannot be read for a while, and there are more groups than the recorder reads. A count of which the recorder
# does not know what it was before is no event, however great it is. Skipped where the kernel refuses BPF programs.
#
# shellcheck disable=SC2317  # waits and point call them
# test: cpus=1 timeout=240

set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../../lib/bpf.sh"

# waits COMMAND...: until it succeeds, for a minute at most.
waits() {
	local end=$((SECONDS + 60))
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || { events; return 1; }
		sleep 0.5
	done
}

# put FILE TEXT: writes a file of the group at once, as those of the kernel are.
put() {
	printf '%b' "$2" >"$dir/new" && mv "$dir/new" "$dir/groups/web/$1"
}

# stalls NS: processes of the group have waited for so much more time for memory.
echo 1000000 >"$dir/total"
stalls() {
	local total=$(($(<"$dir/total") + $1 / 1000))
	echo "$total" >"$dir/total"
	put memory.pressure "some avg10=0.00 avg60=0.00 avg300=0.00 total=$total\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
}

throttled() { # TIMES US
	put cpu.stat "usage_usec 900000\nnr_periods 9000\nnr_throttled $1\nthrottled_usec $2\n"
}

# Prints the texts of the events.
events() {
	"$bcoslog" dump --json "$dir/log" 2>/dev/null | python3 -c '
import json, sys
for line in sys.stdin:
    text = json.loads(line).get("text") or ""
    if text.startswith("cgroup \"/web\" in "):
        print(text)'
}

# has COUNT WORDS: so many events have these words, while the group goes on stalling.
has() {
	stalls 200000000
	[ "$(events | grep -c -- "$2")" -ge "$1" ]
}

mkdir -p "$dir/groups/web"
stalls 0
throttled 5000 70000000
put cpu.max 'max 100000\n'
BCOSLOG_CGROUP=$dir/groups "$bcoslog" --engine bpf --classes who record -o "$dir/log" --socket "$dir/socket" --interval 200ms --pin no \
	2>"$dir/complaints" &
recorder=$!
point "a group that stalls is told of" waits has 1 ' memory [0-9]*$'
put cpu.max '10000 100000\n'
# The first event with the quota tells of a stall alone.
point "so it is when it gets a quota" waits has 2 ' quota 10000000 of 100000000 '
throttled 5003 70030000
point "its quota held it back" waits has 1 ' throttled 3 times 30000000 '
rm "$dir/groups/web/cpu.stat"
seen=$(events | wc -l)
point "it stalls while its counts cannot be read" waits has $((seen + 3)) ' memory '
throttled 5003 70030000
seen=$(events | wc -l)
point "it stalls when they can be read again" waits has $((seen + 3)) ' memory '
throttled 5004 70040000
point "its quota held it back again" waits has 1 ' throttled 1 times 10000000 '
kill -TERM "$recorder" && wait "$recorder"
held_back() {
	[ "$(events | sed -n 's/.* throttled \([0-9]* times [0-9]*\).*/\1/p' | sort)" = "$(printf '1 times 10000000\n3 times 30000000')" ] ||
		{ events; return 1; }
}
point "nothing else held it back" held_back
silent() {
	! grep 'control groups' "$dir/complaints"
}
point "no group was left out" silent

for i in $(seq 300); do
	mkdir -p "$dir/many/g$i"
	echo '10000 100000' >"$dir/many/g$i/cpu.max"
done
counted() {
	BCOSLOG_CGROUP=$dir/many "$bcoslog" --engine bpf --classes who record -o "$dir/log2" --socket "$dir/socket" --for 1s --pin no 2>"$dir/complaints"
	[ "$(grep -c 'the quotas and stalls of 44 control groups are not recorded' "$dir/complaints")" = 1 ] ||
		{ cat "$dir/complaints"; return 1; }
}
point "groups beyond the 256 that are read are counted" counted
echo "1..$n"
exit "$status"
