# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# tests/run sources this file. Guest tests that need the same machine share one boot of it.

readonly BOOT_TIME=60
# A defect of the emulator (scripts/lib/stale-code.sh) may spoil a boot. EXCUSES is how many spoilt boots of one machine
# are repeated before one more fails the test. excuses_of_run prints how many may be repeated in a whole run, which has
# some fifteen boots in `make test` and some sixty with --full, before the run fails.
readonly EXCUSES=6
# The defect arises while the emulator runs two CPUs in parallel. After this many spoilt boots of a machine its CPUs
# take turns, which avoids the defect.
readonly TURNS_AFTER=2
excuses_of_run() { if [ "$FULL" = 1 ]; then echo 24; else echo 8; fi; }
GUEST_PROGRAMS=$(guest_tests | cut -d ' ' -f 2)
readonly GUEST_PROGRAMS

# plan_guests: prints one line "MACHINE<tab>LABEL<tab>TIMEOUT<tab>ROUNDS<tab>COMMAND" for each run of a guest test.
# MACHINE is the kernel and then the options of scripts/guest. Runs with the same MACHINE share a boot, in this order.
plan_guests() {
	local name program source line kernel kernels label machine engine text timeout last=''
	declare -A run=() spoilt=()
	while read -r name program source; do
		selected "$name" || continue
		run=()
		while IFS= read -r line; do
			read_keys "$line"
			engine=${KEYS[engine]-}
			# Runs are numbered separately for each engine.
			run[${engine:-module}]=$((${run[${engine:-module}]:-0} + 1))
			! is_held_back "$name" || continue
			set_machine "$name"
			machine=$REPLY
			set_kernels
			kernels=$REPLY
			for kernel in $kernels; do
				label=$name${engine:+-$engine}
				[ "${run[${engine:-module}]}" = 1 ] || label+=.${run[${engine:-module}]}
				if [[ $kernel == *-arm64 ]] && [ -n "${KEYS[x86]-}" ]; then
					plain_result "$label@$kernel" 0 /dev/null skipped "of x86 alone: ${KEYS[x86]//;/ }" >>"$RESULTS/x86"
					continue
				fi
				set_timeout "$kernel"
				timeout=$REPLY
				set_slowness "$kernel"
				timeout=$((timeout * REPLY))
				set_rounds "$kernel"
				printf -v text '%s\t%s\t%s\t%s' "$label@$kernel" "$timeout" "$REPLY" \
					"${engine:+ENGINE=$engine }$program ${KEYS[args]-}"
				if [ "${KEYS[last]-no}" = no ]; then
					printf '%s\t%s\n' "$kernel $machine" "$text"
				else
					# No other test must find what a test with last=yes leaves, not even another run
					# with last=yes.
					last+="$kernel $machine${spoilt[$kernel $machine]:+ --alone $label}"$'\t'$text$'\n'
					spoilt[$kernel $machine]=1
				fi
			done
		done < <(printf %s "${HEADERS[guest:$source]}")
	done < <(guest_tests)
	printf %s "$last"
}

# set_machine NAME: sets REPLY to the options of scripts/guest for the machine of a test, by KEYS.
set_machine() {
	local name=$1 option machine
	machine="--cpus ${KEYS[cpus]-1} --memory ${KEYS[memory]-512}"
	[ "${KEYS[icount]-no}" = no ] || machine+=" --icount"
	[ "${KEYS[smt]-no}" = no ] || machine+=" --smt"
	[ "${KEYS[reboots]-no}" = no ] || machine+=" --reboots"
	for option in maxcpus modprobe allow capacity; do
		[ -z "${KEYS[$option]-}" ] || machine+=" --$option ${KEYS[$option]}"
	done
	option=${KEYS[append]-}
	[ -z "$option" ] || machine+=" --append ${option//;/ --append }"
	option=${KEYS[qemu]-}
	[ -z "$option" ] || machine+=" --qemu ${option//;/ --qemu }"
	# Devices that a test plugs while the guest runs need free slots.
	for ((option = 1; option <= ${KEYS[slots]-0}; option++)); do
		machine+=" --qemu -device --qemu pcie-root-port,id=slot$option,chassis=$option,slot=$option"
	done
	# No other test may run before a test with alone=yes.
	[ "${KEYS[alone]-no}" = no ] || machine+=" --alone $name"
	REPLY=$machine
}

# set_slowness KERNEL: sets REPLY to the factor for time-outs. Debug kernels are several times as slow, and GUEST_SLOW
# is the user's factor for a slow machine.
set_slowness() {
	case $1 in
	debug-*) REPLY=$((4 * ${GUEST_SLOW:-1})) ;;
	*-arm64) REPLY=$((2 * ${GUEST_SLOW:-1})) ;;
	*) REPLY=${GUEST_SLOW:-1} ;;
	esac
}

