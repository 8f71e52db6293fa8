#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Nothing that is wrong with the memory that shall survive a reboot makes the load fail: a sentence names the parameter
# or the address, and the remedy.
#
# guest: cpus=2 memory=1024 timeout=60 alone=yes debug=no x86=memmap= append=memmap=24M!0x30000000;reserve_mem=16777280:64:odd
# guest: cpus=2 memory=1024 timeout=60 alone=yes debug=no x86=memmap= append=memmap=24M!0x30000000;elfcorehdr=0x30000000 args=kdump
#
# With kdump, the kernel was told where the headers of a crashed one are, which is what makes it a crash kernel.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

# says WORD... -- PARAMETER...: loads the module, and looks for the words in what it says.
says() {
	words=
	while [ "$1" != -- ]; do words="$words $1"; shift; done
	shift
	dmesg -c >/dev/null
	insmod ./bcos_evlog.ko "$@" || return 1
	dmesg | grep -a bcos_evlog: >/tmp/said
	missing=0
	for word in $words; do
		grep -qaF -- "$word" /tmp/said || { echo "# \"$word\" is not in:"; sed 's/^/# /' /tmp/said; missing=1; }
	done
	# Whoever asks learns what the lines say.
	case $(grep -c survive /tmp/said)/$(cat /sys/module/bcos_evlog/parameters/keep_size) in
	0/0 | 0/0x0) missing=1 ;;
	0/* | */0x0 | */0) ;;
	*) missing=1 ;;
	esac
	# The log is there in any case.
	dd if=/dev/bcos_evlog of=/tmp/log bs=8192 count=1 2>/dev/null && [ -s /tmp/log ] || missing=1
	return "$missing"
}

try() {
	name=$1
	shift
	says "$@"
	ok $? "$name"
	rmmod bcos_evlog 2>/dev/null
}

# fails PARAMETER...: the kernel starts no thread, so the load fails at the log writer, after it took the region.
fails() {
	limit=$(cat /proc/sys/kernel/threads-max)
	rm -f /tmp/go
	( while [ ! -e /tmp/go ]; do :; done; exec insmod ./bcos_evlog.ko "$@" ) &
	loader=$!
	echo 20 >/proc/sys/kernel/threads-max
	: >/tmp/go
	wait "$loader"
	failed=$?
	echo "$limit" >/proc/sys/kernel/threads-max
	[ "$failed" != 0 ]
}

# is_whole: does the image name a region of whole pages? Its address and its size are at 80.
is_whole() {
	# shellcheck disable=SC2046  # a word a byte
	set -- $(dd if=/dev/bcos_evlog.last bs=16 skip=5 count=1 2>/dev/null | od -An -v -tx1)
	echo "# address and size: $*"
	case $1$2-$9${10} in
	00?0-00?0) return 0 ;;
	*) return 1 ;;
	esac
}

if [ "$1" = kdump ]; then
	try "a crash kernel leaves the region to the one that crashed" kdump survive -- keep_addr=0x30000000 keep_size=24M
	finish
	exit
fi

try "a name that nobody has reserved" keep=nothing reserve_mem= -- keep=nothing
try "memory that the kernel uses" 0x8000000 memmap= -- keep_addr=0x8000000 keep_size=16M
try "an address beyond memory" 0x4000000000 -- keep_addr=0x4000000000 keep_size=16M
try "memory of the firmware" 0xf0000 firmware System -- keep_addr=0xf0000 keep_size=64K
try "an address without a size" keep_size=0 -- keep_addr=0x30000000
try "a size that is no number" keep_size=0x1 -- keep_addr=0x30000000 keep_size=many
says -- keep_addr=0x30000000 keep_size=24M && ! grep -q survive /tmp/said && grep -q '30000000-.*bcos_evlog' /proc/iomem
ok $? "one that fits is used, and entered in /proc/iomem"
[ "$(cat /sys/module/bcos_evlog/parameters/keep_size)" = 0x1800000 ]
ok $? "the parameter keep_size says so"
./crash map
ok $? "and programs can map the log there"
if grep -q disk /sys/power/state; then
	dmesg -c >/dev/null
	! echo disk >/sys/power/state 2>/dev/null && dmesg | grep -qa "bcos_evlog: hibernation"
	ok $? "hibernation is refused meanwhile"
fi
rmmod bcos_evlog
try "a log that was unloaded is found again" ended -- keep_addr=0x30000000 keep_size=24M
fails keep_addr=0x30000000 keep_size=24M
ok $? "a load fails without a thread"
says ended -- keep_addr=0x30000000 keep_size=24M
ok $? "and leaves the log of before, which the next load finds"
rmmod bcos_evlog
try "a region that is too small" ring_kb=32768 "reserve" -- keep_addr=0x30000000 keep_size=24M ring_kb=32768
try "keeps what it has" ended -- keep_addr=0x30000000 keep_size=24M

# A log of another version: its number is at 24, and in no sum.
if printf '\177' | dd of=/dev/mem bs=1 seek=$((0x30000018)) conv=notrunc 2>/dev/null; then
	version() { dd if=/dev/bcos_evlog.last bs=1 skip=24 count=1 2>/dev/null | od -An -tx1 | tr -d ' '; }
	says "another version" -- keep_addr=0x30000000 keep_size=24M && [ "$(version)" = 7f ]
	ok $? "a log of another version is shown as it was"
	dmesg -c >/dev/null
	rmmod bcos_evlog
	dmesg | grep -qa "bcos_evlog: nobody has released"
	ok $? "nobody has released it, so the region gets it back"
	says "another version" -- keep_addr=0x30000000 keep_size=24M && [ "$(version)" = 7f ]
	ok $? "and the next load shows it again"
	echo >/dev/bcos_evlog.last
	dmesg -c >/dev/null
	rmmod bcos_evlog
	! dmesg | grep -qa "bcos_evlog: nobody has released"
	ok $? "a log that was released does not come back"
	try "but that of the load does" ended -- keep_addr=0x30000000 keep_size=24M
else
	echo "# this kernel lets nobody write to the region"
fi

# The address of a name with a small alignment is any one.
says -- keep=odd
ok $? "memory whose address and size are no multiples of a page"
if grep -q "reserved no memory" /tmp/said; then
	echo "# this kernel has no reserve_mem="
else
	rmmod bcos_evlog
	says ended -- keep=odd && is_whole
	ok $? "is used from its first whole page to its last one"
fi
rmmod bcos_evlog
finish
