# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Windows that lie in the log, partly in it, or outside of it; and times of a day without the day."""
import json
import os
import subprocess

from made import IDLE, S, Tool, assign, device, event, group, input_of, wall_clock

tool = Tool()
DAY = 86400 * S
NOON = 1772366400 * S		# 2026-03-01 12:00:00 UTC
GROUP = group(cpus=1, processes=((7, "worker"), (8, "other")))
REACH = "the log reaches from 2026-03-01 12:00:00.000000 to 2026-03-01 12:10:00.000000"

# From 12:00:00 at 100 s to 12:10:00 at 700 s; the worker has the CPU in the minute from 12:05.
day = tool.save("day.log", GROUP, wall_clock(100 * S, NOON), assign(0, 7, 400 * S), assign(0, IDLE, 460 * S),
                event("process", 0, 0, 700 * S, "end"))
tool.run("record", "-o", "recorded", day)


def share(*words, log=day):
    """Return: the seconds of the worker, or the exit status and the complaint."""
    code, out, complaint = tool.run("cpu", "--json", *words, log)
    if code:
        return code, complaint.replace("bcoslog: ", "").strip(), out
    return json.loads(out.splitlines()[0])["processes_ns"] / S


for log in (day, "recorded"):
    for since, until, seconds in (("12:05", "12:06", 60), ("12:05:30", "12:10", 30), ("12:00", "12:05:10", 10),
                                  ("11:00", "12:05:10", 10), ("12:05:50", "18:00", 10), ("2026-03-01 12:05", "12:06", 60),
                                  ("400", "12:05:20", 20), ("12:05:00Z", "14:05:10+0200", 10)):
        tool.equal("%s from %s until %s" % (log, since, until), share("--since", since, "--until", until, log=log), seconds)
    for words, why in ((("--since", "18:02"), "--since 18:02 is after the end of the log: " + REACH),
                       (("--until", "11:59"), "--until 11:59 is before the begin of the log: " + REACH),
                       (("--since", "11:00", "--until", "11:30"), "--until 11:30 is before the begin of the log: " + REACH),
                       (("--since", "2026-03-02"), "--since 2026-03-02 is after the end of the log: " + REACH),
                       (("--since", "12:06", "--until", "12:05"), "--since 12:06 is after --until 12:05: nothing lies between them"),
                       (("--since", "701"), "--since 701 is after the end of the log: the log reaches from 100.000000000 to 700.000000000"),
                       (("--until", "99"), "--until 99 is before the begin of the log: the log reaches from 100.000000000 to 700.000000000"),
                       (("--since", "300", "--until", "200"), "--since 300 is after --until 200: nothing lies between them"),
                       (("--last", "1s", "--until", "200"), "--last 1s is after --until 200: nothing lies between them")):
        tool.equal("%s %s" % (log, " ".join(words)), share(*words, log=log), (2, why, ""))
    for command in (["top"], ["dump"], ["text"], ["io"], ["cat"], ["processes"], ["turns"], ["offcpu"], ["latency"], ["power"], ["story", "7"]):
        code, out, complaint = tool.run(*command, "--since", "18:02", log)
        tool.equal("%s of %s" % (command[0], log), (code, REACH in complaint, out), (2, True, ""))
    tool.equal("around, by the wall clock, " + log, tool.run("around", "11:20", log)[::2],
               (2, "bcoslog: the log has nothing around that time: it reaches from 2026-03-01 12:00:00.000000 to 2026-03-01 12:10:00.000000\n"))
    tool.equal("around, since boot, " + log, tool.run("around", "50", log)[::2],
               (2, "bcoslog: the log has nothing around that time: it reaches from 100.000000000 to 700.000000000\n"))
    code, out, complaint = tool.run("top", "--since", "11:00", log)
    tool.equal("a window that begins before the log, " + log, (code, complaint),
               (0, "bcoslog: the log begins at 2026-03-01 12:00:00.000000, later than --since 11:00: nothing is known of the time before\n"))
    code, out, complaint = tool.run("dump", "--since", "12:07", "--until", "12:08", log)
    tool.equal("a window without entries, " + log, (code, out, complaint),
               (0, "", "bcoslog: the log has no entries from 2026-03-01 12:07:00.000000 to 2026-03-01 12:08:00.000000\n"))

# From 23:50 to 00:10: a time of day is on the day that has it.
night = tool.save("night.log", GROUP, wall_clock(100 * S, NOON + 11 * 3600 * S + 3000 * S), assign(0, 7, 640 * S),
                  assign(0, IDLE, 760 * S), event("process", 0, 0, 1300 * S, "end"))
