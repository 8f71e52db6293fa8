#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In the Debian system of first-boot.sh, booted again with the kernel that it had before: the log of the boot before is
# there; then the packages are removed, and purged.
#
# usage: second-boot.sh RELEASE VERSION    the kernel and the packages that it has to be

# until_holds evaluates its condition itself.
# shellcheck disable=SC2016
# shellcheck source=tests/packages/system/job.sh
. ./job.sh
release=$1 version=$2

[ "$(uname -r)" = "$release" ] && [ "$(cat /sys/module/bcos_evlog/version)" = "$version" ]
ok $? "the module is loaded into the other kernel, too"
until_holds 'systemctl is-active -q $unit' && put_mark 200 && until_holds 'is_kept 200'
ok $? "the recorder runs again"
both() {
	member bcoslog text --since -1h >/run/text 2>/run/error
	sed 's/^/# /' /run/error
	[ "$(grep -oE 'mark (100|200)' /run/text)" = "$(printf 'mark %s\n' 100 200)" ]
}
both
ok $? "the log of the boot before is there, and that of this one"

# ---- the packages go -----------------------------------------------------------------------------------

dpkg --remove bcos-evlog-dkms >/run/dpkg 2>&1 || { sed 's/^/# /' /run/dpkg; false; }
ok $? "the module's package is removed"
[ ! -e /sys/module/bcos_evlog ] && [ ! -e /dev/bcos_evlog ] && [ -z "$(find /lib/modules -name 'bcos_evlog*')" ]
ok $? "the module is unloaded, and in no kernel any more"
until_holds '! systemctl is-active -q $unit'
ok $? "its recorder has ended"
says 'mark 200' member bcoslog text --since -1h
ok $? "what was recorded can be read without it"
dpkg --remove bcoslog libbcoslog-dev libbcoslog0 >/run/dpkg 2>&1 || { sed 's/^/# /' /run/dpkg; false; }
ok $? "the others are removed"
[ -n "$(ls $kept)" ]
ok $? "what was recorded stays"
dpkg --purge bcos-evlog-dkms bcoslog libbcoslog-dev libbcoslog0 >/run/dpkg 2>&1 || { sed 's/^/# /' /run/dpkg; false; }
ok $? "they are purged"
! getent passwd bcos && ! getent group bcos
ok $? "user and group are gone"
systemctl daemon-reload
! systemctl cat $unit >/dev/null 2>&1 && [ -z "$(systemctl --failed --plain --no-legend)" ] && [ ! -e /run/bcos_evlog ]
ok $? "systemd knows nothing of the recorder"
find / -xdev \( -name '*bcos*' -o -nouser -o -nogroup \) -not -path '/opt/*' -not -path '/var/lib/dpkg/*' -not -path '/var/log/*' | grep .
[ $? = 1 ]
ok $? "nothing that is called after them, or was theirs, is left"
find / -xdev -not -path '/proc/*' >/run/guest/out/files
finish
