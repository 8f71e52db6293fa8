#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Recordings of earlier versions can still be read. record/older/ has files that an earlier bcoslog recorded of the log
# cli/golden/types.log, in hexadecimal. At that time no file told the ID of its machine.
#
# test: cpus=1 timeout=60
#
# The oracle is the log itself.

# shellcheck disable=SC2317  # point calls the functions
set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" "$BUILD/tests/unhex" || exit 1
cd "$dir" || exit 1

"$BUILD/tests/assemble" "$top/tests/cli/golden/types.log" >types.log
happened() { "$bcoslog" dump --no-history "$1" 2>said | grep -v 'event 0xC00000'; }
reads() {
	happened "$1" >dumped
	happened types.log >wanted
	[ -s wanted ] && cmp dumped wanted && [ ! -s said ] && "$bcoslog" check "$1" >/dev/null
}
for file in "$top"/tests/cli/record/older/*.hex; do
	name=$(basename "$file" .hex)
	mkdir "$name"
	"$BUILD/tests/unhex" "$file" >"$name/20261125T050346Z-unnamed-00000000-log.bcos.zst"
	point "$name: the file is read" reads "$name"/*.zst
	point "$name: so is the directory" reads "$name"
done
echo "1..$n"
exit $status
