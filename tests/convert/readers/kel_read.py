# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: kel_read.py BCOSLOG FOLDER LOG... - logs as streams of a kernel event logger, streams of its own, and back."""
import collections
import re
import struct
import subprocess
import sys

import bcos_log

bcoslog, folder, *logs = sys.argv[1:]


def run(*arguments):
    return subprocess.run([bcoslog, "convert", *arguments], capture_output=True, text=True)


def expect(condition, *what):
    if not condition:
        print(*what)
        sys.exit(1)


def events(data):
    at = 0
    while at < len(data):
        header, = struct.unpack_from("<I", data, at)
        count = header >> 16 & 0xFF
        yield header & 0xFFFF, header >> 24, struct.unpack_from("<%dI" % count, data, at + 4)
        at += 4 * (1 + count)


def lost_of(data):
    lost = 0
    for kind, source, _, _, body in bcos_log.entries(data):
        if kind in (0x4010, 0x6010):
            event, text = struct.unpack("<I", body[:4])[0], bcos_log.text_of(body[5:])
            if kind == 0x4010 and event == bcos_log.LOSS:
                lost += sum(int(count) for count in re.findall(r"\d+", text.split(":")[0]))
            elif kind == 0x6010 and source == 0xC0000000 and event == bcos_log.MISSED:
                lost += int(re.findall(r"\d+", text)[0])
    return lost


def assigns(data):
    return [(time, struct.unpack("<I", body[:4])[0]) for kind, _, time, _, body in bcos_log.entries(data) if kind == 0x4002]


for log in logs:
    path, back = folder + "/stream.kel", folder + "/back"
    data = open(log, "rb").read()
    for shift in 0, 10, 20:
        expect(run("-t", "kel", "--shift", str(shift), log, "-o", path).returncode == 0, log)
        found = list(events(open(path, "rb").read()))
        ours = assigns(data)
        expect([(time >> shift & 0xFFFFFFFF, process) for time, process in ours] ==
               [words for event, _, words in found if event == 1], log, "switches")
        expect(sum(dropped for _, dropped, _ in found) == lost_of(data), log, "dropped")
        interrupts = collections.Counter(words[1] for event, _, words in found if event == 2)
        expect(interrupts == bcos_log.totals(data).interrupts, log, "interrupts")
        expect(sum(1 for event, _, words in found if event == 5 and words[2] != 0xFFFFFFFF) == bcos_log.totals(data).calls, log)
    # The log that is made of the stream has no wrapped times: the clock does not wrap within a gap.
    done = run("--shift", "20", path, "-o", back)
    expect(done.returncode == 0, done)
    again = open(back, "rb").read()
    expect(subprocess.run([bcoslog, "check", back], stdout=subprocess.DEVNULL).returncode == 0, log, "check")
    expect([(time >> 20, process) for time, process in ours] == [(time >> 20, process) for time, process in assigns(again)], log)
    expect(lost_of(again) == lost_of(data), log, "losses come back")

# The clock of this stream wraps. It has all events of the page, and elements that are not as they should be.
stream = b""
for header, *words in (
        (1 | 2 << 16, 0xFFFFFFF0, 7), (2 | 2 << 16 | 255 << 24, 0x10, 9), (1 | 2 << 16, 0x08, 8), (3 | 3 << 16, 0x08, 0x18, 5),
        (4 | 3 << 16, 0x20, 7, 1), (4 | 3 << 16, 0x21, 7, 0x40), (5 | 3 << 16, 0x22, 7, 0x1234), (6 | 3 << 16, 0x23, 0x77, 0),
        (100 | 2 << 16, 0xAB, 0xCD), (1 | 1 << 16, 5), (0 | 1 << 16, 5)):
    stream += struct.pack("<%dI" % (1 + len(words)), header, *words)
with open(path, "wb") as file:
    file.write(stream + b"\1\0\2")
done = run("-f", "kel", "--shift", "0", path, "-o", back)
expect(done.returncode == 1 and "2 events without the words" in done.stderr and "the last 3 bytes" in done.stderr, done)
found = [(kind, source, time, body) for kind, source, time, _, body in bcos_log.entries(open(back, "rb").read()) if not kind & 0x8000]
wrap = 2 ** 32
expect([entry[:3] for entry in found if entry[0] != 0x4010] == [
    (0x4002, 0, 0xFFFFFFF0), (0x6011, 0xC0000001, wrap + 0x10), (0x4002, 0, 2 * wrap + 8), (0x0010, 7, 2 * wrap + 0x20),
    (0x0010, 7, 2 * wrap + 0x21), (0x0011, 7, 2 * wrap + 0x22), (0x0010, 0, 2 * wrap + 0x23), (0x0010, 0, 2 * wrap + 0x23)], found)
texts = [bcos_log.text_of(body[5:]) for kind, _, _, body in found if kind & 0x1FFF == 0x0010]
expect(texts == ["lost 255 events: buffer full, or more, until 4.294967312 s", "idle state 0 for 16 ns, ended by interrupt (0x00000005)",
                 "thread 7 blocked", "thread 7 state 0x40", "kernel event 0x77", "000000ab 000000cd"], texts)
