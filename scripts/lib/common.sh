# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by the scripts next door: names and small helpers that all of them share. Not to be run.

PROG=${0##*/}
SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
ROOT=${SCRIPTS%/*}
# shellcheck disable=SC2034  # used by those who source this file
BUILD=${BUILD:-$ROOT/build}
readonly EXIT_SKIP=77

note() { printf '%s: %s\n' "$PROG" "$*" >&2; }
die() { note "$*"; exit 1; }
skip() { note "$*"; exit "$EXIT_SKIP"; }
have() { command -v "$1" >/dev/null 2>&1; }

# The comment at the head of a script is its manual.
usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "$0"; exit 0; }

# need PROGRAM SET: SET is the argument of scripts/deps that brings PROGRAM.
need() { have "$1" || die "$1 is missing; run scripts/deps $2"; }

# take_lock FILE: held until this process ends; a waiting run finds the work done by the one it waited for.
take_lock() {
	mkdir -p "$(dirname "$1")"
	exec {LOCK_FD}>"$1"
	flock -w 3 "$LOCK_FD" || { note "waiting for another run to finish (${1##*/})"; flock "$LOCK_FD"; }
}

# keep FILE AS: move it, whole at once for whoever reads AS meanwhile, although it may come from another file system.
keep() {
	cp "$1" "$2.$$"
	mv "$2.$$" "$2"
	rm "$1"
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		return 1
	fi
}

# shellcheck disable=SC2034  # of scripts/guest and scripts/splat
readonly STALE_CODE="the emulator went on running code that the kernel had replaced (a defect of QEMU before 8.1): try again"
