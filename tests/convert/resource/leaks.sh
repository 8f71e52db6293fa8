#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=300:3000 timeout=180:900 needs=sanitized
# The converter frees all its memory: the sanitized tool writes logs in each format, and reads each that it can read.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
bcoslog=${BCOSLOG:-$BUILD/sanitize/bcoslog}
# With its own lists of memory, glib would keep objects reachable that Babeltrace has leaked.
export G_SLICE=always-malloc
export TMPDIR=$work ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=exitcode=23
[ -x "$bcoslog" ] || { echo "this compiler has no AddressSanitizer"; exit 77; }
python3 -B "$convert/lib/hurt_log.py" "${ROUNDS:-300}" >"$work/hurt" || exit 1
for log in devices reports threads; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$work/$log" || exit 1
done

# formats HEADING: prints the formats that the help lists under the heading.
formats() {
	"$bcoslog" convert --help | sed -n "/^$1:/,/^$/s/^  \([a-z-]*\)  .*/\1/p"
}

# frees ARGUMENT...: the conversion ends in order, and LeakSanitizer has nothing to report.
frees() {
	local status
	"$bcoslog" convert "$@" >"$work/output" 2>&1
	status=$?
	{ [ "$status" -le 1 ] && ! grep -q Sanitizer "$work/output"; } && return
	echo "exit status $status"
	head -20 "$work/output"
	return 1
}

from=$(formats From)
[ -n "$from" ] || exit 1
for format in $(formats To); do
	for log in devices reports threads hurt; do
		rm -rf "$work/trace" "$work/back"
		point "$log becomes $format" frees -t "$format" "$work/$log" -o "$work/trace"
		case " $(echo $from) " in
		*" ${format%-tar} "*) point "$format becomes a log again" frees -f "${format%-tar}" "$work/trace" -o "$work/back" ;;
		*) [ "$format" != eventheader ] || point "perf becomes a log again" frees -f perf "$work/trace" -o "$work/back" ;;
		esac
	done
done
echo "1..$n"
exit "$status"
