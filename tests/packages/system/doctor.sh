#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a Debian system that records: one thing after another is broken, bcoslog doctor says which one, and the command that
# it names mends it, where that takes no network.

# until_holds evaluates its condition itself.
# shellcheck disable=SC2016
# shellcheck source=tests/packages/system/job.sh
. ./job.sh
release=$(uname -r)
# A release may have a + in it.
pattern_of_release=$(uname -r | sed 's/[^a-z0-9]/./g')

# mend CHECK: run the command that was said last for this check.
mend() {
	command=$(sed -n "s/^  [a-z]*  *$1 .*: \(sudo .*\)/\1/p" /run/said | head -n 1)
	echo "# $command"
	[ -n "$command" ] || return 1
	# shellcheck disable=SC2317  # the command calls it
	(sudo() { "$@"; }; eval "$command") >/run/mended 2>&1 && return
	sed 's/^/# /' /run/mended
	return 1
}
# is WANTED COMMAND...: its exit status.
is() {
	wanted=$1
	shift
	"$@" >/dev/null 2>&1
	[ "$?" = "$wanted" ]
}
records() { until_holds 'systemctl is-active -q $unit && systemctl is-enabled -q $unit'; }

records && is 0 bcoslog doctor
ok $? "doctor: all works"
systemctl stop $unit
says 'note +service .*does not run' bcoslog doctor record && is 0 bcoslog doctor record && mend service && records
ok $? "doctor: the recorder does not run, and does again"
systemctl disable $unit 2>/dev/null
says 'note +service .*not started at boot' bcoslog doctor record && is 0 bcoslog doctor record && mend service && records
ok $? "doctor: the recorder will not start at boot, and will again"
chgrp root /dev/bcos_evlog
chmod 600 /dev/bcos_evlog
says 'fails +permissions .*for root alone' member bcoslog doctor read && mend permissions &&
	until_holds 'member bcoslog doctor read | grep -q "ok  *permissions"'
ok $? "doctor: the device is for root alone, and for the group again"
setcap -r /usr/libexec/bcoslog-read
says 'fails +capability .*has no capability' member bcoslog doctor read && is 3 member bcoslog doctor read && ! member bcoslog status 2>/dev/null &&
	mend capability && is 0 member bcoslog status
ok $? "doctor: the program that opens the device has no capability, and has it again"
says 'fails +permissions .*: sudo usermod -aG bcos' stranger bcoslog doctor read && ! stranger bcoslog status 2>/dev/null
ok $? "doctor: a stranger is no member of the group"
free=$(df --output=avail -B1M / | tail -n 1)
fallocate -l $((free - 1000))M /filled
says 'note +disk .* MiB are free' bcoslog doctor record && mv /filled /nothing && rm /nothing && says 'ok +disk' bcoslog doctor record
ok $? "doctor: the disk has no room for all that the recorder keeps"

has_only() {
	setpriv --reuid stranger --regid stranger --clear-groups --inh-caps "+$1" --ambient-caps "+$1" bcoslog doctor bpf
}
says 'fails +capabilities +you lack CAP_PERFMON:' has_only bpf && says 'fails +capabilities +you lack CAP_BPF:' has_only perfmon
ok $? "doctor: BPF takes two capabilities"

# ---- without the module --------------------------------------------------------------------------------

systemctl stop $unit
modprobe -r bcos_evlog
says 'note +loaded .*can be loaded' bcoslog doctor module && says 'fails +source' bcoslog doctor record &&
	says 'fails +device' bcoslog doctor read && mend device && records && is 0 bcoslog doctor
ok $? "doctor: the module is not loaded; loaded again, the recorder starts by itself"
systemctl stop $unit
modprobe -r bcos_evlog
mkdir /aside
mv /lib/modules/"$release"/updates /aside/
depmod
says 'note +installed .*: sudo dkms autoinstall' bcoslog doctor module && is 0 bcoslog doctor module && ! modprobe bcos_evlog 2>/dev/null
ok $? "doctor: the module is not installed, and can be built"
mv /lib/modules/"$release"/build /aside/
says "fails +headers .*: sudo apt-get install linux-headers-$pattern_of_release\$" bcoslog doctor module && is 3 bcoslog doctor module
ok $? "doctor: there are no headers"
mv /aside/build /lib/modules/"$release"/
mv /usr/bin/gcc /aside/
says 'fails +compiler +there is no compiler.*: sudo apt-get install gcc make' bcoslog doctor module && is 3 bcoslog doctor module
ok $? "doctor: there is no compiler"
mv /aside/gcc /usr/bin/
mv /usr/bin/make /aside/
says 'fails +compiler +there is no make' bcoslog doctor module
ok $? "doctor: there is no make"
mv /aside/make /usr/bin/
cp /boot/config-"$release" /aside/
sed -i s/CONFIG_TRACEPOINTS=y/CONFIG_TRACEPOINTS=n/ /boot/config-"$release"
says 'fails +config .*CONFIG_TRACEPOINTS' bcoslog doctor module
ok $? "doctor: the kernel is built without tracepoints, as its configuration says"
mv /aside/config-"$release" /boot/
mv /aside/updates /lib/modules/"$release"/
depmod
rmdir /aside
modprobe bcos_evlog && records && is 0 bcoslog doctor
ok $? "doctor: all works again"
finish
