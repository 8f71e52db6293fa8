#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests the bindings for Python with the library as it was built: with numpy, where there is one, and without it.

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" >/dev/null || exit 1
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
for log in types reports damaged; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$dir/$log.log" || exit 1
done
export BCOSLOG_LIBRARY=$BUILD/libbcoslog.so.0 PYTHONPATH=$top/userspace/python PYTHONDONTWRITEBYTECODE=1

# with TITLE [ARGUMENT]: runs the program, and makes each of its points a point of this test.
# shellcheck disable=SC2317
passed() { case $1 in ok*) ;; *) echo "${2#not ok }"; return 1 ;; esac; }
with() {
	local title=$1 line
	shift
	"$python" "$top/tests/cli/python/bindings_test.py" "$dir" "$top/tests/abi/library.abi" "$@" >"$dir/out" 2>"$dir/err"
	while read -r line; do
		case $line in
		ok* | "not ok"*) point "$title: ${line#*- }" passed "$line" "$(cat "$dir/err")" ;;
		esac
	done <"$dir/out"
	point "$title: all of them ran" grep -q '^1\.\.' "$dir/out" || cat "$dir/err"
	sed 's/^/# /' "$dir/err"
}
# A package of the distribution belongs to the distribution's own Python.
python=python3
python3 -c 'import numpy' 2>/dev/null || ! /usr/bin/python3 -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
with "without numpy" no-numpy
if "$python" -c 'import numpy' 2>/dev/null; then
	with "with numpy"
else
	n=$((n + 1))
	echo "ok $n - with numpy # SKIP there is no numpy: scripts/deps test brings it"
fi
echo "1..$n"
exit "$status"
