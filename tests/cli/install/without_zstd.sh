#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Without libzstd, the tool and the library build, read logs, and say about recordings what is missing.
#
# test: cpus=2 timeout=600 full-only=yes

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_log" || exit 1
"$BUILD/tests/make_log" to=1000 >"$dir/log"
"$BUILD/bcoslog" record -o "$dir/recorded" "$dir/log" || { echo "this bcoslog has no zstd itself"; exit 77; }
without=$dir/build/bcoslog

builds() { make -s -C "$top/userspace" O="$dir/build" ZSTD=0 BPF=0 HTTP=0 CONVERT_LIBRARIES=0 -j2 >"$dir/said" 2>&1 || { tail "$dir/said"; return 1; }; }
point "it builds" builds
point "and says what it leaves out" grep -q 'without recorded directories (bcoslog record): there is no libzstd' "$dir/said"
# refuses TEXT ARGUMENT...: the tool says the text in one sentence, and ends with the exit status 2.
refuses() {
	local text=$1
	shift
	"$without" "$@" >/dev/null 2>"$dir/said"
	[ $? = 2 ] && grep -q "$text" "$dir/said" && [ "$(wc -l <"$dir/said")" = 1 ] || { cat "$dir/said"; return 1; }
}
point "a log is read" "$without" check -q "$dir/log"
point "record says what is missing" refuses 'built without zstd, which records are compressed with' record -o "$dir/none" "$dir/log"
point "merge, too" refuses 'built without zstd' merge "$dir/log"
point "a recorded directory" refuses 'is compressed, and this library was built without zstd' dump "$dir/recorded"
point "one of its files" refuses 'or unpack it with another one (bcoslog cat)' dump "$dir"/recorded/*.zst
echo "1..$n"
exit "$status"
