# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=sh
# Sourced by the shell tests in a guest: their points.

points=0 failures=0

# ok STATUS NAME
ok() {
	points=$((points + 1))
	if [ "$1" = 0 ]; then
		echo "ok $points - $2"
	else
		failures=$((failures + 1))
		echo "not ok $points - $2"
	fi
}

# The plan, and the verdict as exit status.
finish() {
	echo "1..$points"
	[ "$failures" = 0 ]
}
