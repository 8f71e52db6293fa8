# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: sched_read.py timehist LOG TIMEHIST | trace-cmd LOG REPORT | count LOG REPORT | back LOG LOG - compares CPU times with what other tools print.

timehist: what "perf sched timehist" prints of LOG's export. trace-cmd: what "trace-cmd report -t" prints of LOG's export, or
of the recording that LOG was made of; count: only how many switches that shows. back: a log that was made of LOG's export.
"""
import collections
import re
import struct
import sys

import bcos_log

KERNEL, UNKNOWN = 0x7FFFFFFF, 0x7FFFFFFE
TURN = re.compile(r"\[(\d+)(?:/(\d+))?\]\s+[\d.]+\s+[\d.]+\s+(\d+)\.(\d{3})\s*$")
SWITCH = re.compile(r"\[(\d+)\][^\[\]]*?(\d+)\.?(\d{9}): sched_switch: +(.*):(\d+) \[\d+\] \S+ ==> (.*):(\d+) \[\d+\]$")


def timehist(log, path):
    ours = bcos_log.totals(open(log, "rb").read())
    theirs, turns = collections.Counter(), collections.Counter()
    for line in open(path, errors="replace", newline="\n"):
        found = TURN.search(line)
        if found:
            pid = int(found[2] or found[1])
            theirs[0 if pid == KERNEL else pid] += int(found[3] + found[4])
            turns[0 if pid == KERNEL else pid] += 1
    del theirs[UNKNOWN]
    # perf cuts the time of a turn to microseconds.
    for process in set(ours.cpu_time) | set(theirs):
        if abs(ours.cpu_time[process] / 1000 - theirs[process]) > turns[process]:
            sys.exit("process %d: %.3f us in the log, %d us in %d turns of perf" %
                     (process, ours.cpu_time[process] / 1000, theirs[process], turns[process]))
    if not theirs:
        sys.exit("perf shows no turn of any process")


def trace_cmd(log, path):
    ours = bcos_log.totals(open(log, "rb").read())
    theirs = bcos_log.Totals()
    interrupts = 0
    for line in open(path, errors="replace"):
        line = line.rstrip("\n")
        found = SWITCH.search(line)
        interrupts += ": irq_handler_entry:" in line
        if found:
            time = int(found[2] + found[3])
            process = {0: bcos_log.IDLE, KERNEL: 0, UNKNOWN: None}.get(int(found[7]), int(found[7]))
            theirs.switches[int(found[1])] += process is not None
            theirs.run(int(found[1]), process, time)
    # The task that has a CPU at the end keeps it up to the last entry.
    theirs.at(0)
    theirs.at(ours.last)
    theirs.end()
    wrong = list(ours.differences(theirs, ("cpu_time", "switches")))
    if sum(ours.interrupts.values()) != interrupts:
        wrong.append("interrupts: %d/%d" % (sum(ours.interrupts.values()), interrupts))
    if wrong or not theirs.cpu_time:
        sys.exit("\n".join(wrong) or "trace-cmd shows no switch")


def count(log, path):
    """Each switch is reported, and so is each CPU that becomes unknown."""
    theirs = open(path, "rb").read().split(b" sched_switch: ")[1:]
    # The last arrow of an event precedes the task that gets the CPU.
    unknown = sum(b"==> unknown:%d " % UNKNOWN in event for event in theirs)
    ours = sum(bcos_log.totals(open(log, "rb").read()).switches.values())
    if ours != len(theirs) - unknown or not theirs:
        sys.exit("%d switches in the log, %d in the report, of which %d to nobody known" % (ours, len(theirs), unknown))


def back(log, path):
    """Trace.dat has processes, and the threads that stand for the kernel and for nobody known."""
    ours = bcos_log.totals(open(log, "rb").read())
    # The last entry may be one that becomes nothing, so a list of no calls stands for it.
    theirs = bcos_log.totals(open(path, "rb").read() + struct.pack("<HHIQI", 20, 0x11, 0, ours.last, 0))
    ours.interrupts, theirs.interrupts = ({"all": sum(sums.interrupts.values())} for sums in (ours, theirs))
    theirs.cpu_time[0] += theirs.cpu_time.pop(KERNEL, 0)
    theirs.cpu_time.pop(UNKNOWN, None)
    theirs.cpu_time = +theirs.cpu_time
    # trace.dat has no kinds of losses, so after any loss the log that is made of it does not know who has the CPU.
    if any(text.startswith("lost ") and not bcos_log.loses_assignments(text) for text in ours.texts):
        assert not theirs.cpu_time - ours.cpu_time, theirs.cpu_time - ours.cpu_time
        theirs.cpu_time = ours.cpu_time
    wrong = list(ours.differences(theirs, ("cpu_time", "interrupts")))
    if wrong or not theirs.cpu_time:
        sys.exit("\n".join(wrong) or "no process comes back")


{"timehist": timehist, "count": count, "back": back, "trace-cmd": trace_cmd}[sys.argv[1]](*sys.argv[2:])
