#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=120
# Conversions come to no end: for each format, one whose output cannot grow any more, as on a full disk, and one that a
# signal interrupts. An older file with the name of the output is still there then, and nothing else is left.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
mkdir "$work/out"
cd "$work" || exit 1

# The events have texts, which no format makes small. After each of them comes a message of a kernel event logger.
{
	printf '10 1 h-core 0 h:0 h:0 1000\n10 1 h-cpu 0 0\n0 4294967295 h-process 0 "kernel"\n'
	for ((i = 1; i <= 3000; i++)); do
		printf '%d000 1 process %d "p%d"\n' "$i" "$i" $((i * 7919 % 99991))
		printf '%d100 1 assign 0 %d\n%d200 1 assign 0 4294967295\n' "$i" "$i" "$i"
		printf '%d500 1 process-event %d 7 b:0x40 "text %d"\n' "$i" "$i" $((i * 104729 % 999983))
	done
} >text
"$BUILD/tests/assemble" text >log || exit 1

# left KEPT: the folder of outputs has only what it had before. An output that is a directory has to be new.
left() {
	[ "$(ls -A out)" = "${1:+out}" ] && { [ -z "$1" ] || [ "$(head -c 6 out/out | tr -d "\\0")" = before ]; } && return
	ls -lA out
	return 1
}

# full KEPT LIMIT ARGUMENT...: converts with files of LIMIT KiB at most.
full() {
	local kept=$1 limit=$2 code
	shift 2
	rm -rf out/*
	[ -z "$kept" ] || echo before >out/out
	(ulimit -f "$limit" && exec "$bcoslog" convert "$@" -o out/out) 2>errors
	code=$?
	[ "$code" = 2 ] && grep -q '^bcoslog: .*: File [et]' errors && left "$kept" && return
	echo "exit status $code"
	cat errors
	return 1
}

# interrupted KEPT COMMAND...: interrupts a command once its temporary output is there. (A shell lets the programs in
# its background ignore SIGINT.) Returns the exit status of the command, or 1 if something was left.
interrupted() {
	local kept=$1 before=0 code pid tries
	shift
	rm -rf out/*
	[ -z "$kept" ] || { echo before >out/out; before=1; }
	"$@" 2>errors &
	pid=$!
	for ((tries = 0; tries < 1000; tries++)); do
		[ "$(find out -mindepth 1 -maxdepth 1 | wc -l)" -gt "$before" ] && break
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.01
	done
	kill -TERM "$pid" 2>/dev/null
	wait "$pid"
	code=$?
	[ "$code" = 143 ] || return "$code"
	left "$kept" || return 1
	return 143
}

# stopped_export KEPT ARGUMENT...: interrupts the export of a log that is too long to be complete by then.
stopped_export() {
	local kept=$1 code i
	shift
	for ((i = 0; i < 8; i++)); do
		interrupted "$kept" "$bcoslog" convert "$@" long -o out/out
		code=$?
		[ "$code" != 143 ] || return 0
		[ "$code" = 0 ] || break
		cat long long >longer && mv longer long
	done
	echo "exit status $code"
	cat errors
	return 1
}

# stopped_import FORMAT: interrupts the import of an input that never ends.
stopped_import() {
	local code writer
	rm -f fifo
	mkfifo fifo
	exec 5<>fifo
	cat "$1" >&5 &
	writer=$!
	interrupted kept "$bcoslog" convert -f "$1" fifo -o out/out
	code=$?
	exec 5>&-
	kill "$writer" 2>/dev/null
	wait "$writer" 2>/dev/null
	[ "$code" = 143 ] && return
	echo "exit status $code"
	cat errors
	return 1
}

for ((i = 0; i < 16; i++)); do cat log; done >long
for format in $("$bcoslog" convert --help | sed -n '/^To:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
	case $format in ctf | ltt) kept='' ;; *) kept=kept ;; esac
	case $format in folded | pprof | ltt-tar) limit=8 ;; *) limit=16 ;; esac
	point "$format: full" full "$kept" "$limit" -t "$format" log
	point "$format: interrupted" stopped_export "$kept" -t "$format"
done
for format in fxt kel eventheader; do
	"$bcoslog" convert -t "$format" log -o "$format" 2>/dev/null
	point "from $format: full" full kept 16 -f "$format" "$format"
	[ "$format" = eventheader ] || point "from $format: interrupted" stopped_import "$format"
done
echo "1..$n"
exit $status
