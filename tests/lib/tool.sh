# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Test scripts of the tool source this file. It sets $top, $BUILD and $bcoslog (the tool), makes a folder $dir, which is
# removed at the end, and sources point.sh.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
