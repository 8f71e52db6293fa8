#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog recover takes the log out of dumps of a running guest's memory, at any moment: each has a right log, with each
# mark that a program had written by then.
#
# A test that boots a guest alone builds the module, which takes minutes on a machine with much else to do.
#
# test: cpus=2 timeout=600:1200 rounds=3:10 needs=guest

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
BCOSLOG=${BCOSLOG:-$BUILD/bcoslog}
kernel=${KERNEL:-6.12}
rounds=${ROUNDS:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$top/scripts/kernel" "$kernel" >/dev/null || exit
# shellcheck disable=SC2086  # several arguments
"$top/scripts/build-module" "$kernel" ${MODULE_FLAGS:-} >/dev/null || exit

# The guest writes numbered marks all the time. Before each dump it notes which mark is in the log by then.
cat >"$dir/marks" <<'END'
#!/bin/sh
(while :; do ls -R /sys/devices >/dev/null; done) &
busy=$!
(i=0; while :; do echo "mark $i." >/dev/bcos_evlog; echo $i >/tmp/next && mv /tmp/next /tmp/mark; i=$((i + 1)); done) &
marks=$!
n=0
while [ ! -s /tmp/mark ]; do usleep 1000; done
while [ "$n" -lt "$1" ]; do
	# Up to half a second, in steps of 2 ms.
	usleep $(($(od -An -N1 -tu1 /dev/urandom) * 2000))
	echo "dump $n after mark $(cat /tmp/mark)"
	host-request "dump-guest-memory $2/dump.$n" || exit 1
	n=$((n + 1))
done
kill $busy $marks
END
chmod +x "$dir/marks"
arguments=()
for program in "$BUILD"/guest/*; do arguments+=(--without "${program##*/}"); done
"$top/scripts/guest" --kernel "$kernel" --cpus 2 --memory 256 --timeout $((60 + 20 * rounds)) --console "$dir/console" \
	--insmod user_rate=0 "${arguments[@]}" --add "$dir/marks" -- ./marks "$rounds" "$dir" >"$dir/said" 2>"$dir/errors" ||
	{ status=$?; cat "$dir/said" "$dir/errors"; tail -n 20 "$dir/console" | sed 's/^/# /'; exit "$status"; }

points=0 failures=0
ok() {
	points=$((points + 1))
	[ "$1" = 0 ] || { failures=$((failures + 1)); echo -n "not "; }
	echo "ok $points - $2"
}

# has_marks LOG LEAST: are the marks in LOG those from the first one in it to at least LEAST, each once and in order?
has_marks() {
	"$BCOSLOG" dump --no-history "$1" | sed -nE 's/.*"mark ([0-9]+)\.".*/\1/p' | awk -v least="$2" '
		NR > 1 && $1 != last + 1 { print "# after mark " last " comes " $1; wrong = 1 }
		{ last = $1 }
		END { print "# " NR " marks up to " last ", at least " least; exit wrong || !NR || last < least + 0 }'
}

while read -r _ number _ _ mark; do
	dump=$dir/dump.$number log=$dir/log.$number
	"$BCOSLOG" recover "$dump" -o "$log" >"$dir/text" 2>&1
	status=$?
	[ "$status" = 0 ] || sed 's/^/# /' "$dir/text"
	ok "$status" "dump $number has an image"
	"$BCOSLOG" check "$log" >"$dir/text" 2>&1
	status=$?
	sed 's/^/# /' "$dir/text"
	ok "$status" "its log is right"
	has_marks "$log" "$mark"
	ok $? "with each mark up to $mark"
	rm -f "$dump" "$log"
done < <(tr -d '\r' <"$dir/said" | grep '^dump ')
[ "$points" = $((3 * rounds)) ]
ok $? "each dump was looked at"
echo "1..$points"
[ "$failures" = 0 ]
