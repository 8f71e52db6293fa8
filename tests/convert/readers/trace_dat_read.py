# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: trace_dat_read.py LOG TRACE.DAT - compares the totals of a log with those of its trace.dat.

Written from trace-cmd.dat.v6(5) and the kernel's description of ring buffer pages. Where a field is, the file's own
descriptions of tracepoints say.
"""
import collections
import re
import struct
import sys

import bcos_log

KERNEL, UNKNOWN = 0x7FFFFFFF, 0x7FFFFFFE
# A text is cut if its page has no more room.
LONG = 3900


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def bytes(self, size):
        assert self.at + size <= len(self.data), "the file is too short"
        self.at += size
        return self.data[self.at - size:self.at]

    def word(self):
        end = self.data.index(b"\0", self.at)
        return self.bytes(end + 1 - self.at)[:-1].decode()


def formats(reader):
    """{number: (name, {field: (offset, size, declaration)})}"""
    found = {}
    for _ in range(reader.take("I")):
        reader.word()
        for _ in range(reader.take("I")):
            text = reader.bytes(reader.take("Q")).decode()
            number = int(re.search(r"^ID: (\d+)$", text, re.M)[1])
            fields = {}
            for declaration, offset, size in re.findall(r"^\tfield:([^;]*);\toffset:(\d+);\tsize:(\d+);\tsigned:[01];$", text, re.M):
                fields[declaration.split("[")[0].split()[-1] if "__data_loc" not in declaration else declaration.split()[-1]] = \
                    (int(offset), int(size), declaration)
            assert number not in found
            found[number] = (re.search(r"^name: (.*)$", text, re.M)[1], fields)
    return found


def field(record, description):
    offset, size, declaration = description
    value = record[offset:offset + size]
    if declaration.startswith("__data_loc"):
        where = struct.unpack("<I", value)[0]
        value = record[where & 0xFFFF:(where & 0xFFFF) + (where >> 16)]
        assert len(value) == where >> 16, "a text beyond its record"
        if "char" not in declaration:
            return value
        assert value[-1:] == b"\0" and b"\0" not in value[:-1]
        return value[:-1].decode()
    if "[" in declaration:
        assert b"\0" in value
        return value.split(b"\0")[0].decode()
    return int.from_bytes(value, "little")


def records(page):
    """(time, record) of each, and last (None, lost)."""
    time, commit = struct.unpack_from("<QQ", page)
    size, flags = commit & (1 << 27) - 1, commit >> 30
    data, at = page[16:16 + size], 0
    assert 16 + size <= len(page)
    while at < size:
        head = struct.unpack_from("<I", data, at)[0]
        kind, delta = head & 31, head >> 5
        at += 4
        if kind == 30:
            time += delta + (struct.unpack_from("<I", data, at)[0] << 27)
            at += 4
            continue
        assert kind < 29
        time += delta
        length = 4 * kind
        if not kind:
            length = struct.unpack_from("<I", data, at)[0] - 4
            at += 4
        yield time, data[at:at + length]
        at += (length + 3) & ~3
    assert at == size
    yield None, struct.unpack_from("<Q", page, 16 + size)[0] if flags else 0


def read(data):
    """The list of (time, CPU, name, fields), the threads' names, and what was lost of each CPU."""
    reader = Reader(data)
    assert reader.bytes(12) == b"\x17\x08\x44tracing6\0"[:12] and reader.take("BB") == (0, 8)
    page_size = reader.take("I")
    for name in ("header_page", "header_event"):
        assert reader.word() == name
        reader.bytes(reader.take("Q"))
    for _ in range(reader.take("I")):
        reader.bytes(reader.take("Q"))
    points = formats(reader)
    for _ in range(2):
        reader.bytes(reader.take("I"))
    lines = reader.bytes(reader.take("Q")).decode().split("\n")
    assert lines.pop() == ""
    names = {int(line.split(" ", 1)[0]): line.split(" ", 1)[1] for line in lines}
    cpus = reader.take("I")
    assert reader.bytes(10) == b"options  \0"
    options = {}
    while (option := reader.take("H")):
        options[option] = reader.bytes(reader.take("I"))
    assert list(options) == [9] and options[9].endswith(b"times of [boot]\0") and reader.bytes(10) == b"flyrecord\0"
    events, lost = [], collections.Counter()
    end = None
    for cpu, (offset, size) in enumerate([reader.take("QQ") for _ in range(cpus)]):
        assert not offset % page_size and not size % page_size and (end is None or offset == end) and offset + size <= len(data)
        end, last = offset + size, 0
        for at in range(offset, end, page_size):
            for time, record in records(data[at:at + page_size]):
                if time is None:
                    lost[cpu] += record
                    continue
                assert time >= last, "the time of a CPU goes back"
                last = time
                name, fields = points[int.from_bytes(record[:2], "little")]
                events.append((time, cpu, name, {key: field(record, fields[key]) for key in fields}))
    assert end is None or end == len(data)
    events.sort(key=lambda event: event[0])
    return events, names, lost


def process_of(thread):
    return {0: bcos_log.IDLE, KERNEL: 0, UNKNOWN: None}.get(thread, thread)


