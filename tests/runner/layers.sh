#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Layers go one way: no function of the core calls itself, the files in module/ use each other in no circle, a folder
# uses only the folders below it, and the module takes memory in one way. The compiler's call graph tells who calls whom
# in the core. The library uses nothing of the programs, and the formats nothing of the tool. The files of the
# library, the tool, the converters and the engine of the explorer's page use each other in no circle either. In
# userspace/ a use is an include, or a symbol that an object needs of another one: a function may be declared below the
# folder that defines it.
#
# test: timeout=300 spare=yes
#
# A source and its header count as one file. Calls through pointers are not seen.
#
# shellcheck disable=SC2317  # point calls them

set -u
TREE=${LAYERS_TREE:-$(cd "$(dirname "$0")/../.." && pwd -P)}
# shellcheck source=tests/lib/point.sh
. "$(dirname "$0")/../lib/point.sh"
# A compiler cache would give back the object, but not the call graph.
export CCACHE_DISABLE=1
WORK=$(mktemp -d) && trap 'rm -rf "$WORK"' EXIT

readonly OBJECTS=${BUILD:-$TREE/build}/obj/userspace

# The folders, from the lowest layer up. Each may use its own files, and those of the folders before it.
CORE="host raw format capture ring model write rules merge image"
MODULE="uapi core . keep capture capture/probes machine writer control device exports"
PROGRAMS="read lib complain sql ship explorer convert bcoslog convert/program examples"
TOOL=". output options libexec completion socket log remote record report svg views commands serve sql ship doctor"
LIBRARY="include host entry handle state account check resume engine archive image reader rows ."

