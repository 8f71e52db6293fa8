#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every compiler of this machine compiles the headers of the ABI alone, as C and as C++, without a warning.
# layout_test.c is compiled for a 32-bit machine and as C++, too.
#
# test: needs=nothing

set -u
TESTS=$(cd "$(dirname "$0")/.." && pwd -P)
UAPI=${TESTS%/*}/module/uapi
INCLUDE=/usr/include/$(gcc -print-multiarch 2>/dev/null)
# shellcheck source=tests/lib/point.sh
. "$TESTS/lib/point.sh"

absent() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

have() { command -v "$1" >/dev/null 2>&1; }

# alone COMPILER ARG...: compiles, for each header, a file that includes it twice and nothing else.
# shellcheck disable=SC2317  # point calls it
alone() {
	local header
	for header in bcos_evlog.h bcos_image.h bcos_message.h; do
		printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
			"$@" -Wall -Wextra -Werror -I"$UAPI" -fsyntax-only - || return
	done
}

for cc in gcc clang; do
	for std in c99 c11 gnu11; do
		if have "$cc"; then point "$cc -std=$std" alone "$cc" -xc "-std=$std"; else absent "$cc -std=$std" "no $cc"; fi
	done
	if have "$cc"; then point "$cc -pedantic" alone "$cc" -xc -std=c99 -pedantic; else absent "$cc -pedantic" "no $cc"; fi
done
for cxx in g++ clang++; do
	for std in c++11 c++20; do
		if have "$cxx"; then point "$cxx -std=$std" alone "$cxx" -xc++ "-std=$std"; else absent "$cxx -std=$std" "no $cxx"; fi
	done
	if have "$cxx"; then
		point "layout, $cxx" "$cxx" -xc++ -std=c++11 -Wall -Wextra -Werror -I"$UAPI" -fsyntax-only "$TESTS/abi/layout_test.c"
	else
		absent "layout, $cxx" "no $cxx"
	fi
done
if echo 'int x;' | gcc -m32 -xc -fsyntax-only - 2>/dev/null; then
	point "layout, 32-bit" gcc -m32 -std=gnu11 -Wall -Wextra -Werror -I"$UAPI" -I"$INCLUDE" -fsyntax-only "$TESTS/abi/layout_test.c"
else
	absent "layout, 32-bit" "this gcc cannot compile for 32-bit machines"
fi
echo "1..$n"
exit "$status"
