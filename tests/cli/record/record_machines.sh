#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Several machines record in one directory: the files tell by the ID or the name which of them belong to which machine.
# The machines are namespaces with a host name and a /etc/machine-id of their own, which record a made-up log.
#
# test: cpus=1 timeout=120
#
# The oracle of the ID is Python's hmac; that of the files is written from bcoslog(5).

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
unshare -rmu true 2>/dev/null || { echo "nobody may have namespaces of his own here"; exit 77; }
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_log" "$BUILD/tests/fake_device.so" || exit 1
make_log=$BUILD/tests/make_log
cd "$dir" || exit 1

happened() { "$bcoslog" dump --no-history "$@" 2>/dev/null | grep -v 'event 0xC00000'; }
equal() {
	cat "$1" >equal.one
	cat "$2" >equal.two
	[ -s equal.one ] || { echo "there is nothing"; return 1; }
	cmp equal.one equal.two
}
is() { [ "$1" = "$2" ] || { echo "$1 in the place of $2"; return 1; }; }
all() { local command; for command; do eval "$command" || return 1; done; }
objects() { "$bcoslog" status --boots --json "$1" | sed -n "s/.*\"$2\":\"\\([^\"]*\\)\".*/\\1/p" | sort -u; }

# on NAME ID COMMAND...: runs a command on a machine of this name with this /etc/machine-id, or without one if ID is
# empty.
on() {
	local name=$1 id=$2
	shift 2
	printf '%s' "$id" >machine-id
	unshare -rmu sh -c 'echo $$ >pid && hostname "$1" && mount --bind machine-id /etc/machine-id && shift && exec "$@"' - "$name" "$@"
}
# last_of LOG: prints the time of the last entry of a log, in ns.
last_of() { happened "$1" | tail -n 1 | awk '{ print $1 }' | tr -d . | sed 's/^0*//'; }
# records NAME ID DIR LOG: the machine records into DIR what its device has, until all of it is there.
records() {
	local last tries
	last=$(last_of "$4")
	on "$1" "$2" env FAKE_LOG="$4" FAKE_STATUS=abi_version=1 LD_PRELOAD="$BUILD/tests/fake_device.so" \
		ASAN_OPTIONS=verify_asan_link_order=0 "$bcoslog" record -o "$3" --interval 50ms 2>>errors &
	for ((tries = 0; tries < 600; tries++)); do
		"$bcoslog" status --boots --json "$3" 2>/dev/null | grep -q "\"last\":$last," && break
		sleep 0.1
	done
	kill -TERM "$(cat pid)"
	wait $!
}
a=0123456789abcdef0123456789abcdef b=fedcba9876543210fedcba9876543210
id_of() {
	python3 - "$1" <<-'END'
		import hashlib, hmac, sys, uuid
		application = uuid.UUID("5c79b2fc-7f5f-42ac-8517-c12d6165e005").bytes
		print(uuid.UUID(bytes=hmac.digest(bytes.fromhex(sys.argv[1]), application, hashlib.sha256)[:16], version=4))
	END
}
id_a=$(id_of $a) id_b=$(id_of $b)

"$make_log" to=1200 host=oak >one.log
"$make_log" to=1500 host=oak utc=1700000500 >two.log
# The machines run at the same time; the clock of the second one is half a step late.
"$make_log" to=1300 host=oak from=300 >late.log
records oak $a two_oaks one.log
records oak $b two_oaks two.log
point "the ID is that of the machine, hashed" is "$(objects two_oaks machine_id)" "$(printf '%s\n' "$id_a" "$id_b" | sort)"
point "nothing tells of the raw one" all '! grep -rqi $a two_oaks' '! grep -rqP "\x01\x23\x45\x67\x89\xab\xcd\xef" two_oaks'
point "two machines of one name are two" all 'equal <(happened --machine "$id_a" two_oaks) <(happened one.log)' \
	'equal <(happened --machine "${id_b%%-*}" two_oaks) <(happened two.log)' \
	'is "$(objects two_oaks machine)" oak'
