#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each command has a page of the manual, which has the options of the command's table and no others. The pages have the
# sections of a page, cite only pages that exist, have no errors of the markup, and are installed.

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
bcoslog=$BUILD/bcoslog
mapfile -t pages < <(find "$top/userspace/man" -name '*.[1-8]' | sort)
mapfile -t commands < <("$bcoslog" complete '' | cut -f 1 | grep -vx help)
page_of() { printf '%s\n' "${pages[@]}" | grep "/bcoslog-$1\.1\$"; }

has_pages() { local c; for c in "${commands[@]}"; do [ "$(page_of "$c" | wc -l)" = 1 ] || { echo "$c"; return 1; }; done; }
point "each command has a page" has_pages
has_commands() {
	local page name bad=0
	for page in "${pages[@]}"; do
		name=$(basename "$page")
		[[ $name == bcoslog-*.1 ]] || continue
		name=${name#bcoslog-} name=${name%.1}
		printf '%s\n' "${commands[@]}" | grep -qx "$name" || { echo "$name is no command"; bad=1; }
		grep -qF ".BR bcoslog\\-$name (1)" "$top/userspace/man/bcoslog.1" || { echo "bcoslog(1) does not list $name"; bad=1; }
	done
	return "$bad"
}
point "each page has a command, and bcoslog(1) lists it" has_commands

# options_of COMMAND: prints the options in the table of the command, long and short.
options_of() { "$bcoslog" options "$1" | sort -u; }
# The options of the recorder may follow any command that reads a log.
recorder_options() { "$bcoslog" options; }
# tags PAGE: prints the options that the page explains, in the line after .TP, anywhere in the page.
tags() {
	sed 's/\\-/-/g; s/\\f[RPIB]/ /g' "$1" | awk '/^\.TP/ { getline; print }' | grep -oE '(^|[" ,|])--?[a-zA-Z][a-z-]*' |
		tr -d '" ,|' | sort -u
}
# in_tables PAGE: prints the options of formats, which are in tables.
in_tables() { sed 's/\\-/-/g' "$1" | sed -n '/^\.TS/,/^\.TE/s/.*\\fB\(--[a-z]*\)\\fR.*/\1/p'; }
same_options() {
	local c bad=0 lacks more
	for c in "${commands[@]}"; do
		lacks=$(comm -23 <(options_of "$c") <({ tags "$(page_of "$c")"; in_tables "$(page_of "$c")"; } | sort -u) | tr '\n' ' ')
		more=$(comm -13 <(options_of "$c") <(tags "$(page_of "$c")") | grep -vxF -f <(recorder_options) | tr '\n' ' ')
		[ -z "$lacks" ] || { echo "bcoslog-$c(1) lacks $lacks"; bad=1; }
		[ -z "$more" ] || { echo "bcoslog $c has no $more"; bad=1; }
	done
	return "$bad"
}
point "its options are those of the command" same_options
some_options() { [ "$(for c in "${commands[@]}"; do options_of "$c"; done | wc -l)" -gt 150 ] && options_of top | grep -qx -e --every; }
point "which are many" some_options

helps_options() {
	local c bad=0
	for c in "${commands[@]}"; do
		[ -z "$(comm -23 <(options_of "$c") <("$bcoslog" "$c" --help | grep -oE '^ .*' | grep -oE '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u))" ] ||
			{ echo "bcoslog $c --help lacks options"; bad=1; }
	done
	return "$bad"
}
point "the help has all of them" helps_options
fits_terminal() { ! for c in "" "${commands[@]}"; do "$bcoslog" ${c:+"$c"} --help; done | grep -E '^.{81}'; }
point "and fits a terminal of 80 columns" fits_terminal

sections() { sed -n 's/^\.SH //p' "$1" | grep -xE 'NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXIT STATUS|EXAMPLES|SEE ALSO' | tr '\n' ','; }
in_order() {
	local c bad=0
	for c in "${commands[@]}"; do
		[ "$(sections "$(page_of "$c")")" = "NAME,SYNOPSIS,DESCRIPTION,OPTIONS,EXIT STATUS,EXAMPLES,SEE ALSO," ] ||
			{ echo "bcoslog-$c(1) has $(sections "$(page_of "$c")")"; bad=1; }
	done
	return "$bad"
}
point "a page has the sections of a page, in their order" in_order
cites_pages() {
	local name bad=0
	for name in $(sed 's/\\-/-/g' "${pages[@]}" | grep -ohE '(bcos_evlog|bcoslog[a-z-]*|libbcoslog) ?\([1-8]\)' | tr -d ' ' | sort -u); do
		printf '%s\n' "${pages[@]##*/}" | grep -qx "${name%(*}\.$(echo "${name##*(}" | tr -d ')')" || { echo "there is no $name"; bad=1; }
	done
	return "$bad"
}
point "pages of ours that are cited are there" cites_pages
status_of() {
	local c bad=0
	for c in "${commands[@]}"; do
		diff <("$bcoslog" "$c" --help | sed -n '/^Exit status/,$p' | grep -oE '(^Exit status:|,) [0-9]+ ' | grep -oE '[0-9]+') \
			<(sed -n '/^\.SH EXIT STATUS/,/^\.SH EX/p' "$(page_of "$c")" | grep -oE '^\.B [0-9]+|(^|; )[0-9]+:' | grep -oE '[0-9]+') >/dev/null ||
			{ echo "$c: other exit statuses than in its help"; bad=1; }
	done
	return "$bad"
}
point "exit statuses are those of the help" status_of

if command -v mandoc >/dev/null; then
	lints() { local said; said=$(mandoc -Tlint -Wwarning "${pages[@]}"); [ -z "$said" ] || { echo "$said"; return 1; }; }
	point "mandoc has nothing to say" lints
else
	n=$((n + 1))
	echo "ok $n - mandoc has nothing to say # SKIP there is no mandoc: scripts/deps test brings it"
fi
installs() {
	local page name
	BUILD=$BUILD "$top/scripts/install" --module '' --prefix /usr --destdir "$dir" >/dev/null 2>&1
	for page in "${pages[@]}"; do
		name=${page##*/}
		[ -s "$dir/usr/share/man/man${name##*.}/$name" ] || { echo "$name is not installed"; return 1; }
	done
}
point "all of them are installed" installs
echo "1..$n"
exit "$status"
