#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The kernel ends, under load, and the next boot finds its log in the memory that both leave alone: image.sh HOW MARKS
# PARAMETER...
#
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no x86=memmap= also=6.1 append=memmap=24M!0x30000000 allow=Kernel.panic.*sysrq args=panic 500 keep_addr=0x30000000 keep_size=24M
# guest: cpus=2 memory=1024 timeout=200:1500 alone=yes reboots=yes debug=no x86=memmap= append=memmap=24M!0x28000000 rounds=3:20 args=reset 500 keep_addr=0x28000000 keep_size=24M keep_flush=1
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no x86=memmap= append=memmap=24M!0x2c000000 args=reboot 500 keep_addr=0x2c000000 keep_size=24M
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no kernels=6.12 x86=reserve_mem= append=reserve_mem=24M:4096:bcos;nokaslr allow=Kernel.panic.*sysrq args=panic 500 keep=bcos
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no x86=memmap= append=memmap=24M!0x24000000 allow=Kernel.panic.*NMI args=nmi 500 keep_addr=0x24000000 keep_size=24M
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no x86=memmap= append=memmap=24M!0x20000000 allow=Kernel.panic.*calamity full-only=yes args=probe 500 keep_addr=0x20000000 keep_size=24M
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no x86=memmap= append=memmap=24M!0x22000000 allow=Kernel.panic.*calamity full-only=yes args=writer 500 keep_addr=0x22000000 keep_size=24M
# guest: cpus=2 memory=1024 timeout=120 alone=yes reboots=yes debug=no x86=memmap= append=memmap=24M!0x26000000 allow=Kernel.panic.*calamity full-only=yes args=twice 500 keep_addr=0x26000000 keep_size=24M
#
# The machine boots twice, and this script runs in both: the second time there is an image. With "reset" the first end is
# that of sysrq, and the others come from outside at random moments.

how=$1 marks=$2
shift 2
# shellcheck disable=SC2086  # several arguments
insmod ./bcos_evlog.ko user_rate=0 "$@" || exit 1
if [ -e /dev/bcos_evlog.last ]; then
	[ "$how" != reset ] || how=$(./crash which)
	[ "$how" != outside ] || marks=4000
	./crash look "$marks" "$how"
	status=$?
	case $how in
	reset | outside) ;;
	*) ROUNDS=1 ;;
	esac
	if ! ./crash again "${ROUNDS:-1}"; then
		rmmod bcos_evlog
		exit "$status"
	fi
	how=outside marks=4000
fi
echo "# this boot: $(dmesg | grep -a bcos_evlog: | tail -n 3)"
# A reset takes with it what the ports have not sent yet.
while :; do :; done &
(while :; do ls -R /sys/devices >/dev/null; done) &
sleep 1
case $how in
probe | writer | twice)
	# The mark is the first word of what each CPU has.
	insmod ./calamity.ko where="$how" mark="0x$(sed -n 's/ . bcos_stages\t.*//p' /proc/kallsyms)" || exit 1
	;;
esac
./crash make "$marks" "$how"
sleep 20
echo "# the kernel goes on"
exit 1
