# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The wall clock is set while the log is written, and hours exist twice or never: each answer is by the clock of its time."""
import calendar
import json
import subprocess
from made import IDLE, S, Tool, assign, event, group, wall_clock

tool = Tool()


def utc(text):
    """Return: ns since 1970 of a time in UTC, by Python's calendar."""
    date, clock = text.split()
    numbers = [int(n) for n in date.split("-") + clock.split(":")]
    return calendar.timegm(tuple(numbers) + (0, 0, 0)) * S


def turns(log, *words, zone="UTC"):
    """Return: the names of the processes that ran, and when they began by the wall clock."""
    done = tool.run("turns", "-T", "--json", *words, log, zone=zone)
    return [(row["name"], row["begin_wall"]) for row in map(json.loads, done[1].splitlines()) if row["process"]], done


def run(pid, begin, end):
    return assign(0, pid, begin) + assign(0, IDLE, end)


GROUP = group(cpus=1, processes=((7, "early"), (8, "late"), (9, "again")))

# The clock is set at 12 s from 12:00:03 of 2026 to 2031, and at 30 s back by 10 s.
steps = tool.save("steps.log", GROUP, wall_clock(9 * S, utc("2026-03-01 12:00:00")), run(7, 10 * S, 11 * S),
                  wall_clock(12 * S, utc("2031-07-01 01:00:00")), run(8, 20 * S, 21 * S),
                  wall_clock(30 * S, utc("2031-07-01 01:00:08")), run(9, 30 * S + S // 2, 31 * S), wall_clock(40 * S, utc("2031-07-01 01:00:18")))
EARLY, LATE, AGAIN = (("early", "2026-03-01T12:00:01.000000000Z"), ("late", "2031-07-01T01:00:08.000000000Z"),
                      ("again", "2031-07-01T01:00:08.500000000Z"))
rows, done = turns(steps)
tool.equal("each turn by its clock", rows, [EARLY, LATE, AGAIN])
tool.check("both steps are said", "set forward by 1947 d 12 h 59 min 57 s" in done[2] and "set back by 10.000 s" in done[2], done[2])
tool.equal("a time that was there twice is the first for --since",
           turns(steps, "--since", "2031-07-01 01:00:08")[0], [LATE, AGAIN])
tool.equal("and the last for --until", turns(steps, "--since", "2031-07-01 01:00:07.5", "--until", "2031-07-01 01:00:08.6")[0],
           [LATE, AGAIN])
tool.check("which is said", "more than once: --since means the first time" in
           turns(steps, "--since", "2031-07-01 01:00:08")[1][2])
tool.equal("a time that never was is that of the step", turns(steps, "--since", "2028-01-01")[0], [LATE, AGAIN])
tool.equal("likewise its end", turns(steps, "--until", "2028-01-01")[0], [EARLY])
tool.equal("dump chooses as reports do", [row["process_name"] for row in
                                          tool.rows("dump", "--since", "2028-01-01", "--type", "assign-cpu", steps) if not row["idle"]],
           ["late", "again"])
tool.equal("dump has the steps in place", [row["clock_set"] for row in tool.rows("dump", steps) if "clock_set" in row],
           [utc("2031-07-01 01:00:00") - utc("2026-03-01 12:00:03"), -10 * S])
tool.check("text likewise", ", the clock was set back by 10.000 s" in tool.run("text", "-T", steps)[1])
tool.equal("around", tool.run("around", "-T", "2031-07-01 01:00:00", steps)[1].split(",")[0], "Around 2031-07-01 01:00:00.000000")

# A recording answers as its log does.
tool.run("record", "-o", "recorded", steps)
tool.equal("a recorded directory", turns("recorded", "--since", "2031-07-01 01:00:08")[0], [LATE, AGAIN])
tool.equal("and in all", turns("recorded")[0], [EARLY, LATE, AGAIN])

# A pipe shows its steps too late, which is said.
with open(steps, "rb") as log:
    bytes_of = log.read()
piped = subprocess.run([tool.program, "turns", "--since", "2031-07-01 01:00:00", "-"], input=bytes_of, capture_output=True)
tool.check("a pipe", piped.returncode == 2 and b"the clock was set within the log" in piped.stderr, str(piped))

# Suspended for eight hours: time since boot goes on, and the clock is not set.
slept = tool.save("slept.log", GROUP, wall_clock(9 * S, utc("2026-03-01 12:00:00")), run(7, 10 * S, 11 * S),
                  wall_clock(28811 * S, utc("2026-03-01 20:00:02")), run(8, 28820 * S, 28821 * S))
rows, done = turns(slept)
tool.equal("after a suspend", rows, [("early", "2026-03-01T12:00:01.000000000Z"), ("late", "2026-03-01T20:00:11.000000000Z")])
tool.equal("no step is said", done[2], "")
tool.equal("nor one in dump", [row for row in tool.rows("dump", slept) if "clock_set" in row], [])
# A correction by less than a millisecond is no step.
slewed = tool.save("slewed.log", GROUP, wall_clock(9 * S, utc("2026-03-01 12:00:00")), run(7, 10 * S, 11 * S),
                   wall_clock(12 * S, utc("2026-03-01 12:00:03") + 900000), run(8, 20 * S, 21 * S))
tool.equal("a correction", (turns(slewed)[0][1], turns(slewed)[1][2]), (("late", "2026-03-01T12:00:11.000900000Z"), ""))

# Berlin's clocks go back from 03:00 to 02:00 at 01:00 UTC. The turn is from 00:30 UTC to 01:15 UTC.
twice = tool.save("twice.log", GROUP, wall_clock(2 * S, utc("2026-10-25 00:15:00")), run(7, 902 * S, 3602 * S))
tool.equal("the first of both hours", tool.run("turns", "-T", twice, zone="Europe/Berlin")[1].splitlines()[1].split()[1], "02:30:00.000000+0200")
for words in ("2026-10-25 02:30:00", "2026-10-25 02:20:00", "2026-10-25 02:30:00.000000+0200", "2026-10-25T02:30:00+02:00", "02:30"):
    tool.equal("since " + words, [name for name, at in turns(twice, "--since", words, zone="Europe/Berlin")[0]], ["early"])
tool.equal("until the last of both", turns(twice, "--until", "2026-10-25 02:10", zone="Europe/Berlin")[0],
           [("early", "2026-10-25T00:30:00.000000000Z")])
tool.equal("until the first of both, by its zone", turns(twice, "--until", "2026-10-25 02:10+0200", zone="Europe/Berlin")[1][1], "")
# They go forward from 02:00 to 03:00 at 01:00 UTC on the 29th of March.
never = tool.save("never.log", GROUP, wall_clock(2 * S, utc("2026-03-29 00:50:00")), run(7, 302 * S, 303 * S), run(8, 902 * S, 903 * S))
rows, done = turns(never, "--since", "2026-03-29 02:30", zone="Europe/Berlin")
tool.equal("a time that no clock showed", ([name for name, at in rows], "never showed 2026-03-29 02:30" in done[2]), (["late"], True))
tool.end()
