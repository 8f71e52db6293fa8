# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Sourced by tests/run: tests that want the same machine share one boot of it.

readonly BOOT_TIME=60
# How often a boot may fall to a defect of the emulator (scripts/lib/stale-code.sh) before that fails the test; and how
# often all of a run, which has some fifteen in `make test` and some sixty with --full, before that fails the run.
readonly EXCUSES=6
# The defect comes of two CPUs that are emulated at a time. After so many in a row they take turns, which it survives.
readonly TURNS_AFTER=2
excuses_of_run() { if [ "$FULL" = 1 ]; then echo 24; else echo 8; fi; }
GUEST_PROGRAMS=$(guest_tests | cut -d ' ' -f 2)
readonly GUEST_PROGRAMS

# plan_guests: one line "MACHINE<tab>LABEL<tab>TIMEOUT<tab>ROUNDS<tab>COMMAND" for each run of a guest test.
# MACHINE is what scripts/guest needs to know, kernel first; runs with the same MACHINE share a boot, in this order.
plan_guests() {
	local name program source line kernel kernels label machine engine text timeout last=''
	declare -A run=() spoilt=()
	while read -r name program source; do
		selected "$name" || continue
		run=()
		while IFS= read -r line; do
			read_keys "$line"
			engine=${KEYS[engine]-}
			# Those with another engine are numbered by themselves.
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
					# No other test must find what this one leaves, not even one of its kind.
					last+="$kernel $machine${spoilt[$kernel $machine]:+ --alone $label}"$'\t'$text$'\n'
					spoilt[$kernel $machine]=1
				fi
			done
		done < <(printf %s "${HEADERS[guest:$source]}")
	done < <(guest_tests)
	printf %s "$last"
}

# set_machine NAME: sets REPLY to what scripts/guest needs to know of the machine of a test, by KEYS.
set_machine() {
	local name=$1 option machine
	machine="--cpus ${KEYS[cpus]-1} --memory ${KEYS[memory]-512}"
	[ "${KEYS[icount]-no}" = no ] || machine+=" --icount"
	[ "${KEYS[smt]-no}" = no ] || machine+=" --smt"
	for option in maxcpus modprobe allow capacity; do
		[ -z "${KEYS[$option]-}" ] || machine+=" --$option ${KEYS[$option]}"
	done
	option=${KEYS[append]-}
	[ -z "$option" ] || machine+=" --append ${option//;/ --append }"
	option=${KEYS[qemu]-}
	[ -z "$option" ] || machine+=" --qemu ${option//;/ --qemu }"
	# Free slots, for what is plugged while the guest runs.
	for ((option = 1; option <= ${KEYS[slots]-0}; option++)); do
		machine+=" --qemu -device --qemu pcie-root-port,id=slot$option,chassis=$option,slot=$option"
	done
	# A test that no other may go before.
	[ "${KEYS[alone]-no}" = no ] || machine+=" --alone $name"
	REPLY=$machine
}

# set_slowness KERNEL: sets REPLY to a factor. Debug kernels are several times as slow; GUEST_SLOW is the user's own word for a
# slow machine.
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
	# sparse finds the same with the headers of any kernel.
	if { [ "$1" = "$MAIN_KERNEL" ] || [ "$FULL" = 1 ]; } && [[ $1 != *-arm64 ]] && command -v sparse >/dev/null; then
		sparse='C=1 CF=-Wsparse-error'
	fi
	# The instrumentation of the debug kernels makes stack frames large.
	[[ $1 == debug-* ]] || echo "W=1 KCFLAGS=-Werror $sparse"
}

# ready KERNEL LOG: unpack it and build the module for it, without a warning. Return: as scripts/build-module.
ready() {
	local status=0 flags kmods=guest
	read -ra flags < <(module_flags "$1") || true
	# Those of the benchmarks are built by themselves, and only here with all warnings.
	[ "$FULL" = 0 ] || kmods+=" bench"
	{ "$ROOT/scripts/kernel" "$1" && KMODS=$kmods "$ROOT/scripts/build-module" "$1" "${flags[@]}"; } >"$2" 2>&1 || status=$?
	if [ "$status" = 0 ] && [[ $1 == *-arm64 ]]; then build_arm64 >>"$2" 2>&1 || status=$?; fi
	return "$status"
}

