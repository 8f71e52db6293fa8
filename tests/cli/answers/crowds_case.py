# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Logs of thousands of CPUs, whose entries concern all CPUs at once: twice the log takes about twice the time."""
from crowd import kinds, least, processor_time, save
from made import Tool

tool = Tool()
commands = [("top", "--once"), ("turns",), ("offcpu",), ("latency",), ("cpu",), ("check",), ("losses",)]

# A square would be four times as much. The constant is for what each command takes at its start.
CPUS = (8000, 16000)


def is_slow(times):
    return times[1] > 3 * times[0] + 0.3


for kind in kinds:
    for cpus in CPUS:
        save(tool, "log%d" % cpus, kind, cpus)
    slow = []
    for words in commands:
        times = least(lambda: tuple(processor_time(tool, (*words, "log%d" % cpus)) for cpus in CPUS), is_slow)
        if is_slow(times):
            slow.append((" ".join(words), *(round(time, 2) for time in times)))
    tool.check("16,000 CPUs, " + kind, not slow, slow)
tool.end()
