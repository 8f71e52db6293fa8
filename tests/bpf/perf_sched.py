# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Compares the reports of perf sched with those of bcoslog, for perf_sched.sh."""
import json
import re
import sys

AHEAD, PID, CHILD, *TOLD = map(int, open("told").read().split())
THREADS = {*TOLD, CHILD}
# perf prints microseconds, and its probe and ours run one after the other.
NEAR = 100e-6
points = failed = 0


def point(name, right, of, least=0.9):
    """At least this share is right: the log states the switches that the kernel told no BPF program of."""
    global points, failed
    points += 1
    holds = of and right >= of * least
    failed += not holds
    print("ok" if holds else "not ok", points, "-", name)
    print(f"# {right} of {of}")


def near(left, right):
    return abs(left - right) <= NEAR + 0.02 * right


def bounded(row, key, value):
    """A sum of ns, and perf's in ms: where the log states a loss, it is a lower bound."""
    slack = 0.1 * value + 0.1
    return bool(row) and row[key] / 1e6 <= value + slack and (row[key] / 1e6 >= value - slack or key + "_at_least" in row)


def of_bcos(name):
    return [json.loads(line) for line in open("bcos_" + name)]


def seconds(ns):
    return (ns - AHEAD) / 1e9


def tid_of(task):
    """name[tid/pid], name[pid], name:tid, or <idle>"""
    match = re.search(r"[\[:](\d+)(?:/\d+)?\]?$", task.strip())
    return int(match[1]) if match else 0


TURNS = {}
for each in of_bcos("turnsthreadsnext"):
    TURNS.setdefault(each["thread"], []).append(each)


def turn_with(tid, cpu, key, time):
    return next((each for each in TURNS.get(tid, []) if each["cpu"] == cpu and abs(seconds(each[key]) - time) <= NEAR), None)


def is_next(turn, tid):
    if not tid:
        return turn.get("next_name") == "idle"
    # All threads of the kernel are process 0.
    return turn.get("next") == 0 or turn.get("next_thread") == tid


def compare_turns():
    line = re.compile(r"\s*([\d.]+) \[(\d+)\]\s+(\S.*?\])\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+(\w)\s+next: (\S.*?)\s*$")
    # perf of Linux 6.1 reads the R+ of newer kernels as W.
    words = {"R": "preempted", "W": "preempted", "S": "blocked", "D": "blocked hard", "X": "dead", "Z": "dead"}
    right = dict.fromkeys(("turn", "run", "off", "waited", "left", "next"), 0)
    count, last_cpu, moves = dict(right), {}, dict.fromkeys(THREADS, 0)
    follows = {}            # by CPU, the task after the turn before
    for match in filter(None, map(line.match, open("perf_timehiststatenextwakeups"))):
        time, cpu, tid = float(match[1]), int(match[2]), tid_of(match[3])
        before, follows[cpu] = follows.get(cpu), tid_of(match[8])
        if tid not in THREADS:
            continue
        off, waited, run = (float(match[i]) / 1e3 for i in (4, 5, 6))
        moves[tid] += last_cpu.get(tid, cpu) != cpu
        last_cpu[tid] = cpu
        count["turn"] += 1
        turn = turn_with(tid, cpu, "end", time)
        if not turn:
            continue
        right["turn"] += 1
        # After an idle CPU, perf adds the idle time to the run time: it tells 2 ms of a thread that spins for 1 ms.
        if before == tid:
            count["run"] += 1
            right["run"] += near(turn["cpu_ns"] / 1e9, run)
        # After a loss that the log states, the time off the CPU is unknown.
        if off and turn["off_ns"]:
            count["off"] += 1
            right["off"] += near(turn["off_ns"] / 1e9, off)
        # perf counts only waits after a wake-up.
        if waited and turn["waited_ns"] and not turn["preempted"]:
            count["waited"] += 1
            right["waited"] += near(turn["waited_ns"] / 1e9, waited)
        count["left"] += 1
        right["left"] += turn["left"] == words.get(match[7])
        count["next"] += 1
        right["next"] += is_next(turn, tid_of(match[8]))
    for key, what in (("turn", "each turn: its thread, CPU and end"), ("run", "its run time"), ("off", "its wait time"),
                      ("waited", "its scheduling delay"), ("left", "its state at the end"), ("next", "the next task")):
        point("timehist: " + what, right[key], count[key])
    point("of most turns the log knows that", min(count["off"], count["waited"] * 2), count["turn"], 0.5)
    return moves


