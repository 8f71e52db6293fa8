# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
One event may tell that a thread runs and how it was woken, up to 10 ms before. Random logs that tell wakings so, or in events
of their own, late or at their time, say the same to every report and export.
"""
import os
import random
import re

from crowd import least, processor_time
from made import IDLE, MS, S, Tool, assign, event, group, name

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
LEFT, RUNS, WOKEN = 0xC0000008, 0xC0000009, 0xC000000A
THREAD, TIMER = 1, 4
T, SPAN = 10 * S, 10 * MS
PEOPLE = group(cpus=2, processes=((10, "ten"), (20, "twenty"), (30, "thirty")))

tool = Tool()


def number(value):
    """5 bits in each digit, the lowest first; the sixth bit says that another one follows."""
    return DIGITS[value] if value < 32 else DIGITS[value & 31 | 32] + number(value >> 5)


def turn(cpu, waking=None, now=0):
    """The digits that bcoslog(5) has for a turn on @cpu, or for a waking: (time, CPU, waking thread, or None for a timer)."""
    if not waking:
        return "00" + number(cpu)
    at, on, waker = waking
    head = (THREAD if waker else TIMER) | (128 if on != cpu else 0)
    return (DIGITS[head & 63] + DIGITS[head >> 6] + number(cpu) + number(now - at) + (number(waker) if waker else "") +
            (number(on) if on != cpu else ""))


class Both:
    """What happens, as entries with a time: @apart has each waking at its time, @folded has most of them with the turn."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.apart, self.folded = [], []
        self.time = T

    def put(self, made):
        self.apart.append((self.time, made))
        self.folded.append((self.time, made))

    def passes(self, most):
        self.time += self.random.randint(1, most)

    def wakes(self, waking, told, cpu, thread):
        """The thread was woken, and runs now; @told is how the folded log says it: with the turn, late, or at once."""
        at, on, waker = waking
        self.apart.append((at, event("process", thread, WOKEN, at, turn(on, (at, on, waker), at), 0)))
        self.apart.append((self.time, event("process", thread, RUNS, self.time, turn(cpu), 0)))
        if told == "with":
            self.folded.append((self.time, event("process", thread, RUNS, self.time, turn(cpu, waking, self.time), 0)))
            return
        late = at if told == "at once" else self.random.randint(at + 1, self.time)
        self.folded.append((late, event("process", thread, WOKEN, late, turn(on, (at, on, waker), late), 0)))
        self.folded.append((self.time, event("process", thread, RUNS, self.time, turn(cpu), 0)))

    def log(self, entries):
        return [made for _, made in sorted(entries, key=lambda entry: entry[0])]


def make(seed):
    """Threads take turns on two CPUs. They are woken while others run, blocked or not, and some are preempted."""
    both = Both(seed)
    rest = {10: 0, 20: 0, 30: 0}        # who has no CPU, and since when; 0: nobody knows
    runs = {0: None, 1: None}
    for _ in range(both.random.randint(40, 120)):
        both.passes(4 * MS if both.random.random() < 0.7 else 40 * MS)
        cpu = both.random.randint(0, 1)
        thread = runs[cpu]
        if thread:
            blocks = both.random.random() < 0.8
            if blocks:
                both.put(event("process", thread, LEFT, both.time, "G00", 0))
            rest[thread] = both.time if blocks else -both.time
            runs[cpu] = None
        next_one = both.random.choice([None] + sorted(rest))
        if next_one:
            since = rest.pop(next_one)
            earliest = max(since + 1, both.time - SPAN)
            if since >= 0 and earliest <= both.time - 2:
                waker = both.random.choice([None] + [other for other in runs.values() if other])
                waking = (both.random.randint(earliest, both.time - 2), both.random.randint(0, 1), waker)
                both.wakes(waking, both.random.choice(("with", "with", "late", "at once")), cpu, next_one)
            else:
                both.put(event("process", next_one, RUNS, both.time, turn(cpu), 0))
            runs[cpu] = next_one
        both.put(assign(cpu, next_one or IDLE, both.time))
    both.passes(MS)
    both.put(name(40, "last", both.time))
    return both


ASKED = (("latency", "--json"), ("latency", "--threads", "--json"), ("turns", "--json"), ("turns", "--threads", "--json"),
         ("offcpu", "--json"), ("why", "10", "--json"), ("why", "20", "--since", "10.05", "--json"), ("story", "30", "--json"),
         ("text",), ("top", "--json"), ("around", "10.1", "--json"))
