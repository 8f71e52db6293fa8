# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Times as people write them are those of the options, also in conditions, and of a recording only what they need is read."""
import json
import os
import random
import subprocess

from made import IDLE, MS, S, Tool, assign, event, group, wall_clock

tool = Tool()
START = 1700000000   # 2023-11-14 22:13:20 UTC


def ask(log, statement, *words):
    return [tuple(row.values()) for row in tool.rows("sql", *words, log, statement)]


# ---- one grammar of times ------------------------------------------------------------------------------------------------
# The log lasts from 1 s to 400 s. At 300 s the clock shows 22:18:19 and is set back to 22:16:39, so what is between is shown twice.
plain = [group(), wall_clock(S, START * S), assign(0, 10, 2 * S), assign(0, 11, 20 * S)]
log = tool.save("times.bcos", *plain, wall_clock(300 * S, (START + 199) * S), assign(0, IDLE, 400 * S))
for text, seconds in (("1.5", 1.5), ("-5m", 100), ("5m", 100), ("1h", 0), ("22:13:25", 6), ("22:13:25Z", 6), ("23:13:25+0100", 6),
                      ("2023-11-14 22:13:20", 1), ("2023-11-14T22:18:19.5Z", 400.5), ("22:15:00", 101), ("22:18:00", 281)):
    # The first of two times is meant, as by --since. 22:18:19.5 comes after the clock was set back.
    tool.equal("bcos_ts('%s')" % text, ask(log, "SELECT bcos_ts('%s') AS t" % text), [(int(seconds * S),)])
tool.equal("no time is no time", ask(log, "SELECT bcos_ts(NULL) AS t"), [(None,)])
tool.equal("the clock shows what was asked for", ask(log, "SELECT bcos_wall(bcos_ts('22:13:25')) AS t"), [((START + 5) * S,)])
tool.equal("after the clock was set, the new one counts", ask(log, "SELECT bcos_wall(%d) AS t" % (310 * S)), [((START + 209) * S,)])
for zone, seconds in (("UTC", 6), ("Europe/Berlin", 6 - 3600)):
    tool.equal("a time of the day in %s" % zone, [row["t"] > 0 for row in tool.rows(
        "sql", log, "SELECT bcos_ts('22:13:25') AS t WHERE bcos_ts('22:13:25') = %d" % (seconds * S), zone=zone)],
        [True] if seconds > 0 else [])
with open(log, "rb") as whole:
    done = subprocess.run([tool.program, "sql", "--json", "-", "SELECT bcos_ts('-5m') AS a, bcos_ts('22:13:25') AS b"], stdin=whole,
                          capture_output=True, check=True, env=dict(os.environ, TZ="UTC"))
tool.equal("of a log that is read only once", json.loads(done.stdout), {"a": 100 * S, "b": 6 * S})
status, out, error = tool.run("sql", log, "SELECT bcos_ts('noon')")
tool.check("what is no time is an error that says what is", status == 2 and not out and "bcos_ts('noon') takes seconds since boot" in error, error)
dark = tool.save("dark.bcos", group(), assign(0, 10, 2 * S), assign(0, IDLE, 400 * S))
# SQLite would take '22:13:25' for 22, and for more than any number.
for statement in ("SELECT bcos_wall('22:13:25')", "SELECT bcos_wall(x'00')", "SELECT * FROM diff('22:13:25', 2, 3, 4)",
                  "SELECT * FROM diff(1, 2, 3, '22:13:25')", "SELECT * FROM critical_path(1, '22:13:25')"):
    status, out, error = tool.run("sql", log, statement)
    tool.check("a text is no number in %s" % statement, status == 2 and not out and "bcos_ts('14:03:05')" in error, (status, out, error))
tool.equal("one of digits is", ask(log, "SELECT bcos_wall('1000000000') AS t"), [(START * S,)])
tool.equal("also as an argument of a table", ask(
    log, "SELECT name, a_ns, b_ns FROM diff('2e9', '4000000000', 3e9, 5000000000) WHERE use = 'process'"), [("a", 2 * S, 2 * S)])
tool.equal("nothing is at no time", ask(log, "SELECT bcos_wall(NULL) AS t"), [(None,)])
tool.equal("a log without a wall clock has its end", ask(dark, "SELECT bcos_ts('-5m') AS t"), [(100 * S,)])
for text in ("22:13:25", "2023-11-14 22:13:25"):
    status, out, error = tool.run("sql", dark, "SELECT ts FROM run WHERE ts > bcos_ts('%s')" % text)
    tool.check("and no %s" % text, status == 2 and not out and "needs the wall clock" in error, (status, out, error))


