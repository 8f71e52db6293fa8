# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Recordings of other tools: what they do not tell is unknown, what is left out is counted, and no file asks too much."""
import os
import signal
import struct
import subprocess
import sys
import time

from made import S, Tool, assign, cancel, event, group

RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "recording.py")
UNKNOWN = 0x7FFFFFFF
tool = Tool()


def record(file, kind, text, *options):
    made = subprocess.run([sys.executable, "-B", RECORDING, kind, *options], input=text.encode(), capture_output=True,
                          check=True).stdout
    return tool.save(file, made)


def convert(path, *options):
    """Return: (exit status, lines of standard error, the log or None)."""
    log = path + ".log"
    status, _, errors = tool.run("convert", *options, path, "-o", log)
    return status, errors.splitlines(), log if os.path.exists(log) else None


def lost(log):
    """The texts of all losses."""
    return [row["text"] for row in tool.rows("dump", log) if row.get("event") == 0x80000001]


# ---- a status that nobody knows ----
log = tool.save("ends.log", group(), cancel(10, 20 * S, UNKNOWN), assign(0, 11, 21 * S), cancel(11, 22 * S, 3))
tool.equal("dump --json has no status", [(row["status"], row.get("exit_code")) for row in tool.rows("dump", log)
                                         if "status" in row], [(None, None), (3, 3)])
tool.equal("processes: the end is unknown", {row["process"]: (row["how"], row["status"]) for row in
                                             tool.rows("processes", log) if row["process"] in (10, 11)},
           {10: ("unknown", None), 11: ("exit code 3", 3)})
tool.equal("and is no failure", {row["name"]: row["failed"] for row in tool.rows("processes", "--short", log)
                                 if row["name"] in "ab"}, {"a": 0, "b": 1})
tool.check("dump says so", '"a": status unknown\n' in tool.run("dump", log)[1])
tool.check("the story says so", "unknown" in tool.run("story", "10", log)[1])

LIFE = """1000 0 switch 0 swapper/0 0 50 sh
1500 0 {birth}
2000 0 switch 50 sh 0 51 sh
3000 0 exit 51 sh
4000 0 switch 51 sh 0x20 50 sh
"""
for kind, birth in (("perf-pipe", "task 51 51 50"), ("trace6", "fork 50 51 sh"), ("trace7", "fork 50 51 sh")):
    log = convert(record(kind, kind, LIFE.format(birth=birth)))[2]
    tool.equal(kind + ": a status that the recording does not have is unknown",
               [row["status"] for row in tool.rows("dump", log) if "status" in row], [None])

# ---- EventHeader: each encoding in each format, in both byte orders, as the format describes them ----
# The formats: 0 default, 1 unsigned, 2 signed, 3 hexadecimal, 4 errno, 5 PID, 6 time, 7 boolean, 8 float, 9 bytes, 10 Latin, 11 UTF,
# 12 UTF with a mark, 13 XML, 14 JSON, 15 UUID, 16 port, 17 address, 18 the same. Others that do not fit are the default of the encoding.
TEXT = '"\u00e9"'


def described(encoding, form, big, payload):
    """An event "e" with a field "a" of this encoding and format, in hexadecimal digits."""
    order = ">" if big else "<"
    meta = b"e\0a\0" + (bytes([encoding]) if form is None else bytes([encoding | 0x80, form]))
    return (bytes([5 if big else 7, 0]) + struct.pack(order + "HHBB", 0, 0, 0, 4) + struct.pack(order + "HH", len(meta), 1) + meta +
            payload).hex()


