# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Entries of a BCOS event log and their totals, from the specification's tables, without the code of the library."""
import collections
import json
import re
import struct
import subprocess
import sys

IDLE = 0xFFFFFFFF
HISTORICAL = 0x8000
LOSS, MASK, MISSED = 0x80000001, 0x80000003, 0x80000002
# After losses of these kinds, it is still known what the CPUs run.
NOT_ASSIGNMENTS = ("births", "executed", "network", "packets", "interrupts", "user events", "kernel messages", "transfers",
                   "kernel calls", "idle states", "task states", "devices", "records: about")


def entries(data):
    """(type, source, time, precision, body) of each entry."""
    at = 0
    while at + 20 <= len(data):
        size, kind, source, time, precision = struct.unpack_from("<HHIQI", data, at)
        yield kind, source, time, precision, data[at + 20:at + size]
        at += size


def text_of(body):
    return body.split(b"\0")[0].decode()


class Totals:
    """All sides of a conversion have to agree on these."""

    def __init__(self):
        self.cpu_time = collections.Counter()       # by process, ns
        self.switches = collections.Counter()       # by CPU
        self.turns = collections.Counter()          # likewise, without those that the log begins with
        self.interrupts = collections.Counter()     # by device
        self.input = collections.Counter()          # by device, bytes
        self.output = collections.Counter()
        self.texts = collections.Counter()          # texts of generic events
        self.calls = 0                              # function numbers
        self.first = self.last = None
        self._runs = {}                             # CPU: (process, since)
        self._stated = {}                           # CPU: the process that a group states

    def state(self, cpu, process, since=None):
        """It holds from the next entry on, or since it is so, unless more is known."""
        if cpu in self._runs or cpu in self._stated:
            return
        self.switches[cpu] += 1
        if since is None:
            self._stated[cpu] = process
        else:
            self.run(cpu, process, max(since, self.last or 0))

    def at(self, time):
        for cpu, process in self._stated.items():
            self.run(cpu, process, time)
        self._stated = {}
        if self.first is None:
            self.first = time
        self.last = time

    def run(self, cpu, process, time):
        """Process None: nobody knows."""
        before, since = self._runs.pop(cpu, (None, 0))
        if before is not None and before != IDLE:
            self.cpu_time[before] += time - max(since, self.first or 0)
        if process is not None:
            self._runs[cpu] = (process, time)

    def forget(self, time):
        self._stated = {}
        for cpu in list(self._runs):
            self.run(cpu, None, time)

    def end(self):
        if self.last is not None:
            self.forget(self.last)
        self.cpu_time = +self.cpu_time
        return self

    def differences(self, other, names):
        for name in names:
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours == theirs:
                continue
            if isinstance(ours, collections.Counter):
                keys = [key for key in set(ours) | set(theirs) if ours[key] != theirs[key]]
                yield "%s: %s" % (name, ", ".join("%r %s/%s" % (key, ours[key], theirs[key]) for key in keys[:5]))
            else:
                yield "%s: %s/%s" % (name, ours, theirs)


def loses_assignments(text):
    kinds = re.findall(r"\d+ +([^,:]*(?:: about)?)", text.split(": ")[0] if "records: about" not in text else text)
    return not kinds or any(not kind.startswith(NOT_ASSIGNMENTS) for kind in kinds)


def totals(data, since=False):
    """SINCE: what a group states is taken for so since the time that it says; else, as bcoslog does, from the next entry on."""
    sums = Totals()
    for kind, source, time, _, body in entries(data):
        if not kind & HISTORICAL:
            sums.at(time)
        if kind == 0xC002:
            sums.state(source, struct.unpack("<I", body[:4])[0], time if since else None)
        elif kind == 0x4002:
            sums.switches[source] += 1
            sums.turns[source] += 1
            sums.run(source, struct.unpack("<I", body[:4])[0], time)
        elif kind == 0x4001:
            sums.run(source, None, time)
        elif kind == 0x6002:
            sums.input[source] += struct.unpack("<I", body[:4])[0]
        elif kind == 0x6003:
            sums.output[source] += struct.unpack("<I", body[:4])[0]
        elif kind == 0x6011:
            sums.interrupts[source] += 1
        elif kind == 0x0011:
            sums.calls += len(body) // 4
        elif kind & ~0x6000 == 0x0010:
            event, text = struct.unpack("<I", body[:4])[0], text_of(body[5:])
            sums.texts[text] += 1
            if kind == 0x4010 and event == LOSS and loses_assignments(text):
                sums.run(source, None, time)
            elif kind == 0x4010 and event == MASK and not int(re.findall(r"0x([0-9a-f]+)|$", text.split(":")[0])[-2] or "0", 16) & 0x41:
                sums.forget(time)
            elif kind == 0x6010 and source == 0xC0000000 and event == MISSED:
                sums.forget(time)
    return sums.end()


def views(tool, log):
    """The totals as bcoslog tells them: top, cpu and io."""
    def rows(*view):
        done = subprocess.run([tool, *view, "--json", log], capture_output=True, text=True, check=True)
        return map(json.loads, done.stdout.split("\n")[:-1])

    sums = Totals()
    for row in rows("top", "-n", "0"):
        if row["process"] is not None:
            sums.cpu_time[row["process"]] += row["cpu_ns"]
    for row in rows("cpu"):
        if row["cpu"] != "all":
            sums.turns[row["cpu"]] += row["turns"]
    for row in rows("io"):
        if row["device"] is not None:
            device = row["device"]
            sums.input[device] += row["input_bytes"]
            sums.output[device] += row["output_bytes"]
            sums.interrupts[device] += row["interrupts"]
    for name in ("cpu_time", "turns", "input", "output", "interrupts"):
        setattr(sums, name, +getattr(sums, name))
    return sums


def view_differences(theirs, tool, log):
    """What a reader of a trace finds, and what bcoslog tells of the log."""
    names = ("cpu_time", "turns", "input", "output", "interrupts")
    for name in names:
        setattr(theirs, name, +getattr(theirs, name))
    return views(tool, log).differences(theirs, names)


def expect_same(theirs, log, tool=None):
    """Ends the program with what a reader of LOG's conversion finds otherwise than the log, and than bcoslog if TOOL is given."""
    with open(log, "rb") as file:
        ours = totals(file.read())
    names = ("cpu_time", "switches", "interrupts", "input", "output", "texts", "calls", "first", "last")
    wrong = list(ours.differences(theirs, names))
    if tool:
        wrong += view_differences(theirs, tool, log)
    if wrong:
        sys.exit("\n".join(wrong))
