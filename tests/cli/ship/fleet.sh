#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog fleet lists machines of a directory, and of a server of this test; and queries that are installed name columns that there are.
# test: timeout=120

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
here=$top/tests/cli/ship
[ -e "${bcoslog%/*}/bcoslog-ship" ] || { echo "bcoslog-ship was not built: there is no libcurl or no zlib"; exit 77; }
unset http_proxy HTTP_PROXY all_proxy ALL_PROXY
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here:$top/tests/cli/answers/lib" exec python3 "$here/fleet.py" "$bcoslog" "$dir" "$top/userspace/examples"
