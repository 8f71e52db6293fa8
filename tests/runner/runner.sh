#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tests the test runner in a tree of made-up tests, with a script in the place of scripts/guest. Tests that pass, fail,
# hang, die, or are skipped must be reported as such. Each report is a TAP point.
#
# test: timeout=900 needs=nothing

set -u
TESTS=$(cd "$(dirname "$0")/.." && pwd -P)
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
unset ROUNDS FULL JOBS ROOT GUEST_SLOW CMOCKA_MESSAGE_OUTPUT
n=0 failures=0

# ---- the tree --------------------------------------------------------------------------------------

mkdir -p "$TREE"/{scripts,build} "$TREE"/tests/{unit,guest}
cp -r "$TESTS/run" "$TESTS/lib" "$TREE/tests/"
cp "$TESTS/../scripts/splat" "$TREE/scripts/"
cp -r "$TESTS/../scripts/lib" "$TREE/scripts/"
printf 'tools sanitized:\n\t@touch $(O)/made-$@\nnative: $(O)/tests/unit-stale\nguest:\n\t@:\n$(O)/tests/unit-stale: unit/stale_test.c\n\tfalse\n' >"$TREE/tests/Makefile"

# program FILE: writes a script from standard input to the file, and makes it executable.
program() {
	{ echo '#!/bin/sh'; cat; } >"$TREE/$1"
	chmod +x "$TREE/$1"
}

program scripts/kernel <<'E'
[ "$1" = 9.9 ] && { echo "there is no kernel 9.9 here" >&2; exit 77; }
echo "/kernels/$1"
E
program scripts/build-module <<'E'
[ "$1" = 8.8 ] && { echo "it does not build" >&2; exit 1; }
touch "$ROOT/build/module"
E
# This guest runs the list right here. Tests write its console to the file $CONSOLE. A test with the exit status 99 ends
# the guest, and a line of trouble on the console makes it exit 70, as the real scripts/guest does.
program scripts/guest <<'E'
echo "$*" >>"$ROOT/build/machines"
echo "$GUEST_ACCEL" >>"$ROOT/build/accelerators"
while [ "$1" != -- ]; do
	case $1 in
	--console) console=$2 ;;
	--add) case $2 in *:tests.list) list=${2%%:*} ;; esac ;;
	--timeout) timeout=$2 ;;
	esac
	shift
done
full=$4
: >"$console"
echo "$timeout" >>"$ROOT/build/boots"
cd "$ROOT/tests/guest"
while IFS="$(printf '\t')" read -r label limit rounds command; do
	echo "bcos-test: begin $label "
	echo "[ 1.0] bcos-test: begin $label" >>"$console"
	FULL=$full ROUNDS=$rounds CONSOLE=$console timeout -s KILL "$limit" sh -c "$command" 2>&1
	status=$?
	[ "$status" != 99 ] || { echo "the guest died" >&2; exit 71; }
	[ "$status" != 98 ] || { echo "the emulator failed" >&2; exit 75; }
	[ "$status" = 97 ] || echo "bcos-test: end $label $status 0.1"
done <"$list"
grep -q WARNING "$console" && { echo "trouble in the console" >&2; exit 70; }
exit 0
E

