# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ltt_read.py LOG TRACE BCOSLOG - compares the totals of a log with those of its LTT trace, and with what bcoslog tells.

The reader of the trace is written from the format's page, without the code of bcoslog.
"""
import collections
import os
import re
import struct
import sys
import xml.etree.ElementTree as xml

import bcos_log

SIZES = {"short": 2, "medium": 4, "long": 8, "1": 1, "2": 2, "4": 4, "8": 8}
LOAD, START, END, HEARTBEAT = range(4)
# This process stands for an unknown one on the CPU.
NOBODY = 0xFFFFFFFE


def integer(size, signed=False):
    return {1: "B", 2: "H", 4: "I", 8: "Q"}[size].lower() if signed else {1: "B", 2: "H", 4: "I", 8: "Q"}[size]


class Reader:
    """All events of a trace, in the order of their times."""

    def __init__(self, folder):
        self.folder = folder
        self.events = []
        self.system = xml.parse(os.path.join(folder, "info", "system.xml")).getroot().attrib
        xml.parse(os.path.join(folder, "info", "bookmarks.xml"))
        assert len(self.system) == 15, self.system
        self.order = {"little": "<", "big": ">"}[self.system["endian"]]
        self.block = int(self.system["ltt_block_size"])
        self.facilities = {}
        self.types = {}
        self.wall = None
        for name in os.listdir(os.path.join(folder, "eventdefs")):
            root = xml.parse(os.path.join(folder, "eventdefs", name)).getroot()
            for facility in [root] if root.tag == "facility" else root:
                self.facilities[facility.get("name")] = [(event.get("name"), event.find("struct")) for event in facility.findall("event")]
        self.described = {}
        self.load()
        for name in sorted(os.listdir(os.path.join(folder, "cpu")), key=int):
            assert int(name) < int(self.system["cpu"]), name
            self.events += self.read(os.path.join("cpu", name), int(name))
        self.processes = self.read(os.path.join("control", "processes"), None)
        self.interrupts = self.read(os.path.join("control", "interrupts"), None)
        self.events.sort(key=lambda event: (event[0], event[3]["order"]))

    def load(self):
        for time, _, name, fields in self.read(os.path.join("control", "facilities"), None, builtin=True):
            assert name == "facility_load" and fields["checksum"], (name, fields)
            for number, event in enumerate(self.facilities[fields["name"]]):
                self.described[fields["base_code"] + number] = event

    def number(self, data, at, size):
        return struct.unpack_from(self.order + integer(size), data, at)[0], at + size

    def value(self, kind, data, at):
        if kind.tag == "string":
            end = data.index(b"\0", at)
            return data[at:end], end + 1
        if kind.tag in ("uint", "enum"):
            return self.number(data, at, SIZES[kind.get("size")])
        if kind.tag == "sequence":
            count, at = self.number(data, at, SIZES[kind.get("lengthsize")])
            values = []
            for _ in range(count):
                one, at = self.value(kind[0], data, at)
                values.append(one)
            return values, at
        raise AssertionError(kind.tag)

    def fields(self, described, data, at):
        values = {}
        for field in described:
            kind = next(child for child in field if child.tag != "description")
            values[field.get("name")], at = self.value(kind, data, at)
        return values, at

    def time_value(self, data, at):
        seconds, nanoseconds, cycles = struct.unpack_from(self.order + "IIQ", data, at)
        # The cycle counter counts nanoseconds since boot. The time is that of the wall clock if the log states it.
        assert nanoseconds < 10 ** 9, nanoseconds
        wall = seconds * 10 ** 9 + nanoseconds - cycles
        assert self.wall in (None, wall), (self.wall, wall)
        self.wall = wall
        return cycles, at + 16

    def read(self, path, cpu, builtin=False):
        with open(os.path.join(self.folder, path), "rb") as file:
            data = file.read()
        assert data and len(data) % self.block == 0, (path, len(data))
        events, before = [], 0
        for number in range(len(data) // self.block):
            before = self.read_block(data[number * self.block:(number + 1) * self.block], number, cpu, events, builtin, before)
        return events

    def read_block(self, data, block_id, cpu, events, builtin, before):
        """The time at which it ends; @before is that of the block before."""
        last = struct.unpack_from(self.order + "I", data, len(data) - 4)[0]
        assert struct.unpack_from(self.order + "H", data)[0] == START
        base = at = 0
        while True:
            here = at
            code, delta = struct.unpack_from(self.order + "HI", data, at)
            at += 6
            assert here <= last, "an event lies after the end of its block"
            if code in (START, END, HEARTBEAT):
                time, at = self.time_value(data, at)
                assert code == START or base + delta == time, (base, delta, time)
                assert time >= before, "a block or a heartbeat goes back in time"
                base = before = time
                if code != HEARTBEAT:
                    number, at = self.number(data, at, 4)
                    assert number == block_id, (number, block_id)
                if code == END:
                    assert here == last, (here, last)
                    return time
                continue
            time = base + delta
            assert time >= before, "events go back in time"
            before = time
            if code == LOAD:
                assert builtin, "facility_load is in control/facilities alone"
                end = data.index(b"\0", at)
                name, at = data[at:end].decode(), end + 1
                checksum, base_code = struct.unpack_from(self.order + "II", data, at)
                at += 8
                events.append((time, cpu, "facility_load", {"name": name, "checksum": checksum, "base_code": base_code}))
                continue
            name, described = self.described[code]
            values, at = self.fields(described, data, at)
            events.append((time, cpu, name, values))


def generic(sums, time, name, values):
    kind, event, text = name.removeprefix("generic_"), values["event_id"], values["text"].decode()
    sums.texts[text] += 1
    if kind == "cpu" and event == bcos_log.LOSS and bcos_log.loses_assignments(text):
        sums.run(values["cpu"], None, time)
    elif kind == "cpu" and event == bcos_log.MASK and not int(re.findall(r"0x([0-9a-f]+)|$", text.split(":")[0])[-2] or "0", 16) & 0x41:
        sums.forget(time)
    elif kind == "device" and values["device"] == 0xC0000000 and event == bcos_log.MISSED:
        sums.forget(time)


LACKS = ("ppid", "tracer_pid", "uid", "euid", "suid", "fsuid", "gid", "egid", "sgid", "fsgid")
WAITS, RUNS, ZOMBIE = 1, 0, 3


def control(trace):
    """control/processes has each process of the beginning, births, names and ends, control/interrupts each line of a device."""
    names, expected, lines, raised = {}, [], set(), set()
    for time, _, name, values in trace.events:
        if name in ("state_process", "process_name"):
            names[values["pid"]] = values["name"]
            expected.append((time, values["pid"], values["name"], WAITS if name == "state_process" else RUNS))
        elif name == "process_end":
            expected.append((time, values["pid"], names.pop(values["pid"], b""), ZOMBIE))
        elif name in ("state_device", "device_name"):
            names["device", values["device"]] = values["name"]
        elif name == "irq" and ("device", values["device"]) in names:
            raised.add((names["device", values["device"]], min(values["number"], 63)))
    found = [(time, values["pid"], values["name"], values["state"]) for time, _, name, values in trace.processes]
    assert found == expected, [pair for pair in zip(found, expected) if pair[0] != pair[1]][:3]
    assert not any(values[field] for _, _, _, values in trace.processes for field in LACKS)
    for _, _, name, values in trace.interrupts:
        assert (name, values["count"], values["controller"]) == ("interrupt", 0, b""), values
        lines.add((values["name"], values["number"] % 64))
    assert raised <= lines, raised - lines


def turns(trace):
    """Each event of a turn says who had the CPU before. Returns the CPU time of each process by these events alone."""
    has, times = {}, collections.Counter()
    for time, cpu, name, values in trace.events + [(trace.events[-1][0], cpu, "schedule", None) for cpu in range(int(trace.system["cpu"]))]:
        if name != "schedule":
            continue
        process, since = has.get(cpu, (NOBODY, time))
        assert values is None or values["out"] == process, (cpu, values, process)
        times[process] += time - since
        has[cpu] = (values["in"], time) if values else None
    del times[NOBODY], times[bcos_log.IDLE]
    return +times


def totals(folder):
    trace = Reader(folder)
    control(trace)
    by_turns = turns(trace)
    sums = bcos_log.Totals()
    for time, cpu, name, values in trace.events:
        if not name.startswith("state_"):
            sums.at(time)
        if name == "state_assign":
            sums.state(values["cpu"], values["pid"])
        elif name == "schedule" and not values["repeats"]:
            sums.switches[cpu] += 1
            sums.turns[cpu] += 1
            sums.run(cpu, values["in"], time)
        elif name == "cpu_offline":
            sums.run(values["cpu"], None, time)
        elif name == "device_input":
            sums.input[values["device"]] += values["bytes"]
        elif name == "device_output":
            sums.output[values["device"]] += values["bytes"]
        elif name == "irq":
            sums.interrupts[values["device"]] += 1
        elif name == "kernel_call":
            sums.calls += len(values["functions"])
        elif name.startswith("generic_"):
            generic(sums, time, name, values)
    sums.end()
    # Losses may begin before the log states them, so only these may have more.
    more = {process: time for process, time in (+sums.cpu_time).items() if by_turns[process] != time}
    assert not more or any(text.startswith("lost ") for text in sums.texts), (more, by_turns)
    return sums


bcos_log.expect_same(totals(sys.argv[2]), sys.argv[1], sys.argv[3])
