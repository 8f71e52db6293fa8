#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# bcoslog metrics: values that follow from how a log was made, and what Prometheus' own parser makes of the text.

set -u
# shellcheck source=tests/lib/tool.sh
. "$(dirname "$0")/../../lib/tool.sh"
here=$top/tests/cli/metrics

# shellcheck disable=SC2317
case_holds() {
	BUILD=$BUILD CASES=$here "$top/tests/cli/answers/answers.sh" metrics >"$dir/case" 2>&1 && return
	grep -v '^ok ' "$dir/case"
	return 1
}
point "values, labels, files and --follow" case_holds

# shellcheck disable=SC2317
parsed() {
	local log
	for log in "$top"/tests/cli/golden/*.log; do
		"$BUILD/tests/assemble" "$log" >"$dir/log" && "$bcoslog" metrics "$dir/log" >"$dir/text" 2>/dev/null
		[ $? -le 1 ] && "$python" -c 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as old_text
text = sys.stdin.read()
samples = [(s.name, s.labels, s.value) for family in open_metrics(text) for s in family.samples]
assert len(samples) > 50 and samples == [(s.name, s.labels, s.value) for family in old_text(text) for s in family.samples]
' <"$dir/text" 2>"$dir/why" || { echo "$log: $(tail -1 "$dir/why")"; return 1; }
	done
}
python=python3
"$python" -c 'import prometheus_client' 2>/dev/null || python=/usr/bin/python3
if "$python" -c 'import prometheus_client' 2>/dev/null; then
	make -s -C "$top/tests" O="$BUILD" "$BUILD/tests/assemble" >/dev/null || exit 1
	point "Prometheus' parser takes the text of each log, as OpenMetrics and as the older text" parsed
else
	n=$((n + 1))
	echo "ok $n - Prometheus' parser takes the text # SKIP there is no prometheus_client: scripts/deps test brings it"
fi
echo "1..$n"
exit "$status"