# module_flags KERNEL: prints the arguments of scripts/build-module with which a warning is an error.
module_flags() {
	local sparse=''
	# sparse finds the same faults with the headers of any kernel, so one kernel is enough.
	if { [ "$1" = "$MAIN_KERNEL" ] || [ "$FULL" = 1 ]; } &&
		[[ $1 != *-arm64 ]] && command -v sparse >/dev/null; then
		sparse='C=1 CF=-Wsparse-error'
	fi
	# The instrumentation of the debug kernels makes stack frames large. runner-style looks at the comments, so the build
	# starts no kernel-doc for each file.
	[[ $1 == debug-* ]] || echo "W=1 KCFLAGS=-Werror cmd_checkdoc= $sparse"
}

# ready KERNEL LOG: unpacks the kernel and builds the module for it, where a warning is an error. Return: as
# scripts/build-module.
ready() {
	local status=0 flags kmods=guest
	read -ra flags < <(module_flags "$1") || true
	# scripts/bench builds the modules of the benchmarks, too, but only this build has all warnings.
	[ "$FULL" = 0 ] || kmods+=" bench"
	{ "$ROOT/scripts/kernel" "$1" && KMODS=$kmods "$ROOT/scripts/build-module" "$1" "${flags[@]}"; } >"$2" 2>&1 ||
		status=$?
	if [ "$status" = 0 ] && [[ $1 == *-arm64 ]]; then build_arm64 >>"$2" 2>&1 || status=$?; fi
	return "$status"
}

# build_arm64: builds the programs for guests of 64-bit ARM.
build_arm64() (
	# shellcheck disable=SC2034  # of what is sourced
	PROG=tests/run SCRIPTS=$ROOT/scripts
	# shellcheck source=scripts/lib/common.sh
	. "$SCRIPTS/lib/common.sh"
	# shellcheck source=scripts/lib/cross.sh
	. "$SCRIPTS/lib/cross.sh"
	cross_build "$TESTS" guest
)

# run_batch PLAN FOLDER: boots a guest and runs the tests of PLAN in it. If the guest dies, boots again for the tests
# that had no turn. PLAN has plan lines of one MACHINE. Results go to standard output.
run_batch() {
	local plan=$1 folder=$2 boot=0 excused=0 status machine kernel left before
	read -r kernel machine < <(head -n 1 "$plan" | cut -f1)
	mkdir -p "$folder"
	left=$folder/left
	cp "$plan" "$left"
	while [ -s "$left" ]; do
		boot=$((boot + 1))
		before=$(wc -l <"$left")
		status=0
		one_boot "$kernel" "$machine" "$left" "$folder/$boot" || status=$?
		printf '#boot\n'
		if [ "$status" = 75 ] && [ "$excused" -lt "$EXCUSES" ]; then
			excused=$((excused + 1))
			excuse "$kernel" "$folder/$boot"
			continue
		fi
		[ "$(wc -l <"$left")" -lt "$before" ] || break
	done
}

# excuse KERNEL STEM: prints which boot is repeated and why, for the end of the run.
excuse() {
	local during
	during=$(sed -n 's/^.*bcos-test: begin \([^ ]*\) .*/\1/p' "$2.out" | tail -n 1)
	printf '#again\t%s\n' "${during:-boot@$1}: $(reason "$2.err" | sed 's/^guest: //; s/^splat: //')"
}

# one_boot KERNEL MACHINE LEFT STEM: boots once, prints results, and leaves in LEFT the tests that had no turn. Return:
# 75 if the emulator failed, and then LEFT has the test that ran at that time as well; else 0.
one_boot() {
	local kernel=$1 left=$3 stem=$4 full=$FULL status=0 total timeout slowness tests program accel=${GUEST_ACCEL:-auto} options=()
	read -ra options <<<"${2% --alone *}"
	set_slowness "$kernel"
	slowness=$REPLY
	# An interrupt while the kernel finds out what its CPU can do makes KASAN count the levels of page tables
	# wrongly.
	[ "$kernel" != debug-kasan ] || options+=(--append no5lvl)
	# A busy host may keep one of the guest's CPUs waiting for long. In debug kernels a task also waits longer for
	# its turn.
	if [[ $kernel == debug-* ]]; then
		options+=(--append rcupdate.rcu_cpu_stall_timeout=120
			--append "sysctl.kernel.hung_task_timeout_secs=$((60 * slowness))")
	else
		options+=(--append rcupdate.rcu_cpu_stall_timeout=60 --append watchdog_thresh=30)
	fi
	# The boot takes time, too, and in debug kernels the search for leaks.
	total=$((BOOT_TIME * slowness))
	while IFS=$'\t' read -r _ _ timeout _; do total=$((total + timeout)); done <"$left"
	cut -f2- "$left" >"$stem.list"
	[[ $kernel != *-arm64 ]] || full=0
	# A small initramfs boots faster.
	tests=$(<"$stem.list")
	for program in $GUEST_PROGRAMS; do
		[[ $tests == *"$program "* ]] || options+=(--without "${program#./}")
	done
	[ "$excused" -lt "$TURNS_AFTER" ] || accel=tcg-single
	# The time-outs of the plan contain the factor GUEST_SLOW already.
	GUEST_SLOW=1 GUEST_ACCEL=$accel "$ROOT/scripts/guest" --kernel "$kernel" "${options[@]}" --timeout "$total" \
		--module "$BUILD/modules/$kernel/bcos_evlog.ko" --console "$stem.console" \
		--add "$TESTS/lib/in-guest" --add "$stem.list:tests.list" \
		-- ./in-guest tests.list "$full" "$slowness" >"$stem.out" 2>"$stem.err" || status=$?
	[ "$status" != 0 ] || all_arrived "$stem.out" || status=75
	[ "$status" != 75 ] || [ "$excused" -lt "$EXCUSES" ] || status=71
	judge_boot "$left" "$stem" "$status"
	[ "$status" != 75 ] || return 75
}

