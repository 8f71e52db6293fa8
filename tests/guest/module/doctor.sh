#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog doctor runs on a real kernel, on which things are broken one after another: what it says fails, fails.
#
# guest: cpus=1 timeout=180 debug=no last=yes also=6.1
#
# The oracle is what insmod, bcoslog and the kernel themselves then do.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

# says PATTERN [COMMAND...]: does a line match of what the doctor, run by the command, says of $abilities?
says() {
	pattern=$1
	shift
	# shellcheck disable=SC2086  # several words
	"$@" bcoslog doctor $abilities >/tmp/doctor
	grep -qE "$pattern" /tmp/doctor && return
	sed 's/^/# /' /tmp/doctor
	return 1
}
echo 'user:x:1000:1000::/:/bin/sh' >>/etc/passwd
as_user() { su user -c "$*"; }

# patched PATTERN PLACE LETTER: prints the module, with this letter at this place of the first line of strings -t that
# matches the pattern.
patched() {
	cp bcos_evlog.ko /tmp/patched.ko
	at=$(strings -t d bcos_evlog.ko | grep -m 1 "$1" | awk '{ print $1 }')
	printf %s "$3" | dd of=/tmp/patched.ko bs=1 seek=$((at + $2)) conv=notrunc 2>/dev/null
	cat /tmp/patched.ko
	rm /tmp/patched.ko
}

# A release may have a + in it, which means something else in a pattern.
release=$(uname -r | sed 's/[^a-z0-9]/./g')
abilities=module
says "fails +headers .*$release.*"
ok $? "there are no headers of $release here"
says "ok +tracepoints"
ok $? "this kernel has the tracepoints"
# Make a tool and a module that want a tracepoint which no kernel has, by changing the name of one in them.
sed 's/task_rename/task_renamX/g' /bcos/bcoslog >/tmp/bcoslog && chmod 755 /tmp/bcoslog
patched ' task_rename$' 10 X >/tmp/lacking.ko
/tmp/bcoslog doctor module | grep -qE "fails +tracepoints +this kernel lacks the tracepoint task_renamX" &&
	! insmod /tmp/lacking.ko 2>/dev/null && dmesg | grep -q "this kernel lacks the tracepoint task_renamX"
ok $? "a tracepoint that the kernel lacks keeps the module out"
rm /tmp/bcoslog /tmp/lacking.ko
says "fails +compiler"
ok $? "there is no compiler"
[ "$(bcoslog doctor module >/dev/null; echo $?)" = 3 ]
ok $? "so the module cannot be loaded, as far as it knows"

# When the module is installed, it can be loaded.
mkdir -p "/lib/modules/$(uname -r)/updates"
cp bcos_evlog.ko "/lib/modules/$(uname -r)/updates/"
echo 'updates/bcos_evlog.ko:' >"/lib/modules/$(uname -r)/modules.dep"
says "ok +installed .*$release" && says "ok +signature"
ok $? "installed, it is found"
[ "$(bcoslog doctor module >/dev/null; echo $?)" = 0 ]
ok $? "and can be loaded"
says "note +privilege .*CAP_SYS_MODULE" as_user && ! as_user insmod bcos_evlog.ko 2>/dev/null
ok $? "but not by everybody"

# Install a module of another version than the tool's.
version=$(bcoslog --version | sed 's/[^0-9]*//')
patched " version=$version$" 8 9 >/tmp/other.ko
cp /tmp/other.ko "/lib/modules/$(uname -r)/updates/bcos_evlog.ko"
says "note +installed +version 9${version#?} is installed .* and tool and library are $version"
ok $? "another version is installed"
insmod /tmp/other.ko && [ "$(cat /sys/module/bcos_evlog/version)" = "9${version#?}" ] &&
	says "note +loaded +version 9${version#?} is loaded, and tool and library are $version: .*modprobe -r bcos_evlog"
ok $? "and another version is loaded"
rmmod bcos_evlog
cp bcos_evlog.ko "/lib/modules/$(uname -r)/updates/"
rm /tmp/other.ko

abilities='read'
says "fails +device"
ok $? "there is no device yet"
insmod bcos_evlog.ko
abilities="module read"
says "ok +loaded .*version [0-9.]+ as this tool" && says "ok +try +it opens" && bcoslog doctor module read >/dev/null
ok $? "it is loaded, and the device opens"
abilities='read'
chmod 600 /dev/bcos_evlog
says "fails +permissions .*mode 600" as_user && says "fails +capability" as_user && ! as_user bcoslog status 2>/dev/null
ok $? "a stranger may not read it"
chgrp 7 /dev/bcos_evlog
chmod 640 /dev/bcos_evlog
says "fails +permissions .*group 7" as_user && echo 'readers:x:7:user' >>/etc/group && says "ok +permissions" as_user
ok $? "unless the group may, and he is in it"
abilities=record
says "note +unit .*nothing is kept by itself" && says "ok +source"
ok $? "nothing keeps the log here"

if bcoslog doctor bpf | grep -q 'ok  *tool'; then
	abilities=bpf
	says "ok +try" && bcoslog doctor bpf >/dev/null && bcoslog --engine bpf --for 10ms status >/dev/null
	ok $? "BPF programs record"
	# No kernel that runs here counts locked memory for BPF, since 5.11 and later do not. The case of the doctor in
	# cli-golden has a kernel that does.
	(ulimit -l 0 && says "ok +memory" && bcoslog --engine bpf --for 10ms status >/dev/null)
	ok $? "also where no memory may be locked"
	says "fails +capabilities .*CAP_BPF and CAP_PERFMON" as_user &&
		! as_user bcoslog --engine bpf --for 10ms status 2>/dev/null
	ok $? "but not for everybody"
	mount -t tmpfs none /sys/kernel/btf
	says "fails +btf" && ! bcoslog --engine bpf --for 10ms status 2>/dev/null
	ok $? "nor without the kernel's types"
	umount /sys/kernel/btf
fi

abilities="module read bpf"
rmmod bcos_evlog
unshare -U -r sh -c 'bcoslog doctor module' | grep -qE 'fails +container'
ok $? "a container of its own may not load it"
mount -t securityfs none /sys/kernel/security 2>/dev/null
echo integrity >/sys/kernel/security/lockdown
if grep -q '\[integrity\]' /sys/kernel/security/lockdown; then
	says "fails +signature .*lockdown.*has none" && ! insmod bcos_evlog.ko 2>/dev/null
	ok $? "lockdown demands a signature, and the module has none"
	echo confidentiality >/sys/kernel/security/lockdown
	says "fails +lockdown .*forbids BPF programs" && ! bcoslog --engine bpf --for 10ms status 2>/dev/null
	ok $? "lockdown for confidentiality forbids BPF programs"
fi
echo 1 >/proc/sys/kernel/modules_disabled
says "fails +forbidden" && ! insmod bcos_evlog.ko 2>/dev/null
ok $? "the kernel was told to load no more modules"
finish
