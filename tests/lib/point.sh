# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Native tests that are scripts source this file, and print their TAP points with point().

# n counts the points, and the test exits with $status.
n=0 status=0

# point NAME COMMAND...: runs the command and prints a TAP point, which has failed if the command fails. The output of a
# command that fails follows as comments.
point() {
	local name=$1 output
	shift
	n=$((n + 1))
	if output=$("$@" 2>&1); then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		printf '%s\n' "$output" | sed 's/^/# /'
		status=1
	fi
}
