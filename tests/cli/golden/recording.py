#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""recording.py KIND [big] [OPTION...]: a recording of perf or trace-cmd on standard output, of what standard input says.

KIND is perf, perf-pipe, trace6 or trace7; "big" writes it as a big endian machine does. It is written from the
documentation of the formats (perf.data-file-format, trace-cmd.dat.v6(5), trace-cmd.dat.v7(5)), and shares no code with
what reads them. Standard input has a happening a line, in the order of the file; "_" is no name:

    TIME CPU switch PREVIOUS COMM STATE NEXT COMM
    TIME CPU fork PARENT CHILD COMM
    TIME CPU exec TID FILE
    TIME CPU exit TID COMM
    TIME CPU irq NUMBER NAME
    TIME CPU waking|wakeup|wakeup_new CURRENT FLAGS TID COMM      CURRENT has the CPU; FLAGS: 8 hard interrupt, 16 softirq
    TIME CPU lost COUNT
    TIME CPU event TRACEPOINT PID HEX       an event of the user_events tracepoint
    TIME CPU raw NUMBER HEX                 of perf: any record after its header

and of perf alone, its own records (what the kernel appends to them is added):

    TIME CPU comm PID TID NAME
    TIME CPU task PID TID PARENT            a thread begins
    TIME CPU end PID TID
    TIME CPU mmap PID FILE