def values(big):
    """Rows of (encoding, payload, what most formats print, {format: what it prints instead})."""
    order = ">" if big else "<"
    number = lambda code, value: struct.pack(order + code, value)
    counted = lambda count, body: number("H", count) + body
    hexed = lambda body: {9: body.hex()}
    wide = {unit: "\u00e9".encode("utf-%d-%s" % (8 * unit, "be" if big else "le")) for unit in (2, 4)}
    two = 0xC3A9 if big else 0xA9C3
    pair = {1: str(two), 2: str(two - 0x10000), 3: hex(two), **{form: "c3a9" for form in (4, 5, 6, 8, 9, 15, 17, 18)}, 7: str(two),
            10: '"\u00c3\u00a9"', 16: "50089", **{form: TEXT for form in (11, 12, 13, 14)}}
    none = {**{form: "null" for form in (1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18)}, 9: "", **{form: '""' for form in (10, 11, 12, 13, 14)}}
    sixteen = bytes.fromhex("20010db8000000000000000000000001")
    yield 2, b"\xE9", "233", {2: "-23", 3: "0xe9", 9: "e9", 10: TEXT}
    yield 2, b"\1", "1", {3: "0x1", 7: "true", 9: "01", 10: '"\\x01"'}
    yield 3, number("H", 0xFF5E), "65374", {2: "-162", 3: "0xff5e", **hexed(number("H", 0xFF5E)), 11: '"\uff5e"',
                                            16: "65374" if big else "24319"}
    yield 3, number("H", 0), "0", {3: "0x0", 7: "false", 9: "0000", 11: '"\\x00"'}
    address = "191.192.0.0" if big else "0.0.192.191"
    yield 4, number("I", 0xBFC00000), "3217031168", {
        2: "-1077936128", 3: "0xbfc00000", 4: "-1077936128", 5: "-1077936128", 6: "1935-11-04T21:17:52Z", 8: "-1.5",
        **hexed(number("I", 0xBFC00000)), 11: '"\ufffd"', 17: address, 18: address}
    yield 5, number("Q", 0xBFF8 << 48), "13832806255468478464", {
        2: "-4613937818241073152", 3: "0xbff8000000000000", 6: "-4613937818241073152", 8: "-1.5", **hexed(number("Q", 0xBFF8 << 48))}
    yield 5, number("Q", 1700000000), "1700000000", {3: "0x6553f100", 6: "2023-11-14T22:13:20Z", 8: "8.39911597930119e-315",
                                                     **hexed(number("Q", 1700000000))}
    yield 6, sixteen, sixteen.hex(), {15: "20010db8-0000-0000-0000-000000000001", 17: "2001:db8::1", 18: "2001:db8::1"}
    # A zero ends the texts 7 to 9, also if the payload does; a count of characters precedes the others.
    yield 7, b"\xC3\xA9\0", TEXT, {9: "c3a9", 10: '"\u00c3\u00a9"'}
    yield 7, b"\xC3\xA9", TEXT, {9: "c3a9", 10: '"\u00c3\u00a9"'}
    yield 8, wide[2] + b"\0\0", TEXT, hexed(wide[2])
    yield 9, wide[4] + b"\0\0\0\0", TEXT, hexed(wide[4])
    yield 10, counted(2, b"\xC3\xA9"), TEXT, pair
    yield 10, counted(0, b""), '""', none
    yield 11, counted(1, wide[2]), TEXT, hexed(wide[2])
    yield 12, counted(1, wide[4]), TEXT, hexed(wide[4])
    # Bytes are those of their format if they have the size of such a value; without one they are bytes.
    yield 13, counted(2, b"\xC3\xA9"), "c3a9", pair
    yield 13, counted(0, b""), "", none


FORMATS = (None, *range(20), 0x7F)
for big in (False, True):
    rows = [(encoding, form, payload, other.get(form, usual)) for encoding, payload, usual, other in values(big) for form in FORMATS]
    # What perf keeps of an event has a multiple of eight bytes, so a text that only the payload ends may have zeros behind it.
    text = "".join("%d 0 event T_L4K0 50 %s\n" % (S + n, described(encoding, form, big, payload))
                   for n, (encoding, form, payload, _) in enumerate(rows))
    log = convert(record("values%d" % big, "perf-pipe", text, *["big"] * big))[2]
    said = [row["text"] for row in tool.rows("dump", log) if row.get("text", "").startswith("T:e")]
    wrong = [(encoding, form, payload.hex(), got, "T:e a=" + expected)
             for (encoding, form, payload, expected), got in zip(rows, said) if got != "T:e a=" + expected]
    tool.check("%s endian: each encoding in each format" % ("big" if big else "little"), len(said) == len(rows) and not wrong, wrong[:5])

# perf fills these up to a multiple of eight bytes, too, and nothing tells how long they were.
log = convert(record("nameless", "perf-pipe", "1000 0 event T_L2K0 50 030037000000000201020304\n1001 0 event T_L3K0 50 0100003800000003010203\n"))[2]
tool.equal("an event without metadata is known by its ID", [(row["event"], row["severity"], row["text"]) for row in tool.rows("dump", log)
                                                            if row["time"] in (1000, 1001) and row.get("text", "").startswith("T:")],
           [(55, 0x80, "T:event 55 payload=01020304"), (56, 0x7F, "T:event 56 payload=01020300")])

