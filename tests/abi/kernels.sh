#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the module uses of the kernel has the same types in each kernel whose type information is at hand, among them this
# machine's own, for which no module can be built here: see kernels.py. What differs has to be known.
#
# test: needs=guest timeout=120
#
# A module that is built is required, for 6.12 or its real-time variant, whose headers have type information.

set -u
TREE=$(cd "$(dirname "$0")/../.." && pwd -P)
# shellcheck source=tests/lib/point.sh
. "$TREE/tests/lib/point.sh"
BUILD=${BUILD:-$TREE/build}

# skip REASON: ends the test.
skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

# types_of KERNEL: prints the file with the types of a kernel.
types_of() {
	find -L "$BUILD/kernels/$1/root/usr/src" -maxdepth 2 -name vmlinux -size +100k 2>/dev/null | head -n 1
}

type -P bpftool >/dev/null || skip "there is no bpftool"
for own in 6.12 6.12-rt; do
	module=$BUILD/modules/$own/bcos_evlog.ko types=$(types_of "$own")
	[ ! -e "$module" ] || [ -z "$types" ] || break
	types=''
done
[ -n "$types" ] || skip "no module is built for 6.12, whose types are known: make KERNELS=6.12"
for other in 6.12 6.12-rt this; do
	case $other in
	this) file=/sys/kernel/btf/vmlinux name="this machine's $(uname -r)" ;;
	*) file=$(types_of "$other") name=$other ;;
	esac
	[ "$other" != "$own" ] && [ -n "$file" ] && [ -r "$file" ] || continue
	point "$own and $name have the same types, but for what is known" \
		"$TREE/tests/abi/kernels.py" "$module" "$types" "$file" "$TREE/module/core/capture/hook.h"
done
[ "$n" -gt 0 ] || skip "no other kernel tells its types"
echo "1..$n"
exit "$status"