# all_arrived FILE: does FILE have an end marker for each test that began? in-guest exits with 0 only after every one has
# ended, so a marker that is missing got lost on its way. A test whose guest boots again begins again.
all_arrived() { [ "$(markers "$1" begin)" = "$(markers "$1" end)" ]; }

# markers FILE WHAT: prints the number of tests that have a marker "begin" or "end".
markers() { sed -n "s/^bcos-test: $2 \([^ ]*\) .*/\1/p" "$1" | sort -u | wc -l; }

# part FILE LABEL: prints the lines of FILE from the begin marker of test LABEL to the next begin marker.
part() {
	awk -v label="$2" '
		/bcos-test: begin / { n = $0; sub(/.*bcos-test: begin /, "", n); sub(/[ \r].*/, "", n); on = n == label; next }
		on' "$1" 2>/dev/null
}

# judge_boot LEFT STEM STATUS: prints the results of the tests in LEFT that ran in this boot, and keeps the others in
# LEFT.
judge_boot() {
	local left=$1 stem=$2 status=$3 line label log end seconds splat blamed=0 begun=0
	: >"$left.new"
	while IFS= read -r line; do
		label=$(cut -f2 <<<"$line")
		log=$OWN/$label.log
		if ! grep -aqF "bcos-test: begin $label " "$stem.out"; then
			echo "$line" >>"$left.new"
			continue
		fi
		begun=1
		part "$stem.out" "$label" >"$log"
		part "$stem.console" "$label" >"$stem.part"
		end='' seconds=''
		read -r end seconds < <(sed -n "s/^bcos-test: end ${label//./\\.} //p" "$log" | tail -n 1) || true
		sed -i '/^bcos-test: /d' "$log"
		splat=0
		"$ROOT/scripts/splat" "$stem.part" >"$stem.splat" 2>&1 || splat=$?
		if [ "$status" = 75 ] && { [ -z "$end" ] || [ "$splat" != 0 ]; }; then
			echo "$line" >>"$left.new"
			continue
		elif [ -z "$end" ]; then
			{
				cat "$stem.err"
				echo "the guest ended with status $status; its console:"
				tail -n 20 "$stem.part"
			} >>"$log"
			plain_result "$label" "${seconds:-0}" "$log" failed "the guest died or hung in it"
			blamed=1
			continue
		fi
		tally "$log" "$end"
		if [ "$splat" != 0 ] && [ "$status" = 70 ]; then
			cat "$stem.splat" >>"$log"
			# A test without points counts as one, which has failed now.
			[ "$((PASSED + FAILED + SKIPPED))" != 1 ] || PASSED=0 FAILED=0 SKIPPED=0
			FAILED=$((FAILED + 1)) NOTE+="${NOTE:+; }the kernel reported trouble"
			blamed=1
		fi
		[ "$excused" = 0 ] || NOTE+="${NOTE:+; }booted $((excused + 1)) times, since QEMU failed"
		result "$label" "$seconds" "$log"
	done <"$left"
	mv "$left.new" "$left"
	[ "$begun" = 1 ] || [ "$status" = 75 ] || not_begun "$left" "$stem" "$status"
	# Trouble that belongs to no test (at boot, or after the last test) is a failure as well.
	case $status in
	70 | 71) [ "$begun" = 0 ] || [ "$blamed" = 1 ] || plain_result "${stem##*/}-boot@$label" 0 "$stem.err" failed \
		"trouble outside of the tests" ;;
	esac
}

# not_begun LEFT STEM STATUS: prints results if no test began in this boot. The tests in LEFT are skipped if a kernel or
# QEMU is missing (status 77), and have failed otherwise.
not_begun() {
	local left=$1 stem=$2 status=$3 label verdict=failed why
	[ "$status" != 77 ] || verdict=skipped
	why=$(reason "$stem.err")
	cat "$stem.out" >>"$stem.err"
	while IFS=$'\t' read -r _ label _; do
		cp "$stem.err" "$OWN/$label.log"
		plain_result "$label" 0 "$OWN/$label.log" "$verdict" "$why"
	done <"$left"
	: >"$left"
}
