#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# tests/packages/system/secure_boot.sh - what bcoslog doctor says where Secure Boot is on, and what the kernel then does.
#
# usage: secure_boot.sh, in the guest of tests/packages/secure_boot.sh

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh
installed=/lib/modules/$(uname -r)/updates/bcos_evlog.ko

# says PATTERN ABILITY
says() {
	bcoslog doctor "$2" >/tmp/doctor
	grep -qE "$1" /tmp/doctor && return
	sed 's/^/# /' /tmp/doctor
	return 1
}

mount -t securityfs none /sys/kernel/security
mount -t efivarfs none /sys/firmware/efi/efivars
dmesg | grep -q 'locked down from EFI Secure Boot' && grep -q '\[integrity\]' /sys/kernel/security/lockdown
ok $? "the firmware's Secure Boot has the kernel lock itself down"

mkdir -p "${installed%/*}"
echo 'updates/bcos_evlog.ko:' >"/lib/modules/$(uname -r)/modules.dep"
cp bcos_evlog.ko "$installed"
says 'fails +signature .*\(Secure Boot\), and the module has none: .* mokutil --import' module
ok $? "doctor: Secure Boot demands a signature, and the module has none"
bcoslog doctor module >/dev/null
[ $? = 3 ] && ! insmod "$installed" 2>/dev/null && [ ! -e /dev/bcos_evlog ]
ok $? "the kernel rejects it"

says 'ok +lockdown' bpf && bcoslog doctor bpf >/dev/null && bcoslog --engine bpf --for 10ms status >/dev/null
ok $? "doctor: BPF programs record, and they do"

cp nobody.ko "$installed"
says 'fails +signature .*\(Secure Boot\), and the key "A key of nobody" .* is not enrolled: sudo mokutil --import' module &&
	! insmod "$installed" 2>/dev/null
ok $? "doctor: the key of the signature is not enrolled, and the kernel rejects the module"

# The test key has a subject without a common name, so doctor cannot look for it among the kernel's keys.
cp signed.ko "$installed"
says 'note +signature .*\(Secure Boot\), and the module has one' module && bcoslog doctor module >/dev/null && insmod "$installed"
ok $? "doctor: the module has a signature, and the kernel accepts that of the firmware's key"
bcoslog doctor read >/dev/null && bcoslog status >/dev/null
ok $? "doctor: the device can be read, and it is"
finish
