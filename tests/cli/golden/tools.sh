# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by the commands of the cases.

# with_device LOG "FIELD=VALUE ..." COMMAND...: the command finds a device that gives the log's bytes and answers with
# this status, and says on standard error what it is asked to change. See fake_device.c for the fields.
with_device() {
	local log=$1 status=$2
	shift 2
	FAKE_LOG=$log FAKE_STATUS=$status LD_PRELOAD=$FAKE_DEVICE "$@"
}

# interrupted SIGNAL LINES COMMAND...: the command gets the signal once it has printed so many lines.
interrupted() {
	local signal=$1 lines=$2 line process i
	shift 2
	coproc "$@"
	process=$COPROC_PID
	exec {from}<&"${COPROC[0]}"
	for ((i = 0; i < lines; i++)); do
		IFS= read -r line <&"$from" || break
		printf '%s\n' "$line"
	done
	kill -s "$signal" "$process"
	cat <&"$from"
	wait "$process"
}

# on_terminal COMMAND: its output as a terminal gets it, with ^ in the place of the escape character.
on_terminal() {
	script -qec "$*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b/^/g'
}