# ---- conditions --------------------------------------------------------------------------------------------------------------
tool.equal("a condition with such a time", ask(log, "SELECT ts FROM run WHERE ts > bcos_ts('22:13:25') AND ts < bcos_ts('-1s') AND cpu = 0"),
           [(20 * S,)])
tool.equal("and an equal one", ask(log, "SELECT name FROM run WHERE ts = bcos_ts('2')"), [("a",)])


# In a file whose times begin anew, as two that were put together, what comes later may be before that.
twice = tool.save("twice.bcos", *plain, assign(0, IDLE, 400 * S), event("process", 0, 7, 400 * S, "one"),
                  *[event("process", 0, 8, 400 * S, "x" * 1000)] * 2000, *plain, event("process", 0, 7, 30 * S, "two"),
                  assign(0, IDLE, 50 * S))
tool.equal("events up to a time, of a file whose times begin anew", ask(twice, "SELECT text FROM event WHERE event_id = 7 AND ts <= %d" % (100 * S)), [("two",)])


# ---- what is read ------------------------------------------------------------------------------------------------------------
def read_by(*words):
    """Return: how many bytes the program reads that answers, as the kernel counts them, and the row that it prints."""
    child = subprocess.Popen([tool.program, "sql", "--json", *words], stdout=subprocess.PIPE, cwd=tool.folder, env=dict(os.environ, TZ="UTC"))
    out = child.stdout.read().decode()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    with open("/proc/%d/io" % child.pid, encoding="ascii") as counts:
        count = int(counts.readline().split()[1])
    child.wait()
    return count, json.loads(out)


chance = random.Random(7)
# Texts that do not compress: a frame of 64 KiB has about 13 of them.
parts = [group(), wall_clock(S, START * S), event("process", 0, 0xC0000012, S, "host fir")]
parts += [assign(0, (10, 11, IDLE)[step // 10 % 3], S + step * 100 * MS) if step % 10 == 9 else
          event("process", 10, 7, S + step * 100 * MS, chance.randbytes(2400).hex()) for step in range(6000)]
long = tool.save("long.bcos", *parts)
tool.run("record", "-o", "long", "--size", "64K", long)
nothing, _ = read_by("long", "SELECT 1")
whole, out = read_by("long", "SELECT count(*) AS n FROM run")
tool.check("the recording is read as a whole, by this measure", whole > nothing + 10 * MS and out["n"] == 602, (nothing, whole))
# CPU 0 is idle first and then assigned 600 times, and CPU 1 is idle. Two seconds of ten minutes: 20 entries and the frames around them, and not a twentieth of the recording.
for where in (("--since", "500", "--until", "502"), ("--since", "22:21:39", "--until", "22:21:41"), ("--since", "-101s", "--until", "-99s")):
    count, out = read_by(*where, "long", "SELECT count(*) AS n, min(ts) AS ts FROM run")
    tool.check("%s reads only the frames of this time" % " ".join(where), count - nothing < (whole - nothing) / 20, (count, nothing, whole))
    count, out = read_by(*where, "long", "SELECT count(*) AS n FROM event WHERE event_id = 7")
    tool.check("and so do events", count - nothing < (whole - nothing) / 20, (count, nothing, whole))
for condition in ("ts >= %d" % (590 * S), "ts >= bcos_ts('590')", "ts >= bcos_ts('22:23:09')", "ts >= bcos_ts('-10900ms')"):
    count, out = read_by("long", "SELECT count(*) AS n FROM event WHERE event_id = 7 AND " + condition)
    # 590 s is step 5890: of each ten steps up to 5999 nine are events.
    tool.equal("events where %s" % condition, out, {"n": 99})
    tool.check("are those that are read", count - nothing < (whole - nothing) / 20, (count, nothing, whole))
    count, out = read_by("long", "SELECT count(*) AS n FROM run WHERE cpu = 0 AND " + condition)
    tool.equal("runs where %s" % condition, out, {"n": 11})
    tool.check("are read from a frame before them on", count - nothing < (whole - nothing) / 10, (count, nothing, whole))
# The log is opened for the text, and not for each of 5,400 rows.
count, out = read_by("long", "SELECT count(*) AS n FROM event WHERE event_id = 7 AND +ts >= bcos_ts('590', host)")
tool.check("a time of the machine of each row is looked up once", out == {"n": 99} and count - nothing < 2 * (whole - nothing),
           (out, count, nothing, whole))

tool.end()