# build_arm64: the programs for guests of 64-bit ARM.
build_arm64() (
	# shellcheck disable=SC2034  # of what is sourced
	PROG=tests/run SCRIPTS=$ROOT/scripts
	# shellcheck source=scripts/lib/common.sh
	. "$SCRIPTS/lib/common.sh"
	# shellcheck source=scripts/lib/cross.sh
	. "$SCRIPTS/lib/cross.sh"
	cross_build "$TESTS" guest
)

# run_batch PLAN FOLDER: boot, run, and boot again for those that a dead guest kept from running.
# PLAN has plan lines of one MACHINE; results go to standard output.
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

# excuse KERNEL STEM: says which boot is repeated and why, for the end of the run.
excuse() {
	local during
	during=$(sed -n 's/^.*bcos-test: begin \([^ ]*\) .*/\1/p' "$2.out" | tail -n 1)
	printf '#again\t%s\n' "${during:-boot@$1}: $(reason "$2.err" | sed 's/^guest: //; s/^splat: //')"
}

# one_boot KERNEL MACHINE LEFT STEM: writes results, and to LEFT what did not get its turn. Return: 75 if the emulator
# failed, and whoever ran then is left, too; else 0.
one_boot() {
	local kernel=$1 left=$3 stem=$4 full=$FULL status=0 total timeout slowness tests program accel=${GUEST_ACCEL:-auto} options=()
	read -ra options <<<"${2% --alone *}"
	set_slowness "$kernel"
	slowness=$REPLY
	# An interrupt while the kernel finds out what its CPU can do makes KASAN count the levels of page tables wrongly.
	[ "$kernel" != debug-kasan ] || options+=(--append no5lvl)
	# A busy host may keep one of the guest's CPUs waiting for long. A task waits longer for its turn in debug kernels.
	if [[ $kernel == debug-* ]]; then
		options+=(--append rcupdate.rcu_cpu_stall_timeout=120
			--append "sysctl.kernel.hung_task_timeout_secs=$((60 * slowness))")
	else
		options+=(--append rcupdate.rcu_cpu_stall_timeout=60 --append watchdog_thresh=30)
	fi
	# Beside the tests there are the boot and, in debug kernels, the search for leaks.
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
	# Our own time-outs know of GUEST_SLOW already.
	GUEST_SLOW=1 GUEST_ACCEL=$accel "$ROOT/scripts/guest" --kernel "$kernel" "${options[@]}" --timeout "$total" \
		--module "$BUILD/modules/$kernel/bcos_evlog.ko" --console "$stem.console" \
		--add "$TESTS/lib/in-guest" --add "$stem.list:tests.list" \
		-- ./in-guest tests.list "$full" "$slowness" >"$stem.out" 2>"$stem.err" || status=$?
	[ "$status" != 0 ] || all_arrived "$stem.out" || status=75
	[ "$status" != 75 ] || [ "$excused" -lt "$EXCUSES" ] || status=71
	judge_boot "$left" "$stem" "$status"
	[ "$status" != 75 ] || return 75
}

# all_arrived FILE: in-guest ends well only when every test that began has ended, so if one's end is not there it got lost.
all_arrived() { [ "$(grep -ac '^bcos-test: begin ' "$1")" = "$(grep -ac '^bcos-test: end ' "$1")" ]; }

# part FILE LABEL: what FILE has from the marker of LABEL's beginning to the next beginning.
part() {
	awk -v label="$2" '
		/bcos-test: begin / { n = $0; sub(/.*bcos-test: begin /, "", n); sub(/[ \r].*/, "", n); on = n == label; next }
		on' "$1" 2>/dev/null
}

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
			# A test without points is one, and not fine any more.
			[ "$((PASSED + FAILED + SKIPPED))" != 1 ] || PASSED=0 FAILED=0 SKIPPED=0
			FAILED=$((FAILED + 1)) NOTE+="${NOTE:+; }the kernel reported trouble"
			blamed=1
		fi
		[ "$excused" = 0 ] || NOTE+="${NOTE:+; }booted $((excused + 1)) times, since QEMU failed"
		result "$label" "$seconds" "$log"
	done <"$left"
	mv "$left.new" "$left"
	[ "$begun" = 1 ] || [ "$status" = 75 ] || not_begun "$left" "$stem" "$status"
	# Trouble that no test can be blamed for (at boot, after the last test) is still trouble.
	case $status in
	70 | 71) [ "$begun" = 0 ] || [ "$blamed" = 1 ] || plain_result "${stem##*/}-boot@$label" 0 "$stem.err" failed \
		"trouble outside of the tests" ;;
	esac
}

# The guest never came to a first test: not for want of a kernel or of QEMU, or it is a failure of all.
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
