#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=900 spare=yes
# Compares the output of bcoslog for logs written by hand, byte for byte. Each golden/*.cases has commands and their
# output. tests/README.md tells how they are written. `golden.sh NAME...` runs golden/NAME.cases alone.
#
# The tool is $BCOSLOG, else $BUILD/bcoslog. With STOP=1 the test ends at the first case that fails.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)/golden
BUILD=${BUILD:-${here%/tests/*}/build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/logs"
ln -s "${BCOSLOG:-$BUILD/bcoslog}" "$folder/bin/bcoslog"
# The commands use the tool, the fake device, and the functions of golden/tools.sh.
export PATH=$folder/bin:$PATH GOLDEN=$here ASSEMBLE=$BUILD/tests/assemble FAKE_DEVICE=$BUILD/tests/fake_device.so LC_ALL=C.UTF-8
# No recorder tells of the control groups of this machine.
export BCOSLOG_CGROUP=$folder/none
unset COLUMNS LINES PAGER LESS MANPAGER NO_COLOR TERM TZ SUDO_UID PKEXEC_UID DOAS_USER
n=0 status=0

for log in "$here"/*.log; do
	"$BUILD/tests/assemble" "$log" >"$folder/logs/$(basename "$log")" || exit 1
done
# The account of each log adds up.
"$BUILD/tests/balance" "$folder"/logs/*.log || { echo "Bail out! the account of a log does not add up"; exit 1; }
cd "$folder/logs" || exit 1

# begin TITLE: begins a case. end: runs it.
title=
begin() {
	title=$1 command='' exit_status=0 json=no
	: >"$folder/stdout" >"$folder/stderr"
}

# cmp alone can tell that most cases are as expected, so that diff and python3 start only for the others.
is_as_expected() {
	[ "$json" = no ] && [ "$got" = "$exit_status" ] && cmp -s "$folder/stdout" "$folder/out" || return 1
	{ [ ! -s "$folder/stderr" ] && [ ! -s "$folder/err" ]; } || cmp -s "$folder/stderr" "$folder/err"
}

differs() {
	if [ "$json" = yes ]; then
		python3 "$here/by_value.py" "$folder/stdout" "$folder/out" 2>&1
	else
		diff -u --label expected --label output "$folder/stdout" "$folder/out"
	fi || return 0
	diff -u --label "expected errors" --label errors "$folder/stderr" "$folder/err" || return 0
	[ "$got" = "$exit_status" ] && return 1
	echo "exit status $got in the place of $exit_status"
}

end() {
	local got report
	[ -n "$title" ] || return 0
	n=$((n + 1))
	if [ -n "$missing" ]; then
		echo "ok $n - $title # SKIP $missing"
		title=''
		return 0
	fi
	(set +u -o pipefail; . "$here/tools.sh"; eval "$command") >"$folder/out" 2>"$folder/err" </dev/null
	got=$?
	if ! is_as_expected && report=$(differs); then
		echo "not ok $n - $title"
		printf '%s\n' "\$ $command" "$report" | sed 's/^/# /'
		status=1
		[ -z "${STOP:-}" ] || exit 1
	else
		echo "ok $n - $title"
	fi
	title=''
}

run() {
	local line file=$1 number=0 name=${1##*/}
	while IFS= read -r line || [ -n "$line" ]; do
		number=$((number + 1))
		case $line in
		'== '*) end; begin "${name%.cases}: ${line#== }" ;;
		'$ '*) command+=${line#'$ '}$'\n' ;;
		'> '* | '>') line=${line#>}; printf '%s\n' "${line# }" >>"$folder/stdout" ;;
		'2> '* | '2>') line=${line#2>}; printf '%s\n' "${line# }" >>"$folder/stderr" ;;
		'{'* | '['*) json=yes; printf '%s\n' "$line" >>"$folder/stdout" ;;
		'= '*) exit_status=${line#= } ;;
		'' | '#'*) ;;
		*) echo "Bail out! $file:$number: not a line of a case: $line"; exit 1 ;;
		esac
	done <"$file"
	end
}

files=()
for name in "$@"; do files+=("$here/$name.cases"); done
[ $# -gt 0 ] || files=("$here"/*.cases)
echo "1..$(cat "${files[@]}" | grep -c '^== ')"
for file in "${files[@]}"; do
	missing=''
	# The page needs a compiler for WebAssembly and npm, and everything else is built without them.
	[ "${file##*/}" != explore.cases ] || [ -s "$BUILD/explorer/explorer.html" ] || missing="bcoslog is built without the explorer"
	run "$file"
done
exit $status
