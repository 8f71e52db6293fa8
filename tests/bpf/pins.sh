#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A recorder of BPF programs is killed at random moments, and the next one goes on: what it had is there, with its links
# pinned also what happened meanwhile, and else a notice says that nothing is recorded.
#
# test: cpus=1 timeout=600 rounds=10:20
#
# The marks are children, each with a name of its own. The oracle is what the shell knows: when it made which child, and
# whether a recorder was there from before until after.

# shellcheck disable=SC2317  # point calls the functions
set -u
# The folders of the recorder are this test's alone.
if [ "${1:-}" != inside ]; then
	unshare --mount true || { echo "this user may have no mounts of its own"; exit 77; }
	exec unshare --mount bash "$0" inside
fi
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
if ! mount -t tmpfs none /run || ! mount -t bpf bpf /sys/fs/bpf; then
	echo "nothing may be mounted here"
	exit 77
fi
KILLS=${ROUNDS:-20}
RANDOM=${SEED:-$$}
echo "# SEED=$RANDOM"
cd "$dir" || exit 1
export BCOSLOG_SOCKET=$dir/socket
recorder=
# With "timeout" a recorder is in a group of its own.
trap '[ -z "$recorder" ] || kill -9 -- "-$recorder" 2>/dev/null || kill -9 "$recorder"; cd /; rm -rf "$dir"' EXIT

# answers: waits until the recorder answers, or has ended.
answers() {
	local i
	for i in $(seq 3000); do
		[ ! -S socket ] || return 0
		kill -0 "$recorder" 2>/dev/null || return 1
		sleep 0.02
	done
	return 1
}
# start FOLDER OPTION...: starts a recorder, and waits until it answers.
start() {
	local folder=$1
	shift
	"$bcoslog" --engine bpf record --interval 200ms -o "$folder" "$@" 2>>errors &
	recorder=$!
	answers && return
	echo "the recorder does not start:"
	cat errors
	exit 1
}
finish() {
	kill -s "$1" "$recorder"
	wait "$recorder" 2>/dev/null
	recorder=
	rm -f socket
}
# mark NAME: makes a child of this name.
mark() {
	cp /bin/true "$1" && "./$1" && rm "$1"
}
# marks LIST MS: makes marks for so long, but at least one, and notes their names.
marks() {
	local until=$((${EPOCHREALTIME/./} + $2 * 1000))
	while :; do
		count=$((count + 1))
		mark "m$count"
		echo "m$count" >>"$1"
		[ "${EPOCHREALTIME/./}" -lt "$until" ] || return 0
	done
}
# killed FOLDER OPTION...: records into the folder, kills the recorder after random times, and makes marks all the time.
killed() {
	local folder=$1 i
	shift
	: >seen
	: >between
	for i in $(seq "$KILLS"); do
		start "$folder" "$@"
		marks seen $((RANDOM % 700))
		finish KILL
		marks between $((RANDOM % 200))
	done
	start "$folder" "$@"
	marks seen 300
	finish TERM
}
# ends FOLDER: prints the names of the marks that the log says have ended.
ends() { "$bcoslog" dump --no-history "$1" 2>/dev/null | sed -n 's/.*Cancel Process Name.*"\(m[0-9]*\)": exit code 0.*/\1/p'; }
# missing FOLDER LIST: prints the marks of the list that are not in the log, or are there twice.
missing() {
	local lacking
	lacking=$(ends "$1" | sort | uniq -c | awk 'NR == FNR { times[$2] = $1; next } times[$1] != 1 { print $1, times[$1] + 0 }' - "$2")
	[ -z "$lacking" ] || { echo "marks, and how often they are in the log:"; echo "$lacking"; return 1; }
	[ "$(wc -l <"$2")" -ge "$KILLS" ] || { echo "too few marks"; return 1; }
}
checks() { "$bcoslog" check "$1" >check 2>&1 || { cat check; return 1; }; }
none() { # FOLDER LIST: no mark of the list is in the log
	[ -s "$2" ] && ! ends "$1" | grep -xFf "$2"
}
gaps() { "$bcoslog" dump --no-history "$1" 2>/dev/null | grep -c 'nothing is recorded of this time'; }
is() { [ "$1" = "$2" ] || { echo "$1 in the place of $2"; return 1; }; }
nothing_left() { [ ! -e /run/bcos_recorder ] && [ ! -e /sys/fs/bpf/bcos_recorder ] || { ls -R /run/bcos_recorder /sys/fs/bpf; return 1; }; }
count=0

