#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=1000:100000 timeout=120:1200
# The library of KernelShark loads trace.dat files that bcoslog convert writes.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
cd "$work" || exit 1

read -ra flags <<<"$(pkg-config --cflags --libs libkshark 2>/dev/null || echo "-I/usr/include/kernelshark -lkshark")"
if ! cc -Wall -Werror "$convert/readers/kshark_read.c" -o reader "${flags[@]}" 2>errors; then
	grep -q 'libkshark.h\|json.h\|-lkshark' errors || { cat errors; exit 1; }
	echo "the library of KernelShark is missing: install libkshark-dev and libjson-c-dev"
	exit 77
fi

# shellcheck disable=SC2317  # called by point
is_shown() {
	"$bcoslog" convert -t trace-cmd "$1" -o "$1.dat" 2>errors && ./reader "$1.dat" >"$1.entries" 2>errors || { cat errors; return 1; }
	python3 "$convert/readers/kshark_counts.py" "$1" "$1.entries"
}

for log in again calls clock devices losses overtaken reports story twins woken; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$log" || exit 1
	point "$log: KernelShark shows the same switches, times, names and events" is_shown "$log"
done
python3 "$convert/lib/hurt_log.py" "${ROUNDS:-1000}" >hurt || exit 1
point "a log that hurts: KernelShark shows the same" is_shown hurt
echo "1..$n"
exit $status
