#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""by_value.py EXPECTED OUTPUT: are two files the same, a JSON value a line, compared by value.

A key that is there twice, a number that JSON does not have, and bytes that are not UTF-8 are errors.
"""
import json
import sys


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f"a key is there twice: {keys}")
    return dict(pairs)


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def typed(value):
    """Python takes 1, 1.0 and true for the same."""
    if isinstance(value, dict):
        return {key: typed(one) for key, one in value.items()}
    if isinstance(value, list):
        return [typed(one) for one in value]
    return (type(value).__name__, value)


def read(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [json.loads(line, object_pairs_hook=unique, parse_constant=refuse) for line in file]


expected, output = read(sys.argv[1]), read(sys.argv[2])
if len(expected) != len(output):
    print(f"{len(output)} values in the place of {len(expected)}")
for number, (one, other) in enumerate(zip(expected, output), 1):
    if typed(one) != typed(other):
        print(f"value {number}:\n  expected {one}\n  got      {other}")
        if isinstance(one, dict) and isinstance(other, dict):
            for key in sorted(one.keys() | other.keys()):
                if typed(one.get(key)) != typed(other.get(key)):
                    print(f"  {key}: {other.get(key)!r} in the place of {one.get(key)!r}")
sys.exit(typed(expected) != typed(output))
