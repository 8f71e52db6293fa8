# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: hurt_log.py [PROCESSES [ALIVE]] >LOG - a log that hurts whoever converts it.

300 CPUs, PROCESSES (100,000) that come and go, ALIVE (200, or more) that are there all the time, IDs that come again, names
with every control character, gaps of minutes, lists of 256 and of 16,000 calls, texts of 65,000 bytes, losses, an overtaken
reader, classes that go off and on, precisions of seconds.
"""
import random
import struct
import sys

from log_entries import IDLE, Log, u32

random.seed(1)
log = Log(3600 * 10 ** 9)
put, event = log.put, log.event
PROCESSES = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
ALIVE = int(sys.argv[2]) if len(sys.argv) > 2 else 200
CPUS = 300


renamed = {}


def name(pid):
    if pid in renamed:
        return renamed[pid]
    if pid % 7 == 0:
        return "".join(chr(c) for c in range(1, 32)) + "\x7f\"\\;\u202e\U0001F600" + str(pid)
    return "process-%d" % pid


def pid_of(n):
    return 5 + n * 3


def group(alive):
    for core in range(CPUS // 2):
        put(0xA000, core, struct.pack("<HH2I", 100, 300, 1000, 700), 5)
    for cpu in range(CPUS):
        put(0xC000, cpu, u32(cpu // 2), 6)
    put(0x8000, 0, b"kernel", 0, 0xFFFFFFFF)
    for pid in alive:
        put(0x8000, pid, name(pid).encode(), 1000 + pid)
    put(0xE000, 1, u32(0) + b"sda\x01", 7)
    put(0xE000, 0x40000000, u32(alive[0] if alive else 0) + b"eth0", 8)
    put(0xE000, 0xC0000000, u32(0) + b"bcos_evlog", 9)


def assign(cpu, pid, precision=1):
    put(0x4002, cpu, u32(pid), precision=precision)


def work(alive, rounds):
    for n in range(rounds):
        log.now += random.choice((0, 1, 1000, 100000))
        cpu = random.randrange(CPUS)
        # A few processes run nearly always, on many CPUs at a time.
        pid = random.choice(alive[:40] if n % 3 else alive)
        assign(cpu, random.choice((pid, pid, 0, IDLE)))
        if n % 11 == 0:
            put(0x6011, 1, u32(n % 3))
            put(0x6002, 1, u32(random.choice((0, 4096, 0xFFFFFFFF))), precision=random.choice((0, 1, 5)))
            put(0x6003, 0x40000000, u32(1500))


first = [pid_of(n) for n in range(ALIVE)]
group(first)
for cpu in range(CPUS):
    put(0xC002, cpu, u32(first[cpu % 200]), 2000)
event(0x0010, 0, 0xC0000010, 0x40, "wall clock 1700000000.000000001")
for n in range(PROCESSES):
    pid = pid_of(ALIVE + n % max(PROCESSES // 2, 1))
    put(0x0000, pid, name(pid).encode())
    assign(n % CPUS, pid)
    log.now += 1000
    assign(n % CPUS, 0)
    put(0x0001, pid, u32(random.choice((0, 1, 0x80000009, 0xC000000B))))
work(first, 20000)
put(0x0011, first[0], u32(*range(256)))
put(0x0011, first[0], u32(*(0x80000000 + n for n in range(16000))))
put(0x0011, first[0])
event(0x0010, first[1], 0xFFFFFFFF, 0xFF, "x\u00e4" * 21000)
event(0x0010, first[1], 7, 0x10, "")
event(0x6010, 1, 0, 0x80, "".join(chr(c) for c in range(1, 32)))
event(0x2010, 3, 0x80000007, 0x40, "hot")
renamed[first[2]] = "renamed"
put(0x0000, first[2], b"renamed")
log.now += 600 * 10 ** 9
event(0x4010, 5, 0x80000001, 0x80, "lost 3 assignments, 2 interrupts: staging full, until 4200.000000000 s")
event(0x4010, 6, 0x80000001, 0x80, "lost 2 interrupts: staging full, until 4200.000000000 s")
work(first, 2000)
event(0x4010, 0, 0x80000003, 0x40, "class mask 0x1f -> 0x1e: assign off")
log.now += 60 * 10 ** 9
event(0x4010, 0, 0x80000003, 0x40, "class mask 0x1e -> 0x1f: assign on")
work(first, 2000)
assign(299, IDLE)
put(0x4001, 299)
log.now += 10
put(0x4000, 299, u32(149))
work(first, 100)
event(0x6010, 0xC0000000, 0x80000002, 0x80, "missed 5 entries, 12345 bytes")
group(first)
for cpu in range(CPUS):
    put(0xC002, cpu, u32(IDLE), 3000)
work(first, 2000)
for pid in first[-50:]:
    for cpu in range(CPUS):
        assign(cpu, IDLE)
    put(0x0001, pid, u32(0))
sys.stdout.buffer.write(log.bytes())
