#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=120:600
# Logs become streams of a kernel event logger, which a reader reads that follows the page of the format, and become
# logs again.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../../lib/convert.sh"
python3 "$convert/lib/hurt_log.py" "${ROUNDS:-3000}" >"$work/hurt" || exit 1
"$BUILD/tests/assemble" "$top/tests/cli/golden/reports.log" >"$work/reports" || exit 1

point "what a stream says is what the log says" python3 "$convert/readers/kel_read.py" "$bcoslog" "$work" "$work"/{hurt,reports}
echo "1..$n"
exit $status
