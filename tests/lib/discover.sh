# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# tests/run sources this file, which finds the tests and reads their headers.
#
# A test's header is a comment with lines "test: KEY=VALUE..." (native) or "guest: KEY=VALUE..." (in a guest; each such
# line is one run of the test). args= takes the rest of the line, so it comes last.

readonly ALL_KERNELS="6.1 6.12 6.1-rt 6.12-rt"
# Kernels for 64-bit ARM, on which only --full runs tests, in reduced rounds. The last one runs all tests that do not
# depend on x86, the first one those with also=6.1 or also=all.
readonly ARM_KERNELS="6.1-arm64 6.12-arm64"
# Each guest test runs on this kernel. The other kernels run only the tests that name them in also=.
readonly MAIN_KERNEL=6.12

# native_tests: prints "NAME COMMAND SOURCE" for each native test. A sub-folder does not appear in the name of a test.
# The folders in the first "case" below have no native tests.
native_tests() {
	local file kind folder base
	for file in "$TESTS"/*/{,*/}{*_test.c,*_stress.c,litmus.c,*.sh}; do
		[ -e "$file" ] || continue
		base=${file##*/}
		folder=${file#"$TESTS"/}
		folder=${folder%/*}
		kind=${folder%%/*}
		case $folder in guest* | fuzz* | bench* | lib | */lib | */golden | */neighbours | */system) continue ;; esac
		case $base in
		*_test.c) base=${base%_test.c}; echo "$kind-$base $BUILD/tests/$kind-$base $file" ;;
		*_stress.c)
			base=${base%.c}
			echo "$kind-$base $BUILD/tests/$kind-$base $file"
			echo "tsan-$base $BUILD/tests/tsan-$base $file"
			;;
		*.c) base=${base%.c}; echo "$kind-$base $BUILD/tests/$kind-$base $file" ;;
		*.sh) echo "$kind-${base%.sh} $file $file" ;;
		esac
	done
}

# guest_tests: prints "NAME PROGRAM SOURCE" for each test that runs in a guest. Files without a header are helpers.
guest_tests() {
	local file base
	for file in "$TESTS"/guest/{,*/}*.{sh,c}; do
		[ -n "${HEADERS[guest:$file]-}" ] || continue
		base=${file##*/}
		case $base in
		*.sh) echo "guest-${base%.sh} ./$base $file" ;;
		*.c) echo "guest-${base%.c} ./${base%.c} $file" ;;
		esac
	done
}

# check_names: dies if two files are tests of the same name.
check_names() {
	local name file
	local -A source=()
	while read -r name _ file; do
		[ -z "${source[$name]-}" ] ||
			die "${source[$name]#"$ROOT"/} and ${file#"$ROOT"/} are both the test $name: rename one of them"
		source[$name]=$file
	done < <(native_tests; guest_tests)
}

# HEADERS has the header lines of each file, by "KIND:FILE". One program reads all files, since starting one for each
# takes seconds.
declare -A HEADERS=()
read_headers() {
	local file kind line
	while IFS=$'\t' read -r file kind line; do
		HEADERS[$kind:$file]+=$line$'\n'
	done < <(find "$TESTS" -mindepth 2 -maxdepth 3 \( -name '*.sh' -o -name '*.c' \) -exec awk '
		FNR <= 60 && /^[ \t#\/*]*(test|guest): *[^ ]/ {
			kind = /^[ \t#\/*]*test:/ ? "test" : "guest"
			sub(/^[ \t#\/*]*(test|guest): */, "")
			sub(/ *(\*\/)? *$/, "")
			print FILENAME "\t" kind "\t" $0
		}' {} +)
}
read_headers

# The functions below whose comments say "sets" return their result in a variable and print nothing. $(...) would start
# a process for each of thousands of calls, and on some machines a process takes ten milliseconds.

# read_keys LINE: sets KEYS to the KEY=VALUE pairs of a header line.
declare -A KEYS=()
read_keys() {
	local word rest=" $1"
	KEYS=()
	[[ $rest != *" args="* ]] || KEYS[args]=${rest#* args=}
	for word in ${rest%% args=*}; do KEYS[${word%%=*}]=${word#*=}; done
}

# read_native FILE: sets KEYS to the KEY=VALUE pairs of a native test's header.
read_native() {
	local lines=${HEADERS[test:$1]-}
	read_keys "${lines%%$'\n'*}"
}

# find_bad_word KIND LINE: sets REPLY to the first word of a header line that is not a known KEY=VALUE, or to nothing.
find_bad_word() {
	local word known other one
	REPLY=
	for word in ${2%% args=*}; do
		case $1:$word in
		guest:args=*) return ;;
		native:cpus=?* | native:rounds=?* | native:timeout=?* | native:full-only=yes | native:spare=yes) ;;
		native:needs=nothing | native:needs=sanitized | native:needs=guest) ;;
		guest:cpus=?* | guest:maxcpus=?* | guest:memory=?* | guest:modprobe=?* | guest:append=?* | guest:allow=?*) ;;
		guest:x86=?* | guest:capacity=?* | guest:qemu=?* | guest:slots=?* | guest:rounds=?* | guest:debug-rounds=?* | guest:timeout=?*) ;;
		guest:smt=yes | guest:icount=yes | guest:full-only=yes | guest:last=yes | guest:alone=yes | guest:reboots=yes | guest:debug=no) ;;
		guest:engine=module | guest:engine=bpf | guest:engine=bpf-map | guest:engine=both | guest:also=all) ;;
		guest:also=?* | guest:kernels=?*)
			other=${word#*=}
			for one in ${other//,/ }; do
				known=" $ALL_KERNELS $ARM_KERNELS debug "
				[[ $known == *" $one "* ]] || { REPLY=$word; return; }
			done
			;;
		*) REPLY=$word; return ;;
		esac
	done
}