program tests/unit/good.sh <<'E'
exit 0
E
program tests/unit/bad.sh <<'E'
echo "the reason"; exit 3
E
program tests/unit/skipped.sh <<'E'
echo "no such thing here"; exit 77
E
program tests/unit/tap.sh <<'E'
printf '1..3\nok 1 - a\nok 2 - b # SKIP not today\nok 3 - c\n'
E
program tests/unit/tapbad.sh <<'E'
printf '1..2\nok 1 - a\nnot ok 2 - b\n# because\n'; exit 1
E
program tests/unit/short.sh <<'E'
printf '1..4\nok 1 - a\n'
E
program tests/unit/lying.sh <<'E'
printf '1..1\nok 1 - a\n'; exit 1
E
program tests/unit/hangs.sh <<'E'
# test: timeout=1
sleep 60
E
program tests/unit/endless.sh <<'E'
sleep 1000 &
echo "$$ $!" >"$ROOT/build/endless.new"
mv "$ROOT/build/endless.new" "$ROOT/build/endless"
wait
E
program tests/unit/rounds.sh <<'E'
# test: rounds=7:70
[ "$ROUNDS" = 7 ] && [ "$FULL" = 0 ] || { [ "$ROUNDS" = 70 ] && [ "$FULL" = 1 ]; }
E
program tests/unit/fullonly.sh <<'E'
# test: full-only=yes
exit 0
E
program tests/unit/spare.sh <<'E'
# test: spare=yes rounds=3:30
cat >/dev/null
nice >"$ROOT/build/niceness"
[ "$ROUNDS" = 3 ]
E
program tests/unit/alsospare.sh <<'E'
# test: spare=yes rounds=5:50
[ "$ROUNDS" = 5 ]
E
program tests/unit/sparetoo.sh <<'E'
# test: spare=yes
[ -z "${ROUNDS+set}" ]
E
cat >"$TREE/tests/unit/unbuilt_test.c" <<'E'
int main(void) { return 0; }
E
# The program of this test was built before the source was broken.
mkdir "$TREE/build/tests"
program build/tests/unit-stale <<'E'
exit 0
E
touch -d yesterday "$TREE/build/tests/unit-stale"
cp "$TREE"/tests/unit/{unbuilt,stale}_test.c
program tests/guest/fine.sh <<'E'
# guest: cpus=2 rounds=5:50 args=one two
# guest: cpus=2 kernels=6.12 also=6.12-rt
[ "$#" = 0 ] || { [ "$1 $2" = "one two" ] && { [ "$ROUNDS" = 5 ] || [ "$ROUNDS" = 50 ]; }; }
E
program tests/guest/warns.sh <<'E'
# guest: kernels=6.12
echo "[ 2.0] WARNING: CPU: 0 PID: 1 at somewhere" >>"$CONSOLE"
E
program tests/guest/adies.sh <<'E'
# guest: kernels=6.1
exit 99
E
program tests/guest/after.sh <<'E'
# guest: kernels=6.1
exit 0
E
program tests/guest/unlucky.sh <<'E'
# guest: kernels=6.1
[ "$(wc -l <"$ROOT/build/boots")" -gt 2 ] || exit 98
E
for often in 1 2; do
	program tests/guest/often$often.sh <<E
# guest: kernels=6.1 cpus=$((often * 2))
echo >>"\$ROOT/build/often$often"
[ "\$(wc -l <"\$ROOT/build/often$often")" -gt 5 ] || exit 98
E
done
program tests/guest/halfheard.sh <<'E'
# guest: kernels=6.1
[ "$(wc -l <"$ROOT/build/boots")" -gt 1 ] || exit 97
E
program tests/guest/hapless.sh <<'E'
# guest: kernels=6.1
exit 98
E
# Two of these tests spoil their guest, and the third one sees whether its guest is spoilt.
program tests/guest/aspoils.sh <<'E'
# guest: cpus=4 last=yes
touch "$ROOT/build/spoilt"
E
program tests/guest/bspoils.sh <<'E'
# guest: cpus=4 last=yes
touch "$ROOT/build/spoilt"
E
program tests/guest/spotless.sh <<'E'
# guest: cpus=4 also=6.1,6.1-rt
# guest: cpus=3 also=all append=a=1;b=2
[ ! -e "$ROOT/build/spoilt" ]
E
program tests/guest/ofx86.sh <<'E'
# guest: cpus=2 kernels=6.12-arm64 x86=the;clock;of;a;PC
exit 1
E
program tests/guest/helper.sh <<'E'
exit 1
E

# ---- what comes out --------------------------------------------------------------------------------

# run ARG...: runs tests/run, and sets OUT, STATUS and LAST.
run() {
	STATUS=0
	OUT=$(env -u TESTS BUILD="$TREE/build" ROOT="$TREE" "$TREE/tests/run" "$@" 2>&1) || STATUS=$?
	LAST=$(tail -n 1 <<<"$OUT")
}

