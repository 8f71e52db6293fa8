# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Tests of formats that carry a whole log source this file, to compare $work/trace with the log from which it was made.
# The tests set $bcoslog, and $work to their folder.

# python_of_babeltrace: prints a Python that has the module bt2, or nothing. The distribution's Python has it, but
# another Python may be the first in PATH.
python_of_babeltrace() {
	local python
	for python in python3 /usr/bin/python3; do
		! "$python" -c 'import bt2' 2>/dev/null || { echo "$python"; return; }
	done
}

# says LOG: prints the entries of a log as a trace can hold them. A trace has no reserved types, and a log that bcoslog
# makes has no empty names, unnamed IDs or reserved event IDs.
says() {
	"$bcoslog" dump --no-history "$1" 2>/dev/null |
		sed -e '/Reserved type/d' -e 's/process 100 ""/process 100 "?"/' -e 's/ (unnamed)/ "?"/' \
		-e 's/event 0x00000001, "write/event 0x80000001, "write/'
}

# comes_back LOG: the log that is made of $work/trace passes the check, and has the entries of LOG.
comes_back() {
	"$bcoslog" convert "$work/trace" -o "$work/back" || return 1
	"$bcoslog" check "$work/back" >"$work/errors" 2>&1 || { head "$work/errors"; return 1; }
	diff <(says "$1") <(says "$work/back") | head -20 >"$work/errors"
	[ ! -s "$work/errors" ] || { cat "$work/errors"; return 1; }
}

# carries FORMAT LOG ARGUMENT...: $work/trace in the format carries the log, and gives the same bytes back. Without the
# carried log, the trace becomes a log that passes the check, unless the format has no words for anything in it.
carries() {
	local format=$1 log=$2
	shift 2
	rm -rf "$work/trace" "$work/told"
	"$bcoslog" convert -t "$format" --embed "$@" "$log" -o "$work/trace" 2>"$work/errors" &&
		"$bcoslog" convert "$work/trace" -o "$work/back" 2>>"$work/errors" && cmp "$log" "$work/back" &&
		"$bcoslog" convert -t "$format" --no-embed "$@" "$log" -o "$work/told" 2>>"$work/errors" &&
		{ "$bcoslog" convert "$work/told" -o "$work/back" 2>"$work/errors" && "$bcoslog" check "$work/back" >>"$work/errors" ||
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

# sums_come_back LOG [from_next]: the log that is made of $work/trace has the totals of LOG. LOG has a group after a
# reader was overtaken, and the log that comes back has entries of their own in its place. The group's statements about
# CPUs count from their own times on, or with from_next from the next entry on.
sums_come_back() {
	"$bcoslog" convert "$work/trace" -o "$work/back" && "$bcoslog" check -q "$work/back" || return 1
	python3 - "$1" "$work/back" "${2-}" <<-'END'
		import sys
		import bcos_log
		ours, theirs = (bcos_log.totals(open(name, "rb").read(), since=not sys.argv[3]) for name in sys.argv[1:3])
		wrong = list(ours.differences(theirs, ("cpu_time", "interrupts", "input", "output", "calls", "first", "last")))
		print("\n".join(wrong))
		sys.exit(bool(wrong))
	END
}
