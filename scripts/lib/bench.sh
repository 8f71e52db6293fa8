# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# scripts/bench sources this file: it adds programs to the guests, and writes the JSON.
#
# A file of results is one object, with a line about the measurement and then a line for each row, so that awk can read
# it.

# add_program ROOT PROGRAM PATH: adds a program and its libraries to the root of a guest.
add_program() {
	local root=$1 program=$2 path=$3
	mkdir -p "$root${path%/*}"
	cp -L "$program" "$root$path"
	ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
		cp -Ln "$library" "$root/bcos/" || exit
	done
	cp -Ln /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
}

# add_lttng ROOT LTTNG KERNEL: adds LTTng to the root of a guest. LTTNG is the folder that scripts/bench-lttng prints.
add_lttng() {
	local program libraries
	libraries=$(find "$2/root" -name 'lib*.so*' -printf '%h\n' | sort -u | tr '\n' ':')
	while read -r program; do
		LD_LIBRARY_PATH=$libraries add_program "$1" "$program" "${program#"$2/root"}"
	done < <(find "$2/root" -type f -path '*/bin/lttng*' -o -type f -name lttng-consumerd)
	mkdir -p "$1/lib" "$1/usr/share/xml"
	cp -r "$2/root/usr/share/xml/lttng" "$1/usr/share/xml/"
	cp -r "$2/$3/lib/modules" "$1/lib/"
}

field() { sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p" <<<"$2"; }

# Prints a short line for each measurement as soon as it arrives, and all other lines as they are.
progress() {
	local line
	while IFS= read -r line; do
		case $line in
		'{'*) note "$(field load "$line"): $(field what "$line"): $(sed -nE \
			's/.*"(instructions|ratio)":([-0-9.]+).*/\2/p; s/.*"missing":.*/missing/p' <<<"$line")" ;;
		*) echo "$line" ;;
		esac
	done
}

json_text() { sed 's/\\/\\\\/g; s/"/\\"/g; s/[[:cntrl:]]/ /g' <<<"$1"; }

# header KIND RELEASE NAME: begins the object, with the line about the measurement.
header() {
	local cpu emulator='' revision qemu=qemu-system-x86_64
	[[ $3 != *-arm64 ]] || qemu=qemu-system-aarch64
	revision=$(git -C "$ROOT" describe --always --dirty 2>/dev/null) || revision=$(sed -n 's/.*"\(.*\)"/\1/p' "$ROOT/module/version.h")
	cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
	[ "$1" = native ] || emulator=$("${QEMU:-$qemu}" --version | head -n 1)
	printf '{"kind":"%s","date":"%s","kernel":"%s","name":"%s","revision":"%s","cpu":"%s","cpus":%s,"emulator":"%s","rows":[\n' \
		"$1" "$(date -u +%F)" "$2" "$3" "$(json_text "$revision")" "$(json_text "$cpu")" "$(nproc)" "$(json_text "$emulator")"
}

# Prints the rows from standard input, and ends the object that header() has begun.
rows() { grep '^{' | sed '$!s/$/,/'; echo ']}'; }

# Replaces the guest's "missing" by the reason why a tracer is missing.
reasons() {
	local line reason
	while IFS= read -r line; do
		case $line in
		*'"missing":'*)
			case $(field variant "$line") in
			bpf-*) reason=$MISSING_BPF ;;
			perf) reason=$MISSING_PERF ;;
			lttng) reason=$MISSING_LTTNG ;;
			*) reason='' ;;
			esac
			[ -z "$reason" ] || line=${line%%\"missing\":*}"\"missing\":\"$(json_text "$reason")\"}"
			;;
		esac
		printf '%s\n' "$line"
	done
}

# worse REFERENCE FILE: prints a line for each figure of ours that is more than 5 % worse. A difference of two
# instructions does not count, since an interval itself varies by that.
worse() {
	awk -v percent=5 '
		function text(name) { return match($0, "\"" name "\":\"[^\"]*") ? substr($0, RSTART + length(name) + 4,
			RLENGTH - length(name) - 4) : "" }
		function number(name) { return match($0, "\"" name "\":[-0-9.]+") ? substr($0, RSTART + length(name) + 3,
			RLENGTH - length(name) - 3) + 0 : "" }
		/"kind":/ { kind = text("kind"); kernel = text("name"); release = text("kernel"); next }
		kind == "counted" && text("variant") ~ /^bcos/ && /"instructions":/ {
			key = kernel " " text("load") " " text("variant")
			if (FNR == NR) {
				cost[key] = number("instructions"); bytes[key] = number("bytes"); wakeups[key] = number("wakeups")
				next
			}
			compared++
			if (!(key in cost)) next
			judge("instructions", number("instructions"), cost[key], 2)
			if (bytes[key] != "") judge("bytes kept", number("bytes"), bytes[key], 0.5)
			if (wakeups[key] != "") judge("wake-ups a zone", number("wakeups"), wakeups[key], 0.5)
		}
		function judge(unit, now, before, slack) {
			if (before * percent / 100 > slack) slack = before * percent / 100
			if (now <= before + slack) return
			printf "%s on %s, %s: %.2f %s, and the reference has %.2f\n", text("load"), release, text("variant"),
				now, unit, before
			failed = 1
		}
		END { if (!compared) { print "nothing was compared"; failed = 1 } exit failed }' "$1" "$2"
}

# ---- native -------------------------------------------------------------------------------------------

# Converts the objects that a program prints, which may have several lines, to rows that are named after it.
native_row() {
	local name=$1
	shift
	BUILD=$BUILD "$@" | tr -d '\n' | sed 's/}[[:space:]]*{/}\n{/g' | sed "s/^[[:space:]]*{/{\"bench\":\"$name\",/" ||
		die "the benchmark ${1##*/} failed"
	echo
}

native_rows() {
	local tests=$BUILD/tests cpus processes
	for cpus in 1 2 4 8 16 32 64; do
		native_row writer "$tests/bench-writer" "$cpus" 200 4000000
	done
	for processes in 100 1000 10000 100000; do
		native_row writer "$tests/bench-writer" 2 "$processes" 4000000 100
	done
	# In this measurement all of the processes run in turn, which shows the effect of caches.
	native_row writer "$tests/bench-writer" 2 100000 4000000
	[ ! -x "$tests/bench-packets" ] || native_row packets "$tests/bench-packets"
	[ ! -x "$tests/bench-decode" ] || native_row decode "$tests/bench-decode"
	! have python3 || native_row convert python3 -B "$ROOT/tests/bench/convert.py"
	! have python3 || ! have babeltrace2 || native_row ctf python3 -B "$ROOT/tests/bench/ctf.py"
	if [ -s "$BUILD/explorer/explorer.html" ] && have chromium; then
		native_row explorer python3 -B "$ROOT/tests/bench/explorer.py"
		# This log has a size of 1 GiB.
		native_row explorer python3 -B "$ROOT/tests/bench/explorer.py" 44739242
	fi
	[ ! -x "$tests/bench-processor" ] || native_row processor "$tests/bench-processor"
}
