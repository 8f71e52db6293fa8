# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by scripts/guest: the kinds of machine, x86 and arm64. Not to be run.

# choose_machine: sets MACHINE by the kernel, QEMU, BOARD, BOOT_OPTIONS, and GUEST_FOLDER with the programs for it. On a
# busy host the kernel's check of the PC's timer, which counts a few interrupts, fails under emulation, and the kernel
# panics; no_timer_check spares it that.
choose_machine() {
	case $KERNEL_ARG in
	*-arm64)
		MACHINE=arm64 BOARD=virt,gic-version=3 BOOT_OPTIONS=console=ttyAMA0
		QEMU=${QEMU:-qemu-system-aarch64} GUEST_FOLDER=$BUILD/arm64/guest
		have "$QEMU" || skip "$QEMU is missing; run scripts/deps arm64"
		;;
	*)
		MACHINE=x86 BOARD=q35 BOOT_OPTIONS="console=ttyS0 no_timer_check tsc=reliable clocksource=tsc"
		QEMU=${QEMU:-qemu-system-x86_64} GUEST_FOLDER=$BUILD/guest
		[ "$(uname -m)" = x86_64 ] || skip "the guests of this kernel are x86-64, and this machine is not"
		have "$QEMU" || skip "$QEMU is missing; run scripts/deps guest"
		;;
	esac
}

# cpu_options: the CPUs. With --icount an instruction is a nanosecond, and erms would let a copy be one instruction.
cpu_options() {
	local smp=$CPUS thread=multi model=max counted=max,-erms pair=Skylake-Client
	[ "$GUEST_ACCEL" != tcg-single ] || thread=single
	[ -z "$MAXCPUS" ] || smp="cpus=$CPUS,maxcpus=$MAXCPUS"
	# No model of 64-bit ARM has two CPUs a core; the board says that it has, all the same.
	[ "$MACHINE" != arm64 ] || model=neoverse-n1 counted=neoverse-n1 pair=neoverse-n1
	if [ -n "$ICOUNT" ]; then
		[ "$CPUS" = 1 ] || die "--icount is for one CPU; leave --cpus out"
		echo "-accel tcg -icount shift=0,sleep=off -cpu $counted -smp 1"
	elif [ -n "$SMT" ]; then
		[ $((CPUS % 2)) = 0 ] || die "--smt has two CPUs a core; give --cpus an even number"
		echo "-accel tcg,thread=$thread -cpu $pair -smp $CPUS,sockets=1,cores=$((CPUS / 2)),threads=2"
	elif [ "$GUEST_ACCEL" = kvm ]; then
		echo "-accel kvm -cpu $model -smp $smp"
	else
		echo "-accel tcg,thread=$thread -cpu $model -smp $smp"
	fi
}

# describe_cpus: adds to COMMAND_LINE the machine's own description, in which each CPU has its capacity.
describe_cpus() {
	local cpu=0 capacity
	need fdtput arm64
	[ "$MACHINE" = arm64 ] || die "--capacity is for machines of 64-bit ARM"
	# It writes the description, does nothing else, and may touch none of the channels.
	"$QEMU" -M "$BOARD,dumpdtb=$RUN/machine.dtb" -nodefaults -display none $(cpu_options) "${extra[@]}" >&2 </dev/null || exit 1
	for capacity in ${CAPACITY//,/ }; do
		fdtput -t i "$RUN/machine.dtb" "/cpus/cpu@$cpu" capacity-dmips-mhz "$capacity" || exit 1
		cpu=$((cpu + 1))
	done
	COMMAND_LINE+=(-dtb "$RUN/machine.dtb")
}

# board_options: the disk controller of a PC, for a board of 64-bit ARM whose test names it.
board_options() {
	[ "$MACHINE" != arm64 ] || [[ ${QEMU_EXTRA[*]} != *bus=ide.* ]] || echo "-device ich9-ahci,id=ide"
}

# The ports: console to its log, the command's output to our stdout, the verdict to a file, requests to a pipe. A board
# with 64-bit ARM has one port, for the console; the others are those of a PCI card.
port_options() {
	echo "-chardev file,id=console,path=$CONSOLE -serial chardev:console"
	echo "-chardev stdio,id=output,signal=off -chardev file,id=verdict,path=$RUN/verdict"
	echo "-chardev pipe,id=host,path=$RUN/host"
	if [ "$MACHINE" = arm64 ]; then
		echo "-chardev null,id=nobody"
		echo "-device pci-serial-4x,chardev1=nobody,chardev2=output,chardev3=verdict,chardev4=host"
	else
		echo "-serial chardev:output -serial chardev:verdict -serial chardev:host"
	fi
	echo "-chardev pipe,id=qmp,path=$RUN/qmp -mon chardev=qmp,mode=control"
}
