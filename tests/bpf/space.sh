#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The BPF engine runs in a PID namespace: it records what the processes of that namespace do, and nothing of others.
#
# test: cpus=1 timeout=120
#
# The oracle is this script, which starts, renames and ends processes outside while the recorder runs inside.

set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
unshare --pid --fork --mount-proc true 2>/dev/null || {
	echo "this machine lets nobody make a PID namespace"
	exit 77
}
cp "$(type -P sleep)" "$dir/one-inside"
cp "$(type -P sleep)" "$dir/one-outside"
cp "$(type -P sleep)" "$dir/one-deeper"

# wait_for COMMAND...: repeats the command until it succeeds, for a minute at most.
wait_for() {
	local tries=600
	until "$@" >/dev/null 2>&1 || [ "$((tries--))" = 0 ]; do sleep 0.1; done
}

outside_before() { # it lives already when the recorder begins, then changes its name, and is killed
	sh -c 'read -r line <"$0/go"; echo so-it-is-called >/proc/$$/comm; exec "$0/one-outside" 1000' "$dir" &
	before=$!
	echo "$before" >"$dir/before"
}

# shellcheck disable=SC2317  # point calls it
record() { # with the words that follow as options of unshare
	rm -f "$dir/go" "$dir/log"
	mkfifo "$dir/go"
	outside_before
	unshare --pid --fork "$@" sh -c '
		"$1" --engine bpf --classes all --staging 8192 cat -f >"$0/log" 2>"$0/errors" &
		recorder=$!
		until [ -s "$0/log" ]; do sleep 0.1; done
		: >"$0/begun"
		until [ -e "$0/done" ]; do sleep 0.1; done
		"$0/one-inside" 0.01
		unshare --pid --fork "$0/one-deeper" 0.01
		tries=600
		until "$1" dump "$0/log" | grep -q "Cancel Process Name .*one-deeper" || [ "$((tries -= 1))" = 0 ]; do
			sleep 0.1
		done
		kill "$recorder"
		wait "$recorder"
	' "$dir" "$bcoslog" &
	inside=$!
	wait_for test -e "$dir/begun"
	"$dir/one-outside" 0.01
	for _ in $(seq 20); do (exit 3); done
	echo >"$dir/go"
	wait_for grep -q one-outside "/proc/$before/comm"
	kill "$before"
	wait "$before" 2>/dev/null
	: >"$dir/done"
	wait "$inside"
	"$bcoslog" dump --all "$dir/log" >"$dir/dump"
	rm -f "$dir/begun" "$dir/done"
}

# shellcheck disable=SC2317
none_of() { ! grep -m 3 -E "$1" "$dir/dump"; }
# shellcheck disable=SC2317
has() { grep -qE "$1" "$dir/dump"; }

for how in --mount-proc ""; do
	where="in a PID namespace${how:+ with its own /proc}"
	# shellcheck disable=SC2086
	point "it records $where" record $how
	point "the log passes the check, $where" "$bcoslog" check "$dir/log"
	point "its account adds up, $where" "$BUILD/tests/balance" "$dir/log"
	point "a process of it is born and ends, $where" has 'Cancel Process Name  *process [0-9]* "one-inside": exit code 0'
	point "so is one of a namespace within it, $where" has 'Cancel Process Name  *process [0-9]* "one-deeper": exit code 0'
	point "one of it runs on a CPU, $where" has 'Assign CPU  *CPU [0-9]* -> process [0-9]* "one-inside"'
	point "one from outside has no name there, $where" none_of 'one-outside|so-it-is-called'
	point "nor has the one that lived before, $where" none_of "process $(cat "$dir/before")[^0-9]"
done
echo "1..$n"
exit "$status"
