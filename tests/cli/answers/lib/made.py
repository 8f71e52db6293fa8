# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Logs that a case makes entry by entry from the specification's tables, and what the tool says of them."""
import json
import os
import struct
import subprocess
import sys

MS, S = 10**6, 10**9
IDLE = 0xFFFFFFFF
HISTORICAL = 0x8000
LOSS, OVERTAKEN, MASK = 0x80000001, 0x80000002, 0x80000003
WALL_CLOCK = 0xC0000010
GENERIC = {"process": 0x0010, "core": 0x2010, "cpu": 0x4010, "device": 0x6010}


def u32(*numbers):
    return struct.pack("<%dI" % len(numbers), *numbers)


def entry(kind, source, time, body=b"", precision=1):
    """An entry of the specification's chapter 4; its body is padded to a multiple of four."""
    body += b"\0" * (-len(body) % 4)
    return struct.pack("<HHIQI", 20 + len(body), kind, source, time, precision) + body


def name(process, text, time, history=0, precision=1):
    return entry(0x0000 | history, process, time, text.encode(), precision)


def cancel(process, time, status=0):
    return entry(0x0001, process, time, u32(status))


def event(subject, source, number, time, text="", severity=0x40, precision=1):
    return entry(GENERIC[subject], source, time, u32(number) + bytes([severity]) + text.encode(), precision)


def core(number, time, idle=0, difference=0, table=(1000,), history=0, precision=1):
    return entry(0x2000 | history, number, time, struct.pack("<HH", idle, difference) + u32(*table), precision)


def cpu(number, of_core, time, history=0, precision=1):
    return entry(0x4000 | history, number, time, u32(of_core), precision)


def cpu_offline(number, time):
    return entry(0x4001, number, time)


def assign(number, process, time, history=0, precision=1):
    return entry(0x4002 | history, number, time, u32(process), precision)


def device(number, text, time, driver=0, history=0, precision=1):
    return entry(0x6000 | history, number, time, u32(driver) + text.encode(), precision)


def device_gone(number, time, status=0):
    return entry(0x6001, number, time, u32(status))


def input_of(number, count, time, precision=1):
    return entry(0x6002, number, time, u32(count), precision)


def output_of(number, count, time, precision=1):
    return entry(0x6003, number, time, u32(count), precision)


def interrupt(number, line, time, precision=1):
    return entry(0x6011, number, time, u32(line), precision)


def wall_clock(time, wall_ns):
    return event("process", 0, WALL_CLOCK, time, "wall clock %d.%09d" % divmod(wall_ns, S))


def group(cpus=2, processes=((10, "a"), (11, "b")), devices=((0xC0000000, "bcos_evlog"),), assigned=IDLE, since=S):
    """The historical entries with which a log begins: one core, its CPUs, processes, devices, assignments."""
    parts = [core(0, 0, history=HISTORICAL, precision=0xFFFFFFFF)]
    parts += [cpu(n, 0, 0, HISTORICAL, 0xFFFFFFFF) for n in range(cpus)]
    parts += [name(number, text, since, HISTORICAL) for number, text in ((0, "kernel"),) + tuple(processes)]
    parts += [device(number, text, 0, 0, HISTORICAL, 0xFFFFFFFF) for number, text in devices]
    parts += [assign(n, assigned, since, HISTORICAL) for n in range(cpus)]
    return b"".join(parts)


class Tool:
    """The tool under test, in a folder of the case's own."""

    def __init__(self):
        self.program, self.folder = sys.argv[1], sys.argv[2]
        self.points = self.failed = 0

    def path(self, file):
        return os.path.join(self.folder, file)

    def save(self, file, *parts):
        with open(self.path(file), "wb") as out:
            out.write(b"".join(parts))
        return self.path(file)

    def run(self, *words, zone="UTC", timeout=60, **environment):
        """Return: (exit status, standard output, standard error)."""
        done = subprocess.run([self.program, *words], capture_output=True, timeout=timeout, cwd=self.folder,
                              env=dict(os.environ, TZ=zone, LC_ALL="C", **environment))
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def rows(self, *words, **more):
        """Return: the objects that the command prints with --json."""
        return [json.loads(line) for line in self.run(*words, "--json", **more)[1].splitlines()]

    def equal(self, what, found, expected):
        self.check(what, found == expected, "found %r, expected %r" % (found, expected))

    def check(self, what, good, note=""):
        self.points += 1
        self.failed += not good
        print("%s %d - %s" % ("ok" if good else "not ok", self.points, what))
        if not good and note:
            print("\n".join("# " + line for line in str(note).splitlines()))

    def end(self):
        print("1..%d" % self.points)
        sys.exit(self.failed > 0)
