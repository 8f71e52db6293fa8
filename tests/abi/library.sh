#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The ABI of libbcoslog is what was recorded in library.abi: symbols with their versions, prototypes, structures,
# numbers.
#
# usage: tests/abi/library.sh [--record]
#
# A recorded symbol that is no longer there breaks programs, which is never right. --record adds new symbols to the
# list, and takes none out.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
export LC_ALL=C
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
recorded=$top/tests/abi/library.abi
library=$BUILD/libbcoslog.so
headers=("$top"/userspace/lib/include/*.h)

# symbols LIBRARY: prints the exported symbols with their versions.
symbols() { nm -D --defined-only --with-symbol-versions "$1" | awk '$3 ~ /^bcoslog_/ { sub(/@+/, " ", $3); print "symbol " $3 }'; }

# layouts: prints the sizes, offsets and numbers in the headers, with which programs were built.
layouts() {
	local kind name
	printf '#include "%s"\n' "${headers[@]##*/}" >"$dir/all.c"
	"${CC:-cc}" -g -fno-eliminate-unused-debug-types -I"$top/userspace/lib/include" -I"$top/module/uapi" -c "$dir/all.c" -o "$dir/all.o" ||
		return
	sed -n 's/^\(struct\|enum\) \([a-z_]*\) {$/\1 \2/p' "${headers[@]}" "$top"/module/uapi/*.h | sort -u | while read -r kind name; do
		pahole -C "$name" "$dir/all.o" | awk -v kind="$kind" -v name="$name" '
			kind == "enum" && $2 == "=" { sub(/,$/, "", $3); print "number " $1 " " $3 }
			kind == "struct" && /\/\* size: / { sub(/,$/, "", $3); print "struct " name " size " $3 }
			# One level: "type name; /* offset size */".
			kind == "struct" && /^\t[^\t].*;.*\/\* +[0-9]+ +[0-9]+ \*\/$/ {
				split($0, parts, ";"); sub(/ __attribute__.*/, "", parts[1])
				n = split(parts[1], words, /[ *\t]+/); member = words[n]
				if (parts[1] ~ /\(\*/) { member = parts[1]; sub(/.*\(\*/, "", member); sub(/\).*/, "", member) }
				print "struct " name "." member " " $(NF - 2) " " $(NF - 1)
			}'
	done
}

# prototypes: prints the prototypes, without the names of parameters, which are not part of the ABI.
prototypes() {
	pfunct -P "$library" 2>/dev/null | grep -oE '^[^(]*\bbcoslog_[a-z_]+\(.*' |
		sed 's/  */ /g; s/\* /*/g; s/);$//' | awk '
		{
			at = index($0, "(")
			n = split(substr($0, at + 1), parameters, / *, */)
			line = substr($0, 1, at)
			for (i = 1; i <= n; i++) {
				type = parameters[i]
				if ($0 !~ /\(\*/ && type ~ /\*/)
					sub(/[a-z_]*$/, "", type)
				else if ($0 !~ /\(\*/ && type ~ / / && type !~ / (int|long|char|short)$/ &&
					 (type !~ /^(const )?(struct|enum) / || type ~ / .* /))
					sub(/ [a-z_]*$/, "", type)
				line = line (i > 1 ? ", " : "") type
			}
			print "function " line ")"
		}' | sort -u | grep -Ff <(symbols "$library" | awk '{ print $2 "(" }')
}

# declared: prints the functions that the headers declare.
# shellcheck disable=SC2317,SC2020
declared() {
	"${CC:-cc}" -E -P -I"$top/userspace/lib/include" -I"$top/module/uapi" "$dir/all.c" | tr -d '\n' |
		tr ';}' '\n\n' |
		grep -v 'static inline' | grep -oE '\bbcoslog_[a-z_]+\([^)]*' | cut -d'(' -f1 | sort -u
}

now() { symbols "$library"; layouts; prototypes; }

# gone RECORDED NOW prints the lines that only RECORDED has, and fresh RECORDED NOW those that only NOW has.
# shellcheck disable=SC2317
gone() { comm -23 "$1" "$2"; }
# shellcheck disable=SC2317
fresh() { comm -13 "$1" "$2"; }
# shellcheck disable=SC2317  # point calls it
none() { [ -z "$("$@" | sed 's/^/# /' | tee /dev/stderr)" ]; }

make -s -C "$top/userspace" O="$BUILD" "$library" >/dev/null || exit 1
for tool in nm pahole pfunct; do
	command -v "$tool" >/dev/null || { echo "there is no $tool: scripts/deps test brings it"; exit 77; }
done
now | sort -u >"$dir/now"
sort -u "$recorded" >"$dir/recorded" || exit 1
if [ "${1-}" = --record ]; then
	none gone "$dir/recorded" "$dir/now" || { echo "these would break programs: nothing was recorded"; exit 1; }
	cp "$dir/now" "$recorded"
	exit
fi
if ! grep -q '^function ' "$dir/now"; then
	echo "# the library was built without -g: prototypes are not compared"
	sed -i '/^function /d' "$dir/recorded"
fi

point "nothing that was recorded is gone" none gone "$dir/recorded" "$dir/now"
point "nothing is new that was not recorded (tests/abi/library.sh --record)" none fresh "$dir/recorded" "$dir/now"
# shellcheck disable=SC2317
exports_all() {
	declared >"$dir/declared"
	[ "$(wc -l <"$dir/declared")" -gt 50 ] && none comm -23 "$dir/declared" <(symbols "$library" | cut -d' ' -f2 | sort)
}
point "each function that the headers declare is exported" exports_all
# shellcheck disable=SC2317
has_versions() { [ "$(symbols "$library" | grep -c ' BCOSLOG_[0-9.]*$')" = "$(symbols "$library" | wc -l)" ]; }
point "each symbol has a version" has_versions
# shellcheck disable=SC2317
nothing_else() { ! nm -D --defined-only "$library" | awk '$3 !~ /^(bcoslog_|BCOSLOG_0)/' | grep .; }
point "and nothing else is exported" nothing_else

# The comparison notices a symbol that is gone, another version, a member that moved, a number that changed and another
# type.
# shellcheck disable=SC2317
notices() { sed "$1" "$dir/now" | sort >"$dir/changed"; [ -n "$(gone "$dir/recorded" "$dir/changed")" ]; }
point "a symbol that went would be noticed" notices '/^symbol bcoslog_skip /d'
point "so would one of another version" notices 's/^symbol bcoslog_skip .*/symbol bcoslog_skip BCOSLOG_0.9/'
point "a member that moved" notices 's/^\(struct bcoslog_error.text.512.\) .*/\1 40 512/'
point "a number that changed" notices 's/^number BCOSLOG_STREAM 2/number BCOSLOG_STREAM 3/'
if grep -q '^function ' "$dir/now"; then
	point "a parameter of another type" notices 's/^function int bcoslog_wait(.*/function int bcoslog_wait(struct bcoslog *, long)/'
fi
echo "1..$n"
exit "$status"