killed links --pin links
point "with pinned links each mark is there, once" missing links seen
point "also those that no recorder saw" missing links between
point "and nothing is missing" is "$(gaps links)" 0
point "the log has no violation" checks links
point "a recorder that ends in order leaves nothing" nothing_left

killed maps --pin maps
point "with pinned maps each mark up to the kill is there, once" missing maps seen
point "those that no recorder saw are not" none maps between
point "and that is said after each kill" is "$(gaps maps)" "$KILLS"
point "the log has no violation" checks maps
point "a recorder that ends in order leaves nothing" nothing_left

# Pinned links that the next recorder is not asked to pin end with it.
start mixed --pin links
mark m90001
finish KILL
mark m90002
start mixed --pin maps
mark m90003
sleep 0.5
mark m90004
finish TERM
point "a recorder with maps goes on after one with links, and records" \
	is "$(ends mixed | tr '\n' ' ')" "m90001 m90002 m90003 m90004 "
point "and says what nobody recorded between them" is "$(gaps mixed)" 1

# What a recorder has not merged yet is in its maps, where whoever reads its image finds it, and leaves it.
image=/run/bcos_recorder/image
# happened LOG: what the log tells, without the arguments of programs, which may be those of this test
happened() { "$bcoslog" dump --no-history "$1" 2>/dev/null | grep -av '(program)'; }
whole_log() { # LOG MARK...: the log has the marks, once, and states no more losses than the recorder's own
	local log=$1
	shift
	is "$(ends "$log" | tr '\n' ' ')" "$* " && checks "$log" && ! happened "$log" | grep -aE 'not in the image|damaged'
}
recovered() { # TEXT MARK...: recover finds the marks, and says the text
	local text=$1
	shift
	"$bcoslog" recover -o recovered.bcos $image 2>said && grep -q "$text" said && whole_log recovered.bcos "$@" || { cat said; return 1; }
}
start looked --pin maps
mark m91001
sleep 0.5
kill -STOP "$recorder"
mark m91002
echo "line $$ looked" >/dev/kmsg
point "recover finds what a recorder has not merged yet in its maps" recovered "what is in its maps" m91001 m91002
point "and the lines of the kernel" grep -q "line $$ looked" <("$bcoslog" dump recovered.bcos 2>/dev/null)
point "other commands read the image likewise" whole_log $image m91001 m91002
cp $image image.old
kill -CONT "$recorder"
sleep 0.5
stale() { "$bcoslog" recover -o recovered.bcos image.old 2>said && grep -q 'has gone on since this copy' said &&
	happened recovered.bcos | grep -aq 'newest records of this CPU are not in the image' || { cat said; return 1; }; }
point "a copy of an image that is older than the maps lacks them, and says so" stale
forbidden() { # another user reads the image, and may not read the maps
	chmod 755 /run/bcos_recorder && chmod 644 $image
	setpriv --reuid 65534 --clear-groups "$bcoslog" recover $image 2>said >recovered.bcos
	local was=$?
	chmod 600 $image && chmod 700 /run/bcos_recorder
	is "$was" 0 && grep -q 'this user may not read the maps' said &&
		happened recovered.bcos | grep -aq 'newest records of this CPU are not in the image' || { cat said; return 1; }
}
chmod 755 "$dir"
point "whoever may not read the maps learns that they are missing" forbidden
finish KILL
start looked --pin links
mark m91003
finish KILL
mark m91004
point "programs without a recorder go on, and recover reads what they record" recovered "what is in its maps" m91001 m91002 m91003 m91004
start looked --pin links
finish TERM
point "whoever looked took nothing from the log" whole_log looked m91001 m91002 m91003 m91004
point "and nothing is left" nothing_left

# lines FOLDER: prints the kernel's lines of this test that are in the log.
lines() { "$bcoslog" dump --no-history "$1" 2>/dev/null | sed -n "s/.*\"line $$ \([a-z]*\)\".*/\1/p"; }
echo "line $$ before" >/dev/kmsg
start without --pin maps --classes assign
finish KILL
echo "line $$ meanwhile" >/dev/kmsg
start without --pin maps
echo "line $$ after" >/dev/kmsg
finish TERM
point "lines of the kernel from before the class was recorded are not in the log" is "$(lines without)" after
start with --pin maps
kill -STOP "$recorder"
echo "line $$ unread" >/dev/kmsg
finish KILL
start with --pin maps --classes assign
echo "line $$ unwanted" >/dev/kmsg
finish TERM
point "one that a recorder had not read is, also if the next one records none" is "$(lines with)" unread

