#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: full-only=yes timeout=600
# The page of bcoslog explore opens a log of 1 GiB, and draws it within the budget of a frame: explore/large_test.py.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
BUILD=${BUILD:-${here%/tests/*}/build}
command -v chromium chromium-browser google-chrome >/dev/null || { echo "no Chromium; scripts/deps explorer brings it"; exit 77; }
[ -s "$BUILD/explorer/explorer.html" ] || { echo "bcoslog is built without the explorer; scripts/deps explorer brings what is missing"; exit 77; }
BUILD=$BUILD exec python3 -B "$here/large_test.py"
