#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog recover takes the log out of compressed dumps, as kdump's makedumpfile writes them, and says what they lack.
# pack_dump.py writes them by the format's description.
#
# test: timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_image" >/dev/null || exit 1
pack=$top/tests/cli/recover/pack_dump.py
cd "$dir" || exit 1
"$BUILD/tests/make_image" 50 5008 >image

# dump PACKING OPTION...
dump() { python3 "$pack" "$1" 5008 "${@:2}" <image >dump; }
# recovers STATUS: recover ends with this status, and the log has each mark once, in order.
recovers() {
	local status=0
	"$bcoslog" recover dump -o log 2>said || status=$?
	[ "$status" = "$1" ] || { echo "status $status:"; cat said; return 1; }
	"$bcoslog" check -q log && "$bcoslog" text log | grep -o 'mark [0-9]*' | cmp - <(seq -f 'mark %g' 0 99)
}
packs() { dump "$@" && recovers 0; }
says() { grep -qF -- "$1" said || { cat said; return 1; }; }
# refuses TEXT: recover ends with status 2, and says this in one sentence.
refuses() {
	local status=0
	"$bcoslog" recover dump >log 2>said || status=$?
	[ "$status" = 2 ] && [ "$(wc -l <said)" = 1 ] && [ ! -s log ] && says "$1" || { echo "status $status"; cat said; return 1; }
}
quiet() { ! grep "zeros" said; }

point "pages that are not packed" packs none
point "nothing is said to be missing" quiet
for packing in zlib lzo snappy zstd; do
	dump "$packing" 2>said
	case $? in
	0) if "$bcoslog" recover dump 2>&1 >log | grep -q "without which this bcoslog was built"; then
		echo "# this bcoslog was built without $packing"
		point "the library of $packing is lacking, and another way is named" refuses "makedumpfile -c dump FILE compresses them anew by zlib"
	else
		point "pages that $packing has packed" packs "$packing"
	fi ;;
	77) echo "# $(cat said)" ;;
	*) point "pages that $packing packs" cat said ;;
	esac
done
point "other commands read the dump themselves" eval 'dump zlib && "$bcoslog" text dump | grep -o "mark [0-9]*" | cmp - <(seq -f "mark %g" 0 99)'
point "pages of zeros that are one page" packs zlib once
point "nothing is said to be missing then" quiet
point "pages of zeros that are not there" packs zlib without
point "it says that they count as zeros" says "which count as zeros: makedumpfile -d leaves out such pages"
point "how many" says "of $(($(stat -c %s image) / 4096)) pages of the image, the dump does not have"
point "one map, and the number of pages in the first header" packs zlib one-map version=5
point "pages of 64 KiB" packs zlib long
# Memory of others: random pages, and zeros, of which there are many.
{ head -c 40960 /dev/urandom; head -c 163840 /dev/zero; cat image; } >memory
point "more memory than the image" eval 'python3 "$pack" zlib 4958 once <memory >dump && recovers 0'
point "a page that is not the image's and cannot be searched" eval 'python3 "$pack" zlib 4958 once odd=3 <memory >dump && recovers 1'
point "it says that a newer image may begin there" says "among which a newer image may begin"
# snappy has 4, and no bcoslog is built with it.
point "one that a library would be needed for is no reason to refuse the others" eval 'python3 "$pack" zlib 4958 once odd=3 way=4 <memory >dump && recovers 1'
point "and a newer image may begin there, too" says "among which a newer image may begin"
point "a dump that was not written to its end is read" eval 'dump zlib status=8; recovers 1'
point "and it is said" says "not written to its end"
dump none; truncate -s -20000 dump
point "a copy that is cut off" eval '! recovers 0'
point "is known as one" says "the file ends 20480 bytes before its memory does"
# The last page of the ring of the kernel's log has nothing.
dump zlib damage=$(($(stat -c %s image) / 4096 - 1))
point "a damaged page counts as zeros" recovers 1
point "and it is said" says "pages of the image are damaged in this compressed dump"
dump zlib damage=0
point "a damaged page in which the image begins" refuses "of which pages are damaged"
dump zlib part
point "a part of a split dump" refuses "makedumpfile --reassemble"
for more in 100 60000; do
	dump zlib twice="$more"
	point "descriptors that claim more than the file has: $more" refuses "its pages claim more than the file has"
done
dump zlib; printf '\1' | dd of=dump bs=1 seek=429 conv=notrunc 2>said
point "pages of another size" refuses "no dump of a 64-bit machine"
dump zlib; printf '\377' | dd of=dump bs=1 seek=4195 conv=notrunc 2>said
point "more memory than the map has bits" refuses "the map of its pages"
echo "1..$n"
exit "$status"
