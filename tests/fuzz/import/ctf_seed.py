# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ctf_seed.py entry|kernel|text - records of what is seen in a CTF trace, as the comment in ctf/seen.h describes them.

One event of each kind, with all fields that it may have: "n" a text, "l" a list, anything else a number.
"""
import struct
import sys

ENTRIES = ["nNNNnNNN", "nNNN", "nNNNNnN", "nNNnNN", "nNNNn", "nNNN", "nNN", "NnNN", "NN", "NNNNNN", "NNnN", "NNNnN", "", "NNNnNNNNNNN", "NnNN", "nNNNN",
           "NnnN", "", "Nn", "Nl", "NNNn", "NNNn", "NNNn", "NNNn", "NNNl", "N", "NN", "N", "NNn", "NN", "NN", "NN", "NnN", "NNNlN", "NNN",
           "NNnN", "NNN"]
KERNEL = ["NNnnNN", "NNN", "Nn", "N", "Nn", "NNNNN", "Nn", "NnN", "Nn", "NNNnN", "Nn", "n", "Nn", "Nn", "Nn"]


def record(what, meaning, which, time, values):
    body = struct.pack("<BBHIIQ", what, meaning, which, 1, 2, time)
    for value in values:
        if isinstance(value, bytes):
            body += struct.pack("<BI", 2, len(value)) + value
        elif isinstance(value, list):
            body += struct.pack("<BI%dI" % len(value), 3, len(value), *value)
        else:
            body += struct.pack("<BQ", 1, value)
    sys.stdout.buffer.write(struct.pack("<I", 4 + len(body)) + body)


def sample(fields, n):
    return [{"n": b"name%d" % n, "l": [1, 2, n]}.get(letter, n + at) for at, letter in enumerate(fields)]


kind = sys.argv[1]
meaning = {"entry": 1, "kernel": 2, "text": 3}[kind]
record(0, meaning, 0, 0, [1700000000 * 10 ** 9, b"host", b"6.1.0", b"monotonic"])
events = {"entry": ENTRIES, "kernel": KERNEL, "text": ["Nn"]}[kind]
for n, fields in list(enumerate(events)) * 2:
    record(1, meaning, n, 1000 + n, sample(fields, n % 7))
record(2, 0, 0, 5000, [6000, 17, 0])
record(3, 0, 0, 0, [0, 1, 2, b"why"])
