#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each NAME_case.py makes an input about which a wrong answer would look right, and compares what the tool says with the
# value that follows from how the input was made. `answers.sh NAME...` runs these cases alone.
#
# The tool is $BCOSLOG, else $BUILD/bcoslog. The cases are those in the folder $CASES, else those beside this file.
# test: timeout=600

set -u
# Some cases make a hundred thousand small files, for which a file system in memory takes a twentieth of the time.
room=$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)
[ "${room:-0}" -lt 4000000 ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
here=$top/tests/cli/answers
folder=${CASES:-$here}
cases=("$folder"/*_case.py)
[ $# -eq 0 ] || cases=("${@/#/$folder/}") cases=("${cases[@]/%/_case.py}")

# agree FILE: the points of this case, or why it ended early, are its note.
agree() {
	local folder
	folder=$dir/$(basename "$1" _case.py)
	mkdir "$folder" &&
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$here/lib" timeout 300 python3 "$1" "$bcoslog" "$folder" >"$folder.tap" 2>&1 && return
	grep -v '^ok ' "$folder.tap"
	return 1
}

for file in "${cases[@]}"; do
	point "$(basename "$file" _case.py)" agree "$file"
done
echo "1..$n"
exit "$status"
