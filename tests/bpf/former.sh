#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The recorder takes over the image that the former boot left, before it records the present boot: the seconds before the
# panic are then a boot of the recording.
#
# test: cpus=1 timeout=120

set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/make_image" >/dev/null || exit 1
cd "$dir" || exit 1
"$BUILD/tests/make_image" 50 >former.img
export BCOSLOG_SOCKET=$dir/socket BCOSLOG_IMAGE=$dir/former.img

# shellcheck disable=SC2317  # point calls them
record() { "$bcoslog" --engine bpf --for 500ms record -o "$1" 2>errors; }
# shellcheck disable=SC2317
says() { grep -q "$1" "$2" || { cat "$2"; return 1; }; }
# marks COUNT DIR: the former boot in DIR has the marks 0 to COUNT - 1, each once and in order.
# shellcheck disable=SC2317
marks() {
	"$bcoslog" text --boot -1 "$2" | grep -o 'mark [0-9]*' | cmp - <(seq -f 'mark %g' 0 $(($1 - 1)))
}

point "it records" record kept
point "and says that the former boot is recorded" says "the log of the former boot is recorded in kept" errors
point "every mark is there once, in order" marks 100 kept
"$bcoslog" text --boot -1 kept >former
point "and the text of the panic" says "Kernel panic - not syncing: for a test" former
point "and how it ended" says "panic: for a test" former
point "the recording passes the check" "$bcoslog" check kept
"$bcoslog" status --boots kept >boots
point "it has two boots" [ "$(wc -l <boots)" = 3 ]
point "of which it lists how the former ended, and no end of this one" [ "$(sed '1d;s/.*  //' boots | tr '\n' '|')" = "panic: for a test|-|" ]
point "as objects" [ "$("$bcoslog" status --boots --json kept | grep -o '"ended":[^,}]*' | tr '\n' '|')" = '"ended":"panic: for a test"|"ended":null|' ]
point "of one machine: the former has its number" says " -1  01234567-89ab-cdef-0123-456789abcdef" boots
point "a report of the seconds before the panic" "$bcoslog" top --last 10s --boot -1 kept
point "it records again" record kept
point "and every mark is there once still" marks 100 kept
# The recorder of another directory has less time than the takeover needs.
point "the time of --for is that of the present" eval '"$bcoslog" --engine bpf --for 1ns record -o short 2>errors; marks 100 short'
point "and the image is recorded then" says "the log of the former boot is recorded in short" errors
"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 "$top/tests/cli/shim/faults.c" -o faults.so || exit 1
# fails CALL: the first such call for the directory fails, as it does where the disk fails.
# shellcheck disable=SC2317
fails() {
	rm -rf unsafe
	FAULT=$1:1:EIO FAULT_FOLDER=$dir/unsafe ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$dir/faults.so record unsafe
	says "may not be in unsafe as a whole, so $dir/former.img stays" errors && ! grep -q "is recorded" errors
}
point "a disk that does not take the file" fails fdatasync
point "or its name: the image stays" fails fsync
point "the next recorder releases it" eval 'record unsafe; says "is recorded in unsafe" errors && marks 100 unsafe'
point "an image that is damaged" eval 'printf "\377" | dd of=former.img bs=1 seek=60 conv=notrunc 2>/dev/null; record other'
point "is left as it is, and that is said" says "the log of the former boot is not recorded: the image has a damaged header" errors
point "and the present boot is recorded" "$bcoslog" check other
rm former.img
point "no image, no word" eval 'record third && ! grep -q former errors'
echo "1..$n"
exit "$status"
