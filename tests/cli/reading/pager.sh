#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A user who may run bcoslog with another user's rights (sudo) gets no shell from its pager, and cannot choose a pager that runs with
# these rights: bcoslog(1), ENVIRONMENT. A program in the place of /usr/bin/less tells its environment.
#
# shellcheck disable=SC2317,SC2154  # point calls the functions, and has the variables

set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
BUILD=${BUILD:-$top/build}
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
if [ -z "${PAGER_APART-}" ]; then
	[ "$(basename "$(readlink -f /usr/bin/less)")" = less ] || { echo "there is no /usr/bin/less"; exit 77; }
	unshare -rm true 2>/dev/null || { echo "there are no namespaces of mounts here"; exit 77; }
	PAGER_APART=1 exec unshare -rm "$0"
fi
root=$(mktemp -d)
trap 'umount -l /usr/bin/less 2>/dev/null; umount -l /usr/bin/less 2>/dev/null; rm -rf "$root"' EXIT
cd "$root" || exit 1
unset SUDO_UID PKEXEC_UID DOAS_USER
"$BUILD/tests/assemble" "$top/tests/cli/golden/types.log" >types.log
mkdir path keys
printf '%s\n' '#!/bin/sh' "/usr/bin/env >$root/environment" "echo paged" "exec /bin/cat" >less
printf '%s\n' '#!/bin/sh' "echo >$root/chosen" "exec /bin/cat" >path/less
chmod +x less path/less
mount --bind less /usr/bin/less || exit 1

# shown VARIABLE=VALUE...: prints what a terminal gets with these variables.
shown() {
	rm -f environment chosen
	env "$@" script -qec "'$BUILD/bcoslog' text --severity critical types.log" /dev/null </dev/null
}
hostile=(PATH="$root/path:$PATH" PAGER="touch $root/chosen" LESS='-+S' LESSOPEN="|touch $root/chosen" LESSSECURE_ALLOW=shell,edit
	LESSKEYIN="$root/keys" LESSEDIT="touch $root/chosen" TERMINFO="$root/keys" TERM=xterm LANG=C.UTF-8)
expected=$(printf '%s\n' LANG=C.UTF-8 LESS=FRX LESSHISTFILE=- LESSSECURE=1 TERM=xterm)
# less alone is started, with these variables alone. The shell of this test's less adds PWD, SHLVL, OLDPWD and _.
is_secure() {
	shown "${hostile[@]}" "$@" | grep -q '^paged' || return
	[ ! -e chosen ] && [ "$(grep -vE '^(PWD|OLDPWD|SHLVL|_)=' environment | LC_ALL=C sort)" = "$expected" ] || { cat environment; return 1; }
}
for variable in SUDO_UID=1000 PKEXEC_UID=1000 DOAS_USER=somebody SUDO_UID=; do
	point "$variable: less without a shell, and no other pager" is_secure "$variable"
done
for variable in HOME=/ SUDO_UID=0 DOAS_USER=root; do
	point "$variable: the user's own pager" eval 'shown "${hostile[@]}" "$variable" >/dev/null; [ -e chosen ] && [ ! -e environment ]'
done
point "a variable that may be a path is left out" eval 'shown SUDO_UID=1000 TERM=/x LC_ALL=../x >/dev/null; ! grep -E "^(TERM|LC_ALL)=" environment'
# shows_all: the output is there without a pager.
shows_all() { shown "${hostile[@]}" SUDO_UID=1000 | grep -q 'on fire' && [ ! -e chosen ] && [ ! -e environment ]; }
point "none is wanted: there is none" eval 'shown SUDO_UID=1000 PAGER=cat | grep -q "on fire" && [ ! -e environment ]'
mount --bind /dev/null /usr/bin/less
point "no less: everything goes to the terminal" shows_all
echo "1..$n"
exit "$status"
