# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Tests of formats that carry the log itself source this file.
# The tests set $bcoslog, and $work to their folder.

# python_of_babeltrace: prints a Python that has the module bt2, or nothing. The distribution's Python has it, but
# another Python may be the first in PATH.
python_of_babeltrace() {
	local python
	for python in python3 /usr/bin/python3; do
		! "$python" -c 'import bt2' 2>/dev/null || { echo "$python"; return; }
	done
}

# carries FORMAT LOG ARGUMENT...: $work/trace in the format carries the log, and gives the same bytes back. Without the
# carried log, the trace becomes a log that passes the check, unless the format has no words for anything in it.
carries() {
	local format=$1 log=$2
	shift 2
	rm -rf "$work/trace" "$work/carried"
	"$bcoslog" convert -t "$format" --embed "$@" "$log" -o "$work/trace" 2>"$work/errors" &&
		"$bcoslog" convert "$work/trace" -o "$work/back" 2>>"$work/errors" && cmp "$log" "$work/back" &&
		"$bcoslog" convert -t "$format" --no-embed "$@" "$log" -o "$work/carried" 2>>"$work/errors" &&
		{ "$bcoslog" convert "$work/carried" -o "$work/back" 2>"$work/errors" && "$bcoslog" check "$work/back" >>"$work/errors" ||
		  grep -q "has nothing that becomes an entry" "$work/errors"; } && return
	cat "$work/errors"
	return 1
}

# disk_full FORMAT LOG SIZE: the conversion fails on a file system of SIZE, which is too small for the trace, and leaves
# no file there.
disk_full() {
	mkdir -p "$work/small"
	# shellcheck disable=SC2016  # the inner shell's
	unshare -rm bash -c 'mount -t tmpfs -o size="$5" none "$1/small" || exit 77
		"$2" convert -t "$3" "$4" -o "$1/small/trace" 2>"$1/errors"
		r=$?
		[ "$r" = 2 ] && grep -q "No space left" "$1/errors" && [ -z "$(ls -A "$1/small")" ] && exit
		echo "exit status $r; $(ls -A "$1/small")"
		cat "$1/errors"
		exit 1' - "$work" "$bcoslog" "$1" "$2" "$3"
}
