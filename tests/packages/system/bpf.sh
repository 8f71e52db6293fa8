#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In a Debian system without the module: BPF programs record under the hardening of the recorder's unit, but for what BPF
# itself takes, and members of the group ask that recorder.

# What until_holds is to wait for is evaluated there.
# shellcheck disable=SC2016
# shellcheck source=tests/packages/system/job.sh
. ./job.sh
socket=/run/bcos_evlog/recorder.sock

# Two capabilities and two calls, and no device that it waits for.
sed -e '/^BindsTo=/d' -e 's/dev-bcos_evlog.device //' -e '/^WantedBy=/d' -e 's/CAP_PERFMON$/CAP_PERFMON CAP_BPF/' \
	-e 's/^SystemCallErrorNumber=/SystemCallFilter=bpf perf_event_open\n&/' \
	-e 's/^ExecStart=.*/ExecStart=\/usr\/bin\/bcoslog --engine bpf record --memory/' \
	/lib/systemd/system/$unit >/run/systemd/system/by-bpf.service
systemctl daemon-reload
systemctl stop $unit
modprobe -r bcos_evlog
[ ! -e /dev/bcos_evlog ] && ! grep -q BindsTo /run/systemd/system/by-bpf.service && systemctl start by-bpf.service
ok $? "BPF programs record as a service, without the module"
says "^CapEff:.000000c000000000" cat /proc/"$(property MainPID by-bpf.service)"/status
ok $? "with two capabilities"
systemd-analyze security --no-pager by-bpf.service >/run/security
sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p' /run/security | grep -qx '[01][0-9]'
ok $? "and is exposed by less than 2.0"
[ "$(stat -c '%U:%G' $socket)" = bcos:bcos ] && stat -c '# %A %U:%G %n' $socket
ok $? "its socket is that of the group"
says 'Assign CPU' member bcoslog dump --last 10s
ok $? "a member of the group reads what it recorded"
says 'no permission to ask the recorder at .*: use sudo, or become a member of the group bcos' stranger bcoslog dump --last 10s
ok $? "a stranger is told what to become"
systemctl stop by-bpf.service
[ "$(systemctl is-failed by-bpf.service)" = inactive ]
ok $? "it ends in order"
rm /run/systemd/system/by-bpf.service
systemctl daemon-reload
modprobe bcos_evlog && until_holds 'systemctl is-active -q $unit'
ok $? "the module is back, and its recorder"
finish
