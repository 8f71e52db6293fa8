# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: kshark_counts.py LOG ENTRIES - compares what kshark_read.c prints of a trace with the log that the trace was made of.

Of each CPU the switches, of each process the time for which it had CPUs and its name, and how many events of each name.
"""
import collections
import struct
import sys

import bcos_log

KERNEL, UNKNOWN = 0x7FFFFFFF, 0x7FFFFFFE


def process_of(thread):
    return {0: bcos_log.IDLE, KERNEL: 0, UNKNOWN: None}.get(thread, thread)


def shown(path):
    sums, events, names = bcos_log.Totals(), collections.Counter(), {}
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            time, cpu, pid, event, following, task = line.rstrip("\n").split(" ", 5)
            name = event.split("/")[-1]
            events[name] += 1
            names[int(pid)] = task
            if name == "missed_events":
                continue
            sums.at(int(time))
            if name == "sched_switch":
                process = process_of(int(following))
                sums.switches[int(cpu)] += process is not None
                sums.run(int(cpu), process, int(time))
    return sums, events, names


def expected(data):
    """How many events of each name, and each name that a process had; a line of the list of names is a thread."""
    events, names = collections.Counter(), collections.defaultdict(set)
    for kind, source, _, _, body in bcos_log.entries(data):
        if kind & ~bcos_log.HISTORICAL == 0:
            names[source].add(body.split(b"\0")[0][:15].decode(errors="ignore").replace("\n", " "))
        elif kind == 1:
            events["sched_process_exit"] += 1
        elif kind in (0x6002, 0x6003):
            events["bcos_transfer"] += 1
        elif kind == 0x6011:
            events["irq_handler_entry"] += 1
            events["irq_handler_exit"] += 1
        elif kind == 0x0011:
            events["bcos_calls"] += 1
        elif kind & ~0x6000 == 0x0010:
            events["bcos_event"] += 1
            event = struct.unpack("<I", body[:4])[0]
            events["missed_events"] += kind == 0x4010 and event == bcos_log.LOSS or \
                (kind, source, event) == (0x6010, 0xC0000000, bcos_log.MISSED)
    return events, names


def main(log, path):
    with open(log, "rb") as file:
        data = file.read()
    sums, events, names = shown(path)
    ours = bcos_log.totals(data)
    sums.at(ours.last)
    wrong = list(ours.differences(sums.end(), ("cpu_time", "switches", "first", "last")))
    wanted, named = expected(data)
    wrong += ["%s: %d/%d" % (name, wanted[name], events[name]) for name in wanted if wanted[name] != events[name]]
    for pid, name in names.items():
        process = process_of(pid)
        if process not in (bcos_log.IDLE, None) and name not in named[process]:
            wrong.append("process %d: %r, and the log has %s" % (process, name, named[process]))
    if wrong or not events:
        sys.exit("\n".join(wrong[:10]) or "there is no event")


main(*sys.argv[1:])
