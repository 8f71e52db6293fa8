#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests `make` and `make install` where headers are missing, and that modules are installed where `uname -r` says.
#
# The headers are made up: their tree "builds" a module, and calls its release what Debian's 6.1 calls its own. The tool
# and the library are those of $BUILD.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset KDIR MAKEFLAGS MAKELEVEL ROOT

readonly RELEASE=6.1.0-56-made-up
mkdir -p "$work/bin" "$work"/headers/include/{config,generated} "$work/build"
# uname reports a release that has no headers, whatever headers this machine has.
printf '#!/bin/sh\n[ "$1" != -r ] || { echo %s; exit; }\nPATH=${PATH#*:} exec uname "$@"\n' "$RELEASE" >"$work/bin/uname"
chmod +x "$work/bin/uname"
echo 6.1.192 >"$work/headers/include/config/kernel.release"
echo "#define UTS_RELEASE \"$RELEASE\"" >"$work/headers/include/generated/utsrelease.h"
printf 'modules:\n\t@printf "vermagic=%s SMP\\0" >$(M)/bcos_evlog.ko; touch $(M)/Module.symvers\n' "$RELEASE" >"$work/headers/Makefile"
# The builds use the files that are built already.
cp -a "$BUILD"/{bpf,explorer} "$BUILD"/bcoslog* "$BUILD"/libbcoslog.* "$work/build/"
# Objects of sanitized and static programs are not made here.
mkdir "$work/build/obj"
cp -a "$BUILD"/obj/[!s]* "$work/build/obj/"

# makes ARG...: runs make, and sets code and told.
makes() {
	code=0
	told=$(PATH=$work/bin:$PATH make -C "$top" O="$work/build" "$@" 2>&1) || code=$?
}

# point calls these functions. Each of them prints what make has said if something is not as it should be.
# shellcheck disable=SC2317
ended() {
	[ "$code" = 0 ] && [ "$1" = well ] || { [ "$code" != 0 ] && [ "$1" = ill ]; } || { echo "exit status $code"; echo "$told"; false; }
}
# shellcheck disable=SC2317
said() { [ "$(grep -c -- "$1" <<<"$told")" = 1 ] || { echo "$told"; false; }; }

makes
point "without headers make does the rest" ended well
point "and says what it left out" said "there are no headers of this kernel in /lib/modules/$RELEASE/build, so the module is left out"
makes module
point "make module cannot" ended ill
point "and says so in a sentence" said "there is no /lib/modules/$RELEASE/build: install the headers"
makes KDIR="$work/none"
point "nor make, if it is told where headers are" ended ill
point "and there are none" said "there is no $work/none: install the headers"
makes DESTDIR="$work/bare" PREFIX=/usr install
point "without headers the rest is installed" ended well
point "with a word about it" said "no headers for the kernel $RELEASE, so its module is left out"
point "the tool is there" test -x "$work/bare/usr/bin/bcoslog"
point "and no module" test ! -e "$work/bare/lib/modules"

makes KDIR="$work/headers"
point "with headers there is a module" ended well
point "where uname -r leads" test -f "$work/build/modules/$RELEASE/bcos_evlog.ko"
makes KDIR="$work/headers" DESTDIR="$work/root" PREFIX=/usr install
point "it is installed" ended well
point "for that kernel" test -f "$work/root/lib/modules/$RELEASE/updates/bcos_evlog.ko"
makes DESTDIR="$work/root" PREFIX=/usr uninstall
point "and removed" test ! -e "$work/root/lib/modules/$RELEASE/updates/bcos_evlog.ko"
printf 'modules:\n\t@echo "error: no such thing"; false\n' >"$work/headers/Makefile"
rm -r "$work"/build/{ko,modules}
makes KDIR="$work/headers" DESTDIR="$work/root" PREFIX=/usr install
point "a module that does not build" ended ill
point "is none of the things that may be missing" said "bcos_evlog does not build for $RELEASE"
makes KDIR="$work/headers" DESTDIR=/proc/none PREFIX=/usr install
point "what cannot be written fails" ended ill
told=$("$top/scripts/install" --module "$work/headers/Makefile" --destdir "$work/root" 2>&1)
code=$?
point "so does what is no module" ended ill
echo "1..$n"
exit "$status"
