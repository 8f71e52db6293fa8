#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A recorder of the device is killed, the clock is set forth and back, the disk becomes full, and the module is loaded
# anew. Afterwards each file passes the check by itself, nothing is there twice, and each gap is stated.
#
# guest: cpus=2 timeout=90:900 rounds=1:20
#
# The oracle is what this script writes into the log: marks with numbers.

# shellcheck source=tests/guest/lib/tap.sh
. ./tap.sh
dir=/tmp/keep
mark=0 recorder='' device=''

# until_holds COMMAND: repeats the command until it succeeds, for at most a minute.
until_holds() {
	tries=600
	while ! eval "$1"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "# not within a minute: $1"; return 1; }
		usleep 100000
	done
}
put_mark() {
	mark=$((mark + 1))
	echo "mark $mark." >/dev/bcos_evlog
}
start() {
	bcoslog record -o $dir/d --interval 200ms --size 100K --keep 100M $device 2>>/tmp/keep.errors &
	recorder=$!
}
recorded() { bcoslog text $dir/d 2>/dev/null | grep -q "mark $1\\."; }
load() {
	for i in $(seq 60); do (exit "$i"); done
}
# twice: prints how many marks are recorded more than once.
twice() { bcoslog text $dir/d 2>/dev/null | grep -o 'mark [0-9]*\.' | sort | uniq -d | wc -l; }
gaps() { bcoslog dump --no-history $dir/d 2>/dev/null | grep -c "$1"; }

killed() {
	put_mark
	load
	until_holds "recorded $mark" || return 1
	kill -9 $recorder
	wait $recorder 2>/dev/null
	put_mark
	lost_not=$mark
	load
	start
	put_mark
	until_holds "recorded $mark" && recorded "$lost_not"
}

clock_set() {
	now=$(date +%s)
	date -s "@$((now + 36000))" >/dev/null
	put_mark
	load
	until_holds "recorded $mark" || return 1
	date -s "@$((now + 1))" >/dev/null
	put_mark
	load
	until_holds "recorded $mark"
}

# fill: fills the disk, and takes the room of the oldest files when the recorder removes them. When no file is left,
# recording pauses. The entries that the ring gets meanwhile are recorded later.
fill() {
	cat /dev/zero >>$dir/filler 2>/dev/null
	load
}
full() {
	paused=0
	put_mark
	until_holds "fill; grep -q 'recording pauses' /tmp/keep.errors" || paused=1
	put_mark
	rm $dir/filler
	until_holds "recorded $mark" || return 1
	: >/tmp/keep.errors
	return $paused
}

# The classes of the module are the recorder's as long as it runs.
classes() { cat /sys/module/bcos_evlog/parameters/mask; }
explains() { [ "$(classes)" = assign,irq,user,kmsg,io,state,who,exec,request ]; }

anew() {
	kill -TERM $recorder
	wait $recorder
	rmmod bcos_evlog && insmod /bcos/bcos_evlog.ko || return 1
	start
	put_mark
	load
	until_holds "recorded $mark"
}

insmod /bcos/bcos_evlog.ko || exit 1
mkdir -p $dir
mount -t tmpfs -o size=3m none $dir || exit 1
before=$(classes)
start
until_holds explains
ok $? "the module records what the recorder keeps"
# A recorder that is started again follows the device, even if its command names the device.
device=/dev/bcos_evlog
round=0 reloads=0
while [ "$round" -lt "${ROUNDS:-1}" ]; do
	round=$((round + 1))
	killed
	ok $? "killed, it goes on where it ended ($round)"
	clock_set
	ok $? "a clock that is set forth and back"
	anew
	ok $? "the module is loaded anew"
	reloads=$((reloads + 1))
	[ "$(gaps 'nothing is recorded of this time')" -ge 1 ]
	ok $? "which is a gap, and stated"
	[ "$(twice)" = 0 ]
	ok $? "nothing is there twice"
	full
	ok $? "a full disk"
done
kill -TERM $recorder
wait $recorder
[ "$(classes)" = "$before" ]
ok $? "and after it what it recorded before"
bad=0
for file in "$dir"/d/*.bcos.zst; do
	bcoslog check "$file" >/tmp/keep.check 2>&1 || { echo "# $file"; sed 's/^/# /' /tmp/keep.check; bad=1; }
done
ok $bad "each file passes the check by itself"
bcoslog check $dir/d >/tmp/keep.check 2>&1
ok $? "and so does the directory"
sed 's/^/# /' /tmp/keep.check
[ "$(twice)" = 0 ]
ok $? "nothing is there twice"
umount $dir
rmmod bcos_evlog
finish
