# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ltt_seed.py FOLDER >INPUT - an LTT trace as an input of ltt_fuzz.c, with its blocks made as small as they can be."""
import os
import re
import struct
import sys

NAMES = ("info/system.xml", "info/bookmarks.xml", "eventdefs/core.xml", "eventdefs/bcos.xml", "control/facilities",
         "control/processes", "control/interrupts", "cpu/0", "cpu/1", "cpu/2")
SMALL = 4096


def main(folder):
    files = {}
    for number, name in enumerate(NAMES):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, "rb") as file:
                files[number] = file.read()
    system = files[0].decode()
    size = int(re.search('ltt_block_size="([0-9]*)"', system)[1])
    order = "<" if 'endian="little"' in system else ">"
    if size > SMALL:
        # The traces of bcoslog have one description for all events, which the fuzzer knows.
        files = {number: data for number, data in files.items() if number not in (2, 3)}
        files[0] = system.replace(f'ltt_block_size="{size}"', f'ltt_block_size="{SMALL}"').encode()
    for number, data in files.items():
        if number > 3 and size > SMALL:
            at = struct.unpack(order + "I", data[size - 4:size])[0]
            assert at + 40 <= SMALL and len(data) == size, (NAMES[number], at, len(data))
            data = data[:SMALL - 4] + struct.pack(order + "I", at)
        sys.stdout.buffer.write(struct.pack("<BH", number, len(data)) + data)


main(*sys.argv[1:])
