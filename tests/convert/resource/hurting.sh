#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=900 spare=yes
# Each log that is hard to convert becomes each format, in bounded memory and processor time. A reader that is not the
# writer finds the totals of the log, and the format becomes a log again that says the same.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
export TMPDIR=$work BCOSLOG=${BCOSLOG:-$BUILD/bcoslog}
# shellcheck source=tests/lib/trace.sh
. "$top/tests/lib/trace.sh"
mkdir "$work/logs"
python3 "$here/hurts.py" "$work/logs" || exit 1
reader=$(python_of_babeltrace)

# This script stands for the tool, and runs it with limits.
bcoslog=$work/bounded
cat >"$bcoslog" <<'END'
#!/bin/sh
ulimit -v 262144 && ulimit -t 20 && exec "$BCOSLOG" "$@"
END
chmod +x "$bcoslog"
cd "$work" || exit 1

# writes FORMAT LOG ARGUMENT...: converts the log to the format.
writes() {
	local format=$1 log=$2
	shift 2
	rm -rf trace
	"$bcoslog" convert -t "$format" "$@" "$log" -o trace 2>errors || { cat errors; return 1; }
}

# read_as FORMAT LOG: converts the log, and reads the result with the reader of the format.
read_as() {
	case $1 in
	fxt) writes fxt "$2" && python3 "$convert/readers/fxt_read.py" "$2" trace ;;
	fxt-current) writes fxt "$2" --layout current && python3 "$convert/readers/fxt_read.py" "$2" trace ;;
	ctf) writes ctf "$2" && "$reader" "$convert/readers/ctf_read.py" "$2" trace "$bcoslog" ;;
	ltt) writes ltt "$2" && python3 "$convert/readers/ltt_read.py" "$2" trace "$bcoslog" ;;
	ltt-tar)
		rm -rf plain unpacked && mkdir unpacked && "$bcoslog" convert -t ltt --embed "$2" -o plain && writes ltt-tar "$2" --embed &&
			tar -xzf trace -C unpacked && diff -r plain unpacked/trace ;;
	eventheader)
		writes eventheader "$2" && "$bcoslog" dump --json "$2" >entries 2>/dev/null &&
			python3 "$convert/readers/eventheader.py" trace >events && python3 "$convert/readers/same_entries.py" events entries ;;
	trace-cmd) writes trace-cmd "$2" && python3 "$convert/readers/trace_dat_read.py" "$2" trace ;;
	kel) python3 "$convert/readers/kel_read.py" "$bcoslog" "$work" "$2" ;;
	*) python3 "$convert/readers/small_read.py" "$bcoslog" "$2" "$1" ;;
	esac
}

# back_from FORMAT LOG: does the log that is made of the trace say what the log says? In trace.dat each CPU has its own
# events, which do not tell the order of two CPUs within a nanosecond.
back_from() {
	case $1-${2##*/} in
	trace-cmd-at_once) "$bcoslog" convert trace -o back 2>errors && "$bcoslog" check -q back ;;
	trace-cmd-*) "$bcoslog" convert trace -o back 2>errors && "$bcoslog" check -q back && python3 "$convert/readers/sched_read.py" back "$2" back ;;
	fxt-current-*) carries fxt "$2" --layout current ;;
	fxt-* | ctf-* | ltt-* | eventheader-*) carries "$1" "$2" ;;
	esac
}

# offered FORMAT: has this program the format, and this machine its reader?
help=$("$bcoslog" convert --help)
offered() {
	grep -q "^  ${1%-current}  " <<<"$help" && { [ "$1" != ctf ] || [ -n "$reader" ]; }
}

formats=''
for format in fxt fxt-current ctf ltt ltt-tar eventheader trace-cmd kel perfetto chrome folded pprof journald; do
	if offered "$format"; then formats+=" $format"; else echo "# $format cannot be tested here"; fi
done
for log in "$work"/logs/*; do
	name=${log##*/}
	point "$name: it is a log" "$bcoslog" check "$log"
	for format in $formats; do
		point "$name: its totals are in $format" read_as "$format" "$log"
		case $format in
		fxt | fxt-current | ctf | ltt) point "$name: it comes back from $format" back_from "$format" "$log" ;;
		eventheader | trace-cmd) ! offered perf || point "$name: it comes back from $format" back_from "$format" "$log" ;;
		esac
	done
done
echo "1..$n"
exit "$status"
