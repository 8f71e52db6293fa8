#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Nothing that is wrong with the memory that shall survive a reboot makes the load fail: a sentence names the parameter
# or the address, and the remedy.
#
# guest: cpus=2 memory=1024 timeout=60 alone=yes debug=no x86=memmap= append=memmap=24M!0x30000000

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

try "a name that nobody has reserved" keep=nothing reserve_mem= -- keep=nothing
try "memory that the kernel uses" 0x8000000 memmap= -- keep_addr=0x8000000 keep_size=16M
try "an address beyond memory" 0x4000000000 -- keep_addr=0x4000000000 keep_size=16M
try "an address without a size" keep_size=0 -- keep_addr=0x30000000
try "a size that is no number" keep_size=0x1 -- keep_addr=0x30000000 keep_size=many
try "a region that is too small" ring_kb=32768 "reserve" -- keep_addr=0x30000000 keep_size=24M ring_kb=32768
says -- keep_addr=0x30000000 keep_size=24M && ! grep -q survive /tmp/said && grep -q '30000000-.*bcos_evlog' /proc/iomem
ok $? "one that fits is used, and entered in /proc/iomem"
if grep -q disk /sys/power/state; then
	dmesg -c >/dev/null
	! echo disk >/sys/power/state 2>/dev/null && dmesg | grep -qa "bcos_evlog: hibernation"
	ok $? "hibernation is refused meanwhile"
fi
rmmod bcos_evlog
try "a log that was unloaded is found again" ended -- keep_addr=0x30000000 keep_size=24M
finish
