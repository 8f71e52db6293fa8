# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of formats that carry a whole log: is $work/trace the log that it was made of?
# They set $bcoslog, and $work, their folder.

# python_of_babeltrace: a Python that has the module bt2, or nothing. The distribution's has it, and is not always the first one.
python_of_babeltrace() {
	local python
	for python in python3 /usr/bin/python3; do
		! "$python" -c 'import bt2' 2>/dev/null || { echo "$python"; return; }
	done
}

# Reserved types are in no trace; empty names, unnamed IDs and reserved event IDs are in no log of ours.
says() {
	"$bcoslog" dump --no-history "$1" 2>/dev/null | sed -e '/Reserved type/d' -e 's/process 100 ""/process 100 "?"/' -e 's/ (unnamed)/ "?"/' \
		-e 's/event 0x00000001, "write/event 0x80000001, "write/'
}

comes_back() {
	"$bcoslog" convert "$work/trace" -o "$work/back" || return 1
	"$bcoslog" check "$work/back" >"$work/errors" 2>&1 || { head "$work/errors"; return 1; }
	diff <(says "$1") <(says "$work/back") | head -20 >"$work/errors"
	[ ! -s "$work/errors" ] || { cat "$work/errors"; return 1; }
}

# disk_full FORMAT LOG SIZE: on a file system of SIZE, on which the trace has no room, nothing of it stays.
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

# sums_come_back LOG [from_next]: after a reader was overtaken, the group that tells how things are now becomes entries of their
# own. Its statements about CPUs hold since the time that they have, or from the next entry on.
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
