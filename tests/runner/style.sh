#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The kernel's own tools find nothing wrong with module/ and bpf/: scripts/kernel-doc of the kernel's headers, which
# reads the library's public headers, too, and scripts/checkpatch.pl, whose exceptions are in .checkpatch.conf. Debian's
# headers have no checkpatch.pl, so it is taken out of the archive of Debian's linux-source, which "scripts/deps test"
# brings. The variable CHECKPATCH names another checkpatch.pl.
#
# Sentences of comments, man pages and documents begin with their subject, and not with a word such as "What" or "Of".
# They use the words of the field. The names of functions have at least two words.
#
# test: timeout=900 spare=yes
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

# Words that put off the subject of a sentence. In documents and man pages, "That" may be the subject itself.
HIDES='(What|Of|Who|Whoever|Whom|The same|So that)'

# straight FOLDER...: sentences of comments, man pages and documents in these begin with their subject.
straight() {
	local found
	found=$(grep -rnIE --exclude=style.sh --exclude='*.md' --exclude='*.[1-8]' \
		"(/\\*|//|^ \\*|^[[:space:]]*#)[[:space:]]+(($HIDES|That)|.*[.:;?!] +$HIDES) " "$@")
	found+=$(grep -rnE --include='*.[1-8]' --include=DESIGN.md --include=README.md "(^|[.:;?!] +|^#+ ([0-9.]+ )?)$HIDES " "$@")
	[ -z "$found" ] || { echo "$found"; return 1; }
}

# plain FOLDER...: no sentence says "behind" where the field says "after". Programs fall behind, and leave nothing
# behind.
plain() {
	local found
	found=$(grep -rnwIiE --exclude=style.sh --include='*.[ch1-8]' --include='*.sh' --include='*.md' --include='*.cases' \
		"behind (the|it|its|that|them|their|all|a|an|what|others|@[a-z]+|--)" "$@")
	[ -z "$found" ] || { echo "$found"; return 1; }
}

# Functions whose name is one word: where each may be, and why. A test may also define one in the place of libc's.
one_word() {
	cat <<-'END'
	main . starts a program
	LLVMFuzzerTestOneInput tests/fuzz/ is called by libFuzzer
	kvfree tests/model/ stands for the kernel's
	kvzalloc tests/model/ stands for the kernel's
	complain . takes a format, as printf() does
	fail userspace/convert/ltt/ takes a format, as printf() does
	say userspace/convert/ltt/ takes a format, as printf() does
	found userspace/bcoslog/doctor/ takes a format, as printf() does
	refusal userspace/lib/engine/ is the error that its caller returns
	candidate userspace/bcoslog/completion/ is the only subject of its file
	decimal userspace/bcoslog/output/ is the only subject of its file
	sha256 userspace/lib/host/ is the name of the algorithm
	END
}

# libc_functions: prints the names of libc's functions.
libc_functions() {
	local libc
	libc=$("${CC:-gcc}" -print-file-name=libc.so.6)
	nm -D --defined-only "$libc" | sed 's/.* //; s/@.*//'
	# Older versions have stat() and its like only there.
	libc=$("${CC:-gcc}" -print-file-name=libc_nonshared.a)
	[ ! -e "$libc" ] || nm --defined-only "$libc" 2>/dev/null | sed -n 's/.* T //p'
}

