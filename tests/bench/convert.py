#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast bcoslog convert writes a log as EventHeader events and as an LTT trace, and makes logs of recordings, on one core.

usage: tests/bench/convert.py [TURNS]

The log has TURNS (3,000,000) assignments and a third as many events with a text. The figures are megabytes of log for each
second of processor time, of the user and of the kernel, the best of three; what is written goes to /dev/null, but for a
directory, and what is read comes from files. The tool is $BCOSLOG, else $BUILD/bcoslog, else build/bcoslog."""
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

TOOL = os.environ.get("BCOSLOG") or os.path.join(os.environ.get("BUILD", "build"), "bcoslog")


def entry(kind, source, time, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<HHIQI", 20 + len(body), kind, source, time, 1) + body


def write_log(path, turns):
    text = struct.pack("<IB", 7, 0x40) + b"a text of some length, as programs write it"
    with open(path, "wb") as log:
        log.write(entry(0xA000, 0, 10, bytes(4)) + entry(0xC000, 0, 10, bytes(4)) + entry(0x8000, 0, 0, b"kernel") +
                  entry(0x8000, 5, 10, b"sh"))
        for i in range(0, turns, 3):
            time = 1000 + 100 * i
            log.write(b"".join(entry(0x4002, 0, time + j, struct.pack("<I", 5 * (j & 1))) for j in range(3)) +
                      entry(0x10, 5, time + 5, text))
    return os.path.getsize(path)


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def seconds(*arguments, fresh=None):
    """Returns the least processor time of three runs; before each, @fresh is removed."""
    best = None
    for _ in range(3):
        if fresh:
            remove(fresh)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([TOOL, "convert", *arguments], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = took if best is None or took < best else best
    return best


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 3000000
    formats = subprocess.run([TOOL, "convert", "--help"], capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        log, data = os.path.join(folder, "log"), os.path.join(folder, "data")
        size = write_log(log, turns)

        def row(direction, name, took):
            print(json.dumps({"variant": "convert " + direction + " " + name, "log_mb": round(size / 1e6, 1),
                              "mb_per_s": round(size / 1e6 / took, 1)}), flush=True)

        row("to", "eventheader", seconds("-t", "eventheader", log, "-o", "/dev/null"))
        # A directory is replaced only if it is empty.
        row("to", "ltt", seconds("-t", "ltt", log, "-o", data, fresh=data))
        for name, importer in (("ltt", "ltt"), ("fxt", "fxt"), ("kel", "kel"), ("eventheader", "perf")):
            remove(data)
            subprocess.run([TOOL, "convert", "-t", name, log, "-o", data], check=True)
            if "  %s " % importer in formats:
                row("from", name, seconds("-f", importer, data, "-o", "/dev/null"))


main()
