#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The BPF engine runs on this machine's own kernel: bcoslog records what this script does, and explains what it refuses.
#
# test: cpus=1 timeout=120
#
# The oracle is what the shell knows: the IDs, names and exit codes of its children.

set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
chmod 755 "$dir"

# shellcheck disable=SC2317  # point calls it
says() { grep -q "$1" "$2"; }

# refused STATUS TEXT COMMAND...: the command ends with this status, and says the text.
# shellcheck disable=SC2317
refused() {
	local status=$1 text=$2
	shift 2
	"$@" </dev/null >/dev/null 2>"$dir/refusal"
	[ $? = "$status" ] && grep -q "$text" "$dir/refusal" && [ "$(wc -l <"$dir/refusal")" = 1 ]
}

# with CAPABILITIES COMMAND...: runs a command as nobody, with these capabilities alone.
# shellcheck disable=SC2317
with() {
	local capabilities=$1
	shift
	setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --inh-caps "-all$capabilities" \
		--ambient-caps "-all$capabilities" --bounding-set "-all$capabilities" "$@"
}

# children: runs children one after the other, and prints their IDs and exit codes.
children() {
	local i
	for i in $(seq 100); do
		(exit $((i % 200)))&
		wait $!
		echo "$! $((i % 200))"
	done
	"$dir/a-name-of-its-own" &
	wait $!
	echo "$! 0"
}

# shellcheck disable=SC2317
all_ended() {
	local id code
	while read -r id code; do
		grep -q "Cancel Process Name  *process $id \".*\": exit code $code\\(  +.*\\)\\?\$" "$dir/dump" || {
			echo "process $id with exit code $code is missing"
			return 1
		}
	done <"$dir/children"
}

# shellcheck disable=SC2317
all_born() { # each exactly once
	local id code
	while read -r id code; do
		[ "$(grep -c "Cancel Process Name  *process $id " "$dir/dump")" = 1 ] &&
			grep -q " Set Process Name  *process $id " "$dir/dump" || { echo "process $id"; return 1; }
	done <"$dir/children"
}

record() {
	local recorder tries=600
	"$bcoslog" --engine bpf "$@" cat -f >"$dir/log" 2>"$dir/errors" &
	recorder=$!
	until [ -s "$dir/log" ] || [ "$((tries--))" = 0 ]; do sleep 0.1; done
	children >"$dir/children"
	# wait() returns before the last switch of the child.
	tries=600
	until "$bcoslog" dump "$dir/log" >"$dir/dump" 2>&1 && all_ended >/dev/null || [ "$((tries--))" = 0 ]; do
		sleep 0.1
	done
	kill "$recorder"
	wait "$recorder"
}

cp "$(type -P true)" "$dir/a-name-of-its-own"
point "a status says who records" says "^BPF programs  *[0-9.]*, ABI version 1\$" "$dir/status"
point "and what" says "^recorded of them .*assign irq" "$dir/status"
# The staging has room for the records that come while a busy machine keeps the engine from its work.
point "it records until it is told to end" record --staging 8192
point "the log passes the check" "$bcoslog" check "$dir/log"
point "its account adds up" "$BUILD/tests/balance" "$dir/log"
"$bcoslog" dump "$dir/log" >"$dir/dump"
point "every child has ended with its exit code" all_ended
point "each of them once, and had a name" all_born
point "a name is the program's" says 'process [0-9]* "a-name-of-its-o" (was ' "$dir/dump"
# Some kernels run no program at some switches, and nothing else was lost.
unseen=$(grep -c "the kernel told of no switch" "$dir/dump")
point "nothing was lost but switches that were not seen" says "^losses stated  *$unseen\$" <("$bcoslog" status "$dir/log" 2>/dev/null)
point "a CPU was assigned to it" says "Assign CPU  *CPU [0-9]* -> process $(tail -n 1 "$dir/children" | cut -d" " -f1) " "$dir/dump"

if with ,+cap_38,+cap_39 true 2>/dev/null; then
	# nobody may not read a build below /root.
	cp "$bcoslog" "$dir/bcoslog"
	point "with CAP_BPF and CAP_PERFMON it records" with ,+cap_38,+cap_39 "$dir/bcoslog" --engine bpf --classes all status
	point "without them it says what is missing" refused 2 "CAP_BPF and CAP_PERFMON" with "" "$dir/bcoslog" --engine bpf status
	point "nor with CAP_BPF alone" refused 2 "CAP_BPF and CAP_PERFMON" with ,+cap_39 "$dir/bcoslog" --engine bpf status
	# The folder is what is left of a recorder that ended without removing it.
	mkdir -m 750 "$dir/closed"
	point "it records although it may not ask a recorder" with ,+cap_38,+cap_39 \
		env BCOSLOG_SOCKET="$dir/closed/socket" "$dir/bcoslog" --engine bpf status
	point "without capabilities it says that, too" eval 'with "" env BCOSLOG_SOCKET="$dir/closed/socket" "$dir/bcoslog" \
		--engine bpf status 2>"$dir/refusal"; [ $? = 2 ] && says "CAP_BPF and CAP_PERFMON.*; and no permission to ask" "$dir/refusal"'
