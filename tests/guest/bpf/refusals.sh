#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Where the kernel lets no BPF program read it, bcoslog says why.
#
# guest: cpus=2 append=maxcpus=1 timeout=60 debug=no last=yes
#
# The oracle is the kernel's own word in /sys/kernel/security/lockdown.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

[ -d /sys/kernel/btf ] || { echo "this kernel does not describe itself, which BPF programs take"; exit 77; }
mount -t securityfs none /sys/kernel/security 2>/dev/null
echo confidentiality >/sys/kernel/security/lockdown
grep -q '\[confidentiality\]' /sys/kernel/security/lockdown || { echo "this kernel has no lockdown"; exit 77; }
./bcoslog --engine bpf status >/tmp/out 2>/tmp/err
[ $? = 2 ]
ok $? "recording by BPF is refused"
grep -q "built without the BPF engine" /tmp/err && { echo "bcoslog was built without the BPF engine"; exit 77; }
grep -q "lockdown=confidentiality" /tmp/err && [ "$(wc -l </tmp/err)" = 1 ]
ok $? "and lockdown is named as the cause: $(cat /tmp/err)"
./bcoslog status >/tmp/out 2>/tmp/err
[ $? = 2 ] && grep -q "bcos_evlog does not exist.*lockdown=confidentiality" /tmp/err
ok $? "also where there is no device, and BPF was to take its place"
finish