# by_default: a recorder with the default socket keeps its log, and others may enter the folder of the socket.
by_default() {
	local i folders
	env -u BCOSLOG_SOCKET "$bcoslog" --engine bpf record --interval 200ms -o default 2>errors &
	recorder=$!
	for i in $(seq 300); do
		[ ! -S /run/bcos_evlog/recorder.sock ] || break
		sleep 0.1
	done
	folders=$(stat -c '%a %n' /run/bcos_* /sys/fs/bpf/bcos_* | tr '\n' ' ')
	finish TERM
	is "$folders" "750 /run/bcos_evlog 700 /run/bcos_recorder 700 /sys/fs/bpf/bcos_recorder " && is "$(cat errors)" "" &&
		nothing_left && [ ! -e /run/bcos_evlog ]
}
point "so does one of which nothing is said, in a folder of its own, and leaves nothing" by_default

# beside_others: another program has pinned something in a folder of the name that the recorder is told.
beside_others() {
	mkdir -p /sys/fs/bpf/shared/theirs
	start beside --pin maps --pin-name shared
	is "$(find /sys/fs/bpf/shared -mindepth 1 -maxdepth 1 | wc -l)" 2 && finish TERM
	is "$(find /sys/fs/bpf/shared)" "$(printf '%s\n' /sys/fs/bpf/shared /sys/fs/bpf/shared/theirs)" && [ ! -e /run/shared ]
}
point "what others pinned in a folder of that name stays" beside_others

# told_early: a recorder is told to end while it takes over what one left that was killed.
told_early() {
	local i early
	start early --pin maps
	mark m92001
	sleep 0.6
	kill -STOP "$recorder"
	mark m92002
	finish KILL
	"$bcoslog" --engine bpf record --interval 200ms -o early --pin maps 2>>errors &
	recorder=$!
	for i in $(seq 1500); do
		[ ! -e /run/bcos_recorder/image.new ] || break
		sleep 0.02
	done
	kill "$recorder"
	[ -e /run/bcos_recorder/image.new ]
	early=$?
	wait "$recorder"
	recorder=
	rm -f socket
	is "$early" 0 && is "$(ends early | tr '\n' ' ')" "m92001 m92002 " && nothing_left && checks early
}
point "one that is told to end while it begins ends when it has recorded what it takes over" told_early

# leaves_rest: a recorder ends, and the directory has no room for all that it recorded.
leaves_rest() {
	local was
	mkdir full && mount -t tmpfs -o size=16m none full
	start full --pin maps --classes assign
	mark m93001
	dd if=/dev/zero of=full/filler bs=4k 2>/dev/null
	mark m93002
	sleep 0.6
	kill "$recorder"
	wait "$recorder"
	was=$?
	recorder=
	rm -f socket full/filler
	start full --pin maps --classes assign
	finish TERM
	is "$was" 2 && grep -q "what is not in files yet stays in /run/bcos_recorder" errors &&
		is "$(ends full | tr '\n' ' ')" "m93001 m93002 " && nothing_left
	was=$?
	umount full
	return "$was"
}
point "what one cannot write stays for the next" leaves_rest

# each_step FOLDER WHAT: a recorder is killed at steps of its beginning, of adoption and of its end: at the Nth call of a
# system call that changes what it leaves. Marks are made meanwhile, and the next recorder begins.
each_step() {
	local folder=$1 step
	: >"seen-$folder"
	killed=0
	for step in mkdir:1 mkdir:3 fallocate:1 renameat:1 renameat:2 unlinkat:1 unlinkat:2 unlinkat:5 unlinkat:40 rmdir:1 \
			bpf:2 bpf:40 bpf:80 bpf:120 bpf:160 bpf:200 bpf:240 bpf:280 bpf:320; do
		start "$folder" --pin "$2"
		marks "seen-$folder" 150
		finish KILL
		timeout -s INT 60 strace -f -qq -o /dev/null -e "inject=${step%:*}:signal=SIGKILL:when=${step#*:}" \
			"$bcoslog" --engine bpf record --interval 200ms -o "$folder" --pin "$2" 2>>errors &
		recorder=$!
		[ "$2" = maps ] || marks "seen-$folder" 300
		# Some steps come after several merges, and others when it is told to end, which timeout passes on.
		if answers; then
			sleep 0.5
			kill -s INT "$recorder" 2>/dev/null
		fi
		# 137: it was killed, and strace after it.
		wait "$recorder"
		[ $? != 137 ] || killed=$((killed + 1))
		recorder=
		rm -f socket
	done
	echo "# $killed recorders were killed at a step"
	start "$folder" --pin "$2"
	marks "seen-$folder" 100
	finish TERM
}
if command -v strace >/dev/null; then
	each_step steps links
	point "a recorder that is killed while it begins, adopts or ends costs no mark (links)" missing steps seen-steps
	point "its log has no violation" checks steps
	point "at least ten were killed at their step" test "$killed" -ge 10
	each_step map-steps maps
	point "likewise with maps" missing map-steps seen-map-steps
	point "its log has no violation" checks map-steps
	point "at least ten were killed at their step" test "$killed" -ge 10
	point "nothing is left of all of them" nothing_left
