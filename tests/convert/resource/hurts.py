# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: hurts.py FOLDER - a log for each thing that hurts whoever converts a log, in a file that has its name.

Each is the same short log but for that one thing, so what fails says why.
"""
import os
import random
import sys

from log_entries import IDLE, Log, u32

SECOND = 10 ** 9
DISK, NETWORK, LOG = 1, 0x40000000, 0xC0000000
LOST = ("births and deaths", "assignments", "interrupts", "user events", "transfers", "kernel calls", "idle states", "task states",
        "devices coming or going", "executed programs", "events", "something that no table has")


class Machine:
    """A log of CPUs that work, to which the hurts are done."""

    def __init__(self, cpus=4, pids=(10, 20, 30), name=lambda pid: "process-%d" % pid):
        self.log = Log(5 * SECOND)
        self.cpus, self.pids, self.name = cpus, list(pids), name
        self.random = random.Random(1)
        self.group(lambda cpu: self.pids[cpu % len(self.pids)])
        self.work(100)

    def group(self, who):
        log, at = self.log, self.log.now - 1000
        for core in range((self.cpus + 1) // 2):
            log.put(0xA000, core, u32(100 | 300 << 16, 1000, 700), 5)
        for cpu in range(self.cpus):
            log.put(0xC000, cpu, u32(cpu // 2), 6)
        log.put(0x8000, 0, b"kernel", 0, 0xFFFFFFFF)
        for pid in self.pids:
            log.put(0x8000, pid, self.name(pid).encode(), 1000)
        log.put(0xE000, DISK, u32(0) + b"sda\x01", 7)
        log.put(0xE000, NETWORK, u32(0) + b"eth0", 8)
        log.put(0xE000, LOG, u32(0) + b"bcos_evlog", 9)
        for cpu in range(self.cpus):
            log.put(0xC002, cpu, u32(who(cpu)), at - cpu * 3)

    def work(self, turns, step=1000):
        log, some = self.log, self.random
        for turn in range(turns):
            log.now += some.choice((0, 1, step))
            cpu = some.randrange(self.cpus)
            log.put(0x4002, cpu, u32(some.choice(self.pids + [0, IDLE])))
            if turn % 7 == 0:
                log.put(0x6011, DISK, u32(14))
                log.put(0x6002, DISK, u32(4096))
                log.put(0x6003, NETWORK, u32(1500))

    def begin(self, pid, name=None):
        self.log.put(0x0000, pid, (name or self.name(pid)).encode())

    def end(self, pid, status=0):
        self.log.put(0x0001, pid, u32(status))

    def idle(self):
        for cpu in range(self.cpus):
            self.log.put(0x4002, cpu, u32(IDLE))


def plain():
    machine = Machine()
    machine.work(100)
    return machine


def losses():
    """Of each kind, on each CPU in turn; one that lasts until after what follows; all kinds in one text; many a CPU."""
    machine = Machine()
    for number, what in enumerate(LOST):
        machine.work(20)
        until = machine.log.now + 50000 * (number % 2)
        machine.log.event(0x4010, number % 4, 0x80000001, 0x80,
                          "lost %d %s: staging full, until %d.%09d s" % (number * 100 + 1, what, until // SECOND, until % SECOND))
    kinds = ", ".join("%d %s" % (number + 1, what) for number, what in enumerate(LOST[:10]))
    for count in range(300):
        machine.log.event(0x4010, 1, 0x80000001, 0x80, "lost %s: staging full, until 5.000000000 s" % kinds)
    machine.work(100)
    return machine


def overtaken():
    """The reader misses entries twice; after that processes are gone, are others, and CPUs have others."""
    machine = Machine()
    for turn in range(2):
        machine.log.event(0x6010, LOG, 0x80000002, 0x80, "missed %d entries, 12345 bytes" % (5 + turn))
        machine.log.now += SECOND
        machine.pids = [20, 40 + turn]
        machine.name = lambda pid, turn=turn: "other-%d-%d" % (turn, pid)
        machine.group(lambda cpu, turn=turn: (machine.pids + [IDLE, 0])[(cpu + turn) % 4])
        machine.work(200)
    return machine


def classes():
    """Assignments alone go off and come back, then all classes do, and what happens meanwhile is unknown."""
    machine = Machine()
    for off, of in ((0x1E, "assign"), (0x01, "irq, user, io, api"), (0x00, "all"), (0x1E, "assign")):
        machine.log.event(0x4010, 0, 0x80000003, 0x40, "class mask 0x1f -> 0x%x: %s off" % (off, of))
        machine.log.now += SECOND
        machine.log.event(0x4010, 0, 0x80000003, 0x40, "class mask 0x%x -> 0x1f: %s on" % (off, of))
        machine.work(50)
    return machine


def recycled(apart=1):
    """IDs of processes, devices and CPUs come again: soon, without an end, under other names."""
    machine = Machine()
    log = machine.log
    for turn in range(50):
        log.now += apart
        machine.begin(77, "again-%d" % turn)
        log.put(0x4002, turn % 4, u32(77))
        machine.work(5)
        log.now += apart
        if turn % 3:
            machine.idle()
            machine.end(77, turn)
        log.put(0x6000, 0xC0000005, u32(0) + b"device-%d" % (turn // 2))
        log.put(0x6011, 0xC0000005, u32(turn))
        if turn % 4:
            log.put(0x6001, 0xC0000005, u32(0))
        log.put(0x4002, 3, u32(IDLE))
        log.put(0x4001, 3)
        log.put(0x4000, 3, u32(1))
    machine.work(50)
    return machine


def at_once():
    """Likewise, all at the same time."""
    return recycled(0)


def cpus():
    machine = Machine(cpus=300)
    machine.work(3000)
    for cpu in range(299, 250, -1):
        machine.log.put(0x4002, cpu, u32(IDLE))
        machine.log.put(0x4001, cpu)
    machine.cpus = 251
    machine.work(500)
    return machine


def processes():
    """100,000 live at a time, of which some run, and some end."""
    machine = Machine(pids=range(5, 300005, 3))
    machine.work(3000)
    machine.idle()
    for pid in machine.pids[:1000]:
        machine.end(pid)
    return machine


def names():
    """Names and texts with every control character, with what formats have for quotes and separators, empty and long ones."""
    hostile = ["".join(map(chr, range(1, 32))) + "\x7f"] + [chr(c) for c in range(1, 48)] + \
        ["\"'\\;,|<>&%{}[]=$", "\u00e4\u202e\U0001F600\ufeff\u0085\u2028", "</script><!--", "-1", " ", "x" * 30000, "\u00e4" * 300]
    machine = Machine(pids=range(100, 100 + len(hostile)), name=lambda pid: hostile[pid - 100])
    log = machine.log
    for number, text in enumerate(hostile):
        log.put(0x6000, 0xC0000100 + number, u32(0) + text.encode())
        log.put(0x6011, 0xC0000100 + number, u32(number))
        for kind, source in (0x0010, 100 + number), (0x2010, 0), (0x4010, 1), (0x6010, DISK):
            log.event(kind, source, 0x80001000 + number, number * 4, text)
        machine.begin(100 + number, text[:20000] + "renamed")
        log.now += 10
    machine.work(200)
    return machine


def gaps():
    """Of minutes, of what 32 bits of nanoseconds and of microseconds have, of a day; and one entry in each of many seconds."""
    machine = Machine()
    for gap in (2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 120 * SECOND, 600 * SECOND, 2 ** 32 * 1000 + 1, 86400 * SECOND):
        machine.log.now += gap
        machine.work(20)
    machine.work(100, step=3 * SECOND)
    return machine


def calls():
    """Lists of no call, of one, of 15 and 16, of 256, and of as many as an entry has room for."""
    machine = Machine()
    for count in (0, 1, 15, 16, 255, 256, 257, 16000):
        machine.log.put(0x0011, 10, u32(*(0x80000000 + n * 3 for n in range(count))))
        machine.log.put(0x0011, 0, u32(*range(count)))
        machine.work(10)
    return machine


for make in plain, losses, overtaken, classes, recycled, at_once, cpus, processes, names, gaps, calls:
    with open(os.path.join(sys.argv[1], make.__name__), "wb") as file:
        file.write(make().log.bytes())
