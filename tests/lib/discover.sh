# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests/run: which tests there are, and what their headers say.
#
# A test's header is a comment with lines "test: KEY=VALUE..." (native) or "guest: KEY=VALUE..." (in a guest;
# several such lines are several runs). args=, which takes the rest of the line, comes last.

readonly ALL_KERNELS="6.1 6.12 6.1-rt 6.12-rt"
# With --full alone, where a machine of 64-bit ARM runs what is not of x86, in reduced rounds; the first, what says also=6.1.
readonly ARM_KERNELS="6.1-arm64 6.12-arm64"
# Where each guest test runs; on the others run those that say also=.
readonly MAIN_KERNEL=6.12

# native_tests: "NAME COMMAND SOURCE" of each test that runs here. A file in a sub-folder has the name that it would have in the
# folder; no test is in the sub-folders named here.
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

# guest_tests: "NAME PROGRAM SOURCE" of each test that runs in a guest. Files without a header are helpers.
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

# The lines of each file's header, by "KIND:FILE". One program reads all files, since starting one for each takes seconds.
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

# The functions from here on that say "sets" print nothing, since $(...) starts a process each time: there are thousands of
# calls, and on some machines a process takes ten milliseconds.

# read_keys LINE: sets KEYS to what a line of a header says.
declare -A KEYS=()
read_keys() {
	local word rest=" $1"
	KEYS=()
	[[ $rest != *" args="* ]] || KEYS[args]=${rest#* args=}
	for word in ${rest%% args=*}; do KEYS[${word%%=*}]=${word#*=}; done
}

# read_native FILE: sets KEYS to what the header of a native test says.
read_native() {
	local lines=${HEADERS[test:$1]-}
	read_keys "${lines%%$'\n'*}"
}

# find_bad_word KIND LINE: sets REPLY to the first word of a header's line that means nothing there, or to nothing.
find_bad_word() {
	local word known other one
	REPLY=
	for word in ${2%% args=*}; do
		case $1:$word in
		guest:args=*) return ;;
		native:cpus=?* | native:rounds=?* | native:timeout=?* | native:full-only=yes | native:spare=yes) ;;
		guest:cpus=?* | guest:maxcpus=?* | guest:memory=?* | guest:modprobe=?* | guest:append=?* | guest:allow=?*) ;;
		guest:x86=?* | guest:capacity=?* | guest:qemu=?* | guest:slots=?* | guest:rounds=?* | guest:debug-rounds=?* | guest:timeout=?*) ;;
		guest:smt=yes | guest:icount=yes | guest:full-only=yes | guest:last=yes | guest:alone=yes | guest:debug=no) ;;
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

# check_headers: dies of the first header that says what nobody understands.
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

# set_rounds [KERNEL]: sets REPLY from rounds=REDUCED:FULL (or one number for both); on debug kernels from debug-rounds= in the
# place of REDUCED; to "-" if the header says none. ROUNDS in the environment goes before them.
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

# set_timeout [KERNEL]: sets REPLY to seconds; full rounds may take longer, by timeout=REDUCED:FULL.
set_timeout() {
	local both=${KEYS[timeout]-120}
	if [ "$FULL" = 1 ] && [[ ${1-} != *-arm64 ]]; then REPLY=${both#*:}; else REPLY=${both%%:*}; fi
}

# is_held_back NAME: a test for --full alone that nobody asked for by its name.
is_held_back() { [ "${KEYS[full-only]-no}" != no ] && [ "$FULL" != 1 ] && ! named "$1"; }

# selected NAME: was it asked for? By name, by what follows the first dash, by kind (unit, guest), by pattern.
selected() {
	local name=$1 wanted
	[ "${#NAMES[@]}" -gt 0 ] || return 0
	for wanted in "${NAMES[@]}"; do
		# shellcheck disable=SC2053  # patterns are meant
		if [[ $name == $wanted || ${name#*-} == $wanted || ${name%%-*} == "$wanted" ]]; then return 0; fi
	done
	return 1
}

# named NAME: likewise, but by its own name and not by its kind: then full-only does not hold it back.
named() {
	local wanted
	for wanted in ${NAMES[@]+"${NAMES[@]}"}; do
		if [ "$1" = "$wanted" ] || [ "${1#*-}" = "$wanted" ]; then return 0; fi
	done
	return 1
}

# set_arm_kernels: sets REPLY to those on which --full makes this run.
set_arm_kernels() {
	local also=,${KEYS[also]-},
	REPLY=
	[ "${KEYS[full-only]-no}" = no ] || return 0
	REPLY=${ARM_KERNELS##* }
	[[ $also != *,all,* && $also != *,6.1,* ]] || REPLY=$ARM_KERNELS
}

# set_kernels: sets REPLY to those on which this run is made: all with --full, else the one that says most and what also= adds.
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
		# They have no BTF, which BPF programs require.
		debug-*)
			[ "${KEYS[debug]-yes}${KEYS[engine]-module}" = yesmodule ] || continue
			[ -z "$versions" ] || [[ ,$versions, == *,debug,* || ,$versions, == *,"$MAIN_KERNEL",* ]] || continue
			;;
		[0-9]*) [ -z "$versions" ] || [[ ,$versions, == *,${kernel%-*},* || ,$versions, == *,$kernel,* ]] || continue ;;
		esac
		wanted+="$kernel "
	done
	REPLY=$wanted
}
