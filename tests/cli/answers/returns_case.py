# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""One log in each format and back, without the log that an export may carry: what comes back is what bcoslog-convert(1) says."""
import os

from made import IDLE, LOSS, MASK, MS, S, Tool, assign, cancel, event, group, name, output_of

tool = Tool()
BEGIN = 10 * S


def loss(cpu, begin, until, count):
    return event("cpu", cpu, LOSS, begin, "lost %d assignments: staging full, until %d.%09d s" % (count, *divmod(until, S)), 0x80)


# What each process has of three CPUs, in ms: nobody has CPU 1 from 12 to 20, nor CPU 0 from 33 to 40 ms, nor CPU 1 at the end.
EXPECTED = {"a": 30, "b": 21, "c": 19, "child": 15, "kernel": 5, None: 8 + 7 + 5}
log = tool.save(
    "log", group(cpus=3, processes=((10, "a"), (11, "b"), (12, "c"))), event("process", 0, 5, BEGIN, "begin"),
    *(assign(cpu, process, BEGIN + at * MS) for at, cpu, process in ((1, 0, 10), (1, 1, 11), (2, 2, 0))),
    name(20, "child", BEGIN + 5 * MS),
    *(assign(cpu, process, BEGIN + at * MS) for at, cpu, process in ((6, 2, 20), (10, 0, 0), (11, 0, 12))),
    loss(1, BEGIN + 12 * MS, BEGIN + 15 * MS, 4),
    assign(1, 10, BEGIN + 20 * MS), assign(2, IDLE, BEGIN + 21 * MS), cancel(20, BEGIN + 21 * MS),
    assign(0, IDLE, BEGIN + 30 * MS), loss(0, BEGIN + 33 * MS, BEGIN + 37 * MS, 7),
    assign(0, 11, BEGIN + 40 * MS), assign(1, IDLE, BEGIN + 41 * MS), assign(0, IDLE, BEGIN + 50 * MS),
    loss(1, BEGIN + 55 * MS, BEGIN + 60 * MS, 2), assign(0, IDLE, BEGIN + 60 * MS), event("process", 0, 5, BEGIN + 60 * MS, "end"))


def shares(file):
    """ms of CPU by name; nobody's only within the 60 ms of the log, since some imports begin with the first process."""
    rows = tool.rows("top", "--since", "10.0", file)
    found = {row["name"]: row["cpu_ns"] / MS for row in rows if row["process"] is not None and row["cpu_ns"]}
    unknown = [row for row in rows if row["process"] is None and row["name"] == "unknown"]
    return {**found, None: sum(row["cpu_ns"] for row in unknown) / MS}, sum(row["share"] for row in rows)


