#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# scripts/run and scripts/guest leave no process behind, whatever ends them, and scripts/run says what it cannot do.
#
# test: timeout=600 needs=nothing
#
# Scripts stand for the recorder, QEMU and the guest, and run until somebody ends them. A variable in the environment of
# a process tells whether the test started it.

set -u
TESTS=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tests/lib/point.sh
. "$TESTS/lib/point.sh"
TREE=$(mktemp -d)
trap 'rm -rf "$TREE"' EXIT
chmod 755 "$TREE"
unset BUILD ROOT KERNEL GUEST_SLOW YES RUN_GUEST RUN_BPF RUN_SECONDS MAKEFLAGS MAKELEVEL

# program FILE: writes a script from standard input to the file, and makes it executable.
program() {
	{ echo '#!/bin/bash'; cat; } >"$TREE/$1"
	chmod 755 "$TREE/$1"
}

mkdir -p "$TREE"/{bin,build,kernel/modules,scripts,tmp}
chmod 1777 "$TREE/tmp"
cp -r "$TESTS"/../scripts/{lib,run,run-guest} "$TREE/scripts/"
touch "$TREE"/kernel/{vmlinuz,modules/modules.dep}
echo 1.0 >"$TREE/kernel/release"
printf 'userspace:\n\t@:\n' >"$TREE/Makefile"
# The programs are those of a machine without sudo.
ln -s /usr/bin/* /usr/sbin/* "$TREE/bin/" 2>/dev/null
rm -f "$TREE/bin/sudo"
program scripts/deps <<'E'
exit 0
E
program scripts/build-module <<'E'
[ -z "$SLOW_BUILD" ] || { echo building >&2; sleep 1000; }
exit 0
E
program scripts/guest <<'E'
sleep 1000 &
trap 'kill $!; exit 143' TERM
[ -z "$DEAD_GUEST" ] || { echo "the guest died" >&2; kill $!; exit 71; }
echo "a line of the guest"
wait
E
program build/bcoslog <<'E'
case "$*" in
*--nonsense*) echo "bcoslog: there is no --nonsense" >&2; exit 1 ;;
*--help*) exit 0 ;;
*status*) [ -z "$REFUSED" ] || { echo "bcoslog: $REFUSED" >&2; exit 2; } ;;
*--engine*) [ -z "$BROKEN" ] || exit 3; echo "a line of the machine"; exec sleep 1000 ;;
*) exec cat ;;
esac
E
program qemu <<'E'
echo started
exec sleep 1000
E

# start [SETTING]... COMMAND...: starts a command in the background, and sets PID.
start() {
	: >"$TREE/out"
	: >"$TREE/err"
	env PATH="$TREE/bin" TMPDIR="$TREE/tmp" LEFTOVER="$TREE" "$@" >"$TREE/out" 2>"$TREE/err" <"${INPUT:-/dev/null}" &
	PID=$!
}

# waits_for COMMAND...: repeats a command until it succeeds, for half a minute at most.
waits_for() {
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		"$@" && return
		sleep 0.1
	done
	echo "waited for half a minute: $*"
	cat "$TREE/out" "$TREE/err"
	return 1
}

has() { grep -q -- "$1" "$TREE/$2"; }
leftovers() { grep -lzxF "LEFTOVER=$TREE" /proc/[0-9]*/environ 2>/dev/null; }
# clean: is no process left, and no temporary file?
# shellcheck disable=SC2317
clean() { [ -z "$(leftovers)" ] && [ -z "$(ls "$TREE/tmp")" ]; }
# shellcheck disable=SC2317
is_clean() {
	local file
	waits_for clean && return
	for file in $(leftovers); do tr '\0' ' ' <"${file%environ}cmdline"; done
	ls "$TREE/tmp"
	return 1
}
# shellcheck disable=SC2317
is_status() { [ "$code" = "$1" ] || { echo "status $code"; cat "$TREE/err"; false; }; }

