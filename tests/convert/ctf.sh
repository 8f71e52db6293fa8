#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=180:900
# Logs as CTF traces, read by Babeltrace 2, and back again.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
top=${here%/tests/*}
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
export PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
if "$bcoslog" convert --help | grep -q '^ctf is left out'; then
	echo "1..0 # SKIP this program is built without libbabeltrace2; scripts/deps build brings it"
	exit 0
fi
# The distribution's Python has the module, and is not always the first one.
reader=''
for python in python3 /usr/bin/python3; do
	[ -n "$reader" ] || ! "$python" -c 'import bt2' 2>/dev/null || reader=$python
done
if [ -z "$reader" ]; then
	echo "1..0 # SKIP Python has no module bt2; scripts/deps test brings it"
	exit 0
fi
mkdir "$work/logs"
python3 "$here/hurt_log.py" "${ROUNDS:-3000}" >"$work/logs/hurt" || exit 1
for log in "$top"/tests/cli/golden/*.log; do
	"$BUILD/tests/assemble" "$log" >"$work/logs/$(basename "$log" .log)" || exit 1
done
# Damaged logs are not what this is about.
rm -f "$work"/logs/{damaged,headless,hostile}

# shellcheck disable=SC2317  # called by point
same_totals() {
	rm -rf "$work/trace"
	"$bcoslog" convert -t ctf "$1" -o "$work/trace" 2>"$work/errors" || { cat "$work/errors"; return 1; }
	"$reader" - "$1" "$work/trace" <<-'END'
		import sys
		import bcos_log, ctf_read
		ours = bcos_log.totals(open(sys.argv[1], "rb").read())
		theirs = ctf_read.totals(sys.argv[2])
		wrong = list(ours.differences(theirs, ("cpu_time", "switches", "interrupts", "input", "output", "texts", "calls", "first", "last")))
		print("\n".join(wrong))
		sys.exit(bool(wrong))
	END
}

# Reserved types are in no trace; empty names, unnamed IDs and reserved event IDs are in no log of ours.
# shellcheck disable=SC2317
says() {
	"$bcoslog" dump --no-history "$1" 2>/dev/null | sed -e '/Reserved type/d' -e 's/process 100 ""/process 100 "?"/' -e 's/ (unnamed)/ "?"/' \
		-e 's/event 0x00000001, "write/event 0x80000001, "write/'
}

# shellcheck disable=SC2317
comes_back() {
	"$bcoslog" convert "$work/trace" -o "$work/back" || return 1
	"$bcoslog" check "$work/back" >"$work/errors" 2>&1 || { head "$work/errors"; return 1; }
	diff <(says "$1") <(says "$work/back") | head -20 >"$work/errors"
	[ ! -s "$work/errors" ] || { cat "$work/errors"; return 1; }
}

# After a reader was overtaken, the group that tells how things are now becomes entries of their own.
# shellcheck disable=SC2317
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

point "times that no reader of CTF takes are refused" eval \
	'! "$bcoslog" convert -t ctf "$work/logs/late" -o "$work/never" 2>"$work/errors"; grep -q "292 years" "$work/errors" && [ ! -e "$work/never" ]'
rm "$work/logs/late"

for log in "$work"/logs/*; do
	name=$(basename "$log")
	point "$name: Babeltrace 2 finds the same totals" same_totals "$log"
	case $name in
	hurt | overtaken) point "$name: and so does whoever reads the log that comes back" sums_come_back "$log" ;;
	*) point "$name: and the log that comes back says the same" comes_back "$log" ;;
	esac
done
echo "1..$n"
exit "$status"
