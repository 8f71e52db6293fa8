#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=120:900
# Exports that nothing imports: each is read by a reader that is written from the format's page, and says what the log says.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
top=${here%/tests/*}
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
export PYTHONPATH=$here/readers PYTHONDONTWRITEBYTECODE=1
python3 "$here/hurt_log.py" "${ROUNDS:-3000}" >"$work/hurt" &&
	python3 "$here/hurt_log.py" 100 "${ROUNDS:-3000}" >"$work/crowd" || exit 1
# Those whose IDs all have names: what has none is nobody's to the account.
for log in again calls clock day devices late reports story twins woken; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$work/$log" || exit 1
done
for log in "$work"/*; do
	point "$(basename "$log")" python3 "$here/readers/small_read.py" "$bcoslog" "$log" chrome folded journald perfetto pprof
done
echo "1..$n"
exit $status
