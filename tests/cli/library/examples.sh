#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The examples of userspace/examples are short, compile without a warning, and print what they promise.
#
# The expected output was computed by hand from the logs of tests/cli/golden.

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" >/dev/null || exit 1
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
for log in deaths reports types; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$dir/$log.log" || exit 1
done

# shellcheck disable=SC2317  # point calls them
is_short() { [ "$(wc -l <"$1")" -le 30 ]; }
# shellcheck disable=SC2317
compiles() {
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -I"$top/userspace/lib/include" -I"$top/module/uapi" "$1" -L"$BUILD" -lbcoslog \
		-Wl,-rpath,"$BUILD" -o "$dir/$(basename "$1" .c)"
}
for example in "$top"/userspace/examples/*.c; do
	name=$(basename "$example")
	point "$name has 30 lines at most" is_short "$example"
	point "$name compiles" compiles "$example"
	point "$name says how it is compiled" grep -q "cc $name \$(pkg-config --cflags --libs bcoslog)" "$example"
done

# prints EXPECTED COMMAND...: the command prints exactly the expected text.
# shellcheck disable=SC2317
prints() {
	local expected=$1
	shift
	diff -u <(printf '%s\n' "$expected") <("$@" 2>&1)
}
point "usage tells who had the CPUs" prints ' 0.800000000 s  ten
 0.200000000 s  kernel
 0.600000000 s  twenty
 0.000000000 s  thirty' "$dir/usage" "$dir/reports.log"
point "deaths tells whom a signal ended" prints '1.900000000  process 10 "ten": SIGKILL' "$dir/deaths" "$dir/reports.log"
point "deaths tells of whom the log does not name" prints '0.000000002  process 5 "": SIGKILL
0.000000003  process 6 "": SIGSEGV' "$dir/deaths" "$dir/deaths.log"
# shellcheck disable=SC2317
silent() { [ -z "$("$@" 2>&1)" ]; }
point "deaths leaves out who exited" silent "$dir/deaths" "$dir/types.log"
# shellcheck disable=SC2317
follows() { "$dir/follow" - < <(head -c 500 "$dir/types.log"; head -c 736 "$dir/types.log" | tail -c +501); }
point "follow prints the texts of a pipe" prints '0.000001060  hello
0.000001061  detail
0.000001090  hot
0.000001091  C1 for 5 ns' follows
for name in usage deaths follow; do
	point "$name says what is wrong" prints "$name: there is no file /none: check the name" "$dir/$name" /none
done
echo "1..$n"
exit "$status"
