# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What a log states as lost is shown as unknown where it was: stated late or in time, short or long, by kind."""
import json
import subprocess

from made import (HISTORICAL, IDLE, LOSS, MASK, MS, OVERTAKEN, S, Tool, assign, core, cpu, device, entry, event, group, input_of,
                  interrupt, name)

T = 10 * S
DEVICES = ((0xC0000000, "bcos_evlog"), (1, "sda"))
BEGIN = group(devices=DEVICES, assigned=10, since=5 * S)


def loss(number, time, text, precision=1):
    return event("cpu", number, LOSS, time, text, 0x80, precision)


def tick(time):
    return event("process", 0, 0, time)


def mask(time, text):
    return event("cpu", 0, MASK, time, text)


tool = Tool()


def transfers_row(log, *words):
    return [row for row in tool.rows("io", *words, log) if row["name"] == "sda"][0]


def buckets(log, *words):
    return [bool(row.get("input_bytes_at_least")) for row in tool.rows("io", "--every", "1s", *words, log)]


# ---- when a loss was --------------------------------------------------------------------------------------------------
# The loss lasts from 10 to 18 s, which no precision can say; the log from 9 to 20 s.
long_loss = tool.save("long.bcos", BEGIN, input_of(1, 1000, T - S),
                      loss(0, T, "lost 3 transfers: staging full, until 18.000000000 s", 0xFFFFFFFF),
                      input_of(1, 1000, T + 6 * S), tick(T + 10 * S))
tool.equal("a long loss lasts until its text says", buckets(long_loss), [False] + [True] * 8 + [False] * 2)
for window, least in (("15", "17"), True), (("18.5", "19"), False), (("9", "9.5"), False), (("17", "19"), True):
    rows = tool.rows("io", "--since", window[0], "--until", window[1], long_loss)
    tool.equal("io from %s to %s" % window, "input_bytes_at_least" in rows[-1], least)
# Nobody says when this loss ends, but after 4.29 s the next group tells how things are.
open_loss = tool.save("open.bcos", BEGIN, tick(T - S), loss(0, T, "lost 3 transfers: staging full", 0xFFFFFFFF),
                      tick(T + 7 * S), cpu(0, 0, 0, HISTORICAL, 0xFFFFFFFF), tick(T + 8 * S), tick(T + 10 * S))
tool.equal("a loss without an end lasts to the next group", buckets(open_loss), [False] + [True] * 7 + [False] * 3)
late = tool.save("late.bcos", BEGIN, tick(T - S), input_of(1, 100, T + 100 * MS), input_of(1, 100, T + 2100 * MS),
                 loss(0, T + 3 * S, "lost 2 network interfaces, 5 packets: of other network namespaces, of which 4 "
                      "interfaces are recorded, since 10.000000000 s"), input_of(1, 100, T + 4 * S), tick(T + 5 * S))
tool.equal("a loss that is stated late was where it was", buckets(late), [False, True, True, True, False, False])
tool.equal("also in a window before the statement",
           transfers_row(late, "--since", "10.05", "--until", "10.8").get("input_bytes_at_least"), True)
over = tool.save("over.bcos", BEGIN, tick(T - S), tick(T), loss(0, T + 3 * S, "lost 5 packets: x, since 10.000000000 s, "
                 "until 11.000000000 s"), tick(T + 4 * S))
tool.equal("a loss that was over when it was stated", buckets(over), [False, True, False, False, False])

# The reader was overtaken at 10 and again at 12 s; only the group before 13.5 s tells how things are.
again = tool.save("again.bcos", BEGIN, tick(T - S),
                  event("device", 0xC0000000, OVERTAKEN, T, "missed 5 entries, 120 bytes", 0x80),
                  input_of(1, 100, T + 500 * MS),
                  event("device", 0xC0000000, OVERTAKEN, T + 2 * S, "missed 5 entries, 120 bytes", 0x80), BEGIN,
                  tick(T + 3500 * MS), tick(T + 5 * S))
tool.equal("a reader that is overtaken twice knows nothing from the first time on", buckets(again),
           [False] + [True] * 4 + [False])
tool.equal("also in a window between", tool.rows("io", "--since", "11", "--until", "11.5", again)[-1].get(
    "input_bytes_at_least"), True)
