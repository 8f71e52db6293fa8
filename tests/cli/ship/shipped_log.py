# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Makes a log of a machine on which processes are born, execute programs, are killed and lose events, for some minutes."""
import random

from made import HISTORICAL, IDLE, LOSS, MS, S, assign, cancel, core, cpu, device, event, name

KILLED, PARENT, EXEC, CLOCK, BOOT, HOST, KERNEL = (0xC0000004, 0xC0000005, 0xC0000006, 0xC0000010, 0xC0000011, 0xC0000012,
                                                   0xC0000013)
CPUS = 3


class Machine:
    def __init__(self, seed, boot, begin, wall):
        self.random = random.Random(seed)
        self.boot, self.time, self.wall = boot, begin, wall
        self.lives = {pid: "daemon%d" % pid for pid in range(1, 9)}
        self.next_pid = 100
        self.parts = [core(0, 0, 0, 0, (1000,) * CPUS, HISTORICAL, 0xFFFFFFFF)]
        self.parts += [cpu(n, 0, 0, HISTORICAL, 0xFFFFFFFF) for n in range(CPUS)]
        self.parts += [name(0, "kernel", S, HISTORICAL)]
        self.parts += [name(pid, text, S, HISTORICAL) for pid, text in self.lives.items()]
        self.parts += [device(0xC0000000, "bcos_evlog", 0, 0, HISTORICAL, 0xFFFFFFFF)]
        self.parts += [assign(n, IDLE, begin - MS, HISTORICAL) for n in range(CPUS)]
        for number, text in ((CLOCK, "wall clock %d.%09d" % divmod(wall, S)), (BOOT, "boot " + boot), (HOST, "host crane"),
                             (KERNEL, "kernel 6.12.0 x86_64")):
            self.put(event("process", 0, number, self.time, text))

    def put(self, part):
        self.parts.append(part)

    def begin(self):
        pid, parent = self.next_pid, self.random.choice(list(self.lives))
        self.next_pid += 1
        self.put(name(pid, self.lives[parent], self.time))
        self.put(event("process", pid, PARENT, self.time, 'parent %d "%s"' % (parent, self.lives[parent]), 0x20))
        self.lives[pid] = self.lives[parent]

    def execute(self):
        pid = self.random.choice(list(self.lives))
        self.lives[pid] = self.random.choice(("postgres", "sh", "cc1", "nginx", "mäh"))
        self.put(name(pid, self.lives[pid], self.time))
        self.put(event("process", pid, EXEC, self.time, 'user %d path "/bin/%s" cgroup "/user" arguments "%s" "--password=geheim%d"'
                       % (pid % 5, self.lives[pid], self.lives[pid], pid), 0x20))

    def end(self):
        pid = self.random.choice(list(self.lives))
        if len(self.lives) < 6 or pid < 9 and len(self.lives) < 40:
            return
        text = self.lives.pop(pid)
        for number in range(CPUS):
            self.put(assign(number, 0, self.time))
        if self.random.random() < 0.4:
            self.put(event("process", pid, KILLED, self.time, 'signal 9 code 0 from process 3 user 1000 "%s"' % text, 0x40))
            self.put(cancel(pid, self.time, 0x80000009))
        else:
            self.put(cancel(pid, self.time, pid % 3))

    def lose(self):
        number = self.random.randrange(CPUS)
        span = self.random.choice((5 * MS, S, 23 * S))
        self.put(event("cpu", number, LOSS, self.time, "lost 3 assignments: staging full, until %d.%09d s" % divmod(self.time + span, S),
                       0x80, min(span, 0xFFFFFFFF)))

    def step(self, pause):
        self.time += self.random.randrange(1, pause)
        what = self.random.random()
        if what < 0.9:
            self.put(assign(self.random.randrange(CPUS), self.random.choice(list(self.lives) + [0, IDLE]), self.time))
        elif what < 0.93:
            self.begin()
        elif what < 0.95:
            self.execute()
        elif what < 0.98:
            self.end()
        elif what < 0.9985:
            for _ in range(self.random.randrange(1, 4)):
                self.put(event("process", self.random.choice(list(self.lives)), 0, self.time, "it fails, öfter", self.random.choice((0x40, 0x80, 0xC0))))
        else:
            self.lose()

    def log(self, steps, pause):
        for _ in range(steps):
            self.step(pause)
        return b"".join(self.parts)
