# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The Arrow C data interface and C stream interface by ctypes: three structures, and the functions that free them.

What a structure points at is kept in _kept under its private_data, until its consumer calls release.
"""
import array
import ctypes
import itertools

_NULLABLE = 2


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


# The functions are pointers here, so that reading a member makes no Python object.
_Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))), ("dictionary", ctypes.c_void_p),
                    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
_Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                   ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                   ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.c_void_p),
                   ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
_Stream._fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
                    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]

_kept = {}
_numbers = itertools.count(1)


def _keep(*objects):
    number = next(_numbers)
    _kept[number] = objects
    return number


# ---- release -----------------------------------------------------------------------------------------------------------
def _release_tree(structure, release):
    """Releases a schema or an array, and those of its children that the consumer did not take."""
    for i in range(structure.n_children):
        child = structure.children[i].contents
        if child.release:
            release(child)
    _forget(structure)


def _forget(structure, kept=_kept):
    structure.release = None
    kept.pop(structure.private_data, None)


@ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))
def _release_schema(pointer):
    _release_tree(pointer.contents, _release_schema)


@ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))
def _release_array(pointer):
    _release_tree(pointer.contents, _release_array)


@ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))
def _release_stream(pointer):
    _forget(pointer.contents)


def _address(function):
    return ctypes.cast(function, ctypes.c_void_p).value


# ---- schema ------------------------------------------------------------------------------------------------------------
_FORMATS = {None: b"n", int: b"l", float: b"g", str: b"U"}


def _pointers(structures, kind):
    """Return: an array of pointers to structures, and the structures, which are to be kept."""
    return (ctypes.POINTER(kind) * max(len(structures), 1))(*(ctypes.pointer(each) for each in structures)), structures


def _fill_schema(schema, form, name, children):
    pointers, structures = _pointers(children, _Schema)
    name = name.encode("utf-8", "replace")
    schema.format, schema.name, schema.metadata = form, name, None
    schema.flags, schema.n_children = 0 if form == b"+s" else _NULLABLE, len(children)
    schema.children, schema.dictionary = pointers, None
    schema.release, schema.private_data = _address(_release_schema), _keep(form, name, pointers, structures)
    return schema


def _fill_table_schema(schema, columns):
    return _fill_schema(schema, b"+s", "", [_fill_schema(_Schema(), _FORMATS[column.kind], column.name, ())
                                            for column in columns])


# ---- array -------------------------------------------------------------------------------------------------------------
_BITS = bytes.maketrans(b"\0\1", b"01")


def _bitmap(valid):
    """Return: a bit for each byte, the first one the lowest."""
    if not valid:
        return b"\0"
    return int(valid[::-1].translate(_BITS), 2).to_bytes((len(valid) + 7) // 8, "little")


def _own(values):
    """Return: a copy at a place that stays, also of nothing, and its address."""
    size = len(values) * getattr(values, "itemsize", 1)
    room = (ctypes.c_uint64 * (size // 8 + 1))()
    ctypes.memmove(room, bytes(values) if isinstance(values, bytearray) else values.tobytes()
                   if isinstance(values, array.array) else values, size)
    return room, ctypes.addressof(room)


def _fill_array(struct, length, nulls, buffers, children):
    pointers, structures = _pointers(children, _Array)
    rooms = [None if each is None else _own(each) for each in buffers]
    places = (ctypes.c_void_p * max(len(rooms), 1))(*(room[1] if room else None for room in rooms))
    struct.length, struct.null_count, struct.offset = length, nulls, 0
    struct.n_buffers, struct.n_children = len(buffers), len(children)
    struct.buffers, struct.children, struct.dictionary = places, pointers, None
    struct.release = _address(_release_array)
    struct.private_data = _keep(rooms, places, pointers, structures)
    return struct


def _fill_column(column):
    nulls = column.valid.count(0)
    if column.kind is None:
        return _fill_array(_Array(), len(column.valid), nulls, (), ())
    buffers = [_bitmap(column.valid) if nulls else None]
    if column.kind is str:
        buffers.append(column.ends)
    return _fill_array(_Array(), len(column.valid), nulls, buffers + [column.values], ())


# ---- stream ------------------------------------------------------------------------------------------------------------
class _Source:
    """What a stream gives: one batch, and then the end, which is an array that is released."""

    def __init__(self, columns, length):
        self.columns, self.length, self.given = columns, length, False

    def fill(self, struct):
        if self.given:
            struct.release = None
        else:
            _fill_array(struct, self.length, 0, (None,), [_fill_column(column) for column in self.columns])
        self.given = True


def _answer(stream, fill):
    """Return: 0, or an errno: an exception cannot reach the consumer."""
    try:
        fill(_kept[stream.contents.private_data][0])
    except MemoryError:
        return 12
    except Exception:
        return 5
    return 0


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))
def _get_schema(stream, out):
    return _answer(stream, lambda source: _fill_table_schema(out.contents, source.columns))


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))
def _get_next(stream, out):
    return _answer(stream, lambda source: source.fill(out.contents))


@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Stream))
def _get_last_error(stream):
    return None


# ---- capsules ----------------------------------------------------------------------------------------------------------
_python = ctypes.PyDLL(None)
_new, _get = _python.PyCapsule_New, _python.PyCapsule_GetPointer
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
# A capsule that is being freed has no references, and must get none.
_get.restype, _get.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]

_capsules = {}


def _destroy(capsule, name, kind, release, capsules=_capsules):
    structure = kind.from_address(_get(capsule, name))
    if structure.release:
        release(structure)
    capsules.pop(ctypes.addressof(structure), None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy_stream(capsule):
    _destroy(capsule, b"arrow_array_stream", _Stream, _release_stream)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy_schema(capsule):
    _destroy(capsule, b"arrow_schema", _Schema, _release_schema)


def _capsule(structure, name, destroy):
    _capsules[ctypes.addressof(structure)] = structure, name
    return _new(ctypes.addressof(structure), name, _address(destroy))


def schema_capsule(columns):
    """Return: a capsule with the schema of a table."""
    return _capsule(_fill_table_schema(_Schema(), columns), _SCHEMA, _destroy_schema)


def stream_capsule(columns, length):
    """Return: a capsule with a stream of a table."""
    stream = _Stream(get_schema=_address(_get_schema), get_next=_address(_get_next),
                     get_last_error=_address(_get_last_error), release=_address(_release_stream),
                     private_data=_keep(_Source(columns, length)))
    return _capsule(stream, _STREAM, _destroy_stream)


# A capsule keeps the pointer to its name.
_SCHEMA, _STREAM = b"arrow_schema", b"arrow_array_stream"

# A consumer may release what it has as late as the interpreter ends, so that these functions stay for ever.
for _function in (_release_schema, _release_array, _release_stream, _get_schema, _get_next, _get_last_error,
                  _destroy_stream, _destroy_schema):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_function))
