#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=180:900
# Logs become LTT traces, which a reader reads that follows the page of the format, and which carry the logs.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
mkdir "$work/logs"
python3 "$convert/lib/hurt_log.py" "${ROUNDS:-3000}" >"$work/logs/hurt" || exit 1
for log in "$top"/tests/cli/golden/*.log; do
	"$BUILD/tests/assemble" "$log" >"$work/logs/$(basename "$log" .log)" || exit 1
done
# This test is not about damaged logs.
rm -f "$work"/logs/{damaged,headless,hostile}

# shellcheck disable=SC2317  # called by point
same_totals() {
	rm -rf "$work/trace"
	"$bcoslog" convert -t ltt "$1" -o "$work/trace" 2>"$work/errors" || { cat "$work/errors"; return 1; }
	python3 "$convert/readers/ltt_read.py" "$1" "$work/trace" "$bcoslog"
}

# shellcheck source=tests/lib/trace.sh
. "$top/tests/lib/trace.sh"

for log in "$work"/logs/*; do
	name=$(basename "$log")
	point "$name: a reader of LTT finds the same totals" same_totals "$log"
	point "$name: carries the log" carries ltt "$log"
done

log=$work/logs/reports
"$bcoslog" convert -t ltt --embed "$log" -o "$work/plain"
if "$bcoslog" convert --help | grep -q '^ltt-tar is left out'; then
	echo "# without libarchive there are no archives"
else
	"$bcoslog" convert --embed "$log" -o "$work/packed.tar.gz"
	point "an archive has the same files" eval \
		'mkdir "$work/unpacked" && tar -xzf "$work/packed.tar.gz" -C "$work/unpacked" && diff -r "$work/plain" "$work/unpacked/packed"'
	point "and comes back" eval '"$bcoslog" convert "$work/packed.tar.gz" -o "$work/back" && cmp "$log" "$work/back"'
	tar -C "$work" -czf "$work/outside.tar.gz" --transform 's,^plain,../../outside,' -P plain
	point "nothing of an archive lands outside of its folder" eval \
		'! "$bcoslog" convert "$work/outside.tar.gz" -f ltt -o "$work/back2" 2>/dev/null; [ ! -e "$work/../outside" ] && [ ! -e /tmp/outside ]'
fi

rm "$work/plain/log.bcos.zst"
"$bcoslog" convert "$work/plain" -o "$work/told" 2>/dev/null || exit 1

# edited FILE SED-PROGRAM: makes a trace whose description is not as we write it.
edited() {
	rm -rf "$work/edited"
	cp -r "$work/plain" "$work/edited"
	sed -i "$2" "$work/edited/$1"
}
edited eventdefs/core.xml 's/size="\([0-9]\)"/size=\1/g; s/name="\([a-z_]*\)"/NAME=\1/g; s/facility/FACILITY/g'
point "attributes without quotes and names in capitals are understood" eval \
	'"$bcoslog" convert "$work/edited" -f ltt -o "$work/back" 2>/dev/null && cmp "$work/told" "$work/back"'
edited info/system.xml 's/ltt_block_size="[0-9]*"/ltt_block_size="77"/'
# The trace of this log, which has nearly nothing in it, has blocks of 4096 bytes, and one in each file.
point "a log of few events becomes a small trace" eval \
	'[ "$(cat "$work"/plain/cpu/* "$work"/plain/control/* | wc -c)" = $((4096 * $(ls "$work"/plain/cpu/* "$work"/plain/control/* | wc -l))) ] && grep -q "ltt_block_size=\"4096\"" "$work/plain/info/system.xml"'
point "a block size that fits no file is said" eval '! "$bcoslog" convert -f ltt "$work/edited" -o "$work/back" 2>"$work/errors"; grep -q . "$work/errors"'
rm "$work/edited/info/system.xml"
point "a folder without info/system.xml is no trace" eval '! "$bcoslog" convert -f ltt "$work/edited" -o "$work/never" 2>"$work/errors"; grep -q "system.xml" "$work/errors" && [ ! -e "$work/never" ]'

# The disk is full at the first file, in the midst of streams, and at the last ones.
if unshare -rm true 2>/dev/null; then
	for size in 4k 300k 1m; do
		point "a full disk of $size: nothing half-written stays" disk_full ltt "$work/logs/hurt" "$size"
	done
	"$bcoslog" convert --help | grep -q '^ltt-tar is left out' ||
		point "a full disk: nothing of an archive stays" disk_full ltt-tar "$work/logs/hurt" 100k
else
	n=$((n + 1))
	echo "ok $n - a full disk # SKIP nobody may have namespaces of his own here"
fi

# Whichever bytes are flipped, the conversion ends in order, and what becomes a log passes the check.
point "whatever is damaged ends in order, and in a log that passes the check" \
	python3 "$convert/lib/flipped.py" ltt 0.9 "$work/edited" "$BUILD" "$bcoslog" "$work/plain"
echo "1..$n"
exit "$status"
