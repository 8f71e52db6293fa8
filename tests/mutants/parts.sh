# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests/mutants/run: of each part its files, how one is compiled, and which tests notice a fault in it.
#
# $COPY is the copy of the tree, $COPY/build what is built of it; $PART the part. The objects of a fault override those in
# the archives, so each is linked with the tests that are run for it, and with no other.

export PART

part_files() {
	case $PART in
	tool) (cd "$COPY" && find userspace/bcoslog -name '*.c' | sort) ;;
	lib) (cd "$COPY" && ls userspace/lib/*.c userspace/lib/account/*.c) ;;
	core) (cd "$COPY" && ls module/core/*.c) ;;
	*) die "PART is core, lib or tool, and not $PART" ;;
	esac
}

part_prepare() {
	local name
	(cd "$ROOT" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C "$COPY" || return 1
	mkdir -p "$COPY/build"
	# What is built already is newer than its sources here, too.
	for name in obj bpf tests sanitize bcoslog libbcoslog.a libbcoslog.so; do
		[ ! -e "$BUILD/$name" ] || cp -a "$BUILD/$name" "$COPY/build/"
	done
	make -C "$COPY/userspace" O="$COPY/build" "$COPY/build/bcoslog" || return 1
	make -C "$COPY/tests" O="$COPY/build" native || return 1
	# How the tool is linked, and with what.
	make -C "$COPY/userspace" O="$COPY/build" -n -W "$COPY/userspace/bcoslog/main.c" "$COPY/build/bcoslog" |
		grep -e " -o $COPY/build/bcoslog " >"$WORK/link"
	sed 's,.*/libbcoslog\.a ,,' "$WORK/link" >"$WORK/libs"
	[ -s "$WORK/link" ] || return 1
	for name in $(unit_tests) $(library_tests); do echo "$name"; done |
		xargs -P "${JOBS:-2}" -I @ bash -c '. "$0"; part_object @' "${BASH_SOURCE[0]}"
}

unit_tests() { [ "$PART" != core ] || (cd "$COPY/tests" && ls unit/*_test.c abi/*_test.c); }
library_tests() { [ "$PART" != lib ] || (cd "$COPY/tests" && ls cli/{account,collector,kernel_log,statement,stream,told,who}*_test.c); }

FLAGS="-std=gnu11 -g -pthread -D_GNU_SOURCE -O1 -fsanitize=address,undefined -fno-sanitize-recover=all"

# A test that is linked later.
part_object() {
	# shellcheck disable=SC2086  # they are words
	(cd "$COPY/tests" && "$CC" $FLAGS -w -I../module/core -I../module/uapi -I../module -I../userspace/lib -Iunit -Ibalance \
		-DTESTS="\"$COPY/tests\"" -c "$1" -o "$COPY/build/tests/$(tr / - <<<"${1%.c}").object")
}

# as_make MAKEFILE FILE OBJECT SOURCE OUT: compiles SOURCE to OUT as make compiles FILE to OBJECT.
as_make() {
	local cache line
	cache=$WORK/command-$(tr / - <<<"$3")
	# shellcheck disable=SC2086  # there may be no sixth
	[ -s "$cache" ] || make -C "$COPY/$1" O="$COPY/build" ${6-} -n -W "$2" "$3" 2>/dev/null | grep -e " -o $3 \| -o $3\$" >"$cache"
	line=$(<"$cache")
	line=${line//-MMD/} line=${line//-MP/}
	line=${line/"-o $3"/"-o $5"}
	(cd "$COPY/$1" && eval "${line% "$2"} -w -I$(printf %q "$COPY/$(dirname "$7")") $(printf %q "$4")")
}

# Its includes are looked for beside the file itself.
part_compile() {
	local file=$1 source=$2 own=$3 name=${1##*/}
	cp "$source" "$COPY/$(dirname "$file")/.fault-$$-$BASHPID-$name" || return 1
	source=$COPY/$(dirname "$file")/.fault-$$-$BASHPID-$name
	echo "${file%.c}.o" >"$own/object"
	compile_both
	local status=$?
	rm -f "$source"
	return $status
}

