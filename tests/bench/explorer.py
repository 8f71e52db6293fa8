#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""How long the page of bcoslog explore takes to open a large log, and to draw it, in a Chromium without a screen or GPU.

usage: tests/bench/explorer.py [ENTRIES [CPUS]]

The log has ENTRIES (5,000,000) turns of 200 processes. The page draws it at each of many magnifications, and moves it by a
little each time. A frame's time is what the page's thread computes for it, from the new window until the browser has the
picture, whatever else the machine does; the median, the 99th percentile and the longest are told, in milliseconds: at 60
frames a second there are 16.7. The tool is $BCOSLOG, else $BUILD/bcoslog, else build/bcoslog."""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli", "explore"))
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position

TOOL = os.environ.get("BCOSLOG") or os.path.join(os.environ.get("BUILD", "build"), "bcoslog")
IDLE = 0xFFFFFFFF

MAGNIFICATIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096, 65536]
FRAMES = 12     # at one magnification

# The page counts the curves above the rows only while the reader rests. A measurement has no rest, so they are counted
# at once.
NO_REST = "explorer.tracks.later = () => explorer.tracks.follow(), 1"

FRAME = """(async () => {
    const { viewport } = explorer;
    viewport.show(viewport.log.span * (0.3 + 0.01 * %d / %d), viewport.log.span / %d);
    await new Promise(requestAnimationFrame);
})()"""


def entry(kind, source, at, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<HHIQI", 20 + len(body), kind, source, at, 0) + body


def write(path, entries, cpus):
    number, turn, chance = struct.Struct("<I").pack, struct.Struct("<HHIQII").pack, random.Random(1)
    parts = [entry(0xA000, cpu, 10, struct.pack("<HHI", 1000, 500, 2000000)) for cpu in range(cpus)]
    parts += [entry(0xC000, cpu, 10, number(cpu)) for cpu in range(cpus)]
    parts += [entry(0x8000, process, process, b"kernel" if not process else f"process{process}".encode()) for process in range(201)]
    parts += [entry(0xC002, cpu, 300, number(IDLE)) for cpu in range(cpus)]
    # These turns are repeated, since choosing each one would take longer than all the rest.
    turns = [(chance.randrange(cpus), chance.choice((IDLE, 0, *range(1, 9))), chance.randint(100, 20000)) for _ in range(65536)]
    at = 1000000000
    with open(path, "wb") as file:
        file.write(b"".join(parts))
        for first in range(0, entries, len(turns)):
            rows = []
            for cpu, process, later in turns[:entries - first]:
                at += later
                rows.append(turn(24, 0x4002, cpu, at, 0, process if process in (0, IDLE) else 1 + (process + at // 3000000000) % 200))
            file.write(b"".join(rows))


def open_log(browser, folder, log):
    """The page has opened the log as a reader would, and counted it. Returns seconds until it was drawn."""
    page = os.path.join(folder, "page.html")
    subprocess.run([TOOL, "explore", "--empty", "-o", page], check=True)
    browser.open(page)
    node = browser.call("DOM.querySelector", nodeId=browser.call("DOM.getDocument")["root"]["nodeId"], selector="#file")["nodeId"]
    begin = time.monotonic()
    browser.call("DOM.setFileInputFiles", nodeId=node, files=[log])
    browser.until("document.documentElement.dataset.drawn", 600)
    opened = time.monotonic() - begin
    browser.until("document.documentElement.dataset.counted && document.documentElement.dataset.tracks", 600)
    return opened


def computed(browser):
    """Seconds that the page's thread has computed."""
    metrics = browser.call("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "ThreadTime")


def frames(browser):
    """For each magnification the milliseconds of each frame."""
    browser.call("Performance.enable", timeDomain="threadTicks")
    browser.run(NO_REST)
    times = {}
    for nearer in MAGNIFICATIONS:
        times[nearer] = []
        for frame in range(FRAMES):
            begin = computed(browser)
            browser.run(FRAME % (frame, nearer, nearer))
            times[nearer].append((computed(browser) - begin) * 1000)
    return times


def main():
    entries, cpus = (int(text) for text in (sys.argv[1:] + ["5000000", "4"][len(sys.argv) - 1:]))
    with tempfile.TemporaryDirectory() as folder, Browser(1600, 1000) as browser:
        log = os.path.join(folder, "large.log")
        write(log, entries, cpus)
        opened = open_log(browser, folder, log)
        times = sorted(time for some in frames(browser).values() for time in some)
        memory = browser.run("explorer.engine.calls.memory.buffer.byteLength") >> 20
        print(json.dumps({
            "entries": entries, "cpus": cpus, "open_s": round(opened, 2), "memory_mib": memory, "frame_ms": round(times[len(times) // 2], 1),
            "frame_99_ms": round(times[len(times) * 99 // 100], 1), "frame_longest_ms": round(times[-1], 1),
        }, separators=(",", ":")))


if __name__ == "__main__":
    main()
