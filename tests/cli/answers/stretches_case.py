# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A stretch without a CPU in which entries were lost is listed, with the part of which nothing is known."""
from made import IDLE, LOSS, MASK, MS, OVERTAKEN, S, Tool, assign, event, group

tool = Tool()
begin = 10 * S
STATE = 0xC0000003


def at(ms):
    return begin + ms * MS


def thread(process, text, ms):
    return event("process", process, STATE, at(ms), text, severity=0)


def lost(ms, until, what="3 assignments", cpu=1):
    return event("cpu", cpu, LOSS, at(ms), "lost %s: staging full, until %d.%09d s" % ((what,) + divmod(at(until), S)),
                 severity=0x80, precision=(until - ms) * MS)


def log(name, *parts):
    return tool.save(name, group(), event("process", 0, 0, begin, "begin"), *parts)


def stretches(file, *words):
    return [(row["begin"] // MS - 10000, row["span_ns"] // MS, row["unknown_ns"] // MS)
            for row in tool.rows("offcpu", "--process", "a", *words, file)]


# Process a has CPU 0 up to 100 ms, and again from 2100 ms on. The assignments of CPU 1 are lost from 500 to 503 ms.
gone = [assign(0, 10, begin), assign(0, IDLE, at(100))]
back = [assign(0, 10, at(2100)), assign(0, IDLE, at(2200)), event("process", 0, 0, at(3000), "end")]
spanned = log("spanned", *gone, lost(500, 503), assign(1, IDLE, at(503)), *back)
tool.equal("a loss in a stretch", stretches(spanned), [(100, 2000, 3)])
tool.equal("a stretch that may be long enough is listed", stretches(spanned, "--over", "1999ms"), [(100, 2000, 3)])
tool.equal("what was lost before the window is no part of it", stretches(spanned, "--since", "10.6"), [(600, 1500, 0)])
tool.equal("the window begins in the loss", stretches(spanned, "--since", "10.501"), [(501, 1599, 2)])
tool.equal("without the loss", stretches(log("whole", *gone, *back)), [(100, 2000, 0)])
tool.check("the table says that it may be shorter", "<=2000.0 ms" in tool.run("offcpu", spanned)[1])
tool.check("the drawing says so", "10.100000000 s to 12.100000000 s; a loss lies in it: perhaps ran 3000.0 us<" in tool.run("offcpu", "--svg", spanned)[1])
tool.equal("top: the longest stretch", [(row["longest_off_ns"] // MS, row.get("longest_off_ns_at_most"))
                                       for row in tool.rows("top", "--process", "a", spanned) if row["name"] == "a"],
           [(2000, True)])
story = tool.rows("story", "a", spanned)[0]
tool.equal("story: its longest stretch", [(off["begin"] // MS - 10000, off["unknown_ns"] // MS)
                                         for off in story["longest_off"]], [(100, 3)])
tool.check("story: the page says so", "<=2000.0 ms from" in tool.run("story", "a", spanned)[1])
tool.equal("turns", [(row["off_ns"] // MS, row.get("off_unknown_ns", 0) // MS)
                     for row in tool.rows("turns", "--process", "a", spanned) if row["off_ns"]], [(2000, 3)])
row = tool.rows("latency", "--process", "a", spanned)[0]
tool.equal("latency: an uncertain stretch is counted apart",
           [row[key] for key in ("of", "count", "mean_ns", "uncertain", "uncertain_longest_ns")],
           ["off", 0, None, 1, 2000 * MS])
tool.equal("latency: and apart in the histogram", [(row["of"], row["count"])
                                                   for row in tool.rows("latency", "--histogram", spanned)],
           [("uncertain", 1)])

# The window cuts a stretch that is certain, and one in which the process may have run: that one is longer, or shorter.
whole = log("cut", *gone, *back)
for file, since, mark, bounds in (whole, "10.6", ">=1500.0 ms", ("at_least",)), (spanned, "10.501", "~1599.0 ms", ("about",)):
    row = tool.rows("offcpu", "--process", "a", "--since", since, file)[0]
    tool.equal("offcpu: a cut stretch, " + mark, [word for word in ("at_least", "at_most", "about") if row.get("span_ns_" + word)], list(bounds))
    tool.check("for people, too", mark in tool.run("offcpu", "--process", "a", "--since", since, file)[1])
    row = [row for row in tool.rows("turns", "--process", "a", "--since", since, file) if row["off_ns"]][0]
    tool.equal("turns: " + mark, [word for word in ("at_least", "about") if row.get("off_ns_" + word)], list(bounds))
    tool.check("and for people", " " + mark in tool.run("turns", "--process", "a", "--since", since, file)[1])
    tool.equal("story: " + mark, tool.rows("story", "a", "--since", since, file)[0]["longest_off"][0].get("cut"), True)
    tool.check("and its page", " " + mark + " from" in tool.run("story", "a", "--since", since, file)[1])
tool.equal("latency: its length is unknown, so it is apart in the histogram",
           [(row["of"], row["from_ns"], row["count"]) for row in tool.rows("latency", "--histogram", "--since", "10.6", whole)],
           [("cut", None, 1)])
tool.equal("the whole stretch is not cut", [(row["of"], row["count"]) for row in tool.rows("latency", "--histogram", whole)], [("off", 1)])
tool.equal("nor is one that begins with the window", [(row["of"], row["count"]) for row in
                                                      tool.rows("latency", "--histogram", "--since", "10.1", whole)], [("off", 1)])

# Process b takes the CPU from a, which waits 200 ms for it; from 150 ms on the window has 50 of these. Then it waits 10 ms.
RUNS = "thread %d runs on CPU 0 at priority 120"
taken = log("taken", thread(11, RUNS % 11, 0), assign(0, 11, begin), thread(10, RUNS % 10, 1), assign(0, 10, at(1)),
            thread(11, RUNS % 11, 100), assign(0, 11, at(100)), thread(10, RUNS % 10, 300), assign(0, 10, at(300)),
            thread(11, RUNS % 11, 310), assign(0, 11, at(310)), thread(10, RUNS % 10, 320), assign(0, 10, at(320)),
            event("process", 0, 0, at(400), "end"))
row = tool.rows("latency", "--process", "a", "--since", "10.25", taken)[0]
tool.equal("a wait that the window cuts is longer", [row.get(key) for key in (
    "of", "count", "mean_ns", "mean_ns_about", "longest_ns", "longest_ns_at_least")], ["woken", 2, 30 * MS, True, 50 * MS, True])
row = tool.rows("latency", "--process", "a", taken)[0]
tool.equal("the whole one is exact", [row.get(key) for key in ("count", "longest_ns", "longest_ns_at_least", "mean_ns_about")],
           [2, 200 * MS, None, None])
tool.check("story: likewise", "~30.0 ms on average, at most >=50.0 ms" in " ".join(
    tool.run("story", "a", "--since", "10.25", taken)[1].split()), tool.run("story", "a", "--since", "10.25", taken)[1])
row = tool.rows("story", "a", "--since", "10.25", taken)[0]
tool.equal("and for programs", [row.get(key) for key in ("wait_mean_ns_about", "wait_longest_ns", "wait_longest_ns_at_least")], [True, 50 * MS, True])
tool.equal("waits: apart in the histogram", [(row["of"], row["count"]) for row in
                                             tool.rows("latency", "--process", "a", "--histogram", "--since", "10.25", taken) if row["count"]],
           [("woken", 1), ("cut", 1)])

# An overtaken reader knows nothing from 500 ms on until the group is complete, at 900 ms; a class that is off likewise.
overtaken = log("overtaken", *gone, event("device", 0xC0000000, OVERTAKEN, at(500), "missed 9 entries, 200 bytes"),
                group(since=S), event("process", 0, 0, at(900), "here"), *back)
tool.equal("an overtaken reader", stretches(overtaken), [(100, 2000, 400)])
off = log("off", *gone, event("cpu", 0, MASK, at(500), "class mask 0x1f -> 0x1e: assign off"),
          event("cpu", 0, MASK, at(900), "class mask 0x1e -> 0x1f: assign on"),
          assign(0, IDLE, at(900)), assign(1, IDLE, at(900)), *back)
tool.equal("a class that was off", stretches(off), [(100, 2000, 400)])

# If the loss hides that the process leaves its CPU, it is certain only from the end of the loss on that it had none.
hidden = log("hidden", assign(0, 10, begin), lost(100, 150, cpu=0), assign(0, IDLE, at(150)), *back)
tool.equal("it left its CPU in the loss", stretches(hidden), [(100, 2000, 50)])
kept = log("kept", assign(0, 10, begin), lost(100, 150, cpu=0), assign(0, 10, at(150)), *back)
tool.equal("it may have kept its CPU", stretches(kept, "--over", "1ms"), [])

# With the class state: blocked and woken, so it slept, although assignments were lost.
sleep = [assign(0, IDLE, begin), thread(10, "thread 10 runs on CPU 0 at priority 120", 0), assign(0, 10, begin),
         thread(10, "thread 10 blocked, not to be interrupted", 100), assign(0, IDLE, at(100))]
wake = [thread(10, "thread 10 woken", 2099)]
run = [thread(10, "thread 10 runs on CPU 0 at priority 120", 2100)]
slept = log("slept", *sleep, lost(500, 503), assign(1, IDLE, at(503)), *wake, *run, *back)
tool.equal("a sleep is certain", stretches(slept), [(100, 2000, 0)])
tool.equal("turns of threads: likewise", [(row["off_ns"] // MS, row.get("off_unknown_ns"))
                                          for row in tool.rows("turns", "--threads", slept) if row["off_ns"]],
           [(2000, None)])
missed = log("missed", *sleep, event("cpu", 1, LOSS, at(500), "lost 8 assignments or more, or task states: the kernel told "
                                     "of no switch, since 10.400000000 s", severity=0x80), assign(1, IDLE, at(503)),
             *wake, *run, *back)
tool.equal("where the kernel tells of no switch, it tells of wake-ups", stretches(missed), [(100, 2000, 0)])
states = log("states", *sleep, lost(500, 503, "3 assignments, 2 task states"), assign(1, IDLE, at(503)), *wake, *run,
             *back)
tool.equal("where states are lost, a wake-up may be", stretches(states), [(100, 2000, 3)])
tool.equal("turns of threads: likewise", [(row["off_ns"] // MS, row["off_unknown_ns"] // MS)
                                          for row in tool.rows("turns", "--threads", states) if row["off_ns"]],
           [(2000, 3)])

# It is woken at 200 ms, and gets a CPU at 2100 ms. It may have had CPU 1 in between.
waiting = log("waiting", *sleep, thread(10, "thread 10 woken", 200), lost(500, 503), assign(1, IDLE, at(503)), *run,
              *back)
for words in ((), ("--threads",)):
    row = tool.rows("latency", *words, waiting)[0]
    tool.equal("an uncertain wait is counted apart" + " ".join(("",) + words),
               [row[key] for key in ("count", "uncertain", "uncertain_longest_ns")], [0, 1, 1900 * MS])
tool.equal("turns: a wait", [(row["waited_ns"] // MS, row.get("waited_unknown_ns", 0) // MS)
                             for row in tool.rows("turns", "--process", "a", waiting) if row["waited_ns"]],
           [(1900, 3)])
tool.end()
