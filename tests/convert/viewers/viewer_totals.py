# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: viewer_totals.py BCOSLOG PACKAGES LOG FORMAT - what Perfetto's own trace processor finds in an export of LOG.

FORMAT is perfetto, fxt, fxt-current or chrome. The CPU time of each process, and what each CPU did, have to be those of
"bcoslog top" and "cpu", the bytes of each device those of "bcoslog io", and no counter of errors may count anything.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

from trace_processor import ask

bcoslog, packages, log, kind = sys.argv[1:5]
# The process that each format has for the kernel, and for nobody known.
KERNEL, UNKNOWN = {"perfetto": (0x7FFFFFFF, 0x7FFFFFFE), "chrome": (0, None)}.get(kind, (0xFFFFFFFF, 0xFFFFFFFE))


def report(command, *options):
    done = subprocess.run([bcoslog, command, "--json", *options, log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def exported():
    name = os.path.join(tempfile.mkdtemp(dir=os.environ.get("work")), "trace")
    options = ["--layout", "current"] if kind == "fxt-current" else []
    done = subprocess.run([bcoslog, "convert", "-t", kind.split("-")[0], *options, log, "-o", name], stderr=subprocess.DEVNULL)
    assert not done.returncode, "the log is not exported"
    return name


def differ(ours, theirs, what):
    """Prints up to five differences. Zeroes are as good as nothing."""
    nothing = (0, (0, 0), None)
    keys = sorted((key for key in set(ours) | set(theirs) if ours.get(key) != theirs.get(key) and
                   not (ours.get(key) in nothing and theirs.get(key) in nothing)), key=str)
    for key in keys[:5]:
        print("%s of %s: %s in the log, %s in Perfetto" % (what, key, ours.get(key), theirs.get(key)))
    return bool(keys)


def processes_of_log():
    """The CPU time by process: a process that came again counts with the others of its number."""
    times = collections.Counter()
    for row in report("top", "-n", "0"):
        if str(row["process"] if row["process"] is not None else ""):
            times[int(row["process"])] += row["cpu_ns"]
        elif row["name"] == "unknown":
            times["unknown"] += row["cpu_ns"]
    return times


def cpus_of_log():
    return {int(row["cpu"]): (row["processes_ns"] + row["kernel_ns"], row["unknown_ns"]) for row in report("cpu") if row["cpu"] not in ("all", None)}


def bytes_of_log():
    sums = collections.Counter()
    for row in report("io"):
        # The rows of all devices and of all of a class have no number.
        if row["device"] not in ("", None):
            device = row["device"] if isinstance(row["device"], str) else "0x%08X" % row["device"]
            sums[device + " input"] += row["input_bytes"]
            sums[device + " output"] += row["output_bytes"]
    return sums


def name_of(pid):
    return {KERNEL: 0, UNKNOWN: "unknown"}.get(pid, pid)


ERRORS = "select name, severity, value from stats where severity in ('error', 'data_loss') and value != 0"
# An idle CPU has the thread 0 in Perfetto's own format, which is left out. A slice that never ends lasts up to the end of
# the trace.
SCHED = "select cpu, ifnull(pid, -1) as pid, sum(iif(sched.dur < 0, trace_end() - sched.ts, sched.dur)) as dur from sched join thread using (utid) left join process using (upid) " \
    "where %s group by cpu, pid" % ("tid != 0" if kind == "perfetto" else "not is_idle or is_idle is null")
SLICES = "select thread.name as cpu, slice.name as name, sum(slice.dur) as dur, " \
    "extract_arg(slice.arg_set_id, 'args.process') as pid from slice join thread_track on slice.track_id = thread_track.id " \
    "join thread using (utid) where category = 'cpu' group by 1, 2, 4"
# What follows the end of a process is of another process with its number, which nobody has named.
NAMELESS = "select tid from thread where is_main_thread and name is null or upid is null"
COUNTERS = "select track.name as name, value from counter join track on counter.track_id = track.id order by counter.ts, counter.id"


def times_of(rows):
    """The time of each process, and for each CPU the time of processes and the kernel, and the unknown time."""
    times, cpus = collections.Counter(), {}
    for row in rows:
        who = name_of(row["pid"])
        if kind == "chrome":
            who = "unknown" if row["pid"] is None else int(row["pid"])
        cpu = row["cpu"] if kind != "chrome" else int(row["cpu"].split()[1])
        known, unknown = cpus.get(cpu, (0, 0))
        cpus[cpu] = (known, unknown + row["dur"]) if who == "unknown" else (known + row["dur"], unknown)
        times[who] += row["dur"]
    return times, cpus


def bytes_of(rows):
    """The counters of a device are sums of the bytes in its life: one that falls begins the next life."""
    sums, before = collections.Counter(), collections.Counter()
    for row in rows:
        words = row["name"].rsplit(" ", 2)
        if len(words) == 3 and words[2] in ("input", "output"):
            key, value = words[1] + " " + words[2], int(row["value"])
            sums[key] += value - (before[key] if value >= before[key] else 0)
            before[key] = value
    return sums


def is_lossy():
    text = subprocess.run([bcoslog, "text", log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return "lost " in text or "missed " in text


errors, rows, counters, nameless = ask(packages, exported(), ERRORS, SLICES if kind == "chrome" else SCHED, COUNTERS, NAMELESS)
wrong = 0
for row in errors:
    # A loss that the log states is one in the trace, too.
    if not (row["name"] == "ftrace_cpu_has_data_loss" and is_lossy()):
        print("Perfetto counts %(value)d %(name)s (%(severity)s)" % row)
        wrong = 1
times, cpus = times_of(rows)
logged = cpus_of_log()
if kind != "chrome":
    # A CPU that comes online is unknown until it is assigned, and has no slice until then.
    for cpu, (known, unknown) in cpus.items():
        before = logged.get(cpu, (0, 0))[1] - unknown
        if before > 0:
            cpus[cpu] = (known, unknown + before)
            times["unknown"] += before
    times["unknown"] += sum(sums[1] for cpu, sums in logged.items() if cpu not in cpus)
    cpus.update((cpu, sums) for cpu, sums in logged.items() if cpu not in cpus and not sums[0])
wrong |= differ(processes_of_log(), times, "CPU time")
wrong |= differ(logged, cpus, "time of processes and kernel, and unknown time,")
if kind == "perfetto":
    for row in nameless[:5]:
        print("after its end, process %(tid)s is another one without a name in Perfetto" % row)
        wrong = 1
    wrong |= differ(bytes_of_log(), bytes_of(counters), "bytes")
sys.exit(wrong)
