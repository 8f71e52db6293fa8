#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Questions in SQL and their answers, as tests/cli/answers/answers.sh runs them; `sql.sh NAME...` runs these cases alone.
# test: rounds=1:30 timeout=600

here=$(cd "$(dirname "$0")" && pwd -P)
[ -e "${BCOSLOG:-${BUILD:-$here/../../../build}/bcoslog}-sql" ] || { echo "bcoslog-sql was not built: there is no libsqlite3"; exit 77; }
CASES=$here exec "$here/../answers/answers.sh" "$@"
