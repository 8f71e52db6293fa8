# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A recorded directory from which something was cut, to which something was added, or in which something was copied:
what is missing is stated at its place and nothing is counted for it, what is there twice counts once, and what is no
recorded file of this recorder is not deleted."""
import os
import random
import shutil

from made import S, Tool, assign, event, group, wall_clock

tool = Tool()
TURNS, TURN = 300000, 10**6
FIRST, LAST = 10, 11
# The kernel's name of the recorder's own device is in the log, since notices are about it.
BEGIN = group(cpus=1)


def turns(first, last):
    """The processes 10 and 11 have CPU 0 in turn, for about a millisecond each: 150 s each in all."""
    noise = random.Random(1)
    starts = [2 * S + i * TURN + noise.randrange(1000) for i in range(TURNS)]
    return [assign(0, FIRST + i % 2, starts[i]) for i in range(first, last)]


def folder_files(folder):
    return sorted(tool.path(os.path.join(folder, name)) for name in os.listdir(tool.path(folder)) if name.endswith(".zst"))


def record(folder, log, *words):
    tool.run("record", "-o", folder, *words, log)
    return folder_files(folder)


def copy(folder, to):
    shutil.rmtree(tool.path(to), ignore_errors=True)
    shutil.copytree(tool.path(folder), tool.path(to))
    return folder_files(to)


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)


def get(path):
    with open(path, "rb") as file:
        return file.read()


def seconds(log):
    """The CPU time of both processes in s, and whether each is a lower bound."""
    rows = {int(row["process"] or -1): row for row in tool.rows("top", log)}
    return [(round(rows[p]["cpu_ns"] / 1e9), bool(rows[p].get("cpu_ns_at_least"))) for p in (FIRST, LAST)]


def note_places(data):
    """The places of the notes in a file; each note is before its frame."""
    places, at = [], data.find(b"BCOSnote")
    while 0 <= at < data.index(b"BCOSindx"):
        places.append(at - 8)
        at = data.find(b"BCOSnote", at + 1)
    return places


def states(what, log, status, sentences, most=None):
    """Every reader says these sentences, and ends with this status; both processes have at most this time, as a bound."""
    for command in (("check",), ("top",), ("dump", "--type", "Core Online"), ("status",)):
        rc, out, err = tool.run(*command, log)
        missing = [sentence for sentence in sentences if sentence not in out + err]
        tool.check("%s: %s" % (what, command[0]), rc == status and not missing,
                   "status %d\nmissing %s\n%s%s" % (rc, missing, out[-500:], err))
    if most:
        found = seconds(log)
        tool.check("%s: times" % what, all(time <= most and least for time, least in found), found)


log = tool.save("whole.log", BEGIN, *turns(0, TURNS))
files = record("many", log, "--size", "16K")
tool.check("several files", len(files) > 3, files)
tool.equal("the whole", seconds("many"), [(150, False), (150, False)])

# ---- cuts: what is missing is missing, and counts for nobody -------------------------------
GAP, TORN = "the recording has a gap at 1 place", "the last frame is not whole"
cut = copy("many", "cut")
middle = get(cut[1])
places = note_places(middle)
put(cut[1], middle[:places[-1] + 1000])
states("a file of several, cut within a frame", "cut", 1, [TORN], 149)
tool.check("the gap is stated", GAP in tool.run("top", "cut")[2], tool.run("top", "cut")[2])
put(cut[1], middle[:places[-1]])
states("a file of several, cut between frames", "cut", 0, [], 149)
tool.check("the gap is stated", GAP in tool.run("top", "cut")[2], tool.run("top", "cut")[2])
rest = middle[middle.index(b"BCOSindx") - 8:]
put(cut[1], middle[:places[-1]] + rest)
states("an index that lists more frames than there are", "cut", 0, [], 149)
tool.check("the gap is stated", GAP in tool.run("top", "cut")[2], tool.run("top", "cut")[2])
put(cut[1], middle[:200])
states("a file of several, cut in its first note", "cut", 1, [TORN], 149)
for name, data in (("header only", middle[:120]), ("half a header", middle[:50]), ("nothing", b"")):
    put(cut[1], data)
    tool.check("%s: the gap is stated" % name, GAP in tool.run("top", "cut")[2], tool.run("top", "cut")[2])
    tool.check("%s: times" % name, all(time <= 149 and least for time, least in seconds("cut")), seconds("cut"))
put(cut[1], middle[:50])
tool.check("half a header is left out", "no frame of a log in its 50 bytes" in tool.run("top", "cut")[2])
put(cut[1], middle)
tool.equal("nothing is cut any more", seconds("cut"), [(150, False), (150, False)])

# A later recorder must not close the file, as if nothing were missing.
put(cut[1], middle[:places[-1]])
tool.run("record", "-o", "cut", log)
tool.check("the gap stays", GAP in tool.run("top", "cut")[2], tool.run("top", "cut")[2])

# ---- a file alone --------------------------------------------------------------------------
one = get(record("one", log)[0])
places = note_places(one)
tool.check("several frames", len(places) > 3, places)
alone = tool.path("alone.bcos.zst")
end = one.index(b"BCOSindx") - 8
put(alone, one[:places[3] + 96 + 500])
states("a file alone, cut", alone, 1, [TORN])
tool.check("its rest is counted", "596 bytes" in tool.run("check", alone)[1], tool.run("check", alone)[1])
put(alone, one[:places[3]])
states("a file alone, cut between frames", alone, 0, [])
tool.check("its index is missing", "has no index" in tool.run("check", alone)[2], tool.run("check", alone))
for name, more in (("garbage", random.Random(2).randbytes(5000)), ("zeros", bytes(5000))):
    put(alone, one + more)
    states("%s after the end" % name, alone, 1, ["5000 bytes"])
    tool.equal("%s after the end costs nothing" % name, [time for time, _ in seconds(alone)], [150, 150])
for size in (len(one) - 1, len(one) - 20, end + 100):
    put(alone, one[:size])
    states("a cut that only hurts the index", alone, 0, [])
put(alone, one[:places[2] + 300] + random.Random(3).randbytes(64) + one[places[2] + 364:])
states("garbage in the middle", alone, 1, ["the frame cannot be unpacked"])
put(alone, one[:places[2]] + one[places[3]:])
states("a frame that was taken out", alone, 1, ["frames are not there that the index lists"])
put(alone, one[:places[2]] + random.Random(4).randbytes(777) + one[places[3]:])
tool.equal("nothing is counted after it", seconds(alone), [(44, False), (44, False)])
states("a frame that became garbage", alone, 1, ["there is no frame"])

# ---- copies --------------------------------------------------------------------------------
twice = copy("many", "twice")
shutil.copy(twice[1], tool.path("twice/copy.bcos.zst"))
os.link(twice[2], tool.path("twice/link.bcos.zst"))
os.symlink(twice[0], tool.path("twice/symbolic.bcos.zst"))
shutil.copytree(tool.path("many"), tool.path("twice/again.bcos.zst"))
put(tool.path("twice/half.bcos.zst"), middle[:len(middle) // 2])
rc, out, err = tool.run("check", "twice")
tool.check("copies count once", rc == 0 and "0 violations" in out, out + err)
tool.equal("copies count once: times", seconds("twice"), [(150, False), (150, False)])
for name in ("copy", "link", "half"):
    tool.check("%s is said to be left out" % name, "%s.bcos.zst is left out: it is a copy" % name in err, err)
renamed = copy("many", "renamed")
os.rename(renamed[1], tool.path("renamed/renamed.bcos.zst"))
tool.equal("a renamed file is read", seconds("renamed"), [(150, False), (150, False)])

# ---- what --keep may delete ----------------------------------------------------------------
log_a = tool.save("a.log", BEGIN, *turns(0, 100000))
log_b = tool.save("b.log", BEGIN, *turns(100000, TURNS))
kept = record("kept", log_a)
foreign = ["incident-4711.bcos.zst", "20260101T000000Z-unnamed-log.bcos.zst", "20260101T000000Z-unnamed-00000000.bcos.zst",
           "20260101T000000Z-other-00000000-log.bcos.zst", "20260101T000000Z-unnamed-00000077-log.bcos.zst"]
for name in foreign:
    shutil.copy(kept[0], tool.path("kept/" + name))
put(tool.path("kept/20260101T000000Z-unnamed-18446744073709551615-log.bcos.zst"), b"")
os.mkdir(tool.path("kept/20260101T000000Z-unnamed-00000005-log.bcos.zst"))
rc, out, err = tool.run("record", "-o", "kept", "--size", "8K", "--keep", "24K", log_b)
left = os.listdir(tool.path("kept"))
tool.check("copies and renamed files stay", rc == 0 and set(foreign) < set(left), (rc, err, left))
tool.check("the recorder's own file goes", os.path.basename(kept[0]) not in left, left)
tool.check("numbers go on", any("-unnamed-0000008" in name for name in left), left)
only = record("only", log_a)
os.rename(only[0], tool.path("only/mine.bcos.zst"))
before = get(tool.path("only/mine.bcos.zst"))
tool.run("record", "-o", "only", "--size", "8K", "--keep", "24K", log_b)
tool.check("a file of another name stays as it is", get(tool.path("only/mine.bcos.zst")) == before)
torn = copy("only", "torn")
put(tool.path("torn/mine.bcos.zst"), before[:2000])
tool.run("record", "-o", "torn", "--size", "8K", "--keep", "24K", log_b)
tool.check("also if it is cut", get(tool.path("torn/mine.bcos.zst")) == before[:2000])
# The names of machines come from logs that others have written: no view of several machines has a character that a terminal obeys.
for file, host in (("one", "a\x1b]0;x\x07\u009b1m"), ("two", "b\u202e\u061c\"")):
    tool.run("record", "-o", tool.path("hosts"), tool.save(file + ".bcos", group(), wall_clock(2 * S, 1700000000 * S),
             event("process", 0, 0xC0000012, 3 * S, "host " + host), event("process", 0, 0xC0000011, 3 * S, "boot \x1b[1m" + file)))
HARMFUL = "\x1b\x07\u009b\u202e\u061c"
for words in (["status", "--boots"], ["status", "--boots", "--json"], ["dump"], ["dump", "--json"], ["top"]):
    status, shown, said = tool.run(*words, tool.path("hosts"))
    tool.check("%s is harmless" % " ".join(words), not set(HARMFUL) & set(shown + said), ascii(shown + said))
    if "--json" not in words:
        tool.check("%s names both" % " ".join(words), "a\\x1B]0;x\\x07\\u009B1m" in shown + said and
                   'b\\u202E\\u061C"' in shown + said, ascii(shown + said))
tool.equal("the name is that of the log", {row["machine"] for row in tool.rows("dump", tool.path("hosts"))},
           {"a\x1b]0;x\x07\u009b1m", "b\u202e\u061c\""})

# A directory whose log does not state the wall clock says so, whichever way the time is asked for.
tool.run("record", "-o", tool.path("timeless"), tool.save("timeless.bcos", group() + event("process", 10, 1, 5 * S, "past")))
for asked in (["--since", "10:00"], ["--until", "2023-11-14"], ["--since", "2023-11-14 10:00"]):
    tool.equal("no time of the wall clock, by %s %s" % tuple(asked), tool.run("text", *asked, tool.path("timeless"))[::2],
               (2, "bcoslog: the log does not state the wall clock, and nothing says that it is of this boot: its times can be "
                "shown since boot alone\n"))
tool.end()
