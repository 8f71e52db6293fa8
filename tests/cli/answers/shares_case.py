# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The time of two CPUs is divided between processes, the kernel and idle time, in the whole log and in a window."""
from made import IDLE, LOSS, MS, S, Tool, assign, event, group

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
# ---- sums of more than 64 bits ------------------------------------------------------------------------------------------
# Two CPUs have process 10 from 0 to 2^64 - 1 ns, which is twice as much as 64 bits have room for.
MOST = 2 ** 64 - 1
tool.save("ages.bcos", group(assigned=10, since=0), event("process", 10, 1, 0, "a"), event("process", 10, 1, MOST, "b"))
rows = [row for row in tool.rows("top", "ages.bcos") if row["name"] == "a"]
rows += [row for row in tool.rows("processes", "--short", "ages.bcos") if row["name"] == "a"]
tool.equal("CPU time of more than 64 bits is the greatest number, and a lower bound",
           [(row["cpu_ns"], row.get("cpu_ns_at_least")) for row in rows], [(float(2 ** 64), True)] * 2)
rows = [row for row in tool.rows("cpu", "ages.bcos") if row["cpu"] == "all"]
tool.equal("so is that of all CPUs, of which shares are rough", [(row["online_ns"], row.get("online_ns_at_least"), row["processes"],
                                                                  row.get("processes_about")) for row in rows],
           [(float(2 ** 64), True, 1, True)])
tool.check("and those of metrics", 'bcos_cpu_seconds_total{comm="a"} 18446744073.709551615\n' in tool.run("metrics", "ages.bcos")[1])
# CPU 1 is lost all the time: process 10 may have had it, too.
tool.save("lost_ages.bcos", group(assigned=10, since=0), event("process", 10, 1, 0, "a"),
          event("cpu", 1, LOSS, 1, "lost 3 assignments: staging full", 0x80), event("process", 10, 1, MOST, "b"))
row = [row for row in tool.rows("top", "lost_ages.bcos") if row["name"] == "a"][0]
tool.equal("an upper bound of more than 64 bits is none", (row.get("cpu_ns_at_least"), row.get("cpu_ns_up_to")), (True, None))

tool.end()