else
	for name in "with CAP_BPF and CAP_PERFMON it records" "without them it says what is missing" \
		"nor with CAP_BPF alone" "it records although it may not ask a recorder" "without capabilities it says that, too"; do
		n=$((n + 1))
		echo "ok $n - $name # SKIP this machine's setpriv does not give these capabilities"
	done
fi
# shellcheck disable=SC2317
exits() {
	local status=$1
	shift
	"$bcoslog" --engine bpf "$@" >"$dir/log" 2>"$dir/errors"
	[ $? = "$status" ] || { cat "$dir/errors"; return 1; }
}
# A request for the calls of a process is answered, whatever the classes are.
# shellcheck disable=SC2317
only_calls_of() {
	local caller
	sh -c 'while :; do kill -0 $$; done' &
	caller=$!
	"$bcoslog" --engine bpf --calls-of "$caller" "$@" --for 500ms dump >"$dir/calls" 2>"$dir/errors"
	kill "$caller"
	wait "$caller" 2>/dev/null
	grep -q "Kernel API  *process $caller " "$dir/calls" &&
		! grep "Kernel API" "$dir/calls" | grep -qv "process $caller " || { tail "$dir/calls" "$dir/errors"; return 1; }
}
point "the calls of a process" only_calls_of
point "the calls of a process, and no class" only_calls_of --classes none
point "the calls of a process, and another class" only_calls_of --classes irq
# shellcheck disable=SC2016
point "it records while a command runs, and exits as that" exits 7 cat -- sh -c '"$0"; exit 7' "$dir/a-name-of-its-own"
point "what it recorded is a log" "$bcoslog" check "$dir/log"
point "whose account adds up" "$BUILD/tests/balance" "$dir/log"
"$bcoslog" dump "$dir/log" >"$dir/dump"
point "the command is in it, from its birth" says '(was "sh")' "$dir/dump"
point "to its end" says 'Cancel Process Name  *process [0-9]* "a-name-of-its-o": exit code 0' "$dir/dump"
# shellcheck disable=SC2016
point "a command that is killed" exits 143 cat -- sh -c 'kill $$'
point "a command that there is not" exits 127 cat -- /none
point "nothing is shown of it" [ ! -s "$dir/log" ]
# The log states its classes with its first group. BPF programs do not record the class user (4).
classes() {
	local mask=$1
	shift
	"$bcoslog" --engine bpf "$@" record --socket '' --pin no -o "$dir/classes-$mask" --for 500ms 2>"$dir/errors" &&
		"$bcoslog" dump "$dir/classes-$mask" 2>/dev/null | grep -q "class mask 0x21f -> $mask"
}
point "record keeps what bcoslog why needs" classes 0xf1b
point "or what the user wants" classes 0x21b --classes default
point "it records for a time, which is said" exits 0 --for 200ms cat
point "and says that" says "record for 0.2 s" "$dir/errors"
point "and that is a log, too" "$bcoslog" check "$dir/log"
point "whose account adds up, too" "$BUILD/tests/balance" "$dir/log"
point "the time may be after the command" exits 0 cat --for=100ms
point "until Ctrl-C" exits 0 cat --for 1h -- sh -c 'kill -INT $PPID; sleep 0.1'
point "it says for how long it records" eval \
	'"$bcoslog" --engine bpf dump --for 300ms >/dev/null 2>"$dir/told"; grep -q "BPF programs record for 0.3 s (--for says how long)" "$dir/told"'
point "classes cannot be changed" refused 2 "classes that it began with" "$bcoslog" --engine bpf mask -irq
point "a file is not recorded" refused 2 "leave one of them out" "$bcoslog" --engine bpf dump "$dir/log"
point "an engine that there is not" refused 2 "auto, module or bpf" "$bcoslog" --engine none status
point "attach reads no log" refused 2 "reads no log" "$bcoslog" --engine bpf attach /none
point "a class that there is not" refused 2 "names of classes" "$bcoslog" --engine bpf --classes nonsense status
point "too small a ring" refused 2 "256 to 4194304" "$bcoslog" --engine bpf --ring 1 status
# Whichever of the descriptors there is none for, the sentence names the remedy.
few() { for limit in 8 12 16 24 40; do (ulimit -n "$limit" && refused 2 "(ulimit -n)" "$bcoslog" --engine bpf dump --for 1s) || return; done; }
point "too few descriptors" few
echo "1..$n"
exit "$status"
