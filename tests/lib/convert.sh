# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# The tests in tests/convert source this file. It sets $here (the folder of the test), $top, $convert (tests/convert),
# $BUILD and $bcoslog (the tool), makes a folder $work, which is removed at the end, and sources point.sh.

here=$(cd "$(dirname "$0")" && pwd -P)
top=${here%/tests/*}
convert=$top/tests/convert
BUILD=${BUILD:-$top/build}
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONPATH=$convert/readers:$convert/lib PYTHONDONTWRITEBYTECODE=1
