#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast bcoslog convert writes a log as a CTF trace, and reads it back and traces of LTTng, beside babeltrace2.

usage: tests/bench/ctf.py [TURNS]

The log has TURNS (2,000,000) assignments on 4 CPUs, in the page cache. The figures are entries and megabytes of log for each
second of processor time, of the user and of the kernel, the best of three. These assignments are also a trace as LTTng writes
them, byte by byte: compact headers, names in arrays. babeltrace2 reads both traces, and writes as a trace what it reads.
The tool is $BCOSLOG, else $BUILD/bcoslog, else build/bcoslog. Without CTF in it, or without babeltrace2, there is no row."""
import json
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "convert", folder) for folder in ("format", "readers")]
import ctf_lttng  # noqa: E402

TOOL = os.environ.get("BCOSLOG") or os.path.join(os.environ.get("BUILD", "build"), "bcoslog")


def entry(kind, source, time, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<HHIQI", 20 + len(body), kind, source, time, 1) + body


def assignments(turns):
    """(time, CPU, process) of each."""
    random.seed(2)
    time = 10 ** 10
    for n in range(turns):
        time += random.randrange(2000)
        yield time, n % 4, 100 + random.randrange(200)


def write_lttng(folder, turns):
    os.makedirs(folder)
    ctf_lttng.write_metadata(folder)
    streams = [ctf_lttng.Stream(folder, cpu) for cpu in range(4)]
    names = {100 + process: (b"process%d" % process).ljust(16, b"\0") for process in range(200)}
    names[0] = b"swapper".ljust(16, b"\0")
    runs, time = [0] * 4, 0
    number = ctf_lttng.NUMBERS["sched_switch"]
    for time, cpu, process in assignments(turns):
        before, runs[cpu] = runs[cpu], process
        streams[cpu].put(time, number, names[before] + struct.pack("<iiq", before, 20, 1) + names[process] + struct.pack("<ii", process, 20))
    for stream in streams:
        stream.flush(time)
        stream.file.close()


def write_log(path, turns):
    with open(path, "wb") as log:
        log.write(entry(0xA000, 0, 5, struct.pack("<I4I", 0, 1, 1, 1, 1)))
        for cpu in range(4):
            log.write(entry(0xC000, cpu, 6, bytes(4)))
        log.write(entry(0x8000, 0, 0, b"kernel"))
        for process in range(200):
            log.write(entry(0x8000, 100 + process, 1000, b"process%d" % process))
        for time, cpu, process in assignments(turns):
            log.write(entry(0x4002, cpu, time, struct.pack("<I", process)))
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
        log, trace, other, lttng = (os.path.join(folder, name) for name in ("log", "trace", "other", "lttng"))
        size = write_log(log, turns)
        write_lttng(lttng, turns)
        took = {
            "convert_ctf": seconds(trace, TOOL, "convert", "-t", "ctf", log, "-o", trace),
            "ctf_back": seconds(other, TOOL, "convert", "-f", "ctf", trace, "-o", "/dev/null"),
            "babeltrace_reads": seconds(other, "babeltrace2", trace, "-o", "dummy"),
            "babeltrace_copies": seconds(other, "babeltrace2", trace, "-o", "ctf", "-w", other),
            "ctf_lttng": seconds(other, TOOL, "convert", "-f", "ctf", lttng, "-o", "/dev/null"),
            "babeltrace_reads_lttng": seconds(other, "babeltrace2", lttng, "-o", "dummy"),
            "babeltrace_copies_lttng": seconds(other, "babeltrace2", lttng, "-o", "ctf", "-w", other),
        }
        row = {}
        for name, best in took.items():
            row[name] = round(turns / best)
            row[name + "_mb"] = round(size / best / 1e6)
        print(json.dumps(row))


main()
