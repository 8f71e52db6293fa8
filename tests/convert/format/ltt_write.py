# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ltt_write.py FOLDER little|big 4|8 [ARCH [BLOCK]] - writes an LTT trace as the format's page describes it, not as bcoslog does.

A machine of the byte order given, block IDs of 4 or 8 bytes, a counter of 2 cycles a nanosecond. Facility net was
loaded, unloaded, changed and loaded again under its name; some of its tags are not closed, or by another's name. CPU 1 is
missing, and a block of CPU 2 is. ARCH (LP64) says how long a number of size medium and one of size long is, and BLOCK (512)
is the size of blocks.
"""
import os
import struct
import sys

# The formats of medium and long numbers.
SIZES = {"ILP32": "II", "LP64": "IQ", "ILP64": "QQ"}
BOOT = 1700000000 * 10 ** 9
LOAD, START, END, HEARTBEAT = range(4)

CORE = """<facility name=core>
<description>Scheduling</description>
<event name=process><description>Existing process</description><struct>
<field name="name"><string/></field><field name="pid"><uint size=4/></field>
<field name="state"><enum size=4> Running WaitInterruptible WaitUninterruptible Zombie Traced Paging </enum></field>
</struct></event>
<event name=interrupt><struct>
<field name="number"><uint size=4/></field><field name="count"><uint size=4/></field>
<field name="controller"><string/></field><field name="name"><string/></field>
</struct></event>
<event name=schedchange><struct>
<field name=out><uint size=medium/></field><field name=in><uint size=medium/></field>
</struct></event>
</facility>
"""

NET = """<FACILITY NAME=net>
<event name=packet><struct>
<field name=port><uint size=2/></field>
<field name=address><union typecodesize=1>
<field name=v4><uint size=4/></field>
<field name=v6><array size=2><uint size=8/></array></field>
<field name=host><string/></field>
</union></field>
</struct></event>
<event name=rate><description>How much of it<description><typeref name=load></event>
<type name=load><struct>
<field name=percent><float size=8/></field>
<field name=delta><int size=short></event>
</struct>
</event>
</FACILITY>
<facility name=net>
<event name=packet><struct>
<field name=kind><enum size=1>unicast multicast broadcast</enum></field>
<field name=parts><sequence lengthsize=2><struct>
<field name=offset><uint size=long/></field><field name=what><string/></field>
</struct></sequence></field>
</struct></event>
</facility>
"""

SYSTEM = """<system node_name="&#118;aucl&#x75;&#X73;e" domainname="example.org" cpu=4 arch_size="%s" endian="%s" kernel_name="Linux"
kernel_release="2.4.18" kernel_version="#1" machine="ppc64" processor="unknown" hardware_platform="unknown"
operating_system="Linux" ltt_major_version="2" ltt_minor_version="0" ltt_block_size="%d">
Written from the page
</system>
"""

BOOKMARKS = """<bookmarks>
<location name=moment time=1700000000.000002000>one moment</location>
<location name=span cpu=2 start_time=1700000000.000003 end_time=1700000000.000004>a while</location>
<location name=cycles start_cycle=10000 end_cycle=12000>by the counter</location>
</bookmarks>
"""


class Writer:
    """One file of blocks; times are nanoseconds since boot."""

    def __init__(self, order, wide, block):
        self.size = block
        self.order, self.wide = {"little": "<", "big": ">"}[order], wide
        self.data, self.block, self.id = b"", b"", 0

    def pack(self, kinds, *values):
        return struct.pack(self.order + kinds, *values)

    def stamp(self, time):
        return self.pack("IIQ", *divmod(BOOT + time, 10 ** 9), 2 * time)

    def begin(self, time, number=None):
        self.id = self.id if number is None else number
        self.base = time
        self.block = self.pack("HI", START, 0) + self.stamp(time) + self.number()

    def number(self):
        return self.pack("Q" if self.wide else "I", self.id)

    def event(self, time, code, body):
        self.block += self.pack("HI", code, 2 * (time - self.base)) + body

    def heartbeat(self, time):
        self.event(time, HEARTBEAT, self.stamp(time))
        self.base = time

    def end(self, time):
        at = len(self.block)
        self.event(time, END, self.stamp(time) + self.number())
        assert len(self.block) <= self.size - 4
        self.data += self.block.ljust(self.size - 4, b"\xAA") + self.pack("I", at)
        self.id += 1


def string(text):
    return text.encode() + b"\0"


def main(folder, order, size, arch="LP64", block=512):
    wide, block = size == "8", int(block)
    medium, large = SIZES[arch]
    many = 1 << (40 if large == "Q" else 20)
    for name in ("control", "cpu", "eventdefs", "info"):
        os.makedirs(os.path.join(folder, name))

    def put(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    put("eventdefs/core.xml", CORE.encode())
    put("eventdefs/net.xml", NET.encode())
    put("info/system.xml", (SYSTEM % (arch, order, block)).encode())
    put("info/bookmarks.xml", BOOKMARKS.encode())

    file = Writer(order, wide, block)
    file.begin(1000)
    for name, checksum, base in (("builtin", 1, 0), ("core", 2, 4), ("net", 3, 20), ("net", 4, 40)):
        file.event(1000, LOAD, string(name) + file.pack("II", checksum, base))
    file.end(1001)
    put("control/facilities", file.data)

    file = Writer(order, wide, block)
    file.begin(1000)
    file.event(1000, 4, string("init") + file.pack("II", 1, 1))
    file.event(1000, 4, string("shell") + file.pack("II", 70000, 0))
    file.event(9000, 4, string("shell") + file.pack("II", 70000, 3))
    file.end(9001)
    put("control/processes", file.data)

    file = Writer(order, wide, block)
    file.begin(1000)
    file.event(1000, 5, file.pack("II", 9, 0) + string("IO-APIC") + string("eth0"))
    file.end(9001)
    put("control/interrupts", file.data)

    file = Writer(order, wide, block)
    file.begin(1000)
    file.event(2000, 6, file.pack(2 * medium, 0, 70000))
    file.event(2500, 20, file.pack("HBI", 80, 0, 0x7F000001))
    file.event(2600, 20, file.pack("HBQQ", 80, 1, 0xFE80000000000000, 1))
    file.event(2700, 20, file.pack("HB", 443, 2) + string("example.org"))
    file.event(2800, 21, file.pack("dh", 12.5, -3))
    file.end(2900)
    file.begin(2900)
    file.heartbeat(5000)
    file.event(6000, 40, file.pack("BH", 2, 2) + file.pack(large, many) + string("head") + file.pack(large, 7) + string(""))
    file.event(7000, 6, file.pack(2 * medium, 70000, 0))
    file.end(8000)
    put("cpu/0", file.data)

    file = Writer(order, wide, block)
    file.begin(1000)
    file.event(1500, 6, file.pack(2 * medium, 0, 1))
    file.end(2000)
    file.begin(4000, 2)
    file.event(4500, 6, file.pack(2 * medium, 1, 0))
    # A union of three has no field 3, so the rest of the block cannot be understood.
    file.event(4600, 20, file.pack("HBI", 80, 3, 0))
    file.event(4700, 6, file.pack(2 * medium, 0, 1))
    file.end(5000)
    file.begin(5000)
    file.event(5500, 6, file.pack(2 * medium, 0, 1))
    file.end(9001)
    put("cpu/2", file.data)


if __name__ == "__main__":
    main(*sys.argv[1:])
