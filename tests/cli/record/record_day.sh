#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A day is simulated in ten minutes: a recorder in a guest with 50,000 entries a second is killed and started again,
# meets a full disk, a clock that is set forth and back, suspend, a module that is loaded anew, a boot that the power
# ends, and two more boots on the same disk. Afterwards each file passes the check by itself, nothing is there twice,
# and each gap is stated.
#
# test: cpus=2 rounds=90:600 timeout=900:3600 full-only=yes needs=guest
#
# ROUNDS is the number of seconds of the guests' time; with KEEP=1 the disk and the consoles stay. Numbers are the
# oracle: pour.c writes marks that count, RATE of them a second, and judge.c, outside of the guest, reads the disk and
# counts them.

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
kernel=${KERNEL:-6.12} rate=${RATE:-50000} seconds=$((${ROUNDS:-90} / 3))
dir=$(mktemp -d)
trap '[ -n "${KEEP-}" ] && echo "# kept: $dir" || rm -rf "$dir"' EXIT
export PATH=$PATH:/usr/sbin:/sbin

for tool in mkfs.ext4 debugfs; do
	command -v "$tool" >/dev/null || { echo "there is no $tool: scripts/deps guest brings it"; exit 77; }
done
"$top/scripts/kernel" "$kernel" >/dev/null || exit
# shellcheck disable=SC2086  # several arguments
"$top/scripts/build-module" "$kernel" ${MODULE_FLAGS:-} >/dev/null || exit
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/pour" "$BUILD/tests/judge" static-bcoslog bcoslog >/dev/null || exit 1

truncate -s 1G "$dir/disk"
mkfs.ext4 -q -F -m 0 "$dir/disk" || exit 1

# boot NUMBER HOW: runs one boot of the day.
boot() {
	local without=() program
	# Programs that the test does not need would lengthen the boot.
	for program in "$BUILD"/guest/*; do
		[ "${program##*/}" = bcoslog ] || without+=(--without "${program##*/}")
	done
	"$top/scripts/guest" --kernel "$kernel" --cpus 2 --memory 1024 --timeout $((seconds + 300)) --modprobe virtio_blk,crc32c_generic,ext4 \
		--qemu "-drive file=$dir/disk,if=virtio,format=raw" --console "$dir/console.$1" "${without[@]}" \
		--add "$BUILD/tests/pour" --add "$top/tests/cli/record/day_in_guest" \
		-- ./day_in_guest "$1" "$seconds" "$rate" "$2" >"$dir/out.$1" 2>"$dir/errors.$1"
}
is() { [ "$1" = "$2" ] || { echo "$1 in the place of $2"; return 1; }; }
# by_power NUMBER: the power that fails takes the verdict with it, but the kernel must not have reported anything
# before.
by_power() {
	boot "$1" power
	"$top/scripts/splat" "$dir/console.$1" && grep -q '^day: power fails' "$dir/out.$1" || { cat "$dir/out.$1" "$dir/errors.$1"; return 1; }
}
in_order() { boot "$1" order && grep -q '^day: over' "$dir/out.$1" || { cat "$dir/out.$1" "$dir/errors.$1"; return 1; }; }

point "a boot that the power ends" by_power 1
point "a second one" by_power 2
point "a third one, which ends in order" in_order 3
sed 's/^/# /' "$dir"/out.*
nothing_failed() { ! grep -h '^day: failed' "$dir"/out.*; }
point "all that was to happen did" nothing_failed
for what in full killed 'killed, and away' 'clock set' suspended 'loaded anew'; do
	point "it was: $what" grep -qxh "day: $what" "$dir"/out.*
done

mkdir "$dir/disk.d"
debugfs -R "rdump /log $dir/disk.d" "$dir/disk" >/dev/null 2>&1
log=$dir/disk.d/log
each_checks() {
	local file bad=0
	for file in "$log"/*.bcos.zst; do
		"$BUILD/bcoslog" check "$file" >"$dir/check" 2>&1 || { echo "${file##*/}"; head -5 "$dir/check"; bad=1; }
	done
	[ -n "$file" ] && return "$bad"
}
point "each file passes the check by itself" each_checks
point "so does the directory" "$BUILD/bcoslog" check -q "$log"
"$BUILD/tests/judge" "$log" >"$dir/judged"
sed 's/^/# /' "$dir/judged"
field() { sed -n "s/^marks.* \?$1 \([0-9]*\).*/\1/p; s/^$1 \([0-9]*\).*/\1/p" "$dir/judged" | head -n 1; }
point "nothing is there twice" is "$(field twice)" 0
point "each gap is stated" is "$(field unstated)" 0
has_marks() { [ "$(field marks)" -ge $((rate * seconds / 4)) ] || { cat "$dir/judged"; return 1; }; }
point "most of what happened is there" has_marks
point "three boots are told apart" is "$("$BUILD/bcoslog" status --boots --json "$log" | grep -c '"boot":"[0-9a-f-]\{36\}"')" 3
says() { [ "$("$BUILD/bcoslog" dump --no-history "$log" 2>/dev/null | grep -cE "$1")" -ge "$2" ] || { echo "not $2 times: $1"; return 1; }; }
point "where another boot begins is said" says 'another boot begins here' 2
point "a pause for want of room is said" says 'recording paused for' 1
point "a recorder that was away too long is said" says 'the recorder did not run|the device|missed' 1
echo "# files: $(find "$log" -name '*.bcos.zst' | wc -l), bytes: $(du -sb "$log" | cut -f1)"
echo "1..$n"
exit "$status"