# check_headers: dies if a header has an unknown word.
check_headers() {
	local kind file line
	while read -r kind file; do
		while IFS= read -r line; do
			find_bad_word "$kind" "$line"
			[ -z "$REPLY" ] || die "${file#"$ROOT"/}: its header says \"$REPLY\", which means nothing: see tests/README.md"
		done <<<"${HEADERS[${kind/native/test}:$file]-}"
	done < <(
		native_tests | sed 's/^[^ ]* [^ ]*/native/' | sort -u
		guest_tests | sed 's/^[^ ]* [^ ]*/guest/'
	)
}

# set_rounds [KERNEL]: sets REPLY to the rounds of a test. ROUNDS in the environment decides if it is set. Otherwise
# rounds=REDUCED:FULL (or one number for both) in the header decides, and on debug kernels debug-rounds= replaces
# REDUCED. REPLY is "-" if the header has neither.
set_rounds() {
	local both=${KEYS[rounds]--}
	if [ -n "${ROUNDS:-}" ]; then
		REPLY=$ROUNDS
	elif [ "$FULL" = 1 ] && [[ ${1-} != *-arm64 ]]; then
		REPLY=${both#*:}
	elif [[ ${1-} == debug-* ]]; then
		REPLY=${KEYS[debug-rounds]-${both%%:*}}
	else
		REPLY=${both%%:*}
	fi
}

# set_timeout [KERNEL]: sets REPLY to the time-out of a test in seconds. Full rounds may take longer:
# timeout=REDUCED:FULL.
set_timeout() {
	local both=${KEYS[timeout]-120}
	if [ "$FULL" = 1 ] && [[ ${1-} != *-arm64 ]]; then REPLY=${both#*:}; else REPLY=${both%%:*}; fi
}

# is_held_back NAME: does only --full run this test, and did nobody ask for it by its name?
is_held_back() { [ "${KEYS[full-only]-no}" != no ] && [ "$FULL" != 1 ] && ! named "$1"; }

# selected NAME: did the user ask for this test, by its name, by the part of the name after the first dash, by its kind
# (unit, guest) or by a pattern?
selected() {
	local name=$1 wanted
	[ "${#NAMES[@]}" -gt 0 ] || return 0
	for wanted in "${NAMES[@]}"; do
		# shellcheck disable=SC2053  # patterns are meant
		if [[ $name == $wanted || ${name#*-} == $wanted || ${name%%-*} == "$wanted" ]]; then return 0; fi
	done
	return 1
}

# named NAME: did the user ask for this test by its own name, and not only by its kind? Then full-only does not hold it
# back.
named() {
	local wanted
	for wanted in ${NAMES[@]+"${NAMES[@]}"}; do
		if [ "$1" = "$wanted" ] || [ "${1#*-}" = "$wanted" ]; then return 0; fi
	done
	return 1
}

# set_arm_kernels: sets REPLY to the kernels for 64-bit ARM on which --full runs this test.
set_arm_kernels() {
	local also=,${KEYS[also]-},
	REPLY=
	[ "${KEYS[full-only]-no}" = no ] || return 0
	REPLY=${ARM_KERNELS##* }
	[[ $also != *,all,* && $also != *,6.1,* ]] || REPLY=$ARM_KERNELS
}

# set_kernels: sets REPLY to the kernels on which this run is made: those that the user names, or all with --full, or
# else the main kernel and those in also=. kernels= in the header excludes all others.
set_kernels() {
	local kernel versions=${KEYS[kernels]-} list='' also=${KEYS[also]-} wanted=''
	if [ -n "$KERNELS" ]; then
		list=${KERNELS//,/ }
	elif [ "$FULL" = 1 ]; then
		set_arm_kernels
		list="$ALL_KERNELS $REPLY"
	else
		for kernel in $ALL_KERNELS; do
			[[ $also != all && ,$MAIN_KERNEL,$also, != *,$kernel,* ]] || list+=" $kernel"
		done
	fi
	for kernel in $list; do
		case $kernel in
		# Debug kernels have no BTF, which BPF programs require.
		debug-*)
			[ "${KEYS[debug]-yes}${KEYS[engine]-module}" = yesmodule ] || continue
			[ -z "$versions" ] ||
				[[ ,$versions, == *,debug,* || ,$versions, == *,"$MAIN_KERNEL",* ]] || continue
			;;
		[0-9]*) [ -z "$versions" ] || [[ ,$versions, == *,${kernel%-*},* || ,$versions, == *,$kernel,* ]] || continue ;;
		esac
		wanted+="$kernel "
	done
	REPLY=$wanted
}
