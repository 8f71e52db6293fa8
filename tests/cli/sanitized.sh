#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=300
# The golden cases again, by the tool with ASan and UBSan: what is used after it was freed may still look right.
#
# With the fake device the sanitizer is not what is loaded first, and what the tool leaves to its end is no leak.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
export BUILD=${BUILD:-${here%/tests/*}/build}
export BCOSLOG=$BUILD/sanitize/bcoslog ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
exec "$here/golden.sh" "$@"
