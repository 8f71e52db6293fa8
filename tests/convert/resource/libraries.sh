#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=60
# Libraries that only some commands need are loaded for these alone.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
folder=${bcoslog%/*}

# opens_none LIBRARIES PROGRAM ARGUMENT...: the program loads none of these.
# shellcheck disable=SC2317  # called by point
opens_none() {
	local libraries=$1
	shift
	LD_DEBUG=files "$folder/$1" "${@:2}" 2>&1 | grep -o 'file=[^ ]*' | sort -u >"$work/opened"
	grep -q libzstd "$work/opened" || { echo "the loader did not say what it loads"; return 1; }
	! grep -E "lib($libraries)" "$work/opened"
}

point "a command starts without the libraries of conversions, of the server and of SQL" \
	opens_none 'archive|babeltrace2|glib|traceevent|microhttpd|sqlite3|libedit|curl|xml2|gnutls|stdc\+\+' bcoslog status --help
point "a conversion without those of the screen and of the server" opens_none 'ncurses|tinfo|microhttpd' bcoslog-convert convert --help
[ ! -e "$folder/bcoslog-serve" ] || point "the server without those of conversions" opens_none 'ncurses|archive|babeltrace2|glib|traceevent' bcoslog-serve serve --help
[ ! -e "$folder/bcoslog-sql" ] || point "SQL without those of conversions and of the server" opens_none 'ncurses|archive|babeltrace2|glib|traceevent|microhttpd' bcoslog-sql sql --help
echo "1..$n"
exit $status
