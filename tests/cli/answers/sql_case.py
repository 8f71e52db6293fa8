# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A question in SQL has the answer of the report, and that which follows from how the log was made."""
import os
import random
import shutil
import subprocess
import sys

from made import IDLE, LOSS, MASK, MS, S, Tool, assign, cancel, event, group, interrupt, name, wall_clock

tool = Tool()


def ask(log, statement, *words):
    return tool.rows("sql", *words, log, statement)


def in_order(rows):
    return sorted(rows, key=repr)


def table(log, statement, *words):
    return in_order(tuple(row.values()) for row in ask(log, statement, *words))


# ---- each report is its query ------------------------------------------------------------------------------------------
def reports_are_queries(what, log, *words):
    top = in_order((row["process"], row["name"], row["cpu_ns"], row["turns"]) for row in tool.rows("top", "-n", "0", *words, log)
                   if row["process"] is not None)
    tool.equal("%s: top is the table process" % what, table(log, "SELECT pid, name, cpu_ns, turns FROM process", *words), top)
    tool.equal("%s: and the runs of a process add up to it" % what,
               table(log, "SELECT pid, sum(dur) FROM run WHERE upid IS NOT NULL GROUP BY upid HAVING sum(dur) > 0", *words),
               in_order((row[0], row[2]) for row in top if row[2]))
    lives = in_order((row["process"], row["name"], row["end"], row["turns"]) for row in tool.rows("processes", *words, log))
    tool.equal("%s: processes is the table process" % what,
               table(log, "SELECT pid, name, end_ts, turns FROM process", *words), lives)
    cpus = in_order((row["cpu"], row["online_ns"], row["idle_ns"], row["unknown_ns"]) for row in tool.rows("cpu", *words, log)
                  if row["cpu"] != "all")
    tool.equal("%s: cpu is the table cpu" % what, table(log, "SELECT cpu, online_ns, idle_ns, unknown_ns FROM cpu", *words), cpus)
    tool.equal("%s: and what a CPU did adds up to it" % what,
               table(log, "SELECT cpu, sum(dur) FROM run GROUP BY cpu", *words), [(row[0], row[1]) for row in cpus if row[1]])
    off = in_order((row["begin"], row["span_ns"], row["process"]) for row in tool.rows("offcpu", "--over", "0s", *words, log))
    tool.equal("%s: offcpu is the table off" % what, table(log, "SELECT ts, dur, pid FROM off", *words), off)
    losses = [(row["begin"], row["length_ns"], row["cpu"], row["kinds"], row["count"]) for row in tool.rows("losses", *words, log)]
    tool.equal("%s: losses is the table loss" % what,
               table(log, "SELECT ts, dur, cpu, kinds, count FROM loss WHERE bytes IS NULL", *words), in_order(losses))


def random_log(seed):
    """Two CPUs, processes that come and go, losses, and a class that is off for a while."""
    chance = random.Random(seed)
    parts, time, alive, births = [group(), wall_clock(S, 1700000000 * S)], S, [10, 11], 100
    for _ in range(400):
        time += chance.randrange(1, 5 * MS)
        what = chance.random()
        if what < 0.7:
            parts.append(assign(chance.randrange(2), chance.choice(alive + [0, IDLE]), time))
        elif what < 0.8:
            births += 1
            alive.append(births)
            parts.append(name(births, "p%d" % (births % 7), time))
        elif what < 0.85 and len(alive) > 1:
            parts.append(cancel(alive.pop(chance.randrange(len(alive))), time, chance.choice((0, 0x100, 9))))
        elif what < 0.9:
            parts.append(name(chance.choice(alive), "exec%d" % chance.randrange(5), time))
        elif what < 0.93:
            parts.append(event("cpu", chance.randrange(2), LOSS, time, "lost %d assignments: staging full, until %d.%09d s" % (
                chance.randrange(1, 9), *divmod(time + 10 * MS, S)), 0x80))
        elif what < 0.95:
            parts.append(event("process", chance.choice(alive), 7, time, "hello"))
        else:
            parts.append(interrupt(0xC0000000, 5, time))
    return b"".join(parts)


