#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: full-only=yes timeout=1800 cpus=2 needs=nothing
# Module, library, BPF engine and tool are built for arm64: for Debian's kernel, and statically with Debian's libraries. The
# guest tests run what is built (make test-full).

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
unset ROOT MAKEFLAGS MAKELEVEL
SCRIPTS=$top/scripts
# shellcheck source=scripts/lib/common.sh
. "$top/scripts/lib/common.sh"
# shellcheck source=scripts/lib/cross.sh
. "$SCRIPTS/lib/cross.sh"
export BUILD

"$SCRIPTS/kernel" 6.12-arm64 >/dev/null || exit
module=$("$SCRIPTS/build-module" 6.12-arm64 W=1 KCFLAGS=-Werror 2>&1 | tail -n 1)
# shellcheck disable=SC2317  # point calls them
is_arm() { readelf -h "$1" 2>/dev/null | grep -q 'Machine: *AArch64'; }
point "the module builds without a warning" is_arm "$module"
point "the tool builds" cross_build "$top/userspace" STATIC=1
point "and is one for arm64" is_arm "$BUILD/arm64/guest/bcoslog"
# shellcheck disable=SC2317
has_engine() { grep -q -- -lbpf "$BUILD/arm64/static.libs"; }
point "with the BPF engine in it" has_engine
echo "1..$n"
exit "$status"
