#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Classes of events are turned off and on while the log runs, by ioctl (bcoslog mask) and by parameter file.
#
# guest: cpus=2 timeout=60
#
# The oracle is what this script does itself between the entries that say off and on: processes that it forked and
# whose exit codes it knows, and interrupts that /proc/interrupts counted.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh
parameter=/sys/module/bcos_evlog/parameters/mask

# interrupts: prints the interrupts so far of the serial ports, to which these tests and the console print.
interrupts() { awk '/ttyS/ { for (i = 2; i <= 3; i++) sum += $i } END { print sum + 0 }' /proc/interrupts; }

# work: makes events of every class.
work() {
	work_before=$(interrupts)
	(exit 41)
	(exit 42)
	echo "................................................................" >/dev/ttyS0
	usleep 1000
	tries=100
	while [ "$(interrupts)" = "$work_before" ] && [ "$tries" -gt 0 ]; do tries=$((tries - 1)); done
	(exit 43)
}

# taken: writes the log so far as text to /tmp/mask.txt, without what historical entries repeat.
taken() {
	bcoslog cat >/tmp/mask.log && bcoslog dump --no-history /tmp/mask.log >/tmp/mask.txt
}

# between FROM TO: prints the lines of /tmp/mask.txt between the mask changes with these numbers.
between() {
	awk -v from="$1" -v to="$2" '
		/Generic CPU/ && /event 0x80000003/ { number++; next }
		number == from && number < to' /tmp/mask.txt
}

# set_parameter MASK: sets the mask by the parameter file.
set_parameter() { echo "$1" >"$parameter"; }

# deaths FROM TO WHAT: three points, the deaths of the processes that work() made between two mask changes. A failure shows
# what the log has of deaths and changes instead.
deaths() {
	for code in 41 42 43; do
		[ "$(between "$1" "$2" | count "Cancel Process Name .*exit code $code(  [+].*)?\$")" = 1 ]
		found=$?
		ok "$found" "$3 the death of the process that exited with $code"
		[ "$found" = 0 ] || grep -E 'event 0x80000003|Cancel Process Name |  Loss |lost' /tmp/mask.txt | sed 's/^/# /'
	done
}

changes() { grep -c 'Generic CPU.*event 0x80000003' /tmp/mask.txt; }
count() { grep -cE "$1"; }

# assigned: counts assignments, except those to the kernel. A process that the log shows on a CPU is taken off the CPU,
# to the kernel, when it ends, whatever is recorded.
assigned() { grep -E '  Assign CPU ' | grep -vc '> process 0 "kernel"'; }

insmod /bcos/bcos_evlog.ko || exit 1
all=$(cat "$parameter")
work
bcoslog mask -irq >/tmp/mask.said
grep -q '^irq *off' /tmp/mask.said
ok $? "bcoslog mask -irq says that irq is off"
work
bcoslog mask +irq >/tmp/mask.said
grep -q '^irq *on' /tmp/mask.said
ok $? "bcoslog mask +irq says that it is on"
work
bcoslog mask -assign >/dev/null
work
bcoslog mask +assign >/dev/null
work
set_parameter user,kmsg
ok $? "the parameter file takes names"
work
set_parameter "$all"
ok $? "and what it said before"
work
taken
ok $? "the log can be read"

[ "$(changes)" = 6 ]
ok $? "each of the six changes is an entry ($(changes))"
grep 'Generic CPU.*event 0x80000003' /tmp/mask.txt | sed 's/^/# /'

[ "$(between 0 1 | count '  IRQ ')" -gt 0 ]
ok $? "interrupts at first ($(between 0 1 | count '  IRQ '))"
[ "$(between 1 2 | count '  IRQ ')" = 0 ]
ok $? "none while irq is off"
[ "$(between 1 2 | count '  Assign CPU ')" -gt 0 ]
ok $? "but assignments"
[ "$(between 2 3 | count '  IRQ ')" -gt 0 ]
ok $? "interrupts when it is on again"

[ "$(between 3 4 | assigned)" = 0 ] && [ "$(between 3 4 | count '  Assign CPU ')" -le 2 ]
ok $? "no assignments while assign is off"
[ "$(between 3 4 | count '  IRQ ')" -gt 0 ]
ok $? "but interrupts"
deaths 3 4 and
for cpu in 0 1; do
	between 4 5 | awk -v cpu="CPU $cpu" '/  Assign CPU / && index($0, cpu " ->") { found = 1 } END { exit !found }'
	ok $? "when assign is on again, CPU $cpu is assigned"
done

[ "$(between 5 6 | assigned)" = 0 ] && [ "$(between 5 6 | count '  IRQ ')" = 0 ]
ok $? "neither while both are off by the parameter file"
deaths 5 6 but
between 6 7 | count '  Assign CPU ' >/dev/null
ok $? "assignments when they are on again"

for bad in nonsense assign,nonsense 0x1000 '' ','; do
	! set_parameter "$bad" 2>/dev/null && [ "$(cat "$parameter")" = "$all" ]
	ok $? "the parameter file refuses \"$bad\""
done
set_parameter 0xffffffff
ok $? "0xffffffff is all"
bcoslog mask | grep -q '^state *on'
ok $? "also those that are not recorded"
bcoslog mask default >/dev/null
[ "$(cat "$parameter")" = "$all" ]
ok $? "bcoslog mask default: what it was at load"

bcoslog cat >/tmp/mask.log && bcoslog check /tmp/mask.log && balance /tmp/mask.log
ok $? "the log passes the check"
! echo 5000000 2>/dev/null >/sys/module/bcos_evlog/parameters/user_rate &&
	dmesg | grep -q "user_rate=5000000 is not a number from 0 to 1000000\$"
ok $? "a parameter out of range is refused, and the kernel's log says why"
! echo nonsense 2>/dev/null >"$parameter" && dmesg | grep -q "mask=nonsense is neither a number"
ok $? "and so is a mask"
rmmod bcos_evlog
ok $? "the module is unloaded"

insmod /bcos/bcos_evlog.ko mask=irq
ok $? "mask=irq at load"
work
taken
[ "$(count '  (Historical )?Assign CPU ' </tmp/mask.txt)" = 0 ]
ok $? "no assignment then"
[ "$(count '  IRQ ' </tmp/mask.txt)" -gt 0 ]
ok $? "but interrupts"
deaths 1 2 and
bcoslog check /tmp/mask.log && balance /tmp/mask.log
ok $? "the log passes the check"
rmmod bcos_evlog
ok $? "the module is unloaded"
finish
