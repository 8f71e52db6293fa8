# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Entries of a BCOS event log for logs that tests make, from the specification's tables."""
import struct

IDLE = 0xFFFFFFFF


def u32(*numbers):
    return struct.pack("<%dI" % len(numbers), *numbers)


class Log:
    """The entries so far, and the time of the next one."""

    def __init__(self, now):
        self.now = now
        self.parts = []

    def put(self, kind, source, body=b"", time=None, precision=1):
        body += b"\0" * (-len(body) % 4)
        self.parts.append(struct.pack("<HHIQI", 20 + len(body), kind, source, self.now if time is None else time, precision) + body)

    def event(self, kind, source, number, severity, text):
        self.put(kind, source, u32(number) + bytes([severity]) + text.encode())

    def bytes(self):
        return b"".join(self.parts)
