#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# test: rounds=3000:100000 timeout=900 spare=yes
# Exports that nothing imports: each is read by a reader that is written from the format's page, and says what the log says.

set -u
# shellcheck source=tests/lib/convert.sh
. "$(dirname "$0")/../lib/convert.sh"
python3 "$here/hurt_log.py" "${ROUNDS:-3000}" >"$work/hurt" &&
	python3 "$here/hurt_log.py" 100 "${ROUNDS:-3000}" >"$work/crowd" || exit 1
# Those whose IDs all have names: what has none is nobody's to the account.
for log in again calls clock day devices late reports story threads twins woken; do
	"$BUILD/tests/assemble" "$top/tests/cli/golden/$log.log" >"$work/$log" || exit 1
done
for log in "$work"/*; do
	point "$(basename "$log")" python3 "$here/readers/small_read.py" "$bcoslog" "$log" chrome folded journald perfetto pprof
done

# By threads.log. Thread 30 of CPU 1, of which the log does not tell, is ((1 + 1) << 22) + 30.
# shellcheck disable=SC2317
threads() {
	"$BUILD/tests/assemble" "$top/tests/cli/golden/threads.log" >"$work/threads" &&
		python3 "$here/readers/small_read.py" "$bcoslog" "$work/threads" threads | grep -v '^. switch 0 0 0$' | diff - <(
			cat <<-END
				1 switch 0 0 8388638
				1 waking 20 by 31
				0 switch 0 0 20
				0 waking 21 by 20
				0 switch 20 1 21
				0 switch 21 0 32
				0 switch 32 0 21
				1 waking 20 by 8388638
				0 switch 21 16 20
				0 free 21
				1 waking 20 by 31
				0 switch 20 1 0
				0 switch 0 0 20
			END
		)
}
point "Perfetto's threads have CPUs and are woken, as the class of states tells" threads

# Process 20 is woken four times, thrice while one of its threads has a CPU.
# shellcheck disable=SC2317
arrows() {
	"$bcoslog" convert -t chrome "$work/threads" | grep -E '^{"ph":"[sf]"' | diff - <(
		cat <<-END
			{"ph":"s","pid":1,"tid":1,"ts":1100000.000,"cat":"wake-up","name":"wake-up","id":0},
			{"ph":"f","bp":"e","pid":1,"tid":0,"ts":1100100.000,"cat":"wake-up","name":"wake-up","id":0},
		END
	)
}
point "Chrome's arrows lead from a wake-up to the turn that follows" arrows
echo "1..$n"
exit $status
