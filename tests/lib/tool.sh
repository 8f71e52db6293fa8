# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Tests of the tool that are scripts source this file: it sets $top, $BUILD and $bcoslog, the tool, and brings points.
# $dir is a folder that is removed at the end.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
bcoslog=${BCOSLOG:-$BUILD/bcoslog}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
