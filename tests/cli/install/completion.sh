#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Shells complete bcoslog with all commands and options that its help has, with classes and types, and with existing
# processes and devices. The test covers those of bash, zsh and fish that are installed.

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
mkdir "$dir/bin"
ln -s "${BCOSLOG:-$BUILD/bcoslog}" "$dir/bin/bcoslog"
export PATH=$dir/bin:$dir:$PATH HOME=$dir
scripts=$top/scripts/completion

# Shells find the first of these processes. The name of the second is none that a shell should be given.
mkfifo "$dir/never"
cp "$(command -v cat)" "$dir/completed-one"
cp "$(command -v cat)" "$dir/completed;two"
"$dir/completed-one" <"$dir/never" &
one=$!
"$dir/completed;two" <"$dir/never" &
two=$!
exec 9>"$dir/never"
trap 'exec 9>&-; wait; rm -rf "$dir"' EXIT
until [ "$(cat "/proc/$one/comm")" = completed-one ] && [ "$(cat "/proc/$two/comm")" = "completed;two" ]; do sleep 0.01; done

# completes EXPECTED WORD...: bcoslog complete gives these candidates, in one line here, without the words about them.
# shellcheck disable=SC2317  # point calls them
completes() {
	local expected=$1
	shift
	diff <(echo "$expected") <(bcoslog complete "$@" | cut -f 1 | tr '\n' ' ' | sed 's/ $//'; echo)
}
# shellcheck disable=SC2317
all_commands() {
	diff <(bcoslog help | sed -n '1,/^RECORDER/s/^  \([a-z]*\)  *[a-zA-Z].*/\1/p' | sort) <(bcoslog complete '' | cut -f 1 | sort)
}
point "all commands of the help" all_commands
# shellcheck disable=SC2317
all_options() {
	local command
	for command in $(bcoslog complete '' | cut -f 1 | grep -vx help); do
		comm -23 <(bcoslog "$command" --help | grep -oE '^ .*' | grep -E '^ +(-|[A-Z].*--)' | grep -oE '(^|[ ,])--[a-z-]+' | tr -d ' ,' |
			sort -u) <(bcoslog complete "$command" -- </dev/null | cut -f 1 | sort -u) | sed "s/^/$command /"
	done | grep . && return 1
	return 0
}
point "all options of all commands' help" all_options
point "an option by its beginning" completes "--process" dump --pr
point "with a word on it" grep -qx -e "$(printf -- '--process\tonly entries about this process, by number or name')" <(bcoslog complete dump --pr)
point "a command after options" completes "dump" --engine bpf du
point "who records" completes "auto module bpf" --engine ''
point "classes" completes "irq io idle" --classes i
point "in a list" completes "assign,user" --classes assign,u
point "of mask" completes "+kmsg +kernel_time" mask +k
point "to be left off" completes "-irq -io -idle" mask -i
point "types" completes "assign-cpu" dump --type assi
point "severities" completes "warning" text --severity w
point "abilities" completes "module" doctor mod
point "a process that runs, by name" completes "completed-one" top --process completed
point "by number" completes "$one" top --process "$one"
point "of a story" completes "completed-one" story completed-
point "for whom calls are recorded" completes "completed-one" --calls-of completed-
point "a device" grep -qx "$(printf 'lo\tnetwork interface')" <(bcoslog complete io --device l)
point "nothing for a command that there is not" completes "" nonsense ''
point "nor after --" completes "" top -- ''
point "nor where a file is asked for" completes "" explore -o ''
point "nor for a new file" completes "" convert -o ''
point "nor for a program to run" completes "" record --exec ''
point "no option that a report refuses" completes "" power --proc
point "nor without a word" completes ""
# shellcheck disable=SC2317
runs_nothing() { [ -z "$(cd "$dir" && bcoslog complete record -o "$dir/kept" --k | grep -v '^--keep')" ] && [ ! -e "$dir/kept" ]; }
point "no command is run" runs_nothing

# in_bash WORD...: prints what bash offers.
# shellcheck disable=SC2317
in_bash() {
	bash --norc -c '. "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _bcoslog; echo "${COMPREPLY[*]}"' \
		"$scripts/bcoslog.bash" "$@"
}
# shellcheck disable=SC2317
offers() { local expected=$1; shift; diff <(echo "$expected") <("$@"); }
point "bash: an option" offers "--process" in_bash bcoslog dump --pr
point "bash: the value of one" offers "completed-one" in_bash bcoslog top --process completed-
point "bash: as --option=value" offers "completed-one" in_bash bcoslog top --process = completed-
point "bash: of which nothing is typed" offers "auto module bpf" in_bash bcoslog --engine =
point "bash: nothing of ours after a command" offers "" in_bash bcoslog top -- du --pr
# bash is started without any file here, so it has no package for the completion of commands.
point "bash: a command after --" offers "completed-one" in_bash bcoslog top -- completed-o

skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP there is no $1: scripts/deps test brings it"; }
if command -v zsh >/dev/null; then
	# shellcheck disable=SC2317,SC2016
	in_zsh() {
		zsh -f -c 'completion() { source "$0"; }
			_describe() { print -r -- "${(P@)2}"; }
			_files() { print files; }
			_normal() { print -r -- "command $words[CURRENT]"; }
			typeset -a words; words=("${@}"); CURRENT=$#; functions[completion]="$(<$0)"; completion' "$scripts/_bcoslog" "$@"
	}
	point "zsh: an option" offers "--process:only entries about this process, by number or name" in_zsh bcoslog dump --pr
	point "zsh: a process" offers "completed-one:$one" in_zsh bcoslog story completed-
	point "zsh: files where there is nothing" offers files in_zsh bcoslog explore -o ''
	point "zsh: a command after --" offers "command du" in_zsh bcoslog top -- du
else
	skip zsh
fi
if command -v fish >/dev/null; then
	# shellcheck disable=SC2317
	in_fish() { (cd "$dir/bin" && fish --no-config -c "source $scripts/bcoslog.fish; complete -C '$1'") 2>&1; }
	point "fish: an option" offers "$(printf -- '--process\tonly entries about this process, by number or name')" in_fish "bcoslog dump --pr"
	point "fish: a process" offers "$(printf 'completed-one\t%s' "$one")" in_fish "bcoslog story completed-"
	point "fish: files where there is nothing" offers bcoslog in_fish "bcoslog explore -o bcos"
else
	skip fish
fi
echo "1..$n"
exit "$status"
