#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# tests/convert/neighbours/guest.sh - record the same load with bcos_evlog and its neighbours at the same time, in a
# guest.
#
# usage: guest.sh SECONDS LOAD
#
# The module, LTTng, trace-cmd and perf record LOAD for SECONDS, with a rest of two seconds before and after it, and
# bcoslog record keeps the log of the module. All use the monotonic clock. The results are log, record, lttng, trace.dat
# and perf.data in /out, and threads, which has "TID PID PARENT" of each thread that was alive before or after the load.
#
# mixed       processes, a disk and the loopback interface; LTTng alone records who wakes whom as well
# messages    processes that send each other messages

export HOME=/tmp PATH=$PATH:/usr/bin
events="sched:sched_switch sched:sched_process_fork sched:sched_process_exec sched:sched_process_exit irq:irq_handler_entry"
more="sched:sched_process_free irq:irq_handler_exit block:block_rq_complete net:netif_receive_skb net:net_dev_queue"
lttng_events=$(echo "$events $more" | sed 's/[a-z]*://g; s/netif_receive_skb/net_if_receive_skb/; s/ /,/g'),net_dev_xmit
lttng_events=$lttng_events,lttng_statedump_start,lttng_statedump_process_state,lttng_statedump_end
[ "$2" != mixed ] || lttng_events=$lttng_events,sched_waking

threads() {
	for task in /proc/[0-9]*/task/[0-9]*; do
		parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$task/status") 2>/dev/null || continue
		process=${task#/proc/}
		echo "${task##*/} ${process%%/*} $parent"
	done
}

goes_on() { [ "$(cut -d . -f 1 /proc/uptime)" -lt "$end" ]; }

# Runs short processes of one thread each, which read and write the disk, and use the loopback interface.
mixed() {
	nc -l -p 9999 -e cat >/dev/null &
	server=$!
	while goes_on; do
		dd if=/dev/vda of=/dev/null bs=64k count=16 iflag=direct 2>/dev/null
		dd if=/dev/zero of=/dev/vda bs=64k count=16 oflag=direct 2>/dev/null
		ping -c 1 127.0.0.1 >/dev/null
		seq 2000 | sort -r | md5sum >/dev/null
		(exit 3)
	done
	kill "$server"
}

messages() {
	while goes_on; do perf bench -f simple sched messaging -p -g 2 -l 200 >/dev/null; done
}

prepare_lttng() {
	[ -e /var/run ] || ln -s /run /var/run
	lttng-sessiond --daemonize --kmod-probes=sched,irq,block,net,statedump || return
	{
		lttng --no-sessiond create neighbours --output=/out/lttng &&
			lttng --no-sessiond enable-channel --kernel --subbuf-size=1M --num-subbuf=16 all &&
			lttng --no-sessiond enable-event --kernel --channel=all "$lttng_events"
	} >/tmp/lttng.out 2>&1 || { cat /tmp/lttng.out; return 1; }
}

# recording PID FILE: waits until the recorder PID has made its FILE, a pattern.
recording() {
	# shellcheck disable=SC2086  # a pattern
	until ls $2 >/dev/null 2>&1; do
		kill -0 "$1" || return
		usleep 100000
	done
}

mkdir -p /out
prepare_lttng || exit
options=''
for event in $events $more; do options="$options -e $event"; done
# shellcheck disable=SC2086  # several words
trace-cmd record -C mono -b 16384 $options -o /out/trace.dat >/tmp/trace.out 2>&1 &
trace=$!
# shellcheck disable=SC2086
perf record -q -a -m 4096 --clockid=mono $options -o /out/perf.data >/tmp/perf.out 2>&1 &
perf=$!
recording $trace /out/trace.dat.cpu0 || { cat /tmp/trace.out; exit 1; }
recording $perf /out/perf.data || { cat /tmp/perf.out; exit 1; }
lttng --no-sessiond start >/dev/null || exit
insmod /bcos/bcos_evlog.ko ring_kb=65536 staging_kb=8192 || exit
# A shell lets the programs that it starts in the background ignore SIGINT, but perf and trace-cmd react to it
# nevertheless.
bcoslog record -o /out/record --socket '' 2>/tmp/record.out &
record=$!
recording $record '/out/record/*.zst' || { cat /tmp/record.out; exit 1; }
threads >/tmp/threads
sleep 2
end=$(($(cut -d . -f 1 /proc/uptime) + $1))
"$2"
sleep 2
threads >>/tmp/threads
kill $record
wait $record || { cat /tmp/record.out; exit 1; }
lttng --no-sessiond stop >/dev/null
kill -INT $trace $perf
wait $trace $perf
bcoslog cat >/out/log || exit
lttng --no-sessiond destroy >/dev/null
sort -u /tmp/threads >/out/threads
ls -la /out /out/lttng/kernel /out/record
tar -C /out -cf /dev/vdb . || exit
cat /tmp/trace.out /tmp/perf.out /tmp/record.out
rmmod bcos_evlog