# is NAME A B: a point, which fails unless A equals B.
is() {
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		printf 'not ok %d - %s\n# "%s" is not "%s"\n' "$n" "$1" "$2" "$3"
		# shellcheck disable=SC2001  # of many lines
		sed 's/^/# | /' <<<"$OUT"
		failures=$((failures + 1))
	fi
}

# outcome NAME LAST STATUS ARG...: runs tests/run with the arguments, and compares its last line and its exit status.
outcome() {
	local name=$1 last=$2 status=$3
	shift 3
	run "$@"
	is "$name: last line" "$LAST" "$last"
	is "$name: exit status" "$STATUS" "$status"
}

# says NAME PATTERN: a point, which fails unless exactly one line of the output matches.
says() { is "$1" "$(grep -cE -- "$2" <<<"$OUT")" 1; }

outcome "a test that passes" "1 passed, 0 failed" 0 good
outcome "by its whole name" "1 passed, 0 failed" 0 unit-good
outcome "one that fails" "0 passed, 1 failed" 1 bad
says "what it said is shown" '\| the reason'
says "and its status" 'FAIL +unit-bad .*exit status 3'
outcome "one that is skipped is nothing passed" "0 passed, 0 failed, 1 skipped" 1 skipped
says "with its reason" 'skip +unit-skipped .*no such thing here'
outcome "skipped beside passed" "1 passed, 0 failed, 1 skipped" 0 skipped good
outcome "TAP counts by points" "2 passed, 0 failed, 1 skipped" 0 tap
outcome "a failed point" "1 passed, 1 failed" 1 tapbad
says "what the point said is shown" '\| # because'
outcome "points that did not come" "1 passed, 3 failed" 1 short
outcome "all points are fine, the status is not" "1 passed, 1 failed" 1 lying
outcome "one that hangs" "0 passed, 1 failed" 1 hangs
says "it says so" 'did not finish in time'
outcome "reduced rounds" "1 passed, 0 failed" 0 rounds
outcome "full rounds" "1 passed, 0 failed" 0 --full rounds
outcome "one that did not build" "0 passed, 1 failed" 1 unbuilt
outcome "one that does not build any more" "0 passed, 1 failed" 1 stale
outcome "none of that name" "0 passed, 0 failed" 1 nothing-of-the-kind
outcome "a pattern" "3 passed, 1 failed, 1 skipped" 1 "unit-ta*"

# An interrupted run ends the processes that it has started before it ends itself.
env -u TESTS BUILD="$TREE/build" ROOT="$TREE" "$TREE/tests/run" endless >"$TREE/interrupted" 2>&1 &
interrupted=$!
until [ -e "$TREE/build/endless" ]; do sleep 0.05; done
read -r endless sleeper <"$TREE/build/endless"
kill "$interrupted"
STATUS=0
wait "$interrupted" || STATUS=$?
OUT=$(cat "$TREE/interrupted")
is "an interrupted run: exit status" "$STATUS" 1
is "it says so" "$(tail -n 1 "$TREE/interrupted")" "tests/run: interrupted"
# alive PID...: prints the processes that still run after 10 s. A process whose parent has gone is a zombie until init
# waits for it.
alive() {
	local pid tries
	for pid; do
		for ((tries = 0; tries < 100; tries++)); do
			grep -q '^State:[[:space:]]*[^XZ[:space:]]' "/proc/$pid/status" 2>/dev/null || continue 2
			sleep 0.1
		done
		echo "$pid"
	done
}
is "its test has ended, and so have the processes of that" "$(alive "$endless" "$sleeper")" ""

