# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Random logs against a model of the account that knows what the log's maker knows: who had each CPU at each ns, or that
nobody can know. CPUs, processes and cores of whole logs and of parts, and stretches, must agree to the ns.
"""
import random

from made import (HISTORICAL, IDLE, LOSS, MASK, MS, S, Tool, assign, cancel, core, cpu, cpu_offline, device, entry, event,
                  name)

SEEDS, FIRST = 60, 1
T = 10 * S
USES = ("processes", "kernel", "idle", "unknown")


class Machine:
    """Makes a log, and remembers for each stretch between two entries what each online CPU did: None is unknown."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.cpus = self.random.randint(1, 4)
        self.use = {n: self.random.choice((0, 10, 11, 12, IDLE)) for n in range(self.cpus)}
        self.hidden = {}                # CPU -> time up to which no assignment counts
        self.lives = {0: 0, 10: 0, 11: 0, 12: 0}
        self.next_life = 1
        self.estimates = (self.random.choice((0, 50)), 100, tuple([1000] * self.cpus))
        self.assigned_on = True
        self.time = T
        self.stretches = []
        self.late = []                  # (time, entry) of losses that are stated later
        self.parts = [core(0, 0, self.estimates[0], self.estimates[1], self.estimates[2], HISTORICAL, 0xFFFFFFFF)]
        self.parts += [cpu(n, 0, 0, HISTORICAL, 0xFFFFFFFF) for n in self.use]
        self.parts += [name(number, "kernel" if not number else "p", S, HISTORICAL) for number in self.lives]
        self.parts += [device(0xC0000000, "bcos_evlog", 0, 0, HISTORICAL, 0xFFFFFFFF)]
        self.parts += [assign(n, self.use[n], 5 * S, HISTORICAL) for n in self.use]
        self.put(event("process", 0, 0, T))

    def put(self, made):
        self.parts.append(made)

    def advance(self, span):
        end = self.time + span
        while self.late and self.late[0][0] <= end:
            at, made = self.late.pop(0)
            self.pass_to(at)
            self.put(made)
        self.pass_to(end)

    def pass_to(self, end):
        if end > self.time:
            self.stretches.append((self.time, end, dict(self.use), dict(self.lives)))
        self.time = end

    def known(self, number):
        return self.assigned_on and self.hidden.get(number, 0) <= self.time

    def step(self):
        pick, number = self.random.random(), self.random.choice(range(self.cpus))
        if pick < 0.6:
            self.switch(number)
        elif pick < 0.7:
            self.live_or_die()
        elif pick < 0.78:
            self.plug(number)
        elif pick < 0.84:
            self.lose(number)
        elif pick < 0.9:
            self.lose_unseen(number)
        elif pick < 0.95:
            self.change_mask()
        else:
            self.put(event("process", 0, 0, self.time))

    def switch(self, number):
        if number not in self.use or not self.assigned_on:
            return
        process = self.random.choice(list(self.lives) + [IDLE])
        self.put(assign(number, process, self.time))
        if self.known(number):
            self.use[number] = process

    def live_or_die(self):
        process = self.random.choice((10, 11, 12))
        if process not in self.lives:
            self.put(name(process, "again", self.time))
            self.lives[process] = self.next_life
            self.next_life += 1
            return
        for number, has in self.use.items():
            if has == process:
                self.put(assign(number, 0, self.time))
                self.use[number] = 0
        self.put(cancel(process, self.time))
        del self.lives[process]

    def plug(self, number):
        if number in self.hidden and self.hidden[number] > self.time:
            return
        if number in self.use and len(self.use) > 1:
            self.put(cpu_offline(number, self.time))
            del self.use[number]
        elif number not in self.use:
            self.put(cpu(number, 0, self.time))
            self.use[number] = None

    def lose(self, number):
        """The writer keeps the newest lost assignment, so the next one ends the loss; its text may be of any length."""
        if number not in self.use:
            return
        span = self.random.choice((1, 500, 6 * S))
        text = "lost 3 assignments: staging full, until %d.%09d s" % divmod(self.time + span, S)
        self.put(event("cpu", number, LOSS, self.time, text, 0x80, min(span, 0xFFFFFFFF)))
        self.use[number] = None

    def lose_unseen(self, number):
        """What happens from now on is stated later, and no assignment before its end counts."""
        if number not in self.use or self.hidden.get(number, 0) > self.time:
            return
        span = self.random.choice((7, 1000, 3 * MS, 20 * MS))
        end = self.time + span
        text = "lost 1 assignments or more: the kernel told of no switch, since %d.%09d s" % divmod(self.time, S)
        stated = end
        if self.random.random() < 0.5:
            text += ", until %d.%09d s" % divmod(end, S)
            stated += self.random.choice((0, 5 * MS))
        self.late.append((stated, event("cpu", number, LOSS, stated, text, 0x80)))
        self.late.sort(key=lambda each: each[0])
        self.use[number] = None
        self.hidden[number] = end

    def change_mask(self):
        if any(end > self.time for end in self.hidden.values()):
            return
        self.assigned_on = not self.assigned_on
        text = "class mask 0x21e -> 0x21f: assign on" if self.assigned_on else "class mask 0x21f -> 0x21e: assign off"
        self.put(event("cpu", 0, MASK, self.time, text))
        if not self.assigned_on:
            self.use = {number: None for number in self.use}

    def log(self):
        for _ in range(self.random.randint(5, 60)):
            self.advance(self.random.choice((1, 7, 1000, MS, 3 * MS)))
            self.step()
        self.advance(40 * MS)
        self.put(event("process", 0, 0, self.time))
        return b"".join(self.parts)


