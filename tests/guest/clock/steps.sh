#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The wall clock is set back and forward while the log runs, and made fast and slow: each report, its tables for programs,
# and --since and --until use the clock that held when something happened, and the reports name each step.
#
# guest: cpus=2 timeout=150 also=6.1
#
# The oracle is what date(1) shows before and after each of the processes that keep a CPU busy.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh

export TZ=UTC
log=/tmp/steps.log

# seconds "YYYY-MM-DD HH:MM:SS...": prints them since 1970; a T may stand between day and hour.
seconds() { date -d "$(echo "$1" | cut -c 1-19 | tr T ' ')" +%s; }

# moment SECONDS: prints them as --since takes them.
moment() { date -d "@$1" '+%Y-%m-%d %H:%M:%S'; }

# is_known: has the log stated what the clock shows now?
is_known() {
	now=$(date +%s)
	echo "the clock shows $now" >/dev/bcos_evlog
	said=$(bcoslog text -T 2>/dev/null | grep "the clock shows $now" | tail -n 1)
	said=$(seconds "$said")
	[ "$said" -ge $((now - 1)) ] && [ "$said" -le $((now + 1)) ]
}

# live_through TIME PPM NAME: sets the clock and its rate, and then a process of this name keeps a CPU busy. Its ID and
# the seconds before and after it are in the file NAME.
live_through() {
	tries=600
	date -s "$1" >/dev/null && adjtimex -q -f "$(($2 * 65536))"
	ok $? "the clock is set, and its rate changed by $2 ppm"
	until is_known || [ "$tries" = 0 ]; do
		tries=$((tries - 1))
		usleep 100000
	done
	[ "$tries" -gt 0 ]
	ok $? "the log states the clock that is set to $1"
	# A second that the clock has shown begins each part of the log that the test asks for.
	sleep 2
	before=$(date +%s)
	sh -c "printf $3 >/proc/\$\$/comm; i=0; while [ \$i -lt 3000 ]; do i=\$((i + 1)); done" &
	wait $!
	echo "$! $before $(date +%s)" >"/tmp/$3"
	# So a part of the log can end before the next step.
	sleep 2
}

# is_within TIME: is the time of the wall clock within the life of the process, to the second?
is_within() { [ -n "$1" ] && [ "$(seconds "$1")" -ge $((begin - 1)) ] && [ "$(seconds "$1")" -le $((end + 1)) ]; }

# busy_names: prints the names of the three processes that have CPU time in the table of top in CSV, each after a space.
busy_names() { awk -F, '{ gsub(/"/, "", $2) } $2 ~ /^(early|late|last)$/ && $3 > 0 { printf " %s", $2 }'; }

# judge NAME: is the process, whose time the clock showed by then, at that time in each view?
judge() {
	read -r pid begin end <"/tmp/$1"
	said=$(bcoslog turns -T $log 2>/dev/null | grep "$pid $1" | head -n 1)
	is_within "$said"
	ok $? "turns shows $1 when the clock showed it: $said"
	said=$(bcoslog turns -T --csv $log 2>/dev/null | grep ",$pid,\"$1\"" | head -n 1 | cut -d , -f 3)
	is_within "$said"
	ok $? "so does its CSV: $said"
	said=$(bcoslog turns -T --json $log 2>/dev/null | grep "\"process\":$pid,\"name\":\"$1\"" | head -n 1 |
		sed 's/.*"begin_wall":"\([^"]*\)".*/\1/')
	is_within "$said"
	ok $? "and its JSON: $said"
	said=$(bcoslog story "$pid" -T $log 2>/dev/null | sed -n 's/^ *began *//p')
	is_within "$said"
	ok $? "and story: $said"
	said=$(bcoslog top --csv --since "$(moment $((begin - 1)))" --until "$(moment $((end + 1)))" $log 2>/dev/null | busy_names)
	[ "$said" = " $1" ]
	ok $? "top from $(moment $((begin - 1))) has of the three$said"
	said=$(bcoslog turns --csv --since "$(moment $((begin - 1)))" --until "$(moment $((end + 1)))" $log 2>/dev/null)
	echo "$said" | grep -q "\"$1\"" && ! echo "$said" | grep -v "\"$1\"" | grep -q '"early"\|"late"\|"last"'
	ok $? "and so has turns"
}

insmod /bcos/bcos_evlog.ko ring_kb=16384 || exit 1
live_through '2026-03-01 12:00:00' 200 early
live_through '2031-07-01 01:00:00' -200 late
live_through '2029-01-01 04:59:59' 200 last
bcoslog cat >$log
adjtimex -q -f 0
for name in early late last; do judge $name; done
said=$(bcoslog top --csv --since 05:00 $log 2>/dev/null | busy_names)
[ "$said" = " last" ]
ok $? "an hour alone is of the day on which the log ends:$said"
for report in top turns "story $(cut -d ' ' -f 1 /tmp/late)"; do
	# shellcheck disable=SC2086  # a command and its argument
	bcoslog $report -T $log 2>/tmp/said >/dev/null
	[ "$(grep -c 'the clock was set forward by 1947 d ' /tmp/said)" = 1 ] &&
		[ "$(grep -c 'the clock was set back by 910 d ' /tmp/said)" = 1 ]
	ok $? "$report names the steps: $(tr '\n' ' ' </tmp/said)"
done

# The log states settings at most once a second. What happens after the second one, while nobody reads, has its clock.
date -s '2033-01-01 00:00:00' >/dev/null && date -s '2035-05-05 05:05:00' >/dev/null
sleep 3
echo "after two settings" >/dev/bcos_evlog
date -s '2029-01-01 06:00:00' >/dev/null
bcoslog cat >/tmp/twice.log
said=$(bcoslog text -T /tmp/twice.log 2>/dev/null | grep "after two settings" | cut -c 1-16)
[ "$said" = "2035-05-05 05:05" ]
ok $? "a setting soon after another one holds when its second is over: $said"

bcoslog check $log >/tmp/said 2>&1
ok $? "the log explains itself: $(tail -n 1 /tmp/said)"
rmmod bcos_evlog
ok $? "the module is unloaded"
finish
