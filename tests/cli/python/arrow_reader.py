# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Reads an ArrowArrayStream, by the description of the Arrow C data and C stream interfaces alone.

take(capsule) moves the stream out of the capsule, reads it to its end, and releases all. It takes the formats n, l, g and U.
"""
import ctypes

get_pointer = ctypes.PyDLL(None).PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def words(address, count):
    return list((ctypes.c_int64 * count).from_address(address)) if count else []


def text(address):
    return ctypes.string_at(address) if address else b""


class Structure:
    """A structure of 64-bit words; the one with the number release is the function that frees it."""

    def __init__(self, size, release, address=None):
        self.words = (ctypes.c_int64 * size)() if address is None else (ctypes.c_int64 * size).from_address(address)
        self.release_at = release

    def address(self):
        return ctypes.addressof(self.words)

    def call(self, number, out):
        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(self.words[number])(self.address(), out.address())

    def release(self):
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.words[self.release_at])(self.address())
        assert self.words[self.release_at] == 0, "release() marks what it released"


def schema(address=None):
    return Structure(9, 7, address)


def batch(address=None):
    return Structure(10, 8, address)


def is_valid(bitmap, i):
    return not bitmap or bool(ctypes.c_uint8.from_address(bitmap + i // 8).value >> (i % 8) & 1)


def column(form, address):
    """Return: the values of an array, None for NULL."""
    length, nulls, offset, buffers, children, places = batch(address).words[:6]
    assert offset == 0 and children == 0
    places = words(places, buffers)
    assert buffers == {b"n": 0, b"l": 2, b"g": 2, b"U": 3}[form], "so many buffers has this format"
    if form == b"n":
        values = [None] * length
    elif form == b"U":
        ends = words(places[1], length + 1)
        values = [ctypes.string_at(places[2] + ends[i], ends[i + 1] - ends[i]).decode("utf-8") for i in range(length)]
    else:
        kind = ctypes.c_int64 if form == b"l" else ctypes.c_double
        values = list((kind * length).from_address(places[1]))
    if form != b"n":
        values = [value if is_valid(places[0], i) else None for i, value in enumerate(values)]
    assert values.count(None) == nulls, "null_count is right"
    return values


def take(capsule):
    """Return: the names, the formats, and the columns of each batch."""
    source = Structure(5, 3, get_pointer(capsule, b"arrow_array_stream"))
    stream = Structure(5, 3)
    ctypes.memmove(stream.address(), source.address(), 40)
    source.words[3] = 0
    told = schema()
    assert stream.call(0, told) == 0 and text(told.words[0]) == b"+s"
    children = [schema(address) for address in words(told.words[5], told.words[4])]
    names = [text(child.words[1]).decode() for child in children]
    forms = [text(child.words[0]) for child in children]
    assert all(child.words[3] == 2 for child in children), "all columns may have NULL"
    batches = []
    while True:
        part = batch()
        assert stream.call(1, part) == 0
        if not part.words[8]:
            break
        arrays = words(part.words[6], part.words[4])
        batches.append([column(form, address) for form, address in zip(forms, arrays)])
        # The consumer takes the first column, and releases the rest.
        kept = batch()
        if arrays:
            ctypes.memmove(kept.address(), arrays[0], 80)
            batch(arrays[0]).words[8] = 0
        part.release()
        if arrays:
            assert column(forms[0], kept.address()) == batches[-1][0], "what was taken stays"
            kept.release()
    told.release()
    stream.release()
    return names, [form.decode() for form in forms], batches
