#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every view shows equal totals: cpu, top, processes, io and power agree about each golden log.
#
# The tool is $BCOSLOG, else $BUILD/bcoslog.

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"

# sum KEY CONDITION: prints the sum over the rows on standard input, each of which is a JSON object in a line. CONDITION
# is awk's, on the row as text.
sum() {
	awk -v key="\"$1\":" '
		'"$2"' && (at = index($0, key)) { value = substr($0, at + length(key)); sub(/[,}].*/, "", value); sum += value; rows++ }
		END { if (!rows) print "none"; else if (sum == int(sum)) printf "%.0f\n", sum; else printf "%.9g\n", sum }'
}

view() { "$bcoslog" "$@" --json "$log" 2>/dev/null; }

# same WHAT ONE OTHER: both values are equal.
# shellcheck disable=SC2317  # point calls what does
same() {
	[ "$2" = "$3" ] || { echo "$1: $2 and $3"; return 1; }
}

ALL='/"(cpu|core)":"all"/' EACH='!/"(cpu|core)":"all"/' ANY=1
KEYS="online_ns processes_ns kernel_ns idle_ns unknown_ns"

# shellcheck disable=SC2317
cpus_agree() {
	local key bad=0
	view cpu --every "${width}ns" >"$dir/every"
	for key in $KEYS; do
		same "$key of all CPUs and of each" "$(sum "$key" "$ALL" <"$dir/cpu")" "$(sum "$key" "$EACH" <"$dir/cpu")" || bad=1
		[ ! -s "$dir/every" ] || same "$key of all CPUs and in stretches of $width ns" "$(sum "$key" "$ALL" <"$dir/cpu")" \
			"$(sum "$key" $ANY <"$dir/every")" || bad=1
	done
	same "turns of all CPUs and of each" "$(sum turns "$ALL" <"$dir/cpu")" "$(sum turns "$EACH" <"$dir/cpu")" || bad=1
	while read -r line; do
		same "online, and the uses of $line" "$(sum online_ns 1 <<<"$line")" \
			"$(($(sum processes_ns 1 <<<"$line") + $(sum kernel_ns 1 <<<"$line") + $(sum idle_ns 1 <<<"$line") +
			    $(sum unknown_ns 1 <<<"$line")))" || bad=1
	done <"$dir/cpu"
	return $bad
}

# shellcheck disable=SC2317
processes_agree() {
	local bad=0 of key
	for of in 0 1; do
		view top -n $of >"$dir/top"
		# There may be no process but the kernel, so this row keeps the sum from having no rows.
		echo '{"process":"none","cpu_ns":0,"turns":0}' >>"$dir/top"
		# A log without an online CPU has no time in which one was idle, and no rows of it.
		for key in idle unknown; do echo '{"process":null,"name":"'$key'","cpu_ns":0}' >>"$dir/top"; done
		same "processes by cpu, and by top -n $of" "$(sum processes_ns "$ALL" <"$dir/cpu")" \
			"$(sum cpu_ns '!/"process":null,"name":"(idle|unknown)"/ && !/"process":0,/' <"$dir/top")" || bad=1
		for key in idle unknown; do
			same "$key by cpu, and by top -n $of" "$(sum "${key}_ns" "$ALL" <"$dir/cpu")" \
				"$(sum cpu_ns "/\"process\":null,\"name\":\"$key\"/" <"$dir/top")" || bad=1
		done
	done
	view processes >"$dir/processes"
	view processes --short >"$dir/short"
	same "time of all by top, and by processes" "$(sum cpu_ns '!/"process":null,"name":"(idle|unknown)"/' <"$dir/top")" \
		"$(sum cpu_ns 1 <"$dir/processes")" || bad=1
	same "time by processes, and by its short form" "$(sum cpu_ns 1 <"$dir/processes")" "$(sum cpu_ns 1 <"$dir/short")" || bad=1
	same "lives by processes, and by its short form" "$(wc -l <"$dir/processes")" "$(sum count 1 <"$dir/short")" || bad=1
	same "turns by top, and by processes" "$(sum turns '!/"name":"(idle|unknown)"/' <"$dir/top")" \
		"$(sum turns 1 <"$dir/processes")" || bad=1
	same "ends by processes, and by its short form" "$(grep -vc '"end":null' "$dir/processes")" \
		"$(sum ended 1 <"$dir/short")" || bad=1
	return $bad
}

# shellcheck disable=SC2317
devices_agree() {
	local bad=0 key
	view io >"$dir/io"
	view io --every "${width}ns" >"$dir/every"
	# Without a device there are no classes, and the sums are 0.
	echo '{"device":"none","stacked":0,"input_bytes":0,"output_bytes":0,"inputs":0,"outputs":0,"interrupts":0}' >>"$dir/io"
	echo '{"name":"all of none","input_bytes":0,"output_bytes":0,"inputs":0,"outputs":0,"interrupts":0}' >>"$dir/io"
	for key in input_bytes output_bytes inputs outputs interrupts; do
		same "$key of all and of each that passes nothing on" "$(sum $key '/"name":"all"/' <"$dir/io")" \
			"$(sum $key '/"stacked":0/' <"$dir/io")" || bad=1
		same "$key of all and of each class" "$(sum $key '/"name":"all"/' <"$dir/io")" "$(sum $key '/"name":"all /' <"$dir/io")" || bad=1
		[ ! -s "$dir/every" ] || same "$key of all and in stretches" "$(sum $key '/"name":"all"/' <"$dir/io")" \
			"$(sum $key $ANY <"$dir/every")" || bad=1
	done
	return $bad
}

# shellcheck disable=SC2317
cores_agree() {
	local bad=0 key
	view power >"$dir/power"
	view power --every "${width}ns" >"$dir/every"
	for key in instructions joules power_unknown_ns performance_unknown_ns; do
		[ ! -s "$dir/every" ] || same "$key of all cores and in stretches" "$(sum $key "$ALL" <"$dir/power")" \
			"$(sum $key $ANY <"$dir/every")" || bad=1
	done
	for key in online_ns idle_ns instructions joules power_unknown_ns performance_unknown_ns power_unknown_cores; do
		same "$key of all cores and of each" "$(sum $key "$ALL" <"$dir/power")" "$(sum $key "$EACH" <"$dir/power")" || bad=1
	done
	return $bad
}

for text in "$top"/tests/cli/golden/*.log; do
	name=$(basename "$text")
	log=$dir/$name
	"$BUILD/tests/assemble" "$text" >"$log" || exit 1
	view cpu >"$dir/cpu"
	# A log without a CPU has nothing to compare.
	[ "$(wc -l <"$dir/cpu")" -gt 1 ] || continue
	# This width makes about seven stretches.
	width=$(($(sum online_ns "$ALL" <"$dir/cpu") / 7 / ($(wc -l <"$dir/cpu") - 1) + 1))
	point "$name: all CPUs, each, and in stretches" cpus_agree
	point "$name: cpu, top and processes" processes_agree
	point "$name: devices, their classes, and all" devices_agree
	point "$name: cores, and all" cores_agree
done
echo "1..$n"
exit "$status"
