#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: timeout=60
# The tables and columns of bcoslog sql and bcoslog ship are those of schema.abi: queries that somebody keeps still work.
#
# usage: tests/abi/schema.sh [--record]
#
# A recorded column stays, with its type and at its place. --record adds new ones to the list, and takes none out.

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../lib/tool.sh"
export LC_ALL=C
recorded=$top/tests/abi/schema.abi

[ -e "${bcoslog%/*}/bcoslog-sql" ] || { echo "bcoslog-sql was not built: there is no libsqlite3"; exit 77; }
[ -e "${bcoslog%/*}/bcoslog-ship" ] || { echo "bcoslog-ship was not built: there is no libcurl or no zlib"; exit 77; }

# asked: prints "table.column number type" for each column of bcoslog sql.
asked() {
	"$bcoslog" sql --schema --json | python3 -c '
import json, sys
count = {}
for line in map(json.loads, sys.stdin):
    if line["column"]:
        count[line["table"]] = count.get(line["table"], 0) + 1
        print(line["table"] + "." + line["column"], count[line["table"]], line["type"])'
}

# shipped: likewise of bcoslog ship, as "ship/table.column number type", and "ship/table key" with the columns of the key.
shipped() {
	"$bcoslog" ship --schema --dialect 18.16 | awk '
		/^CREATE TABLE/ { table = "ship/" $6; number = 0 }
		/^\t[a-z]/ { sub(/,$/, "", $2); print table "." $1, ++number, $2 }
		/^ORDER BY/ { sub(/;$/, ""); sub(/^ORDER BY /, ""); print table, $0 }'
}
schema() { { asked && shipped; } | sort; }

set -o pipefail
schema >"$dir/now" && [ -s "$dir/now" ] || { echo "Bail out! bcoslog sql --schema lists nothing"; exit 1; }
if [ "${1-}" = --record ]; then
	sort -u "$recorded" "$dir/now" -o "$recorded"
	exit
fi
# shellcheck disable=SC2317  # point calls them
gone() { ! comm -23 "$recorded" "$dir/now" | grep .; }
# shellcheck disable=SC2317
fresh() { ! comm -13 "$recorded" "$dir/now" | grep .; }
point "no column is gone, and none has another type or place" gone
point "nothing is new that was not recorded (tests/abi/schema.sh --record)" fresh
echo "1..$n"
exit "$status"
