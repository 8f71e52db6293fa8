# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A CPU that goes offline and comes again has one row, and time offline is no time of any use."""
from made import HISTORICAL, IDLE, MS, S, Tool, assign, core, cpu, cpu_offline, event, group

tool = Tool()
begin = 10 * S


def at(ms):
    return begin + ms * MS


# CPU 1 is online on core 0 up to 200 ms, and on core 1 from 500 ms on; process 10 has it for 100 ms, process 11 for 500 ms.
log = tool.save("log", group(), core(1, S, history=HISTORICAL), event("process", 0, 0, begin, "begin"), assign(1, 10, begin),
                assign(1, IDLE, at(100)), cpu_offline(1, at(200)), cpu(1, 1, at(500)), assign(1, 11, at(500)),
                event("process", 0, 0, at(1000), "end"))
KEYS = ("cpu", "core", "online_ns", "processes_ns", "idle_ns", "unknown_ns", "turns")
rows = {row["cpu"]: [row[key] for key in KEYS] for row in tool.rows("cpu", log)}
tool.equal("one row for its number", rows[1], [1, 1, 700 * MS, 600 * MS, 100 * MS, 0, 3])
tool.equal("the sum", rows["all"][2:], [1700 * MS, 600 * MS, 1100 * MS, 0, 3])
cores = {row["core"]: (row["online_ns"], row["idle_ns"]) for row in tool.rows("power", log)}
tool.equal("each core has the CPU while it has it", (cores[0], cores[1]), ((1000 * MS, 900 * MS), (500 * MS, 0)))
tool.equal("a core is chosen by the last one", [row["cpu"] for row in tool.rows("cpu", "--core", "1", log)], ["all", 1])
tool.end()
