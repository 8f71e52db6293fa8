#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The kernel's own tools find nothing wrong with module/ and bpf/: scripts/kernel-doc of the kernel's headers, which
# reads the library's public headers, too, and scripts/checkpatch.pl, whose exceptions are in .checkpatch.conf. Debian's
# headers have no checkpatch.pl, so it is taken out of the archive of Debian's linux-source, which "scripts/deps test"
# brings. The variable CHECKPATCH names another checkpatch.pl.
#
# User space writes to standard error by one function, which escapes what it writes.
#
# test: timeout=900 spare=yes needs=nothing
#
# shellcheck disable=SC2317  # point calls them

set -u
TREE=${STYLE_TREE:-$(cd "$(dirname "$0")/../.." && pwd -P)}
BUILD=${BUILD:-$TREE/build}
# shellcheck source=tests/lib/point.sh
. "$(dirname "$0")/../lib/point.sh"
cd "$TREE" || exit 1
WORK=$(mktemp -d) && trap 'rm -rf "$WORK"' EXIT

# Files that only user space compiles do not follow the kernel's style.
mapfile -t FILES < <(find module bpf -name '*.[ch]' ! -path module/core/host/user.h | LC_ALL=C sort)

# tool NAME: prints the path of a script of the kernel.
tool() {
	local file
	for file in "$BUILD"/kernels/*/root/usr/src/*/scripts/"$1" /usr/src/{,kernels/}*/scripts/"$1" \
		/lib/modules/*/{source,build}/scripts/"$1" "$BUILD"/linux-source/scripts/"$1"; do
		[ -r "$file" ] && { echo "$file"; return; }
	done
	return 1
}

# unpack: takes checkpatch.pl, and what it reads, out of the source of a kernel.
unpack() {
	local archive part name
	for archive in /usr/src/linux-source-*.tar.*; do
		[ -r "$archive" ] || continue
		name=${archive##*/} && name=${name%.tar.*}
		part=$BUILD/linux-source.$$
		mkdir -p "$part" && tar -xf "$archive" -C "$part" --strip-components=1 --occurrence=1 \
			"$name"/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch} &&
			{ rm -rf "$BUILD/linux-source"; mv "$part" "$BUILD/linux-source"; } && return
		rm -rf "$part"
	done
	return 1
}

KERNEL_DOC=$(tool kernel-doc)
CHECKPATCH=${CHECKPATCH:-$(tool checkpatch.pl || { unpack && tool checkpatch.pl; })}

# quiet COMMAND...: fails if the command fails or says anything, and repeats that.
quiet() {
	local said status=0
	said=$("$@" 2>&1) || status=$?
	[ "$status" != 0 ] || [ -n "$said" ] || return 0
	printf '%s\nexit status %s\n' "$said" "$status"
	return 1
}

documented() { quiet perl "$KERNEL_DOC" -none "$@"; }
checked() { quiet perl "$CHECKPATCH" --no-tree --strict --terse --show-types --no-summary "$@"; }

# digest FILE: prints a digest of everything on which checkpatch's verdict on the file depends.
digest() { cat "$1" .checkpatch.conf "$CHECKPATCH" | sha256sum | cut -d ' ' -f 1; }

# checked_once FILE...: checks files as checked() does, but reads a file about which there was no complaint only after
# it has changed.
checked_once() {
	local file changed=() known=$BUILD/checkpatch
	mkdir -p "$known"
	for file in "$@"; do
		[ -e "$known/$(digest "$file")" ] || changed+=("$file")
	done
	[ "${#changed[@]}" = 0 ] && return
	checked -f "${changed[@]}" || return 1
	for file in "${changed[@]}"; do : >"$known/$(digest "$file")"; done
}

# The ABI may be included by programs of any licence.
syscall_note() {
	local file
	for file in module/uapi/*.h; do
		head -n 1 "$file" | grep -q 'GPL-2.0-only WITH Linux-syscall-note' || { echo "$file"; return 1; }
	done
}

# absent NAME REASON: a point that this machine cannot show.
absent() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }

point "the ABI has the note of the system calls" syscall_note
if [ -n "$KERNEL_DOC" ]; then
	point "kernel-doc has no complaint" documented "${FILES[@]}" userspace/lib/include/*.h
	printf '/**\n * planted() - lacks an argument\n * @one: of two\n */\nint planted(int one, int two);\n' >"$WORK/planted.h"
	point "it does complain of an argument without a word" eval "! documented '$WORK/planted.h'"
else
	absent "kernel-doc has no complaint" "no kernel's headers are here"
fi
# A missing checkpatch.pl is a failure, since nobody would notice its complaints otherwise.
if [ -n "$CHECKPATCH" ]; then
	point "checkpatch --strict has no complaint" checked_once "${FILES[@]}"
	printf '// SPDX-License-Identifier: GPL-2.0-only\nvoid planted(void)\n{\n\tsmp_mb();\n}\n' >"$WORK/planted.c"
	point "it does complain of a barrier without a comment" eval "! checked_once '$WORK/planted.c'"
	point "and does so again" eval "! checked_once '$WORK/planted.c'"
	printf 'exit 1;\n' >"$WORK/dead.pl"
	point "one that ends without a word is a failure" eval "! CHECKPATCH='$WORK/dead.pl' checked '$WORK/planted.c'"
else
	point "checkpatch.pl is here" eval "echo 'it is not: scripts/deps test brings it, or CHECKPATCH names one'; false"
fi
# unescaped FOLDER...: fails if a file of user space writes to standard error, and names it. complain.c may, since it escapes
# what it writes; progress.c writes numbers alone, and debug.c what libbpf says to who asked for it.
unescaped() {
	! find "$@" -name '*.c' ! -path '*/complain/complain.c' ! -path '*/convert/progress.c' ! -path '*/programs/debug.c' \
		! -path '*/examples/*' -exec grep -HnE '\<(stderr|perror|psignal|warnx?|errx?)\>( *\(|[,)])|dprintf\((2|STDERR_FILENO)' {} + | grep .
}
point "whatever is written to standard error is escaped" unescaped userspace
mkdir "$WORK/planted"
printf 'void plant_error(const char *name)\n{\n\tfprintf(stderr, name);\n}\n' >"$WORK/planted/planted.c"
point "one place more is found" eval '! unescaped "$WORK/planted"'
echo "1..$n"
exit "$status"
