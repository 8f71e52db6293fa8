# SPDX-License-Identifier: GPL-2.0-only
"""ctf_like.py: of `perf script -F comm,tid,cpu,time,event,trace --ns` on standard input, what LTTng 2.13 would write of the
same events, on standard output: for tests/bench/recorder, where LTTng cannot run.

The layout is that of LTTng's kernel channels: packets of 4 KiB for each CPU with a header of 24 bytes and a context of 40,
events with the compact header of 32 bits (5 of ID, 27 of time), or 16 bytes where more time passed, and the fields of the
events as its modules define them, packed.
"""
import re
import struct
import sys

PACKET = 4096
LINE = re.compile(r"^\s*(.*?)\s+(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):\s+(\S+?):\s+(.*)$")
SWITCH = re.compile(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=(\d+) prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+) next_prio=(\d+)")
FORK = re.compile(r"comm=(.*) pid=(\d+) child_comm=(.*) child_pid=(\d+)")


def name(text):
    return text.encode()[:15].ljust(16, b"\0")


def payload(event, text):
    """ID and fields."""
    if event.endswith("sched_switch") and (m := SWITCH.match(text)):
        return 0, name(m[1]) + struct.pack("<iiq", int(m[2]), int(m[3]), 0) + name(m[5]) + struct.pack("<ii", int(m[6]), int(m[7]))
    if event.endswith("sched_process_fork") and (m := FORK.match(text)):
        # Names, IDs in each namespace: one level of it, with its inode.
        return 1, name(m[1]) + struct.pack("<iiI", int(m[2]), int(m[2]), 0) + name(m[3]) + struct.pack("<iiHiI", int(m[4]), int(m[4]), 1, int(m[4]), 0)
    if event.endswith("sched_process_exec"):
        match = re.search(r"filename=(\S*) pid=(\d+)", text)
        return 2, (match[1].encode() + b"\0" if match else b"\0") + struct.pack("<ii", 0, 0)
    if event.endswith("sched_process_exit"):
        match = re.search(r"comm=(.*) pid=(\d+)", text)
        return 3, name(match[1] if match else "") + struct.pack("<ii", 0, 120)
    match = re.search(r"irq=(\d+) name=(\S*)", text)
    return 4, struct.pack("<i", int(match[1]) if match else 0) + (match[2].encode() if match else b"") + b"\0"


def main():
    packets, last = {}, {}
    out = sys.stdout.buffer
    for line in sys.stdin:
        m = LINE.match(line)
        if not m:
            continue
        cpu, time = int(m[3]), int(m[4]) * 10**9 + int(m[5].ljust(9, "0"))
        number, fields = payload(m[6], m[7])
        if time - last.get(cpu, 0) < 1 << 27:
            header = struct.pack("<I", number | (time & 0x7FFFFFF) << 5)
        else:
            header = struct.pack("<IIQ", 31, number, time)
        last[cpu] = time
        packet = packets.setdefault(cpu, bytearray(64))
        if len(packet) + len(header) + len(fields) > PACKET:
            out.write(packet.ljust(PACKET, b"\0"))
            packet = packets[cpu] = bytearray(struct.pack("<IIQQ", 0xC1FC1FC1, 0, time, 0).ljust(64, b"\0"))
        packet += header + fields
    for packet in packets.values():
        out.write(packet.ljust(PACKET, b"\0"))


main()
