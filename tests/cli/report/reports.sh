#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whatever a log says, no report crashes, hangs, or prints what is no JSON. Each log of golden/ is reported as it is, as
# text, and damaged, as JSON and as drawings. A damaged log is cut somewhere, and some of its bytes are others.
#
# The tool is the one with ASan and UBSan, $BUILD/sanitize/bcoslog, which shim/many.c starts once for all runs. An equal
# SEED repeats a test. HOSTILE=FOLDER gives other logs, whose names end in .log, in place of all these: tests/fuzz/logs
# makes such a folder of the inputs that the fuzzers have kept.
# test: timeout=900:1800 rounds=1:20 spare=yes needs=sanitized

# shellcheck disable=SC2317  # point calls the functions
set -u
top=$(cd "$(dirname "$0")/../../.." && pwd -P)
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

# Each line is a report.
reports='top
top --since 1 --until 1.5
cpu
cpu --every 100ms
io
text
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
turns --threads --next --idle
turns --threads --summary
losses
latency --threads
around 1.2 --span 300ms
around --event a --nth 2
around --device sda --span 1h'
# These reports can be drawn.
drawings='top
cpu --every 100ms
io
io --every 100ms
power
power --every 100ms
processes
offcpu --over 0s
latency
turns
text'

# damage LOG...: writes ROUNDS damaged logs beside each log.
damage() {
	python3 - "$ROUNDS" "$SEED" "$@" <<'EOF'
import random, sys
for path in sys.argv[3:]:
    whole = open(path, "rb").read()
    for turn in range(1, int(sys.argv[1]) + 1):
        random.seed(f"{sys.argv[2]} {path.rsplit('/', 1)[1]} {turn}")
        data = bytearray(whole)
        if random.random() < 0.5:
            del data[random.randrange(len(data)):]
        for _ in range(random.randrange(8) if data else 0):
            at = random.randrange(len(data))
            data[at] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)])
        open(f"{path}.{turn}", "wb").write(data)
EOF
}

"${CC:-cc}" -shared -fPIC -O1 -o "$dir/many.so" "$top/tests/cli/shim/many.c" -ldl || exit 1
# The shim is loaded before the sanitizer, which minds nothing else.
coproc tool { ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=$dir/many.so exec "$tool"; }

turn=$((SEED % 44))
# run LEAKS LOG FORM REPORTS: runs these reports of a log, in a form, which may be empty. Their output is in $dir/out.
run() {
	local code report leaks
	: >"$dir/out"
	: >"$dir/err"
	while read -r report; do
		turn=$((turn + 1)) leaks=$1
		# The search for leaks takes longer than all else, so each run of the test does it for other reports.
		[ "$ROUNDS" -gt 1 ] || [ $((turn % 4)) = 0 ] || leaks=-
		echo "$dir/out $dir/err 60 $leaks $report $3 $2" >&"${tool[1]}"
		read -r code <&"${tool[0]}" || code='none: the tool is gone'
		case $code in 0 | 1 | 2) continue ;; esac
		echo "$report $3: exit status $code"
		head -n 20 "$dir/err"
		return 1
	done <<<"$4"
	! grep -E 'Sanitizer|runtime error' "$dir/err"
}

json() { run leaks "$1" --json "$reports" && mv "$dir/out" "$1.json"; }
text() { run - "$1" '' "$reports" && ! grep -nP '[\x00-\x09\x0b-\x1f\x7f]' "$dir/out"; }
# The reduced test draws one report, and each time another one.
svg() {
	local some=$drawings
	[ "$ROUNDS" -gt 1 ] || some=$(sed -n "$((turn % 11 + 1))p" <<<"$drawings")
	run leaks "$1" --svg "$some" && mv "$dir/out" "$1.svg"
}

# hostile: reports the logs of others as they are.
hostile() {
	local log name
	for log in "$HOSTILE"/*.log; do
		name=$(basename "$log" .log)
		cp "$log" "$dir/$name"
		point "$name" text "$dir/$name"
		point "$name, as JSON" json "$dir/$name"
		point "$name, as drawings" svg "$dir/$name"
	done
}

golden() {
	local log name logs=() round
	for log in "$top"/tests/cli/golden/*.log; do
		name=$(basename "$log")
		"$BUILD/tests/assemble" "$log" >"$dir/$name" || exit 1
		logs+=("$dir/$name")
	done
	damage "${logs[@]}"
	for log in "${logs[@]}"; do
		name=$(basename "$log")
		point "$name" text "$log"
		for ((round = 1; round <= ROUNDS; round++)); do
			point "$name, damaged, round $round" json "$log.$round"
			point "$name, damaged, round $round, as drawings" svg "$log.$round"
		done
	done
}

# seeds: reports the inputs with which the fuzzers begin: each type of entry, in one log, and entries that are wrong in
# each way.
seeds() {
	local kind seeds file
	for kind in . bad allowed; do
		seeds=$dir/seeds-${kind#.}
		for file in "$top/tests/abi/golden/$kind"/*.hex; do "$BUILD/tests/unhex" "$file"; done >"$seeds"
		point "the fuzzers' seeds, $kind: text" text "$seeds"
		point "the fuzzers' seeds, $kind: JSON" json "$seeds"
	done
}

if [ -n "${HOSTILE-}" ]; then
	hostile
else
	golden
	seeds
fi

# One program reads all of the JSON and of the drawings, since it takes longer to start than to read them.
well_formed() {
	python3 - "$dir" <<'EOF'
import glob, json, re, sys, xml.etree.ElementTree as tree

def lines(text):
    for line in text.split("\n"):
        if line:
            json.loads(line)

def drawings(text):
    for one in re.split(r"(?<=</svg>)\n", text):
        if one.strip():
            tree.fromstring(one)

bad = 0
for pattern, function in ("*.json", lines), ("*.svg", drawings):
    files = glob.glob(f"{sys.argv[1]}/{pattern}")
    bad |= not files
    for path in files:
        try:
            function(open(path, encoding="utf-8", newline="\n").read())
        except Exception as error:
            bad = 1
            print(f"{path}: {error}")
sys.exit(bad)
EOF
}
point "each output is JSON, or XML" well_formed
exec {tool[1]}>&-
echo "1..$n"
exit $status
