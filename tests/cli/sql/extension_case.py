# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The extension of SQLite, in the shell of SQLite and in Python, gives the rows of bcoslog sql, and leaves a database alone."""
import json
import os
import shutil
import subprocess
import sys

from made import IDLE, LOSS, MS, S, Tool, assign, cancel, event, group, name, wall_clock

tool = Tool()
extension = os.path.join(os.path.dirname(tool.program), "bcoslog_sqlite.so")
START = 1700000000

# Two CPUs, three processes; one has its ID from 5 s on after another; events are lost from 6 s to 7 s.
log = tool.save("log.bcos", group(), wall_clock(S, START * S),
                *[assign(step % 2, (10, 11, IDLE, 10, IDLE)[step % 5], 2 * S + step * 100 * MS) for step in range(30)],
                cancel(10, 5 * S, 0x0100), name(10, "c", 5 * S + MS), assign(0, 10, 5 * S + 2 * MS), assign(1, IDLE, 5 * S + 3 * MS),
                event("cpu", 1, LOSS, 6 * S, "lost 2 assignments: staging full, until 7.000000000 s", 0x80), assign(0, IDLE, 8 * S))
STATEMENTS = [
    "SELECT * FROM run ORDER BY ts, cpu",
    "SELECT name, sum(dur) AS ns, count(*) AS n FROM run GROUP BY name",
    "SELECT upid, pid, name, start_ts, end_ts, end_kind, cpu_ns, complete FROM process ORDER BY upid",
    "SELECT ts, count, kinds FROM loss",
    "SELECT name, ts FROM run WHERE ts >= bcos_ts('22:13:22') AND ts < bcos_ts('-3s') AND pid = 10 ORDER BY ts",
    "SELECT bcos_wall(ts) AS wall FROM run ORDER BY ts LIMIT 5",
    "SELECT * FROM busy_second ORDER BY ts",
    "SELECT use, name, a_ns, b_ns, more_ns FROM diff(2000000000, 3000000000, 3000000000, 4000000000)",
    # SQLite knows the rows of these again by their numbers.
    "SELECT ts, cpu FROM run WHERE pid = 11 OR cpu = 0 ORDER BY ts, cpu",
    "SELECT rowid AS n, ts FROM run WHERE cpu = 1",
    "SELECT p.name AS name, (SELECT count(*) FROM run r WHERE r.upid = p.upid AND r.dur > 50000000) AS n FROM process p ORDER BY p.upid",
    "SELECT count(*) AS n FROM run a JOIN run b ON b.ts = a.ts + a.dur AND b.cpu = a.cpu",
]


def shell(*lines, file=":memory:"):
    """Return: (exit status, standard output, standard error) of the shell of SQLite."""
    done = subprocess.run(["sqlite3", "-batch", "-bail", file], input="\n".join((".mode json", ".load %s" % extension) + lines) + "\n",
                          capture_output=True, text=True, check=False, timeout=60, env=dict(os.environ, TZ="UTC"))
    return done.returncode, done.stdout, done.stderr


def opening(path):
    return "SELECT bcos_open('%s') AS path;" % path


def answers(text):
    """Return: the rows of each statement, of which the shell prints an array each."""
    found, decoder = [], json.JSONDecoder()
    while text.strip():
        rows, at = decoder.raw_decode(text.strip())
        found.append(rows)
        text = text.strip()[at:]
    return found


def python_with_extensions():
    """Return: a Python whose SQLite loads extensions, which not each build does."""
    for program in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        if os.path.exists(program) and not subprocess.run([program, "-c", "import sqlite3\nsqlite3.connect(':memory:').enable_load_extension(True)"],
                                                          capture_output=True, check=False).returncode:
            return program
    return None


IN_PYTHON = """
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.enable_load_extension(True)
db.load_extension(sys.argv[2])
path, = db.execute("SELECT bcos_open(?)", (sys.argv[3],)).fetchone()
assert path == sys.argv[3]
found = []
for statement in json.loads(sys.argv[4]):
    rows = db.execute(statement)
    # Another statement runs amid it, which asks for numbers of rows, and one with a parameter.
    first = rows.fetchmany(1)
    assert db.execute("SELECT count(*), max(rowid) FROM (SELECT rowid FROM run WHERE cpu = ?)", (0,)).fetchone()[0] > 3
    found.append([[column[0] for column in rows.description], first + rows.fetchall()])
print(json.dumps([found, db.execute("SELECT bcos_missing()").fetchone()[0], db.total_changes]))
"""