# A script gets what its header says that it needs.
for needs in "" needs=nothing needs=sanitized; do
	printf 'exit 0\n' | sed "1i# test: timeout=9 $needs" | program tests/unit/needs.sh
	rm -f "$TREE"/build/made-*
	run unit-needs
	is "what is built for \"$needs\"" "$(cd "$TREE/build" && echo made-*)" \
		"$(case $needs in *nothing) echo "made-*" ;; *sanitized) echo made-sanitized made-tools ;; *) echo made-tools ;; esac)"
	rm "$TREE/tests/unit/needs.sh"
done

# A header that the runner does not understand is an error, whichever tests are asked for.
for header in "guest: cpus=2 rt=yes" "guest: cpu=2" "guest: cpus=2 also=6.12-tr" "guest: cpus=2 kernels=6.1,6.2" \
	"guest: cpus=2 also=6.1;6.12" "guest: cpus=2 engine=kprobes" "guest: cpus=2 smt=1" "guest: cpus=" "guest: cpus 2" \
	"test: also=6.1" "test: round=3" "test: needs=everything"; do
	folder=guest
	[[ $header != test:* ]] || folder=unit
	printf 'exit 0\n' | sed "1i# $header" | program "tests/$folder/misspelt.sh"
	word=${header##* }
	[ "$header" != "guest: cpus 2" ] || word=cpus
	run good
	is "a header \"$header\": the status" "$STATUS" 1
	is "a header \"$header\": which file, and which word" "$LAST" \
		"tests/run: tests/$folder/misspelt.sh: its header says \"$word\", which means nothing: see tests/README.md"
	rm "$TREE/tests/$folder/misspelt.sh"
done
printf 'exit 0\n' | sed '1i# guest: cpus=2 memory=9 smt=yes icount=yes x86=a;reason capacity=1,2 maxcpus=1 modprobe=a append=b allow=c qemu=d slots=1 kernels=6.1,6.12-rt also=all debug=no debug-rounds=1 rounds=1:2 timeout=1:2 full-only=yes engine=bpf-map last=yes alone=yes args=any word=here' |
	program tests/guest/allkeys.sh
outcome "a header with every key there is" "1 passed, 0 failed" 0 good
rm "$TREE/tests/guest/allkeys.sh"

# Sub-folders sort tests, and are no part of their names.
mkdir -p "$TREE"/tests/{unit,guest}/{noun,lib}
printf 'exit 0\n' | sed '1i# guest: cpus=2' | program tests/guest/noun/deepguest.sh
printf 'exit 0\n' | program tests/unit/noun/deep.sh
printf 'exit 0\n' | program tests/unit/lib/nonesuch.sh
outcome "a test in a sub-folder" "1 passed, 0 failed" 0 unit-deep
run --list
is "one of guests in a sub-folder" "$(grep -c '^guest-deepguest@6.12$' <<<"$OUT")" 1
is "what tests share is no test" "$(grep -c nonesuch <<<"$OUT")" 0
printf 'exit 0\n' | sed '1i# guest: cpu=2' | program tests/guest/noun/misspelt.sh
run good
is "a header in a sub-folder: the status" "$STATUS" 1
is "a header in a sub-folder: which file, and which word" "$LAST" \
	"tests/run: tests/guest/noun/misspelt.sh: its header says \"cpu=2\", which means nothing: see tests/README.md"
rm "$TREE/tests/guest/noun/misspelt.sh"
# twins NAME FILE FILE: makes a second file for the test NAME, which tests/run refuses.
twins() {
	cp "$TREE/tests/$2" "$TREE/tests/$3"
	run good
	is "two files are $1: the status" "$STATUS" 1
	is "two files are $1: which" "$LAST" "tests/run: tests/$2 and tests/$3 are both the test $1: rename one of them"
	rm "$TREE/tests/$3"
}
twins unit-good unit/good.sh unit/noun/good.sh
twins guest-fine guest/fine.sh guest/noun/fine.sh
rm -r "$TREE"/tests/{unit,guest}/{noun,lib}

run --list
is "full-only is left out" "$(grep -c fullonly <<<"$OUT")" 0
is "a helper is no test" "$(grep -c helper <<<"$OUT")" 0
run --list --full
is "full-only is in" "$(grep -c fullonly <<<"$OUT")" 1
is "everything on all four kernels, and on 64-bit ARM" "$(grep -c 'guest-fine@' <<<"$OUT")" 5
run --list
is "a run restricted to a version" "$(grep 'guest-fine.2' <<<"$OUT" | tr '\n' ' ')" "guest-fine.2@6.12 guest-fine.2@6.12-rt "
is "once, where it says most" "$(grep 'guest-fine@' <<<"$OUT" | tr '\n' ' ')" "guest-fine@6.12 "
is "and where else it says" "$(grep 'guest-spotless@' <<<"$OUT" | tr '\n' ' ')" \
	"guest-spotless@6.1 guest-spotless@6.12 guest-spotless@6.1-rt "
is "or everywhere" "$(grep -c 'guest-spotless.2@' <<<"$OUT")" 4
run --list --full spotless
is "full runs heed no such word" "$(grep -c 'guest-spotless' <<<"$OUT")" 12
run --list --kernels 6.12-rt spotless
is "nor do those that are asked for" "$(tr '\n' ' ' <<<"$OUT")" "guest-spotless@6.12-rt guest-spotless.2@6.12-rt "

rm -f "$TREE/build/boots"
outcome "guest tests of one machine" "2 passed, 0 failed" 0 --kernels 6.12 fine
is "share a boot" "$(wc -l <"$TREE/build/boots")" 1
outcome "a test that may wait for idle processors" "1 passed, 0 failed" 0 spare
is "has its share without guests" "$(<"$TREE/build/niceness")" "$(nice)"
outcome "three of those beside a guest test, each with its own rounds" "6 passed, 0 failed" 0 --kernels 6.12 alsospare spare sparetoo good fine
is "leave the processors to the guest" "$(<"$TREE/build/niceness")" 19
rm -f "$TREE"/build/{boots,spoilt}
outcome "tests that spoil a guest" "4 passed, 0 failed" 0 --kernels 6.12 aspoils bspoils spotless
is "run after all others of their boot, each in its own" "$(wc -l <"$TREE/build/boots")" 3
is "with all words for the kernel" "$(grep -c -- ' --append a=1 --append b=2 ' "$TREE/build/machines")" 1
says "boots are counted" '^3 boots of guests; 0 boots repeated'
outcome "trouble on the console" "0 passed, 1 failed" 1 --kernels 6.12 warns
is "is the test's, whatever its status" "$(grep -cE 'FAIL +guest-warns@6.12 .*the kernel reported trouble' <<<"$OUT")" 1
rm -f "$TREE/build/boots"
outcome "a guest that dies" "1 passed, 1 failed" 1 --kernels 6.1 adies after
is "is booted again for the others" "$(wc -l <"$TREE/build/boots")" 2
outcome "a test of x86 alone is a skip on 64-bit ARM" "0 passed, 0 failed, 1 skipped" 1 --kernels 6.12-arm64 ofx86
says "and the reason is shown" 'skip +guest-ofx86@6.12-arm64 .*of x86 alone: the clock of a PC'
outcome "no kernel is a skip" "0 passed, 0 failed, 1 skipped" 1 --kernels 9.9 fine
says "with the reason" 'skip +guest-fine@9.9 .*there is no kernel 9.9 here'
outcome "a module that does not build is not" "0 passed, 1 failed" 1 --kernels 8.8 fine

program tests/unit/boots.sh <<'E'
# test: needs=guest
[ ! -e "$ROOT/build/module" ]
echo "$?" >"$ROOT/build/waited"
E
rm -f "$TREE/build/module"
outcome "a native test that boots a guest by itself" "3 passed, 0 failed" 0 --kernels 6.12 fine boots
is "waits until the module is built" "$(<"$TREE/build/waited")" 1
rm -f "$TREE"/build/{module,waited}
outcome "and waits for nothing without guest tests" "1 passed, 0 failed" 0 boots
is "since it builds the module itself then" "$(<"$TREE/build/waited")" 0
outcome "it runs also if no kernel can be had" "1 passed, 0 failed, 1 skipped" 0 --kernels 9.9 fine boots
outcome "or no module" "1 passed, 1 failed" 1 --kernels 8.8 fine boots
rm "$TREE/tests/unit/boots.sh"

# ---- the emulator's own defect ---------------------------------------------------------------------

rm -f "$TREE"/build/{boots,accelerators}
outcome "an emulator that fails twice" "1 passed, 0 failed" 0 --kernels 6.1 unlucky
says "is an excuse, and said" 'booted 3 times'
is "the CPUs take turns then" "$(tr '\n' ' ' <"$TREE/build/accelerators")" "auto auto tcg-single "
rm -f "$TREE/build/boots"
says "counted" '2 boots repeated for the emulator.s defects, of at most 8'
is "with what ran, and why, each" "$(grep -c '^ *guest-unlucky@6.1: the emulator failed' <<<"$OUT")" 2
rm -f "$TREE/build/boots"
outcome "one that goes on failing" "0 passed, 1 failed" 1 --kernels 6.1 hapless
is "is none for ever" "$(wc -l <"$TREE/build/boots")" 7
outcome "several that fail often" "2 passed, 1 failed" 1 --kernels 6.1 often1 often2
says "fail the run together, although each passes" 'FAIL +more boots were repeated'

rm -f "$TREE/build/boots"
outcome "a test whose end did not arrive, in a guest that ended well" "1 passed, 0 failed" 0 --kernels 6.1 halfheard
says "gets another turn" 'booted 2 times'

# qemu COMMAND: runs the real scripts/guest with a QEMU that does nothing but the command.
mkdir -p "$TREE/kernel/modules"
touch "$TREE"/kernel/{vmlinuz,modules/modules.dep}
echo 1.0 >"$TREE/kernel/release"
qemu() {
	printf '#!/bin/sh\n%s\n' "$1" >"$TREE/qemu"
	chmod +x "$TREE/qemu"
	STATUS=0
	OUT=$(QEMU=$TREE/qemu GUEST_ACCEL=tcg BUILD=$TREE/build "$TESTS/../scripts/guest" --kernel "$TREE/kernel" \
		--console "$TREE/console" -- true 2>&1) || STATUS=$?
}
if [ "$(uname -m)" = x86_64 ]; then
	qemu 'kill -SEGV $$'
	is "so is a QEMU that crashes" "$STATUS" 75
	qemu 'kill -ABRT $$'
	is "or gives itself up" "$STATUS" 75
	qemu 'kill -KILL $$'
	is "one that is killed is a guest that died" "$STATUS" 71
	qemu "echo '[    9.0] reboot: Power down' >'$TREE/console'"
	is "a verdict that is lost on its way is the emulator's" "$STATUS" 75
	qemu "echo '[    9.0] random: crng init done' >'$TREE/console'"
	is "a guest that ended without one has died" "$STATUS" 71
fi

# oops BYTE: runs scripts/splat on an oops at a breakpoint that follows this byte.
oops() {
	printf '[    9.0] %s\n' "Oops: int3: 0000 [#1] PREEMPT SMP NOPTI" "RIP: 0010:__schedule+0x339/0xbf0" \
		"Code: 03 00 00 $1 <3a> 02" "Kernel panic - not syncing: Fatal exception in interrupt" >"$TREE/console"
	splat
}
splat() {
	STATUS=0
	OUT=$("$TREE/scripts/splat" "$@" "$TREE/console" 2>&1) || STATUS=$?
}
oops e9
is "a breakpoint that is not there" "$STATUS" 75
sed -i '1i[    8.0] WARNING: CPU: 0 PID: 1 at somewhere' "$TREE/console"
splat
is "what came before it is trouble all the same" "$STATUS" 70
oops cc
is "so is a breakpoint that is there" "$STATUS" 70
printf '[   26.0] %s\n' "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:" \
	"rcu: rcu_preempt kthread starved for 5252 jiffies!" "INFO: task kworker/0:1:9 blocked for more than 120 seconds." \
	>"$TREE/console"
splat
is "a stall is trouble" "$STATUS" 70
printf '[   %s\n' "9.0] Run /init as init process" "0.0] Linux version 6.12" "26.0] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:" \
	"54.0] Run /init as init process" "60.0] INFO: task sh:9 blocked for more than 120 seconds." >"$TREE/console"
splat
is "but not if no program has run since the boot" "$STATUS" 75
sed -i '3d' "$TREE/console"
splat
is "once one has, it is" "$STATUS" 70
sed -i '3s/.*/[   20.0] BUG: KASAN: slab-out-of-bounds in somewhere/' "$TREE/console"
splat
is "and so is all else before" "$STATUS" 70
printf '[   26.0] %s\n' "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:" >"$TREE/console"
splat --caught
is "nor if the emulator has caught a CPU" "$STATUS" 75
sed -i '1i[    8.0] BUG: KASAN: slab-out-of-bounds in somewhere' "$TREE/console"
splat --caught
is "all else is trouble then, too" "$STATUS" 70
: >"$TREE/console"
splat --caught
is "nor is a run good in which it has" "$STATUS" 75

# flags FLAGS: runs scripts/splat on an oops with these flags.
flags() {
	printf '[    9.0] %s\n' "Oops: double fault: 0000 [#1] PREEMPT SMP NOPTI" "RIP: 0010:__kmalloc_noprof+0x131/0x400" \
		"RSP: 0018:ffffc9000043bb20 EFLAGS: $1" "Kernel panic - not syncing: Fatal exception in interrupt" >"$TREE/console"
	splat
}
flags 04cae242
is "flags that no processor has are the emulator's" "$STATUS" 75
sed -i '1i[    8.0] BUG: KASAN: slab-out-of-bounds in somewhere' "$TREE/console"
splat
is "a checker's report before it is trouble all the same" "$STATUS" 70
flags 003ffed7
is "all that there are may be trouble" "$STATUS" 70

# caught BYTE FROM: runs the code of scripts/lib/stale-code.sh on two CPUs. One of them enters the handler of
# breakpoints at every seventh look. Its return address follows this byte, and is always the same or, with FROM=any,
# another each time.
caught() {
	local behind=$1 from=$2
	echo 0 >"$TREE/look"
	STATUS=0
	(
		monitor() {
			local look rip=ffffffff81000000
			look=$(<"$TREE/look")
			case $1 in
			"info registers -a")
				echo "$((look + 1))" >"$TREE/look"
				[ "$((look % 7))" != 0 ] || rip=ffffffff82000ba0
				printf 'CPU#0\nRBP=0 RSP=0000000000000000\nRIP=00007f0000000001 RFL=0\nIDT=     fffffe0000000000 00000fff\n'
				printf 'CPU#1\nRBP=0 RSP=ffffc90000003000\nRIP=%s RFL=0\nIDT=     fffffe0000000000 00000fff\n' "$rip"
				;;
			"x /2gx 0xfffffe0000000000 + 0x30") echo "fffffe0000000030: 0x8200ee0000100ba0 0x00000000ffffffff" ;;
			"x /1gx 0xffffc90000003000")
				[ "$from" = any ] && echo "1: 0xffffffff8100$((1000 + look))" || echo "1: 0xffffffff81001234" ;;
			"x /1bx 0xffffffff8100"*) echo "1: $behind" ;;
			esac
		}
		# shellcheck source=scripts/lib/stale-code.sh
		. "$TREE/scripts/lib/stale-code.sh"
		code_is_stale
	) || STATUS=$?
}
caught 0xe9 here
is "a CPU that meets a breakpoint that is not there is found" "$STATUS" 0
caught 0xcc here
is "one that meets a breakpoint that is there is none" "$STATUS" 1
caught 0xe9 any
is "nor one that only comes too late, now and then" "$STATUS" 1
echo "1..$n"
[ "$failures" = 0 ]
