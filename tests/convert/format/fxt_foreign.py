# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: fxt_foreign.py BCOSLOG FOLDER - traces as other programs write them, in both byte orders, and what becomes of them."""
import os
import struct
import subprocess
import sys
import time

bcoslog, folder = sys.argv[1:]


class Trace:
    def __init__(self, order):
        self.order, self.data = order, b""
        self.words(0x0016547846040010)

    def words(self, *words):
        self.data += struct.pack(self.order + "%dQ" % len(words), *(word & 2 ** 64 - 1 for word in words))

    def text(self, text):
        self.data += text + b"\0" * (-len(text) % 8)

    def provider(self, number, name=b""):
        self.words(1 << 16 | number << 20 | len(name) << 52 | (1 + (len(name) + 7) // 8) << 4)
        self.text(name)

    def section(self, number):
        self.words(1 << 4 | 2 << 16 | number << 20)

    def string(self, index, text):
        self.words(2 | (1 + (len(text) + 7) // 8) << 4 | index << 16 | len(text) << 32)
        self.text(text)

    def event(self, kind, time, thread, category, name, arguments=(), extra=()):
        body, count = [time], 0
        for words in arguments:
            body += words
            count += 1
        body += extra
        self.words(4 | (1 + len(body)) << 4 | kind << 16 | count << 20 | thread << 24 | category << 32 | name << 48, *body)

    def switch(self, cpu, time, thread, weight):
        self.words(8 | 7 << 4 | 1 << 16 | cpu << 20 | 3 << 36 | 1 << 60, time, 1, thread, 1 | 3 << 4 | 0x800F << 16 | weight << 32)
        self.text(b"incoming_weight")


def made(order):
    t = Trace(order)
    t.provider(1, b"one")
    t.words(1 | 2 << 4, 10 ** 9)
    t.string(1, b"cat")
    t.string(2, b"late name")
    t.string(0, b"never")
    t.words(3 | 3 << 4 | 1 << 16, 1000, 1001)
    t.words(3 | 3 << 4 | 2 << 16, 0x123456789ABC, 2001)
    # Events are not in order, and a string changes between them.
    t.event(0, 5000, 1, 1, 2)
    t.first = len(t.data)
    t.event(0, 3000, 1, 1, 2, [[1 | 1 << 4 | 1 << 16 | (2 ** 32 - 5) << 32], [2 | 1 << 4 | 2 << 16 | 7 << 32],
                               [4 | 2 << 4 | 1 << 16, 2 ** 40], [9 | 1 << 4 | 1 << 16 | 1 << 32], [0 | 1 << 4 | 1 << 16],
                               [12 | 3 << 4 | 1 << 16, 1, 2]])
    t.string(2, b"other")
    t.event(3, 6000, 2, 1, 2)
    t.event(5, 6100, 2, 1, 2, extra=[0xABCDEF0123456789])
    t.event(4, 6200, 1, 1, 9, extra=[6300])
    # Process 1000 gets its name after its use; a thread has no object; in the current layout, only the thread is given.
    t.words(7 | 3 << 4 | 1 << 16 | (0x8000 | 4) << 24, 1000)
    t.text(b"proc")
    t.words(8 | 2 << 4 | 3 << 16 | 2 << 28 | 1 << 36 | 5 << 52, 4000)
    t.words(8 | 4 << 4 | 4 << 16 | 1 << 28 | 9 << 52, 4100, 0, 7777)
    t.words(8 | 6 << 4 | 2 << 16 | 5 << 20 | 1 << 60, 4200, 1, 1001, 1 | 1 << 4 | 1 << 16, 1 | 1 << 4 | (0x8000 | 4) << 16)
    # This record is one word too short for the name of its second argument, so it contradicts itself.
    t.words(8 | 4 << 4 | 3 << 16 | 1 << 28, 4300, 0, 0)
    # The types of these records, events, metadata, large records and blobs are unknown.
    t.words(11 | 3 << 4, 1, 2)
    t.event(12, 6250, 1, 1, 2)
    t.words(1 << 4 | 9 << 16)
    t.words(15 | 4 << 4 | 7 << 36, 0, 0, 0)
    t.words(15 | 4 << 4 | 9 << 40, 0, 0, 0)
    # A thread of index 0 changes nothing; an event has no category; the thread of another one is inline.
    t.words(3 | 3 << 4, 4444, 4445)
    t.event(0, 6300, 1, 0, 2)
    t.event(0, 6310, 0, 1, 2, extra=[1000, 1001])
    # An argument has its name and value inline, in this order; another one is a real number.
    t.words(4 | 8 << 4 | 2 << 20 | 1 << 24 | 1 << 32 | 2 << 48, 6400, 6 | 4 << 4 | 0x8003 << 16 | 0x8009 << 32)
    t.text(b"key")
    t.text(b"the value")
    t.words(5 | 2 << 4 | 1 << 16, 0x3FE0000000000000)
    # These are a log record, objects of a program, one of them with an inline process of one word, and a blob.
    t.words(9 | 3 << 4 | 7 << 16 | 1 << 32, 6500)
    t.text(b"message")
    t.words(6 | 4 << 4 | 2 << 24 | 1 << 40, 0xDEAD, 1000, 2 | 1 << 4 | 1 << 16 | 3 << 32)
    t.words(6 | 2 << 4 | 1 << 16 | 2 << 24, 0xBEEF)
    t.words(5 | 2 << 4 | 2 << 16 | 5 << 32 | 1 << 48)
    t.text(b"bytes")
    # These are large blobs: one has category and name, and then the time; one has no metadata, and is the longest
    # record.
    t.words(15 | 8 << 4, 0x8003 | 0x8004 << 16 | 1 << 32 | 1 << 36)
    t.text(b"big")
    t.text(b"blob")
    t.words(6600, 2 | 1 << 4 | 1 << 16 | 9 << 32, 3)
    t.text(b"abc")
    t.large = len(t.data)
    t.words(15 | 5003 << 4 | 1 << 40, 1 | 2 << 16, 40000, *[0] * 5000)
    # This blob has fewer bytes than it says.
    t.words(15 | 4 << 4 | 1 << 40, 1 | 2 << 16, 9, 0)
    # In the current layout, a thread whose object names its process is on two CPUs at a time.
    t.words(7 | 5 << 4 | 2 << 16 | 2 << 24 | 1 << 40, 1001, 8 | 3 << 4 | 0x8007 << 16)
    t.text(b"process")
    t.words(1000)
    t.switch(300, 7000, 1001, 5)
    t.switch(301, 7100, 1001, 5)
    t.switch(300, 7200, 9, 0x80000000)
    # This says that a buffer filled up.
    t.words(1 << 4 | 3 << 16 | 1 << 20)
    # Another provider has its own strings and threads, and ticks that change.
    t.provider(2, b"two")
    t.words(1 | 2 << 4, 3)
    t.string(1, b"two")
    t.event(0, 2 ** 40, 0, 1, 1, extra=[])
    return t


def run(*arguments):
    return subprocess.run([bcoslog, *arguments], capture_output=True, text=True)


def expect(condition, *what):
    if not condition:
        print(*what)
        sys.exit(1)


for order in "<", ">":
    path, log = os.path.join(folder, "foreign.fxt"), os.path.join(folder, "foreign.log")
    trace = made(order)
    # The thread of the last event is inline, so its record lacks two words.
    with open(path, "wb") as file:
        file.write(trace.data)
    done = run("convert", path, "-o", log)
    expect(done.returncode == 1 and "3 records that contradict themselves" in done.stderr, done)
    check = run("check", log)
    expect(check.returncode == 0, check.stdout)
    lines = run("dump", "--no-history", log).stdout.splitlines()
    dumped = [" ".join(line.split()) for line in lines]
    expected = [
        '0.000003000 Generic Process process 1000 "proc": info 0x40, event 0x00000000, '
        '"cat: late name cat=-5 late name=7 cat=1099511627776 cat=true cat cat"',
        '0.000004000 Assign CPU CPU 3 -> process 1000 "proc"',
        '0.000004100 Assign CPU CPU 4 -> process 7777 "?"',
        '0.000004300 Assign CPU CPU 3 -> idle',
        '0.000005000 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "cat: late name"',
        '0.000006000 Generic Process process 2147483648 "?": info 0x40, event 0x00000000, "cat: other ends"',
        '0.000006100 Generic Process process 2147483648 "?": info 0x40, event 0x23456789, "cat: other async begins 12379813738877118345"',
        '0.000006200 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "cat: (unknown string) lasts 100 ns"',
        '0.000006300 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "other"',
        '0.000006310 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "cat: other"',
        '0.000006400 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "cat: other key=\\"the value\\" cat=0.5"',
        '0.000006500 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "message"',
        '0.000006500 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "object: other cat=3 pointer=0xdead"',
        '0.000006500 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "object: other pointer=0xbeef"',
        '0.000006500 Generic Process process 4294967293 "unknown": info 0x40, event 0x00000000, "blob: other bytes=5"',
        '0.000006600 Generic Process process 1000 "proc": info 0x40, event 0x00000000, "big: blob cat=9 bytes=3"',
        '0.000006600 Generic Process process 4294967293 "unknown": info 0x40, event 0x00000000, "cat: other bytes=40000"',
        '0.000007000 Assign CPU CPU 300 -> process 1000 "proc"',
        '0.000007100 Assign CPU CPU 301 -> process 1000 "proc"',
        '0.000007200 Assign CPU CPU 300 -> idle',
    ]
    found = [line for line in dumped if "lost" not in line]
    left = [line.split(": ", 2)[2] for line in done.stderr.splitlines() if "left out:" in line]
    expect(left == [
        "4 events of kind priority of a thread are left out: a log has the priorities of Linux",
        "3 events of kind state of a thread that leaves its CPU are left out: without wake-ups it would look as if the thread "
        "never could run again",
        "2 events of kind large record are left out: its type is unknown, or it is too long to find its end",
        "1 event of kind event of an unknown type is left out: nothing describes it",
        "1 event of kind metadata of an unknown type is left out: nothing describes it",
        "1 event of kind name of a thread is left out: an import names processes alone",
        "1 event of kind record of an unknown type is left out: nothing describes it"], left)
    expect(found == expected, "order", order, "\n" + "\n".join(found), "\nin the place of\n" + "\n".join(expected))
    # The trace does not say when a buffer filled up, nor of which CPU: it was at some time from the first record to the last.
    lost = "error 0x80, event 0x80000001 (records lost), \"lost 1 or more events: a buffer of provider one filled up, until 0.000007200 s\" +4200ns"
    expect([line for line in dumped if "lost" in line] ==
           ["0.000003000 Generic CPU CPU %d: %s" % (cpu, lost) for cpu in (3, 4, 300, 301)], dumped)
    # A trace that is cut anywhere gives all records that are whole, and no log if none of them becomes an entry.
    ends = [end for end in range(8, len(trace.data), 24) if not trace.large + 48 < end < trace.large + 40000]
    for end in ends:
        with open(path, "wb") as file:
            file.write(trace.data[:end])
        done = run("convert", path, "-o", log)
        expect(done.returncode in ((0, 1) if end >= trace.first else (2,)), end, done)
        if end < trace.first:
            continue
        expect(run("check", log).returncode == 0, end)

# A tick is a third of a second, and times go beyond 2^64 nanoseconds.
trace = Trace("<")
trace.provider(2, b"two")
trace.words(1 | 2 << 4, 3)
trace.words(3 | 3 << 4 | 1 << 16, 5, 6)
trace.string(1, b"x")
trace.event(0, 2 ** 33 + 1, 1, 1, 1)
trace.words(1 | 2 << 4, 2 ** 63)
trace.event(0, 2 ** 63 + 2 ** 62, 1, 1, 1)
with open(path, "wb") as file:
    file.write(trace.data)
expect(run("convert", path, "-o", log).returncode == 0)
times = [line.split()[0] for line in run("dump", "--no-history", log).stdout.splitlines()]
expect(times == ["1.500000000", "2863311531.000000000"], times)


# Impossible records are between two events: one of no words ends the trace, and one of no ticks is left out. The
# longest string is in the last slot, and then another string is.
def between(*words):
    trace = Trace("<")
    trace.provider(1, b"one")
    trace.words(1 | 2 << 4, 10 ** 9)
    trace.words(3 | 3 << 4 | 1 << 16, 5, 6)
    trace.string(0x7FFF, b"y" * 32000)
    trace.event(0, 1000, 1, 0x7FFF, 0x7FFF)
    trace.words(*words)
    trace.string(0x7FFF, b"z")
    trace.event(0, 2000, 1, 0x7FFF, 0x7FFF)
    with open(path, "wb") as file:
        file.write(trace.data)
    done = run("convert", path, "-o", log)
    return done, [line.split('"')[3] for line in run("dump", "--no-history", log).stdout.splitlines()]


texts = ["y" * 32000 + ": " + "y" * 32000, "z: z"]
done, found = between()
expect(done.returncode == 0 and found == texts, done, found)
done, found = between(4)
expect(done.returncode == 1 and "a record of size 0: the rest is left out" in done.stderr and found == texts[:1], done, found)
done, found = between(1 | 2 << 4, 0)
expect(done.returncode == 1 and "1 records that contradict themselves" in done.stderr and found == texts, done, found)

# Flows with their IDs, as many arguments as a record can have, and wake-ups, which are no switches.
for order in "<", ">":
    trace = Trace(order)
    trace.provider(1, b"one")
    trace.words(1 | 2 << 4, 10 ** 9)
    trace.words(3 | 3 << 4 | 1 << 16, 5, 6)
    trace.string(1, b"cat")
    trace.string(2, b"flow name")
    for kind in 8, 9, 10:
        trace.event(kind, kind * 1000, 1, 1, 2, [[2 | 1 << 4 | 1 << 16 | kind << 32]], [0xA100000001])
    trace.words(8 | 3 << 4 | 7 << 20 | 2 << 60, 10500, 6)
    trace.words(8 | 4 << 4 | 1 << 16 | 7 << 20 | 2 << 60, 10600, 6, 2 | 1 << 4 | 1 << 16 | 9 << 32)
    trace.event(0, 11000, 1, 1, 2, [[2 | 1 << 4 | 1 << 16 | number << 32] for number in range(1, 16)])
    with open(path, "wb") as file:
        file.write(trace.data)
    done = run("convert", path, "-o", log)
    expect(done.returncode == 0 and run("check", log).returncode == 0, done)
    found = [" ".join(line.split()) for line in run("dump", "--no-history", log).stdout.splitlines()]
    start = 'Generic Process process 5 "?": info 0x40, event 0x0000000'
    numbers = " ".join("cat=%d" % number for number in range(1, 16))
    expected = [
        '0.000008000 %s1, "cat: flow name flow begins 691489734657 cat=8"' % start,
        '0.000009000 %s1, "cat: flow name flow 691489734657 cat=9"' % start,
        '0.000010000 %s1, "cat: flow name flow ends 691489734657 cat=10"' % start,
        '0.000010500 Generic Process process 5 "?": debug 0x00, event 0xC0000003 (task state), "thread 6 woken on CPU 7"',
        '0.000010600 Generic Process process 5 "?": debug 0x00, event 0xC0000003 (task state), "thread 6 woken on CPU 7"',
        '0.000011000 %s0, "cat: flow name %s"' % (start, numbers),
    ]
    expect(found == expected, order, found)

# From the first wake-up on the log has the states of threads, in both layouts of switches. A thread index that no record
# defines, a provider that no record names, and process 0 are an unknown process. Other kernel objects become events.
for order in "<", ">":
    trace = Trace(order)
    trace.provider(1, b"one")
    trace.words(3 | 3 << 4 | 1 << 16, 50, 51)
    trace.words(3 | 3 << 4 | 2 << 16, 60, 2 ** 40)
    trace.string(1, b"name")
    trace.words(8 | 3 << 4 | 3 << 20 | 2 << 60, 1000, 51)
    # Thread 51 gets CPU 2 from thread 2 ** 40, which is dead; then it blocks, then a thread is suspended.
    trace.words(8 | 2 << 4 | 2 << 16 | 5 << 24 | 2 << 28 | 1 << 36 | 7 << 44 | 9 << 52, 2000)
    trace.words(8 | 4 << 4 | 2 << 20 | 3 << 36 | 1 << 60, 3000, 51, 2 ** 40)
    trace.words(8 | 4 << 4 | 2 << 20 | 2 << 36 | 1 << 60, 4000, 2 ** 40, 51)
    # It is preempted by a thread that is not defined.
    trace.words(8 | 2 << 4 | 2 << 16 | 1 << 28 | 77 << 36 | 7 << 44 | 9 << 52, 5000)
    trace.words(8 | 4 << 4 | 3 << 60, 6000, 8, 9)
    trace.words(7 | 2 << 4 | 3 << 16 | 1 << 24, 99)
    trace.words(7 | 5 << 4 | 4 << 16 | 1 << 24 | 1 << 40, 98, 8 | 3 << 4 | 0x8007 << 16)
    trace.text(b"process")
    trace.words(50)
    trace.section(9)
    trace.event(0, 7000, 1, 0, 0)
    with open(path, "wb") as file:
        file.write(trace.data)
    done = run("convert", path, "-o", log)
    expect(done.returncode == 0 and run("check", log).returncode == 0, done)
    found = [" ".join(line.split()) for line in run("dump", "--no-history", log).stdout.splitlines()]
    state = 'debug 0x00, event 0xC0000003 (task state), "thread'
    generic = "info 0x40, event 0x00000000,"
    nobody = 'process 4294967293 "unknown"'
    expect(found == [
        '0.000001000 Generic Process process 50 "?": %s 51 woken on CPU 3"' % state,
        '0.000002000 Generic Process process 60 "?": %s 2147483648 dead"' % state,
        '0.000002000 Generic Process process 50 "?": %s 51 runs on CPU 2"' % state,
        '0.000002000 Assign CPU CPU 2 -> process 50 "?"',
        '0.000003000 Generic Process process 50 "?": %s 51 blocked"' % state,
        '0.000003000 Generic Process process 60 "?": %s 2147483648 runs on CPU 2"' % state,
        '0.000003000 Assign CPU CPU 2 -> process 60 "?"',
        '0.000004000 Generic Process process 60 "?": %s 2147483648 stopped"' % state,
        '0.000004000 Generic Process process 50 "?": %s 51 runs on CPU 2"' % state,
        '0.000004000 Assign CPU CPU 2 -> process 50 "?"',
        '0.000005000 Assign CPU CPU 2 -> %s' % nobody,
        '0.000006000 Generic Process %s: %s "fiber: 8 -> 9"' % (nobody, generic),
        '0.000006000 Generic Process %s: %s "kernel object: name type=3 koid=99"' % (nobody, generic),
        '0.000006000 Generic Process process 50 "?": %s "kernel object: name process=50 type=4 koid=98"' % generic,
        '0.000007000 Generic Process %s: %s' % (nobody, generic.rstrip(",")),
    ], order, "\n" + "\n".join(found))

# Koids that fell into one bucket of a table with a known multiplier cost as much as any others.
def time_of(koids):
    trace = Trace("<")
    trace.provider(1, b"one")
    trace.data += b"".join(struct.pack("<3Q", 3 | 3 << 4 | 1 << 16, 1, koid) for koid in koids)
    with open(path, "wb") as file:
        file.write(trace.data)
    begin = time.monotonic()
    run("convert", path, "-o", log)
    return time.monotonic() - begin


inverse = pow(0x9E3779B97F4A7C15, -1, 2 ** 64)
even = time_of(range(1, 50001))
flood = time_of(n * inverse % 2 ** 64 for n in range(1, 50001))
expect(flood < 12 * even + 0.5, "even koids", even, "flood", flood)
