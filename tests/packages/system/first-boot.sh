#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a Debian system on its first boot with the packages: the module is loaded, the recorder records from the beginning,
# members of the group read, others are told why not, and a recorder that hangs is started again.
#
# usage: first-boot.sh RELEASE VERSION    the kernel and the packages that it has to be

# until_holds evaluates its condition itself.
# shellcheck disable=SC2016
# shellcheck source=tests/packages/system/job.sh
. ./job.sh
release=$1 version=$2

[ "$(uname -r)" = "$release" ]
ok $? "the kernel that was installed last boots"
[ "$(cat /sys/module/bcos_evlog/version)" = "$version" ]
ok $? "the module is loaded"
until_holds 'systemctl is-active -q $unit'
ok $? "the recorder runs"

# In microseconds since boot: when systemd loaded modules, and when the recorder was ready.
loaded=$(property ExecMainExitTimestampMonotonic systemd-modules-load.service)
began=$(property ExecMainStartTimestampMonotonic systemd-modules-load.service)
from_beginning() {
	until_holds 'bcoslog status $kept 2>/dev/null | grep -q "^first at"' || return 1
	first=$(bcoslog status $kept | sed -n 's/^first at *\([0-9]*\)\.\([0-9]\{6\}\).*/\1\2/p')
	echo "# in microseconds since boot: modules were loaded from $began to $loaded, the first entry is of $first, the" \
		"recorder was ready at $(property ActiveEnterTimestampMonotonic)"
	[ "$first" -ge "$began" ] && [ "$first" -le "$loaded" ]
}
from_beginning
ok $? "its first entry is of when the module was loaded"

usermod -aG bcos member
# Some marks are recorded, some are in the ring alone.
read_together() {
	put_mark 1
	until_holds 'is_kept 1' || return 1
	for i in 2 3 4 5 6; do put_mark $i; done
	member bcoslog text --since -1h >/run/text 2>/run/error || { cat /run/error; return 1; }
	! is_kept 6 || echo "# the last mark was recorded already"
	grep -o 'mark [0-9]*' /run/text >/run/marks
	[ ! -s /run/error ] && [ "$(cat /run/marks)" = "$(printf 'mark %s\n' 1 2 3 4 5 6)" ] && return
	sed 's/^/# /' /run/error /run/marks
	return 1
}
read_together
ok $? "a member of the group reads what is recorded and what is in the ring, each once"
says ' systemd ' member bcoslog top --since -1h --once && [ "$(member bcoslog top --since -1h --once 2>&1 >/dev/null | grep -vc "the log begins")" = 0 ]
ok $? "and asks who had the CPUs in the last hour"
says 'mark 6\.' member bcoslog dump --last 1h
ok $? "and for all of it"
sentence='no permission to open /dev/bcos_evlog: use sudo, or become a member of the group'
says "$sentence" stranger bcoslog top --once && says "$sentence" stranger bcoslog top --since -1h --once &&
	! stranger bcoslog dump --last 10s 2>/dev/null
ok $? "a stranger is told what to become"
! stranger cat /dev/bcos_evlog 2>/dev/null && ! stranger ls $kept 2>/dev/null && ! stranger /usr/libexec/bcoslog-read 2>/dev/null
ok $? "and finds no other way"

is_safe() {
	systemd-analyze security --no-pager $unit >/run/security
	tail -n 1 /run/security | sed 's/^/# /'
	sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p' /run/security | grep -qx '[01][0-9]'
}
is_safe
ok $? "the running unit is exposed by less than 2.0"
[ "$(grep -c . /proc/"$(property MainPID)"/status)" -gt 0 ] &&
	grep -qE '^CapEff:\s0000004000000000$' /proc/"$(property MainPID)"/status && ! grep -qE '^Uid:\s0' /proc/"$(property MainPID)"/status
ok $? "it has one capability, and is not root"

# A minute is the unit's own patience; here it has less.
hangs() {
	mkdir -p /run/systemd/system/$unit.d
	printf '[Service]\nWatchdogSec=10s\n' >/run/systemd/system/$unit.d/patience.conf
	systemctl daemon-reload
	systemctl restart $unit
	pid=$(property MainPID)
	kill -STOP "$pid"
	put_mark 7
	until_holds '[ "$(property MainPID)" != $pid ] && systemctl is-active -q $unit' || return 1
	[ "$(property NRestarts)" = 1 ] && journalctl -b -u $unit | grep -q 'Watchdog timeout' && until_holds 'is_kept 7'
}
[ "$(property WatchdogUSec)" = 1min ] && hangs
ok $? "a recorder that hangs is started again, and misses nothing"
bcoslog check -q $kept && ! bcoslog dump $kept 2>/dev/null | grep -qi 'gap'
ok $? "what it kept is sound, without a gap"
put_mark 100
until_holds 'is_kept 100'
ok $? "it goes on"
finish
