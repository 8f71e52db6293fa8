# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=sh
# Shell tests in a guest source this file, and print their points with ok().

points=0 failures=0

# ok STATUS NAME: prints a point, which has passed if STATUS is 0.
ok() {
	points=$((points + 1))
	if [ "$1" = 0 ]; then
		echo "ok $points - $2"
	else
		failures=$((failures + 1))
		echo "not ok $points - $2"
	fi
}

# finish: prints the plan. Return: 0 if no point has failed.
finish() {
	echo "1..$points"
	[ "$failures" = 0 ]
}
