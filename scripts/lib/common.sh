# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The scripts in the parent folder source this file: it has names and small functions that all of them share.

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

# Prints the manual of a script, which is the comment at its head.
usage() { sed -n '3,/^$/s/^# \{0,1\}//p' "$0"; exit 0; }

# need PROGRAM SET: ends the script if PROGRAM is missing. scripts/deps SET installs it.
need() { have "$1" || die "$1 is missing; run scripts/deps $2"; }

# take_lock FILE: locks the file until this process ends. A run that had to wait for another one finds its work done.
take_lock() {
	mkdir -p "$(dirname "$1")"
	exec {LOCK_FD}>"$1"
	flock -w 3 "$LOCK_FD" || { note "waiting for another run to finish (${1##*/})"; flock "$LOCK_FD"; }
}

# keep FILE AS: moves a file, possibly from another file system, so that a reader of AS never sees a part of it.
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
