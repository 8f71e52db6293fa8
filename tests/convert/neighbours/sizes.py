# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: sizes.py BCOSLOG FOLDER - prints a table of the sizes of the recordings of one load, which neighbours/record has put
into FOLDER, and fails if "bcoslog record" does not take the least space.

Each recording is measured as it is on the disk, without compression, and compressed by gzip and by "zstd -3". Of trace.dat,
which trace-cmd compresses itself, the pages are also measured alone, since its header of a megabyte does not grow with the load.
All sizes are divided by the number of switches of the load, since the recorders do not have the same entries for other events.
"""
import glob
import gzip
import os
import re
import subprocess
import sys
import tempfile

import bcos_log

# The most bytes that an entry may take on the disk.
LIMIT = 6
# The recorders may differ in their number of switches by this part, since they do not begin and end at the same time.
APART = 0.1


def run(*command, data=None):
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def read(*paths):
    parts = []
    for path in paths:
        with open(path, "rb") as file:
            parts.append(file.read())
    return b"".join(parts)


def counts(*command):
    """(events, switches) in the text that COMMAND prints, which has one event on each line."""
    names = re.findall(rb"^.*?\b([a-z]+(?:_[a-z]+)+): ", run(*command), re.M)
    return len(names), names.count(b"sched_switch")


def plain_trace(path):
    """trace.dat without compression, and its pages."""
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "trace.dat")
        run("trace-cmd", "convert", "--compression", "none", "-i", path, "-o", plain)
        data = read(plain)
        listed = run("trace-cmd", "dump", "--flyrecord", "-i", plain).decode()
    parts = re.findall(r"^\s+\d+ (\d+)\s+(\d+)\s+\[id", listed, re.M)
    return data, b"".join(data[int(offset):int(offset) + int(size)] for offset, size in parts)


def trace_pages(path):
    """The size of the pages of trace.dat on the disk."""
    listed = run("trace-cmd", "dump", "--flyrecord", "-i", path).decode()
    return sum(map(int, re.findall(r"^\s+\d+ \d+\s+(\d+)\s+\[id", listed, re.M)))


def recordings(bcoslog, folder):
    """(name, entries or events, switches, bytes on the disk, data without compression) of each recording."""
    record, lttng, trace, perf = (os.path.join(folder, name) for name in ("record", "lttng", "trace.dat", "perf.data"))
    files = sorted(glob.glob(record + "/*.zst"))
    log = run(bcoslog, "cat", record)
    kinds = [kind for kind, *_ in bcos_log.entries(log)]
    yield "bcoslog record", len(kinds), kinds.count(0x4002), sum(map(os.path.getsize, files)), log
    found = counts("trace-cmd", "report", "-i", trace)
    plain, pages = plain_trace(trace)
    yield "trace-cmd: trace.dat", *found, os.path.getsize(trace), plain
    yield "its pages alone", *found, trace_pages(trace), pages
    data = read(*sorted(path for path in glob.glob(lttng + "/**", recursive=True) if os.path.isfile(path)))
    yield "LTTng: CTF", *counts("babeltrace2", lttng), len(data), data
    data = read(perf)
    yield "perf.data", *counts("perf", "script", "-F", "event,trace", "-i", perf), len(data), data


def main():
    bcoslog, folder = sys.argv[1:]
    wrong = []
    found = list(recordings(bcoslog, folder))
    switches = found[1][2]
    least = None
    print("| | entries or events | on the disk | without compression | gzip | zstd -3 | on the disk, an entry or event |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, events, own, disk, data in found:
        sizes = disk, len(data), len(gzip.compress(data, 6)), len(run("zstd", "-q", "-3", "-c", data=data))
        print("| %s | %d | %s | %.1f |" % (name, events, " | ".join("%.1f" % (size / switches) for size in sizes), disk / events))
        if least is None:
            least = disk
            if disk / events > LIMIT:
                wrong.append("bcoslog record takes %.1f bytes an entry" % (disk / events))
            continue
        if abs(own - switches) > APART * switches:
            wrong.append("%s: %d switches of %d" % (name, own, switches))
        if min(sizes) <= least:
            wrong.append("%s takes %d bytes, and bcoslog record %d" % (name, min(sizes), least))
    print("\n%d switches" % switches)
    if wrong:
        sys.exit("\n".join(wrong))


main()
