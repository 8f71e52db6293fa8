#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog serve with the module's device, in a guest: explore/serve_in_guest asks it by HTTP, and compares totals.
#
# test: timeout=600 needs=guest

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
BCOSLOG=${BCOSLOG:-$BUILD/bcoslog}
kernel=${KERNEL:-6.12}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

said=$("$BCOSLOG" serve /dev/null --listen 192.0.2.999 2>&1)
case $said in
*"built without"* | *"not installed"*) echo "$said"; exit 77 ;;
esac
"$top/scripts/kernel" "$kernel" >/dev/null || exit
# shellcheck disable=SC2086  # several arguments
"$top/scripts/build-module" "$kernel" ${MODULE_FLAGS:-} >/dev/null || exit
make -s -C "$top/tests" O="$BUILD" static-bcoslog >/dev/null || exit 1

# No static program serves, so the guest gets the other one with the libraries that it needs.
server=${BCOSLOG%/*}/bcoslog-serve
arguments=(--add "$server:bcoslog-serve")
while read -r library; do
	case $library in */ld-linux*) arguments+=(--add "$library:$library") ;; *) arguments+=(--add "$library:/lib/") ;; esac
done < <(ldd "$server" | sed -nE 's/.*[[:space:]](\/[^ ]+) \(0x.*/\1/p' | sort -u)
# Programs that the test does not need would lengthen the boot.
for program in "$BUILD"/guest/*; do
	[ "${program##*/}" = bcoslog ] || arguments+=(--without "${program##*/}")
done
# With one CPU the emulator has no other that could replace code which it translates (scripts/lib/stale-code.sh).
"$top/scripts/guest" --kernel "$kernel" --cpus 1 --memory 512 --timeout 120 --console "$dir/console" --insmod '' "${arguments[@]}" \
	--add "$top/tests/cli/explore/serve_in_guest" -- ./serve_in_guest || { tail -n 20 "$dir/console" | sed 's/^/# /'; exit 1; }