FORMATS = ("trace-cmd", "perfetto", "fxt", "chrome", "ctf", "eventheader", "kel")


def exported(words, log):
    """All bytes of an export, without the log that it may carry."""
    there = tool.path("there")
    os.system("rm -rf '%s'" % there)
    options = ("--no-embed",) if words in ("fxt", "ctf", "eventheader") else ()
    status, _, errors = tool.run("convert", "-t", words, *options, log, "-o", there)
    files = sorted(os.path.join(at, file) for at, _, names in os.walk(there) for file in names) or [there]
    # The ID of a CTF trace is random.
    return status, errors, [re.sub(rb"(?s)(\xc1\x1f\xfc\xc1).{16}|uuid = \S+", rb"\1", open(file, "rb").read())
                            for file in files if os.path.exists(file)]


wrong, woken = [], 0
for seed in range(12):
    both = make(seed)
    apart = tool.save("apart", PEOPLE, *both.log(both.apart))
    os.rename(apart, tool.path("log"))
    first = [tool.run(*words, "log") for words in ASKED]
    if seed < 3:
        first += [exported(words, "log") for words in FORMATS]
    os.rename(tool.save("folded", PEOPLE, *both.log(both.folded)), tool.path("log"))
    second = [tool.run(*words, "log") for words in ASKED]
    if seed < 3:
        second += [exported(words, "log") for words in FORMATS]
    woken += first[3][1].count('"woken_by":{')
    wrong += [(seed, words, one, other) for words, one, other in zip(ASKED + FORMATS, first, second) if one != other]
tool.check("reports and exports of both logs are the same", not wrong and woken, "%d wrong, %d woken: %.2000r" % (len(wrong), woken, wrong[:1]))
carried = []
for words in "fxt", "eventheader", "ctf", "ltt":
    tool.run("convert", "-t", words, "--embed", "log", "-o", "carrier." + words)
    tool.run("convert", "-f", words, "carrier." + words, "-o", "back")
    carried += [open(tool.path("back"), "rb").read() == open(tool.path("log"), "rb").read()]
tool.equal("an export carries the log as it is", carried, [True] * 4)
tool.equal("the entries themselves tell it with the turn", [(row["thread_state"], row.get("woken_by")) for row in tool.rows(
    "dump", tool.save("one", PEOPLE, event("process", 20, RUNS, T, turn(1, (T - 50, 0, 10), T), 0)))
    if "thread_state" in row], [("runs", {"process": 10, "name": "ten", "thread": 10, "cpu": 0, "ns_before": 50})])
# A damaged log may go on with what was earlier. What ran then was not woken among what the log has from later.
later = [event("process", thread, LEFT, 5000 * S, "G00", 0) for thread in (10, 20)]
earlier = [event("process", 20, RUNS, T, turn(1, (T - 50, 0, 10), T), 0), event("process", 20, LEFT, T + 5, "G00", 0),
           event("process", 30, WOKEN, T + 8, turn(1, (T + 6, 1, None), T + 8), 0)]
status, text, _ = tool.run("text", tool.save("back", PEOPLE, *later, *earlier, name(40, "last", T + S)))
tool.equal("a waking stays behind what is before it, where times go back", [line.split()[0] for line in text.splitlines()],
           ["5000.000000000", "5000.000000000", "9.999999950", "10.000000000", "10.000000005", "10.000000006"])


def crowd(which, count):
    """So many wakings of nearly one moment: with turns, late, and late with each one earlier than that before it."""
    def one(n):
        if which == "turns":
            return event("process", 20, RUNS, T, turn(0, (T - 5, 0, None), T), 0)
        at = T - 5 if which == "late" else T - 2 * n
        return event("process", 20, WOKEN, T, turn(0, (at, 0, None), T), 0)
    return tool.save("%s%d" % (which, count), PEOPLE, *[one(n) for n in range(1, count + 1)], name(40, "last", T + S))


def is_slow(times):
    """A square would be four times as much."""
    return times[1] > 3 * times[0] + 0.3


for which in "turns", "late", "backward":
    logs = [crowd(which, count) for count in (40000, 80000)]
    times = least(lambda: tuple(processor_time(tool, ("text", log)) for log in logs), is_slow)
    tool.check("twice the %s take about twice the time" % which, not is_slow(times), times)
tool.end()
