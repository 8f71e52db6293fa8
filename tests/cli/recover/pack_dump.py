# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""pack_dump.py PACKING FRAME [OPTION]... <MEMORY >DUMP: writes memory, whose first page is FRAME, as a compressed dump.

The format is that of makedumpfile: a header, a second one, two maps of pages, a descriptor for each page of the second map,
and the pages. PACKING is none, zlib, lzo, snappy or zstd; without the library of it, this exits with 77.

  once         all pages of zeros are one page
  without      pages of zeros are not there
  one-map      the maps are one, as old versions write it
  long         pages have 64 KiB
  version=N    of the header (6)
  status=N     of the header (0)
  part         the dump is a part of a split one
  damage=N     a byte of page N is another one
  odd=N        page N is packed in a way that the format does not know, or by
  way=FLAG     this one
  twice=N      the descriptors of N more pages tell of a page of random bytes each, which is always the same
"""
import ctypes
import ctypes.util
import os
import struct
import sys
import zlib


def library(name):
    path = ctypes.util.find_library(name)
    if not path:
        print(f"there is no library {name}", file=sys.stderr)
        sys.exit(77)
    return ctypes.CDLL(path)


def pack_by(function, room, result, *more):
    """A function of a library that takes the source, its size, the target and its size."""
    def pack(page):
        target = ctypes.create_string_buffer(room)
        size = ctypes.c_size_t(room)
        done = function(page, ctypes.c_size_t(len(page)), target, ctypes.byref(size), *more)
        assert done == result, done
        return target.raw[:size.value]
    return pack


def pack_zstd(page):
    function = library("zstd").ZSTD_compress
    function.restype = ctypes.c_size_t
    target = ctypes.create_string_buffer(2 * len(page))
    size = function(target, ctypes.c_size_t(len(target)), page, ctypes.c_size_t(len(page)), 3)
    return target.raw[:size]


def packer(name):
    """The flag of a packing, and what packs."""
    if name == "lzo":
        return 2, pack_by(library("lzo2").lzo1x_1_compress, 1 << 17, 0, ctypes.create_string_buffer(1 << 18))
    if name == "snappy":
        return 4, pack_by(library("snappy").snappy_compress, 1 << 17, 0)
    return {"none": (0, None), "zlib": (1, zlib.compress), "zstd": (32, pack_zstd)}[name]


def main():
    name, first = sys.argv[1], int(sys.argv[2])
    options = dict(option.partition("=")[::2] for option in sys.argv[3:])
    flag, pack = packer(name)
    size = 65536 if "long" in options else 4096
    memory = sys.stdin.buffer.read()
    memory = bytes(first * 4096 % size) + memory
    memory += bytes(-len(memory) % size)
    first = first * 4096 // size
    pages = [memory[at:at + size] for at in range(0, len(memory), size)]
    more = int(options.get("twice", 0))
    frames = first + len(pages) + more

    def bitmap(is_there):
        bits = bytearray(-(-frames // 8 // size) * size or size)
        for frame in range(frames):
            if is_there(frame):
                bits[frame // 8] |= 1 << frame % 8
        return bytes(bits)

    def written(frame):
        if frame < first:
            return False
        return frame >= first + len(pages) or "without" not in options or any(pages[frame - first])

    maps = bitmap(written) if "one-map" in options else bitmap(lambda frame: True) + bitmap(written)
    version = int(options.get("version", 6))
    header = struct.pack("<8sI390s6xQQIIIII20x", b"KDUMP   ", version, b"Linux", 0, 0, int(options.get("status", 0)), size, 1,
                         len(maps) // size, 1 if version >= 6 else frames)
    second = struct.pack("<QIIQQ48xQQQ", 0, 31, "part" in options, 0, 0, 0, 0, frames)
    descriptors, data, common = bytearray(), bytearray(), {}
    there = [page for number, page in enumerate(pages) if written(first + number)]
    start = size * 2 + len(maps) + 24 * (len(there) + more)
    for number, page in enumerate(there + [os.urandom(size)] * more):
        once = number >= len(there) or ("once" in options and not any(page))
        if not once or page not in common:
            packed = pack(page) if pack else page
            is_packed = pack and len(packed) < size
            packed = bytearray(packed if is_packed else page)
            if options.get("damage") == str(number):
                packed[len(packed) // 2] ^= 0x55
            way = int(options.get("way", 3)) if options.get("odd") == str(number) else flag if is_packed else 0
            place = (start + len(data), len(packed), way, 0)
            data += packed
            if once:
                common[page] = place
        else:
            place = common[page]
        descriptors += struct.pack("<QIIQ", *place)
    sys.stdout.buffer.write(header.ljust(size, b"\0") + second.ljust(size, b"\0") + maps + descriptors + data)


main()
