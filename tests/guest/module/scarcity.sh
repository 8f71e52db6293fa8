#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Loading where memory is short fails with a reason, and kills nobody.
#
# guest: cpus=2 memory=400 timeout=120
#
# The oracles are the kernel's log, and a process that lives on. The rings that the parameters ask for fit into the
# machine, and not into the memory that is left.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

# available: prints the MiB that programs could have.
available() { awk '/^MemAvailable/ { print int($2 / 1024) }' /proc/meminfo; }

# said TEXT: has the kernel printed this since the last call of dmesg -c?
said() { dmesg | grep -q "$1"; }

# lost: prints how many records staging has lost.
lost() { bcoslog status | awk '$1 == "staging" && $2 ~ /^[0-9]+:/ { sum = $2 + 0 } END { print sum + 0 }'; }

sleep 1000 &
bystander=$!
mkdir -p /fill
mount -t tmpfs -o size=95% tmpfs /fill || exit 1
dd if=/dev/zero of=/fill/all bs=1M count=$(($(available) - 90)) 2>/dev/null

dmesg -c >/dev/null
insmod /bcos/bcos_evlog.ko ring_kb=256 staging_kb=65536 staging_total_kb=1048576 2>/tmp/said
ok $(($? == 0)) "staging rings of 128 MiB do not load into $(available) MiB"
grep -q 'Cannot allocate memory\|Out of memory' /tmp/said
ok $? "insmod tells of memory: $(cat /tmp/said)"
said 'bcos_evlog: there is no memory for the staging ring of CPU'
ok $? "the kernel's log says what there was no memory for"
! said 'invoked oom-killer'
ok $? "nobody calls the OOM killer"
kill -0 "$bystander"
ok $? "the bystander lives"
! said 'Call Trace'
ok $? "no trace is printed"
! grep -q bcos_evlog /proc/modules && [ ! -e /dev/bcos_evlog ] && ! grep -q bcos /sys/devices/system/cpu/hotplug/states
ok $? "nothing stays behind"

dmesg -c >/dev/null
insmod /bcos/bcos_evlog.ko ring_kb=524288 2>/tmp/said
ok $(($? == 0)) "nor does a ring of 512 MiB"
! said 'invoked oom-killer'
ok $? "and nobody calls the OOM killer"

insmod /bcos/bcos_evlog.ko ring_kb=256 staging_kb=64
ok $? "small rings load"
rmmod bcos_evlog
ok $? "and unload"

# A CPU that comes online must not fail for lack of memory. It gets its ring later.
rm /fill/all
echo 0 >/sys/devices/system/cpu/cpu1/online
insmod /bcos/bcos_evlog.ko ring_kb=1024 staging_kb=65536 staging_total_kb=1048576
ok $? "a large ring for the one CPU that is online loads"
dd if=/dev/zero of=/fill/all bs=1M count=$(($(available) - 40)) 2>/dev/null
dmesg -c >/dev/null
echo 1 >/sys/devices/system/cpu/cpu1/online
ok $? "the other CPU comes online"
said 'no memory for the staging ring of CPU 1'
ok $? "and the kernel's log says that it has no ring"
sleep 1
rm /fill/all
tries=600
until said 'CPU 1 has a staging ring now' || [ "$tries" = 0 ]; do
	tries=$((tries - 1))
	usleep 100000
done
[ "$tries" -gt 0 ]
ok $? "it gets its ring once there is memory"
bcoslog cat >/tmp/scarcity.log 2>/dev/null
before=$(lost)
[ "$before" -gt 0 ]
ok $? "the status counts what it lost until then ($before)"
taskset 2 sh -c 'i=0; while [ $i -lt 20 ]; do (exit 41); i=$((i + 1)); done'
bcoslog cat >/tmp/scarcity.log 2>/dev/null
[ "$(lost)" = "$before" ]
ok $? "and loses nothing from then on ($before, $(lost))"
bcoslog dump --no-history /tmp/scarcity.log >/tmp/scarcity.txt 2>/dev/null
[ "$(grep -c 'Cancel Process Name.*exit 41\|exit code 41\|exit.*41' /tmp/scarcity.txt)" -ge 20 ]
ok $? "its processes are in the log"
bcoslog check /tmp/scarcity.log >/tmp/scarcity.said 2>&1
ok $? "the log is well-formed: $(tail -n 1 /tmp/scarcity.said)"
rmmod bcos_evlog
ok $? "the module unloads"
! said 'invoked oom-killer'
ok $? "nobody called the OOM killer"
kill "$bystander"
finish