def sums(machine, since, until):
    """Return: ns of each CPU by use, ns of each life, and of the core the ns online and instructions unknown."""
    cpus, lives, online, unknown = {}, {}, 0, 0
    for begin, end, use, who in machine.stretches:
        span = min(end, until) - max(begin, since)
        if span <= 0:
            continue
        for number, has in use.items():
            kind = 3 if has is None else 2 if has == IDLE else 0 if has else 1
            cpus.setdefault(number, [0] * 4)[kind] += span
            if kind < 2:
                lives[(has, who[has])] = lives.get((has, who[has]), 0) + span
        online += span
        unknown += span * (None in use.values())
    return cpus, lives, online, unknown


def check(tool, seed):
    machine = Machine(seed)
    log = tool.save("random.bcos", machine.log())
    since, until, window = T, machine.time, ()
    if seed % 3:
        since = machine.random.randint(T, machine.time - 1)
        until = machine.random.randint(since + 1, machine.time)
        window = ("--since", "%d.%09d" % divmod(since, S), "--until", "%d.%09d" % divmod(until, S))
    cpus, lives, online, unknown = sums(machine, since, until)
    wrong = []

    def same(what, found, expected):
        if found != expected:
            wrong.append("%s: found %r, expected %r" % (what, found, expected))

    rows = {str(row["cpu"]): row for row in tool.rows("cpu", *window, log)}
    for number, expected in cpus.items():
        same("CPU %d" % number, [rows[str(number)][use + "_ns"] for use in USES], expected)
    rows = [row for row in tool.rows("top", "-n", "0", *window, log) if str(row["process"] if row["process"] is not None
                                                                          else "") != ""]
    same("top", sorted((int(row["process"]), row["cpu_ns"]) for row in rows if row["cpu_ns"]),
         sorted((life[0], ns) for life, ns in lives.items()))
    dark = sum(each[3] for each in cpus.values())
    for row in rows:
        if row.get("cpu_ns_up_to", row["cpu_ns"]) > row["cpu_ns"] + dark:
            wrong.append("top: %r may have more than all unknown time" % row)
    row = [row for row in tool.rows("power", *window, log) if str(row["core"]) == "0"][0]
    same("power", [row["online_ns"], row["performance_unknown_ns"]], [online, unknown])
    rows = tool.rows("cpu", "--every", "1ms", *window, log)
    for kind, use in enumerate(USES):
        same("stretches: " + use, sum(row[use + "_ns"] for row in rows), sum(each[kind] for each in cpus.values()))
    return wrong


tool = Tool()
for seed in range(FIRST, FIRST + SEEDS):
    found = check(tool, seed)
    tool.check("log %d" % seed, not found, "\n".join(found))
tool.end()
