# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Logs of thousands of CPUs, whose entries concern all CPUs at once, and what a command takes for them."""
import glob
import os
import resource
import shutil
import subprocess

from made import HISTORICAL, IDLE, LOSS, MASK, MS, OVERTAKEN, S, assign, cancel, core, cpu, device, event, name

STATE = 0xC0000003


def start(cpus):
    return b"".join(
        [core(0, 0, history=HISTORICAL, precision=0xFFFFFFFF)]
        + [cpu(n, 0, 0, HISTORICAL, 0xFFFFFFFF) for n in range(cpus)]
        + [name(process, "p%d" % process, S, HISTORICAL) for process in (0, 10, 11)]
        + [device(0xC0000000, "bcos_evlog", 0, 0, HISTORICAL, 0xFFFFFFFF)]
        + [assign(n, IDLE if n % 2 else 10, S, HISTORICAL) for n in range(cpus)])


def missed(time):
    return event("device", 0xC0000000, OVERTAKEN, time, "missed 5 entries, 120 bytes", 0x80)


def group(time):
    return [missed(time), core(0, 0, history=HISTORICAL, precision=0xFFFFFFFF), cpu(0, 0, 0, HISTORICAL, 0xFFFFFFFF),
            name(0, "kernel", S, HISTORICAL), assign(0, IDLE, S, HISTORICAL), event("process", 0, 1, time + 1, "mark")]


def masks(number, time, others=0x1E):
    change = "0x%x -> 0x%x: assign off" if number % 2 == 0 else "0x%x -> 0x%x: assign on"
    of = (others | 1, others) if number % 2 == 0 else (others, others | 1)
    return [event("cpu", 0, MASK, time, "class mask " + change % of), assign(number, 11, time + 1)]


def blocked(number, time):
    return event("process", 10, STATE, time, "thread %d blocked" % (100000 + number))


# Each makes entry number n of a log, at a time.
kinds = {
    "notices of an overtaken reader": lambda n, time: [missed(time), assign(n, 11, time + 1)],
    "groups after such notices": lambda n, time: group(time),
    "classes that go off and on": masks,
    "classes that go off and on, while states are recorded": lambda n, time: masks(n, time, 0x1FE),
    "losses of each CPU": lambda n, time: [
        event("cpu", n, LOSS, time, "lost 3 assignments: staging full, until %d.%09d s" % divmod(time + 5, S), 0x80, 5)],
    "processes that end on a CPU": lambda n, time: [
        name(1000 + n, "short", time), assign(n, 1000 + n, time + 1), cancel(1000 + n, time + 2)],
    "statements of single CPUs": lambda n, time: [
        assign(n, 11, S, HISTORICAL), event("process", 10, 1, time, "mark")],
    "states of threads": lambda n, time: [assign(n, 10, time), blocked(n, time + 1)],
    "names of a process on all CPUs": lambda n, time: [assign(n, 10, time), name(10, "name %d" % n, time + 1)],
    "cores that come": lambda n, time: [core(n + 1, time), assign(n, 11, time + 1)],
    "states of threads nobody runs": lambda n, time: ([missed(time)] if not n else []) + [blocked(n, time)],
}


def save(tool, file, kind, cpus):
    """Save a log of a kind, which has @cpus CPUs and so many entries."""
    return tool.save(file, start(cpus), *[part for n in range(cpus) for part in kinds[kind](n, 10 * S + n * MS)],
                     event("process", 10, 1, 100 * S, "end"))


def processor_time(tool, words, system=True):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run([tool.program, *words], cwd=tool.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            timeout=120, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    for old in glob.glob(tool.path("out*")):
        (shutil.rmtree if os.path.isdir(old) else os.unlink)(old)
    if status.returncode not in (0, 1):
        tool.check(" ".join(words), False, status.stderr[:300])
    time = after.ru_utime - before.ru_utime
    return time + after.ru_stime - before.ru_stime if system else time


def least(measure, is_slow):
    """Times by measure(), which measures again if they are slow: where others have the processors, one time may be too long."""
    times = measure()
    for _ in range(2):
        if is_slow(times):
            times = tuple(map(min, times, measure()))
    return times
