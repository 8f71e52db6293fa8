# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Logs of thousands of CPUs, whose entries concern all CPUs at once: twice the log takes about twice the time."""
from crowd import kinds, processor_time, save
from made import Tool

tool = Tool()
commands = [("top", "--once"), ("turns",), ("offcpu",), ("latency",), ("cpu",), ("check",), ("losses",)]

# A square would be four times as much. The constant is for what each command takes at its start.
CPUS = (8000, 16000)
for kind in kinds:
    for cpus in CPUS:
        save(tool, "log%d" % cpus, kind, cpus)
    slow = []
    for words in commands:
        small, large = (processor_time(tool, (*words, "log%d" % cpus)) for cpus in CPUS)
        if large > 3 * small + 0.3:
            slow.append((" ".join(words), round(small, 2), round(large, 2)))
    tool.check("16,000 CPUs, " + kind, not slow, slow)
tool.end()
