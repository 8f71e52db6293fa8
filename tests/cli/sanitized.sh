#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=900 spare=yes needs=sanitized
# Runs the golden cases again, with the tool that has ASan, UBSan and LSan: memory that is used after it was freed may
# still look right, and nobody sees memory that is never freed.
#
# The library of the fake device is loaded before the sanitizer.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
export BUILD=${BUILD:-${here%/tests/*}/build}
export BCOSLOG=$BUILD/sanitize/bcoslog ASAN_OPTIONS=detect_leaks=1:verify_asan_link_order=0
exec "$here/golden.sh" "$@"
