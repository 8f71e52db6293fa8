# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: fxt_read.py LOG TRACE - compares the totals of a log with those of its Fuchsia trace; or fxt_read.py wakes TRACE - prints
when, on which CPU, and of which process threads are woken.

The reader of the trace is written from the format's page alone.
"""
import struct
import sys

from bcos_log import HISTORICAL, IDLE, LOSS, MISSED, Totals, entries, expect_same, text_of

KERNEL, UNKNOWN = 0xFFFFFFFF, 0xFFFFFFFE
STATE = 0xC0000003
PREEMPTED, BLOCKED, DEAD = 0, 3, 5


class Reader:
    def __init__(self, data):
        assert data[:8] in (bytes.fromhex("1000044678541600"), bytes.fromhex("0016547846040010")), "no magic"
        self.order = "<" if data[0] == 0x10 else ">"
        assert len(data) % 8 == 0
        self.words = struct.unpack(self.order + "%dQ" % (len(data) // 8), data)
        self.data = data
        self.strings = {0: ""}
        self.threads = {}
        self.process_names, self.thread_process, self.thread_names = {}, {}, {}
        self.rate = None
        self.blobs = {}
        self.lost = 0

    def stream(self, length):
        at = self.at * 8
        self.at += (length + 7) // 8
        padding = self.data[at + length:self.at * 8]
        assert not any(padding), "padding is not zero"
        return self.data[at:at + length]

    def string(self, reference):
        if reference & 0x8000:
            return self.stream(reference & 0x7FFF).decode()
        return self.strings[reference]

    def word(self):
        self.at += 1
        return self.words[self.at - 1]

    def thread(self, reference):
        if reference:
            return self.threads[reference]
        return self.word(), self.word()

    def arguments(self, count):
        found = {}
        for _ in range(count):
            begin = self.at
            header = self.word()
            size, kind = header >> 4 & 0xFFF, header & 15
            name = self.string(header >> 16 & 0xFFFF)
            if kind in (1, 2):
                value = header >> 32
                if kind == 1 and value >> 31:
                    value -= 1 << 32
            elif kind == 6:
                value = self.string(header >> 32 & 0xFFFF)
            elif kind in (3, 4, 5, 7, 8):
                value = self.word()
                assert kind != 4 or value >> 32, "64 bits where 32 are enough"
            elif kind == 9:
                value = bool(header >> 32 & 1)
            else:
                value = None
            assert self.at == begin + size, "size of argument"
            found[name] = value
        return found

    def records(self):
        """(kind, fields) of whatever a viewer shows."""
        self.at = 0
        while self.at < len(self.words):
            begin = self.at
            header = self.word()
            kind, size = header & 15, header >> 4 & 0xFFF
            assert size, "a record of size 0"
            found = getattr(self, "record_%d" % kind)(header)
            assert self.at == begin + size, "size of a record of type %d: %d, used %d" % (kind, size, self.at - begin)
            if found:
                yield found

    def record_0(self, header):
        kind = header >> 16 & 15
        if kind == 1:
            self.provider = self.stream(header >> 52 & 0xFF).decode()
        elif kind == 3:
            assert header >> 52 & 15 == 0
            self.lost += 1

    def record_1(self, header):
        self.rate = self.word()
        assert self.rate and not header >> 16

    def record_2(self, header):
        assert not header >> 47 and not header >> 31 & 1, "reserved bits of a string"
        self.strings[header >> 16 & 0x7FFF] = self.stream(header >> 32 & 0x7FFF).decode()

    def record_3(self, header):
        assert header >> 16 & 0xFF and not header >> 24
        self.threads[header >> 16 & 0xFF] = (self.word(), self.word())

    def record_4(self, header):
        assert self.rate, "an event before the initialization"
        kind, time = header >> 16 & 15, self.word()
        thread = self.thread(header >> 24 & 0xFF)
        category, name = self.string(header >> 32 & 0xFFFF), self.string(header >> 48)
        assert category and name, "viewers drop events without category or name"
        assert thread[1] in self.thread_process and thread[0] in self.process_names, "an object before use"
        arguments = self.arguments(header >> 20 & 15)
        extra = self.word() if kind in (1, 4, 5, 6, 7, 8, 9, 10) else None
        return "event", (kind, time, thread, category, name, arguments, extra)

    def record_5(self, header):
        assert header >> 48 == 1
        name = self.string(header >> 16 & 0xFFFF)
        self.blobs[name] = self.blobs.get(name, b"") + self.stream(header >> 32 & 0x7FFF)

    def record_7(self, header):
        kind, koid = header >> 16 & 0xFF, self.word()
        name, arguments = self.string(header >> 24 & 0xFFFF), self.arguments(header >> 40 & 15)
        if kind == 1:
            self.process_names[koid] = name
        elif kind == 2:
            assert "process" in arguments
            self.thread_process[koid] = arguments["process"]
            self.thread_names[koid] = name
        return "object", (kind, koid, name, arguments)

    def record_8(self, header):
        layout = header >> 60
        time = self.word()
        if layout == 0:
            cpu, state = header >> 16 & 0xFF, header >> 24 & 15
            out, into = self.thread(header >> 28 & 0xFF), self.thread(header >> 36 & 0xFF)
            idle = not header >> 52 & 0xFF and not self.thread_process.get(into[1], 0)
            if not idle:
                assert header >> 52 & 0xFF, "a thread of priority 0"
        elif layout == 2:
            assert not header >> 16 & 15, "arguments of a wake-up"
            cpu, woken = header >> 20 & 0xFFFF, self.word()
            assert woken in self.thread_process, "a thread is woken that has no object"
            return "wake", (time, cpu, self.thread_process[woken])
        else:
            assert layout == 1
            cpu, state = header >> 20 & 0xFFFF, header >> 36 & 15
            out, into = (None, self.word()), (None, self.word())
            idle = self.arguments(header >> 16 & 15)["incoming_weight"] == -2 ** 31
        if not idle:
            assert into[1] in self.thread_process, "a thread runs that has no object"
        return "switch", (time, cpu, state, None if idle else self.thread_process[into[1]], into[1])

    def record_9(self, header):
        time, thread = self.word(), self.thread(header >> 32 & 0xFF)
        return "log", (time, thread, self.stream(header >> 16 & 0x7FFF).decode())


def process_of(koid):
    return {KERNEL: 0, None: IDLE}.get(koid, koid)


def totals(data):
    sums, reader, running, text = Totals(), Reader(data), {}, ""
    records = [(fields[kind == "event"], kind, fields) for kind, fields in reader.records() if kind != "object"]
    assert all(before[0] <= after[0] for before, after in zip(records, records[1:])), "not in the order of time"
    for time, kind, fields in records:
        sums.at(time)
        if kind == "switch":
            _, cpu, _, koid, tid = fields
            # A viewer would drop a thread that is on two CPUs, and cut its koid to 32 bits.
            assert tid < 1 << 32, "a koid above 32 bits"
            for other, there in running.items():
                assert other == cpu or there != tid, "a thread on two CPUs"
            running[cpu] = tid if koid is not None else None
            if koid is None:
                running.pop(cpu)
            sums.switches[cpu] += koid != UNKNOWN
            sums.run(cpu, None if koid == UNKNOWN else process_of(koid), time)
        elif kind == "event":
            event, _, _, category, name, arguments, extra = fields
            if event == 1 and category == "device":
                getattr(sums, name)[extra] += arguments["bytes"]
            elif category == "device" and name == "IRQ":
                sums.interrupts[arguments["id"]] += 1
            elif name == "kernel API":
                sums.calls += len(arguments["functions"].split())
            elif "severity" in arguments:
                text += arguments.get("text", name)
                if "more" not in arguments:
                    sums.texts[text] += 1
                    text = ""
            elif category == "cpu" and name == "offline":
                sums.run(arguments["cpu"], None, time)
    assert reader.strings
    return sums.end(), reader


def told(data):
    """What a log says beyond its totals: (losses, all texts, power of cores and their performance while one CPU is busy,
    names of processes and devices, the latest ones)."""
    losses, texts, powers, values, names, alive, online = 0, "", [], [], {}, set(), set()
    for kind, source, _, _, body in entries(data):
        plain, item = kind & ~HISTORICAL, (kind & 0x6000, source)
        if plain & ~0x6000 == 0x0010:
            event, text = struct.unpack("<I", body[:4])[0], text_of(body[5:])
            # The states of threads are instants alone.
            texts += "" if plain == 0x0010 and event == STATE else text
            if (kind == 0x4010 and event == LOSS) or (item == (0x6000, 0xC0000000) and event == MISSED):
                losses += 1
                if event == MISSED:
                    alive, online = set(), set()
        elif plain in (0x0000, 0x6000) and not (kind & HISTORICAL and item in alive):
            alive.add(item)
            names[item] = text_of(body[4 * (plain == 0x6000):])
        elif plain in (0x0001, 0x6001):
            alive.discard(item)
        elif plain == 0x2000 and not (kind & HISTORICAL and source in online):
            online.add(source)
            powers.append((source, *struct.unpack("<HH", body[:4])))
            values += [(source, *struct.unpack("<I", body[4:8]))] if len(body) >= 8 else []
        elif plain == 0x2001:
            online.discard(source)
    return losses, texts, powers, values, names


def shown(data):
    """The same of a trace, and the states in which processes leave CPUs other than they have to."""
    reader, runs, texts, powers, values, names, wrong = Reader(data), {}, "", [], [], {}, []
    for kind, fields in reader.records():
        if kind == "log":
            texts += fields[2]
        elif kind == "object":
            what, koid, name, arguments = fields
            if what == 1:
                names[0, process_of(koid)] = name
            elif "device" in arguments:
                names[0x6000, arguments["device"]] = name
        elif kind == "event" and fields[0] == 1 and fields[3] == "core":
            _, _, _, _, name, arguments, core = fields
            if name == "power":
                powers.append((core, arguments["idle 2 mW"], arguments["more when busy 2 mW"]))
            else:
                values.append((core, arguments["performance"]))
        elif kind == "event" and fields[3:5] == ("process", "ended"):
            runs = {cpu: "ended" if koid == fields[2][0] else koid for cpu, koid in runs.items()}
        elif kind == "switch":
            _, cpu, state, koid, _ = fields
            before = runs.get(cpu)
            if state != (PREEMPTED if before in (None, KERNEL) else DEAD if before == "ended" else BLOCKED):
                wrong.append(fields)
            runs[cpu] = koid
    return reader.lost, texts, powers, values, names, wrong


def main(log, trace):
    with open(trace, "rb") as file:
        data = file.read()
    sums, reader = totals(data)
    assert reader.provider == "bcos_evlog" and reader.rate == 10 ** 9
    expect_same(sums, log)
    with open(log, "rb") as file:
        losses, texts, powers, values, names = told(file.read())
    lost, logged, *cores, named, wrong = shown(data)
    assert lost == losses, "losses: %d/%d" % (losses, lost)
    assert logged == texts, "log records"
    assert cores == [powers, values], "power and performance: %s/%s" % ([powers, values], cores)
    wrong += [item for item in names if named.get(item) != names[item]]
    assert not wrong, "states of switches, or names: %s" % wrong[:5]


def print_wakes(trace):
    with open(trace, "rb") as file:
        for kind, fields in Reader(file.read()).records():
            if kind == "wake":
                print(*fields)


if sys.argv[1] == "wakes":
    print_wakes(sys.argv[2])
else:
    main(*sys.argv[1:])