for seed in range(4):
    made = random_log(seed)
    log = tool.save("random%d.bcos" % seed, made)
    reports_are_queries("random log %d" % seed, log)
    reports_are_queries("a window of it", log, "--since", "1.3", "--until", "1.6")
    hurt, place, number = bytearray(made), 0, 0
    while place < len(made):
        size, number = int.from_bytes(made[place:place + 2], "little"), number + 1
        if number % 67 == 66:
            hurt[place:place + 2] = b"\0\0"
        place += size
    damaged = tool.save("damaged%d.bcos" % seed, bytes(hurt))
    reports_are_queries("a damaged one", damaged)
    tool.check("where it is damaged is missing", ask(damaged, "SELECT count(*) AS n FROM loss WHERE bytes > 0")[0]["n"] > 0, "no damage")

# ---- conditions, pushed down or not --------------------------------------------------------------------------------------
log = tool.path("random1.bcos")
chance = random.Random(5)
for number in range(40):
    shape, columns = chance.choice((("run", ("ts", "dur", "cpu", "pid", "use", "name")), ("event", ("ts", "id", "event_id")),
                                    ("off", ("ts", "dur", "pid", "cpu")), ("interrupt", ("ts", "irq")), ("process", ("pid", "turns")),
                                    ("loss", ("ts", "dur", "cpu"))))
    conditions = []
    for column in chance.sample(columns, min(2, len(columns))):
        value = chance.choice((0, 1, 10, 11, 101, "'p1'", 1.5, "NULL", "'12'", "-3")) if column not in ("ts", "dur") else chance.choice(
            (S + chance.randrange(2 * S), "'x'", 1.4e9, chance.randrange(5 * MS)))
        conditions.append((column, chance.choice(("=", "<", "<=", ">", ">=")), value))
    where = " AND ".join("%s %s %s" % condition for condition in conditions)
    # A column behind a plus is not pushed down, and has no affinity, which CAST gives back.
    plain = " AND ".join("CAST(%s AS %s) %s %s" % (column, "TEXT" if column in ("use", "name") else "INTEGER", how, value)
                         for column, how, value in conditions)
    tool.equal("%s where %s" % (shape, where), table(log, "SELECT %s FROM %s WHERE %s" % (", ".join(columns), shape, where)),
               table(log, "SELECT %s FROM %s WHERE %s" % (", ".join(columns), shape, plain)))
halves = [ask(log, "SELECT sum(dur) AS s, count(*) AS n FROM run WHERE ts %s 1500000000" % how)[0] for how in ("<", ">=")]
whole = ask(log, "SELECT sum(dur) AS s, count(*) AS n FROM run")[0]
tool.equal("the halves are the whole", {key: halves[0][key] + halves[1][key] for key in whole}, whole)

# ---- grouped by the tables, or sorted by SQLite ------------------------------------------------------------------------------
# A column behind a plus is an expression, by which only SQLite can group.
groups = {"run": ("cpu", "use", "upid", "pid", "name", "core"), "off": ("pid", "cpu", "name"), "event": ("id", "event_id", "severity"),
          "process": ("name", "pid", "upid"), "entry": ("type", "source"), "interrupt": ("irq", "device")}
for number in range(60):
    shape = chance.choice(sorted(groups))
    keys = chance.sample(groups[shape], chance.randrange(1, min(3, len(groups[shape])) + 1))
    order = ["%s %s" % (key, chance.choice(("", "DESC"))) for key in keys]
    what = chance.choice(("count(*)", "count(*), max(ts), sum(dur)" if shape in ("run", "off") else "count(*), min(rowid) > 0"))
    how = chance.choice((" WHERE ts > 1500000000" if shape not in ("process",) else "", ""))
    ways = ["SELECT {0}, %s FROM %s%s GROUP BY {1} ORDER BY {2}" % (what, shape, how),
            "SELECT {0}, %s FROM %s%s GROUP BY {1}" % (what, shape, how),
            "SELECT DISTINCT {0} FROM %s%s ORDER BY {2}" % (shape, how), "SELECT DISTINCT {0} FROM %s%s" % (shape, how)]
    way = chance.choice(ways)
    grouped = way.format(", ".join(keys), ", ".join(keys), ", ".join(order))
    by_sort = way.format(", ".join("+%s AS k%d" % (key, n) for n, key in enumerate(keys)), ", ".join("+" + key for key in keys),
                         ", ".join("+" + key for key in order))
    found, expected = ([tuple(row.values()) for row in ask(log, statement)] for statement in (grouped, by_sort))
    # Without ORDER BY, any order is right.
    if "ORDER BY" not in way:
        found, expected = in_order(found), in_order(expected)
    tool.equal(grouped, found, expected)
