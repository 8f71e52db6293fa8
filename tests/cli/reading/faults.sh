#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each system call of bcoslog top on a terminal, of bcoslog serve, of a command that asks a recorder, and of a recorder that
# is asked, fails once (cli/shim/faults.c). The command does what it always does, or says why not; it neither hangs nor
# dies, the terminal is as it was, and the next one who asks gets an answer. The program is faults.py;
# faults.sh WORDS chooses points by their titles.
#
# test: cpus=1 timeout=240:1800
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 "$top/tests/cli/shim/faults.c" -o "$dir/faults.so" -ldl || exit 1
"$BUILD/tests/assemble" "$top/tests/cli/golden/reports.log" >"$dir/reports.log" || exit 1
cd "$dir" && python3 -B "$top/tests/cli/reading/faults.py" "$bcoslog" "$dir" "$@"