expected = [tool.rows("sql", log, statement) for statement in STATEMENTS]
tool.check("bcoslog sql has rows for each", all(expected), expected)
if shutil.which("sqlite3"):
    status, out, error = shell(opening(log), *(statement + ";" for statement in STATEMENTS))
    found = answers(out)
    tool.equal("the shell has the path", found[:1], [[{"path": log}]])
    for statement, rows, right in zip(STATEMENTS, found[1:], expected):
        tool.equal("in the shell: %s" % statement, rows, right)
    tool.equal("and no more", (len(found), status), (len(expected) + 1, 0))
    status, out, error = shell("SELECT name FROM process;")
    tool.check("without a log there is a sentence", status and "SELECT bcos_open('PATH')" in error, (status, out, error))
    status, out, error = shell(opening("nowhere"))
    tool.check("as of one that is not there", status and "there is no file nowhere" in error, (status, out, error))
    status, out, error = shell(opening(log), opening("other.bcos"))
    tool.check("and of a second one", status and "reads %s already" % log in error, (status, out, error))
    status, out, error = shell(opening(log), opening(log), "SELECT count(*) AS n FROM process;")
    tool.check("the same one again is no error", not status and answers(out)[2] == [{"n": len(tool.rows("sql", log, "SELECT 1 FROM process"))}], error)
    status, out, error = shell(opening(log), ".load %s" % extension, "SELECT count(*) AS n FROM process;")
    tool.check("loaded again, it reads what it read", not status and answers(out)[1] == [{"n": len(tool.rows("sql", log, "SELECT 1 FROM process"))}], error)
    copy = shutil.copy(log, tool.path("copy.bcos"))
    status, out, error = shell(opening(copy), ".shell rm %s" % copy, "SELECT bcos_ts('-3s');")
    tool.check("why a time has no answer is the error of the statement", status and "bcos_ts('-3s') has no answer: there is no file %s" % copy in error, error)
    # A database of somebody else has a table by the name of a view, and one by that of a table of the log.
    base = tool.path("own.db")
    own = ["CREATE TABLE wait(x); INSERT INTO wait VALUES (7); CREATE TABLE process(y); INSERT INTO process VALUES (8);"]
    subprocess.run(["sqlite3", base, *own], check=True)
    with open(base, "rb") as whole:
        before = whole.read()
    status, out, error = shell(opening(log), "SELECT * FROM wait;", "SELECT * FROM process;", "SELECT count(*) AS n FROM loss;", file=base)
    tool.equal("what a database has is shown", (status, answers(out)[1:3]), (0, [[{"x": 7}], [{"y": 8}]]))
    with open(base, "rb") as whole:
        tool.check("and its file does not change", whole.read() == before)
    whole = tool.path("view.db")
    subprocess.run(["sqlite3", whole, "CREATE VIEW trap AS SELECT bcos_open('%s') AS x" % log], check=True)
    status, out, error = shell("SELECT * FROM trap;", file=whole)
    tool.check("a view of a database opens no log", status and "unsafe use of bcos_open" in error, (status, out, error))
program = python_with_extensions()
if program:
    done = subprocess.run([program, "-c", IN_PYTHON, ":memory:", extension, log, json.dumps(STATEMENTS)], capture_output=True, text=True,
                          check=False, timeout=60, env=dict(os.environ, TZ="UTC"))
    tool.check("Python loads it", not done.returncode, done.stderr)
    rows, missing, changes = json.loads(done.stdout) if done.stdout else ([], 0, 0)
    for (names, values), statement, right in zip(rows, STATEMENTS, expected):
        tool.equal("in Python: %s" % statement, [dict(zip(names, row)) for row in values], right)
    tool.equal("it tells of what is missing, and writes nothing", (missing, changes), (1, 0))
tool.check("sqlite3 or a Python that loads extensions is there", program or shutil.which("sqlite3"))
tool.end()
