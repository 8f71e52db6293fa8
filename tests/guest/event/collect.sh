#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The log as messages of numbers (bcoslog collect): messages of each kind from what really happens, and those that a
# program puts.
#
# guest: cpus=2 timeout=60
#
# The oracle is a process of this script's that sleeps, calls the kernel and ends, and /proc.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

# has ID SECOND [THIRD]: is there a message of this ID with these words after the time?
has() { grep -q "^$1 [0-9]* [0-9a-f]\{8\} $2${3:+ $3}\$" /tmp/messages; }

# count ID: prints how many messages of this ID there are.
count() { awk -v id="$1" '$1 == id { n++ } END { print n + 0 }' /tmp/messages; }

interrupts() { awk '/ttyS/ { for (i = 2; i <= 3; i++) sum += $i } END { print sum + 0 }' /proc/interrupts; }

insmod bcos_evlog.ko mask=assign,irq,user,api,idle,state || exit 1
before=$(interrupts)
echo "................................................................" >/dev/ttyS0
# The child sleeps six times, since a child that ends before its parent waits for it blocks nobody.
sh -c 'for i in 1 2 3 4 5 6; do usleep 20000; done; exit 3' &
pid=$!
wait "$pid"
printf '42 0xffffffff 7\n' | bcoslog collect --put 100
ok $? "a program puts a message"
bcoslog collect --put 101 --timed </dev/null
ok $? "and one with the time"
bcoslog cat >/tmp/collect.log
bcoslog collect /tmp/collect.log >/tmp/messages
ok $? "the log as messages"
after=$(interrupts)

hex=$(printf '%08x' "$pid")
has 1 "$hex"
ok $? "1: a CPU was assigned to the process"
[ "$(count 2)" -gt 0 ] && [ "$after" -gt "$before" ]
ok $? "2: interrupts"
awk '$1 == 3 && (NF != 5 || $3 == $4) { bad = 1 } $1 == 3 { n++ } END { exit bad || !n }' /tmp/messages
ok $? "3: CPUs sleep ($(count 3) times)"
has 4 "$hex" 00000000
ok $? "4: the process runs"
has 4 "$hex" 00000001
ok $? "4: its thread blocks"
has 4 "$hex" 00000003
ok $? "4: and is woken"
# Each architecture has its own number for exit_group.
case $(uname -m) in aarch64) call=0000005e ;; *) call=000000e7 ;; esac
has 5 "$hex" "$call"
ok $? "5: it calls exit_group"
has 6 00000000 && has 6 00000001
ok $? "6: processes come and go"
grep -qx '100 [0-9]* 0000002a ffffffff 00000007' /tmp/messages
ok $? "100: what was put, word by word"
awk '$1 == 101 && NF == 3 { n++ } END { exit n != 1 }' /tmp/messages
ok $? "101: the time alone"
[ "$(bcoslog collect --mask 0 /tmp/collect.log | wc -l)" = 0 ]
ok $? "with a mask of 0 there is nothing"
[ "$(bcoslog collect --mask 1 /tmp/collect.log | awk '{ print $1 }' | sort -u)" = 1 ]
ok $? "with one of 1 nothing but switches"
[ "$(bcoslog collect --monitor 0 --mask 0x38 /tmp/collect.log | wc -l)" = 0 ]
ok $? "with a monitor mask of 0 no 4, 5, 6"
bcoslog collect --mask 1 >/tmp/live
[ -s /tmp/live ]
ok $? "of the device it is what is there ($(wc -l </tmp/live) switches)"

# A follower of a busy device gets what is put and nothing else, and ends in order by SIGTERM.
bcoslog collect -f --mask 0x40 >/tmp/follow &
follower=$!
told() { grep -qx '7 [0-9]* 0000002a' /tmp/follow; }
tries=$((600 * ${SLOW:-1}))
# Wait for the message. The follower gets it even if it was put before the follower reads, since it begins with the
# oldest entry.
echo 42 | bcoslog collect --put 7
until told || [ "$tries" = 0 ]; do
	tries=$((tries - 1))
	usleep 100000
done
told
ok $? "a message reaches who follows"
kill "$follower"
wait "$follower"
ok $? "whom SIGTERM ends in order"
[ "$(wc -l </tmp/follow)" = 1 ]
ok $? "and who was told nothing else"
bcoslog collect --timed >/dev/null 2>&1
[ $? = 2 ]
ok $? "--timed alone is refused"
rmmod bcos_evlog
ok $? "the module is unloaded"
finish
