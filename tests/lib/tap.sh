# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# tests/run sources this file, which turns the output and the exit status of a test into its result.

# tally LOG STATUS: sets PASSED, FAILED, SKIPPED and NOTE. A test that prints a TAP plan counts by its points, and each
# planned point that does not appear has failed. Any other test counts as one.
tally() {
	local log=$1 status=$2 planned ok not_ok skip
	read -r planned ok not_ok skip < <(awk '
		{ sub(/\r$/, "") }
		/^1\.\.[0-9]+/ { planned += substr($1, 4); plans++ }
		/^ok( |$)/ { if (tolower($0) ~ /# *skip/) skip++; else ok++ }
		/^not ok( |$)/ { if (tolower($0) ~ /# *todo/) ok++; else bad++ }
		END { print (plans ? planned : -1), ok + 0, bad + 0, skip + 0 }' "$log")
	PASSED=0 FAILED=0 SKIPPED=0 NOTE=''
	if [ "$status" = 77 ]; then
		SKIPPED=1
		NOTE=$(reason "$log")
	elif [ "$planned" -lt 0 ]; then
		if [ "$status" = 0 ]; then PASSED=1; else FAILED=1; fi
	else
		PASSED=$ok FAILED=$not_ok SKIPPED=$skip
		if [ "$((ok + not_ok + skip))" -lt "$planned" ]; then
			FAILED=$((FAILED + planned - ok - not_ok - skip))
			NOTE="$((ok + not_ok + skip)) of $planned points; "
		fi
		if [ "$status" != 0 ] && [ "$FAILED" = 0 ]; then FAILED=1; fi
		if [ "$((PASSED + FAILED + SKIPPED))" = 0 ]; then SKIPPED=1; NOTE=$(reason "$log"); fi
		[ "$SKIPPED" = 0 ] || [ -n "$NOTE" ] || NOTE=$(grep -ai '^ok.*# *skip' "$log" | tail -n 1)
	fi
	[ "$FAILED" = 0 ] || NOTE+=$(explain "$status")
}

# reason LOG: prints the last line of a log, by which a test says why it was skipped.
reason() {
	local text
	text=$(grep -av '^$' "$1" | tail -n 1 | tr -d '\r')
	echo "${text:-no reason given}"
}

explain() {
	case $1 in
	0) ;;
	124 | 137) echo "did not finish in time" ;;
	*) echo "exit status $1" ;;
	esac
}

# result LABEL SECONDS LOG: prints the counts that tally has set, as a line for the main process.
result() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$PASSED" "$FAILED" "$SKIPPED" "$3" "$NOTE"; }

# plain_result LABEL SECONDS LOG passed|failed|skipped NOTE: likewise for a test that counts as one.
plain_result() {
	PASSED=0 FAILED=0 SKIPPED=0 NOTE=$5
	case $4 in passed) PASSED=1 ;; failed) FAILED=1 ;; *) SKIPPED=1 ;; esac
	result "$1" "$2" "$3"
}
