# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by the native tests that are scripts: their points.

# The exit status of the test is $status.
n=0 status=0

# point NAME COMMAND...
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
