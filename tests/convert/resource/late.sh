#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=60
# Only the commands that need a library open it, and the error about one that is missing names its package.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
"$BUILD/tests/assemble" "$top/tests/cli/golden/reports.log" >"$work/log" || exit 1
# These files have the names of the libraries, but are no libraries.
mkdir "$work/broken"
touch "$work/broken/"{libarchive.so.13,libbabeltrace2.so.0,libmicrohttpd.so.12}

# shellcheck disable=SC2317  # called by point
opens_few() {
	LD_DEBUG=files "$bcoslog" --version 2>&1 | grep -o 'file=[^ ]*' | sort -u >"$work/opened"
	! grep -E 'lib(archive|babeltrace2|glib|microhttpd|xml2|gnutls|stdc\+\+)' "$work/opened"
}

# refuses FEATURE LIBRARY PACKAGE COMMAND...: the tool ends with one sentence that names all three.
# shellcheck disable=SC2317
refuses() {
	local feature=$1 library=$2 package=$3
	shift 3
	! LD_LIBRARY_PATH=$work/broken timeout 20 "$bcoslog" "$@" </dev/null >"$work/out" 2>"$work/errors" || return 1
	cat "$work/errors"
	[ "$(wc -l <"$work/errors")" = 1 ] &&
		grep -q "^bcoslog: $feature needs the library $library (Debian: $package): " "$work/errors"
}

point "no command starts with libraries that it does not need" opens_few
if "$bcoslog" convert --help | grep -q '^ltt-tar is left out'; then
	echo "# built without libarchive"
else
	point "an archive is written by libarchive, or says that it is missing" \
		refuses "an LTT trace in an archive" libarchive.so.13 libarchive13 convert "$work/log" -o "$work/a.tar.gz"
	point "and nothing is left under the name of the archive" test ! -e "$work/a.tar.gz"
	"$bcoslog" convert "$work/log" -o "$work/b.tar.gz" || status=1
	point "an archive is read by libarchive, or says that it is missing" \
		refuses "an LTT trace in an archive" libarchive.so.13 libarchive13 convert -f ltt "$work/b.tar.gz" -o "$work/back"
fi
if "$bcoslog" convert --help | grep -q '^ctf is left out'; then
	echo "# built without libbabeltrace2"
else
	point "a CTF trace is written without libbabeltrace2" \
		env LD_LIBRARY_PATH="$work/broken" "$bcoslog" convert -t ctf "$work/log" -o "$work/ctf"
	point "a CTF trace is read by libbabeltrace2, or says that it is missing" \
		refuses "a CTF trace" libbabeltrace2.so.0 libbabeltrace2-0 convert -f ctf "$work/ctf" -o "$work/back"
fi
if LD_LIBRARY_PATH=$work/broken timeout 20 "$bcoslog" serve "$work/log" 2>&1 | grep -q 'was built without'; then
	echo "# built without the explorer or libmicrohttpd"
else
	point "the server is libmicrohttpd's, or says that it is missing" \
		refuses "bcoslog serve" libmicrohttpd.so.12 libmicrohttpd12 serve "$work/log"
fi
echo "1..$n"
exit $status
