# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Machines of a recorded directory and of a server, and the columns that queries for such a server name."""
import json
import os
import re
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from made import IDLE, LOSS, S, Tool, assign, event, group, wall_clock
from taker import tables

tool = Tool()
EXAMPLES = sys.argv[3]
ENDED, BOOT, HOST, KERNEL = 0xC0000007, 0xC0000011, 0xC0000012, 0xC0000013
WALL = 1700000000 * S
SCHEMA = tables(tool.run("ship", "--schema", "--dialect", "18.16")[1])
COLUMNS = {table: [column[0] for column in columns] for table, (columns, _) in SCHEMA.items()}


# ---- a directory -------------------------------------------------------------------------------------------------

def boot(host, number, wall, kernel, *extra):
    """A boot of 9 s, which begins with what a log states of itself."""
    log = tool.save("%s%d.log" % (host, number), group(), wall_clock(S, wall), event(
        "process", 0, BOOT, S, "boot 0f8fad5b-d9cb-469f-a165-70867728950%d" % number), event("process", 0, HOST, S, "host " + host),
        event("process", 0, KERNEL, S, "kernel %s x86_64" % kernel), assign(0, 10, 2 * S), *extra, assign(0, IDLE, 10 * S))
    tool.equal("it is recorded", tool.run("record", "-o", "all", log)[0], 0)


lost = event("cpu", 0, LOSS, 4 * S, "lost 3 assignments: staging full, until 4.500000000 s", 0x80)
boot("fir", 1, WALL, "6.1.0", lost)
boot("fir", 2, WALL + 100 * S, "6.12.0", lost, lost)
boot("elm", 3, WALL + 50 * S, "6.6.0")
boot("oak", 4, WALL + 70 * S, "6.6.0")
found = tool.rows("fleet", "all")
tool.equal("those that have been silent for longest come first, with the newest kernel and all losses", [
    (row["host"], row["seen_wall_ns"], row["boots"], row["losses"], row["kernel"], row["crashes"], row["ended"]) for row in found],
    [("elm", WALL + 59 * S, 1, 0, "6.6.0 x86_64", 0, None), ("oak", WALL + 79 * S, 1, 0, "6.6.0 x86_64", 0, None),
     ("fir", WALL + 109 * S, 2, 3, "6.12.0 x86_64", 0, None)])
tool.equal("for people, in the time zone of the reader", tool.run("fleet", "all", zone="UTC-2")[1].split("\n")[1].split()[:3],
           ["elm", "2023-11-15", "00:14:19"])
shutil.copytree(tool.path("all"), tool.path("cut"))
cut = [name for name in os.listdir(tool.path("cut")) if "-elm-" in name][0]
os.truncate(tool.path("cut/" + cut), 10)
status, out, errors = tool.run("fleet", "cut")
tool.check("a machine whose only file is not read is not left out without a word", status == 0 and "elm" not in out and cut + " is left out" in errors, errors)
status, out, errors = tool.run("ship", "--to", "ftp://h/", "cut")
tool.check("nor from what is sent", status == 2 and cut + " is left out" in errors.splitlines()[0], errors)
status, out, errors = tool.run("fleet", "--ends", "all")
tool.check("a table of no ends says why it has no rows", status == 0 and len(out.splitlines()) == 1 and "recover" in errors, errors)

# ---- a server ----------------------------------------------------------------------------------------------------

ROWS = [{"machine": "a" * 32, "host": "fir", "kernel": "6.1.0", "ended": "panic: out of memory", "wall_ns": str(WALL), "last_wall_ns": str(WALL + S),
         "losses": "7"},
        {"machine": "a" * 32, "host": "fir", "kernel": "6.12.0", "ended": None, "wall_ns": str(WALL + 2 * S), "last_wall_ns": str(WALL + 9 * S),
         "losses": 1},
        {"machine": "b" * 32, "host": "fir", "kernel": None, "ended": "panic: out of memory", "wall_ns": None, "last_wall_ns": None, "losses": "0"},
        {"machine": "c" * 32, "host": "\x1b[31mred", "kernel": "6.1.0", "ended": "panic: hung task", "wall_ns": WALL, "last_wall_ns": WALL + 5 * S,
         "losses": 0}]
asked = []
answer = [200, b""]