point "it is asked which one" all '! "$bcoslog" cat two_oaks >out 2>said' '[ ! -s out ]' \
	'is "$(sed "s/machines, .*: choose/machines: choose/" said)" "bcoslog: two_oaks has logs of several machines: choose one of them by --machine"' \
	'grep -q "oak (${id_a%%-*})" said && grep -q "oak (${id_b%%-*})" said'
# beside COMMAND...: prints what the command prints about each machine by itself, with its name, in order of time. A
# time is two words.
beside() {
	local id
	for id in "$id_a" "$id_b"; do
		TZ=UTC "$bcoslog" "$@" -T --machine "$id" both 2>/dev/null | sed "s/^/$(printf "%-16s " "oak (${id%%-*})")/"
	done | sort -s -k 3,4
}
records oak $a both one.log
records oak $b both late.log
point "dump shows both side by side" all 'TZ=UTC "$bcoslog" dump --no-history both >out' 'equal out <(beside dump --no-history)' \
	'is "$(cut -d" " -f 2 out | uniq | wc -l | awk "{ print (\$1 > 100) }")" 1'
point "text, too" all 'TZ=UTC "$bcoslog" text both >out' 'equal out <(beside text)' 'is "$(cut -d" " -f 2 out | sort -u | wc -l)" 2'
# asks COMMAND...: the command asks for a choice in one sentence, and prints nothing.
asks() {
	local end=': choose one of them'
	case " $* " in *' -f '*) end=', of which only one can be followed: choose it' ;; esac
	! timeout 60 "$bcoslog" "$@" both >out 2>said || return 1
	is "$(sed 's/machines, oak ([0-9a-f]*), oak ([0-9a-f]*)/machines/' said)" \
		"bcoslog: both has logs of several machines$end by --machine" && [ ! -s out ]
}
point "what shows one machine asks which" all 'asks text --csv' 'asks text --svg' 'asks top' 'asks around 1'
point "what follows says that it can follow one alone" all 'asks dump -f' 'asks text -f' 'asks cat -f' 'asks top -f'
point "as objects, with the machine" all '"$bcoslog" dump --json both >out' \
	'is "$(sed "s/.*\"machine_id\":\"\([^\"]*\)\".*/\1/" out | sort -u)" "$(printf "%s\n" "$id_a" "$id_b" | sort)"' \
	'is "$(python3 -c "import json, sys; [json.loads(line) for line in sys.stdin]" <out 2>&1)" ""'
# Each machine has more lines than its pipe holds.
ends_with_reader() {
	local status
	timeout -s KILL 60 "$bcoslog" dump --json two_oaks 2>/dev/null | head -n 1 >first
	status=${PIPESTATUS[0]}
	[ -s first ] && [ "$status" != 137 ] || { echo "status $status"; return 1; }
}
point "it ends with the program that reads it" ends_with_reader
point "the name alone does not tell" all '! "$bcoslog" dump --machine oak two_oaks 2>said' \
	'is "$(cat said)" "bcoslog: two_oaks has several machines \"oak\": choose one by its ID, as bcoslog status --boots lists it"'
point "the list is of the machine that is chosen" is \
	"$("$bcoslog" status --boots --machine "$id_a" two_oaks | sed 1d | awk '{ print $2 }' | sort -u)" "${id_a%%-*}"
point "one of them reads its own" equal <(on oak $b "$bcoslog" dump --no-history two_oaks 2>/dev/null | grep -v 'event 0xC00000') <(happened two.log)
point "their boots are in order of the wall clock" is \
	"$(TZ=UTC "$bcoslog" status --boots two_oaks | sed 1d | awk '{ print $1, $2, $3, $6 }' | tr '\n' ' ')" \
	"oak ${id_a%%-*} 0 22:13:20 oak ${id_b%%-*} 0 22:21:40 "
"$bcoslog" cat --machine "$id_a" two_oaks >a.log
point "two machines are not merged, and the parts of one are" all '! "$bcoslog" merge two_oaks >merged.log 2>said' \
	'is "$(cut -d, -f1 said)" "bcoslog: these are logs of two machines"' \
	'"$bcoslog" merge a.log one.log >merged.log' 'equal <(happened merged.log) <(happened one.log)'

