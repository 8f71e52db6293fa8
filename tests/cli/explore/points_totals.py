# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The totals in the page of bcoslog explore: those of the tool, of any log."""
import json
import os
import re
import subprocess

from pages import ALL, TOOL, becomes, has_text, machine, point, row, same, x_of

# Each report has the array of the page, and the page's keys beside the report's.
USES = ("online_ns", "processes_ns", "kernel_ns", "idle_ns", "unknown_ns", "turns")
REPORTS = {
    "cpu": ("cpus", {"cpu": "cpu", **{key: key for key in USES}}),
    "io": ("devices", {"device": "device", "name": "name", "input": "input_bytes", "output": "output_bytes", "inputs": "inputs",
                       "outputs": "outputs", "interrupts": "interrupts", "faults": "failures", "batched": "batched",
                       "unprompted": "unprompted", "fruitless": "fruitless_interrupts"}),
    "top": ("processes", {"process": "process", "name": "name", "time_ns": "cpu_ns", "turns": "turns"}),
    "power": ("cores", {"core": "core", "online_ns": "online_ns", "power_unknown_ns": "power_unknown_ns",
                        "performance_unknown_ns": "performance_unknown_ns"}),
}


def number(value):
    """A number of JavaScript does not hold more than 104 days, which only damage makes of our logs."""
    return float(value) if isinstance(value, int) else value


def comparable(rows, first, keys, used=None):
    """Rows with these keys, the first of which is an ID; @used: those without any of this are left out."""
    return sorted(str([str(int(str(row[key]), 0)) if key == first else number(row[key]) for key in keys])
                  for row in rows if used is None or row[used])


def page_rows(browser, report):
    array, keys = REPORTS[report]
    rows = browser.run(f"explorer.selected.{array}")
    return comparable(rows, next(iter(keys)), keys, "time_ns" if report == "top" else None)


def seconds(ns):
    return f"{ns // 10**9}.{ns % 10**9:09}"


def tool_rows(report, log, since=None, until=None):
    keys = list(REPORTS[report][1].values())
    window = [] if since is None else ["--since", seconds(since), "--until", seconds(until)]
    lines = subprocess.run([TOOL, report, "--json", *window, log], capture_output=True, text=True, check=False).stdout.splitlines()
    rows = [row for row in map(json.loads, lines) if row[keys[0]] not in ("all", None)]
    return comparable(rows, keys[0], keys, "cpu_ns" if report == "top" else None)


def alike(browser, log, since=None, until=None):
    """Each row of each report is in the page, and no other one."""
    for report in REPORTS:
        same(page_rows(browser, report), tool_rows(report, log, since, until), f"{report} of {os.path.basename(log)} from {since} to {until}")


def selected(browser, since, until):
    """Select a window, ns since boot, and wait for its totals."""
    begin = int(browser.run("explorer.viewport.log.begin"))
    browser.run(f"explorer.viewport.select({since - begin}, {until - begin})")
    browser.until(f"!explorer.side.counting && explorer.totalsOf === '{since - begin}-{until - begin}'")


@point
def totals(browser, logs):
    """the totals of a selection are right, and those of bcoslog cpu, io, top and power"""
    log = machine(browser, logs, f"{ALL}&s=2000000000+8500000000")
    # The columns are online, processes, kernel, idle, unknown; all are by hand from machine.log.
    same({str(cpu["cpu"]): [cpu[key] for key in USES[:5]] for cpu in browser.run("explorer.selected.cpus")},
         {"0": [8500000000, 5500000000, 1000000000, 2000000000, 0], "1": [8500000000, 6000000000, 0, 1500000000, 1000000000]}, "totals")
    alike(browser, log, 2000000000, 10500000000)
    same({p["process"]: p["time_ns"] for p in browser.run("explorer.selected.processes") if p["time_ns"]},
         {0: 1000000000, 100: 3000000000, 200: 2500000000, 300: 6000000000}, "processes")
    shown = browser.run("[...document.querySelectorAll('#side table')][0].innerText")
    assert re.search(r"CPU 0\s+65 %\s+12 %\s+24 %\s+0.0 %", shown), shown
    # Each core takes 2 W for 8.5 s, but 1 s of the second one is unknown: 32 J. It takes 1 W more while it is busy, for
    # 6.5 s and for 6 s. In each busy second it executes 16 billion instructions.
    has_text(browser, "#side", "Selection", "from\t2.000000000 s", "for\t8.50 s", "energy\t≥ 44.5 J", "executed\t≥ 200 billion instructions")


@point
def what_ended(browser, logs):
    """devices and processes that ended are in the totals, of all and of a selection"""
    log = logs.open(browser, "devices.log")
    alike(browser, log)
    has_text(browser, "#side", "All of the log", "eth0\t1.46 KiB\t0 B\t2", "eth1\t0 B\t19.5 KiB\t0", "all\t1.47 KiB\t23.5 KiB\t5")
    selected(browser, 1000002000, 1550000000)
    alike(browser, log, 1000002000, 1550000000)
    # These are the second interrupt of eth0 and its 500 bytes, the bytes that sda writes, and the keyboard; dm-0 is
    # stacked.
    has_text(browser, "#side", "Selection", "eth0\t500 B\t0 B\t1", "sda\t0 B\t4 KiB\t0", "all\t508 B\t4 KiB\t3")


@point
def selects(browser, logs):
    """Shift and drag selects, and is counted"""
    log = machine(browser, logs)
    y = row(browser, "CPU 1")
    browser.drag(x_of(browser, 3), y, x_of(browser, 6), y, shift=True)
    becomes(lambda: browser.run("(selection => explorer.totalsOf === `${selection?.from}-${selection?.to}`)"
                                "(explorer.viewport.selection && { from: Math.round(explorer.viewport.selection.from), "
                                "to: Math.round(explorer.viewport.selection.to) })"), True, "what is counted is what is selected")
    selection = browser.run("[explorer.viewport.selection.from, explorer.viewport.selection.to]")
    since, until = (round(at) + 1000000000 for at in selection)
    assert abs(since - 3e9) < 2e7 and abs(until - 6e9) < 2e7, (since, until)
    alike(browser, log, since, until)
