# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
bcoslog why: the end of a chain of waits is to blame, what is lost is unknown, and the rows add up to the window to the
nanosecond, also in logs that make no sense.
"""
import random

from made import IDLE, LOSS, MASK, MS, S, Tool, assign, cancel, event, group, name

tool = Tool()
STATE = 0xC0000003
T = 10 * S


def state(process, text, time):
    return event("process", process, STATE, time, text, 0)


def runs(process, cpu, time, thread=None):
    return state(process, "thread %d runs on CPU %d at priority 120" % (thread or process, cpu), time) + assign(cpu, process, time)


def blocks(process, time, how="blocked", thread=None):
    return state(process, "thread %d %s" % (thread or process, how), time)


def woken(process, by, time, thread=None):
    waker = "an interrupt" if by is None else "process %d thread %d" % (by, by)
    return state(process, "thread %d woken by %s on CPU 0" % (thread or process, waker), time)


PEOPLE = group(2, ((10, "asks"), (20, "passes on"), (30, "works")), since=S)


def at(ms):
    return T + ms * MS


# Thread 10 asks 20, which asks 30, at 100 and 200 ms. 30 runs to 350 ms, 20 waits 30 ms for the CPU, runs 20 ms and answers.
# Then 10 waits 100 ms for an interrupt that no signal can replace, and blocks again at 700 ms until the end at 800 ms.
CHAIN = (runs(10, 0, at(0)) + blocks(10, at(100)) + runs(20, 0, at(100)) + blocks(20, at(200)) + runs(30, 0, at(200)) +
         woken(20, 30, at(350)) + runs(20, 0, at(380)) + woken(10, 20, at(400)) + blocks(20, at(420)) +
         runs(10, 0, at(420)) + blocks(10, at(500), "blocked, not to be interrupted") + assign(0, IDLE, at(500)) +
         woken(10, None, at(600)) + runs(10, 0, at(601)) + blocks(10, at(700)) + assign(0, IDLE, at(700)))
END = event("process", 0, 0, at(800), "end")


def ask(log, *words):
    found = tool.rows("why", *words, log)
    return found[0] if found else {}


def rows(answer):
    """Return: what the answer says: (cause, process, what that does) -> ms."""
    return {(row["cause"], row.get("process"), row.get("doing")): row["ns"] / MS for row in answer.get("rows", ())}


log = tool.save("chain.log", PEOPLE, CHAIN, END)
answer = ask(log, "10")
tool.equal("a chain of waits ends at who had the answer to make", rows(answer), {
    ("running", None, None): 279, ("ready", None, None): 21, ("interrupt", None, None): 100,
    ("still_blocked", None, None): 100, ("thread", 20, "running"): 120, ("thread", 20, "ready"): 30,
    ("thread", 30, "running"): 150})
ready = [row for row in answer["rows"] if row["cause"] == "ready"][0]
tool.equal("who had the CPU instead", ([(r["process"], r["ns"] / MS) for r in ready["instead"]], ready["idle_ns"] / MS),
           ([(20, 20)], 1))
tool.equal("waits that signals cannot end", (answer["uninterruptible_ns"] / MS, answer["blocked"]), (100, 3))
tool.equal("the longest waits", [(w["state"], (w["begin"] - T) / MS, (w["end"] - T) / MS, w["open"]) for w in answer["longest"]],
           [("blocked", 100, 400, False), ("blocked", 500, 600, False), ("blocked", 700, 800, True)])

# From 150 ms on, 20 runs 50 ms, then 30 for 150; 20 is ready for 30, and runs 20.
answer = ask(log, "asks", "--since", "10.15")
tool.equal("a part of a wait is explained as far as it lies in the window", rows(answer), {
    ("running", None, None): 179, ("ready", None, None): 21, ("interrupt", None, None): 100,
    ("still_blocked", None, None): 100, ("thread", 20, "running"): 70, ("thread", 20, "ready"): 30,
    ("thread", 30, "running"): 150})
tool.equal("what the window cuts is longer, and that is marked", [(w["state"], (w["end"] - w["begin"]) / MS, w["cut"])
                                                                  for w in answer["longest"]],
           [("blocked", 250, True), ("blocked", 100, False), ("blocked", 100, False)])
page = tool.run("why", "10", "--since", "10.15", log)[1]
tool.check("also for people", ">=250.000 ms" in page and page.count(">=") == 1, page)
# Thread 20 is woken at 350 and runs at 380 ms.
tool.equal("so is a wait for a CPU", [(w["state"], (w["end"] - w["begin"]) / MS, w["cut"])
                                      for w in ask(log, "20", "--since", "10.36", "--until", "10.39")["longest"]], [("ready", 20, True)])
tool.equal("and not one that begins within the window", [w["cut"] for w in ask(log, "20", "--since", "10.34", "--until", "10.39")["longest"]
                                                         if w["state"] == "ready"], [False])
answer = ask(log, "asks", "--since", "10.15", "--until", "10.36")
tool.equal("the window ends before the wait", (rows(answer), answer.get("ns")), ({("still_blocked", None, None): 210}, 210 * MS))

# A thread that slept before the window and sleeps at its end hangs.
answer = ask(log, "10", "--since", "10.75")
tool.equal("who sleeps through the window hangs", rows(answer), {("still_blocked", None, None): 50})

lost = event("cpu", 0, LOSS, at(300), "lost 2 task states: staging full, until %d.%09d s" % divmod(at(300), S), 0x80)
whole = tool.save("lost.log", PEOPLE, CHAIN[:CHAIN.index(woken(20, 30, at(350)))], lost,
                  CHAIN[CHAIN.index(woken(20, 30, at(350))):], END)
tool.equal("a wait in which states were lost is not in the log, and nobody is to blame for it", rows(ask(whole, "10")), {
    ("running", None, None): 279, ("ready", None, None): 21, ("unknown", None, None): 300, ("interrupt", None, None): 100,
    ("still_blocked", None, None): 100})

# The 300 ms that are not in the log may have been any of the others, so these are lower bounds. What is not in the log is exact.
answer = ask(whole, "10")
tool.equal("beside time that is not in the log, the others are lower bounds",
           [[row["cause"] for row in answer["rows"] if bool(row.get("ns_at_least")) == least] for least in (False, True)],
           [["unknown"], ["running", "ready", "interrupt", "still_blocked"]])
tool.check("so are the sums of places, waits, CPUs and of who ran instead",
           answer.get("blocked_at_least") and answer.get("uninterruptible_ns_at_least") and
           all(row.get("ns_at_least") and row.get("times_at_least") for row in answer["where"]) and
           all(row.get("ns_at_least") for of in answer["rows"] for row in of.get("cpus", []) + of.get("instead", [])), answer)
tool.equal("and nothing is without a loss", [key for key in str(ask("chain.log", "10")).split("'") if "at_least" in key], [])
page = tool.run("why", "10", whole)[1].splitlines()
tool.check("people see it", any(line.split()[:4] == [">=279.000", "ms", ">=34.9", "%"] for line in page) and
           any(line.split()[:4] == ["300.000", "ms", "37.5", "%"] for line in page) and
           any(line.split()[:2] == [">=20.000", "ms"] and '"passes on"' in line for line in page), "\n".join(page))
# Who ended the wait of 300 ms is not told: it may have been the interrupt's kind, or the thread that ended the other wait.
log = tool.save("untold.log", PEOPLE, runs(10, 0, at(0)), blocks(10, at(100)), assign(0, IDLE, at(100)), runs(10, 0, at(400)),
                blocks(10, at(500)), runs(20, 0, at(500)), woken(10, 20, at(600)), runs(10, 0, at(600)), END)
tool.equal("where the waker of a wait is not told, others may be to blame for more",
           [(row["cause"], row["ns"] / MS, bool(row.get("ns_at_least"))) for row in ask(log, "10")["rows"]],
           [("running", 400, False), ("waker_unknown", 300, False), ("thread", 100, True)])

# Thread 20 takes the CPU from 10, and assignments of CPU 1 are lost from 400 to 700 ms: 10 may have run there.
log = tool.save("moved.log", PEOPLE, runs(10, 0, at(0)), runs(20, 0, at(100)), event(
    "cpu", 1, LOSS, at(400), "lost 2 assignments: staging full, until %d.%09d s" % divmod(at(700), S), 0x80), END)
tool.equal("who may have run unseen is not known to be ready", rows(ask(log, "10")), {("running", None, None): 100, ("unknown", None, None): 700})
log = tool.save("returned.log", PEOPLE, runs(10, 0, at(0)), runs(20, 0, at(100)), event(
    "cpu", 1, LOSS, at(400), "lost 2 assignments: staging full, until %d.%09d s" % divmod(at(700), S), 0x80), runs(10, 0, at(750)), END)
tool.equal("nor when it comes back", rows(ask(log, "10")), {("running", None, None): 150, ("unknown", None, None): 650})
log = tool.save("stayed.log", PEOPLE, runs(10, 0, at(0)), runs(20, 0, at(100)), END)
tool.equal("without the loss it is", rows(ask(log, "10")), {("running", None, None): 100, ("ready", None, None): 700})

# The log names thread 20 as the waker, and has no state of it.
log = tool.save("absent.log", PEOPLE, runs(10, 0, at(0)), blocks(10, at(100)), assign(0, IDLE, at(100)), woken(10, 20, at(300)),
                runs(10, 0, at(300)), END)
tool.equal("a waker without times", rows(ask(log, "10")), {("running", None, None): 600, ("thread_unseen", None, None): 200})
page = tool.run("why", "10", log)[1]
tool.check("the page does not say that the log does not tell who woke it", "a thread of which the log has no times" in page and
           "does not tell" not in page, page)

# That thread 10 blocked may have been up to 50 ms later; what is imprecise of thread 20 does not matter for it.
log = tool.save("imprecise.log", PEOPLE, runs(10, 0, at(0)), event("process", 10, STATE, at(100), "thread 10 blocked", 0, 50 * MS),
                assign(0, IDLE, at(100)), event("process", 20, STATE, at(150), "thread 20 blocked", 0, 90 * MS),
                woken(10, None, at(300)), runs(10, 0, at(310)), END)
tool.equal("the precision of times", ([ask(log, "10", *words)["precision_ns"] for words in ((), ("--since", "10.2"))]), [50 * MS, 1])
tool.check("is marked for people", "Precision of its times: +50ms\n" in tool.run("why", "10", log)[1] and
           "recision" not in tool.run("why", "10", "--since", "10.2", log)[1])

code, out, err = tool.run("why", "10", log)
tool.check("the page for people begins with the thread and its time",
           not code and out.startswith('Process 10 "asks", thread 10, from 10.000000000:\n') and "800.000 ms" in out, out + err)
tool.check("and fits a terminal", max(map(len, out.splitlines())) <= 80, out)

for words, named in ((("why", "77", log), "77"), (("why", "--thread", "99", "10", log), "99"), (("why", "10", "--csv", log), "csv"),
                     (("why",), "PROCESS"), (("why", log), "PROCESS")):
    code, out, err = tool.run(*words)
    tool.check("%s is refused, and the complaint says what of it" % " ".join(words[:-1]), code == 2 and named in err and not out, err)
twins = tool.save("twins.log", group(2, ((10, "twin"), (20, "twin"), (30, "works")), since=S), CHAIN, END)
code, out, err = tool.run("why", "twin", twins)
tool.check("if several processes fit, the complaint has their numbers", code == 2 and "10, 20" in err and not out, err)
silent = tool.save("silent.log", PEOPLE, assign(0, 10, at(1)), END)
code, out, err = tool.run("why", "10", silent)
tool.check("a log without states says which class has them", code == 2 and "state" in err and not out, err)


# Thread 21 of process 20 runs once, and the log states its end before the assignment that ends its turn; thread 22 lives.
short = (runs(20, 0, at(0), 22) + blocks(20, at(10), thread=22) + runs(20, 0, at(10), 21) + blocks(20, at(60), "dead", 21) +
         assign(0, IDLE, at(60)))
log = tool.save("short.log", PEOPLE, short, END)
answer = ask(log, "20", "--thread", "21")
tool.equal("a thread that ran once ends when the log says so",
           (rows(answer), answer.get("threads")), ({("running", None, None): 50, ("unknown", None, None): 10}, 2))
code, out, err = tool.run("why", "--thread", "21", "20", log)
tool.check("the page says nothing of a choice that the user made", not code and "busiest" not in out, out + err)
code, out, err = tool.run("why", "20", "--thread", "21", "--since", "10.5", log)
tool.check("a thread that ended before the window has no time in it", code == 2 and "21" in err and not out, out + err)
tool.equal("nor is it among those of the process", ask(log, "20", "--since", "10.5").get("threads"), 1)


def comes(process, cpu, ms):
    """A CPU switches to a thread that is in a system call, which the class kernel_time counts for the kernel."""
    return state(process, "thread %d runs on CPU %d at priority 120" % (process, cpu), at(ms)) + assign(cpu, 0, at(ms))


# Thread 10 is in system calls from 50 to 60, from 100 on, where it blocks at 110, is woken at 200 and has a CPU again at 210,
# to 220, and from 300 to 360 ms, less 310 to 350, when 20 had taken its CPU; then to the end, of which the log tells no more.
CALLS = (runs(10, 0, at(0)) + assign(0, 0, at(50)) + assign(0, 10, at(60)) + assign(0, 0, at(100)) + blocks(10, at(110)) +
         assign(0, IDLE, at(110)) + woken(10, None, at(200)) + comes(10, 0, 210) + assign(0, 10, at(220)) + assign(0, 0, at(300)) +
         runs(20, 0, at(310)) + comes(10, 0, 350) + assign(0, 10, at(360)) + assign(0, 0, at(390)) + assign(0, 10, at(395)) +
         assign(0, 0, at(790)))
log = tool.save("calls.log", PEOPLE, CALLS, END)
answer = ask(log, "10")
tool.equal("a system call is no wait, and what came before it is none of it", rows(answer), {
    ("running", None, None): 50 + 40 + 80 + 30 + 395, ("system_call", None, None): 10 + 10 + 10 + 10 + 10 + 5 + 10,
    ("interrupt", None, None): 90, ("ready", None, None): 10 + 40})
tool.equal("the longest waits beside system calls", [(w["state"], (w["begin"] - T) / MS, (w["end"] - T) / MS) for w in answer["longest"]],
           [("blocked", 110, 200), ("ready", 310, 350), ("ready", 200, 210)])
# The log does not show that the class is on: the kernel may also have taken the CPU from thread 10.
log = tool.save("taken.log", PEOPLE, runs(10, 0, at(0)), assign(0, 0, at(100)), END)
tool.equal("who has lost its CPU to the kernel is not known to be in a system call", rows(ask(log, "10")),
           {("running", None, None): 100, ("unknown", None, None): 700})

# Neither thread of process 10 runs in the window.
log = tool.save("idle.log", PEOPLE, runs(10, 0, at(0), 11), blocks(10, at(1), thread=11), runs(10, 0, at(1), 12),
                blocks(10, at(2), thread=12), assign(0, IDLE, at(2)), END)
page = tool.run("why", "10", "--since", "10.5", log)[1]
tool.check("of threads that sleep none is the busiest", "one of 2, none of which ran" in page and "busiest" not in page, page)
tool.check("of others one is", "the busiest of 2" in tool.run("why", "10", log)[1])

# The class is on, and nobody changes its state: that is another reason than a class that is off.
log = tool.save("quiet.log", PEOPLE, event("cpu", 0, MASK, at(0), "class mask 0x1f -> 0x11f: state on"), assign(0, 10, at(1)), END)
code, out, err = tool.run("why", "10", log)
tool.check("a log with the class and without a state asks for no other classes", code == 2 and "--classes" not in err and err, err)

# Other classes change; thread 20 sleeps on for all that.
log = tool.save("mask.log", PEOPLE, runs(20, 0, at(0)), blocks(20, at(10)), assign(0, IDLE, at(10)),
                event("cpu", 0, MASK, at(100), "class mask 0x%x -> 0x%x: api on" % (0x31F, 0x33F)), END)
tool.equal("a class that does not matter leaves no doubt", rows(ask(log, "20")),
           {("running", None, None): 10, ("still_blocked", None, None): 790})

# Process 30 has a CPU, but the log tells of no thread of it.
log = tool.save("nobody.log", PEOPLE, CHAIN[:0], runs(10, 0, at(0)), assign(1, 30, at(5)), END)
code, out, err = tool.run("why", "30", log)
tool.check("a process without threads in the log is no choice", code == 2 and "thread 0" not in err and not out, err)


def adds_up(answer):
    """Return: whether the rows are all of the time, and what is told of a row is all of it."""
    good = sum(row["ns"] for row in answer["rows"]) == answer["ns"] and all(row["ns"] > 0 for row in answer["rows"])
    for row in answer["rows"]:
        if row["cause"] == "running":
            good &= sum(each["ns"] for each in row["cpus"]) == row["ns"]
        if row["cause"] == "ready":
            good &= sum(each["ns"] for each in row["instead"]) + row["kernel_ns"] + row["idle_ns"] + row["unknown_ns"] == row["ns"]
    return good


def chaos(seed):
    """A log of threads that wake, run and block without sense."""
    dice, parts, time = random.Random(seed), [PEOPLE], T
    for _ in range(200):
        time += dice.choice((0, 1, dice.randrange(5 * MS)))
        process, thread, cpu = dice.choice((10, 20, 30)), dice.choice((10, 20, 30, 31)), dice.randrange(2)
        parts.append(dice.choice((
            lambda: runs(process, cpu, time, thread), lambda: runs(process, cpu, time, thread),
            lambda: blocks(process, time, dice.choice(("blocked", "stopped", "blocked, not to be interrupted")), thread),
            lambda: woken(process, dice.choice((None, 0, 10, 20, 30)), time, thread),
            lambda: assign(cpu, dice.choice((0, IDLE, 10, 20, 30)), time),
            lambda: blocks(process, time, "dead", thread) if dice.random() < .2 else b"",
            lambda: cancel(30, time) + name(30, "works", time) if dice.random() < .1 else b"",
            lambda: event("cpu", cpu, LOSS, time, "lost 2 task states: staging full, until %d.%09d s" % divmod(time, S), 0x80)
            if dice.random() < .1 else b""))())
    return b"".join(parts) + event("process", 0, 0, time + MS, "end")


# Digits: thread 10 blocks in futex (202; state 0, call: "G" is 16, then "A" and "3": 202 is 10 + 3 * 64), hard in write (1) for
# I/O (1 + 8 + 16 is 25, "P"), and hard in a page fault (1 + 2 * 16 is 33, "X"). It is woken by the end of a request (6) on CPU 0.
LEFT, RUNS, WOKEN = 0xC0000008, 0xC0000009, 0xC000000A


def told(number, text, time):
    return event("process", 10, number, time, text, 0)


def again(time):
    return told(WOKEN, "6000", time) + told(RUNS, "000", time) + assign(0, 10, time)


DIGITS = (told(RUNS, "000", at(0)) + assign(0, 10, at(0)) + told(LEFT, "GA3", at(100)) + assign(0, IDLE, at(100)) + again(at(130)) +
          told(LEFT, "P10", at(200)) + assign(0, IDLE, at(200)) + again(at(250)) + told(LEFT, "P10", at(300)) +
          assign(0, IDLE, at(300)) + again(at(304)) + told(LEFT, "X00", at(400)) + assign(0, IDLE, at(400)) + again(at(402)))
log = tool.save("digits.log", PEOPLE, DIGITS, END)
answer = ask(log, "10")
tool.equal("where it was blocked", [(w["place"], w.get("call"), w.get("call_name"), w["io"], w["uninterruptible"], w["ns"] / MS, w["times"])
                                    for w in answer["where"]],
           [("call", 1, "write", True, True, 54, 2), ("call", 202, "futex", False, False, 30, 1),
            ("outside", None, None, False, True, 2, 1)])
tool.equal("a request that ended woke it each time", {k: v for k, v in rows(answer).items() if k[0] in ("disk", "interrupt", "timer")},
           {("disk", None, None): 86})
tool.check("the places add up to the waits", sum(w["ns"] for w in answer["where"]) == 86 * MS)
page = tool.run("why", "10", log)[1]
tool.check("and a page says so", all(line in page for line in (
    "54.000 ms             waiting for I/O (write), 2 times", "30.000 ms             waiting for a lock or a condition (futex), 1 time",
    "2.000 ms             in a page fault, 1 time")), page)
dump = tool.run("dump", log)[1]
tool.check("dump has words", '"thread 10 blocked in futex"' in dump and '"thread 10 blocked in a page fault, not to be interrupted"' in dump and
           '"thread 10 woken by the end of a request to a disk on CPU 0"' in dump, dump)
tool.check("so has text", "thread 10 blocked in write, for I/O, not to be interrupted" in tool.run("text", "--severity", "0", log)[1])

# What the log lacks: the classes by default are 0x21f, state is 0x100, request 0x800, assign 1. A log without a statement
# and without a request has none of them.
def classes(old, new, time):
    return event("cpu", 0, MASK, time, "class mask %#x -> %#x: and so on" % (old, new), 0)


def lacks_of(*parts):
    log = tool.save("lacks.log", *parts)
    return ask(log, "10").get("lacks"), tool.run("why", "10", log)[1]


WHOSE = "The class request was off, so the log does not tell whose requests the disk served: bcoslog record keeps it\n"
lacks, page = lacks_of(PEOPLE, DIGITS, END)
tool.check("without requests nobody knows whose they were", lacks == ["request"] and WHOSE in page, (lacks, page))
lacks, page = lacks_of(PEOPLE, classes(0x21f, 0xf1f, at(0) - 1), DIGITS, END)
tool.check("with the class another report tells", lacks == [] and "bcoslog io --by process" in page and "was off" not in page, (lacks, page))
lacks, page = lacks_of(PEOPLE, classes(0xf1f, 0x71f, at(0) - 1), DIGITS, END)
tool.check("a class that was turned off is missing", lacks == ["request"] and WHOSE in page, (lacks, page))
lacks, page = lacks_of(PEOPLE, classes(0x21f, 0xf1f, at(0) - 1), DIGITS, classes(0xf1f, 0xe1f, at(700)), END)
tool.check("so are state", lacks == ["state"] and "The class state was off, so the log does not tell what it waited for: "
           "bcoslog record keeps it\n" in page, (lacks, page))
lacks, page = lacks_of(PEOPLE, classes(0x21f, 0xf1f, at(0) - 1), DIGITS, classes(0xf1f, 0xf1e, at(700)), END)
tool.check("and assign", lacks == ["assign"] and "The class assign was off, so the log does not tell who had the CPUs: "
           "bcoslog record keeps it\n" in page, (lacks, page))
lacks, page = lacks_of(PEOPLE, CHAIN, END)
tool.check("who waits for no disk misses no request", lacks == [] and "was off" not in page and "io --by" not in page, (lacks, page))
code, out, err = tool.run("why", "10", tool.save("stateless.log", PEOPLE, assign(0, 10, at(0)), assign(0, IDLE, at(100)), END))
tool.check("without states the command that records them is named", code == 2 and not out and "bcoslog record keeps that (class state)" in err, err)

# Hard (1 + 16 is 17, "H") in read (0), which does not wait for data then, and in fsync (74 is 10 + 64).
log = tool.save("hard.log", PEOPLE, told(RUNS, "000", at(0)), assign(0, 10, at(0)), told(LEFT, "H00", at(100)), assign(0, IDLE, at(100)),
                again(at(130)), told(LEFT, "HA1", at(200)), assign(0, IDLE, at(200)), again(at(220)), END)
page = tool.run("why", "10", log)[1]
tool.check("where signals do not wake it, a call says less", all(line in page for line in (
    "30.000 ms             in read, where signals do not wake it, 1 time",
    "20.000 ms             waiting for data to be on the disk (fsync), 1 time")), page)
# A call that has no number (2047 is 63 + 31 * 64, "_V"), whoever woke the thread is lost (8). Device 1 (5; 1 rotated is 4)
# wakes it on CPU 1 (bit 7: 2 * 64), 10 ns ("A") before.
log = tool.save("numberless.log", PEOPLE, told(RUNS, "000", at(0)), assign(0, 10, at(0)), told(LEFT, "G_V", at(100)), assign(0, IDLE, at(100)),
                told(RUNS, "800", at(130)), assign(0, 10, at(130)), told(LEFT, "G10", at(200)), assign(0, IDLE, at(200)),
                told(RUNS, "520A41", at(220)), assign(0, 10, at(220)), END)
tool.equal("a call without a number has none", [(w["place"], w.get("call"), w["ns"]) for w in ask(log, "10")["where"]],
           [("call", None, 30 * MS), ("call", 1, 20 * MS - 10)])
tool.check("nor in words", "30.000 ms             in a system call without a number, 1 time" in tool.run("why", "10", log)[1])
told_of = [row for row in tool.rows("dump", log) if "thread_state" in row]
tool.equal("dump --json has no number of it, either", [(row.get("place"), row.get("call")) for row in told_of if row["thread_state"] == "blocked"],
           [("call", None), ("call", 1)])
tool.equal("but who woke it, where and when", [row.get("woken_by", "untold") for row in told_of if row["thread_state"] == "runs"],
           ["untold", None, {"interrupt": True, "kind": "device", "device": 1, "cpu": 1, "ns_before": 10}])

SEEDS = 60
wrong, asked = [], 0
for seed in range(SEEDS):
    file = tool.save("chaos.log", chaos(seed))
    for words in (("10",), ("20", "--since", "10.1"), ("30", "--thread", "31"), ("20", "--until", "10.2")):
        code, out, err = tool.run("why", *words, "--json", file)
        if code == 2 and not out:
            continue
        answer = ask(file, *words)
        asked += 1
        if code or not adds_up(answer):
            wrong.append((seed, words, code, err))
tool.check("the rows of %d random logs add up" % SEEDS, not wrong and asked > SEEDS, "asked %d, wrong %r" % (asked, wrong[:3]))
# Thread 10 of /q/a has the CPU to 100 ms, and again from 180 on. The quota of /q, which is 20 of 100 ms, held it back for at most 80;
# /qq and a group of version 1 are others.
PRESSURE = 0x80000007


def pressure(text, time):
    return event("device", 0xC0000000, PRESSURE, time, text)


log = tool.save("quota.log", PEOPLE, event("process", 10, 0xC000000C, T, 'cgroup "/q/a"'), runs(10, 0, at(0)), runs(20, 0, at(100)),
                pressure('cgroup "/q" in 100000000 quota 20000000 of 100000000 throttled 1 times 30000000', at(100)), runs(10, 0, at(180)),
                pressure('cgroup "/q" in 100000000 quota 20000000 of 100000000 throttled 2 times 50000000 memory 7000000', at(200)),
                pressure('cgroup "/qq" in 100000000 quota 20000000 of 100000000 throttled 1 times 80000000', at(200)),
                pressure('cgroup cpu "/q" in 100000000 throttled 1 times 80000000', at(200)),
                pressure('cgroup "/q" in 100000000 throttled 1 times 80000000 nonsense 1', at(200)), event("process", 0, 0, at(200), "end"))
answer = ask(log, "10")
tool.equal("who throttles the group of a thread", answer.get("quotas"), [{
    "cgroup": "/q", "version_1": False, "span_ns": 200 * MS, "quota_ns": 20 * MS, "period_ns": 100 * MS, "throttled": 3,
    "throttled_ns": 80 * MS, "stalled_cpu_ns": 0, "stalled_io_ns": 0, "stalled_memory_ns": 7 * MS}])
page = tool.run("why", "10", log)[1]
tool.check("the page says so", "      80.000 ms             at most throttled 3 times by the quota of control group /q, 20 of 100 ms\n" in page and
           "For 7.000 ms processes of control group /q waited for memory\n" in page, page)
tool.equal("only in the seconds of the window", [q["throttled"] for q in ask(log, "10", "--since", "10.15")["quotas"]], [2])
# A thread in a group below 39 others: each of them is named, the outermost first.
above = ["/d" * i for i in range(1, 41)]
log = tool.save("deep.log", PEOPLE, event("process", 10, 0xC000000C, T, 'cgroup "%s"' % above[-1]), runs(10, 0, at(0)),
                runs(20, 0, at(100)), *(pressure('cgroup "%s" in 1000 throttled %d times 5' % (path, 1 + i), at(110))
                                        for i, path in enumerate(reversed(above))), event("process", 0, 0, at(200), "end"))
cut = tool.save("cut.log", PEOPLE, event("process", 10, 0xC000000C, T, 'cgroup "/q"...'), runs(10, 0, at(0)), runs(20, 0, at(100)),
                pressure('cgroup "/q"... in 1000 throttled 1 times 5', at(110)), event("process", 0, 0, at(200), "end"))
tool.equal("a path that lacks its beginning says so", [q["cgroup"] for q in ask(cut, "10")["quotas"]], [".../q"])
tool.equal("all groups above", [(q["cgroup"], q["throttled"]) for q in ask(log, "10")["quotas"]],
           [(path, 40 - i) for i, path in enumerate(above)])
tool.end()
