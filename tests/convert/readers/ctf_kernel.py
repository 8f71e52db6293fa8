# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ctf_kernel.py BCOSLOG LOG TRACE [LOG TRACE]... - are the traces what an analysis of LTTng's kernel traces needs?

NEEDS has the events and fields that Trace Compass' kernel and disk analyses look for in traces of LTTng 2.9 and later, the
environment by which it recognizes them, and what they make of the events: which thread has a CPU follows from sched_switch
alone, an interrupt lasts from its entry to its exit on that CPU, a thread ends when it is freed. The CPU time that follows
has to be that of BCOSLOG for LOG. Together the traces have to have each of these events.
"""
import collections
import json
import os
import re
import subprocess
import sys

import bt2

import ctf_read

TEXT, NUMBER = (bt2._StringFieldClassConst,), (bt2._IntegerFieldClassConst,)
NEEDS = {
    "sched_switch": {"prev_comm": TEXT, "prev_tid": NUMBER, "prev_prio": NUMBER, "prev_state": NUMBER, "next_comm": TEXT,
                     "next_tid": NUMBER, "next_prio": NUMBER},
    "sched_waking": {"tid": NUMBER, "prio": NUMBER, "target_cpu": NUMBER},
    "sched_wakeup": {"tid": NUMBER, "prio": NUMBER, "target_cpu": NUMBER},
    "sched_process_fork": {"parent_tid": NUMBER, "child_comm": TEXT, "child_tid": NUMBER, "child_pid": NUMBER},
    "sched_process_exec": {"filename": TEXT, "tid": NUMBER},
    "sched_process_exit": {"comm": TEXT, "tid": NUMBER},
    "sched_process_free": {"tid": NUMBER},
    "irq_handler_entry": {"irq": NUMBER, "name": TEXT},
    "irq_handler_exit": {"irq": NUMBER, "ret": NUMBER},
    "lttng_statedump_process_state": {"tid": NUMBER, "pid": NUMBER, "ppid": NUMBER, "name": TEXT, "status": NUMBER, "cpu": NUMBER},
    "lttng_statedump_block_device": {"dev": NUMBER, "diskname": TEXT},
    "block_rq_complete": {"dev": NUMBER, "sector": NUMBER, "nr_sector": NUMBER, "rwbs": NUMBER},
    "net_if_receive_skb": {"skbaddr": NUMBER, "len": NUMBER, "name": TEXT},
    "net_dev_xmit": {"skbaddr": NUMBER, "rc": NUMBER, "len": NUMBER, "name": TEXT},
}
UNKNOWN = -2
RUNNING, WAITING, DEAD = 6, 5, {16, 32, 64}


def recognized(folder, trace):
    environment = {name: value for name, value in trace.environment.items()}
    assert environment["domain"] == "kernel" and environment["tracer_name"] == "lttng-modules", environment
    assert (environment["tracer_major"], environment["tracer_minor"]) >= (2, 9), environment
    with open(os.path.join(folder, "metadata"), encoding="utf-8") as file:
        text = file.read()
    for name in ("magic", "stream_id", "timestamp_begin", "timestamp_end", "content_size", "packet_size", "events_discarded", "cpu_id"):
        assert re.search(r"\b_?%s;" % name, text), name
    assert re.search(r"clock \{[^}]*\bfreq = 1000000000;", text), "the clock"


def has_fields(stream_class):
    found = {stream_class[number].name: stream_class[number].payload_field_class for number in stream_class}
    for event in NEEDS.keys() & found.keys():
        for field, kinds in NEEDS[event].items():
            assert isinstance(found[event][field].field_class, kinds), (event, field)
    return found.keys()


class Analysis:
    def __init__(self):
        self.time = collections.Counter()      # by thread, ns
        self.runs, self.since = {}, {}          # by CPU
        self.irq = {}
        self.alive = {}                         # status of each thread
        self.first = self.last = None
        self.dumped = None

    def run(self, cpu, tid, time):
        before = self.since.get(cpu, self.first)
        self.time[tid] += time - before
        self.since[cpu] = time

    def event(self, time, cpu, name, fields):
        if self.first is None:
            self.first = time
            assert name == "lttng_statedump_start", name
            self.dumped = False
        assert self.last is None or time >= self.last, (time, self.last)
        self.last = time
        if name.startswith("lttng_statedump_"):
            assert not self.dumped, name
            self.dumped = name == "lttng_statedump_end"
        handler = getattr(self, name, None)
        if handler:
            handler(time, cpu, {field: value for field, value in fields.items()})

    def lttng_statedump_process_state(self, _, cpu, fields):
        tid, status = int(fields["tid"]), int(fields["status"])
        assert tid == int(fields["pid"]) and status in (RUNNING, WAITING), fields
        self.alive[tid] = status
        if status == RUNNING:
            self.runs.setdefault(int(fields["cpu"]), tid)

    def sched_switch(self, time, cpu, fields):
        previous, following = int(fields["prev_tid"]), int(fields["next_tid"])
        assert self.runs.get(cpu, previous) == previous, (time, cpu, self.runs.get(cpu), previous)
        self.run(cpu, previous, time)
        self.runs[cpu] = following
        self.alive[previous] = WAITING
        self.alive[following] = RUNNING

    def sched_process_fork(self, _, __, fields):
        assert int(fields["child_tid"]) == int(fields["child_pid"]), fields
        self.alive[int(fields["child_tid"])] = WAITING

    def sched_process_free(self, time, _, fields):
        tid = int(fields["tid"])
        assert tid not in self.runs.values(), (time, tid)
        del self.alive[tid]

    def irq_handler_entry(self, _, cpu, fields):
        assert cpu not in self.irq, (cpu, fields)
        self.irq[cpu] = int(fields["irq"])

    def irq_handler_exit(self, _, cpu, fields):
        assert self.irq.pop(cpu) == int(fields["irq"]), (cpu, fields)

    def block_rq_complete(self, _, __, fields):
        assert int(fields["rwbs"]) & 5 in (1, 4), fields

    def end(self):
        for cpu, tid in self.runs.items():
            if cpu in self.since:
                self.run(cpu, tid, self.last)
        assert not self.irq, self.irq
        return self.time


def analyzed(folder, log, tool):
    events = set()
    folder = os.path.join(folder, "kernel")
    for message in bt2.TraceCollectionMessageIterator(folder):
        if isinstance(message, bt2._StreamBeginningMessageConst):
            recognized(folder, message.stream.trace)
            events = has_fields(message.stream.cls)
    found, _ = ctf_read.events(folder)
    streams = [name for name in os.listdir(folder) if name != "metadata"]
    assert len(streams) >= len({cpu for _, cpu, _, _ in found}), streams
    analysis = Analysis()
    for time, cpu, name, fields in found:
        analysis.event(time, cpu, name, fields)
    theirs = collections.Counter()
    for tid, time in analysis.end().items():
        if tid not in (0, UNKNOWN):
            theirs[ctf_read.process(tid)] += time
    ours = collections.Counter()
    rows = subprocess.run([tool, "top", "-n", "0", "--json", log], capture_output=True, text=True, check=True).stdout
    for row in map(json.loads, rows.splitlines()):
        if row["process"] is not None:
            ours[row["process"]] += row["cpu_ns"]
    assert +ours == +theirs, (ours, theirs)
    return events


def main(tool, *pairs):
    events = set()
    for log, folder in zip(pairs[::2], pairs[1::2]):
        events |= analyzed(folder, log, tool)
    assert not NEEDS.keys() - events, NEEDS.keys() - events


main(*sys.argv[1:])