# The bytes follow bcoslog(5): a header of 120 bytes, 40 bytes about the machine, and a note.
layout() {
	python3 - "$id_a" "$(ls -d two_oaks/*.zst | head -n 1)" <<-'END'
		import struct, sys, uuid
		data = open(sys.argv[2], "rb").read()
		def sum_of(part):
		    value = 0xCBF29CE484222325
		    for byte in part:
		        value = (value ^ byte) * 0x100000001B3 % 2**64
		    return value
		magic, size, word = struct.unpack("<II8s", data[120:136])
		assert (magic, size, word) == (0x184D2A5B, 32, b"BCOSmach"), (magic, size, word)
		assert data[136:152] == uuid.UUID(sys.argv[1]).bytes
		assert struct.unpack("<Q", data[152:160])[0] == sum_of(data[128:152])
		assert data[168:176] == b"BCOSnote"
		# The seek table has the size of each frame of the file.
		count, flags, end = struct.unpack("<IBI", data[-9:])
		assert end == 0x8F92EAB1 and not flags and count % 2
		sizes = [size for size, _ in struct.iter_unpack("<II", data[-9 - 8 * count:-9])]
		assert sizes[:2] == [120, 40] and sum(sizes) == len(data) - 9 - 8 * count - 8
	END
}
point "the file tells it where the manual says" layout
unread() {
	local file
	rm -rf unread; cp -r two_oaks unread
	for file in unread/*; do
		printf '\xAA' | dd of="$file" bs=1 seek="$1" conv=notrunc status=none
		[ "$2" = index ] || head -c -40 "$file" >cut && mv cut "$file"
	done
	equal <(objects unread machine_id) <(printf '%s\n' "$id_a" "$id_b" | sort)
}
point "the ID is found by the index, and without one" all 'unread 140 index' 'unread 0 index' 'unread 170 none'

# A log in a file does not tell the ID of its machine.
"$bcoslog" record -o older one.log 2>>errors
point "a file without an ID" all 'is "$(objects older machine)" oak' '[ -z "$(objects older machine_id)" ]' \
	'is "$(head -c 136 older/*.zst | tail -c 8)" BCOSnote'
"$make_log" to=1800 host=oak utc=1700000900 boot=2 >later.log
cp -r older upgraded
records oak $a upgraded later.log
point "is of the only machine of its name" all 'is "$(objects upgraded machine_id)" "$id_a"' \
	'is "$("$bcoslog" status --boots upgraded | sed 1d | awk "{ print \$2, \$3 }" | tr "\n" " ")" "${id_a%%-*} -1 ${id_a%%-*} 0 "'
cp -r older unclear
records oak $a unclear later.log
records oak $b unclear two.log
point "and of nobody where two machines have it" is \
	"$("$bcoslog" status --boots unclear | sed 1d | awk '{ print $2 }' | sort | tr '\n' ' ')" \
	"$(printf '%s\n' "${id_a%%-*}" "${id_b%%-*}" '?' | sort | tr '\n' ' ')"

# A machine that gets another name is still the same, so nothing is recorded twice.
"$make_log" to=1800 host=elm >more.log
records oak $a renamed one.log
records elm $a renamed more.log
point "a machine that is renamed goes on" all 'is "$(objects renamed machine)" elm' \
	'equal <(happened --machine elm renamed) <(happened more.log)'

# If a machine has no ID, the directory keeps a random one.
records ash '' without one.log
first=$(objects without machine_id)
records ash 'uninitialized' without more.log
records ash '' elsewhere one.log
point "where there is no ID, the directory keeps a random one" all '[ ${#first} = 36 ]' 'is "$(objects without machine_id)" "$first"' \
	'[ "$(objects elsewhere machine_id)" != "$first" ]'
point "nothing else was complained of" is "$(grep -v '^device: mask: \|reading /dev/bcos_evlog' errors)" ""
echo "1..$n"
exit $status
