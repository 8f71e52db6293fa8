# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Random statements over random logs. Each is asked as it is, and so that no condition is passed on and SQLite sorts and groups by itself
(a + before each column); and a third time of a real table in another SQLite, which has all rows of the table of the log. The answers
are the same. And sums over the two parts of a log are those of the whole. ROUNDS logs of each kind are asked.
"""
import json
import os
import random
import sqlite3
import subprocess

from made import IDLE, LOSS, MS, S, Tool, assign, cancel, event, group, input_of, interrupt, name, output_of, wall_clock

STATEMENTS = 120
STATE = 0xC0000003
# The columns by which statements choose and group, of each table.
TABLES = {
    "run": ("cpu", "use", "upid", "pid", "name", "ts", "dur"), "off": ("upid", "pid", "name", "cpu", "ts", "dur"),
    "usage": ("upid", "pid", "name", "ts"), "name": ("upid", "pid", "name", "begins", "ts"), "process": ("upid", "pid", "name", "end_kind", "turns"),
    "turn": ("cpu", "utid", "tid", "pid", "name", "end_state", "ts", "dur"), "thread": ("utid", "tid", "upid", "pid", "name"),
    "transfer": ("udid", "device", "direction", "bytes", "ts"), "interrupt": ("udid", "device", "irq", "ts"), "loss": ("cpu", "kinds", "ts"),
    "event": ("id", "event_id", "severity", "ts"), "cpu": ("cpu", "core", "turns"), "core": ("core", "busy", "ts", "dur"),
    "entry": ("type", "source", "historical", "ts"),
}


def made(chance):
    """Return: the entries of a log, with all that its tables tell of."""
    parts = [group(cpus=3, processes=((10, "a"), (11, "b")), devices=((1, "sda"), (0x40000000, "eth0"))), wall_clock(S, 1700000000 * S)]
    alive, number, now = [10, 11], 20, 2 * S
    for _ in range(250):
        now += chance.choice((0, 1000, MS, 40 * MS, 400 * MS))
        process, which = chance.choice(alive), chance.randrange(12)
        if which < 5:
            parts.append(assign(chance.randrange(3), chance.choice([IDLE, 0] + alive), now))
        elif which == 5:
            parts.append(name(process, chance.choice("abcdé"), now))
        elif which == 6:
            alive.append(number)
            parts.append(name(number, chance.choice("ab"), now))
            number += 1
        elif which == 7 and len(alive) > 3:
            alive.remove(process)
            parts.append(cancel(process, now, chance.choice((0, 1, 0x80000009))))
        elif which == 8:
            parts.append(chance.choice((input_of, output_of))(chance.choice((1, 0x40000000)), chance.randrange(9000), now))
        elif which == 9:
            parts.append(interrupt(1, chance.randrange(3), now))
        elif which == 10:
            cpu = chance.randrange(3)
            parts += [event("process", process, STATE, now, "thread %d runs on CPU %d at priority 120" % (process, cpu), 0), assign(cpu, process, now),
                      event("process", process, STATE, now + 500, "thread %d blocked" % process, 0), assign(cpu, IDLE, now + 500)]
            now += 500
        elif chance.random() < .3:
            parts.append(event("cpu", chance.randrange(3), LOSS, now, "lost 2 assignments: staging full, until %d.%09d s" % divmod(now + 90 * MS, S), 0x80))
        else:
            parts.append(event("process", process, chance.randrange(5), now, "text", chance.choice((0x20, 0x40, 0x80))))
    return parts


class Questions:
    """Makes statements about tables, of which it knows the rows."""

    def __init__(self, chance, rows):
        self.chance, self.rows = chance, rows

    def value(self, table, column):
        """Return: a value of the column, or one beside it, as SQL writes it."""
        found = [row[column] for row in self.rows[table] if row[column] is not None] or [0]
        value = self.chance.choice(found)
        if isinstance(value, str):
            return "'%s'" % value.replace("'", "''")
        return str(value + self.chance.choice((0, 0, 0, 1, -1)))

    def condition(self, table, depth=0):
        column = "ts" if "ts" in TABLES[table] and self.chance.random() < .4 else self.chance.choice(TABLES[table])
        word = self.chance.randrange(8)
        if word == 0 and not depth:
            return "(%s OR %s)" % (self.condition(table, 1), self.condition(table, 1))
        if word == 1:
            return "{%s} IN (%s, %s)" % (column, self.value(table, column), self.value(table, column))
        if word == 2:
            return "{%s} BETWEEN %s AND %s" % (column, self.value(table, column), self.value(table, column))
        if word == 3 and not depth:
            return "{%s} IS %s NULL" % (column, self.chance.choice(("", "NOT")))
        return "{%s} %s %s" % (column, self.chance.choice(("=", "=", "=", ">=", "<=", ">", "<")), self.value(table, column))

    def statement(self):
        """Return: a statement with each column in braces, and whether the order of its rows is certain."""
        table = self.chance.choice(["run"] * 4 + list(TABLES))
        columns = TABLES[table]
        where = " AND ".join(self.condition(table) for _ in range(self.chance.randrange(4))) or "1"
        keys = self.chance.sample(columns, self.chance.randint(1, min(3, len(columns))))
        order = ", ".join("{%s}%s" % (key, self.chance.choice(("", "", " DESC"))) for key in keys)
        chosen = ", ".join("%s AS c%d" % (key, number) for number, key in enumerate(keys))
        grouped = ", ".join("{%s}" % key for key in keys)
        kind = self.chance.randrange(5)
        if kind == 0:
            return "SELECT %s FROM %s WHERE %s" % (chosen, table, where), False
        if kind == 1:
            return "SELECT DISTINCT %s FROM %s WHERE %s ORDER BY %s" % (chosen, table, where, order), True
        if kind == 2:
            return "SELECT %s, count(*) AS n FROM %s WHERE %s GROUP BY %s" % (chosen, table, where, grouped), False
        if kind == 3:
            return ("SELECT c.pid AS a, c.name AS b, count(*) AS n, sum(r.dur) AS s FROM process c LEFT JOIN run r ON r.upid = c.upid AND r.ts < %s "
                    "GROUP BY c.upid ORDER BY c.upid" % self.value("run", "ts")), True
        sums = ", ".join("%s(%s) AS s%d" % (self.chance.choice((("sum",) if column in ("dur", "turns", "bytes") else ()) + ("min", "max", "count")), column, number)
                         for number, column in enumerate(columns) if isinstance((self.rows[table] or [{column: None}])[0][column], int))
        return "SELECT %s, count(*) AS n%s FROM %s WHERE %s GROUP BY %s ORDER BY %s" % (
            chosen, sums and ", " + sums, table, where, grouped, order), True


def ask(tool, log, statements):
    """Return: the rows of each statement, of one run of the tool."""
    text = ";".join(one + "; SELECT 1 AS next_statement" for one in statements)
    done = subprocess.run([tool.program, "sql", "--json", log], input=text + ";\n", capture_output=True, text=True, check=False, timeout=200)
    found = [[]]
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if "next_statement" in row:
            found.append([])
        else:
            found[-1].append(tuple(row.values()))
    return found[:-1], done


def bare(statement, sign):
    return statement.replace("{", sign).replace("}", "")


def in_order(rows, certain):
    return rows if certain else sorted(rows, key=repr)


def check(tool, chance, log, what):
    shape = {}
    for line in tool.rows("sql", "--schema"):
        if line["column"]:
            shape.setdefault(line["table"], []).append(line["column"])
    found, done = ask(tool, log, ["SELECT %s FROM %s" % (", ".join(shape[table]), table) for table in TABLES])
    tool.check("%s: each table is read" % what, len(found) == len(TABLES) and all(found[:5]), done.stderr)
    other = sqlite3.connect(":memory:")
    rows = {}
    for table, values in zip(TABLES, found):
        other.execute("CREATE TABLE %s (%s)" % (table, ", ".join('"%s"' % column for column in shape[table])))
        other.executemany("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(shape[table]))), values)
        rows[table] = [dict(zip(shape[table], row)) for row in values]
    questions = Questions(chance, rows)
    statements = [questions.statement() for _ in range(STATEMENTS)]
    right = [other.execute(bare(one, "")).fetchall() for one, _ in statements]
    for sign, how in (("", "as it is"), ("+", "with nothing passed on")):
        found, done = ask(tool, log, [bare(one, sign) for one, _ in statements])
        wrong = [(bare(one, sign), rows, expected) for (one, certain), rows, expected in zip(statements, found, right)
                 if in_order(rows, certain) != in_order(expected, certain)]
        tool.check("%s: %d statements, %s" % (what, STATEMENTS, how), len(found) == STATEMENTS and not wrong, wrong[:2] or done.stderr)
    return sum(bool(rows) for rows in right)


def check_windows(tool, chance, log, what):
    """The parts of a log add up."""
    statement = "SELECT upid, use, cpu, sum(dur) FROM run GROUP BY 1, 2, 3"
    end = max(ts + dur for ts, dur in ask(tool, log, ["SELECT ts, dur FROM run"])[0][0])
    at = chance.randrange(2 * S, end)
    sums = {}
    for words in (("--until", "%d.%09d" % divmod(at, S)), ("--since", "%d.%09d" % divmod(at, S))):
        for row in tool.rows("sql", *words, log, statement):
            *key, time = row.values()
            sums[tuple(key)] = sums.get(tuple(key), 0) + time
    whole = {row[:3]: row[3] for row in ask(tool, log, [statement])[0][0]}
    tool.equal("%s: the sums before and after %d ns" % (what, at), {key: time for key, time in sums.items() if time},
               {key: time for key, time in whole.items() if time})


def main():
    tool = Tool()
    useful = asked = 0
    for seed in range(int(os.environ.get("ROUNDS", "1"))):
        chance = random.Random(seed)
        parts = made(chance)
        log = tool.save("log%d.bcos" % seed, *parts)
        whole = b"".join(parts)
        cut = chance.randrange(len(whole) // 3, len(whole) - 100)
        damaged = tool.save("damaged%d.bcos" % seed, whole[:cut], b"\xff" * 16, whole[cut + 16:], *made(chance))
        # Times begin anew in it.
        again = tool.save("again%d.bcos" % seed, whole, *made(chance))
        logs = [("log %d" % seed, log), ("damaged %d" % seed, damaged)]
        for file, path in ("recorded", log), ("again", again):
            folder = tool.path("%s%d" % (file, seed))
            tool.run("record", "-o", folder, "--size", "64K", path)
            logs.append(("%s %d" % (file, seed), folder))
        for what, path in logs:
            useful += check(tool, chance, path, what)
            asked += STATEMENTS
        check_windows(tool, chance, log, "log %d" % seed)
    tool.check("most statements have rows", useful > asked / 3, (useful, asked))
    tool.end()


main()
