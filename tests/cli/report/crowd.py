#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Write a log of many living processes to standard output as fast as it happens: two CPUs pass between them.

usage: crowd.py PROCESSES ENTRIES SECONDS

ENTRIES is how many there are in a second. The last line on standard error says how many entries were due and not yet
written at the worst moment: a reader that falls behind makes that grow, since a pipe holds less than 3000 of them.
"""

import random
import struct
import sys
import time

BEGIN = 1_000_000_000
CHUNKS = 100  # in a second


def entry(kind, source, at, body):
    """One entry of the log, its text in UTF-8 filled up to four bytes."""
    return struct.pack("<HHIQI", 20 + len(body), kind, source, at, 1) + body


def group(processes):
    """What there is when the log begins."""
    yield entry(0xA000, 0, 5, struct.pack("<HHII", 100, 300, 1000, 700))
    for cpu in range(2):
        yield entry(0xC000, cpu, 5, struct.pack("<I", 0))
    yield entry(0x8000, 0, 0, b"kernel\0\0")
    for process in range(1, processes + 1):
        name = f"worker {process}".encode()
        yield entry(0x8000, process, process, name + bytes(-len(name) % 4))
    for cpu in range(2):
        yield entry(0xC002, cpu, 6, struct.pack("<I", 0))


def chunks(processes, entries, seconds):
    """The entries of each hundredth of a second."""
    assign, chance, number = struct.Struct("<HHIQII").pack, random.Random(1), 0
    for chunk in range(seconds * CHUNKS):
        until = entries * (chunk + 1) // CHUNKS
        yield b"".join(
            assign(24, 0x4002, at & 1, BEGIN + at * 1_000_000_000 // entries, 1, chance.randrange(processes) + 1)
            for at in range(number, until)
        )
        number = until


def main():
    """Write a chunk when it is due."""
    processes, entries, seconds = map(int, sys.argv[1:])
    parts = list(chunks(processes, entries, seconds))
    sys.stdout.buffer.write(b"".join(group(processes)))
    sys.stdout.buffer.flush()
    begin, worst = time.monotonic(), 0
    for chunk, part in enumerate(parts):
        late = time.monotonic() - begin - chunk / CHUNKS
        if late < 0:
            time.sleep(-late)
        sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()
        late = time.monotonic() - begin - (chunk + 1) / CHUNKS
        worst = max(worst, int(late * entries))
    print(f"late by {worst} entries at most", file=sys.stderr)


if __name__ == "__main__":
    main()
