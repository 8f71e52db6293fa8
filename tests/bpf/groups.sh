#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The control group of a program is the one of version 2 that /proc tells. Its root is not stated where groups of version
# 1 are in use, too, since a process may be in any of them then.
#
# test: cpus=1 timeout=60

set -u
# shellcheck source=tests/lib/bpf.sh
. "$(dirname "$0")/../lib/bpf.sh"
cd "$dir" || exit 1

"$bcoslog" cat --engine bpf --classes exec -- sh -c 'cat /proc/self/cgroup >groups; exec /bin/true groups-mark' >log 2>said || {
	cat said
	exit 1
}
"$bcoslog" text log 2>>said | grep groups-mark >text
group=$(sed -n 's/^0:://p' groups)
if [ "$group" = / ] && grep -qv ^0: groups; then group=; fi
echo "# the group is ${group:-not known}"
point "the program is there" test -s text
if [ -n "$group" ]; then
	point "its cgroup is the one of version 2" grep -qF "$group" text
	point "and is called so" grep -q ' cgroup ' text
else
	point "the root of version 2 is not stated" test "$(grep -c ' cgroup ' text)" = 0
fi
echo "1..$n"
exit "$status"
