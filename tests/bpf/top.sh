#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog top fills the screen with what BPF programs record of this machine, until it is left.
#
# test: cpus=1 timeout=120

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
dir=$(mktemp -d)
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
# shellcheck source=tests/lib/terminal.sh
. "$top/tests/lib/terminal.sh"
trap 'kill $busy 2>/dev/null; terminal_end; rm -rf "$dir"' EXIT
busy=

make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
"$BUILD/bcoslog" --engine bpf status >/dev/null 2>"$dir/refusal" || {
	cat "$dir/refusal"
	exit 77
}
# The process that is always busy has a name of 15 characters, the most that the kernel keeps.
ln -s "$(command -v bash)" "$dir/busy-all-the-ti"
"$dir/busy-all-the-ti" -c 'while :; do :; done' &
busy=$!
on_machine() { screen | grep -qE "^$busy +busy-all-the-ti +(>=)?[0-9.]+ %"; }

terminal 100 40 "'$BUILD/bcoslog' --engine bpf top"
point "an interval of this machine" shows "BPF programs"
point "with who is busy" wait_for on_machine
keys 2
point "and its CPUs" shows "all  "
keys q
point "until it is left" ends 0
terminal 100 40 "'$BUILD/bcoslog' --engine bpf top"
shows "BPF programs"
keys C-c
point "or Ctrl-C" ends 0
echo "1..$n"
exit "$status"
