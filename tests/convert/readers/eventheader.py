#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""eventheader.py FILE: the EventHeader events of a perf.data file, a JSON value a line.

It is written from the descriptions of the two formats alone, and shares no code with bcoslog. Whatever is not as they
say is an error: sizes that do not add up, padding, a level that is not that of the tracepoint's name.
"""
import json
import re
import struct
import sys

HEADER = struct.Struct("<8sQQQQQQQQQ4Q")


def fail(what):
    sys.exit("eventheader.py: " + what)


def expect(holds, what):
    if not holds:
        fail(what)


def text_until_zero(data, at):
    end = data.index(b"\0", at)
    return data[at:end].decode(), end + 1


def tracepoints(data):
    """Names by number, from the blob of descriptions."""
    expect(data[:14] == b"\x17\x08\x44tracing0.6\0"[:14], "no blob of tracepoints")
    at = data.index(b"\0") + 1
    expect(data[at] == 0 and data[at + 1] == 8, "little endian, 64 bits")
    at += 6
    for header in ("header_page", "header_event"):
        word, at = text_until_zero(data, at)
        size, = struct.unpack_from("<Q", data, at)
        expect(word == header and size, header + " is empty")
        at += 8 + size
    count, systems = struct.unpack_from("<II", data, at)
    expect(count == 0, "events of ftrace")
    at += 8
    names = {}
    for _ in range(systems):
        system, at = text_until_zero(data, at)
        count, = struct.unpack_from("<I", data, at)
        at += 4
        for _ in range(count):
            size, = struct.unpack_from("<Q", data, at)
            text = data[at + 8:at + 8 + size].decode()
            at += 8 + size
            fields = re.findall(r"field:\S+ (\w+);\toffset:(\d+);\tsize:(\d+);", text.split("\n\n")[1])
            expect([f[0] for f in fields] == ["eventheader_flags", "version", "id", "tag", "opcode", "level"], "fields")
            expect([int(f[1]) for f in fields] == [8, 9, 10, 12, 14, 15], "offsets")
            number = int(re.search(r"^ID: (\d+)$", text, re.M).group(1))
            names[number] = re.search(r"^name: (\S+)$", text, re.M).group(1)
            expect(system == "user_events", "system")
    return names


SIZES = {2: "<B", 3: "<H", 4: "<I", 5: "<Q"}


def one(encoding, data, at):
    if encoding in SIZES:
        return struct.unpack_from(SIZES[encoding], data, at)[0], at + struct.calcsize(SIZES[encoding])
    expect(encoding in (10, 13), "encoding %d" % encoding)
    size, = struct.unpack_from("<H", data, at)
    value = data[at + 2:at + 2 + size]
    expect(len(value) == size, "a string is cut")
    return value.decode() if encoding == 10 else value.hex(), at + 2 + size


def event(data, name):
    flags, version, number, tag, opcode, level = struct.unpack_from("<BBHHBB", data)
    expect(flags == 7 and version == 0 and tag == 0, "header")
    parts = re.fullmatch(r"bcos_L([0-9a-f]+)K([0-9a-f]+)", name)
    expect(parts and int(parts.group(1), 16) == level, "the level is that of the name")
    out = {"id": number, "opcode": opcode, "level": level, "keyword": int(parts.group(2), 16)}
    at, more, metadata = 8, True, None
    while more:
        size, kind = struct.unpack_from("<HH", data, at)
        more = kind & 0x8000
        body = data[at + 4:at + 4 + size]
        expect(len(body) == size, "an extension is cut")
        if kind & 0x7FFF == 1:
            expect(metadata is None and at == 8, "metadata comes first, and once")
            metadata = body
        elif kind & 0x7FFF == 2:
            expect(size == 16, "an activity")
            out["activity"] = body.hex()
        at += 4 + size
    out["name"], place = text_until_zero(metadata, 0)
    fields = out["fields"] = {}
    while place < len(metadata):
        field, place = text_until_zero(metadata, place)
        encoding, place = metadata[place], place + 1
        if encoding & 0x80:
            place += 1
        if encoding & 0x40:
            count, = struct.unpack_from("<H", data, at)
            at += 2
            values = []
            for _ in range(count):
                value, at = one(encoding & 0x1F, data, at)
                values.append(value)
            fields[field] = values
        else:
            fields[field], at = one(encoding & 0x1F, data, at)
    expect(not any(data[at:]) and len(data) - at < 8, "what is after the fields is padding")
    return out


def main():
    data = open(sys.argv[1], "rb").read()
    (magic, size, attr_size, attrs, attrs_size, begin, length, _, _, features, *_) = HEADER.unpack_from(data)
    expect(magic == b"PERFILE2" and size == 104, "header")
    expect(features == 1 << 1 | 1 << 12, "features")
    ids = {}
    for at in range(attrs, attrs + attrs_size, attr_size):
        kind, _, config, period, sample_type = struct.unpack_from("<IIQQQ", data, at)
        offset, id_size = struct.unpack_from("<QQ", data, at + attr_size - 16)
        expect(kind == 2 and sample_type == 1 << 16 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 10 and id_size == 8, "attribute")
        ids[struct.unpack_from("<Q", data, offset)[0]] = config
    offset, size = struct.unpack_from("<QQ", data, begin + length)
    names = tracepoints(data[offset:offset + size])
    at, before = begin, 0
    while at < begin + length:
        kind, _, size = struct.unpack_from("<IHH", data, at)
        expect(size >= 8 and size % 8 == 0, "size of a record")
        if kind == 9:
            identifier, pid, tid, time, cpu, _, raw = struct.unpack_from("<QIIQIII", data, at + 8)
            expect(44 + raw == size and time >= before and pid == tid, "sample")
            number, = struct.unpack_from("<H", data, at + 44)
            expect(ids[identifier] == number, "the ID is that of the tracepoint")
            out = {"time": time, "cpu": cpu, "pid": pid}
            out.update(event(data[at + 44 + 8:at + size], names[number]))
            print(json.dumps(out))
            before = time
        at += size
    expect(at == begin + length, "the data ends with a record")


main()