compile_both() {
	case $file in
	module/core/*)
		as_make tests "../$file" "$COPY/build/tests/san/core-${name%.c}.o" "$source" "$own/san.o" "" "$file"
		;;
	*)
		as_make userspace "$COPY/$file" "$COPY/build/obj/${file%.c}.o" "$source" "$own/plain.o" "" "$file" || return 1
		[ "$PART" != lib ] ||
			as_make userspace "$COPY/$file" "$COPY/build/obj/sanitize/${file%.c}.o" "$source" "$own/san.o" SANITIZE=1 "$file"
		;;
	esac
}

# Fast ones first, and the one that is named as the file before all.
part_tests() {
	local name=${1##*/}
	name=${name%.c}
	case $PART in
	tool) echo "cli-lines cli-plants cli-reading golden:${name#cmd_} cli-views.sh cli-scarcity.sh" ;;
	lib) echo "$(library_tests | sed 's,/,-,; s,_test\.c,,') cli-plants cli-reading golden:$name cli-views.sh" ;;
	core)
		unit_tests | sed 's,/,-,; s,_test\.c,,' | awk -v first="unit-$name" '
			{ at = $0 == first ? 0 : /-(batch|group|random|memory|statement|many_devices|resync|plain|rate)$/ ? 2 : 1; print at, $0 }' |
			sort -s -n | cut -d' ' -f2
		;;
	esac
}

part_patience() {
	case $1 in
	golden:*) echo 150 ;;
	*) echo 120 ;;
	esac
}

# part_run TEST OWN: OWN has the objects of the fault.
part_run() {
	local test=$1 own=$2 tests=$COPY/build/tests
	export ASAN_OPTIONS=detect_leaks=0 BUILD=$COPY/build BCOSLOG=$own/bcoslog ROUNDS=${ROUNDS:-}
	[ -n "$ROUNDS" ] || unset ROUNDS
	case $test in
	unit-* | abi-*)
		# shellcheck disable=SC2086
		"$CC" $FLAGS "$tests/${test}_test.object" -x none "$own/san.o" "$tests/san/lib.a" -lcmocka -o "$own/$test" || return 99
		"$own/$test" || return 1
		;;
	cli-account* | cli-collector | cli-kernel_log | cli-statement | cli-stream | cli-told | cli-who)
		link_tool "$own" || return 99
		# shellcheck disable=SC2046,SC2086
		"$CC" $FLAGS -w -I"$COPY/module" -I"$COPY/module/uapi" -I"$COPY/userspace/lib" "$own/san.o" -x none \
			"$tests/${test}_test.object" $(engine_of "$test") "$COPY/build/sanitize/libbcoslog.a" -lcmocka \
			$(<"$WORK/libs") -o "$own/$test" || return 99
		"$own/$test" || return 1
		;;
	golden:*)
		link_tool "$own" || return 99
		# shellcheck disable=SC2046
		STOP=1 "$COPY/tests/cli/golden.sh" $(cases_of "${test#*:}") || return 1
		;;
	cli-*.sh)
		link_tool "$own" || return 99
		"$COPY/tests/cli/${test#cli-}" >"$own/points"
		[ $? != 77 ] || return 77
		! grep '^not ok' "$own/points" || return 1
		;;
	*)
		link_tool "$own" || return 99
		"$tests/$test" || return 1
		;;
	esac
}

# Parts of the BPF engine that are in no archive where there is none.
engine_of() {
	local lib=$COPY/userspace/lib/engine
	case $1 in
	cli-kernel_log | cli-stream | cli-told) [ -e "$COPY/build/obj/engine-1" ] || echo "$lib/kernel_log.c $lib/stream.c $lib/told.c" ;;
	esac
}

# The tool, with the fault.
link_tool() {
	local own=$1 line object
	[ ! -x "$own/bcoslog" ] || return 0
	line=$(<"$WORK/link") object=$COPY/build/obj/$(<"$own/object")
	line=${line/"-o $COPY/build/bcoslog "/"-o $own/bcoslog "}
	# One of the tool is in the place of its own, one of the library before that.
	if [ "$PART" = tool ]; then
		line=${line/" $object "/" $own/plain.o "}
	else
		line=${line/" $COPY/build/libbcoslog.a "/" $own/plain.o $COPY/build/libbcoslog.a "}
	fi
	eval "$line"
}

# Those that use a command of this name most come first.
cases_of() {
	(cd "$COPY/tests/cli/golden" && grep -c "bcoslog[^|]* $1\b" ./*.cases | sed 's,^\./,,; s,\.cases:, ,' | sort -s -k2nr | cut -d' ' -f1)
}
