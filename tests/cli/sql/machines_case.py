# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Several boots and machines in one statement: each row tells of which it is, and no two are taken for one."""
import subprocess

from made import IDLE, S, Tool, assign, cancel, event, group, wall_clock

tool = Tool()
BOOT, HOST = 0xC0000011, 0xC0000012


def boot_id(number):
    return "00000000-0000-4000-8000-%012d" % number


def made(host, number, wall, extra=b""):
    """A boot from 1 s to 5 s: on CPU 0 first process 10 for a second, then 11 for two."""
    return tool.save("%s%d.bcos" % (host, number), group(processes=((10, "a%d" % number), (11, "b"))), wall_clock(S, wall * S),
                     event("process", 0, BOOT, S, "boot " + boot_id(number)), event("process", 0, HOST, S, "host " + host),
                     assign(0, 10, 2 * S), assign(0, 11, 3 * S), extra, event("process", 10, 7, 4 * S, "hello %d" % number),
                     assign(0, IDLE, 5 * S))


def ask(log, statement, *words):
    return [tuple(row.values()) for row in tool.rows("sql", *words, log, statement)]


# fir boots twice, at 22:13:19 and 22:14:59; elm boots at 22:14:09.
logs = [made("fir", 1, 1700000000), made("fir", 2, 1700000100), made("elm", 3, 1700000050, cancel(11, 3500000000, 0x80000009))]
for folder, parts in (("fir", logs[:2]), ("both", logs)):
    for log in parts:
        tool.run("record", "-o", folder, log)

# ---- boots of a machine have one line of time -----------------------------------------------------------------------------
hello = [("fir", boot_id(1), 4 * S, "hello 1"), ("fir", boot_id(2), 104 * S, "hello 2")]
tool.equal("an event has its boot", ask("fir", "SELECT host, boot, ts, text FROM event WHERE event_id = 7"), hello)
tool.equal("a condition on it", ask("fir", "SELECT host, boot, ts, text FROM event WHERE event_id = 7 AND boot = '%s'" % boot_id(2)), hello[1:])
tool.equal("one that no boot has", ask("fir", "SELECT ts FROM event WHERE boot = '%s'" % boot_id(9)), [])
tool.equal("one that is compared in another way", ask(
    "fir", "SELECT ts FROM event WHERE event_id = 7 AND host = 'FIR' COLLATE NOCASE"), [(4 * S,), (104 * S,)])
used = [(boot_id(1), "a1", S), (boot_id(1), "b", 2 * S), (boot_id(2), "a2", S), (boot_id(2), "b", 2 * S)]
tool.equal("CPU time by boot", ask("fir", "SELECT boot, name, sum(dur) FROM run WHERE upid IS NOT NULL GROUP BY boot, name"), used)
tool.equal("which the tables group as SQLite does", ask(
    "fir", "SELECT +boot AS b, +name AS n, sum(dur) FROM run WHERE upid IS NOT NULL GROUP BY 1, 2"), used)
tool.equal("processes belong to the boot in which they began", sorted(ask("fir", "SELECT boot, name, pid FROM process WHERE pid > 0")),
           sorted((boot_id(n), text, pid) for n in (1, 2) for text, pid in (("a%d" % n, 10), ("b", 11))))
tool.equal("what is of both is of none", ask("fir", "SELECT DISTINCT boot FROM cpu"), [(None,)])
tool.equal("what entries state again is of the later boot", ask(
    "fir", "SELECT boot, count(*) FROM entry WHERE historical GROUP BY boot"), [(boot_id(1), 9), (boot_id(2), 9)])
