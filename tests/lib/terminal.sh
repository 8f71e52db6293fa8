# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Tests that need a terminal source this file. The terminal is one of tmux, whose screen can be read. The test sets $dir
# to a folder.

command -v tmux >/dev/null || { echo "there is no tmux: scripts/deps test brings it"; exit 77; }

server=none
terminals=0
export LC_ALL=C.UTF-8
unset TMUX NO_COLOR COLUMNS LINES PAGER LESS

on_server() { tmux -u -L "$server" -f /dev/null "$@"; }

# terminal COLUMNS LINES COMMAND: runs the command on a new terminal, after it has ended the previous one. The exit
# status of the command goes to $dir/status, and the settings of the terminal before and after the command go to
# $dir/before and $dir/after.
terminal() {
	terminal_end
	terminals=$((terminals + 1))
	# Points run in shells of their own, and a server that ends has its name for a while.
	server=bcoslog-test-$BASHPID-$terminals
	rm -f "$dir"/{status,before,after}
	on_server new-session -d -x "$1" -y "$2" \
		"cd '$dir'; stty -g >before; $3; echo \$? >code; stty -g >after; mv code status; exec sleep 1000"
}

terminal_end() { [ "$server" = none ] || on_server kill-server 2>/dev/null; }

keys() { on_server send-keys -t 0 "$@"; }

screen() { on_server capture-pane -p -t 0 "$@"; }

# wait_for COMMAND...: repeats the command until it succeeds, for at most half a minute.
wait_for() {
	local until=$((SECONDS + 30))
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$until" ] || { "$@"; screen; return 1; }
		sleep 0.05
	done
}

on_screen() { screen | grep -qF -- "$1"; }

# shows TEXT: a line of the screen contains this text within half a minute.
shows() { wait_for on_screen "$1"; }

is_screen() { [ "$(screen)" = "$1" ]; }

# is TEXT: the screen is exactly this text within half a minute, except for empty lines at its end.
is() {
	wait_for is_screen "$1" >/dev/null || { diff -u <(printf '%s\n' "$1") <(screen); return 1; }
}

# ends STATUS: the command of terminal() ends with this exit status, and leaves the settings of the terminal unchanged.
ends() {
	wait_for test -e "$dir/status" && [ "$(cat "$dir/status")" = "$1" ] && cmp "$dir/before" "$dir/after" && return
	echo "status $(cat "$dir/status")"
	return 1
}
