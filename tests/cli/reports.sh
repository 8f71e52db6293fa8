#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whatever a log says, no report crashes, hangs, or prints what is no JSON: each log of golden/ as it is, as text, and
# damaged, as JSON: cut somewhere, and with some bytes that are others.
#
# The tool is the one with ASan and UBSan, $BUILD/sanitize/bcoslog. SEED does the same again.
# test: timeout=300:1200 rounds=1:20

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
BUILD=${BUILD:-$top/build}
ROUNDS=${ROUNDS:-1}
SEED=${SEED:-$RANDOM}
tool=$BUILD/sanitize/bcoslog
# shellcheck source=tests/lib/point.sh
. "$top/tests/lib/point.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 LC_ALL=C.UTF-8
echo "# SEED=$SEED"

# A report a line.
reports='top
top --since 1 --until 1.5
cpu --every 100ms
io
io --every 100ms
power
power --every 100ms
processes --short
offcpu --over 0s
latency --histogram
latency
story 0
story 10
story kernel
story 30@1.2
processes --cpu 0 --under 1s
top --cpu 0
turns
turns --summary
around 1.2 --span 300ms
around --event a --nth 2
around --device sda --span 1h'

damage() {
	python3 - "$1" "$2" "$SEED$2" <<'EOF'
import random, sys
random.seed(sys.argv[3])
data = bytearray(open(sys.argv[1], "rb").read())
if random.random() < 0.5:
	del data[random.randrange(len(data)):]
for _ in range(random.randrange(8) if data else 0):
	at = random.randrange(len(data))
	data[at] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)])
open(sys.argv[2], "wb").write(data)
EOF
}

# run LOG FORM: all reports of a log, as text or JSON; FORM is empty or --json.
run() {
	local code report
	while read -r report; do
		# shellcheck disable=SC2086  # words
		timeout 20 "$tool" $report $2 "$1" >>"$dir/out" 2>"$dir/err"
		code=$?
		[ $code -le 2 ] && ! grep -qE 'Sanitizer|runtime error' "$dir/err" && continue
		echo "$report $2: exit status $code"
		head -n 20 "$dir/err"
		return 1
	done <<<"$reports"
}

json() {
	: >"$dir/out"
	run "$1" --json && python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$dir/out"
}

text() {
	: >"$dir/out"
	run "$1" '' && ! grep -nP '[\x00-\x09\x0b-\x1f\x7f]' "$dir/out"
}

for log in "$top"/tests/cli/golden/*.log; do
	name=$(basename "$log")
	"$BUILD/tests/assemble" "$log" >"$dir/$name" || exit 1
	point "$name" text "$dir/$name"
	for ((round = 1; round <= ROUNDS; round++)); do
		damage "$dir/$name" "$dir/$name.$round"
		point "$name, damaged, round $round" json "$dir/$name.$round"
	done
done
# The fuzzers begin with these: each type of entry, in one log, and entries that are wrong in each way.
for kind in . bad allowed; do
	for file in "$top/tests/abi/golden/$kind"/*.hex; do "$BUILD/tests/unhex" "$file"; done >"$dir/seeds"
	point "the fuzzers' seeds, $kind: text" text "$dir/seeds"
	point "the fuzzers' seeds, $kind: JSON" json "$dir/seeds"
done
echo "1..$n"
exit $status