# ---- losses of perf: two kinds of records tell of the same ones, and a record without a time has none ----
SWITCH = "{} 0 switch 77 alpha 1 78 beta\n{} 0 switch 78 beta 1 77 alpha\n"
TURNS = "".join(SWITCH.format(5 * S + n * 2000000, 5 * S + n * 2000000 + 1000000) for n in range(2))
MORE = SWITCH.format(5 * S + 4000000, 5 * S + 5000000)


def samples(count, at=0, cpu=0):
    """A PERF_RECORD_LOST_SAMPLES as perf adds it, with the time @at."""
    return "0 0 raw 13 " + struct.pack("<QIIQIIQ", count, 0, 0, at, cpu, 0, 1).hex() + "\n"


LOST = "%d 0 lost 40\n" % (5 * S + 3500000)
for title, text, expected in (
        ("lost records alone", TURNS + LOST + MORE, [40]), ("with their sum", TURNS + LOST + MORE + samples(40), [40]),
        ("the sum of two events", TURNS + LOST + MORE + samples(15) + samples(25), [40]),
        ("a sum with two more", TURNS + LOST + MORE + samples(42), [40, 2]),
        ("the sum alone", TURNS + samples(7) + MORE, [7])):
    log = convert(record("lost", "perf-pipe", text))[2]
    tool.equal(title, [int(line.split()[1]) for line in lost(log)], expected)
    rows = [row for row in tool.rows("dump", log) if not row.get("historical")]
    tool.check(title + ": nothing happened before the recording", all(row["time"] >= 5 * S for row in rows), rows[0])
tool.check("a loss without a time lies between the records around it",
           lost(log) == ["lost 7 events: by the recorder, until 5.004000000 s"], lost(log))

# An export of bcoslog that perf recorded again, and that lacks events, is a recording as others: no switch of the CPU is
# known before the loss, so it begins with the log, and it ends with the record that tells of it.
tool.save("whole.log", group(), *(event("process", 10, 5, (20 + n) * S, "mark %d" % n) for n in range(4)))
made = subprocess.run([tool.program, "convert", "-t", "eventheader", tool.path("whole.log")], capture_output=True, check=True).stdout
records, at = [], 16
while at < len(made):
    kind, size = struct.unpack_from("<I2xH", made, at)
    # A size of tracing data comes after its record.
    size += struct.unpack_from("<I", made, at + 8)[0] if kind == 66 else 0
    records.append((kind, made[at:at + size]))
    at += size
marks = [n for n, (kind, body) in enumerate(records) if kind == 9 and b"mark " in body]
trailer = struct.pack("<IIQIIQ", 0, 0, struct.unpack_from("<Q", records[marks[2]][1], 24)[0] - 1, 0, 0, 0)
records[marks[2]:marks[2]] = [(2, struct.pack("<IHHQQ", 2, 0, 24 + len(trailer), 0, 6) + trailer)]
log = convert(tool.save("again.data", made[:16], *(body for _, body in records)))[2]
tool.equal("losses of perf in an export of bcoslog", [(row["time"], row["text"]) for row in tool.rows("dump", log)
                                                      if row.get("event") == 0x80000001],
           [(S, "lost 6 events: by the recorder, until 21.999999999 s")])

# ---- what is left out ----
status, errors, log = convert(record("nothing", "perf-pipe", "0 0 raw 17 0011\n", "group"))
tool.equal("nothing that becomes an entry: no log", (status, log, [line.split(": ", 2)[-1] for line in errors]),
           (2, None, ["1 event of kind PERF_RECORD_KSYMBOL is left out: no entry of a log tells of such an event",
                      tool.path("nothing") + " has nothing that becomes an entry of a log"]))
status, errors, log = convert(record("wakes", "perf-pipe", "0 0 comm 50 50 web\n0 0 comm 50 51 worker\n"
                                     "1000 0 switch 0 swapper/0 0 50 web\n1500 0 waking 50 0 51 _\n"
                                     "1600 0 wakeup 50 0 51 _\n1700 0 raw 14 00\n1800 0 raw 17 0011\n"))
tool.equal("each kind with its count", [line.split(": ", 2)[2].split(" left out")[0] for line in errors],
           ["1 event of kind %s is" % kind for kind in ("PERF_RECORD_KSYMBOL", "PERF_RECORD_SWITCH", "name of a thread",
                                                        "sched_wakeup")])

# ---- no file asks too much, and the first signal ends an import ----


