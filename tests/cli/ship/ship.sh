#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog ship sends what bcoslog sql says, to a server of this test that reads its bytes by the statements of --schema.
# test: timeout=300 rounds=12:100

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
here=$top/tests/cli/ship
[ -e "${bcoslog%/*}/bcoslog-ship" ] || { echo "bcoslog-ship was not built: there is no libcurl or no zlib"; exit 77; }
[ -e "${bcoslog%/*}/bcoslog-sql" ] || { echo "bcoslog-sql was not built: there is no libsqlite3"; exit 77; }
"${CC:-cc}" -D_GNU_SOURCE -shared -fPIC -O1 "$top/tests/cli/shim/faults.c" -o "$dir/faults.so" -ldl || exit 1
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here:$top/tests/cli/answers/lib" exec python3 "$here/ship.py" "$bcoslog" "$dir" "$dir/faults.so"
