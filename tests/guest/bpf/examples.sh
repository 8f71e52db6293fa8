#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# `bcoslog attach` attaches the BPF programs of bpf/examples, and `bcoslog text` shows what they say.
#
# guest: cpus=2 memory=1024 slots=3 append=i8042.noaux;noirqdebug modprobe=virtio_pci,virtio_blk,virtio_net,uinput,tun,loop,dummy,ipv6 timeout=90 debug=no also=6.1
#
# The oracle: a process of this script's that sleeps, and a network interface behind which nobody answers.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

wait_for() {
	tries=$((600 * ${SLOW:-1}))
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "Bail out! waited for a minute: $*"; exit 1; }
		usleep 100000
	done
}

attached() { grep -q "attached, until Ctrl-C" "/tmp/$1.out"; }

attach() {
	bcoslog attach "./$1.bpf.o" >"/tmp/$1.out" 2>&1 &
	wait_for attached "$1"
}

# said TEXT: does a line of `bcoslog text` match?
said() { bcoslog text >/tmp/text && grep -q "$1" /tmp/text; }

# Prints the time since boot in hundredths of a second.
hundredths() {
	read -r uptime _ </proc/uptime
	echo "${uptime%.*}${uptime#*.}"
}

# absence PID: prints for how many ms the log says that this process, a sleep, was off the CPU.
absence() {
	bcoslog text >/tmp/text
	sed -n "s/.*process $1 \"sleep\": thread $1 was off the CPU for \([0-9]*\) ms\( *+[0-9]*[a-z]*\)\?\$/\1/p" /tmp/text | tail -n 1
}

refused() {
	bcoslog attach "$2" >/tmp/refusal 2>&1
	[ $? = 2 ] && [ "$(wc -l </tmp/refusal)" = 1 ] && grep -q "$1" /tmp/refusal
}

not_held() { [ "$(cat /sys/module/bcos_evlog/refcnt)" = 0 ]; }

if bcoslog attach /none 2>&1 | grep -q "built without BPF"; then
	echo "1..0 # SKIP bcoslog was built without BPF"
	exit 0
fi
refused "No such file" /none
ok $? "a file that is not there is refused"
refused "cannot be used as BPF programs" ./examples.sh
ok $? "what is no program is refused"
refused "the module is not loaded" ./offcpu.bpf.o
ok $? "without the module the cause is named"
insmod bcos_evlog.ko || exit 1
if [ ! -e /sys/kernel/btf/bcos_evlog ]; then
	refused "without type information" ./offcpu.bpf.o
	ok $? "where the module has no type information, that is named"
	# Headers from 6.12 on have what type information takes, if the kernel has any.
	case $(uname -r) in 6.1.*) true ;; *) [ ! -e /sys/kernel/btf/vmlinux ] ;; esac
	ok $? "only those built with older headers, or for kernels that have none"
	rmmod bcos_evlog
	finish
	exit
fi

attach offcpu
offcpu=$!
attach retransmit
retransmit=$!
# A process sets its alarm before it leaves the CPU, so it is away for less than it asked for. The test demands half of
# that.
before=$(hundredths)
sleep 2 &
sleeper=$!
wait "$sleeper"
most=$((10 * ($(hundredths) - before + 1)))
away=$(absence "$sleeper")
if [ "${away:-0}" -lt 1000 ] || [ "$away" -gt "$most" ]; then
	echo "# ${away:-nothing} is said, at most $most of ms is possible; all that is said:"
	sed -n '/off the CPU/s/^/# /p' /tmp/text
	false
fi
ok $? "offcpu: a process that slept says for how long"

ip link set dummy0 up
ip addr add 192.0.2.1/24 dev dummy0
ip -6 addr add 2001:db8::1/64 dev dummy0
nc 192.0.2.2 9 </dev/null >/dev/null 2>&1 &
four=$!
nc 2001:db8::2 9 </dev/null >/dev/null 2>&1 &
six=$!
wait_for said 'CPU [01]: TCP segment to 192.0.2.2 port 9 sent again\( *+[0-9]*[a-z]*\)\?$'
ok $? "retransmit: nobody answers by IPv4"
wait_for said 'CPU [01]: TCP segment to 2001:0*db8:[0:]*2 port 9 sent again\( *+[0-9]*[a-z]*\)\?$'
ok $? "nor by IPv6"
kill "$four" "$six"
ip link set dummy0 down
ip addr flush dev dummy0

kill "$offcpu"
wait "$offcpu"
ok $? "told to end, attach ends in order"
kill "$retransmit"
wait "$retransmit"
ok $? "the other one, too"
# This one does not run in the background, where a shell has programs ignore SIGINT.
(wait_for attached interrupted; kill -INT "$(pidof bcoslog)") &
bcoslog attach ./offcpu.bpf.o >/tmp/interrupted.out
ok $? "and by Ctrl-C"
bcoslog cat >/tmp/examples.log && bcoslog check /tmp/examples.log && balance /tmp/examples.log
ok $? "the log passes the check"
# The kernel frees programs some time after their last descriptor is closed.
wait_for not_held
rmmod bcos_evlog
ok $? "and the module can be unloaded"
finish
