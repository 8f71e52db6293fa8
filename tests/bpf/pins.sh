#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A recorder of BPF programs is killed at random moments, and the next one goes on: what it had is there, with its links
# pinned also what happened meanwhile, and else a notice says that nothing is recorded.
#
# test: cpus=1 timeout=300
#
# The marks are children, each with a name of its own. The oracle is what the shell knows: when it made which child, and
# whether a recorder was there from before until after.

# shellcheck disable=SC2317  # point calls the functions
set -u
# The folders of the recorder are this test's alone.
if [ "${1:-}" != inside ]; then
	exec unshare --mount bash "$0" inside
fi
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
if ! mount -t tmpfs none /run || ! mount -t bpf bpf /sys/fs/bpf; then
	echo "nothing may be mounted here"
	exit 77
fi
KILLS=${KILLS:-20}
RANDOM=${SEED:-$$}
echo "# SEED=$RANDOM"
cd "$dir" || exit 1
export BCOSLOG_SOCKET=$dir/socket
recorder=
trap '[ -z "$recorder" ] || kill -9 "$recorder"; cd /; rm -rf "$dir"' EXIT

# start FOLDER OPTION...: starts a recorder, and waits until it answers.
start() {
	local folder=$1 i
	shift
	"$bcoslog" --engine bpf record --interval 200ms -o "$folder" "$@" 2>>errors &
	recorder=$!
	for i in $(seq 300); do
		[ -S socket ] && return
		kill -0 "$recorder" 2>/dev/null || break
		sleep 0.1
	done
	echo "the recorder does not start:"
	cat errors
	exit 1
}
finish() {
	kill -s "$1" "$recorder"
	wait "$recorder" 2>/dev/null
	recorder=
	rm -f socket
}
# mark NAME: makes a child of this name.
mark() {
	cp /bin/true "$1" && "./$1" && rm "$1"
}
# marks LIST SECONDS: makes marks for so long, and notes their names.
marks() {
	local until=$((${EPOCHREALTIME/./} + $2 * 1000))
	while [ "${EPOCHREALTIME/./}" -lt "$until" ]; do
		count=$((count + 1))
		mark "m$count"
		echo "m$count" >>"$1"
	done
}
# killed FOLDER OPTION...: records into the folder, kills the recorder after random times, and makes marks all the time.
killed() {
	local folder=$1 i
	shift
	: >seen
	: >between
	for i in $(seq "$KILLS"); do
		start "$folder" "$@"
		marks seen $((RANDOM % 700))
		finish KILL
		marks between $((RANDOM % 200))
	done
	start "$folder" "$@"
	marks seen 300
	finish TERM
}
# ends FOLDER: prints the names of the marks that the log says have ended.
ends() { "$bcoslog" dump --no-history "$1" 2>/dev/null | sed -n 's/.*Cancel Process Name.*"\(m[0-9]*\)": exit code 0.*/\1/p'; }
# missing FOLDER LIST: prints the marks of the list that are not in the log, or are there twice.
missing() {
	local lacking
	lacking=$(ends "$1" | sort | uniq -c | awk 'NR == FNR { times[$2] = $1; next } times[$1] != 1 { print $1, times[$1] + 0 }' - "$2")
	[ -z "$lacking" ] || { echo "marks, and how often they are in the log:"; echo "$lacking"; return 1; }
	[ "$(wc -l <"$2")" -gt "$KILLS" ] || { echo "too few marks"; return 1; }
}
checks() { "$bcoslog" check "$1" >check 2>&1 || { cat check; return 1; }; }
none() { # FOLDER LIST: no mark of the list is in the log
	! ends "$1" | grep -qxFf "$2"
}
gaps() { "$bcoslog" dump --no-history "$1" 2>/dev/null | grep -c 'nothing is recorded of this time'; }
is() { [ "$1" = "$2" ] || { echo "$1 in the place of $2"; return 1; }; }
nothing_left() { [ ! -e /run/bcos_evlog/image ] && [ -z "$(ls /sys/fs/bpf/bcos_evlog)" ] || { ls /run/bcos_evlog /sys/fs/bpf/bcos_evlog; return 1; }; }
count=0

killed links --pin links
point "with pinned links each mark is there, once" missing links seen
point "also those that no recorder saw" missing links between
point "and nothing is missing" is "$(gaps links)" 0
point "the log has no violation" checks links
point "a recorder that ends in order leaves nothing" nothing_left

killed maps --pin maps
point "with pinned maps each mark up to the kill is there, once" missing maps seen
point "those that no recorder saw are not" none maps between
point "and that is said after each kill" is "$(gaps maps)" "$KILLS"
point "the log has no violation" checks maps
point "a recorder that ends in order leaves nothing" nothing_left
echo "1..$n"
exit "$status"
