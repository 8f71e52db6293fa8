#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tool lacks standard descriptors when it starts, or memory at any allocation. It says so, its output is complete or
# an error, and nothing gets into the log.
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.
# test: timeout=300:900 rounds=30:1000000

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

# fails STATUS PATTERN: the last command ended with this status and this standard error, and left the log as it was.
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
# The log would become descriptor 1, if the tool did not open /dev/null there.
DEVICE=$log LD_PRELOAD=$dir/device.so timeout 10 "$bcoslog" mask +idle "$log" >&- 2>"$dir/error"; code=$?
point "a table is not written into the log" fails 2 "$unwritten"
timeout 10 "$bcoslog" dump "$log" >&- 2>"$dir/error"; code=$?
point "without standard output" fails 2 "$unwritten"
timeout 10 "$bcoslog" dump "$log" <&- >/dev/null 2>&-; code=$?
: >"$dir/error"
point "without input and errors a file is read all the same" fails 0 ''
timeout 10 "$bcoslog" dump /nowhere <&- >&- 2>&-; code=$?
point "without any of them" fails 2 ''

# From here on the tool has little memory.
export SCARCE_ROUNDS=${ROUNDS:-30}
"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 "$top/tests/cli/shim/scarce.c" -o "$dir/scarce.so" || exit 1
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" || exit 1
for name in reports threads clock; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$name.log" >"$dir/$name.log" || exit 1
done

# complete_or_error ARGUMENT...: either the output is complete, or the tool says that there is no memory.
complete_or_error() { LD_PRELOAD="$dir/scarce.so ${PRELOAD-}" "$bcoslog" "$@" >"$dir/out" || { tail -n 20 "$dir/out"; return 1; }; }
of_device() { DEVICE=$log PRELOAD=$dir/device.so complete_or_error "$@"; }
point "status of the device as JSON" of_device status --json "$log"
# each COMMAND WORD...: runs the command with each of these words, about each log.
each() {
	local command=$1 word name
	shift
	for word; do
		for name in $logs; do
			# shellcheck disable=SC2086  # they are words
			complete_or_error $command $word "$dir/$name.log" || { echo "$command $word $name.log"; return 1; }
		done
	done
}
logs="reports threads"
for report in cpu io power; do
	# The other log has no device, and a sentence about that in place of rows.
	[ "$report" != io ] || logs=reports
	point "$report" each $report '' --json --csv '--every 100ms' '--every 100ms --json'
	logs="reports threads"
done
for report in top processes latency offcpu turns 'turns --summary'; do
	point "$report" each "$report" '' --json --csv
done
point "histograms" each 'latency --histogram' '' --json
logs=threads
for report in turns 'turns --summary' 'turns --next --idle' latency; do
	point "$report of threads" each "$report --threads" '' --json
done
point "a story of a process with threads" each 'story 20' '' --json
point "causes of waits" each 'why 20' '' --json
logs="reports threads"
point "around" each 'around 1.2' '' --json --csv --map
point "entries" each dump '' --json --all '--process kernel'
point "texts" each text '' --json
point "other commands" each '' check status 'status --json' collect cat
logs=reports
point "a story" each 'story 10' '' --json
logs=clock
point "by the wall clock" each dump -T '--since 22:13:20'
# The folder that takes the logs is removed, whatever had no memory.
merged() { mkdir "$dir/temporary" && TMPDIR=$dir/temporary each 'merge' '' && rmdir "$dir/temporary"; }
point "recordings" merged
# A drawing may lack a part that belongs before the part that is there.
export SCARCE_ANY=1
logs="reports threads"
for report in top cpu io power processes latency offcpu text 'cpu --every 100ms'; do
	[ "$report" != io ] || logs=reports
	point "$report, drawn" each "$report" --svg
	logs="reports threads"
done
logs=reports
point "recording" each record "-o $dir/recorded"
echo "1..$n"
exit "$status"