for words, seconds in ((("--since", "23:59:30"), 90), (("--until", "23:59:30"), 30), (("--since", "00:00:30"), 30),
                       (("--since", "23:59", "--until", "00:00"), 60), (("--since", "23:40", "--until", "00:00:10"), 70)):
    tool.equal("over midnight, " + " ".join(words), share(*words, log=night), seconds)
tool.equal("after midnight's log", share("--since", "00:20", log=night)[0], 2)
# Three days: the last one that has the time.
days = tool.save("days.log", GROUP, wall_clock(100 * S, NOON), assign(0, 7, 100 * S + DAY), assign(0, IDLE, 110 * S + DAY),
                 event("process", 0, 0, 100 * S + 2 * DAY, "end"))
tool.equal("the last noon but the end", share("--since", "11:59", "--until", "12:00", log=days), 0)
tool.equal("the last time that lies in it", share("--since", "12:00:01", "--until", "12:00:05", log=days), 4)

# A window that is a moment: nothing lasts in it, so no report has a row, and a sentence says why. What happens then has a line.
for words in (("--since", "400", "--until", "400"), ("--since", "700"), ("--last", "0")):
    for command in ("top", "cpu", "io", "power", "processes", "turns", "offcpu", "latency"):
        code, out, complaint = tool.run(command, "--json", *words, day)
        tool.equal("%s %s" % (command, " ".join(words)), (code, out, "the window is a moment" in complaint), (0, "", True))
# What has no length counts in a window of which the log has a moment only: two parts of a log add up to the whole.
moment = tool.save("moment.log", GROUP, device(1, "eth0", 100 * S), input_of(1, 3, 200 * S), input_of(1, 5, 300 * S),
                   event("process", 0, 0xC0000020, 300 * S, "R1 512@1 1+2", 0))
for words, found in ((("--until", "300"), 3), (("--since", "300"), 5), (("--last", "0"), 5), ((), 8)):
    tool.equal("transfers of a moment, " + " ".join(words), [row["input_bytes"] for row in tool.rows("io", "--device", "eth0", *words, moment)][:1],
               [found])
for words, found in ((("--until", "300"), []), (("--since", "300"), [512]), (("--last", "1h"), [512])):
    tool.equal("requests of a moment, " + " ".join(words), [row["read_bytes"] for row in tool.rows("io", "--by", "device", *words, moment)], found)
tool.equal("a moment has its entries", len(tool.run("dump", "--since", "400", "--until", "400", day)[1].splitlines()), 1)
tool.equal("a column heads the table of a moment", tool.run("cpu", "--csv", "--last", "0", day)[1][:4], "cpu,")

# Losses count in the windows that they reach into: one from 200 to 300 s, a reader who is overtaken from 500 to 600 s.
OVER = "the log went on faster than it was read, 1 time: what was overwritten is missing\n"
lossy = tool.save("lossy.log", GROUP, event("process", 0, 0, 100 * S, "begin"),
                  event("cpu", 0, 0x80000001, 200 * S, "lost 3 transfers: staging full, until 300.000000000 s", 0x80, 0xFFFFFFFF),
                  event("device", 0xC0000000, 0x80000002, 500 * S, "missed 5 entries, 120 bytes", 0x80), GROUP,
                  event("process", 0, 0, 600 * S, "on"), event("process", 0, 0, 700 * S, "end"))
for since, until, lost, over in ((100, 150, 0, 0), (150, 250, 1, 0), (250, 260, 1, 0), (300, 400, 0, 0), (100, 700, 1, 1), (510, 590, 0, 1),
                                 (590, 700, 0, 1), (600, 700, 0, 0)):
    for command in ("dump", "text", "io", "cpu", "cat"):
        complaint = tool.run(command, "--since", str(since), "--until", str(until), lossy)[2]
        tool.equal("what %s from %d to %d says of losses" % (command, since, until), ("states 1 loss" in complaint, OVER in complaint),
                   (bool(lost), bool(over)))
tool.equal("and around a moment", ["states 1 loss" in tool.run("around", time, "--span", "1s", lossy)[2] for time in ("150", "250", "400")],
           [False, True, False])

# What is no log, or has nothing yet, is followed with a sentence that says so.
tool.save("garbage", b"no log at all\n" * 40)
tool.save("empty")
os.mkdir(tool.path("nothing"))
for name, why in (("garbage", "is no BCOS event log"), ("empty", "is empty: waiting"), ("nothing", "has no recorded files: waiting")):
    with subprocess.Popen([tool.program, "dump", "-f", name], cwd=tool.folder, stderr=subprocess.PIPE) as follower:
        line = follower.stderr.readline().decode()
        follower.terminate()
    tool.check("following %s says that it %s" % (name, why), why in line, line)
tool.end()