class Server(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        asked.append(parse_qs(urlsplit(self.path).query))
        self.send_response(answer[0])
        self.end_headers()
        self.wfile.write(answer[1])


server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
URL = "http://127.0.0.1:%d/?database=herd" % server.server_port
answer[1] = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
found = tool.rows("fleet", "--from", URL)
tool.equal("a machine is its ID, and its boots are one row", [
    (row["machine"][0], row["seen_wall_ns"], row["boots"], row["losses"], row["kernel"], row["crashes"], row["ended"]) for row in found],
    [("b", None, 1, 0, None, 1, "panic: out of memory"), ("c", WALL + 5 * S, 1, 0, "6.1.0", 1, "panic: hung task"),
     ("a", WALL + 9 * S, 2, 8, "6.12.0", 1, "panic: out of memory")])
answer[1] = b""
status, out, errors = tool.run("fleet", "--from", URL)
tool.check("a server without rows says why there are none", status == 0 and len(out.splitlines()) == 1 and "has shipped anything" in errors, (out, errors))
# A machine may have sent anything as its name.
answer[1] = (json.dumps(dict(ROWS[3], host="NAME")) + "\n" + json.dumps(dict(ROWS[3], machine="d", ended="ä" * 5000)) + "\n").encode().replace(b"NAME", b"\xff\x80x")
found = {row["machine"][0]: row for row in tool.rows("fleet", "--from", URL)}
tool.equal("bytes that are no text hide no other machine", (len(found), found["c"]["host"]), (2, "\ufffd\ufffdx"))
tool.check("what is cut ends with dots", re.fullmatch("ä+[.]{3}", found["d"]["ended"]), found["d"]["ended"])
answer[1] = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
tool.check("no text of a server gets to the terminal as it is", "\x1b" not in tool.run("fleet", "--from", URL)[1])
tool.equal("crashes by reason", [(row["ended"], row["boots"], row["machines"], row["newest_wall_ns"]) for row in tool.rows("fleet", "--ends", "--from", URL)],
           [("panic: hung task", 1, 1, WALL + 5 * S), ("panic: out of memory", 2, 2, WALL + S)])
statement = asked[0]["query"][0]
names = re.match(r"SELECT (.*) FROM boot FINAL ", statement).group(1).split(", ")
tool.check("it asks for columns that there are, in the database of the address", set(names) <= set(COLUMNS["boot"]) and
           sorted(names) == sorted(ROWS[0]) and asked[0]["database"] == ["herd"], statement)
for status_of, body, word in ((404, b"Code: 60, e.displayText() = DB::Exception: no table\n", "--schema"), (500, b"", "500"), (200, b"hello\n", "ClickHouse"),
                              (200, b'{"machine":"a"}\n', "ClickHouse"), (200, answer[1].replace(b'"host"', b'"hose"'), "ClickHouse"),
                              (200, answer[1].replace(b'"losses": 1', b'"losses": -1'), "ClickHouse"),
                              (200, answer[1].replace(b'"losses": "7"', b'"losses": "7x"'), "ClickHouse"),
                              (200, answer[1].replace(b'"losses": 1', b'"losses": [1]'), "ClickHouse"), (200, answer[1][:-20], "ClickHouse"),
                              (200, b'{"a":"' + b"x" * (66 << 20), "64 MiB")):
    answer[:] = [status_of, body]
    status, out, errors = tool.run("fleet", "--from", URL)
    tool.check("answer %d, %d bytes: one sentence" % (status_of, len(body)),
               status == 2 and not out and word in errors and len(errors.splitlines()) == 1, errors[:300])
server.shutdown()
for words, word in ((("--from", URL, "all"), "--from"), ((tool.path("fir1.log"),), "record"), (("--from", "ftp://h/"), "https://"), (("absent",), "absent")):
    status, out, errors = tool.run("fleet", *words)
    tool.check("refused: " + words[0], status == 2 and not out and word in errors and len(errors.splitlines()) == 1, errors)

# ---- queries that are installed ------------------------------------------------------------------------------------

WORDS = set("""select from final where and or group by having order desc limit as between distinct in any is not null""".split())


def unknown(statement):
    """Return: the names in a statement that are neither columns of its table, nor made by AS, nor words of SQL or functions."""
    plain = re.sub(r"'[^']*'|\$__\w+|\$\{[^}]*\}", " ", statement)
    table = re.search(r"\bFROM (\w+) FINAL\b", plain).group(1)
    known = set(COLUMNS[table]) | set(re.findall(r"\bAS (\w+)", plain)) | {table}
    return [name for name in re.findall(r"\b[A-Za-z_]\w*\b(?!\s*\()", plain) if name not in known and name.lower() not in WORDS]


with open(os.path.join(EXAMPLES, "grafana_fleet.json"), encoding="utf-8") as file:
    board = json.load(file)
statements = [target["rawSql"] for panel in board["panels"] for target in panel["targets"]]
statements += [variable["query"] for variable in board["templating"]["list"] if variable["type"] == "query"]
tool.check("the dashboard has statements", len(statements) > 5)
tool.equal("they name columns that there are", [name for statement in statements for name in unknown(statement)], [])
tool.equal("and one that is not there would be found", unknown("SELECT host, nothing FROM life FINAL WHERE x = 'y'"), ["nothing", "x"])
with open(os.path.join(EXAMPLES, "fleet.sql"), encoding="utf-8") as file:
    parts = file.read()
questions = re.sub(r"^--.*\n", "", parts, flags=re.M).split(";\n")[:-1]
tool.equal("so do the questions of fleet.sql", [name for statement in questions for name in unknown(statement)], [])
twins = re.findall(r"^-- (SELECT .*)", parts, flags=re.M)
tool.equal("each of them has a twin for bcoslog sql", len(twins), len(questions))
if os.path.exists(tool.program + "-sql"):
    for twin in twins:
        status, out, errors = tool.run("sql", "--csv", "--machine", "fir", "all", twin)
        tool.check("which it answers: %s..." % twin[:40], status == 0 and len(out.splitlines()) > 0, errors)
tool.end()
