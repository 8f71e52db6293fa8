# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Tests that record by BPF on this machine source this file, which does what tool.sh does and builds the tool. Where the
# kernel refuses BPF, the test is skipped with the reason.

# shellcheck source=tests/lib/tool.sh
. "$(dirname "${BASH_SOURCE[0]}")/tool.sh"
make -s -C "$top/userspace" O="$BUILD" >/dev/null || exit 1
"$bcoslog" --engine bpf status >"$dir/status" 2>"$dir/refusal" || {
	cat "$dir/refusal"
	exit 77
}
