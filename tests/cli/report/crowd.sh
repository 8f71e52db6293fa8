#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog top keeps up with 10,000 living processes that take turns 100,000 times a second, through a pipe, on a
# terminal.
# test: cpus=2 rounds=3:20 timeout=120
#
# The tool is $BCOSLOG, else $BUILD/bcoslog; ROUNDS is the number of seconds. A reader that takes less CPU time than the
# log lasts cannot fall behind, whatever else the machine does. This is the bound, and half of it is left for slower
# machines. How late the log was written is only printed: on a busy machine its writer waits for a processor, too.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
# shellcheck source=tests/lib/terminal.sh
. "$top/tests/lib/terminal.sh"
trap 'terminal_end; rm -rf "$dir"' EXIT

exec 3>&1
seconds=${ROUNDS:-3}
ln -s "$bcoslog" "$dir/bcoslog"
PATH=$dir:$PATH

# cpu_time: prints the CPU time of bcoslog so far, in ms.
cpu_time() {
	local pid
	pid=$(on_server list-panes -F '#{pane_pid}' | xargs -I{} pgrep -P {} bcoslog) || return
	awk -v tick="$(getconf CLK_TCK)" '{ print int(($14 + $15) * 1000 / tick) }' "/proc/$pid/stat"
}

ended() { wait_for on_screen ENDED || wait_for on_screen ENDED || wait_for on_screen ENDED; }

# keeps_up OPTION...: the screen has the whole log at the end, and bcoslog took at most half of the time.
keeps_up() {
	local time
	# A point runs in a shell of its own, so nobody else knows of this terminal.
	trap terminal_end EXIT
	terminal 100 30 "python3 '$top/tests/cli/report/crowd.py' 10000 100000 $seconds 2>late | bcoslog top $* -"
	ended && shows "10001 processes" && shows "$seconds.999 s since boot" && shows 'busy 100.0 %' || return
	time=$(cpu_time)
	echo "# top $*: $time ms of CPU time in $((seconds * 1000)) ms of the log; $(cat "$dir/late")" >&3
	[ "$time" -gt 0 ] && [ "$time" -le $((seconds * 500)) ]
}

point "every second" keeps_up
point "ten times a second" keeps_up --every 100ms

echo "1..$n"
exit "$status"
