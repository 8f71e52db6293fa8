#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One command answers within a second which events there were at 14:03, from a large recorded directory: a log of this
# machine, which repeat_log.c repeats.
#
# test: cpus=1 rounds=48:10240 timeout=180:3600
#
# ROUNDS is the size of the directory, in MiB on disk. Without BPF here the log is one that make_log.c makes up.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
size=${ROUNDS:-48}
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_log" "$BUILD/tests/repeat_log" || exit 1
cd "$dir" || exit 1
[ "$(df --output=avail -m . | tail -n 1)" -gt $((size * 11 / 10 + 500)) ] || { echo "there is no room for $size MiB here"; exit 77; }

# These processes are born and die, fork and pipe.
load() { for i in $(seq 300); do /bin/echo "$i" | /bin/cat | /usr/bin/wc -c >/dev/null; done; }
export -f load
"$bcoslog" --engine bpf --staging 8192 cat -- bash -c load >once.log 2>/dev/null && "$bcoslog" check -q once.log 2>/dev/null && how="of this machine" ||
	{ "$BUILD/tests/make_log" to=400000 >once.log; how="made up"; }
"$bcoslog" record -o once once.log || exit 1
count=$((size * 1048576 / $(du -cb once/*.zst | tail -n 1 | cut -f 1) + 1))
"$BUILD/tests/repeat_log" once.log "$count" | "$bcoslog" record -o large --keep 1T - || exit 1
megabytes=$(du -cm large/*.zst | tail -n 1 | cut -f 1)
entries=$("$bcoslog" status --boots --json large | sed 's/.*"entries":\([0-9]*\).*/\1/' | awk '{ n += $1 } END { print n }')
echo "# a log $how, $count times: $megabytes MiB on disk, $entries entries, $(find large -name '*.zst' | wc -l) files"
point "the directory is as large as was asked for" [ "$megabytes" -ge $((size * 95 / 100)) ]

# These are in ns since boot: where the log begins, how long a copy of it is, and a moment two thirds into a middle
# copy.
object() { "$bcoslog" dump --json --no-history "$@" | sed -n 's/.*"time":\([0-9]*\).*/\1/p'; }
first=$(object once.log | head -n 1) last=$(object once.log | tail -n 1)
span=$((last - first + 1000)) middle=$((first + (last - first) * 2 / 3))
moment=$((middle + count / 2 * span))
seconds() { printf '%d.%09d' $(($1 / 1000000000)) $(($1 % 1000000000)); }
# The time of the wall clock at that moment is as bcoslog dump writes it.
wall_of() { "$bcoslog" dump -T --no-history --since "$(seconds "$moment")" large 2>/dev/null | head -n 1 | cut -c 1-26; }
wall=$(wall_of)
echo "# the moment: $wall"

# within LIMIT COMMAND: runs the command, which must not take more than LIMIT ms.
within() {
	local limit=$1 begin
	shift
	begin=$(date +%s%N)
	"$@" >answer 2>said || { cat said; return 1; }
	took=$((($(date +%s%N) - begin) / 1000000))
	echo "# $took ms: $*" >>times
	[ "$took" -lt "$limit" ] || { echo "$took ms"; return 1; }
}
point "around that moment, by the wall clock, within a second" within 1000 "$bcoslog" around "$wall" large
has_lines() { [ "$(wc -l <answer)" -gt 3 ] && grep -q . answer; }
point "and it tells of it" has_lines
point "who had the CPUs in the second before, within a second" within 1000 "$bcoslog" top --since "$wall" --until "$wall" large
point "a piece of 20 ms, within a second" within 1000 "$bcoslog" dump --no-history --since "$(seconds $((moment - 10000000)))" \
	--until "$(seconds $((moment + 10000000)))" large
# All copies have the same entries, at later times.
without_times() { sed 's/^ *[0-9.]*  //' | grep -v 'event 0xC00000\|missed'; }
"$bcoslog" dump --no-history --since "$(seconds $((middle - 10000000)))" --until "$(seconds $((middle + 10000000)))" once.log | without_times >expected
point "which is what was there" cmp expected <(without_times <answer)
point "and that is something" [ -s expected ]
point "the list of boots, within a second" within 1000 "$bcoslog" status --boots large
cat times
echo "1..$n"
exit "$status"
