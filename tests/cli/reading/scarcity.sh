#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tool lacks standard descriptors when it starts, or memory at any allocation. It says so, its output is complete or
# an error, and nothing gets into the log.
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.
# test: timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
log=$dir/log

# A process is named "sh" (0x0000, ID 5), calls functions 1 and 2 (0x0011), and says "hello" (0x0010, severity 0x40).
printf '%b' '\x18\0\0\0\x05\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0sh\0\0' \
	'\x1c\0\x11\0\x05\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0' \
	'\x20\0\x10\0\x05\0\0\0\x03\0\0\0\0\0\0\0\x01\0\0\0\x09\0\0\0\x40hello\0\0' >"$log"
cp "$log" "$dir/same"

"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 -I"$top/module/uapi" "$top/tests/cli/shim/device.c" -o "$dir/device.so" || exit 1

# fails STATUS PATTERN: what ran before did, with its standard error in $dir/error; and left the log alone.
fails() {
	# shellcheck disable=SC2053  # it is a pattern
	[ "$code" = "$1" ] && [[ $(cat "$dir/error") == $2 ]] && cmp "$log" "$dir/same" && return
	echo "status $code"
	cat "$dir/error"
	return 1
}

unwritten='bcoslog: standard output cannot be written: Bad file descriptor'
timeout 10 "$bcoslog" dump - <&- >/dev/null 2>"$dir/error"; code=$?
point "without standard input" fails 2 'bcoslog: standard input cannot be read*'
# The log would be the descriptor 1, were it not for /dev/null there.
DEVICE=$log LD_PRELOAD=$dir/device.so timeout 10 "$bcoslog" mask +idle "$log" >&- 2>"$dir/error"; code=$?
point "a table is not written into the log" fails 2 "$unwritten"
timeout 10 "$bcoslog" dump "$log" >&- 2>"$dir/error"; code=$?
point "without standard output" fails 2 "$unwritten"
timeout 10 "$bcoslog" dump "$log" <&- >/dev/null 2>&-; code=$?
: >"$dir/error"
point "without input and errors a file is read all the same" fails 0 ''
timeout 10 "$bcoslog" dump /nowhere <&- >&- 2>&-; code=$?
point "without any of them" fails 2 ''

# complete_or_error ARGUMENT...: with ever more memory, until there is enough.
complete_or_error() {
	local allocations rc errors=0
	LD_PRELOAD=$dir/device.so "$bcoslog" "$@" >"$dir/whole" 2>"$dir/error" || return 1
	[ -s "$dir/whole" ] && [ ! -s "$dir/error" ] || return 1
	for ((allocations = 1; allocations < 5000; allocations++)); do
		rc=0
		SCARCE=$allocations LD_PRELOAD=$dir/device.so "$bcoslog" "$@" >"$dir/out" 2>"$dir/error" || rc=$?
		[ "$rc" != 0 ] || break
		errors=$((errors + 1))
		if ! grep -q "^bcoslog: .*no memory" "$dir/error" || [ "$rc" != 2 ] ||
			! cmp -s -n "$(stat -c %s "$dir/out")" "$dir/out" "$dir/whole" ||
			[ -n "$(tail -c 1 "$dir/out" | tr -d '\n')" ]; then
			echo "at allocation $allocations: status $rc"
			cat "$dir/error" "$dir/out"
			return 1
		fi
	done
	[ "$errors" -gt 3 ] && cmp "$dir/out" "$dir/whole"
}

of_device() { DEVICE=$log complete_or_error "$@"; }
point "status of the device as JSON, with little memory" of_device status --json "$log"
point "status of a file as JSON, with little memory" complete_or_error status --json "$log"
point "entries as JSON, with little memory" complete_or_error dump --json "$log"
echo "1..$n"
exit "$status"