def compare_wakeups():
    line = re.compile(r"\s*([\d.]+) \[\d+\]\s+(\S.*?\])\s+awakened: (\S.*\])")
    ours = {}
    for each in of_bcos("textkindprocess"):
        if each.get("thread_state") == "woken":
            ours.setdefault(each["thread"], []).append((seconds(each["time"]), each["woken_by"] or {}))
    right = count = 0
    for match in filter(None, map(line.match, open("perf_timehiststatenextwakeups"))):
        tid, time, waker = tid_of(match[3]), float(match[1]), tid_of(match[2])
        if tid not in THREADS:
            continue
        count += 1
        # perf names the thread that an interrupt found on the CPU.
        right += any(abs(at - time) <= NEAR and (by.get("thread") == waker or by.get("interrupt")) for at, by in ours.get(tid, []))
    point("timehist: each wake-up, and who woke", right, count)


def compare_summary(moves):
    line = re.compile(r"\s*(\S.*?\])\s+(\d+)\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)")
    ours = {each["thread"]: each for each in of_bcos("turnsthreadssummary")}
    right = count = 0
    for match in filter(None, map(line.match, open("perf_timehistsummary"))):
        tid = tid_of(match[1])
        if tid not in THREADS:
            continue
        row, turns = ours.get(tid), int(match[3])
        count += 5
        right += bounded(row, "cpu_ns", float(match[4]))
        right += bool(row) and near((row["shortest_ns"] or 0) / 1e9, float(match[5]) / 1e3)
        right += bool(row) and near((row["longest_ns"] or 0) / 1e9, float(match[7]) / 1e3)
        right += bool(row) and abs(row["turns"] - turns) <= 1 + turns // 10
        right += bool(row) and abs(row["migrations"] - moves[tid]) <= 1
    point("timehist: the summary of each thread", right, count, 0.7)


def compare_latency():
    line = re.compile(r"\s*(\S+:\d+)\s+\|\s+([\d.]+) ms \|\s+(\d+) \| avg:\s+([\d.]+) ms \| max:\s+([\d.]+) ms \| "
                      r"max start:\s+([\d.]+) s \| max end:\s+([\d.]+) s")
    ours = {each["thread"]: each for each in of_bcos("latencythreads")}
    right = count = 0
    for match in filter(None, map(line.match, open("perf_latencypids"))):
        tid = tid_of(match[1])
        if tid not in THREADS:
            continue
        row, longest, end = ours.get(tid), float(match[5]) / 1e3, float(match[7])
        count += 3
        right += bounded(row, "cpu_ns", float(match[2]))
        # perf latency leaves some waits out, so its longest one need not be that of timehist.
        right += bool(row) and (row["longest_ns"] or 0) / 1e9 >= longest - NEAR
        right += any(abs(seconds(each["begin"]) - end) <= NEAR and near((each["waited_ns"] or 0) / 1e9, longest)
                     for each in TURNS.get(tid, []))
    point("latency: run time, and the longest wait with its end", right, count, 0.6)


def compare_map():
    line = re.compile(r"  ((?:[ *].. )+)\s+([\d.]+) secs(?: (\S+) => (\S+:\d+))?")
    tasks, right, count = {}, 0, 0
    for match in filter(None, map(line.match, open("perf_map"))):
        if match[3]:
            # perf gives a name to several tasks if there are more tasks than names.
            tasks[match[3]] = None if match[3] in tasks else tid_of(match[4])
        cpu = match[1].find("*") // 4
        tid = tasks.get(match[1][cpu * 4 + 1:cpu * 4 + 3]) if cpu >= 0 else None
        if tid in THREADS:
            count += 1
            right += turn_with(tid, cpu, "begin", float(match[2])) is not None
    point("map: each turn begins on this CPU at this time", right, count)


MOVES = compare_turns()
compare_wakeups()
compare_summary(MOVES)
compare_latency()
compare_map()
print(f"1..{points}")
sys.exit(bool(failed))
