#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests tests/mutants with a toy program: which faults a file can have, and which are noticed, survive, or do not count.
#
# test: needs=nothing

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
work=$(mktemp -d)
trap 'xargs -r kill <"$work/left" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/toy"
: >"$work/left"

# The toy's test looks at 2 and 5, and so notices every fault but those that make 3 small, too. The variable does
# nothing.
cat >"$work/toy/toy.c" <<'E'
/* if (a > b) is no code. */
static const int table[] = { 7 };
int is_small(int value);
int is_small(int value)
{
	int unused = table[0];

	if (value < 3)
		return 1;
	unused++;
	return 0;
}
E
cat >"$work/toy/test.c" <<'E'
int is_small(int value);
int main(void)
{
	return !(is_small(2) == 1 && is_small(5) == 0);
}
E
cat >"$work/parts.sh" <<'E'
part_files() { echo toy.c; }
part_prepare() { cp "$ROOT"/*.c "$COPY"; }
part_compile() { "$CC" -O2 -c -o "$3/toy.o" "$2"; }
part_tests() { echo one; }
part_run() { [ -z "${ALONE-}" ] || part_compile toy.c "$COPY/toy.c" "$2"; "$CC" "$COPY/test.c" "$2/toy.o" -o "$2/test" && "$2/test"; }
E

mutants() { ROOT=$work/toy BUILD=$work/build MUTANTS_PARTS=$work/parts.sh PART=toy SEED=1 COUNT=100 "$top/tests/mutants/run" >"$work/said" 2>&1; }
says() { grep -qF -e "$1" "$work/said" || { cat "$work/said"; false; }; }
faults() { awk -f "$top/tests/mutants/mutate.awk" "$1" | cut -f2-; }
has_fault() { faults "$work/toy/toy.c" | grep -qxF -e "$1" || { faults "$work/toy/toy.c"; false; }; }
unchanged() { [ "$(cat "$work"/toy/*.c | cksum)" = "$1" ]; }

before=$(cat "$work"/toy/*.c | cksum)
point "a comparison is one" has_fault $'8\t1\t\\tif (value <= 3)'
point "so is a constant" has_fault $'8\t1\t\\tif (value < 4)'
point "a condition" has_fault $'8\t1\t\\tif (!(value < 3))'
point "a statement that is deleted" has_fault $'10\t1\t\\t;'
# shellcheck disable=SC2016
point "but neither comments nor tables" bash -c '! awk -f "$0" "$1" | cut -f2 | grep -qxE "[1-5]"' "$top/tests/mutants/mutate.awk" "$work/toy/toy.c"
printf 'void f(void)\n{\n\tone("a < b");\n\ttwo();\n}\n' >"$work/two.c"
point "two statements are swapped" test "$(faults "$work/two.c")" = $'3\t1\t\\t;\n3\t2\t\\ttwo();\\n\\tone("a < b");\n4\t1\t\\t;'
# A change that nobody can notice is no fault: the order of independent assignments and of frees, a larger buffer, and
# the choice of the lesser of two values that are equal.
printf 'void f(void)\n{\n\tchar text[8];\n\n\ta->x = y;\n\ta->xy = 2 * y;\n\tfree(a);\n\tfree(b);\n\treturn x < y ? x : y;\n}\n' >"$work/none.c"
point "no fault that nobody can notice" test "$(faults "$work/none.c" | cut -f1,2)" = $'5\t1\n6\t1\n6\t1\n6\t2\n7\t1\n8\t1'
printf 'void f(void)\n{\n\ta[i + 1] = (u32)(b - 1);\n\tc *= (int)b;\n}\n' >"$work/parts.c"
point "nor in the order of parts and casts" test "$(faults "$work/parts.c" | grep -c $'\t2\t')" = 0
printf 'void f(void)\n{\n\tfree(d);\n\tcomplain("x", b);\n\ta = 1;\n\tcomplain("x", a);\n\ta &= 2;\n\tsnprintf(c, 9, "x");\n}\n' >"$work/says.c"
point "nor in that of complaints and things that they do not name" test "$(faults "$work/says.c" | grep $'\t2\t' | cut -f1)" = $'5\n6'
printf 'int f(int a)\n{\n\t(void)a;\n\tf(1);\n\treturn a < b ? -1 : 1;\n}\n' >"$work/sign.c"
point "nor a parameter that is not used, nor how much less one is" test "$(faults "$work/sign.c" | cut -f1,3)" = $'4\t\\tf(2);\n4\t\\t;\n5\t\\treturn a <= b ? -1 : 1;'
printf 'void f(void)\n{\n\ta = (u32)b(1);\n\tc = 2;\n}\n' >"$work/calls.c"
point "but calls may change anything" test "$(faults "$work/calls.c" | grep -c $'\t2\t')" = 1
printf 'void f(void)\n{\n\ta = b;\n\tc = a;\n\treturn x < y ? z : y;\n}\n' >"$work/some.c"
point "but where order matters" test "$(faults "$work/some.c" | cut -f1,2)" = $'3\t1\n3\t2\n4\t1\n5\t1'

point "the toy is judged" mutants
point "the seed is said" says "# SEED=1 PART=toy"
# "value <= 3" and "value < 4" survive. The condition turned round is noticed, and so is any other number in a return,
# since the test also notices a 2 in the place of 1.
point "a fault that the test does not see has survived" says "+ if (value <= 3)"
point "with its line, and what it was" says "- if (value < 3)"
point "and file and number" says "survived  toy.c:8"
point "one that it sees has not" bash -c '! grep -qF "+ if (!(value" "$0"' "$work/said"
point "how many there were" says "5 faults: 3 noticed, 2 survived"
point "and what was not counted" says "compiled to the same code: not counted)"
point "the tree itself is left alone" unchanged "$before"

sed -i 's/== 0/== 7/' "$work/toy/test.c"
fails() { ! mutants; }
point "a test that fails anyhow is none" fails
point "which is said" says "without a fault one fails"
sed -i 's/return !.*/for (; is_small(2);) if (!is_small(5)) return 0;/' "$work/toy/test.c"
export PATIENCE=1
sed -i 's/for (;.*/while (is_small(5)) ;\n\treturn 0;/' "$work/toy/test.c"
# The test hangs if the condition is turned round, or if 1 is returned in the place of 0.
point "a test that hangs ends" mutants
point "and has noticed the fault" says "5 faults: 2 noticed, 3 survived"
# This test leaves a process in a session of its own, as a test that starts tmux does.
sed -i 's,"$2/test"; },{ setsid sleep 1000 \& echo $! >>"$ROOT/../left"; "$2/test"; }; },' "$work/parts.sh"
has_ended() { [ -s "$work/left" ] && while read -r pid; do timeout 30 tail -f --pid="$pid" /dev/null || return; done <"$work/left"; }
point "a test that leaves a process is judged" mutants
point "and the process has ended" has_ended
# hangs: waits until a test of the run is in its loop, which no test that ends reaches in a second.
hangs() {
	local tries last
	for ((tries = 0; tries < 60; tries++)); do
		last=$(tail -n 1 "$work/left")
		sleep 1
		[ -z "$last" ] || [ "$last" != "$(tail -n 1 "$work/left")" ] || ! kill -0 "$last" 2>/dev/null || return 0
	done
	cat "$work/said"
	return 1
}
# ends_early: a run that the signal ends while a test hangs.
ends_early() {
	local run
	: >"$work/left"
	ROOT=$work/toy BUILD=$work/build MUTANTS_PARTS=$work/parts.sh PART=toy SEED=1 COUNT=100 JOBS=1 PATIENCE=1000 "$top/tests/mutants/run" >"$work/said" 2>&1 &
	run=$!
	hangs && kill "$run" && ! wait "$run" && has_ended
}
# shellcheck disable=SC2016
sed -i 's,{ setsid sleep.*,{ setsid sleep 1000 \& echo $! >>"$ROOT/../left"; echo $BASHPID >>"$ROOT/../left"; exec "$2/test"; }; },' "$work/parts.sh"
point "a run that is ended leaves no test, nor what the test has started" ends_early
echo "1..$n"
exit "$status"
