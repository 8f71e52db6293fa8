#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The recorder runs on this machine's own kernel, by BPF programs: killed, with a full disk, asked by its socket,
# triggered.
#
# test: cpus=1 timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
dir=$(mktemp -d)
chmod 755 "$dir"
cd "$dir" || exit 1
recorder=
trap '[ -z "$recorder" ] || kill -9 "$recorder"; cd /; umount "$dir/full" 2>/dev/null; rm -rf "$dir"' EXIT
export BCOSLOG_SOCKET=$dir/socket

make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
"$bcoslog" --engine bpf status >status 2>refusal || {
	cat refusal
	exit 77
}

# until_holds COMMAND...: repeats the command until it succeeds, for 30 s at most.
until_holds() {
	local i
	for i in $(seq 300); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "not within 30 s: $*"
	return 1
}
# start OPTION...: starts a recorder.
start() {
	"$bcoslog" --engine bpf record --interval 200ms "$@" 2>>errors &
	recorder=$!
	until_holds [ -S socket ]
}
# finish SIGNAL: ends the recorder by a signal.
finish() {
	kill -s "$1" "$recorder"
	wait "$recorder" 2>/dev/null
	recorder=
}
checks() { "$bcoslog" check "$@" >check 2>&1 || { cat check; return 1; }; }
each_checks() { local file; for file in "$1"/*.bcos.zst; do checks "$file" || { echo "$file"; return 1; }; done; }
is() { [ "$1" = "$2" ] || { echo "$1 in the place of $2"; return 1; }; }
all() { local command; for command; do eval "$command" || { echo "$command"; return 1; }; done; }
# says LOG TEXT: prints the number of lines of the log that have this text.
says() { "$bcoslog" dump --no-history "$1" 2>/dev/null | grep -c "$2"; }
child() { cp /bin/sleep "$1"; "./$1" 0; rm "$1"; }
has() { [ "$(says "$1" "$2")" -gt 0 ]; }

start -o killed
child first-one
until_holds has killed 'Cancel.*"first-one"'
finish KILL
rm socket
child between
start -o killed
child second-one
until_holds has killed 'Cancel.*"second-one"'
finish TERM
point "killed and started again: both parts are there, and the gap is stated" all 'checks killed' 'each_checks killed' \
	'is "$(says killed "nothing is recorded of this time")" 1' 'has killed "\"first-one\": exit code 0"' \
	'has killed "\"second-one\": exit code 0"' '! has killed between'
happened_once() { [ "$("$bcoslog" dump --no-history killed | grep -v 'event 0xC0000' | sort | uniq -d | wc -l)" = 0 ]; }
point "nothing is there twice" happened_once

start --memory
child remembered
asks() { "$bcoslog" dump --no-history 2>/dev/null | grep -q '"remembered": exit code 0'; }
point "a recorder without a directory is asked" until_holds asks
point "with times, and as it happens" all '"$bcoslog" top --last 1s >/dev/null' \
	'timeout -s INT 1 "$bcoslog" dump -f >followed; checks'
# asked_by COMMAND...: a command that is told no log reads that of the recorder.
asked_by() {
	"$bcoslog" "$@" </dev/null >out 2>refusal || { echo "$*: $?"; cat refusal; return 1; }
	! grep -q 'BPF programs record' refusal && [ -s out ] || { echo "$*"; cat refusal; return 1; }
}
asked_by_each() {
	local command
	for command in dump "dump --json" text check cat status top cpu io power processes offcpu latency turns "around 1s" \
		"story remembered" explore collect "convert -t folded" "convert -t chrome"; do
		# shellcheck disable=SC2086  # several words
		asked_by $command || return 1
	done
}
point "every command asks it" asked_by_each
# The log that bcoslog serve shows is the recorder's.
serves() {
	local server failed=0
	"$bcoslog" serve >address 2>refusal &
	server=$!
	until_holds grep -q token= address || failed=1
	python3 -c 'import re, sys, urllib.request
address = re.search("(http://[^?]*)[?](token=[^ \n]*)", open("address").read())
sys.stdout.buffer.write(urllib.request.urlopen(address[1] + "log?" + address[2] + "&from=0", timeout=30).read())' >served || failed=1
	kill -TERM "$server"
	wait "$server" || failed=1
	[ "$failed" = 0 ] && ! grep -q 'BPF programs record' refusal && has served '"remembered": exit code 0'
}
point "serve, too" serves
point "what was before a command is not shown with it" all '"$bcoslog" dump --no-history -- true >ran' '! grep -q remembered ran' \
	'grep -q "\"true\": exit code 0" ran'
point "who may not read the device may not ask" all \
	'chmod 666 socket' \
	'! setpriv --reuid 65534 --regid 65534 --clear-groups "$bcoslog" dump >/dev/null 2>refusal' \
	'grep -q "only root and members of the group bcos" refusal'
point "a second recorder is refused" all '! timeout 20 "$bcoslog" --engine bpf record --memory 2>refusal' \
	'grep -q "another recorder runs already" refusal'
finish TERM
point "at its end the socket is gone" [ ! -e socket ]
BCOSLOG_SOCKET=$dir/folder/socket
"$bcoslog" --engine bpf record --memory 2>>errors &
recorder=$!
until_holds [ -S folder/socket ]
finish TERM
point "and so is the folder that it made" [ ! -e folder ]
# Only the recorder sees this file of groups, which has the group bcos.
member=65001
{ grep -v '^bcos:' /etc/group; echo "bcos:x:$member:"; } >group
unshare --mount sh -c 'mount --bind group /etc/group && exec "$@"' sh "$bcoslog" --engine bpf record --memory 2>>errors &
recorder=$!
# asks_as GROUP OPTION...: asks the recorder as another user than its own.
asks_as() {
	local group=$1
	shift
	setpriv --reuid 65534 --regid "$group" "$@" "$bcoslog" dump --no-history >asked 2>refusal && [ -s asked ]
}
until_holds asks_as "$member" --clear-groups
child of-the-group
learns() { asks_as "$@" && grep -q of-the-group asked; }
point "a member of the group may ask, by each kind of membership" all \
	'until_holds learns $member --clear-groups' 'until_holds learns 65534 --groups 65002,$member'
point "the socket is the group's, and so is its folder" all 'is "$(stat -c "%a %u %g" folder/socket)" "660 0 $member"' \
	'is "$(stat -c "%a %u %g" folder)" "750 0 $member"'
point "who is no member may not ask, not even where the permissions let him" all '! asks_as 65534 --groups 65002' \
	'chmod 755 folder && chmod 666 folder/socket' '! asks_as 65534 --groups 65002' \
	'grep -q "only root and members of the group bcos" refusal'
finish TERM
BCOSLOG_SOCKET=$dir/socket

# Signals may end other programs of this machine meanwhile, and their files count, too.
start -o on --on signal:SIGSEGV --on SIGUSR1 --per-hour 3600 --before 2s --after 200ms
sh -c 'kill -SEGV $$'
until_holds eval 'ls on/*-signal-SIGSEGV-sh.bcos.zst && checks on/*-signal-SIGSEGV-sh.bcos.zst'
point "a process that a signal ends is kept" all 'each_checks on' 'has on/*-signal-SIGSEGV-sh.bcos.zst "\"sh\": killed by SIGSEGV"'
until_holds grep -q 'SIGSEGV-sh.bcos.zst' errors
child before-that
kill -USR1 "$recorder"
until_holds grep -q 'SIGUSR1.bcos.zst' errors
point "and what was before SIGUSR1" all 'each_checks on' 'has on/*-SIGUSR1.bcos.zst "\"before-that\": exit code 0"'
finish TERM

# Another program fills this disk.
mkdir full
if mount -t tmpfs -o size=2m none full 2>/dev/null; then
	head -c 3m /dev/zero >full/filler 2>/dev/null
	rm -f errors
	start -o full/d --ring 256
	point "a full disk: recording pauses, and says so" until_holds grep -q 'no room left for full/d.*recording pauses' errors
	# These lives are more than the ring has room for, since each has three entries or more.
	for _ in $(seq 1500); do /bin/true; done
	rm full/filler
	until_holds grep -q 'room again' errors
	child afterwards
	until_holds has full/d '"afterwards": exit code 0'
	finish TERM
	point "and what it missed meanwhile" all 'checks full/d' 'each_checks full/d' \
		'is "$(says full/d "missed [0-9]* entries, [0-9]* bytes: recording paused for [0-9.]* s, since there was no room on the disk")" 1'
	umount full
else
	for name in "a full disk: recording pauses, and says so" "and what it missed meanwhile"; do
		n=$((n + 1))
		echo "ok $n - $name # SKIP nothing may be mounted here"
	done
fi
echo "1..$n"
exit "$status"