end_with() {
	code=0
	kill "-$1" "$PID"
	wait "$PID" || code=$?
}
ended() {
	code=0
	wait "$PID" || code=$?
}

# ---- scripts/run -----------------------------------------------------------------------------------

for how in BPF GUEST; do
	word=machine
	[ "$how" = BPF ] || word=guest
	for signal in TERM HUP; do
		start "RUN_$how=1" "$TREE/scripts/run"
		point "make run, $how: it records" waits_for has "a line of the $word" out
		end_with "$signal"
		point "SIG$signal ends it, and is no failure" is_status 0
		point "it leaves nobody" is_clean
	done
	start "RUN_$how=1" RUN_SECONDS=1 "$TREE/scripts/run"
	ended
	point "$how: so do seconds" is_status 0
	point "nor then" is_clean
done
start RUN_GUEST=1 SLOW_BUILD=1 "$TREE/scripts/run"
point "it builds" waits_for has building err
end_with TERM
point "SIGTERM ends that, too" is_status 0
point "and who builds" is_clean
start RUN_BPF=1 "$TREE/scripts/run" --nonsense
ended
point "an unknown option is an error" is_status 1
point "and named" has "run: there is no --nonsense" err
start RUN_BPF=1 RUN_SECONDS=soon "$TREE/scripts/run"
ended
point "so is a time that is none" is_status 1
start RUN_BPF=1 BROKEN=1 "$TREE/scripts/run"
ended
point "a recorder that fails is one" is_status 1
start RUN_GUEST=1 DEAD_GUEST=1 "$TREE/scripts/run"
ended
point "and so is a guest" is_status 1
point "nobody is left of all that" is_clean

if [ "$(id -u)" = 0 ]; then
	nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	chmod -R a+rX "$TREE"
	start REFUSED="recording takes CAP_BPF" RUN_SECONDS=1 "${nobody[@]}" "$TREE/scripts/run"
	ended
	point "a user without sudo" is_status 0
	point "is told what it takes" has "recording takes CAP_BPF; here is the log of a guest" err
	point "and gets the log of a guest" has "a line of the guest" out
	# Only root may end processes of root.
	program bin/sudo <<'E'
echo "$*" >>"$TMPDIR/../tmp/sudo"
trap 'kill $!' TERM
"$@" &
wait
E
	start RUN_BPF=1 "${nobody[@]}" "$TREE/scripts/run"
	point "one with sudo records this machine" waits_for has "a line of the machine" out
	end_with TERM
	point "and ends it" is_status 0
	rm -f "$TREE/tmp/sudo" "$TREE/bin/sudo"
	point "with whom sudo started" is_clean
fi

# ---- scripts/guest ---------------------------------------------------------------------------------

if [ "$(uname -m)" = x86_64 ]; then
	for signal in TERM HUP KILL; do
		start QEMU="$TREE/qemu" GUEST_ACCEL=tcg BUILD="$TREE/build" "$TESTS/../scripts/guest" --kernel "$TREE/kernel" \
			--console "$TREE/console" -- true
		point "scripts/guest: QEMU runs" waits_for has started out
		end_with "$signal"
		point "SIG$signal: nobody is left" is_clean
	done
	printf '#!/bin/sh\nread -r line; echo "typed: $line"; tty; exec sleep 1000\n' >"$TREE/qemu"
	mkfifo "$TREE/typing"
	{ echo something; sleep 30; } >"$TREE/typing" &
	typist=$!
	INPUT=$TREE/typing start QEMU="$TREE/qemu" GUEST_ACCEL=tcg BUILD="$TREE/build" SHELL=/bin/sh script -qefc "$TESTS/../scripts/guest --terminal \
		--kernel $TREE/kernel --console $TREE/console -- true" /dev/null
	point "with a terminal, what is typed gets there" waits_for has "typed: something" out
	end_with TERM
	point "and nobody is left" is_clean
	kill "$typist"
fi
echo "1..$n"
exit "$status"
