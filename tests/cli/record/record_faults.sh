#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each call of bcoslog record for its directory fails once, and the recorder is killed before each call once. A fault
# that passes by itself (a signal, a disk that is full for a moment, a name that is taken) ends no recording. In all
# other cases the recorder says what failed. In any case the next recorder completes the directory, without gap, double
# or complaint. With reduced rounds, the first calls fail, and later ones at growing distances.
#
# test: cpus=1 timeout=180
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_log" || exit 1
"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 "$top/tests/cli/shim/faults.c" -o "$dir/faults.so" || exit 1
cd "$dir" || exit 1
"$BUILD/tests/make_log" to=4000 >whole.log
"$BUILD/tests/make_log" to=1000 >first.log

happened() { "$bcoslog" dump --no-history "$@" 2>/dev/null | grep -v 'event 0xC00000'; }
happened whole.log >expected
[ -s expected ] || exit 1
# faulty CALL NUMBER WHAT: records the whole log, with this fault, into a directory that has its beginning in an open
# file.
"$bcoslog" record --size 12K -o begun first.log || exit 1
last=$(printf '%s\n' begun/*.zst | tail -n 1)
# Its index is not there yet, but the beginning of another frame.
index=$(grep -abo BCOSindx "$last" | head -n 1 | cut -d: -f1)
{ head -c $((index - 8)) "$last"; tail -c +121 "$last" | head -c 300; } >torn && mv torn "$last"
faulty() {
	rm -rf d done; cp -r begun d
	FAULT=$1:$2:$3 FAULT_FOLDER=$dir/d FAULT_DONE=$dir/done ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$dir/faults.so \
		timeout -s ABRT 20 "$bcoslog" record --size 12K -o d whole.log 2>said
}
# complete: each file passes the check by itself, and all that happened is there once.
complete() {
	local file
	for file in d/*.zst; do
		"$bcoslog" check -q "$file" >check 2>&1 || { echo "$1: $file"; cat check; return 1; }
	done
	"$bcoslog" check -q d >check 2>&1 || { echo "$1: d"; cat check; return 1; }
	happened d >got
	cmp expected got || { echo "$1"; return 1; }
}
# each CALL WHAT JUDGE: runs a recorder with a fault for each call of this name, and judges it.
each() {
	local number rc
	for ((number = 1; number < 400; number += ${FULL:-0} ? 1 : 1 + number / 2)); do
		faulty "$1" "$number" "$2"; rc=$?
		[ -e done ] || break
		"$3" "$rc" "$*, number $number" || return 1
	done 2>/dev/null
	[ "$number" -gt 1 ] || { echo "$1 is never called"; return 1; }
	[ "$number" -lt 400 ] || { echo "$1 is called too often"; return 1; }
}
# passes: the recorder went on.
passes() { [ "$1" = 0 ] || { echo "$2: status $1"; cat said; return 1; }; complete "$2"; }
# next_completes: the recorder went on, or said why not; in both cases the next recorder completes the directory.
next_completes() {
	"$bcoslog" record --size 12K -o d whole.log 2>said || { echo "$2: afterwards"; cat said; return 1; }
	[ ! -s said ] || { echo "$2: afterwards"; cat said; return 1; }
	complete "$2, afterwards"
}
says() {
	case $1 in
	0) ;;
	2) grep -q '^bcoslog: .*\(d\|zst\).*' said || { echo "$2: nothing is said"; cat said; return 1; } ;;
	*) echo "$2: status $1"; cat said; return 1 ;;
	esac
	next_completes "$@"
}
# newest: the oldest files are gone, and all that is newer is there.
newest() {
	[ "$1" = 0 ] || { echo "$2: status $1"; cat said; return 1; }
	happened d >got
	[ "$(wc -l <got)" -gt 1000 ] || { echo "$2: $(wc -l <got) lines"; return 1; }
	tail -n "$(wc -l <got)" expected | cmp - got || { echo "$2"; return 1; }
	"$bcoslog" check -q d
}
killed() { [ "$1" = 137 ] || { echo "$2: status $1"; return 1; }; next_completes "$@"; }

for call in create openat pwrite pread; do point "a signal during $call" each $call EINTR passes; done
point "a name that is taken" each create EEXIST says
for call in pwrite half create; do point "a disk that is full for a moment: $call" each $call ENOSPC newest; done
for call in create openat pwrite half pread ftruncate fdatasync fsync; do
	point "an error of the disk: $call" each $call EIO says
done
point "a lock that somebody has for a moment" each lockf EAGAIN passes
for call in create openat pwrite half pread ftruncate fdatasync fsync lockf; do
	point "killed before $call" each $call KILL killed
done
echo "1..$n"
exit $status