tool.equal("the log itself", shares(log)[0], EXPECTED)
# The losses that come back are those of the same CPUs from the same time on. Only CTF tells when they ended: elsewhere they
# reach to the next assignment, which is as long as nobody knows what the CPU ran.
NEXT = [(0, 33, 40), (1, 12, 20), (1, 55, 60)]
EXACT = [(0, 33, 37), (1, 12, 15), (1, 55, 60)]
# A provider of a Fuchsia trace does not tell when its buffer filled up.
FULL = [(cpu, 0, 60) for cpu in range(3)]
# CTF has no switch, and a Fuchsia trace a loss, before the first switches of the CPUs, which are idle for 4 ms until then.
for words, losses, early in ((("ltt",), NEXT, 0), (("ctf",), EXACT, 4), (("fxt",), sorted(FULL + NEXT), 4),
                             (("fxt", "--layout", "current"), sorted(FULL + NEXT), 4), (("trace-cmd",), NEXT, 0),
                             (("eventheader", "--switches"), NEXT, 0)):
    what = " ".join(words)
    there, back = tool.path(what.replace(" ", "-")), tool.path(what.replace(" ", "-") + ".log")
    options = () if words[0] == "trace-cmd" else ("--no-embed",)
    status, _, errors = tool.run("convert", "-t", *words, *options, log, "-o", there)
    tool.check(what + ": is written", not status, errors)
    status, _, errors = tool.run("convert", "-f", words[0], there, "-o", back)
    tool.check(what + ": is read", not status, errors)
    found, whole = shares(back)
    tool.equal(what + ": each process has the same CPU time", found, {**EXPECTED, None: EXPECTED[None] + early})
    tool.check(what + ": the CPUs have no more than they have", abs(whole - 1) < 1e-9, whole)
    tool.equal(what + ": what was lost is lost",
               sorted((row["cpu"], (row["begin"] - BEGIN) / MS, (row["end"] - BEGIN) // MS) for row in tool.rows("losses", back)),
               losses)
    if words[0] == "trace-cmd":
        tool.equal(what + ": so is how much, also of the loss that no event of its CPU follows",
                   sorted(row["count"] for row in tool.rows("losses", back)), [2, 4, 7])
    # The events of our facility in LTT are those of whoever has the CPU, which nobody knows where the trace begins.
    tool.equal(what + ": no process comes twice", sorted(row["name"] for row in tool.rows("processes", back)),
               sorted(["kernel", "a", "b", "c", "child"] + ["unknown"] * (words[0] == "ltt")))

status, _, errors = tool.run("convert", "-t", "kel", log, "-o", tool.path("kel"))
tool.check("kel: the switches of other CPUs are counted", "6 switches of other CPUs than 0 are" in errors, errors)

# Without a loss: a class goes off, and on CPU 1 the reader of the recording never learns again who has it.
off = tool.save("off", group(cpus=2), assign(0, 10, BEGIN), assign(1, 11, BEGIN + MS),
                event("cpu", 0, MASK, BEGIN + 5 * MS, "class mask 0x1f -> 0x1e: assign off"),
                event("cpu", 0, MASK, BEGIN + 9 * MS, "class mask 0x1e -> 0x1f: assign on"),
                assign(0, 11, BEGIN + 10 * MS), assign(0, IDLE, BEGIN + 20 * MS), event("process", 0, 5, BEGIN + 20 * MS, "end"))
for words in ("ltt",), ("ctf",), ("fxt",), ("eventheader", "--switches"), ("trace-cmd",):
    what = "a class that is off, " + " ".join(words)
    there, back = tool.path("off-" + words[0]), tool.path("off-" + words[0] + ".log")
    options = () if words[0] == "trace-cmd" else ("--no-embed",)
    tool.run("convert", "-t", *words, *options, off, "-o", there)
    tool.run("convert", "-f", words[0], there, "-o", back)
    found = shares(back)[0]
    tool.equal(what + ": each process has what is known", {key: found.get(key) for key in "ab"}, {"a": 5, "b": 14})

# Amid the log 400 bytes are damaged: nobody knows what happened from the last entry before them, 10 ms, to 40 ms, when it goes on.
DAMAGED = {"a": 9, "b": 8 + 10 + 15}
damaged = tool.save(
    "damaged", group(), event("process", 0, 5, BEGIN, "begin"), assign(0, 10, BEGIN + MS), assign(1, 11, BEGIN + 2 * MS),
    event("process", 0, 5, BEGIN + 10 * MS, "last"), b"\xFF" * 400, group(assigned=11, since=BEGIN + 20 * MS),
    event("process", 0, 5, BEGIN + 40 * MS, "first"), assign(0, IDLE, BEGIN + 50 * MS), assign(1, IDLE, BEGIN + 55 * MS),
    event("process", 0, 5, BEGIN + 60 * MS, "end"))
GAP = b"nothing is recorded of 400 bytes: the log is damaged there"


def written(file):
    """All bytes of a file, or of those of a folder."""
    files = [file] if os.path.isfile(file) else [os.path.join(at, name) for at, _, names in os.walk(file) for name in names]
    return b"".join(open(name, "rb").read() for name in files)


def folded(file):
    """ms by the frame of the process, or "unknown"."""
    sums = {}
    for line in written(file).decode().splitlines():
        frames, count = line.rsplit(" ", 1)
        frame = frames.split(";")[-1].split(" ")[0]
        sums[frame] = sums.get(frame, 0) + int(count) / MS
    return sums


for words in (("ltt",), ("ctf",), ("fxt",), ("eventheader", "--switches"), ("trace-cmd",), ("perfetto",), ("chrome",),
              ("journald",), ("folded",)):
    what = "damage, " + words[0]
    there, back = tool.path("damaged-" + words[0]), tool.path("damaged-" + words[0] + ".log")
    options = ("--no-embed",) if words[0] in ("ltt", "ctf", "fxt", "eventheader") else ()
    status, _, errors = tool.run("convert", "-t", *words, *options, damaged, "-o", there)
    tool.check(what + ": the gap is told", status == 1 and "the recording has a gap at 1 place" in errors, errors)
    if words[0] == "folded":
        found = folded(there)
        tool.equal(what + ": nobody has the CPUs", {key: found.get(key) for key in ("a", "b", "unknown")},
                   {**DAMAGED, "unknown": 60})
        continue
    tool.check(what + ": the output states the gap", GAP in written(there))
    if words[0] in ("perfetto", "chrome", "journald"):
        continue
    tool.run("convert", "-f", words[0], there, "-o", back)
    found = shares(back)[0]
    tool.equal(what + ": each process has what is known", {key: found.get(key) for key in "ab"}, DAMAGED)
    tool.check(what + ": nobody has the CPUs", found[None] >= 60, found)

# Texts of threads have digits (bcoslog(5)), which an output shows people as words: "OA3" is blocked, 24 + 202 * 64: in call 202,
# for I/O; "611" held back, thread 1; "2010" woken by an interrupt on CPU 1, at once; "L" of a name is thread 21.
LEFT, WOKEN, NAMED, CGROUP, REQUEST = 0xC0000008, 0xC000000A, 0xC000000B, 0xC000000C, 0xC0000020
told = tool.save(
    "told", group(), event("process", 0, 5, BEGIN, "begin"), event("process", 10, NAMED, BEGIN, "Lworker \"1\"", 0),
    event("process", 10, CGROUP, BEGIN, "cgroup \"/batch\"", 0), event("process", 10, WOKEN, BEGIN + MS, "2010", 0),
    assign(0, 10, BEGIN + 2 * MS), event("process", 10, LEFT, BEGIN + 4 * MS, "6001", 0), event("process", 10, LEFT, BEGIN + 5 * MS, "OA3", 0),
    assign(0, IDLE, BEGIN + 5 * MS), event("process", 10, REQUEST, BEGIN + 6 * MS, "R 268435456 4096@8 1000+2000", 0))
LINES = {b"thread 10 woken by an interrupt on CPU 1": ("perfetto", "chrome"),
         b"thread 10 blocked in system call 202, for I/O": ("perfetto", "chrome"),
         b"thread 1 held back, since its control group has used its quota": ("chrome",), b"thread 21 is named worker": (), b"/batch": ()}
for format in "ltt", "ctf", "fxt", "eventheader", "trace-cmd", "perfetto", "journald", "chrome":
    there = tool.path("told-" + format)
    options = ("--no-embed",) if format in ("ltt", "ctf", "fxt", "eventheader") else ()
    status, _, errors = tool.run("convert", "-t", format, *options, told, "-o", there)
    found = written(there)
    lacks = [line for line, without in LINES.items() if format not in without and line not in found]
    tool.check(format + ": threads are told in words", not status and not lacks and b"OA3" not in found and b"Lworker" not in found,
               (errors, lacks))
tool.run("convert", "-f", "eventheader", tool.path("told-eventheader"), "-o", tool.path("told-back"))
requests = [line for line in tool.run("dump", tool.path("told-back"))[1].splitlines() if "4096@8" in line]
tool.check("eventheader: a request has the keyword of its class", len(requests) == 1 and "(keyword 0x800)" in requests[0], requests)

# In a Fuchsia trace each counter of a device has the ID of the device. These would be the log's own events of processes, such as the
# victim of the OOM killer and a thread's name, and a message of numbers.
DEVICES = (0xC0000001, 0xC000000B, 0x80000009, 0x40000003)
counted = tool.save("counted", group(devices=((0xC0000000, "bcos_evlog"), *((device, "device") for device in DEVICES))),
                    event("process", 0, 5, BEGIN, "begin"), *(output_of(device, 7, BEGIN + MS) for device in DEVICES))
tool.run("convert", "-t", "fxt", "--no-embed", counted, "-o", tool.path("counted-fxt"))
tool.run("convert", "-f", "fxt", tool.path("counted-fxt"), "-o", tool.path("counted-back"))
tool.equal("fxt: no event of another program is one of the log's own",
           sorted((row["text"], row["event"]) for row in tool.rows("dump", tool.path("counted-back")) if "output counter" in row.get("text", "")),
           sorted(("device: output counter %d bytes=7" % device, 0 if device & 0x80000000 else device) for device in DEVICES))
tool.end()
