# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The table name: from when until when processes had their names. And the container in a control group's path."""
from made import IDLE, LOSS, OVERTAKEN, S, Tool, assign, cancel, event, group, name

tool = Tool()
COLUMNS = "pid, name, ts, dur, begins, ends, complete"


def overtaken(time):
    return event("device", 0xC0000000, OVERTAKEN, time, "overtaken: 3 entries", 0x80)


def names(log, more="", *words):
    return [tuple(row.values()) for row in tool.rows("sql", *words, log, "SELECT %s FROM name %s ORDER BY pid, ts" % (COLUMNS, more))]


# Of 10 and 11 the log tells from 1 s on. 20 is born, executes two programs, and ends; its ID passes to another process.
log = tool.save("log.bcos", group(), event("process", 0, 7, S, "begins"), name(20, "sh", 2 * S), name(20, "cc", 3 * S), name(20, "cc", 4 * S),
                name(11, "b2", 5 * S), cancel(20, 6 * S), name(20, "ls", 7 * S), assign(0, 20, 8 * S), assign(0, IDLE, 9 * S))
expected = [(0, "kernel", S, 8 * S, 0, 0, 1), (10, "a", S, 8 * S, 0, 0, 1),
            (11, "b", S, 4 * S, 0, 1, 1), (11, "b2", 5 * S, 4 * S, 1, 0, 1),
            (20, "sh", 2 * S, S, 1, 1, 1), (20, "cc", 3 * S, 3 * S, 1, 1, 1), (20, "ls", 7 * S, 2 * S, 1, 0, 1)]
tool.equal("each name has its time", names(log), expected)
tool.equal("one process", names(log, "WHERE pid = 20"), expected[4:])
tool.equal("a time", names(log, "WHERE ts >= %d AND ts <= %d" % (3 * S, 5 * S)), [expected[5], expected[3]][::-1])
tool.equal("who was it at a time?", [row["name"] for row in tool.rows(
    "sql", log, "SELECT name FROM name WHERE pid = 20 AND %d BETWEEN ts AND ts + dur - 1" % (5 * S + 1))], ["cc"])
tool.equal("the two owners of the ID are two", [row["n"] for row in tool.rows("sql", log, "SELECT count(DISTINCT upid) AS n FROM name WHERE pid = 20")],
           [2])
tool.equal("they are those of the table process", tool.rows("sql", log, "SELECT count(*) AS n FROM name JOIN process USING (upid)"), [{"n": 7}])
tool.equal("a window cuts", names(log, "", "--since", "3.5", "--until", "5.5"), [
    (0, "kernel", 3500000000, 2 * S, 0, 0, 1), (10, "a", 3500000000, 2 * S, 0, 0, 1), (11, "b", 3500000000, 1500000000, 0, 1, 1),
    (11, "b2", 5 * S, 500000000, 1, 0, 1), (20, "cc", 3500000000, 2 * S, 0, 0, 1)])

# A gap: the group after it restates 10 with another name, and leaves out 11, which has ended at a time that nobody knows.
gap = tool.save("gap.bcos", group(), event("process", 0, 7, S, "begins"), overtaken(4 * S),
                group(processes=((10, "a2"), (30, "c"))), event("process", 0, 7, 6 * S, "goes on"), overtaken(7 * S),
                group(processes=((10, "a2"), (30, "c"))), event("process", 0, 7, 8 * S, "ends"))
found = names(gap)
tool.equal("a name that a gap ended has no length", [row[:4] + row[5:6] for row in found if row[1] in ("a", "b")], [(10, "a", S, None, 0), (11, "b", S, None, 0)])
tool.equal("and may not have been the last one", {row[-1] for row in found if row[1] in ("a", "b")}, {0})
tool.equal("and the one that came there no beginning", [row[:2] + row[4:6] for row in found if row[1] in ("a2", "c")], [(10, "a2", 0, 0), (30, "c", 0, 0)])

# Changes of names were lost.
lossy = tool.save("lossy.bcos", group(), event("process", 0, 7, S, "begins"), event("cpu", 0, LOSS, 2 * S, "lost 2 names: staging full, until 3.000000000 s", 0x80),
                  name(10, "a2", 4 * S), event("process", 0, 7, 5 * S, "ends"))
tool.equal("a loss shows", [row[1:2] + row[-1:] for row in names(lossy, "WHERE pid IN (10, 11)")], [("a", 0), ("a2", 1), ("b", 0)])
tool.equal("a group alone tells of no time", names(tool.save("still.bcos", group())), [
    (0, "kernel", None, None, 0, 0, 1), (10, "a", None, None, 0, 0, 1), (11, "b", None, None, 0, 0, 1)])

# ---- containers -----------------------------------------------------------------------------------------------------------
A, B = "0123456789abcdef" * 4, "fedcba9876543210" * 4
paths = {40: ("/system.slice/docker-%s.scope" % A, A), 41: ("/kubepods/burstable/pod12/%s" % B, B), 42: ("/docker/%s/init" % A, A),
         43: ("/user.slice", None), 44: ("/x%s" % A, None), 45: ("/%s0" % A, None), 47: ("/%sxyz" % A, None), 46: ("/%s/cri-containerd-%s.scope" % (A, B), B)}
parts = []
for process, (path, _) in paths.items():
    parts += [name(process, "p", 2 * S), event("process", process, 0xC0000006, 2 * S, 'user 0 path "/bin/p" cgroup "%s" arguments "p"' % path, 0x20)]
log = tool.save("containers.bcos", group(), *parts, event("process", 0, 7, 3 * S, "ends"))
tool.equal("the container of each", {row["pid"]: (row["cgroup"], row["container"]) for row in tool.rows(
    "sql", log, "SELECT pid, cgroup, container FROM process WHERE pid >= 40")}, paths)
tool.end()
