#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=120
# Tests bcoslog serve: what it answers to whom, and its page in a browser, by explore/serve_test.py.
# HOSTILE=FOLDER gives other hostile logs, as for reports.sh.

set -u
here=$(cd "$(dirname "$0")" && pwd -P)
BUILD=${BUILD:-${here%/tests/*}/build}
BCOSLOG=${BCOSLOG:-$BUILD/bcoslog}
said=$("$BCOSLOG" serve /dev/null --listen 192.0.2.999 2>&1)
case $said in
*"built without"* | *"not installed"*) echo "$said"; exit 77 ;;
esac
exec python3 -B "$here/../explore/serve_test.py" "$BCOSLOG" "$BUILD/tests/assemble" "$here/../golden"
