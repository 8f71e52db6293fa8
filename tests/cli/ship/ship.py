# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
What bcoslog ship sends, against what bcoslog sql says of the same recording: counts, sums and rows are equal, whatever happens to the
sender and the server meanwhile.
"""
import atexit
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

from made import IDLE, LOSS as LOST, MASK, S, Tool, assign, event, group, wall_clock
from shipped_log import BOOT, Machine
from taker import kept_rows, tables

tool = Tool()
HERE = os.path.dirname(os.path.abspath(__file__))
ROUNDS = int(os.environ.get("ROUNDS", "12"))
SEED = int(os.environ.get("SEED", time.time_ns() % 10**6))
BOOTS = ["0f8fad5b-d9cb-469f-a165-70867728950%d" % i for i in (1, 2)]
STEPS, PAUSE = 50000, 80 * 10**6
print("# SEED=%d" % SEED)
chance = random.Random(SEED)


def record(folder, boots):
    """Records the logs of boots, of half an hour each, in files of some minutes."""
    for i in boots:
        log = Machine(SEED + i, BOOTS[i], 5 * S + 123 + i, (1700000000 + 86400 * i) * S).log(STEPS, PAUSE)
        done = tool.run("record", "-o", folder, "--size", "200K", tool.save("boot%d.log" % i, log))
        tool.equal("boot %d is recorded" % i, done[0], 0)


class Server:
    """The server that takes rows, which can be killed and begin again at the same port."""

    def __init__(self, name, dialect="18.16"):
        self.folder, self.port, self.process = tool.path(name), 0, None
        os.makedirs(self.folder)
        self.schema = tool.run("ship", "--schema", "--dialect", dialect)[1]
        self.file = tool.save(name + ".sql", self.schema.encode())
        self.behave("")
        self.start()

    def start(self):
        self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "taker.py"), str(self.port), self.folder, self.file],
                                        stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline() or 0)
        # Whatever ends this program: what reads its output waits for all that can write it.
        atexit.register(self.process.kill)

    def kill(self):
        self.process.stdout.close()
        self.process.kill()
        self.process.wait()

    def behave(self, mode):
        path = os.path.join(self.folder, "mode")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(mode)
        os.rename(path + ".new", path)

    def rows(self):
        return kept_rows(self.folder, self.schema)

    def asked(self):
        with open(os.path.join(self.folder, "asked"), encoding="utf-8") as file:
            return file.read()


def words(server, state, recording, *more, user=""):
    return ["ship", "--to", "http://%s127.0.0.1:%d/?database=fleet" % (user, server.port), "--state", tool.path(state), "--limit", "0",
            *more, recording]


def sql(recording, boot, statement):
    return [tuple(row.values()) for row in tool.rows("sql", "--boot", boot, recording, statement)]


LIFE = ("id", "pid", "name", "former", "start_ts", "start_error_ns", "end_ts", "end_kind", "exit_code", "signal", "signal_name",
        "signal_by", "killer_pid", "killer_name", "killer_uid", "oom", "parent_pid", "parent_name", "uid", "path", "arguments", "cgroup",
        "cpu_ns", "turns", "complete")
EVENT = ("ts", "error_ns", "subject", "subject_id", "upid", "name", "severity", "severity_name", "event_id", "event", "text")
LOSS = ("ts", "dur", "cpu", "kinds", "count", "what", "why", "stated_ts", "open", "bytes")


def select(rows, boot, columns):
    return sorted((tuple(row[name] for name in columns) for row in rows if row["boot"] == boot), key=repr)


def summed(pairs):
    """Return: the sum of the values of each key."""
    sums = {}
    for key, value in pairs:
        sums[key] = sums.get(key, 0) + value
    return sums


def differ(found, expected):
    """Return: a note on how two lists of rows differ; empty if they are equal."""
    if sorted(found, key=repr) == sorted(expected, key=repr):
        return ""
    return "%d rows, expected %d; too much: %r; missing: %r" % (len(found), len(expected), sorted(set(found) - set(expected), key=repr)[:2],
                                                                sorted(set(expected) - set(found), key=repr)[:2])


def compare(what, recording, rows, boots=(0, 1), losses=True):
    """Compares all tables with what the recording says."""
    notes = []
    for boot in (BOOTS[i] for i in boots):
        expected = sql(recording, boot, "SELECT upid, pid, coalesce(name, ''), %s FROM process WHERE end_kind IS NOT NULL" %
                       ", ".join(LIFE[3:]))
        notes.append(differ(select(rows["life"], boot, LIFE), expected))
        expected = sql(recording, boot, "SELECT ts, error_ns, subject, id, upid, name, severity, severity_name, event_id, event, text "
                       "FROM event WHERE severity >= 128")
        notes.append(differ(select(rows["event"], boot, EVENT), expected))
        usage = [row for row in rows["usage"] if row["boot"] == boot]
        expected = dict(sql(recording, boot, "SELECT use, sum(dur) FROM run GROUP BY use"))
        notes.append(differ(list(summed((row["use"], row["cpu_ns"]) for row in usage).items()), list(expected.items())))
        expected = dict(sql(recording, boot, "SELECT coalesce(name, ''), sum(dur) FROM run WHERE use = 'process' GROUP BY name"))
        notes.append(differ(list(summed((row["name"], row["cpu_ns"]) for row in usage if row["use"] == "process").items()),
                            list(expected.items())))
        if losses:
            found, expected = select(rows["loss"], boot, LOSS), sql(recording, boot, "SELECT %s FROM loss" % ", ".join(LOSS))
            notes.append(differ([row for row in found if row[2] is not None], [row for row in expected if row[2] is not None]))
            # What all CPUs lack is cut where a window ends.
            notes.append(differ(*(list(summed(((row[5], row[6]), row[1]) for row in all_rows if row[2] is None).items())
                                  for all_rows in (found, expected))))
    tool.check(what, not any(notes), "\n".join(note for note in notes if note))


# ---- words ---------------------------------------------------------------------------------------------

old, now = (tool.run("ship", "--schema", "--dialect", dialect)[1] for dialect in ("18.16", "now"))
tool.equal("both dialects have the same tables, columns and keys",
           *({table: ([column[0] for column in columns], key) for table, (columns, key) in tables(text).items()} for text in (old, now)))
tool.equal("which are five", sorted(tables(old)), ["boot", "event", "life", "loss", "usage"])
tool.check("the one of today has words that the other does not know", all(word in now and word not in old for word in ("LowCardinality", "CODEC", "TTL day")))
tool.check("no column of a key can be NULL, nor can that of the partition",
           all(not nullable for columns, key in tables(old).values() for name, _, nullable in columns if name in key or name == "day"))
for refused, word in ((("ship",), "--to"), (("ship", "--schema", "--to", "http://h/"), "--schema"), (("ship", "--to", "ftp://u:geheim@h/"), "https://"),
                      (("ship", "--to", "http://h/", "--without", "pid"), "pid"),
                      (("ship", "--to", "http://h/", "--netrc", "absent"), "absent"),
                      (("ship", "--to", "http://h/", "--without", "name"), '"name"'),
                      (("ship", "--to", "http://h/", "--without", "host"), "host"), (("ship", "--schema", "--dialect", "17"), "17"),
                      (("ship", "--to", "http://h/", "--dialect", "now"), "--dialect"),
                      (("ship", "--to", "http://h/", "--state", "s", tool.save("x.log", event("process", 0, 0, S))), "record")):
    status, out, errors = tool.run(*refused)
    tool.check("refused: %s" % " ".join(refused[1:3]), status == 2 and len(errors.splitlines()) == 1 and word in errors and "geheim" not in errors, errors)

# ---- all at once -----------------------------------------------------------------------------------------

record("rec", (0, 1))
server = Server("plain")
status, out, errors = tool.run(*words(server, "plain.state", "rec", "--once"))
tool.equal("all is shipped", (status, out, errors), (0, "", ""))
compare("it is what the recording says", "rec", server.rows())
count = len(os.listdir(server.folder))
tool.equal("a second run has nothing to send", (tool.run(*words(server, "plain.state", "rec", "--once"))[0], len(os.listdir(server.folder))),
           (0, count))
rows = server.rows()
tool.check("the wall clock is what the log states",
           all(row["wall_ns"] - 1700000000 * S - 86400 * S * BOOTS.index(row["boot"]) == row["ts"] - 5 * S - 123 - BOOTS.index(row["boot"])
               for row in rows["event"]))
tool.equal("the boots", sorted((row["boot"], row["host"], row["kernel"], row["shipped_ts"] - row["last_ts"]) for row in rows["boot"]),
           [(boot, "crane", "6.12.0 x86_64", 1) for boot in BOOTS])
tool.check("steps are of 10 s", all(row["ts"] // (10 * S) == (row["ts"] + row["dur"] - 1) // (10 * S) for row in rows["usage"]))
with open(os.path.join(server.folder, "sizes"), encoding="ascii") as file:
    sent = sum(map(int, file))
kept = sum(os.path.getsize(os.path.join(server.folder, name)) for name in os.listdir(server.folder) if name.endswith(".body"))
tool.check("bodies are compressed to a third at most", 0 < 3 * sent < kept, (sent, kept))
tool.check("the database is that of the address", "database=fleet" in server.asked())

# ---- nothing for a long time, a class that is off, a file that is not there ----------------------------------------

machine = Machine(SEED, BOOTS[0], 5 * S + 123, 1700000000 * S)
machine.log(12000, 20 * 10**6)
machine.time += 1500 * S
machine.log(12000, 20 * 10**6)
machine.put(event("cpu", 0, MASK, machine.time, "class mask 0x21f -> 0x21e: assign off"))
machine.log(9000, 100 * 10**6)
machine.put(event("cpu", 0, MASK, machine.time, "class mask 0x21e -> 0x21f: assign on"))
tool.save("gaps.log", machine.log(12000, 20 * 10**6))
tool.run("record", "-o", "gaps", "--size", "20K", tool.path("gaps.log"))
gaps = sorted(os.listdir(tool.path("gaps")))
for state, removed in (("idle.state", []), ("gap.state", gaps[1:2])):
    for name in removed:
        os.remove(os.path.join(tool.path("gaps"), name))
    taker = Server(state + ".server")
    tool.equal("it is shipped", tool.run(*words(taker, state, "gaps", "--once"))[0], 0)
    compare("what is unknown in %d files less" % len(removed), "gaps", taker.rows(), (0,))
    tool.check("what is cut at the end of a window is not open",
               all(not row["open"] for row in taker.rows()["loss"] if row["cpu"] is None), taker.rows()["loss"][:1])
    tool.check("what all CPUs lack is a row for each step, so that it is the same row in other windows",
               all(row["ts"] // (10 * S) == (row["ts"] + max(row["dur"], 1) - 1) // (10 * S) for row in taker.rows()["loss"]
                   if row["cpu"] is None and "deleted" not in row["why"]))
    taker.kill()

# ---- what is secret ----------------------------------------------------------------------------------------

quiet = Server("quiet")
tool.run(*words(quiet, "quiet.state", "rec", "--once", "--without", "arguments,cgroup", "--severity", "debug"))
everything = b"".join(open(os.path.join(quiet.folder, name), "rb").read() for name in os.listdir(quiet.folder) if name.endswith(".body"))
tool.check("arguments are left out of all tables", b"geheim" not in everything and b"/bin/postgres" in everything)
tool.check("nor does the file of what has arrived have them", "geheim".encode().hex() not in open(tool.path("quiet.state"), encoding="ascii").read())
tool.check("a column that is left out is NULL", all(row["cgroup"] is None for row in quiet.rows()["life"]))
quiet.behave("echo")
status, out, errors = tool.run(*words(quiet, "other.state", "rec", "--once", user="fritz:geheim@"))
tool.check("a user and a password in the address are used and not shown",
           status == 2 and "fritz" not in errors and "geheim" not in errors and "\x1b" not in errors and "Basic " in quiet.asked(), errors)
with open(tool.path(".netrc"), "w", encoding="ascii") as netrc:
    netrc.write("machine 127.0.0.1 login erna password versteckt\n")
tool.run(*words(quiet, "other.state", "rec", "--once"), HOME=tool.folder)
tool.check("~/.netrc has both", "Basic ZXJuYTp2ZXJzdGVja3Q=" in quiet.asked())
quiet.kill()

# ---- answers ------------------------------------------------------------------------------------------------

ANSWERS = {"500": "error 241", "none": "--schema", "echo": "netrc", "moved": "307", "flood": "65536", "headers": "", "liar": "error 33"}
hostile = {mode: Server("hostile-" + mode) for mode in ANSWERS}
senders = {}
for mode, taker in hostile.items():
    taker.behave(mode)
    senders[mode] = subprocess.Popen([tool.program, *words(taker, mode + ".state", "rec", "--once")], cwd=tool.folder, text=True,
                                     stderr=subprocess.PIPE)
for mode, word in ANSWERS.items():
    errors = senders[mode].communicate(timeout=120)[1]
    tool.check("answer %s: one sentence, and the end" % mode,
               senders[mode].returncode == 2 and len(errors.splitlines()) == 1 and word in errors, errors)
tool.check("nobody followed to elsewhere", "/elsewhere" not in hostile["moved"].asked())
hostile["liar"].behave("")
tool.equal("the next run sends all", tool.run(*words(hostile["liar"], "liar.state", "rec", "--once"))[0], 0)
compare("after these answers all is what the recording says", "rec", hostile["liar"].rows())
for taker in hostile.values():
    taker.kill()

# ---- the file of what has arrived -----------------------------------------------------------------------------

with open(tool.path("plain.state"), "rb") as file:
    whole = file.read()
for part in (b"", whole[:-1], whole[:len(whole) // 2], b"x" + whole, whole + b"more\n", whole.replace(b"boot", b"boat")):
    tool.save("cut.state", part)
    status, out, errors = tool.run(*words(server, "cut.state", "rec", "--once"))
    tool.check("a file of %d bytes that is not whole is none" % len(part), status == 2 and "cut.state" in errors, errors)
status, out, errors = tool.run("ship", "--once", "--to", "http://localhost:1/", "--state", tool.path("plain.state"), "rec")
tool.check("it is of one server", status == 2 and "another server" in errors, errors)
count = len(os.listdir(server.folder))
status, out, errors = tool.run(*(word.replace("=fleet", "=herd") for word in words(server, "plain.state", "rec", "--once")))
tool.check("and of one database, since another one has nothing", status == 2 and "another server or database" in errors, errors)
# Its boots are not those that a recorder has deleted.
status, out, errors = tool.run(*words(server, "plain.state", "gaps", "--once"))
tool.check("and of one recording", status == 2 and "another recording" in errors and count == len(os.listdir(server.folder)), errors)

# ---- a full disk --------------------------------------------------------------------------------------------------

full = Server("full")
os.mkdir(tool.path("disk"))
NOSPACE = dict(LD_PRELOAD=sys.argv[3], FAULT_FOLDER=tool.path("disk"), FAULT="fsync:1:ENOSPC")
status, out, errors = tool.run(*words(full, "disk/state", "rec", "--once"), **NOSPACE)
tool.check("no room for the file: nothing is sent", status == 2 and len(errors.splitlines()) == 1 and "disk/state" in errors and "--state" in errors and
           not any(name.endswith(".body") for name in os.listdir(full.folder)) and os.listdir(tool.path("disk")) == ["state.lock"], errors)
with open(tool.path("said"), "w", encoding="utf-8") as said:
    sender = subprocess.Popen([tool.program, *words(full, "disk/state", "rec")], cwd=tool.folder, stderr=said, env=dict(os.environ, **NOSPACE))
ended = time.monotonic() + 120
while time.monotonic() < ended and sum(row["shipped_ts"] > row["last_ts"] for row in full.rows()["boot"]) < 1:
    time.sleep(0.2)
sender.send_signal(signal.SIGTERM)
with open(tool.path("said"), encoding="utf-8") as said:
    tool.check("what runs as a service goes on when there is room", sender.wait(timeout=60) == 0 and
               [("until there is room" in line, "written again" in line) for line in said] == [(True, False), (False, True)])
tool.equal("the rest", tool.run(*words(full, "disk/state", "rec", "--once"))[0], 0)
compare("is what the recording says", "rec", full.rows())
full.kill()

# ---- kill -9 of both, cut bodies, errors -------------------------------------------------------------------------

rough = Server("rough")
rough.behave("random")
sender, kills = None, [0, 0]
for _ in range(ROUNDS):
    sender = subprocess.Popen([tool.program, *words(rough, "rough.state", "rec")], cwd=tool.folder, stderr=subprocess.DEVNULL)
    time.sleep(chance.uniform(0.02, 0.5))
    if chance.random() < 0.4:
        rough.kill()
        kills[1] += 1
        time.sleep(chance.uniform(0, 0.3))
        rough.start()
        time.sleep(chance.uniform(0, 0.3))
    kills[0] += sender.poll() is None
    sender.send_signal(signal.SIGKILL)
    sender.wait()
print("# killed: %d senders, %d servers; %d bodies arrived" % (*kills, len(os.listdir(rough.folder))))
rough.behave("")
tool.equal("after all that the rest is sent", tool.run(*words(rough, "rough.state", "rec", "--once"))[0], 0)
compare("each row counts once, and none is missing", "rec", rough.rows())
rough.kill()

# ---- a recording that grows, and whose files go --------------------------------------------------------------------

grows = Server("grows")
record("young", (0,))
tool.equal("the first boot", tool.run(*words(grows, "grows.state", "young", "--once"))[0], 0)
sender = subprocess.Popen([tool.program, *words(grows, "grows.state", "young")], cwd=tool.folder)
record("young", (1,))
ended = time.monotonic() + 60
while time.monotonic() < ended and not any(row["boot"] == BOOTS[1] and row["last_ts"] - row["shipped_ts"] < 12 * S for row in grows.rows()["boot"]):
    time.sleep(0.2)
status, out, errors = tool.run(*words(grows, "grows.state", "young", "--once"))
tool.check("one sender at a time has a file of what has arrived", status == 2 and "another bcoslog ship" in errors, errors)
sender.send_signal(signal.SIGTERM)
tool.equal("what runs as a service ends when it is told to", sender.wait(timeout=20), 0)
tool.equal("the rest", tool.run(*words(grows, "grows.state", "young", "--once"))[0], 0)
compare("a recording that grows is shipped as it grows", "young", grows.rows())
grows.kill()

# ---- what the recorder deleted unsent ------------------------------------------------------------------------------

def files_of(recording):
    return sorted(os.path.join(tool.path(recording), name) for name in os.listdir(tool.path(recording)) if name.endswith(".zst"))


lost = Server("lost")
tool.run("record", "-o", "thin", "--size", "100K", tool.save("begin.log", Machine(SEED, BOOTS[0], 5 * S + 123, 1700000000 * S).log(5000, PAUSE)))
tool.equal("the begin of a boot", tool.run(*words(lost, "lost.state", "thin", "--once"))[0], 0)
compare("it is there", "thin", lost.rows(), (0,))
before, = sql("thin", BOOTS[0], "SELECT ts + dur FROM boot WHERE read")[0]
used = summed(sql("thin", BOOTS[0], "SELECT use, sum(dur) FROM run GROUP BY use"))
lives = {row["id"] for row in lost.rows()["life"]}
tool.run("record", "-o", "thin", "--size", "100K", tool.path("boot0.log"))
for file in files_of("thin")[:-1]:
    os.remove(file)
tool.equal("the end of it", tool.run(*words(lost, "lost.state", "thin", "--once"))[0], 0)
after, = sql("thin", BOOTS[0], "SELECT ts FROM boot WHERE read")[0]
rows = lost.rows()
tool.equal("what was deleted between them is a loss", [(row["ts"], row["ts"] + row["dur"], row["open"], row["count"]) for row in rows["loss"]
                                                      if row["why"] and "deleted" in row["why"]], [(before + 1, after, 0, None)])
for use, cpu in sql("thin", BOOTS[0], "SELECT use, sum(dur) FROM run GROUP BY use"):
    used[use] = used.get(use, 0) + cpu
tool.equal("the rest is counted", summed((row["use"], row["cpu_ns"]) for row in rows["usage"]), used)
lives |= {upid for upid, in sql("thin", BOOTS[0], "SELECT upid FROM process WHERE end_kind IS NOT NULL")}
tool.equal("and so are lives", {row["id"] for row in rows["life"]}, lives)

gone = Server("gone-server")
tool.run("record", "-o", "gone", tool.path("begin.log"))
tool.equal("the begin of a boot", tool.run(*words(gone, "gone.state", "gone", "--once"))[0], 0)
os.remove(files_of("gone")[0])
tool.run("record", "-o", "gone", tool.path("boot1.log"))
tool.equal("another boot", tool.run(*words(gone, "gone.state", "gone", "--once"))[0], 0)
compare("it is there", "gone", gone.rows(), (1,))
tool.check("of the first one more may have been deleted than is known",
           any(row["boot"] == BOOTS[0] and row["ts"] == before + 1 and row["open"] for row in gone.rows()["loss"]))

# ---- all of it, sent before its end -----------------------------------------------------------------------------------

left = Server("left-server")
for boot in ("begin.log", "boot1.log"):
    tool.run("record", "-o", "left", tool.path(boot))
    tool.equal("a boot, and one after it", tool.run(*words(left, "left.state", "left", "--once"))[0], 0)
os.remove(files_of("left")[0])
tool.equal("when the first one is deleted", tool.run(*words(left, "left.state", "left", "--once"))[0], 0)
tool.equal("nothing of it is missing", [row for row in left.rows()["loss"] if row["why"] and "deleted" in row["why"]], [])

# ---- a loss that is stated late ----------------------------------------------------------------------------------------------

# CPU 0 has process 10 from 12 s on. At 20.6 s the log states that it lost assignments from 19 s to 20.2 s, and the next one is at 21 s.
late = Server("late-server")
begun = [group(), wall_clock(S, 1700000000 * S), event("process", 0, BOOT, S, "boot " + BOOTS[0]), assign(0, 10, 12 * S),
         assign(1, 11, 20 * S + S // 2)]
more = [event("cpu", 0, LOST, 20600000000, "lost 3 assignments: staging full, since 19.000000000 s, until 20.200000000 s", 0x80),
        assign(0, IDLE, 21 * S), assign(0, 11, 45 * S)]
tool.run("record", "-o", "late", tool.save("late.log", *begun))
sender = subprocess.Popen([tool.program, *words(late, "late.state", "late")], cwd=tool.folder)
ended = time.monotonic() + 60
while time.monotonic() < ended and not late.rows()["boot"]:
    time.sleep(0.1)
sender.send_signal(signal.SIGTERM)
tool.equal("what was sent before that", (sender.wait(timeout=20), [row["shipped_ts"] for row in late.rows()["boot"]]), (0, [10 * S]))
shutil.rmtree(tool.path("late"))
tool.run("record", "-o", "late", tool.save("late.log", *begun, *more))
tool.equal("and after it", tool.run(*words(late, "late.state", "late", "--once"))[0], 0)
compare("a loss that is stated after the end of its step counts in it", "late", late.rows(), (0,))
tool.equal("as it was made", summed((row["ts"], row["cpu_ns"]) for row in late.rows()["usage"] if row["use"] == "unknown"), {10 * S: S, 20 * S: S})
tool.equal("the first row of a boot is as long as what there is of its step",
           {row["dur"] for row in late.rows()["usage"] if row["ts"] == 0}, {9 * S})
for taker in (server, lost, gone, left, late):
    taker.kill()
tool.end()