tool.equal("of one boot, all is of that", ask("fir", "SELECT DISTINCT host, boot FROM cpu", "--boot", "1"), [("fir", boot_id(1))])
joined = tool.save("joined.bcos", subprocess.run([tool.program, "cat", "fir"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                                 cwd=tool.folder, check=True).stdout)
tool.equal("a file with two boots likewise", ask(joined, "SELECT boot, count(*) FROM entry WHERE historical GROUP BY boot"),
           [(boot_id(1), 9), (boot_id(2), 9)])
tool.equal("and its events", ask(joined, "SELECT host, boot, ts, text FROM event WHERE event_id = 7"), hello)
tool.equal("a file of one boot", ask(logs[0], "SELECT DISTINCT host, boot, machine, log FROM cpu"), [("fir", boot_id(1), None, 1)])
silent = tool.save("silent.bcos", group(), assign(0, 10, 2 * S))
tool.equal("a file that states neither", ask(silent, "SELECT DISTINCT host, boot, machine FROM cpu"), [(None, None, None)])

# ---- machines have a line of time each ------------------------------------------------------------------------------------
tool.equal("the rows of both machines", sorted(ask("both", "SELECT host, boot, ts, text FROM event WHERE event_id = 7")),
           [("elm", boot_id(3), 4 * S, "hello 3")] + hello)
tool.equal("CPU time of both", ask(
    "both", "SELECT host, name, sum(dur) FROM run WHERE use = 'process' GROUP BY host, name ORDER BY host, name"),
    [("elm", "a3", S), ("elm", "b", S // 2), ("fir", "a1", S), ("fir", "a2", S), ("fir", "b", 4 * S)])
tool.equal("of one of them", ask("both", "SELECT DISTINCT host FROM run WHERE host = 'elm'"), [("elm",)])
tool.equal("the table boot has each boot once", ask("both", "SELECT host, boot, read FROM boot ORDER BY boot"),
           [("fir", boot_id(1), 1), ("fir", boot_id(2), 1), ("elm", boot_id(3), 1)])
# Process 10 begins at 1 s on each machine.
tool.equal("IDs are unique over machines", ask("both", "SELECT count(*), count(DISTINCT upid) FROM process WHERE pid = 10"), [(3, 3)])
tool.equal("so a join takes no process for that of another machine", ask(
    "both", "SELECT r.host, p.name, count(*) FROM run r JOIN process p ON p.upid = r.upid WHERE p.pid = 10 GROUP BY 1, 2"),
    [("elm", "a3", 1), ("fir", "a1", 1), ("fir", "a2", 1)])
tool.equal("numbers of rows are those of all", ask("both", "SELECT max(rowid) = count(*), count(DISTINCT rowid) = count(*) FROM run"), [(1, 1)])
tool.equal("views keep machines apart", ask("both", "SELECT host, ts, busy_ns FROM busy_second WHERE ts < %d ORDER BY 1, 2" % (10 * S)),
           [("elm", 2 * S, S), ("elm", 3 * S, S // 2), ("fir", 2 * S, S), ("fir", 3 * S, S), ("fir", 4 * S, S)])
tool.equal("and tell which it was", ask("both", "SELECT host, boot, name, signal_name FROM death"), [("elm", boot_id(3), "b", "SIGKILL")])
tool.equal("the wall clock of each", sorted(ask("both", "SELECT host, bcos_wall(ts, host) - 1700000000000000000, bcos_ts('-1s', host) FROM clock")),
           [("elm", 50 * S, 4 * S), ("fir", 0, 104 * S), ("fir", 100 * S, 104 * S)])
for statement in ("SELECT bcos_wall(ts) FROM clock", "SELECT bcos_ts('-1s')"):
    status, out, error = tool.run("sql", "both", statement)
    tool.check("which of them, %s does not tell" % statement, status == 2 and not out and "several machines" in error, (status, out, error))
status, out, error = tool.run("sql", "both", "SELECT bcos_ts('-1s', 'oak')")
tool.check("a machine that is not read", status == 2 and "no machine" in error, error)
tool.equal("a window is of each by its wall clock", sorted(ask("both", "SELECT host, text FROM event WHERE event_id = 7", "--since", "22:14:00")),
           [("elm", "hello 3"), ("fir", "hello 2")])
status, out, error = tool.run("sql", "both", "SELECT DISTINCT host FROM run", "--until", "22:14:00", "--csv")
tool.check("a machine that has nothing of it is named", status == 0 and out.split() == ["host", '"fir"'] and "elm: --until 22:14:00" in error,
           (status, out, error))
# oak boots at 22:16:39, after that.
tool.run("record", "-o", "three", made("oak", 4, 1700000200))
for log in logs:
    tool.run("record", "-o", "three", log)
tool.equal("a machine that has nothing of it has boots that are not read", ask(
    "three", "SELECT host, boot, read FROM boot ORDER BY boot", "--until", "22:16:00"),
    [("fir", boot_id(1), 1), ("fir", boot_id(2), 1), ("elm", boot_id(3), 1), ("oak", boot_id(4), 0)])
tool.equal("one machine alone has numbers as before", ask("both", "SELECT log, host, min(ts) FROM run", "--machine", "elm"), [(1, "elm", S)])

tool.end()
