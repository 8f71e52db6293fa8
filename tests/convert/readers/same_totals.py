#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""same_totals.py SCRIPT TASKS TOP CPU ENTRIES: are the totals of a log those of the recording that it was made of?

SCRIPT and TASKS are what perf prints of the recording, the others what bcoslog says of the log, as JSON. A CPU is
unknown before its first switch; what runs at the end runs up to the log's last entry.
"""
import collections
import json
import re
import sys

SCRIPT = re.compile(r"\s*-?\d+/-?\d+\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\S+):\s(.*)")


def lines(path):
    return [json.loads(line) for line in open(path) if line.strip()]


def groups(path):
    """The process of each thread, and the threads of the kernel."""
    process, kernel = {}, {2}
    for line in open(path, errors="replace"):
        fork = re.search(r"PERF_RECORD_FORK\((\d+):(\d+)\):\((\d+):(\d+)\)", line)
        name = re.search(r"PERF_RECORD_COMM.*:(\d+)/(\d+)", line)
        if fork:
            process[int(fork[2])] = int(fork[1])
            if fork[3] == "2":
                kernel.add(int(fork[2]))
        elif name:
            process[int(name[2])] = int(name[1])
    return process, kernel


def main():
    process, kernel = groups(sys.argv[2])
    entries = [entry for entry in lines(sys.argv[5]) if not entry["historical"]]
    end = entries[-1]["time"]
    running, times, turns, first = {}, collections.Counter(), collections.Counter(), None

    def count(cpu, until):
        tid, since = running[cpu]
        who = "idle" if not tid else 0 if tid in kernel else process.get(tid, tid)
        times[who] += until - since

    for line in open(sys.argv[1], errors="replace"):
        found = SCRIPT.match(line)
        if not found or found[4] != "sched:sched_switch":
            continue
        cpu, time = int(found[1]), int(found[2] + found[3])
        first = first or time
        if cpu in running:
            count(cpu, time)
        running[cpu] = (int(re.search(r"next_pid=(\d+)", found[5])[1]), time)
        turns[cpu] += 1
    for cpu in running:
        count(cpu, end)
    ours = collections.Counter()
    for row in lines(sys.argv[3]):
        if row["process"] is not None:
            ours[row["process"]] = row["cpu_ns"]
        elif row["name"] == "idle":
            ours["idle"] = row["cpu_ns"]
    wrong = {who: (times[who], ours[who]) for who in set(times) | set(ours) if times[who] != ours[who]}
    if wrong:
        sys.exit("times of perf and of the log: %s" % wrong)
    for row in lines(sys.argv[4]):
        if row["cpu"] in turns and row["turns"] != turns[row["cpu"]]:
            sys.exit("switches of CPU %s: %d of perf, %d in the log" % (row["cpu"], turns[row["cpu"]], row["turns"]))
    assigned = [entry["time"] for entry in entries if entry["type"] == 0x4002]
    if assigned[0] != first or not sum(turns.values()):
        sys.exit("the first switch: %d of perf, %d in the log" % (first, assigned[0]))


main()
