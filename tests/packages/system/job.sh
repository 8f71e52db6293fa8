# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=sh
# Sourced by the jobs in a Debian system: what they share. tap.sh is that of tests/guest/lib.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

# shellcheck disable=SC2034  # the jobs use them
unit=bcos-record.service kept=/var/lib/bcos_evlog

# until_holds COMMAND: it holds, within a while.
until_holds() {
	tries=900
	while ! eval "$1"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "# not within some minutes: $1"; return 1; }
		sleep 0.2
	done
}

# says PATTERN COMMAND...: some line of what it prints, also on standard error, is like that.
says() {
	pattern=$1
	shift
	"$@" >/run/said 2>&1
	grep -qE -e "$pattern" /run/said && return
	sed 's/^/# /' /run/said
	return 1
}

put_mark() { echo "mark $1." >/dev/bcos_evlog; }
# Standard error tells of what was not recorded while the machine was off.
is_kept() { bcoslog text $kept 2>/dev/null | grep -q "mark $1\\."; }
property() { systemctl show -p "$1" --value "${2:-$unit}"; }
# Each of them by a shell of its own, with its groups as they are now.
member() { su member -c "$*"; }
stranger() { su stranger -c "$*"; }
