#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The examples of a compaction subscription in bcos_evlog(7), in C (subscribe.c) and in shell (subscribe.sh), as they
# are there.
#
# guest: cpus=2 rounds=4:20 timeout=180:200
#
# The test compares the sum of what each of them says with the device's own count, which poll.c judges.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

# wait_for COMMAND...: repeats the command until it succeeds, for at most a minute.
wait_for() {
	tries=$((600 * ${SLOW:-1}))
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "Bail out! waited for a minute: $*"; kill "$c" "$sh" 2>/dev/null; exit 1; }
		usleep 100000
	done
}

# status FIELD: prints a number of the status.
status() { bcoslog status --json | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

both_are_there() { [ "$(status readers)" = 3 ]; }

# sum FILE FIELD: prints the sum of the numbers in this field of each line.
sum() { awk -v field="$2" '{ sum += $field } END { print sum + 0 }' "$1"; }

# told_all: have both examples told of all compactions? The count may rise meanwhile, so two answers have to agree, one
# before and one after.
told_all() {
	before=$(status compactions)
	told_c=$(sum /tmp/subscribe.c.out 2)
	told_sh=$(sum /tmp/subscribe.sh.out 5)
	entries_c=$(sum /tmp/subscribe.c.out 5)
	entries_sh=$(sum /tmp/subscribe.sh.out 8)
	[ "$before" = "$(status compactions)" ] && [ "$told_c" = "$before" ] && [ "$told_sh" = "$before" ]
}

compacted() { [ "$(status compactions)" -ge "$1" ]; }

# take_turns: starts two shells that take turns. Each line that goes to and fro is some switches.
take_turns() {
	rm -f /tmp/there /tmp/back
	mkfifo /tmp/there /tmp/back
	while read -r line; do echo "$line"; done </tmp/there >/tmp/back &
	turns=$!
	{
		exec 3>/tmp/there 4</tmp/back
		echo . >&3
		while read -r line <&4; do echo "$line" >&3; done
	} &
	turns="$turns $!"
}

insmod /bcos/bcos_evlog.ko ring_kb=256 || exit 1
./subscribe >/tmp/subscribe.c.out 2>&1 &
c=$!
setsid ./subscribe.sh >/tmp/subscribe.sh.out 2>&1 &
sh=$!
wait_for both_are_there
ok "$(status compactions)" "no compaction before both have subscribed"
take_turns
wait_for compacted "${ROUNDS:-4}"
# shellcheck disable=SC2086  # two processes
kill $turns
wait_for told_all
ok $? "both told of each: subscribe.c of $told_c compactions, subscribe.sh of $told_sh"
for said in c sh; do
	! grep -qvE '^(at [0-9]+\.[0-9]{9} s: )?compactions: [1-9][0-9]*, entries discarded: [1-9][0-9]*$' "/tmp/subscribe.$said.out"
	ok $? "subscribe.$said: every line is whole"
done
[ "$entries_c" = "$entries_sh" ]
ok $? "both told of the same entries: $entries_c, $entries_sh"
for said in c sh; do head -n 2 "/tmp/subscribe.$said.out" | sed "s/^/# subscribe.$said: /"; done
kill "$c"
kill -TERM "-$sh"
wait_for sh -c '! bcoslog status --json | grep -q "\"readers\":[2-9]"'
ok $? "both end when they are told to"
bcoslog cat >/tmp/subscribers.log && bcoslog check /tmp/subscribers.log && balance /tmp/subscribers.log
ok $? "the log passes the check"
rmmod bcos_evlog
ok $? "the module is unloaded"
finish
