#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog bridge puts a log's entries into tracepoints of user_events, and the kernel's own tracer records them.
# Debian's kernels lack user_events.
#
# guest: cpus=2 timeout=120 kernels=debug
#
# The oracle is tracefs: the kernel prints each event with the fields that the tracepoint was registered with.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh
tracing=/sys/kernel/tracing
events=$tracing/events/user_events

# traced PID: prints the events that this process has written, as the kernel has traced them.
traced() { grep -E "^ *[^ ]*-$1 " $tracing/trace; }

# within_time COMMAND...: does it succeed before the bridge ends, or a minute is over?
within_time() {
	tries=600
	until "$@"; do
		[ "$tries" -gt 0 ] && kill -0 "$live" || return 1
		tries=$((tries - 1))
		usleep 100000
	done
}

all_there() { [ "$(find $events -name 'bcos_L*K*' -type d 2>/dev/null | wc -l)" = 42 ]; }
end_traced() { traced "$live" | grep -q ' id=0x1 '; }

# as_many TYPE NAME: are there as many events of this type, which is the event's ID, as the log has such entries?
as_many() {
	there=$(grep -c " id=$1 " /tmp/bridge.trace)
	here=$(grep -c "  $2  " /tmp/bridge.txt)
	echo "# $2: $there events, $here entries"
	[ "$there" = "$here" ] && [ "$there" -gt 0 ]
}

insmod /bcos/bcos_evlog.ko || exit 1
(exit 45)
echo 'across the bridge' >/dev/bcos_evlog
bcoslog cat >/tmp/bridge.log && bcoslog dump /tmp/bridge.log >/tmp/bridge.txt || exit 1
bcoslog bridge /tmp/bridge.log 2>/tmp/bridge.err
[ $? = 0 ] && grep -q "nobody recorded any" /tmp/bridge.err
ok $? "without somebody who records it says so"

# A tracepoint lives as long as the program that registered it, or as it is recorded.
bcoslog bridge -f 2>/tmp/bridge.live.err &
live=$!
within_time all_there && grep -q 'field:u16 id;' $events/bcos_L4K1/format
ok $? "the tracepoints have the fields of EventHeader"
echo 1 >$events/enable
(exit 46)
within_time end_traced
ok $? "the end of a process is traced while it happens"
kill -TERM $live
wait $live
ok $? "until it is ended"

echo >$tracing/trace
bcoslog bridge /tmp/bridge.log 2>/tmp/bridge.err &
file=$!
wait $file
ok $? "a file is written, too"
traced $file >/tmp/bridge.trace
sed "s/^/# /" /tmp/bridge.err
[ "$(wc -l </tmp/bridge.trace)" = "$(wc -l </tmp/bridge.txt)" ]
ok $? "each of its $(wc -l </tmp/bridge.txt) entries is an event"
as_many 0x1 "Cancel Process Name"
ok $? "ends of processes"
as_many 0x4002 "Assign CPU"
ok $? "assignments"
grep -q "overrun: 0" $tracing/per_cpu/cpu0/stats && grep -q "overrun: 0" $tracing/per_cpu/cpu1/stats
ok $? "the tracer lost nothing"
echo 0 >$events/enable
rmmod bcos_evlog
ok $? "the module is unloaded"
finish