# functions FOLDER...: prints "FILE:LINE: NAME" for each function that is defined in these, and "static" after it if the
# function is.
functions() {
	find "$@" -name '*.[ch]' -exec awk '
	FNR == 1 || /^$/ || /^#/ { text = "" }
	/^[A-Za-z_]/ { text = ""; head = 1; line = FNR }
	head {
		text = text " " $0
		gsub(/__attribute__\(\(([^()]|\([^()]*\))*\)\)|\/\*[^*]*\*\//, "", text)
	}
	head && text ~ /[{;=]/ {
		head = 0
		if (text ~ /^[^;=]*\{/ && match(text, /^ [A-Za-z0-9_* \t]*[ \t*][A-Za-z0-9_]+\(/)) {
			name = substr(text, 1, RLENGTH - 1)
			sub(/.*[ \t*]/, "", name)
			print FILENAME ":" line ": " name (text ~ /^ static / ? " static" : "")
		}
	}' {} +
}

# named FOLDER...: functions in these have names of at least two words. The width of a number counts as one (get16), and
# names of capitals are macros.
named() {
	local found
	one_word >"$WORK/one_word"
	libc_functions >"$WORK/libc"
	found=$(functions "$@" | awk '
	FILENAME ~ /\/one_word$/ { place[$1] = $2 == "." ? "" : $2; known[$1] = 1; next }
	FILENAME ~ /\/libc$/ { libc[$1] = 1; next }
	$2 ~ /_/ || $2 ~ /^[a-z]+(8|16|32|64)$/ || $2 ~ /^[A-Z0-9]+$/ { next }
	$2 in known && substr($1, 1, length(place[$2])) == place[$2] { next }
	$2 in libc && $3 != "static" && /^tests\// { next }
	{ print $1, $2 "() has a name of one word" }' "$WORK/one_word" "$WORK/libc" -)
	[ -z "$found" ] || { echo "$found"; return 1; }
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
point "sentences begin with their subject" straight module bpf userspace scripts tests
point "and say after, not behind" plain module bpf userspace scripts tests README.md
point "names of functions have at least two words" named module bpf userspace scripts tests
# unescaped FOLDER...: fails if a file of user space writes to standard error, and names it. complain.c may, since it escapes
# what it writes; progress.c writes numbers alone, and debug.c what libbpf says to who asked for it.
unescaped() {
	! find "$@" -name '*.c' ! -path '*/output/complain.c' ! -path '*/convert/progress.c' ! -path '*/programs/debug.c' \
		! -path '*/examples/*' -exec grep -HnE '\<(stderr|perror|psignal|warnx?|errx?)\>( *\(|[,)])|dprintf\((2|STDERR_FILENO)' {} + | grep .
}
point "whatever is written to standard error is escaped" unescaped userspace
mkdir "$WORK/planted"
printf 'void plant_error(const char *name)\n{\n\tfprintf(stderr, name);\n}\n' >"$WORK/planted/planted.c"
point "one place more is found" eval '! unescaped "$WORK/planted"'
printf '/* The word %s the header. */\n' behind >"$WORK/planted/planted.c"
point "which is found" eval '! plain "$WORK/planted"'
for sentence in '/* What the device says. */' '# Of all CPUs.' ' * It ends. Who reads it knows.' '// That it ended is known.'; do
	echo "$sentence" >"$WORK/planted/planted.c"
	point "'$sentence' is found" eval '! straight "$WORK/planted"'
done
printf '.TP\nWhat is read.\n' >"$WORK/planted/planted.1"
printf '/* The device says what it means. */\n' >"$WORK/planted/planted.c"
point "so is one of a man page" eval '! straight "$WORK/planted"'
mkdir "$WORK/planted/tests"
planted=$WORK/planted/tests/planted.c
# unnamed: is there a complaint of the planted function?
unnamed() { ! (cd "$WORK/planted" && named tests); }
for head in 'static int give(void)' 'int give(int one,\n\t int two)' 'static int write(int fd)' \
	'static __attribute__((format(printf, 1, 2))) void told(const char *format, ...)'; do
	printf '%b\n{\n}\n' "$head" >"$planted"
	point "'$head' is found" unnamed
done
printf '%b' 'int write(int fd)\n{\n}\nstatic void put16(int n)\n{\n}\n' \
	'int give(void);\nstatic void give_one(void) { give(); }\n' >"$planted"
point "a function in the place of libc's is not, nor is a call" eval '! unnamed'
echo "1..$n"
exit "$status"
