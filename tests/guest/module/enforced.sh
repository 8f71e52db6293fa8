#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog doctor runs on a kernel that was booted to demand signatures, or is locked down from the beginning. With
# Secure Boot a kernel locks itself down for integrity. The firmware says whether Secure Boot is on by a file, which the
# test puts where the kernel shows it; packages-secure_boot has such a firmware. The oracle is insmod and the BPF
# engine.
#
# guest: cpus=1 debug=no append=module.sig_enforce=1 args=module.sig_enforce
# guest: cpus=1 debug=no append=lockdown=integrity args=lockdown
# guest: cpus=1 debug=no append=lockdown=confidentiality args=lockdown confidentiality

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh
cause=$1 closed=${2-}

# says PATTERN ABILITY: does a line match of what the doctor says of this ability?
says() {
	bcoslog doctor "$2" >/tmp/doctor
	grep -qE "$1" /tmp/doctor && return
	sed 's/^/# /' /tmp/doctor
	return 1
}

mkdir -p "/lib/modules/$(uname -r)/updates"
cp bcos_evlog.ko "/lib/modules/$(uname -r)/updates/"
echo 'updates/bcos_evlog.ko:' >"/lib/modules/$(uname -r)/modules.dep"
mount -t securityfs none /sys/kernel/security 2>/dev/null
says "fails +signature .*\\($cause\\), and the module has none: sudo apt-get install bcos-evlog-dkms, and sudo mokutil" module &&
	! insmod bcos_evlog.ko 2>/dev/null
ok $? "the kernel demands a signature, and the module has none"
[ "$(bcoslog doctor module >/dev/null; echo $?)" = 3 ] && bcoslog doctor --json module | grep -q '"module": *false'
ok $? "so it cannot be loaded"
firmware=/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
mount -t tmpfs none /sys/firmware && mkdir -p "${firmware%/*}" && printf '\6\0\0\0\0' >"$firmware"
says "fails +signature .*\\($cause\\), and the module has none" module
ok $? "Secure Boot that is off is no cause"
printf '\6\0\0\0\1' >"$firmware"
says "fails +signature .*\\(Secure Boot\\), and the module has none" module
ok $? "Secure Boot that is on is the cause"
umount /sys/firmware
# Append the mark of a signature by nobody: the kernel says that it has no such key.
printf '~Module signature appended~\n' >>"/lib/modules/$(uname -r)/updates/bcos_evlog.ko"
says "note +signature .*\\($cause\\), and the module has one: .*: sudo mokutil --import" module
ok $? "it may be one of a key that is not enrolled"

if bcoslog doctor bpf | grep -q 'ok  *tool'; then
	if [ -z "$closed" ]; then
		says 'ok +lockdown' bpf && bcoslog --engine bpf --for 10ms status >/dev/null
		ok $? "BPF programs record without the module"
	else
		says 'fails +lockdown .*forbids BPF programs.*: boot with lockdown=integrity' bpf &&
			! bcoslog --engine bpf --for 10ms status 2>/dev/null &&
				[ "$(bcoslog doctor bpf >/dev/null; echo $?)" = 3 ]
		ok $? "nor do BPF programs record"
	fi
fi
finish
