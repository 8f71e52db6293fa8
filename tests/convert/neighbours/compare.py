# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: compare.py FOLDER NAME LOG - compares LOG, which was imported from NAME (lttng, trace.dat or perf.data) in FOLDER, with
FOLDER/log, which bcos_evlog recorded at the same time, and with what another reader finds in NAME.

The other readers are Babeltrace 2, "trace-cmd report" and "perf script". All four tracers see each event, one after another, so
their times differ by the time that the others require for it. Threads of the kernel are one process.
"""
import collections
import os
import re
import struct
import subprocess
import sys

import bcos_log

KTHREADD = 2
# How far the tracers' times of one event may be from each other, in ns. The guest's processors are emulated.
APART = 200000
EVENT = re.compile(r"\[(\d+)\]\s+(?:\S+\s+)?(\d+)\.(\d+): +(?:\w+:)?(sched_switch|sched_process_exit|irq_handler_entry): +(.*)")
NEXT = re.compile(r"next_pid=(\d+)|==> (?!next_comm=).*:(\d+) \[")
TID = re.compile(r"\bpid=(\d+)")


def of_log(path):
    """(time, CPU, process) of each assignment, and the times of interrupts."""
    switches, interrupts = [], []
    with open(path, "rb") as file:
        for kind, source, time, _, body in bcos_log.entries(file.read()):
            if kind == 0x4002:
                switches.append((time, source, struct.unpack("<I", body[:4])[0]))
            elif kind == 0x6011:
                interrupts.append(time)
    return switches, interrupts


def of_lttng(folder):
    import bt2
    for message in bt2.TraceCollectionMessageIterator(folder):
        if not isinstance(message, bt2._EventMessageConst):
            assert not isinstance(message, bt2._DiscardedEventsMessageConst), "LTTng has lost events"
            continue
        event = message.event
        cpu, time = int(event.packet.context_field["cpu_id"]), message.default_clock_snapshot.value
        if event.name == "sched_switch":
            yield time, cpu, "sched_switch", int(event.payload_field["next_tid"])
        elif event.name == "sched_process_exit":
            yield time, cpu, "sched_process_exit", int(event.payload_field["tid"])
        elif event.name == "irq_handler_entry":
            yield time, cpu, "irq_handler_entry", None


def of_text(command):
    text = subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout
    for line in text.split("\n"):
        found = EVENT.search(line)
        if not found:
            continue
        time = int(found[2]) * 10 ** 9 + int(found[3].ljust(9, "0"))
        number = {"sched_switch": NEXT, "sched_process_exit": TID}.get(found[4])
        number = number and number.search(found[5])
        yield time, int(found[1]), found[4], int(number[number.lastindex]) if number else None


def by_process(events, process_of):
    """Of events by thread, what a log has; and the turns that a process may have had after it began to end, with their time."""
    switches, interrupts, last = [], [], {}
    dying, on, ended, turns = [], {}, set(), collections.Counter()
    for time, cpu, name, tid in events:
        if name == "irq_handler_entry":
            interrupts.append(time)
        elif name == "sched_process_exit":
            ended.add(tid)
        else:
            before, since = on.get(cpu, (None, 0))
            # In the log, the process begins to end some time before this event.
            if before in ended and turns[before] > 1:
                dying.append((before, cpu, time - since))
            on[cpu] = tid, time
            turns[tid] += 1
            process = bcos_log.IDLE if tid == 0 else process_of.get(tid, tid)
            if last.get(cpu) != process:
                switches.append((time, cpu, process))
                last[cpu] = process
    return switches, interrupts, dying


def without_threads(switches, process_of):
    """An importer that is not told which process a thread is of takes it for a process."""
    result, last = [], {}
    for time, cpu, process in switches:
        process = process_of.get(process, process)
        if last.get(cpu) != process:
            result.append((time, cpu, process))
            last[cpu] = process
    return result


def totals(switches, begin, end):
    """CPU time and turns of each process, and turns of processes on each CPU, from BEGIN to END."""
    time, turns, on, cpus = collections.Counter(), collections.Counter(), {}, collections.Counter()
    for now, cpu, process in switches + [(end, cpu, None) for cpu in {cpu for _, cpu, _ in switches}]:
        if now > end:
            continue
        before, since = on.get(cpu, (None, 0))
        if before not in (None, 0, bcos_log.IDLE):
            time[before] += max(0, now - max(since, begin))
        if now >= begin and process not in (None, 0, bcos_log.IDLE):
            turns[process] += 1
            cpus[cpu] += 1
        on[cpu] = process, now
    return +time, turns, cpus


def differences(ours, theirs, dying, begin, end, exempt=0):
    """An importer leaves to a process the turns of DYING, which bcos_evlog gives to the kernel. One process in EXEMPT may have
    another time: the host stops a processor of the guest now and then for milliseconds, also between two tracers."""
    (time, turns, cpus), (other_time, other_turns, other_cpus) = totals(ours[0], begin, end), totals(theirs[0], begin, end)
    late, late_turns = collections.Counter(), collections.Counter()
    for process, cpu, duration in dying:
        late[process] += duration
        late_turns[cpu] += 1
    wrong = []
    for process in sorted(set(time) | set(other_time)):
        more, room = other_time[process] - time[process], APART * (1 + max(turns[process], other_turns[process]))
        if not -room <= more <= room + late[process]:
            wrong.append("process %d: %d and %d ns in %d and %d turns" %
                         (process, time[process], other_time[process], turns[process], other_turns[process]))
    if len(wrong) > (len(time) / exempt if exempt else 0):
        yield from wrong
    for cpu in sorted(set(cpus) | set(other_cpus)):
        # One of two turns may be within the limits of the time, and the other one not.
        if not -2 <= other_cpus[cpu] - cpus[cpu] <= 2 + late_turns[cpu]:
            yield "CPU %d: %d and %d turns" % (cpu, cpus[cpu], other_cpus[cpu])
    counts = [sum(begin <= time <= end for time in interrupts) for interrupts in (ours[1], theirs[1])]
    if abs(counts[0] - counts[1]) > 2:
        yield "%d and %d interrupts" % tuple(counts)
    print("# %.3f s, %d processes, %d and %d turns, of which %d late, %d interrupts" %
          ((end - begin) / 1e9, len(time), sum(cpus.values()), sum(other_cpus.values()), sum(late_turns.values()), counts[0]))
    if len(time) < 20 or sum(cpus.values()) < 1000 or counts[0] < 20:
        yield "there is too little to compare"


def main():
    folder, name, log = sys.argv[1:]
    with open(os.path.join(folder, "threads"), encoding="utf-8") as file:
        threads = [tuple(map(int, line.split())) for line in file]
    process_of = {tid: 0 if KTHREADD in (tid, parent) else pid for tid, pid, parent in threads}
    path = os.path.join(folder, name)
    other = {"lttng": lambda: of_lttng(path), "trace.dat": lambda: of_text(["trace-cmd", "report", "-t", "-i", path]),
             "perf.data": lambda: of_text(["perf", "script", "--ns", "-i", path])}[name]()
    raw = of_log(log)
    switches, interrupts, dying = by_process(sorted(other, key=lambda event: event[0]), process_of)
    read = switches, interrupts
    ours, imported = ((without_threads(switches, process_of), interrupts)
                      for switches, interrupts in (of_log(os.path.join(folder, "log")), raw))
    all_times = [[time for time, _, _ in switches] for switches in (ours[0], imported[0], read[0])]
    # All CPUs have been assigned by then.
    begin, end = max(min(times) for times in all_times) + 10 ** 9, min(max(times) for times in all_times) - 10 ** 8
    # LTTng's dump of the state, with which its trace begins, says which threads are the kernel's.
    taken = {process for time, _, process in raw[0] if time > begin and process and process_of.get(process) == 0}
    wrong = ["threads of the kernel become processes: %s" % sorted(taken)[:5]] if name == "lttng" and taken else []
    wrong += ["beside bcos_evlog: " + line for line in differences(ours, imported, dying, begin, end, 20)]
    wrong += ["beside another reader: " + line for line in differences(read, imported, [], begin, end)]
    if wrong:
        sys.exit("\n".join(wrong[:10]))


main()
