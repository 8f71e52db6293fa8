#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a Debian system without the module: BPF programs record as a service of their own, under the hardening of the
# recorder's unit but for what BPF itself takes, and members of the group ask that recorder.

# until_holds evaluates its condition itself.
# shellcheck disable=SC2016
# shellcheck source=tests/packages/system/job.sh
. ./job.sh
socket=/run/bcos_evlog/recorder.sock by_bpf=bcos-record-bpf.service

! systemctl is-enabled -q $by_bpf && ! systemctl is-active -q $by_bpf
ok $? "the recorder of BPF programs is not started by itself"
systemctl start $by_bpf
systemctl is-active -q $unit && ! systemctl is-active -q $by_bpf
ok $? "nor where the module is loaded"
systemctl stop $unit
modprobe -r bcos_evlog
[ ! -e /dev/bcos_evlog ] && systemctl start $by_bpf && systemctl is-active -q $by_bpf
ok $? "BPF programs record as a service, without the module"
says "^CapEff:.000000c400000000" cat /proc/"$(property MainPID $by_bpf)"/status
ok $? "with three capabilities"
systemd-analyze security --no-pager $by_bpf >/run/security
tail -n 1 /run/security | sed 's/^/# /'
sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p' /run/security | grep -qx '[01][0-9]'
ok $? "and is exposed by less than 2.0"
[ "$(stat -c '%U:%G' $socket)" = bcos:bcos ] && stat -c '# %A %U:%G %n' $socket
ok $? "its socket is that of the group"
says 'Assign CPU' member bcoslog dump --last 10s
ok $? "a member of the group reads what it recorded"
says 'no permission to ask the recorder at .*: use sudo, or become a member of the group bcos' stranger bcoslog dump --last 10s
ok $? "a stranger is told what to become"
says '(ok|note) +service' bcoslog doctor record && says 'ok +source .*BPF' bcoslog doctor record
ok $? "doctor: BPF programs record"
echo "message by bpf" >/dev/kmsg
until_holds 'member bcoslog text --since -1h 2>/dev/null | grep -q "message by bpf"'
ok $? "what the kernel says is in it"
systemctl stop $by_bpf
[ "$(systemctl is-failed $by_bpf)" = inactive ]
ok $? "it ends in order"
modprobe bcos_evlog && until_holds 'systemctl is-active -q $unit'
ok $? "the module is back, and its recorder"
until_holds 'bcoslog text --since -1h $kept 2>/dev/null | grep -q "message by bpf"'
ok $? "what BPF programs recorded is kept"
finish
