#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# All sections of module/DESIGN.md that the tree cites exist, and so do the files, functions and sections that this text
# names.
#
# test: needs=nothing
#
# shellcheck disable=SC2317  # point calls them

set -u
TREE=${DESIGN_TREE:-$(cd "$(dirname "$0")/../.." && pwd -P)}
# shellcheck source=tests/lib/point.sh
. "$(dirname "$0")/../lib/point.sh"
cd "$TREE" || exit 1

# The sections of module/DESIGN.md are numbered headings, and numbered items of the list of readings.
sections=$(sed -nE 's/^#+ ([0-9]+(\.[0-9]+)?)\.? .*/\1/p; s/^- \*\*([0-9]+\.[0-9]+) .*/\1/p' module/DESIGN.md)

# The files of the tree, without what is built or fetched.
sources() { find ./* .github -name build -prune -o -name .git -prune -o -type f -print; }

# known NUMBER...: reports each number that is no section. At least one number is required.
known() {
	local number bad=0
	[ $# -gt 0 ] || { echo "nothing is cited"; return 1; }
	for number; do
		grep -qxF -- "$number" <<<"$sections" || { echo "module/DESIGN.md has no section $number"; bad=1; }
	done
	return "$bad"
}

# Checks the citations "module/DESIGN.md, 4.2", also those with several numbers.
citations() {
	local numbers
	numbers=$(sources | xargs -d '\n' grep -hoIE 'module/DESIGN\.md`?, [0-9]+(\.[0-9]+)?((,| and) [0-9]+(\.[0-9]+)?)*' |
		sed 's/^[^ ]*//' | grep -oE '[0-9]+(\.[0-9]+)?' | sort -u)
	# shellcheck disable=SC2086
	known $numbers
}

# A citation has the name of the file and its section on one line, and does not speak of "the design", so that a search
# finds it.
one_line() {
	local lost
	lost=$(sources | xargs -d '\n' grep -nIE 'module/DESIGN\.md`?,$|[Ss]ections? [0-9][0-9., and]* of the desig[n]')
	[ -z "$lost" ] || { echo "$lost"; return 1; }
}

# References within module/DESIGN.md are numbers in parentheses. References to the specification have a section sign.
inside() {
	local numbers
	numbers=$(grep -oE '(^| )\([0-9]+(\.[0-9]+)?\)' module/DESIGN.md | tr -d ' ()' | sort -u)
	# shellcheck disable=SC2086
	known $numbers
}

once() {
	local twice
	twice=$(sort <<<"$sections" | uniq -d)
	[ -z "$twice" ] || { echo "twice: $twice"; return 1; }
}

# Each path in module/DESIGN.md that begins with a folder of the tree is a file or a folder of it.
files() {
	local path bad=0 count=0
	while read -r path; do
		count=$((count + 1))
		[ -e "$path" ] || { echo "there is no $path"; bad=1; }
	done < <(grep -oE '\b(module|bpf|userspace|tests|scripts)/[A-Za-z0-9_./-]*' module/DESIGN.md | sed 's/\.$//' | sort -u)
	[ "$count" -gt 20 ] || { echo "$count paths"; return 1; }
	return "$bad"
}

# The functions and macros of ours that module/DESIGN.md names exist.
names() {
	local name bad=0 count=0
	while read -r name; do
		count=$((count + 1))
		grep -rqwF --include='*.[ch]' -- "$name" module bpf userspace || { echo "nothing is called $name"; bad=1; }
	done < <(grep -oE '\b(bcos|host|engine)_[a-z_0-9]+\(\)|\bBCOS_[A-Z_]+\b' module/DESIGN.md | tr -d '()' | sort -u)
	[ "$count" -gt 10 ] || { echo "$count names"; return 1; }
	return "$bad"
}

point "every section that is cited is there" citations
point "each is cited on one line" one_line
point "so are those that it cites itself" inside
point "no section is there twice" once
point "the files that it names are there" files
point "and the functions" names
echo "1..$n"
exit "$status"
