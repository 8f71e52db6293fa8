#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests the bindings for Python with the library as it was built: with numpy, where there is one, and without it; their
# questions in SQL, also by pandas, where there is one; the notebook, and the wheel.

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" >/dev/null || exit 1
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
for log in types reports damaged losses; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$dir/$log.log" || exit 1
done
export BCOSLOG_LIBRARY=$BUILD/libbcoslog.so.0 BCOSLOG_TOOL=$BUILD/bcoslog PYTHONPATH=$top/userspace/python PYTHONDONTWRITEBYTECODE=1

# with TITLE PROGRAM [ARGUMENT...]: runs the program, and makes each of its points a point of this test.
# shellcheck disable=SC2317
passed() { case $1 in ok*) ;; *) echo "${2#not ok }"; return 1 ;; esac; }
with() {
	local title=$1 program=$2 line
	shift 2
	"$python" "$top/tests/cli/python/$program" "$dir" "$@" >"$dir/out" 2>"$dir/err"
	while read -r line; do
		case $line in
		ok* | "not ok"*) point "$title: ${line#*- }" passed "$line" "$(cat "$dir/err")" ;;
		esac
	done <"$dir/out"
	point "$title: all of them ran" grep -q '^1\.\.' "$dir/out" || cat "$dir/err"
	sed 's/^/# /' "$dir/err"
}
# skip TITLE REASON
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}
# A package of the distribution belongs to the distribution's own Python.
python=python3
for package in numpy pandas; do
	"$python" -c "import $package" 2>/dev/null || ! /usr/bin/python3 -c "import $package" 2>/dev/null || python=/usr/bin/python3
done
abi=$top/tests/abi/library.abi
with "without numpy" bindings_test.py "$abi" no-numpy
if "$python" -c 'import numpy' 2>/dev/null; then
	with "with numpy" bindings_test.py "$abi"
else
	skip "with numpy" "there is no numpy: scripts/deps test brings it"
fi
if [ -e "$BUILD/bcoslog-sql" ]; then
	with "SQL" query_test.py
	if "$python" -c 'import pandas' 2>/dev/null; then
		with "the notebook" notebook_test.py "$top/userspace/examples/questions.ipynb"
	else
		skip "the notebook" "there is no pandas: scripts/deps test brings it"
	fi
else
	skip "SQL" "bcoslog-sql was built without SQLite: scripts/deps build brings it"
fi

# shellcheck disable=SC2317
wheel_answers() {
	local answer
	answer=$(cd "$dir" && PYTHONPATH=$1 python3 -c 'import sys, bcoslog
print(".whl" in bcoslog.__file__, sum(row[0] for row in bcoslog.open("reports.log").query("SELECT cpu_ns FROM process")))') &&
		[ "$answer" = "True 1600000000" ] || { echo "$answer"; return 1; }
}
wheel=$(BUILD=$BUILD "$top/scripts/wheel" --output "$dir" 2>&1)
case $? in
77) skip "the wheel" "$wheel" ;;
*) point "the wheel has all that it needs" wheel_answers "$wheel" ;;
esac
echo "1..$n"
exit "$status"
