#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The README's examples of a compaction subscription, in C (subscribe.c) and in shell (subscribe.sh), as they are there.
#
# guest: cpus=2 rounds=4:20 timeout=60:200 rt=yes
#
# The oracle is the sum of what each of them says against the device's own count; poll.c judges that one.

points=0 failures=0

ok() {
	points=$((points + 1))
	if [ "$1" = 0 ]; then
		echo "ok $points - $2"
	else
		failures=$((failures + 1))
		echo "not ok $points - $2"
	fi
}

# wait_for COMMAND...: until it succeeds, for a minute.
wait_for() {
	tries=600
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "Bail out! waited for a minute: $*"; kill "$c" "$sh" 2>/dev/null; exit 1; }
		usleep 100000
	done
}

# status FIELD: a number of the status.
status() { bcoslog status --json | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

both_are_there() { [ "$(status readers)" = 3 ]; }

# sum FILE FIELD: of the numbers in that field of each line.
sum() { awk -v field="$2" '{ sum += $field } END { print sum + 0 }' "$1"; }

# The count may rise while it is asked for: what was told lies between two answers that agree.
told_all() {
	before=$(status compactions)
	told=$(sum "$1" "$2")
	[ "$before" = "$(status compactions)" ] && [ "$told" = "$before" ]
}

compacted() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do (:); done
	[ "$(status compactions)" -ge "$1" ]
}

cause() {
	while ! compacted "$1"; do :; done
}

insmod /bcos/bcos_evlog.ko ring_kb=256 || exit 1
./subscribe >/tmp/subscribe.c.out 2>&1 &
c=$!
setsid ./subscribe.sh >/tmp/subscribe.sh.out 2>&1 &
sh=$!
wait_for both_are_there
ok "$(status compactions)" "no compaction before both have subscribed"
cause "${ROUNDS:-4}"
wait_for told_all /tmp/subscribe.c.out 1
ok $? "subscribe.c told of each: $(sum /tmp/subscribe.c.out 1) compactions in $(wc -l </tmp/subscribe.c.out) lines"
wait_for told_all /tmp/subscribe.sh.out 4
ok $? "subscribe.sh told of each: $(sum /tmp/subscribe.sh.out 4) compactions in $(wc -l </tmp/subscribe.sh.out) lines"
grep -qvE '^[0-9]+ compactions discarded [1-9][0-9]* entries$' /tmp/subscribe.c.out && ok 1 "every line is whole" || ok 0 "every line is whole"
grep -qvE '^at [0-9]+\.[0-9]{9} s: [0-9]+ compactions discarded [1-9][0-9]* entries$' /tmp/subscribe.sh.out &&
	ok 1 "every line is whole" || ok 0 "every line is whole"
[ "$(awk '{ sum += $4 } END { print sum }' /tmp/subscribe.c.out)" = "$(awk '{ sum += $7 } END { print sum }' /tmp/subscribe.sh.out)" ]
ok $? "both told of the same entries"
head -n 2 /tmp/subscribe.c.out /tmp/subscribe.sh.out | sed 's/^/# /'
kill "$c"
kill -TERM -- "-$sh"
wait_for sh -c '! bcoslog status --json | grep -q "\"readers\":[2-9]"'
ok $? "both end when they are told to"
bcoslog cat >/tmp/subscribers.log && bcoslog check /tmp/subscribers.log
ok $? "the log passes the check"
rmmod bcos_evlog
ok $? "the module is unloaded"
echo "1..$points"
[ "$failures" = 0 ]