tool.equal("and the list of losses says so", [(row["begin"], row["end"]) for row in tool.rows("losses", again)],
           [(T, T + 3500 * MS), (T + 2 * S, T + 3500 * MS)])

# ---- assignments --------------------------------------------------------------------------------------------------------
# CPU 0 has a up to 10.0 s, nobody knows what up to 11.0 s, and then b; CPU 1 has a all the time.
unseen = tool.save("unseen.bcos", BEGIN, tick(T - S), tick(T + 500 * MS),
                   loss(0, T + S, "lost 1 assignments or more: the kernel told of no switch, since 10.000000000 s"),
                   assign(0, 11, T + S), tick(T + 2 * S))
cpus = {str(row["cpu"]): row for row in tool.rows("cpu", unseen)}
tool.equal("CPU 0 with assignments that were missed before the statement",
           [cpus["0"][key] for key in ("processes_ns", "unknown_ns")], [2 * S, S])
tool.equal("CPU 1", [cpus["1"][key] for key in ("processes_ns", "unknown_ns")], [3 * S, 0])
tops = {row["name"]: row for row in tool.rows("top", unseen)}
tool.equal("the bounds of a", [tops["a"][key] for key in ("cpu_ns", "cpu_ns_at_least", "cpu_ns_up_to")],
           [4 * S, True, 5 * S])
tool.equal("the bounds of b", [tops["b"][key] for key in ("cpu_ns", "cpu_ns_up_to")], [S, 2 * S])
tool.check("everything that follows from assignments is a lower bound",
           all(tops["a"].get(key + "_at_least") for key in ("share", "turns", "instructions")))
tool.check("people see both bounds", "4000.0 to 5000.0 ms" in tool.run("top", unseen)[1])
tool.equal("a window after it is exact", [row.get("cpu_ns_at_least") for row in
                                         tool.rows("top", "--since", "11.5", "--until", "11.8", unseen)], [None] * 5)