def trace7(*options, section=b""):
    """A trace.dat of version 7 with these options; the section is at the offset 64."""
    head = b"\x17\x08\x44tracing7\0" + bytes([0, 8]) + struct.pack("<I", 4096) + b"zstd\0" + b"1.5\0"
    at = 64 + len(section)
    packed = b"".join(struct.pack("<HI", number, len(body)) + body for number, body in options)
    return (head + struct.pack("<Q", at)).ljust(64, b"\0") + section + struct.pack("<HHIQ", 0, 0, 0, len(packed)) + packed


where = struct.pack("<Q", 64)
none = struct.pack("<HHIQI", 18, 0, 0, 4, 0)
status, errors, log = convert(tool.save("twice.dat", trace7((18, where), (18, where), section=none)))
tool.equal("a section that is named twice is refused", (status, errors[0].split(": ", 2)[2:]),
           (2, ["it has two sections with descriptions of tracepoints"]))
status, errors, log = convert(tool.save("circle.dat", trace7((0, struct.pack("<Q", 64 + len(none))), section=none)))
tool.equal("options that continue with themselves are refused", (status, errors[0].split(": ", 2)[2:]),
           (2, ["its options continue at a place before themselves"]))

made = bytearray(open(record("same.dat", "trace6", "1000 0 switch 0 swapper/0 0 50 sh\n"), "rb").read())
table = made.rindex(b"flyrecord\0") + 10
first = struct.unpack_from("<QQ", made, table)
count = made.rindex(b"options  \0") - 4
struct.pack_into("<I", made, count, 64)
moved = bytes(made[:table]) + struct.pack("<QQ", first[0] + 63 * 16, first[1]) * 64 + bytes(made[table + 16:])
status, errors, log = convert(tool.save("overlap.dat", moved))
tool.check("CPUs with the same pages are refused", status == 2 and "overlap" in errors[0], errors)

# trace-cmd ends a file of version 7 with the names of its sections.
whole = open(record("plain.dat", "trace7", "1000 0 switch 0 swapper/0 0 50 sh\n"), "rb").read()
whole += struct.pack("<HHIQ", 15, 0, 0, 8) + b"headers\0"
status, errors, log = convert(tool.save("strings.dat", whole))
tool.equal("a file of version 7 is whole", (status, errors), (0, []))
for missing in (1, 8, 10, 23):
    status, errors, log = convert(tool.save("cut.dat", whole[:-missing]))
    tool.equal("it says if %d bytes are missing" % missing, (status, errors), (1, ["bcoslog: %s: it ends within a section" % tool.path("cut.dat")]))

# ---- CTF ----
CTF = """/* CTF 1.8 */
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
env { domain = "kernel"; tracer_name = "perf"; };
clock { name = perf_clock; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 8; signed = false; map = clock.perf_clock.value; } := stamp;
stream { id = 0; event.header := struct { u32 id; stamp timestamp; };
  packet.context := struct { stamp timestamp_begin; stamp timestamp_end; u64 content_size; u64 packet_size; u64 cpu_id; }; };
event { id = 1; stream_id = 0; name = "sched:sched_switch"; fields := struct { u32 perf_tid; u32 perf_pid;
  string prev_comm; u32 prev_pid; u32 prev_prio; u64 prev_state; string next_comm; u32 next_pid; u32 next_prio; }; };
event { id = 2; stream_id = 0; name = "sched:sched_stat_runtime"; fields := struct { u32 perf_tid; u32 perf_pid; }; };
event { id = 3; stream_id = 0; name = "sched:sched_waking"; fields := struct { u32 perf_tid; u32 perf_pid; string comm; u32 pid; }; };
"""


def ctf(name, events, cpu=3):
    """A trace as of perf data convert --to-ctf, in a folder; without events it has no stream."""
    folder = tool.path(name)
    os.mkdir(folder)
    with open(folder + "/metadata", "w") as file:
        file.write(CTF)
    if events:
        body = b"".join(struct.pack("<IQII", number, at, thread, process) + rest
                        for number, at, thread, process, rest in events)
        bits = 8 * (48 + len(body))
        with open(folder + "/perf_stream_3", "wb") as file:
            file.write(struct.pack("<IIQQQQQ", 0xC1FC1FC1, 0, events[0][1], events[-1][1], bits, bits, cpu) + body)
    return folder


def turn(at, thread, process, following):
    return (1, at, thread, process, b"old\0" + struct.pack("<IIQ", thread, 120, 1) + b"new\0" + struct.pack("<II", following, 98))


