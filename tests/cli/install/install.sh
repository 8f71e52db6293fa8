#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# An installation is complete: a program compiles with the installed headers, links to the installed library and runs.
# Removing the installation leaves nothing.
#
# The tool and the library are those of $BUILD.

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# shellcheck disable=SC2317  # point calls it
needs() { pkg-config --with-path="$root/usr/lib/pkgconfig" --define-variable=prefix="$root/usr" --define-variable=libdir="$root/usr/lib" "$@" bcoslog; }

# shellcheck disable=SC2317
compiles() {
	local flags
	read -ra flags <<<"$(needs --cflags --libs)"
	printf '%s\n' '#include <stdio.h>' '#include <bcoslog.h>' '#include <bcoslog_bpf.h>' '#include <bcoslog_collector.h>' '#include <bcos_evlog.h>' \
		'int main(void) { puts(bcoslog_version()); return !bcoslog_type_name(0x10); }' >"$root/uses.c"
	"${CC:-cc}" -Wall -Werror "$root/uses.c" "${flags[@]}" -Wl,-rpath,"$root/usr/lib" -o "$root/uses" &&
		[ "$("$root/uses")" = "$("$BUILD/bcoslog" --version | sed 's/.* //')" ]
}

# compiles_static: the program runs without the shared library.
# shellcheck disable=SC2317
compiles_static() {
	local flags
	read -ra flags <<<"$(needs --static --cflags --libs)"
	flags=("${flags[@]/#-lbcoslog/-l:libbcoslog.a}")
	"${CC:-cc}" -Wall -Werror "$root/uses.c" "${flags[@]}" -o "$root/uses" && "$root/uses" >/dev/null &&
		[ "$(needs --modversion)" = "$("$root/uses")" ]
}

# shellcheck disable=SC2317
is_empty() { [ -z "$(find "$root" -path "$root/uses*" -o -type f -print -o -type l -print)" ]; }

make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
point "it installs" env BUILD="$BUILD" "$top/scripts/install" --module '' --prefix /usr --destdir "$root"
# shellcheck disable=SC2317
has_all() {
	local file
	for file in lib/systemd/system/bcos-record.service lib/systemd/system/bcos-record-bpf.service lib/sysusers.d/bcos_evlog.conf lib/tmpfiles.d/bcos_evlog.conf \
		lib/modprobe.d/bcos_evlog.conf share/bcoslog/python/bcoslog/query.py share/doc/bcoslog/examples/usage.c \
		include/bcos_message.h include/bcoslog_archive.h share/man/man1/bcoslog-doctor.1 share/man/man3/libbcoslog.3 share/bash-completion/completions/bcoslog; do
		[ -s "$root/usr/$file" ] || { echo "there is no /usr/$file"; return 1; }
	done
	[ -s "$root/lib/udev/rules.d/60-bcos_evlog.rules" ] && [ ! -e "$root/usr/lib/modules-load.d" ] &&
		grep -q '^ExecStart=/usr/bin/bcoslog record ' "$root/usr/lib/systemd/system/bcos-record.service" &&
		! grep -rl '@[A-Z]*@' "$root"/usr/lib/systemd "$root"/usr/lib/pkgconfig
}
point "all that belongs to it is there, and nothing that loads a module that is not" has_all
point "a program that uses it compiles and runs" compiles
point "so does one that has the library in it" compiles_static
point "the tool runs" "$root/usr/bin/bcoslog" --version
point "and starts the program for conversions" "$root/usr/bin/bcoslog" convert --help
mv "$root/usr/libexec/bcoslog-convert" "$root/usr/libexec/away"
# shellcheck disable=SC2317
names_package() {
	local output
	if output=$("$root/usr/bin/bcoslog" "$@" 2>&1); then return 1; fi
	diff <(echo "$output") <(echo "bcoslog: bcoslog-convert, which has this command, is not installed: install the package bcoslog-convert, or run make install")
}
point "without that, a conversion names its package" names_package convert -t fxt /dev/null -o "$root/never"
point "so does its help" names_package bridge --help
point "and the list of all commands has it" grep -q '^  convert ' <("$root/usr/bin/bcoslog" help)
mv "$root/usr/libexec/away" "$root/usr/libexec/bcoslog-convert"
# A user may not open the device: opening the fake device fails. A program in the place of bcoslog-read says how it is asked.
# shellcheck disable=SC2317
is_asked() {
	local error=$1 expected=$2 output
	shift 2
	printf '%s\n' '#!/bin/sh' 'echo "asked: $*" >&2; exit 5' >"$root/usr/libexec/bcoslog-read"
	output=$(FAKE_STATUS="error.open=$error" LD_PRELOAD=$BUILD/tests/fake_device.so "$root/usr/bin/bcoslog" "$@" 2>&1 | head -n 1)
	[ "$output" = "$expected" ] || { echo "$output"; return 1; }
}
# shellcheck disable=SC2317
mode() { [ "$(stat -c %a "$root$1")" = "$2" ] || { stat "$root$1"; return 1; }; }
point "everybody may run it" mode /usr/bin/bcoslog 755
point "but not the program that opens the device" mode /usr/libexec/bcoslog-read 750
point "which is bcoslog-read" cmp "$BUILD/bcoslog-read" "$root/usr/libexec/bcoslog-read"
point "who may not read the device has it opened" is_asked 13 "asked: " text --severity error
point "also by the device's name" is_asked 1 "asked: " dump /dev/bcos_evlog
point "who may not change it is told so" is_asked 13 "$(FAKE_STATUS=error.open=13 LD_PRELOAD=$BUILD/tests/fake_device.so \
	"$BUILD/bcoslog" mask +idle 2>&1)" mask +idle
point "a file is not opened by it" is_asked 13 "bcoslog: there is no file /none: check the name" dump /none
point "it is removed" env BUILD="$BUILD" "$top/scripts/install" --remove --prefix /usr --destdir "$root"
point "and nothing is left" is_empty
# installs_less: libraries were missing for the commands that are programs of their own.
# shellcheck disable=SC2317
installs_less() {
	mkdir "$root/build" && ln -s "$BUILD"/* "$root/build" && rm -f "$root/build"/bcoslog{-serve,-ship,-sql,_sqlite.so} || return 1
	BUILD=$root/build "$top/scripts/install" --module '' --prefix /usr --destdir "$root/less" &&
		[ -L "$root/less/usr/lib/libbcoslog.so" ] && [ ! -e "$root/less/usr/lib/systemd/system/bcos-ship.service" ] &&
		! grep -rl '@[A-Z]*@' "$root"/less/usr/lib/systemd "$root"/less/usr/lib/pkgconfig
}
point "a build without the programs of some commands installs, too" installs_less
echo "1..$n"
exit "$status"
