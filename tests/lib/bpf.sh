# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Tests that record by BPF on this machine source this file: it builds the tool, sets $top, $BUILD and $bcoslog, and brings
# points. $dir is a folder that is removed at the end. Where BPF is refused, the test is skipped with the reason.

top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
"$bcoslog" --engine bpf status >"$dir/status" 2>"$dir/refusal" || {
	cat "$dir/refusal"
	exit 77
}