status, errors, log = convert(ctf("perf", [turn(S, 100, 100, 201), (2, S + 5, 201, 200, b""),
                                           (3, S + 6, 201, 200, b"web\0" + struct.pack("<I", 100)),
                                           turn(S + 10, 201, 200, 100)]))
tool.equal("perf's CTF has switches, and threads of processes",
           [(row["time"], row["source"], row["process"]) for row in tool.rows("dump", log) if row["name"] == "Assign CPU"],
           [(S, 3, 200), (S + 10, 3, 100)])
tool.check("with its own priorities", " thread 100 runs on CPU 3 at priority 98" in " " + " ".join(
    row.get("text") or "" for row in tool.rows("dump", log)), tool.run("dump", log)[1])
tool.equal("other tracepoints are counted", [line.split(": ", 2)[2] for line in errors],
           ["1 event of kind sched:sched_stat_runtime is left out: no entry of a log tells of such an event"])
for cpu in (8192, 9000, (1 << 32) + 3):
    status, errors, log = convert(ctf("cpu%d" % cpu, [turn(S, 100, 100, 201), turn(S + 10, 201, 200, 100)], cpu))
    tool.equal("events on CPU %d are counted, and no damage" % cpu, (status, [line.split(": ", 2)[-1] for line in errors]),
               (0, ["2 events of kind event on a CPU above 8191 are left out: no machine has such a CPU"]))
status, errors, log = convert(ctf("streamless", []))
tool.equal("metadata alone", (status, log, errors[0].split(": ", 1)[1]),
           (2, None, tool.path("streamless") + " has metadata, but no file with events"))
os.mkdir(tool.path("new"))
tool.save("new/metadata", b'\x1e{"type":"preamble","version":2}\n')
status, errors, log = convert(tool.path("new"))
tool.check("CTF 2 is called by its name", status == 2 and not log and "is a trace of CTF 2" in errors[0], errors)

os.makedirs(tool.path("session/ust/uid"))
os.rename(ctf("one", [turn(S, 100, 100, 201)]), tool.path("session/kernel"))
for name, events in (("session/ust/uid/1", [(2, S, 7, 7, b"")] * 3), ("session/ust/uid/2", [turn(S, 7, 7, 8), (2, S, 7, 7, b"")])):
    ctf(name, events)
status, errors, log = convert(tool.path("session"))
tool.equal("events of programs beside the kernel's trace are counted by kind",
           (status, sorted(line.split(": ", 2)[2].split(" left out")[0] for line in errors)),
           (0, ["1 event of kind sched:sched_stat_runtime in ust/uid/2 is", "1 event of kind sched:sched_switch in ust/uid/2 is",
                "3 events of kind sched:sched_stat_runtime in ust/uid/1 are"]))
with open(tool.path("session/ust/uid/2/perf_stream_3"), "r+b") as file:
    file.truncate(60)
status, errors, log = convert(tool.path("session"))
tool.check("and damage there is said", status == 1 and "session/ust/uid/2 cannot be read" in "\n".join(errors), (status, errors))
status, errors, log = convert(tool.path("session/ust"), "-f", "ctf")
tool.check("of several traces one has to be named", status == 2 and not log and "ust has 2 traces" in errors[0], errors)
os.makedirs(tool.path("folder/of/a"))
ctf("folder/of/a/trace", [turn(S, 100, 100, 201)])
status, errors, log = convert(tool.path("folder"))
tool.check("a folder is no trace because one is somewhere below", status == 2 and "tell the format" in errors[0], errors)
os.makedirs(tool.path("alone/ust/uid"))
ctf("alone/ust/uid/1", [turn(S, 100, 100, 201)])
status, errors, log = convert(tool.path("alone"))
tool.equal("the only trace below a folder is read", (status, errors, len([row for row in tool.rows("dump", log)
                                                                           if row["time"] == S and row["name"] == "Assign CPU"])), (0, [], 1))

slow = tool.path("slow")
for number in (signal.SIGINT, signal.SIGTERM):
    # A pipe that nobody closes: the import waits for more.
    child = subprocess.Popen([tool.program, "convert", "-f", "perf", "-", "-o", slow], stdin=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
    child.stdin.write(open(record("begun", "perf-pipe", TURNS), "rb").read())
    child.stdin.flush()
    time.sleep(0.5)
    child.send_signal(number)
    try:
        child.wait(20)
    except subprocess.TimeoutExpired:
        child.kill()
    tool.equal("the first %s ends an import" % number.name, (child.wait(), os.path.exists(slow)), (128 + number, False))
    child.stdin.close()
tool.end()
