# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The time of two CPUs is divided between processes, the kernel and idle time, in the whole log and in a window."""
from made import IDLE, MS, S, Tool, assign, event, group

tool = Tool()
begin = 10 * S
log = tool.save("shares.log", group(), event("process", 0, 0, begin, "begin"),
                assign(0, 10, begin), assign(1, 11, begin),
                assign(0, IDLE, begin + 100 * MS), assign(1, 0, begin + 150 * MS), assign(1, IDLE, begin + 200 * MS),
                event("process", 0, 0, begin + 300 * MS, "end"))


def shares(*words):
    return {str(row["cpu"]): [row[kind + "_ns"] // MS for kind in ("processes", "kernel", "idle", "unknown")]
            for row in tool.rows("cpu", *words, log) if row["cpu"] != "all"}


tool.equal("the whole log", shares(), {"0": [100, 0, 200, 0], "1": [150, 50, 100, 0]})
tool.equal("a window", shares("--since", "10.05", "--until", "10.175"), {"0": [50, 0, 75, 0], "1": [100, 25, 0, 0]})
tool.end()
