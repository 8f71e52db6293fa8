#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The core compiles for arm64 without a warning. A CPU that stages a record sets its mark, and all CPUs see the mark
# before it reads the clock: this takes dsb, since dmb is not enough (module/core/raw/stage.h). The compiled code is not
# run.
#
# test: needs=nothing
cd "$(dirname "$0")/../.." || exit 1
CC=${ARM64_CC:-aarch64-linux-gnu-gcc}
if ! command -v "$CC" >/dev/null; then
	echo "no compiler for arm64: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross brings $CC"
	exit 77
fi
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
flags="-std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror"
flags="$flags -Imodule -Imodule/uapi"
bad=0
files=(module/core/*/*.c)
echo "1..$((${#files[@]} + 2))"
n=0

# point VERDICT TEXT: prints a TAP point, which has passed if VERDICT is 0.
point() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; fi
}

for file in "${files[@]}"; do
	# shellcheck disable=SC2086
	$CC $flags -c -o "$dir/object.o" "$file"
	point $? "$file compiles"
done

cat >"$dir/put.c" <<'END'
#include "core/raw/stage.h"
#include "core/merge/merge.h"

static u64 counter(void)
{
	u64 value;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(value));
	return value;
}

void put(struct bcos_stage *stage)
{
	bcos_stage_touch(stage, counter);
}

u64 marked(struct bcos_stage *stage)
{
	WRITE_ONCE(stage->mark, 1);
	host_barrier_before();
	return counter();
}

u32 look(struct bcos_stage *stage)
{
	u64 now = counter();

	host_barrier_after(now);
	return smp_load_acquire(&stage->mark);
}
END
# shellcheck disable=SC2086
$CC $flags -S -o "$dir/put.s" "$dir/put.c"
[ "$(sed -n '/^marked:/,/ret/p' "$dir/put.s" | grep -oE '\b(dsb|isb|mrs|str)\b' | tr '\n' ' ')" = "str dsb isb mrs " ]
point $? "between the mark and the clock are dsb and isb"
[ "$(sed -n '/^look:/,/ret/p' "$dir/put.s" | grep -oE '\b(isb|mrs|dmb|ldar)\b' | tr '\n' ' ')" = "isb mrs isb dmb ldar " ]
point $? "between the clock and the look at the mark are isb and dmb"
exit $bad
