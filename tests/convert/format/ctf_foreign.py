# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ctf_foreign.py FOLDER [big] - writes a trace of a tracer that is neither bcoslog nor LTTng's kernel tracer, from the CTF
specification 1.8: fields of each kind, a clock that counts milliseconds, two streams, events and packets that were lost."""
import os
import struct
import sys

METADATA = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 16; align = 8; signed = false; } := u16;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
typealias integer { size = 32; align = 8; signed = true; } := s32;
trace {
	major = 1; minor = 8; byte_order = %s;
	packet.header := struct { u32 magic; u32 stream_id; };
};
env { hostname = "there"; kernel_release = "5.4.0"; domain = "ust"; tracer_name = "other"; };
clock { name = "milli"; freq = 1000; offset_s = 1700000000; offset = 500; };
typealias integer { size = 64; align = 8; signed = false; map = clock.milli.value; } := when;
stream {
	id = 0;
	packet.context := struct { when timestamp_begin; when timestamp_end; u64 content_size; u64 packet_size; u64 packet_seq_num;
		u64 events_discarded; u32 cpu_id; };
	event.header := struct { u16 id; when timestamp; };
	event.context := struct { s32 pid; };
};
event { name = "fields"; id = 1; stream_id = 0; fields := struct {
	s32 minus; u16 plus; integer { size = 64; align = 8; base = 16; } hex;
	string chars; enum : u8 { one = 1, more = 2 ... 9 } choice;
	floating_point { exp_dig = 8; mant_dig = 24; align = 8; } real;
	struct { u8 a; struct { u8 c; } b; } nested;
	u8 three[3]; u8 length; u16 sequence[length]; u8 none; u16 empty[none];
	integer { size = 8; align = 8; encoding = UTF8; } word[4];
}; };
event { name = "without"; id = 2; stream_id = 0; };
event { name = "deep"; id = 3; stream_id = 0; fields := struct { %s }; };
"""


class Stream:
    def __init__(self, folder, cpu, order):
        self.order, self.cpu = order, cpu
        self.file = open(os.path.join(folder, "stream%d" % cpu), "wb")

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def event(self, time, number, pid, fields=b""):
        return self.pack("HQi", number, time, pid) + fields

    def packet(self, begin, end, number, discarded, *events):
        body = b"".join(events)
        size = 8 * (8 + 52 + len(body))
        self.file.write(self.pack("II", 0xC1FC1FC1, 0) + self.pack("6QI", begin, end, size, size, number, discarded, self.cpu) + body)


def main(folder, order="little"):
    deep = "u8 last;"
    for level in range(9, 0, -1):
        deep = "struct { %s } d%d;" % (deep, level)
    os.makedirs(folder)
    with open(os.path.join(folder, "metadata"), "w", encoding="ascii") as file:
        file.write(METADATA % ({"little": "le", "big": "be"}[order], deep))
    zero, one = (Stream(folder, cpu, "<>"[order == "big"]) for cpu in (0, 1))
    fields = zero.pack("iHQ", -5, 65535, 0xFEDCBA9876543210) + b"te xt\0" + zero.pack("BfBB", 4, 0.5, 1, 2) + bytes([7, 8, 9]) + \
        zero.pack("BHHB", 2, 1000, 2000, 0) + b"ab\0\0"
    zero.packet(1000, 3000, 0, 0, zero.event(1000, 1, 42, fields), zero.event(3000, 2, 43))
    zero.packet(3001, 5000, 1, 6, zero.event(4000, 3, 42, b"\1"))
    one.packet(2000, 2000, 0, 0, one.event(2000, 2, 42))
    one.packet(6000, 7000, 3, 0, one.event(6001, 2, 0), one.event(7000, 2, 42))
    for stream in (zero, one):
        stream.file.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