tool.equal("the groups of two keys come in the order that is asked for",
           [tuple(row.values()) for row in ask(log, "SELECT cpu, use FROM run GROUP BY cpu, use ORDER BY cpu DESC, use")],
           [row for n in (1, 0) for row in sorted(set(table(log, "SELECT cpu, use FROM run WHERE cpu = %d" % n)))])

# ---- a recorded directory is read from its middle on -------------------------------------------------------------------------
def long_log():
    """Two CPUs that change what they do now and then, and events with long texts, since a file of a recording has a MiB at least."""
    parts, time = [group(), wall_clock(S, 1700000000 * S)], S
    for step in range(6000):
        time += chance.randrange(1, 50 * MS)
        parts.append(event("process", 10, 7, time, chance.randbytes(2500).hex()) if step % 5 == 4 else
                     assign(chance.randrange(2), chance.choice((0, IDLE, 10, 11)), time))
    return b"".join(parts)


long = tool.save("long.bcos", long_log())
tool.run("record", "-o", "long", "--size", "64K", long)
files = sorted(file for file in os.listdir(tool.path("long")) if file.endswith(".zst"))
tool.check("the recording has several files", len(files) > 2, files)
shutil.copytree(tool.path("long"), tool.path("holed"))
os.remove(tool.path(os.path.join("holed", files[1])))
shapes = {"run": "ts, dur, cpu, use, upid, name", "event": "ts, id, upid, event_id, length(text)"}
for folder in ("long", "holed"):
    whole = {shape: table(folder, "SELECT %s FROM %s" % (columns, shape)) for shape, columns in shapes.items()}
    gap = ask(folder, "SELECT max(dur) AS dur, ts FROM run WHERE use <> 'idle'")[0]
    last = max(row[0] for row in whole["run"])
    begins = [1, S, S + 1, gap["ts"], gap["ts"] + gap["dur"] // 2, gap["ts"] + gap["dur"], last, last + 1]
    begins += [chance.choice(whole["run"])[0] for _ in range(4)] + [chance.randrange(S, last) for _ in range(4)]
    for begin in begins:
        end = begin + chance.choice((0, 30 * MS, 20 * S, 200 * S))
        for shape, rows in whole.items():
            tool.equal("%s of the recording %s from %d to %d" % (shape, folder, begin, end),
                       table(folder, "SELECT %s FROM %s WHERE ts >= %d AND ts < %d" % (shapes[shape], shape, begin, end)),
                       [row for row in rows if begin <= row[0] < end])
    for begin, length in ((gap["ts"] + gap["dur"] // 2, 2 * S), (chance.randrange(S, last), 3 * S)):
        window = ("--since", "%d.%09d" % divmod(begin, S), "--until", "%d.%09d" % divmod(begin + length, S))
        reports_are_queries("the recording %s with %s" % (folder, " ".join(window)), folder, *window)
        if folder == "long":
            tool.equal("a window of it is one of the file", table(folder, "SELECT * FROM run", *window),
                       table(long, "SELECT * FROM run", *window))

# ---- times that an integer of SQL cannot hold are unknown, and no reason to leave out an entry ----------------------------------
late = tool.save("late.bcos", group(), assign(0, 10, S), event("process", 10, 7, 2**63 + 5, "late"), interrupt(0xC0000000, 3, 2**63 + 6))
tool.equal("an event after 2^63 ns", ask(late, "SELECT ts, text FROM event"), [{"ts": None, "text": "late"}])
tool.equal("an interrupt", ask(late, "SELECT ts, irq FROM interrupt"), [{"ts": None, "irq": 3}])
tool.equal("and as entries", ask(late, "SELECT count(*) AS n, count(ts) AS times FROM entry WHERE NOT historical"), [{"n": 3, "times": 1}])

# ---- the words about what is missing are about the window, and about a class that was off ---------------------------------------
quiet = tool.save("quiet.bcos", group(), assign(0, 10, S), event("cpu", 0, MASK, 2 * S, "class mask 0x21f -> 0x21d: irq off"),
                  assign(0, IDLE, 3 * S), event("cpu", 1, LOSS, 4 * S, "lost 2 assignments: staging full"), assign(1, 10, 5 * S))
for words, places in (((), 2), (("--until", "1.5"), 0), (("--since", "2.5", "--until", "3.5"), 1), (("--since", "4", "--until", "5"), 2)):
    for shape in ("interrupt", "process", "loss", "entry"):
        error = tool.run("sql", *words, quiet, "SELECT count(*) FROM %s" % shape)[2]
        tool.check("%s with %s is told of what the table loss has" % (shape, words),
                   places == len(ask(quiet, "SELECT * FROM loss", *words)) and ("missing in the log at %d place" % places in error if places
                                                                                else not error), error)

# ---- texts of many rows are not all in memory -------------------------------------------------------------------------------------
def peak_kib(statement):
    """The memory of the program that answers a statement, in KiB, at its greatest."""
    # A program that is small itself starts it, since what starts a program counts as well.
    measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(subprocess.run([sys.executable, "-c", measure, tool.program, "sql", tool.path("texts.bcos"), statement],
                              capture_output=True, check=True).stdout)


tool.save("texts.bcos", group(), *(event("process", 10 + step % 2, step % 7, S + step, "%d" % step * 1000) for step in range(20000)))
streamed, grouped = peak_kib("SELECT count(*), max(text) FROM event"), peak_kib("SELECT id, max(text) FROM event GROUP BY id")
tool.check("80 MB of texts are grouped in 40 MiB more than they are read", grouped < streamed + (40 << 10), (streamed, grouped))

# ---- joins read each table a few times, and not for each row ---------------------------------------------------------------
joined = table(log, "SELECT r.ts, r.dur, p.start_ts FROM run r JOIN process p ON p.upid = r.upid")
starts = dict(table(log, "SELECT upid, start_ts FROM process"))
tool.equal("a join finds the process of each run", joined,
           in_order((ts, dur, starts[upid]) for ts, dur, upid in table(log, "SELECT ts, dur, upid FROM run WHERE upid IS NOT NULL")))
before = table(log, "SELECT a.ts, (SELECT max(b.ts) FROM run b WHERE b.cpu = a.cpu AND b.ts < a.ts) FROM run a WHERE a.ts < 1200000000")
runs = table(log, "SELECT cpu, ts FROM run")
tool.equal("and a subquery the run before each", before,
           in_order((ts, max([t for c, t in runs if c == cpu and t < ts], default=None)) for cpu, ts in runs if ts < 1200000000))
# Thousands of passes over this log of 7 MB would take far longer.
tool.equal("the log is not read for each run of a subquery", ask(
    long, "SELECT count(*) AS n FROM run r WHERE EXISTS (SELECT 1 FROM process p WHERE p.upid = r.upid)", "--timeout", "10"),
    ask(long, "SELECT count(upid) AS n FROM run"))

# ---- rows that SQLite has to know again -------------------------------------------------------------------------------------
processes = table(log, "SELECT upid, pid FROM process")
matched = [(pid, ts) for upid, pid in processes for owner, ts in table(log, "SELECT upid, ts FROM run") if owner == upid]
idle = [(None, ts) for (ts,) in table(log, "SELECT ts FROM run WHERE upid IS NULL")]
alone = [(pid, None) for upid, pid in processes if pid not in {row[0] for row in matched}]
tool.check("there are processes that never ran", alone, processes)
tool.equal("a right join has each process once that never ran",
           table(log, "SELECT p.pid, r.ts FROM run r RIGHT JOIN process p ON p.upid = r.upid"), in_order(matched + alone))
tool.equal("a full join has also the runs without a process",
           table(log, "SELECT p.pid, r.ts FROM run r FULL JOIN process p ON p.upid = r.upid"), in_order(matched + alone + idle))
tool.equal("a condition on the joined rows changes no other", table(
    log, "SELECT p.pid, r.ts FROM run r FULL JOIN process p ON p.upid = r.upid WHERE p.pid > 110"),
    in_order(row for row in matched + alone if row[0] > 110))
speakers = {row[0] for row in table(log, "SELECT id FROM event WHERE subject = 'process'")}
tool.equal("either of two lists of keys finds a process", table(
    log, "SELECT pid FROM process WHERE pid IN (SELECT id FROM event WHERE subject = 'process') OR upid IN (SELECT upid FROM run)"),
    in_order((pid,) for upid, pid in processes if pid in speakers or pid in {row[0] for row in matched}))
numbered = [(row["rowid"], row["ts"], row["cpu"]) for row in ask(log, "SELECT rowid, ts, cpu FROM run")]
tool.equal("rows have numbers", [row[0] for row in numbered], list(range(1, len(numbered) + 1)))
for where, good in (("cpu = 1", lambda row: row[2] == 1), ("ts > 1500000000", lambda row: row[1] > 1500000000)):
    tool.equal("which are the same where %s" % where, table(log, "SELECT rowid, ts, cpu FROM run WHERE %s" % where),
               in_order(row for row in numbered if good(row)))

tool.end()