Options: clock=ID (of perf -k; of trace-cmd its name), tsc=MULT,SHIFT,OFFSET and offset=TEXT (of trace-cmd), wall=UTC,TIME (what CLOCK_DATA says), group (attributes that ask for no tasks),
lost=CPU (of trace-cmd: the first page of the CPU says that records were lost), instances=COUNT (of trace-cmd: so many
instances have it all, and the main buffer nothing), names=TID:NAME,..., compressed (of perf:
a compressed record at the end), host=NAME.
"""
import struct
import sys

KIND = sys.argv[1]
WORDS = sys.argv[2:]
BIG = "big" in WORDS
OPTIONS = dict(word.split("=", 1) for word in WORDS if "=" in word)
E = ">" if BIG else "<"


def pack(form, *values):
    return struct.pack(E + form, *values)


COMMON = [("unsigned short common_type", 0, 2, 0), ("unsigned char common_flags", 2, 1, 0),
          ("unsigned char common_preempt_count", 3, 1, 0), ("int common_pid", 4, 4, 1)]
EVENTHEADER = [("u8 eventheader_flags", 8, 1, 0), ("u8 version", 9, 1, 0), ("u16 id", 10, 2, 0), ("u16 tag", 12, 2, 0),
               ("u8 opcode", 14, 1, 0), ("u8 level", 15, 1, 0)]
POINTS = {
    "sched_switch": ("sched", 372, [("char prev_comm[16]", 8, 16, 0), ("pid_t prev_pid", 24, 4, 1),
                                    ("int prev_prio", 28, 4, 1), ("long prev_state", 32, 8, 1),
                                    ("char next_comm[16]", 40, 16, 0), ("pid_t next_pid", 56, 4, 1),
                                    ("int next_prio", 60, 4, 1)]),
    "sched_process_fork": ("sched", 366, [("char parent_comm[16]", 8, 16, 0), ("pid_t parent_pid", 24, 4, 1),
                                          ("char child_comm[16]", 28, 16, 0), ("pid_t child_pid", 44, 4, 1)]),
    "sched_process_exec": ("sched", 365, [("__data_loc char[] filename", 8, 4, 0), ("pid_t pid", 12, 4, 1),
                                          ("pid_t old_pid", 16, 4, 1)]),
    "sched_process_exit": ("sched", 369, [("char comm[16]", 8, 16, 0), ("pid_t pid", 24, 4, 1),
                                          ("int prio", 28, 4, 1)]),
    "sched_waking": ("sched", 376, [("char comm[16]", 8, 16, 0), ("pid_t pid", 24, 4, 1), ("int prio", 28, 4, 1),
                                    ("int target_cpu", 32, 4, 1)]),
    "sched_wakeup": ("sched", 375, [("char comm[16]", 8, 16, 0), ("pid_t pid", 24, 4, 1), ("int prio", 28, 4, 1),
                                    ("int target_cpu", 32, 4, 1)]),
    "sched_wakeup_new": ("sched", 374, [("char comm[16]", 8, 16, 0), ("pid_t pid", 24, 4, 1), ("int prio", 28, 4, 1),
                                        ("int target_cpu", 32, 4, 1)]),
    "irq_handler_entry": ("irq", 225, [("int irq", 8, 4, 1), ("__data_loc char[] name", 12, 4, 0)]),
}


def point(name):
    """A tracepoint of programs gets a number when it is first named."""
    if name not in POINTS:
        POINTS[name] = ("user_events", 1500 + len(POINTS), EVENTHEADER)
    return POINTS[name]


def text_of(name):
    system, number, fields = POINTS[name]
    line = "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n"
    return ("name: %s\nID: %d\nformat:\n" % (name, number) + "".join(line % f for f in COMMON) + "\n" +
            "".join(line % f for f in fields) + '\nprint fmt: "%d", REC->common_pid\n').encode()


# This is one of ftrace's own events, which become nothing.
OTHER = ("name: print\nID: 5\nformat:\n" + "".join("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % f for f in COMMON) +
         '\n\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: "%lx", REC->ip\n').encode()


def comm(name):
    return (b"" if name == "_" else name.encode())[:15].ljust(16, b"\0")


def dynamic(offset, name):
    """Where a string is, and the string."""
    value = name.encode() + b"\0"
    return pack("I", len(value) << 16 | offset), value


def record(name, pid, body, flags=0):
    return pack("HBBi", point(name)[1], flags, 0, pid) + body


def tracepoint(word, at):
    """The record of a tracepoint, and whose it is."""
    if word == "switch":
        previous, name, state, following, other = at
        body = comm(name) + pack("iiq", int(previous), 120, int(state, 0)) + comm(other) + pack("ii", int(following), 120)
        return int(previous), record("sched_switch", int(previous), body)
    if word == "fork":
        parent, child, name = at
        return int(parent), record("sched_process_fork", int(parent),
                                   comm(name) + pack("i", int(parent)) + comm(name) + pack("i", int(child)))
    if word == "exec":
        where, value = dynamic(20, at[1])
        return int(at[0]), record("sched_process_exec", int(at[0]), where + pack("ii", int(at[0]), int(at[0])) + value)
    if word == "exit":
        return int(at[0]), record("sched_process_exit", int(at[0]), comm(at[1]) + pack("ii", int(at[0]), 120))
    if word == "irq":
        where, value = dynamic(16, at[1])
        return 0, record("irq_handler_entry", 0, pack("i", int(at[0])) + where + value)
    if word in ("waking", "wakeup", "wakeup_new"):
        current, flags, tid, name = at
        return int(current), record("sched_" + word, int(current), comm(name) + pack("iii", int(tid), 120, 0), int(flags, 0))
    if word == "event":
        return int(at[1]), record(at[0], int(at[1]), bytes.fromhex(at[2]))
    return None


def descriptions():
    systems = {}
    for name, (system, _, _) in POINTS.items():
        systems.setdefault(system, []).append(name)
    out = pack("I", len(systems))
    for system, names in systems.items():
        out += system.encode() + b"\0" + pack("I", len(names))
        for name in names:
            out += pack("Q", len(text_of(name))) + text_of(name)
    return out


def described():
    """From header_page on."""
    page = (b"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
            b"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n")
    event = b"# compressed entry header\n"
    return (b"header_page\0" + pack("Q", len(page)) + page + b"header_event\0" + pack("Q", len(event)) + event +
            pack("I", 1) + pack("Q", len(OTHER)) + OTHER + descriptions())


# ---- perf ----

IDENTIFIER, TID, TIME, CPU, RAW = 1 << 16, 1 << 1, 1 << 2, 1 << 7, 1 << 10


def attribute(number, first):
    flags = 1 << 18 | (1 << 9 | 1 << 13 if first and "group" not in WORDS else 0) | (1 << 25 if "clock" in OPTIONS else 0)
    if BIG:     # the bits of each byte are the other way round
        bits = flags.to_bytes(8, "little")
        flag_bytes = bytes(int("{:08b}".format(b)[::-1], 2) for b in bits)
    else:
        flag_bytes = flags.to_bytes(8, "little")
    out = pack("IIQQQQ", 2, 112, number, 1, IDENTIFIER | TID | TIME | CPU | RAW, 0) + flag_bytes
    return out.ljust(92, b"\0") + pack("i", int(OPTIONS.get("clock", 0))) + bytes(16)


def perf_record(kind, body, misc=0):
    body += bytes(-len(body) % 8)
    return pack("IHH", kind, misc, len(body) + 8) + body


PROCESS = {}        # of threads, as perf's own records tell


def sample(time, cpu, tid, raw):
    number = struct.unpack(E + "H", raw[:2])[0]
    raw += bytes(-(len(raw) + 4) % 8)
    identifier = 1 + [p[1] for p in POINTS.values()].index(number)
    return perf_record(9, pack("QIIQII", identifier, PROCESS.get(tid, tid), tid, time, cpu, 0) + pack("I", len(raw)) + raw)


def own(kind, body, time, cpu, pid=0, tid=0):
    body += bytes(-len(body) % 8)
    return perf_record(kind, body + pack("IIQIIQ", pid, tid, time, cpu, 0, 1))


def perf_happening(time, cpu, word, at):
    made = tracepoint(word, at)
    if made:
        return sample(time, cpu, *made)
    if word == "lost":
        return own(2, pack("QQ", 1, int(at[0])), time, cpu)
    if word in ("comm", "task"):
        PROCESS[int(at[1])] = int(at[0])
    if word == "comm":
        return own(3, pack("II", int(at[0]), int(at[1])) + at[2].encode() + b"\0", time, cpu)
    if word == "task":
        pid, tid, parent = (int(value) for value in at)
        return own(7, pack("IIIIQ", pid, parent, tid, parent, time), time, cpu)
    if word == "end":
        return own(4, pack("IIIIQ", int(at[0]), 1, int(at[1]), 1, time), time, cpu)
    if word == "mmap":
        return own(1, pack("IIQQQ", int(at[0]), int(at[0]), 0, 0, 0) + at[1].encode() + b"\0", time, cpu)
    if word == "raw":
        return perf_record(int(at[0], 0), bytes.fromhex(at[1]))
    sys.exit("no such happening: " + word)


def feature_text(value):
    value = value.encode() + b"\0"
    return pack("I", len(value)) + value


def perf(lines, pipe):
    data = b"".join(perf_happening(*line) for line in lines)
    if "compressed" in WORDS:
        data += perf_record(81, b"whatever")
    tracing = b"\x17\x08\x44tracing" + b"0.6\0" + bytes([BIG, 8]) + pack("I", 4096) + described() + pack("IIQ", 0, 0, 0)
    numbers = [p[1] for p in POINTS.values()]
    features = {1: tracing}
    if "host" in OPTIONS:
        features[3] = feature_text(OPTIONS["host"])
    if "wall" in OPTIONS:
        utc, time = OPTIONS["wall"].split(",")
        features[29] = pack("IIQQ", 1, int(OPTIONS["clock"]), int(utc), int(time))
    magic = b"2ELIFREP" if BIG else b"PERFILE2"
    if pipe:
        out = magic + pack("Q", 16)
        for i, number in enumerate(numbers):
            out += perf_record(64, attribute(number, not i) + pack("Q", i + 1))
        for number in sorted(features):
            if number != 1:
                out += perf_record(80, pack("Q", number) + features[number])
        tracing += bytes(-len(tracing) % 8)
        return out + pack("IHHI", 66, 0, 12, len(tracing)) + tracing + data
    size = 112 + 16
    ids = 104
    attributes = ids + 8 * len(numbers)
    begin = attributes + size * len(numbers)
    out = magic + pack("QQQQQQQQ", 104, size, attributes, size * len(numbers), begin, len(data), 0, 0)
    out += pack("QQQQ", sum(1 << number for number in features), 0, 0, 0)
    out += b"".join(pack("Q", i + 1) for i in range(len(numbers)))
    for i, number in enumerate(numbers):
        out += attribute(number, not i) + pack("QQ", ids + 8 * i, 8)
    out += data
    offset = len(out) + 16 * len(features)
    for number in sorted(features):
        out += pack("QQ", offset, len(features[number]))
        offset += len(features[number])
    return out + b"".join(features[number] for number in sorted(features))


# ---- trace-cmd ----

PAGE = 4096


def head(kind, delta):
    return pack("I", kind << 27 | delta if BIG else delta << 5 | kind)


def page(time, body, lost):
    commit = len(body) | (3 << 30 if lost else 0)
    out = pack("QQ", time, commit) + body + (pack("Q", lost) if lost else b"")
    return out.ljust(PAGE, b"\0")


def cpu_pages(records, lost):
    out, body, first, last = b"", b"", None, None
    for time, raw in records:
        raw += bytes(-len(raw) % 4)
        if first is not None and len(body) + len(raw) + 24 > PAGE - 24:
            out += page(first, body, lost)
            body, first, lost = b"", None, 0
        if first is None:
            first = last = time
        delta = time - last
        if delta >> 27:
            body += head(30, delta & (1 << 27) - 1) + pack("I", delta >> 27)
            delta = 0
        if len(raw) > 28 * 4:
            body += head(0, delta) + pack("I", len(raw) + 4) + raw
        else:
            body += head(len(raw) // 4, delta) + raw
        last = time
    if first is not None:
        out += page(first, body, lost)
    return out


def names_text():
    pairs = [pair.split(":") for pair in OPTIONS.get("names", "").split(",") if pair]
    return "".join("%s %s\n" % tuple(pair) for pair in pairs).encode()


def trace_pages(lines):
    cpus = {}
    for time, cpu, word, at in lines:
        cpus.setdefault(cpu, []).append((time, tracepoint(word, at)[1]))
    count = max(cpus) + 1
    lost = OPTIONS.get("lost")
    return [cpu_pages(cpus.get(cpu, []), 7 if lost == str(cpu) else 0) for cpu in range(count)]


def option(number, body):
    return pack("HI", number, len(body)) + body


UNAME = b"Linux ash 6.12.1 x86_64\0"
CLOCK_NAME = OPTIONS.get("clock", "").encode()
CLOCKS = b"local [" + CLOCK_NAME + b"] global\n\0" if CLOCK_NAME else b"[local] global boot\n\0"


def clock_options():
    """What times of other clocks become: of the time stamp counter, and of the clock of another machine."""
    out = b""
    if "tsc" in OPTIONS:
        out += option(14, pack("IIQ", *(int(value) for value in OPTIONS["tsc"].split(","))))
    if "offset" in OPTIONS:
        out += option(7, OPTIONS["offset"].encode() + b"\0")
    return out


def instances():
    return ["one", "two", "three"][:int(OPTIONS.get("instances", 0))]


def trace6(lines):
    pages = trace_pages(lines)
    # With instances the main buffer is empty, and each instance has all events.
    buffers = [[b""] * len(pages) if instances() else pages] + [pages] * len(instances())
    out = b"\x17\x08\x44tracing6\0" + bytes([BIG, 8]) + pack("I", PAGE) + described()
    out += pack("II", 0, 0) + pack("Q", len(names_text())) + names_text() + pack("I", len(pages))
    out += b"options  \0" + option(4, CLOCKS) + option(5, UNAME) + clock_options()
    table = 10 + 16 * len(pages)
    place = len(out) + sum(6 + 8 + len(name) + 1 for name in instances()) + 2 + table
    for name in instances():
        out += option(3, pack("Q", place) + name.encode() + b"\0")
        place += table
    out += pack("H", 0)
    begin = offset = (place + PAGE - 1) // PAGE * PAGE
    for buffer in buffers:
        out += b"flyrecord\0"
        for one in buffer:
            out += pack("QQ", offset, len(one))
            offset += len(one)
    return out.ljust(begin, b"\0") + b"".join(one for buffer in buffers for one in buffer)


def section(number, body):
    return pack("HHIQ", number, 0, 0, len(body)) + body


def trace7(lines):
    pages = trace_pages(lines)
    start = b"\x17\x08\x44tracing7\0" + bytes([BIG, 8]) + pack("I", PAGE) + b"none\0\0"
    out = start + pack("Q", 0)
    where = {}
    for number, body in ((18, descriptions()), (21, pack("Q", len(names_text())) + names_text())):
        where[number] = len(out)
        out += section(number, body)
    options = option(5, UNAME) + clock_options() + option(18, pack("Q", where[18])) + option(21, pack("Q", where[21]))
    for name, those in zip(["", *instances()], [[b""] * len(pages) if instances() else pages] + [pages] * len(instances())):
        buffer = len(out)
        out += pack("HHIQ", 3, 0, 0, sum(map(len, those)))
        out = out.ljust((len(out) + PAGE - 1) // PAGE * PAGE, b"\0")
        table = b""
        for cpu, one in enumerate(those):
            table += pack("IQQ", cpu, len(out), len(one))
            out += one
        options += option(3, pack("Q", buffer) + name.encode() + b"\0" + (CLOCK_NAME or b"boot") + b"\0" + pack("II", PAGE, len(pages)) + table)
    options += option(0, pack("Q", 0))
    out = start + pack("Q", len(out)) + out[len(start) + 8:]
    return out + section(0, options)


def main():
    lines = []
    for line in sys.stdin:
        words = line.split("#")[0].split()
        if words:
            lines.append((int(words[0]), int(words[1]), words[2], words[3:]))
    for line in lines:      # numbers of tracepoints before anything is written
        tracepoint(line[2], line[3])
    write = {"perf": lambda: perf(lines, False), "perf-pipe": lambda: perf(lines, True), "trace6": lambda: trace6(lines),
             "trace7": lambda: trace7(lines)}[KIND]
    sys.stdout.buffer.write(write())


main()
