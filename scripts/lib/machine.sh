# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# scripts/guest sources this file: it describes the machines, x86 and arm64.

# choose_machine: sets MACHINE by the kernel, then QEMU, BOARD, BOOT_OPTIONS, and GUEST_FOLDER, which has the programs
# for the machine. The kernel checks the PC's timer by counting a few interrupts. Under emulation on a busy host this
# fails and the kernel panics, so no_timer_check leaves it out.
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

# cpu_options: prints the options for the CPUs. With --icount an instruction takes a nanosecond, and with erms a whole
# copy would count as one instruction.
cpu_options() {
	local smp=$CPUS thread=multi model=max counted=max,-erms pair=Skylake-Client
	[ "$GUEST_ACCEL" != tcg-single ] || thread=single
	[ -z "$MAXCPUS" ] || smp="cpus=$CPUS,maxcpus=$MAXCPUS"
	# No CPU model of 64-bit ARM has two CPUs on a core; only the description of the board can state them.
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

# describe_cpus: adds a description of the machine with the capacity of each CPU to COMMAND_LINE.
describe_cpus() {
	local cpu=0 capacity
	need fdtput arm64
	[ "$MACHINE" = arm64 ] || die "--capacity is for machines of 64-bit ARM"
	# This QEMU only writes the description, so it must not use the ports.
	"$QEMU" -M "$BOARD,dumpdtb=$RUN/machine.dtb" -nodefaults -display none $(cpu_options) "${extra[@]}" >&2 </dev/null || exit 1
	for capacity in ${CAPACITY//,/ }; do
		fdtput -t i "$RUN/machine.dtb" "/cpus/cpu@$cpu" capacity-dmips-mhz "$capacity" || exit 1
		cpu=$((cpu + 1))
	done
	COMMAND_LINE+=(-dtb "$RUN/machine.dtb")
}

# board_options: adds the disk controller of a PC to a board of 64-bit ARM if the test names it.
board_options() {
	[ "$MACHINE" != arm64 ] || [[ ${QEMU_EXTRA[*]} != *bus=ide.* ]] || echo "-device ich9-ahci,id=ide"
}

# The ports connect the console to its log, the output of the command to our standard output, its status to a file, and
# requests to a pipe. A board of 64-bit ARM has one port, for the console; a PCI card has the others.
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
