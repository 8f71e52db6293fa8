# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of formats that carry a whole log: is $work/trace the log that it was made of?
# They set $bcoslog, and $work, their folder.

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

# After a reader was overtaken, the group that tells how things are now becomes entries of their own.
sums_come_back() {
	"$bcoslog" convert "$work/trace" -o "$work/back" && "$bcoslog" check -q "$work/back" || return 1
	python3 - "$1" "$work/back" <<-'END'
		import sys
		import bcos_log
		ours, theirs = (bcos_log.totals(open(name, "rb").read()) for name in sys.argv[1:])
		wrong = list(ours.differences(theirs, ("cpu_time", "interrupts", "input", "output", "calls", "first", "last")))
		print("\n".join(wrong))
		sys.exit(bool(wrong))
	END
}
