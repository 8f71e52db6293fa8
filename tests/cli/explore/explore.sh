#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=300
# Tests the page of bcoslog explore in a browser, by explore/explore_test.py. HOSTILE=FOLDER gives other hostile logs,
# as for reports.sh.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
BUILD=${BUILD:-${here%/tests/*}/build}
command -v chromium chromium-browser google-chrome >/dev/null || { echo "no Chromium; scripts/deps explorer brings it"; exit 77; }
[ -s "$BUILD/explorer/explorer.html" ] || { echo "bcoslog is built without the explorer; scripts/deps explorer brings what is missing"; exit 77; }
exec python3 -B "$here/explore_test.py" "${BCOSLOG:-$BUILD/bcoslog}" "$BUILD/tests/assemble"
