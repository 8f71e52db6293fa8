#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# All sections of module/DESIGN.md that the tree cites exist, and so do the files, functions and sections that this text
# names. The functions that comments of the code name exist, too: the tree, the C library, another library or the kernel
# has them.
#
# shellcheck disable=SC2317  # point calls them

set -u
TREE=${DESIGN_TREE:-$(cd "$(dirname "$0")/../.." && pwd -P)}
# shellcheck source=tests/lib/point.sh
. "$(dirname "$0")/../lib/point.sh"
APART=$(cd "$(dirname "$0")" && pwd -P)/comments.awk
BUILD=${BUILD:-$TREE/build}
cd "$TREE" || exit 1
WORK=$(mktemp -d) && trap 'rm -rf "$WORK"' EXIT

# Comments name these functions, which no header declares: functions of the kernel, and of a library that may be
# missing.
readonly STRANGERS=(exit_mm put_dec bt_graph_create)

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

# take_apart FOLDER...: writes the comments of the code in these folders to $WORK/comments, and the code to $WORK/code.
take_apart() {
	find "$@" \( -name '*.[ch]' -o -name '*.js' \) -print0 | LC_ALL=C sort -z |
		LC_ALL=C xargs -0 awk -v COMMENTS="$WORK/comments" -v CODE="$WORK/code" -f "$APART"
}

# words PATTERN: prints each name in the parts of standard input that match the pattern, once.
words() { LC_ALL=C grep -oE "$1" | LC_ALL=C grep -oE '[A-Za-z_][A-Za-z0-9_]*' | LC_ALL=C sort -u; }

# KERNEL is the folder of a kernel's headers, or empty.
KERNEL=$(for folder in "$BUILD"/kernels/*/root/usr/src/*-common*/include {/usr/src,/lib/modules}/*/{build/,}include; do
	[ ! -d "$folder/linux/sched" ] || { echo "$folder/linux"; break; }
done)

# declared: prints the functions and macros of the headers that the tree includes, and of the headers of the kernel. The
# number of a system call stands for its function.
declared() {
	grep -rhoE '^#include <[^>]+>' userspace | LC_ALL=C sort -u |
		sed -E 's/^#include (.*)/#if __has_include(\1)\n&\n#endif/' | "${CC:-gcc}" -D_GNU_SOURCE -E -dD -xc - |
		sed 's/\bSYS_\([a-z0-9_]*\)/\1(/' | words '[A-Za-z0-9_]+ ?\('
	[ -z "$KERNEL" ] || cat "$KERNEL"/{,sched/}*.h | words '[A-Za-z0-9_]+\('
}

# called FOLDER...: each function() that a comment in these folders names is one that the tree has or calls, or is in a
# header.
called() {
	local lost
	[ -e "$WORK/known" ] || { declared; printf '%s\n' "${STRANGERS[@]}"; } >"$WORK/known"
	take_apart "$@" || return 1
	words '[A-Za-z0-9_]+\(\)' <"$WORK/comments" >"$WORK/named"
	[ -s "$WORK/named" ] || { echo "no comment names a function"; return 1; }
	lost=$(words '[A-Za-z0-9_]+\)?[[:space:]]*\(' <"$WORK/code" | LC_ALL=C sort -u - "$WORK/known" |
		LC_ALL=C comm -23 "$WORK/named" - | sed 's/.*/\\b&\\(\\)/')
	[ -z "$lost" ] || { echo "nothing is called so:"; grep -E "$lost" "$WORK/comments"; return 1; }
}

# plant COMMENT: makes a tree with a file that has this comment.
plant() {
	mkdir -p "$WORK/planted"
	printf '%s\nstatic int planted_one(int (*planted_two)(void))\n{\n\treturn planted_two();\n}\n' "$1" >"$WORK/planted/planted.c"
}

point "every section that is cited is there" citations
point "each is cited on one line" one_line
point "so are those that it cites itself" inside
point "no section is there twice" once
point "the files that it names are there" files
point "and the functions" names
if [ -n "$KERNEL" ]; then
	point "functions that comments name exist" called module bpf userspace
	plant '/* planted_one() calls planted_two(); see printf(), sched_setattr() and schedule(). */'
	point "those of the tree, of libraries and of the kernel are known" called "$WORK/planted"
else
	n=$((n + 1))
	echo "ok $n - functions that comments name exist # SKIP no kernel's headers are here"
fi
for comment in '/* As planted_three() does. */' '// As planted_three() does.' $'/*\n * As\n * planted_three() does.\n */' \
	'char *planted = "/*"; /* As planted_three() does. */'; do
	plant "$comment"
	point "one that is gone is found" eval '! called "$WORK/planted"'
done
plant 'char *planted = "/* As planted_three() does. */"; /* planted_one() */'
point "a string is no comment" called "$WORK/planted"
echo "1..$n"
exit "$status"