else
	n=$((n + 1))
	echo "ok $n - a recorder that is killed while it begins, adopts or ends costs no mark # SKIP no strace"
fi

# refuses TEXT OPTION...: the recorder does not begin, and says why in one line.
refuses() {
	local text=$1
	shift
	! timeout 20 "$bcoslog" --engine bpf record --interval 200ms -o other "$@" 2>refusal </dev/null &&
		grep -q "$text" refusal && [ "$(wc -l <refusal)" = 1 ] || { cat refusal; return 1; }
}
no_room() { refuses "there is no room for the log" --pin maps && nothing_left; }
mount -t tmpfs -o size=1m none /run
point "without room for its log a recorder refuses, and leaves nothing" no_room
umount /run
second() { BCOSLOG_SOCKET=$dir/other-socket refuses "process $recorder keeps its log in /run/bcos_recorder" --pin maps; }
start second --pin maps
point "a second recorder is refused while the first lives" second
elsewhere() { # with a /run of its own
	local pins was
	pins=$(find /sys/fs/bpf | sort)
	# shellcheck disable=SC2016  # the inner shell expands them
	unshare --mount bash -c 'mount -t tmpfs none /run && BCOSLOG_SOCKET=$1/other-socket timeout -s INT 20 "$0" --engine bpf record \
		--interval 200ms -o other --pin maps' "$bcoslog" "$dir" 2>refusal </dev/null
	was=$?
	is "$was" 2 && grep -q "a process with another /run keeps its maps in /sys/fs/bpf/bcos_recorder" refusal || { cat refusal; return 1; }
	is "$(find /sys/fs/bpf | sort)" "$pins"
}
point "so is one that has a /run of its own, and shares the BPF file system" elsewhere
mark before
finish KILL
cp /run/bcos_recorder/image image.whole

# begins_anew TEXT CHANGE: after the change to what the killed one left, a recorder says the text and begins anew.
begins_anew() {
	rm -f errors
	eval "$2" && start new-log --pin maps || return 1
	mark anew
	finish TERM
	grep -q "the log in /run/bcos_recorder $1: it is /run/bcos_recorder/image.former now" errors || { cat errors; return 1; }
	"$bcoslog" dump --no-history new-log 2>/dev/null | grep -q '"anew": exit code 0' && nothing_but_aside
}
nothing_but_aside() { [ ! -e /run/bcos_recorder/image ] && [ -e /run/bcos_recorder/image.former ]; }
again() { cp image.whole /run/bcos_recorder/image; }
recovers() {
	"$bcoslog" recover -o recovered.bcos /run/bcos_recorder/image 2>said && checks recovered.bcos &&
		grep -q 'is running, or ended before all of it was in files' said || { cat said; return 1; }
}
point "its image is a log" recovers
point "without its maps the log is put aside" begins_anew "has lost its maps" 'rm -r /sys/fs/bpf/bcos_recorder/*'
point "so is a damaged one" begins_anew "has a damaged header" 'again && printf x | dd of=/run/bcos_recorder/image bs=1 seek=700 conv=notrunc status=none'
point "and one of which a part is missing" begins_anew "ends before its log does" \
	'cp image.whole /run/bcos_recorder/image && truncate -s 100000 /run/bcos_recorder/image'
point "and one that others may write to" begins_anew "is no file that this user alone writes to" \
	'cp image.whole /run/bcos_recorder/image && chmod 666 /run/bcos_recorder/image'
chmod 777 /run/bcos_recorder
point "a folder that others may write to is refused" refuses "others may write to /run/bcos_recorder" --pin maps
chmod 700 /run/bcos_recorder
chown 65534 /run/bcos_recorder
point "so is another user's" refuses "/run/bcos_recorder is another user's" --pin maps
chown 0 /run/bcos_recorder
point "a name that is a path is refused" refuses 'a folder for the log has a name' --pin-name ../etc
umount /sys/fs/bpf
point "without a BPF file system it says which command mounts it" refuses 'mount -t bpf bpf /sys/fs/bpf' --pin links
echo "1..$n"
exit "$status"
