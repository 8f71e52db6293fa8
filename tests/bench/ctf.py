#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast bcoslog convert writes a log as a CTF trace, and reads it back, beside babeltrace2 with the same trace.

usage: tests/bench/ctf.py [TURNS]

The log has TURNS (2,000,000) assignments on 4 CPUs, in the page cache. The figures are entries and megabytes of log for each
second of processor time, of the user and of the kernel, the best of three. babeltrace2 reads the trace that was made of the
log, which is laid out as LTTng lays it out, and once more writes what it reads as a trace. The tool is $BCOSLOG, else
$BUILD/bcoslog, else build/bcoslog. Without CTF in it, or without babeltrace2, there is no row."""
import json
import os
import random
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
    random.seed(2)
    with open(path, "wb") as log:
        log.write(entry(0xA000, 0, 5, struct.pack("<I4I", 0, 1, 1, 1, 1)))
        for cpu in range(4):
            log.write(entry(0xC000, cpu, 6, bytes(4)))
        log.write(entry(0x8000, 0, 0, b"kernel"))
        for process in range(200):
            log.write(entry(0x8000, 100 + process, 1000, b"process%d" % process))
        time = 10 ** 10
        for n in range(turns):
            time += random.randrange(2000)
            log.write(entry(0x4002, n % 4, time, struct.pack("<I", 100 + random.randrange(200))))
    return os.path.getsize(path)


def seconds(made, *command):
    """Of processor time."""
    best = None
    for _ in range(3):
        shutil.rmtree(made, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = took if best is None or took < best else best
    return best


def main():
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 2000000
    formats = subprocess.run([TOOL, "convert", "--help"], capture_output=True, text=True, check=True).stdout
    if "  ctf " not in formats or not shutil.which("babeltrace2"):
        return
    with tempfile.TemporaryDirectory() as folder:
        log, trace, other = (os.path.join(folder, name) for name in ("log", "trace", "other"))
        size = write_log(log, turns)
        took = {
            "convert_ctf": seconds(trace, TOOL, "convert", "-t", "ctf", log, "-o", trace),
            "ctf_back": seconds(other, TOOL, "convert", "-f", "ctf", trace, "-o", "/dev/null"),
            "babeltrace_reads": seconds(other, "babeltrace2", trace, "-o", "dummy"),
            "babeltrace_copies": seconds(other, "babeltrace2", trace, "-o", "ctf", "-w", other),
        }
        row = {}
        for name, best in took.items():
            row[name] = round(turns / best)
            row[name + "_mb"] = round(size / best / 1e6)
        print(json.dumps(row))


main()