def totals(events):
    sums, running = bcos_log.Totals(), {}
    for time, cpu, name, told in events:
        sums.at(time)
        if name == "sched_switch":
            assert told["prev_pid"] == told["common_pid"]
            left, came = ([told[side + part] for part in ("_pid", "_comm", "_prio")] for side in ("prev", "next"))
            assert running.get(cpu, [0, "swapper", 120]) == left, "another thread leaves than came"
            running[cpu] = came
            process = process_of(told["next_pid"])
            sums.switches[cpu] += process is not None
            sums.run(cpu, process, time)
        elif name == "irq_handler_entry":
            sums.interrupts[told["bcos_device"]] += 1
        elif name == "bcos_transfer":
            (sums.output if told["output"] else sums.input)[told["device"]] += told["bytes"]
        elif name == "bcos_event":
            sums.texts[told["text"]] += 1
        elif name == "bcos_calls":
            sums.calls += len(told["functions"]) // 4
    return sums


def short_name(name):
    """As the kernel cuts it."""
    return name.encode()[:15].decode(errors="ignore")


def lives(data):
    """New names and ends, and the former name of each, as far as nothing was overtaken; of threads."""
    known, found, whole = {}, collections.Counter(), True
    for kind, source, time, _, body in bcos_log.entries(data):
        thread, name = source & 0x7FFFFFFF, short_name(body.split(b"\0")[0].decode(errors="ignore"))
        if kind in (0, 0x8000):
            if not kind and source in known:
                found["task_rename", thread, known[source], name, time] += 1
            known[source] = name
        elif kind == 1:
            found["sched_process_exit", thread, known.pop(source, ""), time] += 1
        whole = whole and not (kind == 0x6010 and source == 0xC0000000 and struct.unpack("<I", body[:4])[0] == bcos_log.MISSED)
    return found if whole else None


def lives_of(events):
    found = collections.Counter()
    for time, _, name, told in events:
        if name == "task_rename":
            found[name, told["pid"], told["oldcomm"], told["newcomm"], time] += 1
        elif name == "sched_process_exit":
            found[name, told["pid"], told["comm"], time] += 1
    return found


def interrupts_left(events):
    """Handlers that begin and do not end, or end before they begin; all of them are handled at once."""
    left = collections.Counter()
    for time, cpu, name, told in events:
        if name == "irq_handler_entry":
            left[time, cpu, told["irq"]] += 1
        elif name == "irq_handler_exit":
            assert told["ret"] == 1 and left[time, cpu, told["irq"]], (time, cpu, told)
            left[time, cpu, told["irq"]] -= 1
    return +left


def cut(texts):
    short = collections.Counter()
    for text, count in texts.items():
        short[text.encode()[:LONG].decode(errors="ignore")] += count
    return short


def main(log, path):
    data = open(log, "rb").read()
    ours = bcos_log.totals(data)
    events, names, lost = read(open(path, "rb").read())
    theirs = totals(events)
    theirs.at(ours.last)
    theirs.end()
    ours.texts, theirs.texts = cut(ours.texts), cut(theirs.texts)
    kept = ["cpu_time", "switches", "interrupts", "input", "output", "texts", "first", "last"]
    # A list of calls is cut if its page has no more room, too.
    if all(kind != 0x11 or len(body) < LONG for kind, _, _, _, body in bcos_log.entries(data)):
        kept.append("calls")
    wrong = list(ours.differences(theirs, kept))
    expected, found = lives(data), lives_of(events)
    told, came = collections.Counter(), collections.Counter()
    for time, cpu, name, fields in events:
        if name == "sched_process_fork":
            told[fields["child_pid"], fields["child_comm"]] += 1
        elif name == "sched_switch":
            came[time, cpu, fields["next_pid"], fields["next_comm"]] += 1
    born, living = collections.Counter(), {}
    for kind, source, time, _, body in bcos_log.entries(data):
        if kind in (0, 0x8000):
            name = body.split(b"\0")[0][:15].decode(errors="ignore")
            if not kind and source not in living:
                born[source & 0x7FFFFFFF, name] += 1
            living[source] = name
            if source and names.get(source & 0x7FFFFFFF) is None:
                wrong.append("process %d has no name" % source)
        elif kind == 1:
            living.pop(source, None)
        elif kind == 0x4002 and (process := struct.unpack("<I", body[:4])[0]) in living:
            turn = (time, source, process & 0x7FFFFFFF or KERNEL, living[process])
            if not came[turn]:
                wrong.append("no switch (time, CPU, process, name): %r" % (turn,))
            came[turn] -= 1
        elif kind == 0x6010 and source == 0xC0000000 and struct.unpack("<I", body[:4])[0] == bcos_log.MISSED:
            living = {}
    if told - born or (expected is not None and born - told):
        wrong.append("births: %s" % list((told - born).items())[:3])
    if interrupts_left(events):
        wrong.append("interrupts without their end: %s" % list(interrupts_left(events).items())[:3])
    if expected is not None and expected != found:
        wrong.append("names and ends: %s, and not %s" % (list((found - expected).items())[:3], list((expected - found).items())[:3]))
    losses = sum(kind == 0x4010 and struct.unpack("<I", body[:4])[0] == bcos_log.LOSS for kind, _, _, _, body in bcos_log.entries(data))
    if bool(losses) > bool(sum(lost.values())):
        wrong.append("the log states losses, and the trace none")
    if wrong or not events:
        sys.exit("\n".join(wrong[:20]) or "there is no event")


main(*sys.argv[1:])