# 200 us of 10 s change nothing that is printed of a second or more.
short = tool.save("short.bcos", BEGIN, tick(T - S), loss(0, T, "lost 3 assignments: staging full, until 10.000200000 s",
                                                        200000), assign(0, 10, T + MS // 5), tick(T + 90 * S))
text = tool.run("top", short)[1].splitlines()
tool.check("a bound that cannot be seen has no mark", [line for line in text if " a " in line and ">=9" not in line
                                                       and "182.0 s " in line], "\n".join(text))

# ---- kinds --------------------------------------------------------------------------------------------------------------
quiet = tool.save("quiet.bcos", BEGIN, mask(T, "class mask 0x21f -> 0x21d: irq off"), input_of(1, 5, T + MS),
                  input_of(1, 5, T + 100 * MS))
row = transfers_row(quiet)
tool.equal("without interrupts, bytes are exact and interrupts are not",
           [row.get(key) for key in ("input_bytes_at_least", "inputs_at_least", "interrupts_at_least",
                                     "latencies_at_least")], [None, None, True, True])
births = tool.save("births.bcos", BEGIN, tick(T), loss(0, T + MS, "lost 2 births and deaths: staging full, until "
                                                       "10.050000000 s", 49 * MS), name(12, "c", T + 200 * MS), tick(T + S))
rows = tool.rows("processes", "--short", births)
tool.check("lost births make numbers of lives lower bounds", rows and all(row["count_at_least"] for row in rows))
tool.check("and leave CPU time exact", not any("cpu_ns_at_least" in row for row in rows))
bright = tool.save("bright.bcos", core(0, 0, 0xFFFF, 0xFFFF, (1000, 600), HISTORICAL, 0xFFFFFFFF), BEGIN[28:],
                   tick(T), assign(0, 10, T), tick(T + S))
power = [row for row in tool.rows("power", bright) if str(row["core"]) == "0"]
tool.check("where the power is a lower bound, the efficiency is an upper one",
           power and power[0].get("million_instructions_per_joule_at_most"), power)

# Process 10 has CPU 0 up to 10.0 s, 10 ms are lost, and it has it again up to 10.09 s; CPU 1 is idle. The core executes 8 or, with
# both CPUs busy, 9.6 million instructions a second, and uses 0.1 W and 0.2 W more. So 80 ms are 640,000 instructions and 0.024 J;
# 10 ms are at most 96,000 instructions and, since the log does not tell that a CPU was busy, at least 0.001 J. Of the 10 s from
# 10.0 s on the log has 50 ms: 320,000 of 480,000 instructions are known, and 0.012 J.
dark = tool.save("dark.bcos", core(0, 0, 50, 100, (1000, 600), HISTORICAL, 0xFFFFFFFF), BEGIN[28:],
                 assign(1, IDLE, T - 40 * MS), loss(0, T, "lost 3 assignments: staging full, until 10.010000000 s", 10 * MS),
                 assign(0, 10, T + 10 * MS), tick(T + 50 * MS))
rows = tool.rows("power", dark) + tool.rows("power", "--every", "10s", dark)[1:]
tool.equal("lost assignments make the efficiency of all cores, of a core and of a stretch an upper bound",
           [(round(row["million_instructions_per_joule"], 9), row.get("million_instructions_per_joule_at_most"))
            for row in rows], [(29.44, True), (29.44, True), (32.0, True)])
tool.equal("and what is used of the core in that stretch a lower one", [(round(rows[2]["used"], 9), rows[2].get("used_at_least"))],
           [(round(0.32 / 0.48, 9), True)])
tool.check("people see it", "<=29.440" in tool.run("power", dark)[1], tool.run("power", dark)[1])

# ---- damage -------------------------------------------------------------------------------------------------------------
# Process 10 has CPU 0 up to 10.1 s, 11 has CPU 1. Then bytes are no entries, up to a group. At 10.5 s 10 has CPU 0, and CPU 1 is idle.
BUSY = group(assigned=10) + assign(1, 11, T)
torn = tool.save("torn.bcos", BUSY, tick(T + 100 * MS), b"\x05\x00no entry, nor another", group(assigned=10, since=T + 300 * MS)[:-24],
                 assign(1, IDLE, T + 450 * MS, HISTORICAL), tick(T + 500 * MS), tick(T + 700 * MS))


def cpus_of(words, log):
    status, out, _ = tool.run(*words, "--json", log)
    return [(row["processes_ns"] // MS, row["idle_ns"] // MS, row["unknown_ns"] // MS, row.get("processes_ns_at_least"))
            for row in (json.loads(line) for line in out.splitlines()) if row["cpu"] != "all"]


tool.equal("between damage and the next group, what CPUs do is unknown", cpus_of(("cpu",), torn),
           [(300, 0, 400, True), (100, 200, 400, True)])
rest = tool.save("rest.bcos")
with open(rest, "wb") as out:
    subprocess.run([tool.program, "cat", torn], stdout=out, stderr=subprocess.DEVNULL, check=False)
tool.equal("a copy of the entries that are whole tells it as well", cpus_of(("cpu",), rest), [(300, 0, 400, True), (100, 200, 400, True)])
tool.equal("and losses lists it", [(row["begin"], row["end"]) for row in tool.rows("losses", torn)], [(T + 100 * MS, T + 500 * MS)])

# ---- the list -----------------------------------------------------------------------------------------------------------
rows = tool.rows("losses", unseen)
tool.equal("losses: from, to, length, CPU, how many, why, and when it was stated",
           [[row[key] for key in ("begin", "end", "length_ns", "cpu", "count", "why", "stated_at")] for row in rows],
           [[T, T + S, S, 0, 1, "the kernel told of no switch", T + S]])
tool.equal("losses: a class that was off", [[row[key] for key in ("begin", "end", "kinds", "what")] for row in
                                           tool.rows("losses", quiet)], [[T, T + 100 * MS, "interrupts", "class irq"]])
gap = tool.save("gap.bcos", BEGIN, tick(T), event("device", 0xC0000000, OVERTAKEN, T + MS,
                                                  "missed 500 entries, 12000 bytes", 0x80), BEGIN, tick(T + 5 * MS))
tool.equal("losses: a reader that was overtaken", [[row[key] for key in ("begin", "end", "count")] for row in
                                                  tool.rows("losses", gap)], [[T + MS, T + 5 * MS, 500]])
tool.equal("losses: of a window", len(tool.rows("losses", "--since", "12", unseen)), 0)
status, out, err = tool.run("losses", tool.save("none.bcos", BEGIN, tick(T)))
tool.equal("losses: an empty list says so", [status, err], [0, "bcoslog: the log has no stated loss\n"])

# ---- the story of a thread -----------------------------------------------------------------------------------------------
STATE = 0xC0000003


def state(text, time):
    return event("process", 10, STATE, time, "thread 10 " + text, 0)


# The thread runs, blocks at 10.01 s, is woken at 10.07 s and runs from 10.08 s on; records were lost from 10.02 to 10.05 s.
told = tool.save("told.bcos", BEGIN, tick(T), state("runs on CPU 0 at priority 120", T + MS), assign(0, 10, T + MS),
                 state("blocked", T + 10 * MS), assign(0, 11, T + 10 * MS),
                 loss(0, T + 20 * MS, "lost 9 records: staging full, until 10.050000000 s", 30 * MS), assign(0, 11, T + 60 * MS),
                 state("woken by process 11 thread 11 on CPU 0", T + 70 * MS), state("runs on CPU 0 at priority 120", T + 80 * MS),
                 assign(0, 10, T + 80 * MS), tick(T + 100 * MS))
page = json.loads(tool.run("story", "10", "--json", told)[1])
tool.check("each number of a thread, of events and of programs is a lower bound",
           all(page["thread_times"][0].get(key + "_at_least") for key in ("cpu_ns", "turns", "waits", "wakeups")) and
           page.get("event_count_at_least") and page.get("exec_count_at_least"), page)
tool.check("people see it", ">=1 time for a CPU" in tool.run("story", "10", told)[1].split("off CPUs")[0])

# ---- ends ---------------------------------------------------------------------------------------------------------------
# Two ends are lost from 10 to 11 s. Whatever the log has of process 10 after that says that it lives; before that, nothing does.
BEGAN = group(processes=((10, "a"), (11, "b")))
ENDS = event("cpu", 0, LOSS, T, "lost 2 deaths: staging full, until 11.000000000 s", 0x80)
told = {"nothing": b"", "a state of a thread": event("process", 10, 0xC0000003, T + 2 * S, "thread 10 blocked"),
        "a call": entry(0x0011, 10, T + 2 * S, bytes(4)), "an event": event("process", 10, 1, T + 2 * S, "hello"),
        "another's event": event("process", 11, 1, T + 2 * S, "hello")}
for what, part in told.items():
    file = tool.save("ends.bcos", BEGAN, tick(T - S), ENDS, part, tick(T + 4 * S))
    tool.equal("the end of a process may be lost, and then there is " + what,
               [row["how"] for row in tool.rows("processes", "--process", "10", file)],
               ["alive, or its end was lost" if what in ("nothing", "another's event") else "alive"])
file = tool.save("ends.bcos", BEGAN, tick(T - S), event("process", 10, 1, T - S // 2, "hello"), ENDS, tick(T + 4 * S))
tool.equal("an event from before the loss proves nothing", [row["how"] for row in tool.rows("processes", "--process", "10", file)],
           ["alive, or its end was lost"])
status, out, err = tool.run("cpu", unseen)
tool.check("a report names the kinds and the command", "1 loss, of assignments:" in err and "bcoslog losses" in err, err)
# ---- threads ------------------------------------------------------------------------------------------------------------
# 50 threads of process 10 have CPU 0 for 10 ms each. With losses of both kinds, some turns and threads may be missing.
STATE = 0xC0000003


def threads(*parts):
    turns = [event("process", 10, STATE, T + n * 10 * MS, "thread %d runs on CPU 0 at priority 120" % (100 + n), 0) +
             assign(0, 10, T + n * 10 * MS) for n in range(50)]
    return tool.save("threads.bcos", group(devices=DEVICES, since=5 * S), *turns[:25], *parts, *turns[25:],
                     tick(T + 500 * MS))


def others():
    story = tool.rows("story", "10", "threads.bcos")[0]
    return [bool(story.get(key + "_at_least")) for key in ("other_threads", "other_threads_ns")]


threads()
tool.equal("the threads of which a story has only the sum", others(), [False, False])
threads(loss(0, T + 241 * MS, "lost 1 assignments, 2 task states: staging full, until 10.245000000 s"))
tool.equal("may be more, and have run for longer, where entries were lost", others(), [True, True])
tool.check("also for people", any(line.split()[:2] == ["and", ">="] or " more: >=" in line for line in
                                  tool.run("story", "10", "threads.bcos")[1].splitlines()), tool.run("story", "10", "threads.bcos")[1])

tool.end()
