#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: cpus=2 rounds=3:10 timeout=900:1800 full-only=yes
# LTTng, trace-cmd, perf and bcos_evlog record the same load at the same time, in a guest with Linux 6.1. The logs that
# are made of the three recordings agree with the fourth, and with what Babeltrace 2, trace-cmd and perf read in them.
# On the disk, bcoslog record takes less space than each of the three, also when those are compressed.
#
# environment: NEIGHBOURS (a folder that neighbours/record has made, in place of a new recording)

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../lib/convert.sh"
"$bcoslog" convert --help | grep -q '^  perf ' || { echo "1..0 # SKIP bcoslog-convert was built without its libraries"; exit 77; }
"$bcoslog" convert --help | grep -q '^  ctf ' || { echo "1..0 # SKIP bcoslog-convert was built without its libraries"; exit 77; }
python3=$(for python3 in python3 /usr/bin/python3; do "$python3" -c 'import bt2' 2>/dev/null && echo "$python3" && break; done)
[ -n "$python3" ] || { echo "1..0 # SKIP there is no python3-bt2: scripts/deps test brings it"; exit 77; }

recorded=${NEIGHBOURS:-$work/recorded}
if [ ! -d "$recorded" ]; then
	"$here/neighbours/record" "${ROUNDS:-3}" "$recorded" 2>"$work/messages"
	status=$?
	[ "$status" = 0 ] || { tail -n 20 "$work/messages"; exit "$status"; }
fi

# shellcheck disable=SC2317  # called by point
passes() { "$bcoslog" check -q "$1"; }

# shellcheck disable=SC2317
imported() { "$bcoslog" convert "$recorded/$1" -o "$work/$1.log" 2>"$work/said" && passes "$work/$1.log" || { cat "$work/said"; return 1; }; }

# shellcheck disable=SC2317
agrees() { "$python3" "$here/neighbours/compare.py" "$recorded" "$1" "$work/$1.log"; }

# shellcheck disable=SC2317
smallest() { python3 "$here/neighbours/sizes.py" "$bcoslog" "$recorded"; }

point "bcoslog check: the log of bcos_evlog" passes "$recorded/log"
for name in lttng trace.dat perf.data; do
	point "$name: the recording becomes a log, which passes the check" imported "$name"
	point "$name: processor time, turns and interrupts agree with bcos_evlog and with another reader" agrees "$name"
done
point "bcoslog record: the directory passes the check" passes "$recorded/record"
point "bcoslog record: it takes less space than the three, and at most 6 bytes an entry" smallest
echo "1..$n"
exit $status
