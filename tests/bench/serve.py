#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Which part of a CPU the page of bcoslog serve takes, in a Chromium without a screen or GPU, and its server.

usage: tests/bench/serve.py [SECONDS [ENTRIES]]

200 processes take turns on two CPUs, ENTRIES (100,000) times a second, with a group of historical entries each second. When
the page has as much of this log as the server keeps, it is watched for SECONDS (20) in each of three states: it shows all
that it has; also the page of a process; and also a selection that grows with the log. Told are the shares of the time for
which the page's thread computed and for which the server ran, in percent, and the seconds until the page had new entries at
the end. The tool is $BCOSLOG, else $BUILD/bcoslog, else build/bcoslog."""
import json
import os
import re
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "cli", "explore"), os.path.join(HERE, "..", "cli", "report")]
from browser import Browser  # noqa: E402  pylint: disable=wrong-import-position
from crowd import CHUNKS, chunks, group  # noqa: E402  pylint: disable=wrong-import-position
from explorer import TOOL, computed  # noqa: E402  pylint: disable=wrong-import-position

PROCESSES = 200
KEPT = 32 << 20     # what the server keeps, unless it is told otherwise
ALL = "explorer.viewport.fit()"
PROCESS = "explorer.viewport.choose(explorer.viewport.log.processes.find(({ id }) => id === 7).number)"
SELECTION = "explorer.viewport.select(explorer.viewport.log.span / 2, 1e15)"


def write(file, parts, early):
    """The parts before @early at once, the others when they are due."""
    begin = time.monotonic()
    for number, part in enumerate(parts):
        due = begin + (number - early) / CHUNKS
        time.sleep(max(0, due - time.monotonic()))
        try:
            file.write(part)
            file.flush()
        except BrokenPipeError:
            return


def ran(pid):
    """Seconds of processor time of a process."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(browser, server, seconds):
    """Shares of the time: of the page's thread, and of the server."""
    begin, page, own = time.monotonic(), computed(browser), ran(server.pid)
    time.sleep(seconds)
    spent = (time.monotonic() - begin) / 100
    return {"page": round((computed(browser) - page) / spent, 1), "server": round((ran(server.pid) - own) / spent, 1)}


def main():
    seconds, entries = (int(text) for text in (sys.argv[1:] + ["20", "100000"][len(sys.argv) - 1:]))
    early = KEPT // 24 * CHUNKS // entries
    parts = list(chunks(PROCESSES, entries, early // CHUNKS + 3 * seconds + 60))
    for first in range(0, len(parts), CHUNKS):
        parts[first] = b"".join(group(PROCESSES)) + parts[first]
    results = {"entries": entries}
    with subprocess.Popen([TOOL, "serve", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server, Browser() as browser:
        threading.Thread(target=write, args=(server.stdin, parts, early), daemon=True).start()
        browser.call("Page.navigate", url=re.search(r"http://\S+", server.stdout.readline().decode()).group())
        browser.until(f"document.documentElement?.dataset.bytes > {KEPT} && explorer.selected", 60)
        browser.call("Performance.enable", timeDomain="threadTicks")
        for state, action in (("all", ALL), ("process", PROCESS), ("selection", SELECTION)):
            browser.run(f"{action}, 1")
            results[state] = watch(browser, server, seconds)
        begin = time.monotonic()
        shown = int(browser.run("document.documentElement.dataset.bytes"))
        browser.until(f"document.documentElement.dataset.bytes > {shown}")
        results["renewed_after_s"] = round(time.monotonic() - begin, 1)
        server.kill()
    print(json.dumps(results, separators=(",", ":")))


if __name__ == "__main__":
    main()
