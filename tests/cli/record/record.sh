#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests bcoslog record and the directories that it writes. The logs are of a made-up machine (record/make_log.c), with
# parts, boots and clocks as the test chooses them. The recording has what the log has, once, whatever happens to the
# recorder, the files and the disk.
#
# test: cpus=1 timeout=180
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_log" || exit 1
make_log=$BUILD/tests/make_log
cd "$dir" || exit 1

# record OPTION...: records. The test complains at its end about each recorder that did not end well.
record() { "$bcoslog" record "$@" 2>>errors || echo "status $? of record $*" >>errors; }
# happened LOG: prints a line for each entry that is not historical, without the statements with which each file begins.
happened() { "$bcoslog" dump --no-history "$@" 2>/dev/null | grep -v 'event 0xC00000'; }
# equal FILE FILE: both have the same content, and not nothing.
equal() {
	cat "$1" >equal.one
	cat "$2" >equal.two
	[ -s equal.one ] || { echo "there is nothing"; return 1; }
	cmp equal.one equal.two
}
same() { equal <(happened "$1") <(happened "$2"); }
checks() { "$bcoslog" check "$@" >check 2>&1 || { cat check; return 1; }; }
each_checks() { local file; for file in "$1"/*.bcos.zst; do checks "$file" || { echo "$file"; return 1; }; done; }
files() { local all=("$1"/*.bcos.zst); [ -e "${all[0]}" ] && echo "${#all[@]}" || echo 0; }
is() { [ "$1" = "$2" ] || { echo "$1 in the place of $2"; return 1; }; }
all() { local command; for command; do eval "$command" || return 1; done; }
begin_with_group() {
	local file
	for file in "$1"/*.bcos.zst; do
		"$bcoslog" dump --all "$file" | head -n 1 | grep -q 'Historical Core Online' || { echo "$file"; return 1; }
	done
}

"$make_log" to=100000 >whole.log
record -o whole whole.log
point "what is recorded is what was there" all 'same whole whole.log' 'checks whole'
point "nothing that a group repeats is written again" is \
	"$("$bcoslog" status whole | sed -n 's/^historical *//p')" "$(("$("$bcoslog" dump --all whole.log | sed '/Generic/q' | grep -c Historical)"))"
record -o plain --plain whole.log
point "plain, it is a file of zstd that unpacks to the log" all 'zstd -qdc plain/*.bcos.zst >unpacked' 'checks unpacked' \
	'same unpacked whole.log' 'same plain whole.log'
point "in columns it takes less than two thirds of that" [ $((3 * $(cat whole/*.zst | wc -c))) -lt $((2 * $(cat plain/*.zst | wc -c))) ]
# The seek table has an entry of eight bytes for each frame, packed and unpacked; then their number, flags, and a magic
# number.
seekable() {
	python3 - "$1"/*.bcos.zst <<-'END'
		import struct, subprocess, sys
		data = open(sys.argv[1], "rb").read()
		count, flags, magic = struct.unpack("<IBI", data[-9:])
		sizes = list(struct.iter_unpack("<II", data[-9 - 8 * count:-9]))
		assert magic == 0x8F92EAB1 and not flags and count > 4
		unpacked = subprocess.run(["zstd", "-qdc", sys.argv[1]], capture_output=True, check=True).stdout
		assert sum(size for _, size in sizes) == len(unpacked)
		at = done = 0
		for packed, size in sizes:
		    part = subprocess.run(["zstd", "-qdc"], input=data[at:at + packed], capture_output=True, check=True).stdout
		    assert part == unpacked[done:done + size]
		    at, done = at + packed, done + size
		assert data[at:at + 4] == bytes.fromhex("5e2a4d18")
	END
}
point "its seek table is as zstd has it, in columns and in rows" all 'seekable whole' 'seekable plain'
point "a file is a log, too" all 'same whole/*.bcos.zst whole.log' 'equal <("$bcoslog" top whole/*.bcos.zst) <("$bcoslog" top whole.log)'
point "standard input, too" all '"$make_log" to=100000 | record -o piped -' 'same piped whole.log'

# The first recording is in rows, since the log of this machine would take next to no room in columns.
record -o small --plain --size 100K whole.log
record -o narrow --size 20K whole.log
point "files of a size: several, which tell the same" all '[ "$(files small)" -gt 2 ]' 'same small whole.log' 'checks small' \
	'[ "$(files narrow)" -gt 2 ]' 'same narrow whole.log' 'checks narrow'
point "each of them passes the check by itself, and begins with a group" all 'each_checks small' 'begin_with_group small' \
	'each_checks narrow' 'begin_with_group narrow'
before=$(cat small/*.zst | sha1sum)
record -o small whole.log
point "what is recorded is not recorded again" is "$(cat small/*.zst | sha1sum)" "$before"

"$make_log" to=100 host='AZaz09.-_ é/../x' >named.log
record -o named named.log
point "a machine of any name has files of a name that is safe" all 'is "$(ls named | cut -d- -f2-3)" "AZaz09.-_____.._x"' \
	'is "$(ls -A named | grep -c /)" 0' 'same named named.log'

"$make_log" to=60000 >one.log
"$make_log" from=50000 to=100000 >two.log
record -o resumed one.log
record -o resumed two.log
point "it goes on where it ended, without gap or double" all 'is "$(files resumed)" 2' 'same resumed whole.log' \
	'each_checks resumed' 'checks resumed'
"$make_log" from=59998 to=60001 >three.log
record -o equal one.log
record -o equal three.log
record -o equal two.log
point "also within entries of the same time" all 'is "$(files equal)" 3' 'same equal whole.log'

"$make_log" from=70000 to=100000 >late.log
record -o gap one.log
record -o gap late.log
point "a gap is stated, with its length" all 'checks gap' 'each_checks gap' \
	'is "$(happened gap | grep -c "nothing is recorded of this time")" 1' \
	'is "$(happened gap | grep -v "nothing is recorded" | wc -l)" "$(($(happened one.log | wc -l) + $(happened late.log | wc -l)))"'

point "after a gap times of the wall clock are known" all \
	'equal <(TZ=UTC "$bcoslog" dump -T --no-history --since "2023-11-14 22:13:20.8" gap | grep -v 0xC00000) <(TZ=UTC "$bcoslog" dump -T --no-history --since "2023-11-14 22:13:20.8" late.log | grep -v 0xC00000)' \
	'TZ=UTC "$bcoslog" dump -T --no-history --since "2023-11-14 22:13:20.6" gap 2>said | grep -q "nothing is recorded of this time"' \
	'is "$(cat said)" "bcoslog: the recording has a gap at 1 place: what happened then is missing"'

# Nobody closed this file, as after kill -9, a failure of the power, or on a full disk.
file=$(echo whole/*.bcos.zst)
size=$(stat -c %s "$file")
torn() {
	local length
	happened whole.log >expected
	for length in $((size - 1)) $((size - 500)) $((size * 3 / 4)) $((size / 2)) $((size * 47 / 100)); do
		rm -rf torn; mkdir torn
		head -c "$length" "$file" >"torn/${file#whole/}"
		happened torn >got
		# Cut within a frame, it says so; its index is all that the first two cuts hurt.
		"$bcoslog" check torn >check 2>&1
		is $? $((length < size - 500)) || { cat check; return 1; }
		[ "$length" -ge $((size - 500)) ] || grep -q 'the last frame is not whole' check || { cat check; return 1; }
		cmp -n "$(stat -c %s got)" expected got || { echo "of $length bytes"; return 1; }
		[ -s got ] || { echo "nothing of $length bytes"; return 1; }
		record -o torn whole.log
		same torn whole.log || { echo "resumed after $length bytes"; return 1; }
		each_checks torn && checks torn || return 1
	done
}
point "a file that ends anywhere tells what it has, and is gone on with" torn

# A recorder was killed while it wrote the first frame of a file. Another file has nothing but its header. A third one
# is of another machine, whose recorder may be writing.
torso() {
	local size
	for size in 120 200 16384; do
		rm -rf torso; mkdir torso
		head -c "$size" "$file" >"torso/${file#whole/}"
		"$make_log" to=1000 host=elm | record -o elm -
		head -c 150 elm/*.zst >torso/20231114T221320Z-elm-00000000-log.bcos.zst
		record -o torso whole.log
		same torso whole.log && is "$(files torso)" 2 && [ -e torso/20231114T221320Z-elm-00000000-log.bcos.zst ] || return 1
		checks torso/*-fir-*.zst || return 1
	done
}
point "a file without a whole frame is no file" torso

# flip FILE PLACE: puts another byte there.
flip() { printf '\xAA' | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }
damaged() {
	local second
	rm -rf damaged; cp -r "$1" damaged
	second=$(printf '%s\n' damaged/*.zst | sed -n 2p)
	flip "$second" $(($(stat -c %s "$second") / 2))
	"$bcoslog" check damaged >check 2>&1
	is $? 1 && grep -q bad-frame check || { cat check; return 1; }
	happened damaged >got
	# All entries of the other files are there.
	happened "$(printf '%s\n' "$1"/*.zst | sed -n 3p)" | tail -n +10 | head -n 1000 >there
	[ "$(grep -cxFf there got)" -ge 1000 ]
}
point "a damaged frame is said, and the next group is gone on at" all 'damaged small' 'damaged narrow'
unindexed() {
	local one
	rm -rf unindexed; cp -r "$1" unindexed
	for one in unindexed/*.zst; do flip "$one" $(($(stat -c %s "$one") - 300)); done
	same unindexed "$1" && checks unindexed
	for one in unindexed/*.zst; do head -c -40 "$one" >"$one.new" && mv "$one.new" "$one"; done
	same unindexed "$1" && checks unindexed
	# These bytes are in the first note of each file.
	for one in unindexed/*.zst; do flip "$one" 150; done
	same unindexed "$1" && checks unindexed
}
point "an index or a note that is damaged costs nothing but time" all 'unindexed small' 'unindexed narrow'

window() {
	local since=$1 until=$2
	equal <(TZ=UTC "$bcoslog" dump --no-history --since "$since" --until "$until" small | grep -v 0xC00000) \
		<(TZ=UTC "$bcoslog" dump --no-history --since "$since" --until "$until" whole.log | grep -v 0xC00000)
}
point "a time out of it, since boot and by the wall clock" all 'window 0.4 0.5' 'window 0.999 1.0011' \
	'window "2023-11-14 22:13:20.7" "2023-11-14 22:13:20.71"' \
	'"$bcoslog" cat --since 0.5 --until 0.52 small >part; checks part; [ -s part ]'

"$make_log" to=50000 boot=1 host=oak >boot1.log
"$make_log" to=30000 boot=2 host=oak utc=1700001000 >boot2.log
"$make_log" to=20000 boot=3 host=elm utc=1700000500 >other.log
for log in boot1 boot2 other; do record -o boots $log.log; done
point "several boots are one log, on the line of the wall clock" all 'checks --machine oak boots' \
	'is "$(happened --machine oak boots | grep -c "another boot")" 1' \
	'is "$(happened --machine oak boots | wc -l)" "$(($(happened boot1.log | wc -l) + $(happened boot2.log | wc -l) + 1))"' \
	'is "$(TZ=UTC "$bcoslog" dump -T --no-history --machine oak boots | tail -n 1)" "$(TZ=UTC "$bcoslog" dump -T --no-history boot2.log | tail -n 1)"'
# Each file has one boot, and the check counts its entries.
by_check() { local file; for file in boots/*.bcos.zst; do "$bcoslog" check "$file" | sed -n 's/ entries.*//p'; done | sort -n; }
point "so many entries has each boot" all '[ "$(by_check | grep -c .)" = 3 ]' \
	'equal <(by_check) <("$bcoslog" status --boots --json boots | sed "s/.*\"entries\":\([0-9]*\).*/\1/" | sort -n)'
last_times() { local log; for log in boot1 boot2 other; do "$bcoslog" dump --json $log.log 2>/dev/null | tail -n 1 | sed 's/.*"time":\([0-9]*\).*/\1/'; done | sort -n; }
point "each ends with its last entry" equal <(last_times) <("$bcoslog" status --boots --json boots | sed 's/.*"last":\([0-9]*\).*/\1/' | sort -n)
for log in 1 2; do "$make_log" to=3000 boot=$log host=oak utc=0 >unwalled.log; record -o unwalled unwalled.log; done
point "boots without a wall clock follow each other" all 'checks unwalled' 'is "$(happened unwalled | grep -c "another boot")" 1' \
	'is "$("$bcoslog" dump --json --no-history unwalled 2>/dev/null | sed "s/.*\"time\":\([0-9]*\).*/\1/" | sort -cn 2>&1)" ""'
point "one of them by its time" all \
	'equal <(TZ=UTC "$bcoslog" dump -T --no-history --since "2023-11-14 22:29" --machine oak boots | grep -v 0xC00) <(TZ=UTC "$bcoslog" dump -T --no-history boot2.log | grep -v 0xC00)'

# of LOG OPTION...: prints what happened, by the wall clock, since times since boot differ where several boots are in a
# row.
of() { TZ=UTC "$bcoslog" dump -T --no-history "${@:2}" "$1" 2>/dev/null; }
same_boot() { equal <(of "$1.log") <(of boots "${@:2}") || { echo "$*"; return 1; }; }
point "a boot by its number, back from the latest or on from the oldest" all 'same_boot boot2 --machine oak --boot 0' \
	'same_boot boot1 --machine oak --boot -1' 'same_boot boot1 --machine oak --boot 1' 'same_boot boot2 --machine oak --boot 2'
point "by its ID, and the machine by its name" all 'same_boot other --machine elm' 'same_boot other --machine elm --boot 0' \
	'same_boot boot1 --machine oak --boot 00000000-0000-4000-8000-000000000001'
point "one that there is not" all '! "$bcoslog" dump --machine oak --boot -2 boots 2>said' \
	'is "$(cat said)" "bcoslog: boots has no boot -2: it has 2, which bcoslog status --boots lists"' \
	'! "$bcoslog" dump --machine fir boots 2>said' 'is "$(cat said)" "bcoslog: boots has nothing of a machine \"fir\""' \
	'! "$bcoslog" dump --machine elm --boot 00000000-0000-4000-8000-000000000001 boots 2>said' \
	'is "$(cat said)" "bcoslog: boots has nothing of a boot 00000000-0000-4000-8000-000000000001 of elm"' \
	'! "$bcoslog" dump --boot 0 boot1.log 2>said' \
	'is "$(cat said)" "bcoslog: boot1.log is no recorded directory, of which --machine and --boot choose a part: leave them out, or name one"'
# The times are those of the last step of each part, and the sizes those of what make_log.c makes.
point "the list of machines and boots" equal <(TZ=UTC "$bcoslog" status --boots boots | sed 's/  *[0-9]*  *[0-9]*  *[0-9]*  -$//') <(cat <<-'END'
	machine          its ID   boot  ID                                    from                 to                        entries  losses       bytes  its end
	oak              ?          -1  00000000-0000-4000-8000-000000000001  2023-11-14 22:13:20  2023-11-14 22:13:20
	elm              ?           0  00000000-0000-4000-8000-000000000003  2023-11-14 22:21:40  2023-11-14 22:21:40
	oak              ?           0  00000000-0000-4000-8000-000000000002  2023-11-14 22:30:00  2023-11-14 22:30:00
END
)
point "as objects" is "$("$bcoslog" status --boots --json boots | sed -n 's/.*"machine":"elm","machine_id":"","number":\(-\?[0-9]*\),.*"first":\([0-9]*\),"last":\([0-9]*\),"first_wall":\([0-9]*\),.*/\1 \2 \3 \4/p')" \
	"0 1000000 200990000 1700000500001000000"

at_wall() { TZ=UTC "$bcoslog" dump -T --no-history "$@" 2>/dev/null | grep -v 'event 0xC00000'; }
# The wall clock is an hour later from the middle on, and then an hour earlier.
for by in 3600 -3600; do
	"$make_log" to=100000 set=50000,$by >set.log
	rm -rf set; record -o set --size 20K set.log
	point "a clock that was set by $by s: each time is found, before and after it" all \
		'equal <(at_wall set) <(at_wall set.log)' \
		'is "$(at_wall --until "2023-11-14 22:13:20.2" set | wc -l)" "$(at_wall --until "2023-11-14 22:13:20.2" set.log | wc -l)"' \
		'equal <(at_wall --since "$(date -u -d "@$((1700000000 + by))" +"%F %T").7" set) <(at_wall --since "$(date -u -d "@$((1700000000 + by))" +"%F %T").7" set.log)'
done

record -o kept --plain --size 20K --keep 400K whole.log
point "no more is kept than the limit" all '[ "$(du -cb kept/*.zst | tail -n 1 | cut -f 1)" -le 409600 ]' 'each_checks kept' \
	'[ "$(happened kept | wc -l)" -lt "$(happened whole.log | wc -l)" ]' \
	'checks kept' 'equal <(happened kept) <(happened whole.log | tail -n "$(happened kept | wc -l)")'

# A clock that was 20 years ahead, then one of 2023, and then a new boot: no age is known of the first file.
"$make_log" to=300 boot=1 utc=2330720000 >ahead.log
"$make_log" to=300 boot=2 >old.log
"$make_log" to=300 boot=3 utc="$(date +%s)" >new.log
for log in ahead old; do record -o aged --plain "$log.log"; done
before=$(ls aged)
record -o aged --plain --keep 1d new.log
point "a file of unknown age goes with the next one that is too old" all 'is "$(wc -w <<<"$before")" 2' \
	'is "$(comm -12 <(sort <<<"$before") <(ls aged | sort))" ""' 'is "$(ls aged | wc -l)" 1'

full() {
	mkdir -p full
	mount -t tmpfs -o size=450k none full || return 1
	record -o full/d --plain --size 20K --keep 1G whole.log
	is $? 0 && each_checks full/d && checks full/d && [ "$(happened full/d | wc -l)" -lt "$(happened whole.log | wc -l)" ] &&
		equal <(happened full/d) <(happened whole.log | tail -n "$(happened full/d | wc -l)")
}
export -f full record is each_checks checks happened equal
export bcoslog
if unshare -rm true 2>/dev/null; then
	point "a full disk: the oldest files go" unshare -rm bash -c full
else
	n=$((n + 1))
	echo "ok $n - a full disk # SKIP nobody may have namespaces of his own here"
fi
# The ring of this device has what is not recorded yet, and some of what is.
"$make_log" to=600 >live1.log
"$make_log" from=500 to=1100 >live2.log
"$make_log" from=700 to=1100 >live3.log
"$make_log" from=500 to=600 >live4.log
"$make_log" to=1100 >live.log
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/fake_device.so" || exit 1
record -o live live1.log
# joined LOG: prints what happened, by the directory and a device with this log.
joined() {
	TZ=UTC BCOSLOG_RECORDED=$dir/live FAKE_LOG=$1 FAKE_STATUS=abi_version=1 ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$BUILD/tests/fake_device.so \
		"$bcoslog" dump --no-history --since "2023-11-14 22:13" 2>/dev/null | grep -v 'event 0xC00000'
}
point "recording and ring together, without a seam" equal <(joined live2.log) <(happened live.log)
point "a ring that has nothing new" equal <(joined live4.log) <(happened live1.log)
point "a ring that does not reach back to it: the gap is stated" all \
	'is "$(joined live3.log | grep -c "nothing is recorded of this time")" 1' \
	'equal <(joined live3.log | grep -v "nothing is recorded") <(cat <(happened live1.log) <(happened live3.log))'
point "without such a time the ring alone is read" is "$(BCOSLOG_RECORDED=$dir/live FAKE_LOG=live2.log FAKE_STATUS=abi_version=1 ASAN_OPTIONS=verify_asan_link_order=0 \
	LD_PRELOAD=$BUILD/tests/fake_device.so "$bcoslog" dump --no-history | grep -v 'event 0xC00000' | wc -l)" "$(happened live2.log | wc -l)"
"$make_log" to=600 boot=2 host=fir utc=1700001000 >live5.log
cp -r live next
record -o next live5.log
point "a ring of the next boot follows at its time by the wall clock" all \
	'is "$(joined live5.log | grep -c "another boot begins here, which is not recorded yet")" 1' \
	'joined live5.log | sort -c -s -n -k 1,1' \
	'equal <(joined live5.log | grep -v "another boot begins here") <(happened next | grep -v "another boot begins here")'

# The ring of another machine does not follow the recording that is read.
without_device() { TZ=UTC BCOSLOG_SOCKET=none BCOSLOG_RECORDED=$dir/boots "$bcoslog" "$@"; }
point "where nothing records now, what was recorded is read" all \
	'equal <(without_device dump -T --no-history --machine oak --boot -1 2>said) <(of boot1.log)' \
	'is "$(cat said)" "bcoslog: there is no /dev/bcos_evlog: reading $dir/boots, which ends at 2023-11-14 22:30:00"'
point "and where that ends for the machine that is chosen" all 'without_device dump --machine elm --last 1s 2>said >/dev/null' \
	'is "$(head -n 1 said)" "bcoslog: there is no /dev/bcos_evlog: reading $dir/boots, which ends at 2023-11-14 22:21:40"'
point "and nothing is begun for a boot that was" all '! BCOSLOG_SOCKET=none BCOSLOG_RECORDED=/none "$bcoslog" dump --boot -1 2>said' \
	'is "$(cat said)" "bcoslog: there is no file /none: check the name"'
foreign() {
	TZ=UTC BCOSLOG_RECORDED=$dir/boots FAKE_LOG=live2.log FAKE_STATUS=abi_version=1 ASAN_OPTIONS=verify_asan_link_order=0 \
		LD_PRELOAD=$BUILD/tests/fake_device.so "$bcoslog" dump -T --no-history --machine oak "$@" 2>/dev/null
}
point "another machine's ring is not joined to it" all 'equal <(foreign) <(of boots --machine oak)' \
	'equal <(foreign --boot 0) <(of boots --machine oak --boot 0)'

merge() { "$bcoslog" merge "$@" 2>>errors; }
merge two.log one.log >merged.log
point "two parts of a log that overlap are one, in whatever order" all 'checks merged.log' 'same merged.log whole.log'
merge whole.log small one.log >merged.log
point "what several have is there once" all 'checks merged.log' 'same merged.log whole.log'
merge boot2.log boot1.log >merged.log
point "boots follow each other" all 'checks merged.log' 'equal <(happened merged.log) <(happened --machine oak boots)'
merge one.log late.log >merged.log
point "what is in none of them is stated" all 'checks merged.log' \
	'is "$(happened merged.log | grep -c "the recording has nothing of the time before this")" 1'
point "two machines are not one" all '! "$bcoslog" merge boot1.log other.log >merged.log 2>said' \
	'is "$(cut -d, -f1 said)" "bcoslog: these are logs of two machines"' '[ ! -s merged.log ]'

# until_holds COMMAND...: repeats the command until it succeeds, for 20 s at most.
until_holds() {
	local tries
	for ((tries = 0; tries < 200; tries++)); do "$@" && return; sleep 0.1; done
	echo "it never came to this: $*"
	return 1
}
# bcoslog merge waits for the rest of a pipe, and gets the signal.
mkdir temporary; mkfifo open.fifo
empty() { [ -z "$(ls -A temporary)" ]; }
killed() {
	local merging
	TMPDIR=$dir/temporary "$bcoslog" merge open.fifo >merged.log 2>/dev/null 9>&- &
	merging=$!
	until_holds eval '! empty' || return 1
	kill "-$1" $merging
	wait $merging
	until_holds empty
}
exec 9<>open.fifo
point "merge leaves nothing behind when it is ended" killed TERM
point "nor when it is killed" killed KILL
exec 9>&-
# This pipe always has more than was read of it.
"$BUILD/tests/repeat_log" whole.log 40 >long.log
rm -f endless.fifo; mkfifo endless.fifo
endless() {
	local writer recorder rc
	while cat long.log; do :; done >endless.fifo 2>/dev/null &
	writer=$!
	"$bcoslog" record -o endless --interval 100ms - <endless.fifo 2>said &
	recorder=$!
	until_holds eval '[ -s endless/*.zst ]' || return 1
	kill -TERM $recorder
	until_holds eval "! kill -0 $recorder 2>/dev/null"; rc=$?
	kill -9 $recorder 2>/dev/null
	wait $recorder && [ $rc = 0 ]; rc=$?
	kill $writer; wait $writer 2>/dev/null
	[ $rc = 0 ] || cat said
	return $rc
}
point "a log that grows as fast as it is read: what is due is done" endless
rm -f long.log
# The journal, to which a service prints, may end and begin anew.
unread() {
	local recorder
	cp one.log growing.log
	rm -f printed.fifo; mkfifo printed.fifo
	"$bcoslog" record -f -o unread --interval 100ms growing.log >printed.fifo 2>said &
	recorder=$!
	: <printed.fifo
	until_holds eval '[ -s unread/*.zst ]' || { cat said; return 1; }
	cat two.log >>growing.log
	until_holds eval '[ "$(happened unread | tail -n 1)" = "$(happened whole.log | tail -n 1)" ]' || { cat said; return 1; }
	kill -TERM $recorder
	wait $recorder
}
"$make_log" from=60000 to=100000 >two.log
point "it goes on when nobody reads its standard output" unread

# The time of a step is 1000000 + 10000 times its number, in ns.
"$make_log" to=50000 kill=20000 kill=40000 say=30000,"disk on fire" >on.log
checks on.log || exit 1
# kept FOLDER CAUSE SINCE UNTIL: the folder has one file, which is named after the cause and has what happened in this
# time.
kept() {
	all "is $(files "$1") 1" "is \"$(echo "$1"/*-"$2".bcos.zst)\" \"$(echo "$1"/*.zst)\"" "each_checks $1" "begin_with_group $1" &&
		equal <(happened "$1") <(happened --since "$3" --until "$4" on.log)
}
on() { local to=$1; shift; record -o "$to" --before 1ms --after 2ms "$@" on.log >>said; }
on text --on 'text:on (fire|water)'
point "what happened around a text" kept text text 0.3 0.303
on severe --on 'severity>=error'
point "an error" kept severe severity-error 0.3 0.303
on signal --on signal:SIGSEGV --per-hour 1
point "a signal, and no more of them than in an hour" kept signal "signal-SIGSEGV-$(happened on.log | sed -n 's/.*Cancel.*process [0-9]* "\(.*\)": killed by SIGSEGV.*/\1/p' | head -n 1)" 0.2 0.203
"$bcoslog" record -o both --before 1ms --after 150ms --on signal:SIGSEGV --on text:fire on.log 2>/dev/null
point "what happens while another is kept is in the same file" all 'is "$(files both)" 1' \
	'equal <(happened both) <(happened --since 0.2 --until 0.551 on.log)'
printf '%s\n' '5 1 h-core 0 h:100 h:300 1000' '5 1 h-cpu 0 0' '0 0 h-process 0 "kernel"' '50 1 h-process 10 "ten"' \
	'900000000 1 process 11 "abcd\xff\xff\xff\xff"' '1000000000 1 end 10 0x80000028' '2000000000 1 process-event 0 0 b:0x40 "end"' >unnamed.txt
"$BUILD/tests/assemble" unnamed.txt >unnamed.log
"$bcoslog" record -o unnamed --on signal unnamed.log 2>/dev/null
point "a signal that has no name by its number" is "$(ls unnamed | cut -d- -f4-)" signal-40-ten.bcos.zst
point "one of another signal, and of another text" all '! [ -e none ] || is "$(files none)" 0' \
	'on none --on signal:SIGKILL --on text:water; is "$(files none)" 0'
"$bcoslog" record -o none --on 'severity>=error' unnamed.log 2>/dev/null
point "bytes of a name are no severity" is "$(files none)" 0
# A notice that something is missing stands between the two copies of the log.
"$BUILD/tests/repeat_log" one.log 2 >lossy.log
"$bcoslog" record -o lost --before 1ms --after 2ms --on loss lossy.log 2>/dev/null
point "a loss" all 'is "$(files lost)" 1' '[ -e lost/*-loss.bcos.zst ]' 'each_checks lost' 'is "$(happened lost | grep -c "missed some entries")" 1'
"$bcoslog" record -o never --on loss one.log 2>/dev/null
point "and none" is "$(files never)" 0
"$bcoslog" record -o any --before 1ms --after 2ms --per-hour 1 --on signal --on 'severity>=128' on.log 2>hourly
point "no more files than in an hour, and it is said what is not kept" all 'is "$(files any)" 1' \
	'is "$(grep -c "not kept, since 1 were in the last hour (--per-hour)" hourly)" 1'
on off --on 'offcpu:p3>1ms' --per-hour 1
point "a stretch without a CPU" all 'is "$(files off)" 1' '[ -e off/*-offcpu-p3.bcos.zst ]' 'each_checks off'
on run --on text:fire --exec 'printf "%s %s\n" >ran'
for _ in $(seq 100); do [ -s ran ] && break; sleep 0.1; done
point "a command gets the file and its cause" is "$(cat ran)" "$(echo run/*.zst) text"
point "it is said which" is "$(grep -c 'bcoslog: text: run/.*-text.bcos.zst$' errors)" 1
sed -i '/^bcoslog: \(text\|severity-error\|signal-SIGSEGV-p[0-9]\|offcpu-p3\): \(not kept, since 1 were in the last hour (--per-hour)$\|[a-z]*\/2\)/d; /more events\? \(is\|are\) not kept$/d' errors
point "nothing else was complained of" is "$(cat errors)" ""
echo "1..$n"
exit $status
