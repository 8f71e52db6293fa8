#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Parts of bcoslog that require a device that records: a command and its exit status, parts of the log, times by the
# wall clock, names in the place of numbers, and how far back the log reaches.
#
# guest: cpus=2 timeout=60
#
# The oracle is what this script does itself, and the machine's own clocks.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

insmod /bcos/bcos_evlog.ko || exit 1
(exit 31)
bcoslog dump --no-history -- sh -c '(exit 32); exit 7' >/tmp/tool.txt
[ $? = 7 ]
ok $? "a command is run, and its exit status is that of bcoslog"
[ "$(grep -c 'Cancel Process Name .*: exit code 32' /tmp/tool.txt)" = 1 ] &&
	[ "$(grep -c ': exit code 7' /tmp/tool.txt)" = 1 ]
ok $? "what it did is shown"
! grep -q ': exit code 31' /tmp/tool.txt
ok $? "and nothing of before"
bcoslog cat -- sh -c '(exit 33); exit 0' >/tmp/tool.log && bcoslog check /tmp/tool.log && balance /tmp/tool.log
ok $? "of its time a log is left that explains itself"
[ "$(bcoslog dump /tmp/tool.log | grep -c ': exit code 33')" = 1 ]
ok $? "with what happened"
bcoslog cat --last 1h >/tmp/tool.log && bcoslog check /tmp/tool.log && balance /tmp/tool.log &&
	bcoslog cat --process sh >/tmp/tool.log && bcoslog check /tmp/tool.log && balance /tmp/tool.log
ok $? "so are the last hour, and a shell"

before=$(date +%s)
echo 'the clock is looked at' >/dev/bcos_evlog
after=$(date +%s)
line=$(TZ=UTC bcoslog text -T | grep 'the clock is looked at')
echo "# $line"
said=$(date -u -d "$(echo "$line" | cut -c 1-19)" +%s)
# The tool cuts times to the second, and so does the test.
[ "$said" -ge $((before - 1)) ] && [ "$said" -le $((after + 1)) ]
ok $? "-T is what the clock showed"

bcoslog mask --process 4194303 +api 2>/tmp/tool.txt
[ $? = 2 ] && grep -q 'there is no process 4194303' /tmp/tool.txt
ok $? "the calls of a process that there is not are refused"
# The shell gives itself a name, and then waits for a writer that never comes.
mkfifo /tmp/never
sh -c 'printf with-a-name >/proc/$$/comm; read -r nothing </tmp/never' &
until [ "$(cat /proc/$!/comm)" = with-a-name ]; do usleep 1000; done
bcoslog mask --process with-a-name +api && bcoslog mask --process $! -api
ok $? "a process by its name"
kill $!
wait $!
bcoslog mask --device bcos_evlog +io && bcoslog mask --device 0xC0000000 -io
ok $? "a device by its name"

bcoslog status >/tmp/tool.txt && grep -q '^reaches back  *[0-9]' /tmp/tool.txt
ok $? "the status says how far back the log reaches: $(grep '^reaches' /tmp/tool.txt)"
rmmod bcos_evlog
ok $? "the module is unloaded"
finish
