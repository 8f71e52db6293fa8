#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The class request, with a disk that takes 20 ms for each request and one request at a time: who asked, how long
# a request was on the device, and how long it stood behind another one.
#
# guest: cpus=2 memory=512 timeout=90 modprobe=null_blk also=6.1
#
# The oracles are the delay and the depth that this script gives the disk, and the kernel's own counts of the disk.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

rmmod null_blk
insmod /modules/*null_blk.ko nr_devices=1 queue_mode=2 irqmode=2 completion_nsec=20000000 submit_queues=1 \
	hw_queue_depth=1 gb=1 || exit 1
# Without a scheduler, who asks waits for the only place in the device's queue before there is a request.
echo mq-deadline >/sys/block/nullb0/queue/scheduler || exit 1
insmod /bcos/bcos_evlog.ko mask=assign,io,who,request ring_kb=2048 || exit 1
# What is written into memory is written to the disk a moment later, by the kernel. As long as somebody has the disk
# open, dd does not do that when it ends.
echo 10 >/proc/sys/vm/dirty_expire_centisecs
echo 10 >/proc/sys/vm/dirty_writeback_centisecs
cat /sys/block/nullb0/stat >/tmp/before
bcoslog cat -- sh -c 'exec 3</dev/nullb0
	dd if=/dev/nullb0 of=/dev/null bs=4096 count=20 iflag=direct 2>/dev/null
	dd if=/dev/zero of=/dev/nullb0 bs=8192 count=5 oflag=direct 2>/dev/null
	dd if=/dev/nullb0 of=/dev/null bs=4096 count=60 iflag=direct 2>/dev/null &
	dd if=/dev/nullb0 of=/dev/null bs=4096 skip=500 count=60 iflag=direct 2>/dev/null
	wait
	dd if=/dev/zero of=/dev/nullb0 bs=4096 count=8 conv=notrunc 2>/dev/null
	sleep 2' >/tmp/log
cat /sys/block/nullb0/stat >/tmp/after
bcoslog check /tmp/log
ok $? "the log explains itself"
bcoslog io --by process --csv /tmp/log >/tmp/by
bcoslog io --by device --csv /tmp/log >/tmp/device
cat /tmp/by /tmp/device | sed 's/^/# /'

# The values of a column of a table whose first line names the columns, without the kernel's, whose name has a comma.
column() { tr -d '\r' <"$1" | grep -v '^0,"kernel' | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'; }

[ "$(column /tmp/by reads | sort -n | tail -n 3 | tr '\n' ' ')" = "20 60 60 " ]
ok $? "three processes read 20, 60 and 60 blocks"
[ "$(column /tmp/device read_bytes)" = $((140 * 4096)) ]
ok $? "which are all that were read of the disk"
# counted N: by how much count N of the disk has grown.
counted() { echo $(($(awk "{ print \$$1 }" /tmp/after) - $(awk "{ print \$$1 }" /tmp/before))); }
echo "# the kernel counts $(counted 1) reads, $(counted 3) sectors, $(counted 5) writes, $(counted 7) sectors"
[ "$(column /tmp/device reads)" = "$(counted 1)" ] && [ $(($(column /tmp/device read_bytes) / 512)) = "$(counted 3)" ] &&
	[ "$(column /tmp/device writes)" = "$(counted 5)" ] && [ $(($(column /tmp/device written_bytes) / 512)) = "$(counted 7)" ]
ok $? "and so the kernel counts itself"
[ "$(column /tmp/by device_median_ns | sort -n | head -n 1)" -ge 20000000 ] &&
	[ "$(column /tmp/by device_median_ns | sort -n | tail -n 1)" -lt 200000000 ]
ok $? "each takes 20 ms on the device"
# Two at a time: each stands behind one of the other process.
[ "$(awk -F, 'NR > 1 && $6 == 60 { print $12 }' /tmp/by | sort -n | head -n 1)" -ge 5000000 ] &&
	[ "$(awk -F, 'NR > 1 && $6 == 20 { print $12 }' /tmp/by)" -lt 5000000 ]
ok $? "two who read at the same time wait for each other, and one alone does not wait"
bcoslog io --by process --json /tmp/log | grep -q '"process":0,.*"writes":[1-9]'
ok $? "what is written later, the kernel writes"
bcoslog dump /tmp/log >/tmp/dump
[ "$(grep -c 'read of 4096 bytes, .* in the queue, .* on the device' /tmp/dump)" = 140 ] && ! grep -q 'its beginning is not known' /tmp/dump
ok $? "the beginning of each is known"
bcoslog mask -request >/dev/null
dd if=/dev/nullb0 of=/dev/null bs=4096 count=2 iflag=direct 2>/dev/null
bcoslog mask +request >/dev/null
dd if=/dev/nullb0 of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null
bcoslog cat >/tmp/all
[ "$(bcoslog io --by device --json /tmp/all | sed 's/.*"reads":\([0-9]*\).*/\1/')" = 141 ]
ok $? "while the class is off, nothing is recorded"
bcoslog check /tmp/all
ok $? "the log explains itself then, too"
rmmod bcos_evlog
finish
