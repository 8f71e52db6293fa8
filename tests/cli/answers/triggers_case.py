# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A recorder keeps a stretch without a CPU that may be long enough, and says if it is not certain."""
import shutil

from made import IDLE, LOSS, MASK, MS, OVERTAKEN, S, Tool, assign, event, group, name

tool = Tool()
begin = 10 * S


def at(ms):
    return begin + ms * MS


def lost(ms, until, cpu):
    return event("cpu", cpu, LOSS, at(ms), "lost 3 assignments: staging full, until %d.%09d s" % divmod(at(until), S),
                 severity=0x80, precision=(until - ms) * MS)


def causes(what, expected, *parts, on="offcpu:a>1s"):
    """Process a has CPU 0 from the begin on."""
    end = event("process", 0, 0, at(9000), "end")
    file = tool.save("log", group(), event("process", 0, 0, begin, "begin"), assign(0, 10, begin), *parts, end)
    shutil.rmtree(tool.path("kept"), ignore_errors=True)
    said = tool.run("record", "-o", "kept", "--before", "1us", "--after", "1us", "--on", on, file)
    found = [line.split(": ")[1] for line in (said[1] + said[2]).splitlines() if "offcpu" in line]
    tool.equal(what, found, expected)


gone, back, early = assign(0, IDLE, at(100)), assign(0, 10, at(2100)), assign(0, 10, at(1000))
certain, perhaps = ["offcpu-a"], ["offcpu-perhaps-a"]
causes("two seconds", certain, gone, back)
causes("less", [], gone, early)
causes("a loss in the stretch", perhaps, gone, lost(500, 503, 1), assign(1, IDLE, at(503)), back)
causes("a loss in a stretch that is too short", [], gone, lost(500, 503, 1), assign(1, IDLE, at(503)), early)
causes("a loss before the stretch", certain, lost(50, 60, 1), assign(1, IDLE, at(60)), gone, back)
causes("a loss of something else", certain, gone,
       event("cpu", 1, LOSS, at(500), "lost 3 interrupts: staging full, until 10.503000000 s", severity=0x80), back)
causes("it left its CPU in the loss, and not all of the stretch is certain", perhaps, lost(100, 1300, 0),
       assign(0, IDLE, at(1300)), back)
causes("it left its CPU in the loss, and the stretch is too short", [], lost(1500, 1600, 0), assign(0, IDLE, at(1600)), back)
causes("it may have kept its CPU", [], lost(100, 2100, 0), back)

overtaken = event("device", 0xC0000000, OVERTAKEN, at(500), "missed 9 entries, 200 bytes")


def groups(process, since):
    """The group after the gap, in which CPU 0 has a process since some time."""
    return group(assigned=IDLE, since=S) + assign(0, process, since, 0x8000)


causes("an overtaken reader", perhaps, gone, overtaken, groups(IDLE, at(100)), back)
causes("it left its CPU while the reader was overtaken", perhaps, overtaken, groups(IDLE, at(600)), back)
causes("it got its CPU back meanwhile", perhaps, gone, event("process", 0, 0, at(2000), "x"),
       event("device", 0xC0000000, OVERTAKEN, at(2000), "missed 9 entries, 200 bytes"), groups(10, at(2100)),
       event("process", 0, 0, at(2200), "x"))
causes("it had its CPU all the time", [], overtaken, groups(10, begin), event("process", 0, 0, at(4000), "x"), assign(0, IDLE, at(4000)),
       assign(0, 10, at(4500)))
causes("another process has its number", [], gone, overtaken,
       group(processes=((11, "b"),), since=S) + name(10, "a", at(600), 0x8000), event("process", 0, 0, at(2000), "x"), back)
causes("the class was off", perhaps, gone, event("cpu", 0, MASK, at(500), "class mask 0x1f -> 0x1e: assign off"),
       event("cpu", 0, MASK, at(900), "class mask 0x1e -> 0x1f: assign on"), assign(0, IDLE, at(900)), assign(1, IDLE, at(900)), back)
tool.end()
