#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How fast bcoslog convert writes a log in each format, and makes logs of recordings, on one core.

usage: tests/bench/convert.py [LOG | TURNS]

The log has TURNS (3,000,000) assignments and a third as many events with a text, unless it is given. The figures are
megabytes of log for each second of processor time, of the user and of the kernel, the best of $ROUNDS (5), and the ratio to
that of "bcoslog check", which takes its turns between them: on a machine that does other things meanwhile, the ratio holds
sooner than the figure. The row "zlib" is of zlib alone, which compresses the files of the LTT trace as those of ltt-tar are
compressed. Output goes to /dev/null, but for a directory, and input comes from files. The tool
is $BCOSLOG, else $BUILD/bcoslog, else build/bcoslog."""
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

TOOL = os.environ.get("BCOSLOG") or os.path.join(os.environ.get("BUILD", "build"), "bcoslog")


def entry(kind, source, when, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<HHIQI", 20 + len(body), kind, source, when, 1) + body


def write_log(path, turns):
    text = struct.pack("<IB", 7, 0x40) + b"a text of some length, as programs write it"
    with open(path, "wb") as log:
        log.write(entry(0xA000, 0, 10, bytes(8)) + entry(0xC000, 0, 10, bytes(4)) + entry(0x8000, 0, 0, b"kernel") +
                  entry(0x8000, 5, 10, b"sh"))
        for i in range(0, turns, 3):
            now = 1000 + 100 * i
            log.write(b"".join(entry(0x4002, 0, now + j, struct.pack("<I", 5 * (j & 1))) for j in range(3)) +
                      entry(0x10, 5, now + 5, text))
    return os.path.getsize(path)


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def seconds(arguments, fresh=None):
    """Returns the processor time of the tool. Before it, @fresh is removed."""
    if fresh:
        remove(fresh)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([TOOL, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compression(folder):
    """Returns the processor time that zlib takes to compress all files of a folder, by its default level, as the archive has it."""
    took = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                data = file.read()
            before = time.process_time()
            zlib.compress(data)
            took += time.process_time() - before
    return took


def exporters():
    """The names of all formats, and whether each is a directory."""
    text = subprocess.run([TOOL, "convert", "--help"], capture_output=True, text=True, check=True).stdout
    lines = text.split("\nTo:\n")[1].split("\n\n")[0].splitlines()
    return [(line.split()[0], line.endswith("directory")) for line in lines], text


def main():
    given = sys.argv[1] if len(sys.argv) > 1 else "3000000"
    formats, help_text = exporters()
    with tempfile.TemporaryDirectory() as folder:
        log, data = os.path.join(folder, "log"), os.path.join(folder, "data")
        if os.path.exists(given):
            log, size = given, os.path.getsize(given)
        else:
            size = write_log(log, int(given))
        runs = {"check": (["check", log], None)}
        for name, directory in formats:
            # bcoslog convert replaces a directory only if it is empty.
            runs["convert to " + name] = (["convert", "-t", name, log, "-o", data if directory else "/dev/null"], data)
        for name, importer in (("ltt", "ltt"), ("fxt", "fxt"), ("kel", "kel"), ("eventheader", "perf")):
            if "\n  %s " % importer not in help_text:
                continue
            made = os.path.join(folder, name)
            subprocess.run([TOOL, "convert", "-t", name, log, "-o", made], check=True)
            runs["convert from " + name] = (["convert", "-f", importer, made, "-o", "/dev/null"], None)
        best = {}
        for _ in range(int(os.environ.get("ROUNDS", "5"))):
            for name, (arguments, fresh) in runs.items():
                best[name] = min(best.get(name, 1e9), seconds(arguments, fresh))
            if "convert to ltt-tar" in best:
                best["zlib"] = min(best.get("zlib", 1e9), compression(os.path.join(folder, "ltt")))
        yardstick = best.pop("check")
        for name, took in best.items():
            print(json.dumps({"variant": name, "log_mb": round(size / 1e6, 1), "mb_per_s": round(size / 1e6 / took, 1),
                              "of_check": round(yardstick / took, 3)}, separators=(",", ":")), flush=True)


main()