# uses FOLDER WHERE...: prints "user used" for each include of a file below the folder in another one, both without their
# extensions. A file is looked for beside the user, and then in the folders WHERE.
uses() {
	local folder=$1
	shift
	(cd "$folder" && find . -name '*.[ch]' | sed 's,^\./,,' | LC_ALL=C sort | awk -v where="$*" '
	# Return: the path without "." and "..".
	function plain(path,  part, kept, n, m, i) {
		n = split(path, part, "/")
		for (i = 1; i <= n; i++) {
			if (part[i] == ".." && m && kept[m] != "..")
				m--
			else if (part[i] != "." && part[i] != "")
				kept[++m] = part[i]
		}
		path = kept[1]
		for (i = 2; i <= m; i++)
			path = path "/" kept[i]
		return path
	}
	function tell(file, used,  folder, i, path) {
		for (i = 0; i <= places; i++) {
			folder = i ? place[i] : file
			if (!i && !sub(/\/[^\/]*$/, "", folder))
				folder = "."
			path = plain(folder "/" used)
			# Generated files, and files of other projects, do not count.
			if (path in exists) {
				print substr(file, 1, length(file) - 2), substr(path, 1, length(path) - 2)
				return
			}
		}
	}
	BEGIN { places = split(where, place, " ") }
	{ exists[$0]; order[++files] = $0 }
	END {
		for (n = 1; n <= files; n++) {
			while ((getline line <order[n]) > 0)
				if (line ~ /^#include "/ && split(line, part, "\"") > 2)
					tell(order[n], part[2])
			close(order[n])
		}
	}')
}

# includes TREE: prints "user used" for each include in a file below module/.
includes() { uses "$1/module" .; }

# program_includes TREE: prints the same for the programs in userspace/, with paths from there.
program_includes() { uses "$1/userspace" lib/include lib bcoslog explorer/engine . | sed 's,[^ ]*,userspace/&,g'; }

# graphs TREE: compiles the core for its call graph.
graphs() {
	rm -rf "$WORK/graphs" && mkdir "$WORK/graphs"
	# shellcheck disable=SC2016  # the inner shell expands them
	(cd "$1" && ls module/core/*/*.c) | xargs -P 2 -I @ sh -c '
		name=$(echo "${2%.c}" | tr / -)
		"${CC:-gcc}" -O0 -c -fcallgraph-info -std=gnu11 -D_GNU_SOURCE -w -I"$1/module" -I"$1/module/uapi" "$1/$2" -o "$3/$name.o"
	' - "$1" @ "$WORK/graphs" || return 1
	cat "$WORK"/graphs/*.ci >"$WORK/graph"
	[ "$(grep -c '^edge' "$WORK/graph")" -gt 500 ] || { echo "this compiler says nothing of calls"; return 1; }
}

# calls TREE [files]: prints "caller called" for each call of a function of the core; with "files", the pairs of files,
# as includes() does.
calls() {
	awk -v top="$1/module/" -v what="${2-}" '
	function name(title) { return title in file ? title : "" }
	{ split($0, part, "\"") }
	/^node/ && !/ellipse/ {
		place = part[4]
		sub(/.*\\n/, "", place)
		sub(/\.[ch]:[0-9]+:[0-9]+$/, "", place)
		if (index(place, top) == 1)
			file[part[2]] = substr(place, length(top) + 1)
	}
	/^edge/ { from[++n] = part[2]; to[n] = part[4] }
	END {
		for (i = 1; i <= n; i++) {
			if (!(from[i] in file) || !(to[i] in file))
				continue
			if (what != "files")
				print from[i], to[i]
			else if (file[from[i]] != file[to[i]])
				print file[from[i]], file[to[i]]
		}
	}' "$WORK/graph"
}

# no_circle: reads pairs from standard input, and fails with the name of a circle if they have one.
no_circle() {
	local found
	found=$(tsort 2>&1 >/dev/null) && return
	echo "$found" | sed 's/^tsort: //; s/^-: input contains a loop:/a circle:/'
	return 1
}

recursion() {
	local self
	graphs "$1" || return 1
	self=$(calls "$1" | awk '$1 == $2 { print $1 " calls itself" }' | sort -u)
	[ -z "$self" ] || { echo "$self"; return 1; }
	calls "$1" | no_circle
}

circles() { { includes "$1"; calls "$1" files; } | awk '$1 != $2' | sort -u | no_circle; }

program_circles() { program_includes "$1" | awk '$1 != $2' | sort -u | no_circle; }

# program_upward TREE PREFIX ORDER: reports each include of a folder below PREFIX that is not below the folder of its user.
program_upward() {
	program_includes "$1" | awk -v prefix="$2" -v order="$3" '
	function folder(path) {
		if (index(path, prefix) != 1)
			return ""
		path = substr(path, length(prefix) + 1)
		# The program bcoslog-convert uses the tool, and the formats beside it do not.
		if (path ~ /^convert\/program\//)
			return "convert/program"
		return sub(/\/.*/, "", path) ? path : "."
	}
	BEGIN { n = split(order, list, " "); for (i = 1; i <= n; i++) rank[list[i]] = i }
	{
		user = folder($1); used = folder($2)
		if (user == "" || used == "")
			next
		# The tool begins in main(), and command_groups.c lists its commands.
		if ($1 ~ /\/(main|command_groups)$/)
			next
		if (!(user in rank)) { print prefix user " is no layer"; bad = 1 }
		if (rank[used] > rank[user]) { print $1 " uses " $2; bad = 1 }
	}
	END { exit bad || !n || !NR }'
}

# linked_upward OBJECTS PREFIX ORDER: reports each object in a folder below PREFIX that needs a symbol of a folder that is
# not below its own.
linked_upward() {
	symbols "$1" >"$WORK/symbols"
	[ -s "$WORK/symbols" ] || { echo "$1 has no objects whose symbols can be read"; return 1; }
	awk -v prefix="$2" -v order="$3" '
	function folder(path) {
		if (index(path, prefix) != 1)
			return ""
		path = substr(path, length(prefix) + 1)
		# The program bcoslog-convert uses the tool, and the formats beside it do not.
		if (path ~ /^convert\/program\//)
			return "convert/program"
		return sub(/\/.*/, "", path) ? path : "."
	}
	BEGIN {
		n = split(order, list, " ")
		for (i = 1; i <= n; i++)
			rank[list[i]] = i
	}
	{
		user = folder($1); used = folder($2)
		if (user == "" || used == "" || $1 ~ /\/(main|command_groups)$/ || rank[used] <= rank[user])
			next
		print $1 " calls " $3 "() of " $2
		bad = 1
	}
	END { exit bad }' "$WORK/symbols"
}

# symbols FOLDER: prints "user used symbol" for pairs of objects, by the symbols that the linker resolves. Objects whose source
# is gone do not count.
symbols() {
	(cd "$1" && find . -name '*.o' | sed 's,^\./,,' | LC_ALL=C sort | while read -r object; do
		[ "$1" = "$OBJECTS" ] && [ ! -e "$TREE/userspace/${object%.o}.c" ] || echo "$object"
	done | xargs nm -A | awk '
	{ file = $1; sub(/:.*/, "", file); sub(/\.o$/, "", file) }
	$(NF - 1) == "U" { need[++n] = $NF; user[n] = file; next }
	$(NF - 1) ~ /^[A-TV-Z]$/ { owner[$NF] = file }
	END { for (i = 1; i <= n; i++) if (need[i] in owner && owner[need[i]] != user[i]) print user[i], owner[need[i]], need[i] }')
}

# engine_objects TREE FOLDER: compiles each file of the engine of the explorer's page to an object of its own, since
# make compiles all of them together.
engine_objects() {
	local engine=$1/userspace/explorer/engine file
	for file in "$engine"/*.c "$engine"/*/*.c; do
		mkdir -p "$2/$(dirname "${file#"$engine/"}")"
		"${CC:-gcc}" -O0 -c -std=gnu11 -D_GNU_SOURCE -w -I"$1"/module{/uapi,} -I"$1"/userspace/{lib/include,lib,explorer/engine} \
			"$file" -o "$2/${file#"$engine/"}.o" || return 1
	done
}

engine_circles() {
	rm -rf "$WORK/engine"
	engine_objects "$1" "$WORK/engine" && linked_circles "$WORK/engine" 20
}

linked_circles() {
	symbols "$1" | cut -d' ' -f1,2 | sort -u >"$WORK/needs"
	[ "$(wc -l <"$WORK/needs")" -ge "$2" ] || { echo "$1 has no objects whose symbols can be read"; return 1; }
	no_circle <"$WORK/needs"
}

# upward TREE PREFIX ORDER: reports each use of a folder that is not below the folder of its user.
upward() {
	{ includes "$1"; calls "$1" files; } | sort -u | awk -v prefix="$2" -v order="$3" '
	function folder(path) {
		if (prefix && index(path, prefix) != 1)
			return ""
		path = substr(path, length(prefix) + 1)
		if (!prefix && path ~ /^core\//)
			return "core"
		return sub(/\/[^\/]*$/, "", path) ? path : "."
	}
	BEGIN { n = split(order, list, " "); for (i = 1; i <= n; i++) rank[list[i]] = i }
	# "main" and "start" bring the module up, and use all of it.
	!prefix && ($1 == "main" || $1 == "start" || $2 == "start") { next }
	{
		user = folder($1); used = folder($2)
		if (user == "" || used == "")
			next
		if (!(user in rank)) { print "module/" prefix user " is no layer"; bad = 1 }
		if (rank[used] > rank[user]) { print "module/" $1 " uses module/" $2; bad = 1 }
	}
	END { exit bad }'
}

# doubled_guards TREE: no two headers have the same guard, since one of them would hide the other.
doubled_guards() {
	local doubled
	doubled=$(cd "$1" && find module bpf userspace -name '*.h' -exec grep -h -o -m 1 '^#ifndef [A-Z0-9_]*_H$' {} + | sort | uniq -d)
	[ -z "$doubled" ] || { echo "two headers have this guard: $doubled"; return 1; }
}

# greedy TREE: reports each allocation of the module that may call the OOM killer: by flags of its own, or by a function
# that takes none.
greedy() {
	! grep -rnE '\<GFP_(KERNEL|USER|HIGHUSER)|\<(v?memdup|memdup_array|strndup|vmemdup_array)_user(_nul)?\>|\<v[mz]alloc(_node)?\(' \
		"$1/module" --include='*.[ch]' | sed "s,^$1/,," | grep -v '^module/memory.h:'
}

# found TEXT COMMAND...: does the command fail, and say the text?
found() {
	local text=$1 output
	shift
	! output=$("$@" 2>&1) && grep -q "$text" <<<"$output" && return
	echo "$output"
	return 1
}

# plant: makes a copy of the tree with a fault of each kind.
plant() {
	mkdir -p "$WORK/tree/userspace" && cp -r "$TREE/module" "$WORK/tree/" || return 1
	cp -r "$TREE"/userspace/{lib,bcoslog,convert,explorer} "$WORK/tree/userspace/" || return 1
	echo '#include "engine/engine.h"' >>"$WORK/tree/userspace/lib/host/linux.h"
	sed -i '0,/^#include "/s//#include "..\/..\/bcoslog\/output\/output.h"\n&/' "$WORK/tree/userspace/convert/small/pprof.c"
	echo 'void out_begin(void); void describe_planted(void) { out_begin(); }' >>"$WORK/tree/userspace/explorer/engine/describe.c"
	echo 'void describe_planted(void); void out_planted(void) { describe_planted(); }' >>"$WORK/tree/userspace/explorer/engine/out.c"
	mkdir "$WORK/tree/bpf"
	echo '#ifndef BCOSLOG_STATE_H' >"$WORK/tree/userspace/lib/state/planted.h"
	local core=$WORK/tree/module/core
	echo 'u32 bcos_planted(u32 n); u32 bcos_planted(u32 n) { return n ? bcos_planted(n - 1) : 0; }' >>"$core/ring/ring.c"
	echo 'void bcos_log_group(struct bcos_log *log); void bcos_planted2(struct bcos_log *log);' >>"$core/write/emit.c"
	echo 'void bcos_planted2(struct bcos_log *log) { bcos_log_group(log); }' >>"$core/write/emit.c"
	sed -i '0,/^#include "/s//#include "writer\/writer.h"\n&/' "$WORK/tree/module/capture/staging.c"
	echo 'void *bcos_planted3(void); void *bcos_planted3(void) { return kzalloc(8, GFP_KERNEL); }' >>"$WORK/tree/module/control/mask.c"
	mkdir -p "$WORK/objects" "$WORK/linked/"{lib,bcoslog}
	echo 'void above(void); void below(void); void below(void) { above(); }' | gcc -c -x c - -o "$WORK/linked/lib/below.o"
	echo 'void above(void); void above(void) { }' | gcc -c -x c - -o "$WORK/linked/bcoslog/above.o"
	echo 'void there(void); void here(void); void here(void) { there(); }' | gcc -c -x c - -o "$WORK/objects/here.o"
	echo 'void there(void); void here(void); void there(void) { here(); }' | gcc -c -x c - -o "$WORK/objects/there.o"
}

point "no function of the core calls itself" recursion "$TREE"
point "there is no circle of files" circles "$TREE"
point "nor is there one in the programs" program_circles "$TREE"
point "nor is one linked" linked_circles "$OBJECTS" 1000
point "nor is one in the engine of the explorer's page" engine_circles "$TREE"
point "the core's folders go one way" upward "$TREE" core/ "$CORE"
point "so do the module's" upward "$TREE" "" "$MODULE"
point "so do the programs" program_upward "$TREE" userspace/ "$PROGRAMS"
point "and the folders of the tool" program_upward "$TREE" userspace/bcoslog/ "$TOOL"
point "and the folders of the library" program_upward "$TREE" userspace/lib/ "$LIBRARY"
point "and all of these when they are linked: the programs" linked_upward "$OBJECTS" "" "$PROGRAMS"
point "the tool" linked_upward "$OBJECTS" bcoslog/ "$TOOL"
point "and the library" linked_upward "$OBJECTS" lib/ "$LIBRARY"
point "no two headers have one guard" doubled_guards "$TREE"
point "the module takes memory as module/memory.h says, which never calls the OOM killer" greedy "$TREE"
plant || exit 1
point "a function that calls itself is found" found "bcos_planted calls itself" recursion "$WORK/tree"
point "so is a circle of files" found core/write/group circles "$WORK/tree"
point "and one in the library" found userspace/lib/host/linux program_circles "$WORK/tree"
point "and one that is linked" found there linked_circles "$WORK/objects" 2
point "and one in the engine of the page" found describe.c engine_circles "$WORK/tree"
point "and a format that uses the tool" found "userspace/convert/small/pprof uses userspace/bcoslog/output/output" program_upward "$WORK/tree" userspace/ "$PROGRAMS"
point "and a file of the library that uses a folder above" found "userspace/lib/host/linux uses userspace/lib/engine/engine" program_upward "$WORK/tree" userspace/lib/ "$LIBRARY"
point "and a call of what is above, without an include" found "lib/below calls above() of bcoslog/above" linked_upward "$WORK/linked" "" "$PROGRAMS"
point "and one guard of two headers" found BCOSLOG_STATE_H doubled_guards "$WORK/tree"
point "and memory that is taken otherwise" found module/control/mask.c greedy "$WORK/tree"
point "and so is a use of what is above" found "capture/staging uses module/writer/writer" upward "$WORK/tree" "" "$MODULE"
# Programs of tests are compared with the product when they are linked.
DOUBLES=$(cd "$(dirname "$0")/.." && pwd -P)/lib/doubles
ar rcs "$WORK/linked.a" "$WORK/linked/lib/below.o"
echo 'void below(void); void below(void) { }' | gcc -c -x c - -o "$WORK/double.o"
point "and a test that replaces a function of the product" found "double.o replaces functions of the product.*: below" "$DOUBLES" "$WORK/double.o" "$WORK/linked.a"
point "but not one of libc" "$DOUBLES" "$WORK/linked/bcoslog/above.o" "$WORK/linked.a"
echo "1..$n"
exit "$status"
