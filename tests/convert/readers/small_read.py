# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: small_read.py BCOSLOG LOG FORMAT... - a log in small exports, read by readers that are written from the formats' pages.

FORMAT is chrome, journald, folded, pprof or perfetto; or threads, which prints the switches and wake-ups of Perfetto's. The export has to say what the log says. Where protoc is installed,
it reads Perfetto's traces, too, by perfetto.proto, and may find nothing in them that it does not know.
"""
import collections
import gzip
import json
import os
import re
import shutil
import struct
import subprocess
import sys

import bcos_log
from bcos_log import IDLE

bcoslog, log = sys.argv[1:3]
LOG = open(log, "rb").read()


def exported(kind):
    return subprocess.run([bcoslog, "convert", "-t", kind, log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def expect(ours, theirs, what):
    if ours == theirs:
        return
    if isinstance(ours, dict):
        keys = [key for key in set(ours) | set(theirs) if ours.get(key) != theirs.get(key)]
        ours, theirs = [{key: side.get(key) for key in keys[:5]} for side in (ours, theirs)]
    print(what, "of the log:", str(ours)[:2000], "of the export:", str(theirs)[:2000])
    sys.exit(1)


def field(at, data):
    """(number, value, end) of a field of a protocol buffer."""
    key, at = varint(at, data)
    if key & 7 == 0:
        value, at = varint(at, data)
    elif key & 7 == 2:
        size, at = varint(at, data)
        assert at + size <= len(data)
        value, at = data[at:at + size], at + size
    else:
        raise AssertionError("wire type %d" % (key & 7))
    return key >> 3, value, at


def varint(at, data):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at += 1
        shift += 7
        if not data[at - 1] & 0x80:
            return value, at


def message(data):
    fields, at = collections.defaultdict(list), 0
    while at < len(data):
        number, value, at = field(at, data)
        fields[number].append(value)
    return fields


TOTALS = bcos_log.totals(LOG)
STATE = re.compile("thread [0-9]+ (runs|woken|blocked|stopped|dead)")
BUSY = sum(TOTALS.cpu_time.values())


def strict(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), "a name twice in an object: %s" % names
    return dict(pairs)


def no_number(name):
    raise AssertionError(name + " is no JSON")


def chrome(out):
    events = json.loads(out.decode(), object_pairs_hook=strict, parse_constant=no_number)["traceEvents"]
    processes, sums = collections.Counter(), {"input": collections.Counter(), "output": collections.Counter()}
    interrupts, texts, arrows, slices = collections.Counter(), collections.Counter(), {}, collections.defaultdict(list)
    for event in events:
        # Each phase has the fields that the page of the format asks for.
        assert event["ph"] in "XCiMsf" and isinstance(event["pid"], int) and isinstance(event["name"], str)
        assert event["ph"] == "M" or isinstance(event["ts"], (int, float)) and isinstance(event["cat"], str)
        assert event["ph"] != "i" or event["s"] in "gpt"
        if event["ph"] == "X":
            if event["name"] != "unknown":
                processes[event["args"]["process"]] += round(event["dur"] * 1000)
            # Perfetto takes thread 0 for no thread.
            assert event["pid"] == 1 and event["tid"] >= 1
            slices[event["tid"]].append((event["ts"], event["ts"] + event["dur"], event["dur"]))
            # Exact to the nanosecond, unless readers' numbers are coarser than that.
            assert event["ts"] > 1 << 40 or abs(event["dur"] * 1000 - round(event["dur"] * 1000)) < 0.45
        elif event["ph"] in "sf":
            assert event["ph"] == "s" or event["bp"] == "e"
            arrows.setdefault(event["id"], {})[event["ph"]] = (event["tid"], event["ts"])
        elif event["ph"] == "C":
            for key, value in event["args"].items():
                sums[key][event["id"]] += value
        elif event.get("cat") == "IRQ":
            interrupts[event["args"]["device"], event["args"]["number"]] += 1
        elif event["ph"] == "i" and "severity" in event["args"]:
            # An event of a CPU stands at the CPU, and a line over all of them none.
            assert event["s"] == ("t" if "CPU" in event["cat"] else "p"), event
            texts["" if event["name"] == event["cat"] else event["name"]] += 1
    # Readers add the numbers up, and draw a slice that begins before the last one ends as a part of that.
    for turns in slices.values():
        turns.sort()
        assert all(one[0] + one[2] <= other[0] and one[2] <= other[0] - one[0] for one, other in zip(turns, turns[1:])), "slices overlap"
    # An arrow has two ends, and leads into a slice that does not end before it.
    for ends in arrows.values():
        (_, start), (cpu, end) = ends["s"], ends["f"]
        assert start <= end and any(begin <= end <= until for begin, until, _ in slices[cpu]), ends
    expect(TOTALS.cpu_time, processes, "CPU time")
    expect(+TOTALS.input, +sums["input"], "input")
    expect(+TOTALS.output, +sums["output"], "output")
    numbers = [(source, struct.unpack("<I", body[:4])[0]) for kind, source, _, _, body in bcos_log.entries(LOG) if kind == 0x6011]
    expect(collections.Counter(numbers), interrupts, "interrupts")
    # The states of threads are no instants.
    expect(collections.Counter({text: count for text, count in TOTALS.texts.items() if not STATE.match(text)}), texts, "texts")


def folded(out):
    times = collections.Counter()
    for line in out.decode().split("\n")[:-1]:
        frames, value = line.rsplit(" ", 1)
        core, cpu, *processes = frames.split(";")
        assert core.startswith("core ") and cpu.startswith("CPU ")
        times[process_of(processes)] += int(value)
    del times[None]
    expect(+TOTALS.cpu_time, +times, "CPU time")


def process_of(frames):
    """The ID of the last process of frames, the oldest of which comes first; None if nobody is known."""
    if frames == ["unknown"]:
        return None
    if frames == ["kernel"]:
        return 0
    # The first process has no known parent, or is a child of the kernel.
    assert len(frames) > 1 and frames[0] in ("kernel", "parent unknown", "older ancestors left out"), frames
    return [int(re.fullmatch(r".*\[([0-9]+)\]", frame, re.DOTALL)[1]) for frame in frames[1:]][-1]


def wall_clocks():
    """For each statement of the wall clock: what it adds to a time since boot, and its time, in ns."""
    for number, _, time, _, body in bcos_log.entries(LOG):
        if number == 0x0010 and body[:4] == b"\x10\0\0\xc0" and body[5:].startswith(b"wall clock "):
            seconds, ns = bcos_log.text_of(body[5:]).split()[2].split(".")
            yield int(seconds) * 10 ** 9 + int(ns) - time, time


def wall_offset():
    """What the first one adds, or None."""
    return next((wall for wall, _ in wall_clocks()), None)


def pprof(out):
    profile = message(gzip.decompress(out))
    # These are the fields of a profile that a converter of totals has: sample_type, sample, location, function,
    # string_table, time_nanos, duration_nanos, period_type, period.
    assert not set(profile) - {1, 2, 4, 5, 6, 9, 10, 11, 12}, sorted(profile)
    strings = [text.decode() for text in profile[6]]
    assert strings[0] == ""
    assert len(profile[1]) == 1
    kinds = message(profile[1][0])
    assert [strings[kinds[1][0]], strings[kinds[2][0]]] == ["cpu", "nanoseconds"]
    assert profile[11] == profile[1] and profile[12] == [1], (profile[11], profile[12])
    # An ID of 0 would mean that there is none, and no ID comes twice.
    for kind in profile[4], profile[5]:
        ids = [message(each)[1][0] for each in kind]
        assert 0 not in ids and len(set(ids)) == len(ids), ids
    offset = wall_offset()
    expect([] if offset is None else [offset + TOTALS.first], profile[9], "time of the wall clock")
    functions = {}
    for function in map(message, profile[5]):
        functions[function[1][0]] = strings[function[2][0]]
    locations = {}
    for location in map(message, profile[4]):
        locations[location[1][0]] = functions[message(location[4][0])[1][0]]
    times = collections.Counter()
    lines = []
    for sample in map(message, profile[2]):
        frames = [locations[number] for number in sample[1]]
        assert len(sample[2]) == 1
        assert frames[-1].startswith("core ") and frames[-2].startswith("CPU ")
        process = process_of(frames[-3::-1])
        times[process] += sample[2][0]
        labels = [(strings[label[1][0]], label[3][0]) for label in map(message, sample[3])]
        assert labels == ([("pid", process)] if process else []), labels
        lines.append((frames[-1], frames[-2], len(frames), sample[2][0]))
    del times[None]
    expect(+TOTALS.cpu_time, +times, "CPU time")
    expect(TOTALS.last - TOTALS.first, profile[10][0], "duration")
    folded = [line.rsplit(" ", 1) for line in exported("folded").decode().split("\n")[:-1]]
    expect([(*frames.split(";")[:2], len(frames.split(";")), int(value)) for frames, value in folded], lines, "samples")


def wall_of(entry):
    """ns from boot to 1970 if the entry states the wall clock, else None."""
    number, source, time, _, body = entry
    text = body[5:].split(b"\0")[0]
    if number != 0x0010 or source or body[:4] != b"\x10\0\0\xc0" or not text.startswith(b"wall clock "):
        return None
    seconds, ns = text.split()[2].split(b".")
    return int(seconds) * 10 ** 9 + int(ns) - time


def journald(out):
    entries, at, one = [], 0, {}
    while at < len(out):
        end = out.index(b"\n", at)
        line = out[at:end]
        at = end + 1
        if not line:
            entries.append(one)
            one = {}
        elif b"=" in line:
            key, value = line.split(b"=", 1)
            assert key.decode() not in one
            one[key.decode()] = value
        else:
            size, = struct.unpack("<Q", out[at:at + 8])
            one[line.decode()] = out[at + 8:at + 8 + size]
            at += 8 + size + 1
    assert not one
    # The first statement of the wall clock also tells the times before it.
    expected, wall = [], next((clock for clock in map(wall_of, bcos_log.entries(LOG)) if clock is not None), None)
    for number, source, time, _, body in bcos_log.entries(LOG):
        if number & 0x9FFF != 0x0010 or number & 0x8000 or not bcos_log.text_of(body[5:]):
            continue
        text = body[5:].split(b"\0")[0]
        stated = wall_of((number, source, time, None, body))
        wall = wall if stated is None else stated
        expected.append((time // 1000, "7632"[body[4] >> 6].encode(), text, None if wall is None else (wall + time) // 1000))
    expect(expected, [(int(one["__MONOTONIC_TIMESTAMP"]), one["PRIORITY"], one["MESSAGE"],
                       int(one["__REALTIME_TIMESTAMP"]) if "__REALTIME_TIMESTAMP" in one else None) for one in entries], "entries")


def perfetto(out):
    sums, tgid, names, irqs, texts, events = bcos_log.Totals(), {}, {}, 0, collections.Counter(), []
    bytes_of, latest, ends, clocks = collections.Counter(), {}, 0, []
    for packet in map(message, message(out)[1]):
        assert packet[10] == [1]
        for tree in map(message, packet[2]):
            for process in map(message, tree[1]):
                names[process[1][0]] = process[3][0].decode() if process[3] else names[process[1][0]]
            for thread in map(message, tree[2]):
                tgid[thread[1][0]] = thread[3][0]
        for snapshot in map(message, packet[6]):
            clocks.append({clock[1][0]: clock[2][0] for clock in map(message, snapshot[1])})
        for bundle in map(message, packet[1]):
            for event in bundle[2]:
                events.append((bundle[1][0], message(event)))
    # The first thread of a process stands for it.
    assert all(tgid[pid] == pid for pid in names)
    events.sort(key=lambda event: event[1][1][0])
    for cpu, event in events:
        time = event[1][0]
        sums.at(time)
        for switch in map(message, event[4]):
            tid = switch[6][0]
            assert not tid or tid in tgid, "a thread that no tree has"
            process = {0x7FFFFFFF: 0, 0x7FFFFFFE: None}.get(tgid[tid], tgid[tid]) if tid else IDLE
            # Threads about which the log tells have their own numbers. A switch between those of a process is no
            # assignment.
            if 0 < tid < 1 << 22 and 0 < switch[2][0] < 1 << 22 and tgid[tid] == tgid.get(switch[2][0]):
                continue
            sums.switches[cpu] += process is not None
            sums.run(cpu, process, time)
        for text in event[3]:
            parts = message(text)[2][0].decode().split("|")
            assert int(parts[1]) in names
            if parts[0] == "C" and re.match("core [0-9]+ (idle power mW|more power when busy mW|performance)$", parts[2]):
                assert int(parts[3])
            elif parts[0] == "C":
                # Each counter is the sum of the bytes of a device, which begins anew when the device does.
                before, value = latest.get(parts[2], 0), int(parts[3])
                bytes_of[parts[2].rsplit(" ", 1)[1]] += value - (before if value >= before else 0)
                latest[parts[2]] = value
            elif parts[0] == "N":
                assert re.match("IRQ [0-9]+$", parts[3])
                irqs += 1
            elif re.match("ends: (exit code|killed by signal) [0-9]+", parts[2]):
                ends += 1
            elif not parts[2].startswith("kernel API"):
                texts[parts[2]] += 1
    sums.end()
    expect(TOTALS.cpu_time, sums.cpu_time, "CPU time")
    expect(TOTALS.switches, sums.switches, "switches")
    expect(sum(TOTALS.interrupts.values()), irqs, "interrupts")
    expect(sum(TOTALS.input.values()), bytes_of["input"], "input")
    expect(sum(TOTALS.output.values()), bytes_of["output"], "output")
    expect(sum(kind == 0x0001 for kind, *_ in bcos_log.entries(LOG)), ends, "ends")
    expect([{1: wall + time, 6: time} for wall, time in wall_clocks()], clocks, "clocks")
    expected = collections.Counter()
    for text, count in TOTALS.texts.items():
        if not STATE.match(text) and not re.match("idle state [0-9]+ for [0-9]+ ns$", text):
            expected[text.replace("\n", " ").replace("|", " ") or "event"] += count
    expect(expected, texts, "texts")


def threads(out):
    events = [(bundle[1][0], message(event)) for packet in map(message, message(out)[1]) for bundle in map(message, packet[1])
              for event in bundle[2]]
    for cpu, event in sorted(events, key=lambda event: event[1][1][0]):
        for switch in map(message, event[4]):
            print(cpu, "switch", switch[2][0], switch[4][0], switch[6][0])
        for waking in map(message, event[20]):
            print(cpu, "waking", waking[2][0], "by", event[2][0])
        for gone in map(message, event[240]):
            print(cpu, "free", gone[2][0])


def perfetto_by_protoc(out):
    """protoc reads all of it, and what it writes of that says the same."""
    def protoc(mode, data):
        folder = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run(["protoc", "-I", folder, mode + "=perfetto.Trace", os.path.join(folder, "perfetto.proto")], input=data,
                              stdout=subprocess.PIPE, check=True)
        return done.stdout
    text = protoc("--decode", out)
    unknown = re.findall(rb"^ *[0-9]+[ :].*$", text, re.M)
    assert not unknown, "fields that protoc does not know: %s" % unknown[:3]
    perfetto(protoc("--encode", text))


READERS = {"chrome": chrome, "folded": folded, "pprof": pprof, "journald": journald, "perfetto": perfetto, "threads": threads}
for format in sys.argv[3:]:
    result = exported("perfetto" if format == "threads" else format)
    READERS[format](result)
    if format == "perfetto" and shutil.which("protoc"):
        perfetto_by_protoc(result)
