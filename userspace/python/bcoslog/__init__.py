# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Reads BCOS event logs by libbcoslog, with or without numpy.

    import bcoslog

    with bcoslog.open("trace.log") as log:
        for batch in log:                       # many entries at a time, in the library's own memory
            times = batch.column("time")        # an array of numpy, or of the module array without it
            for entry in batch:                 # or one by one
                print(entry.time, entry.name, entry.source, entry.text)

    with bcoslog.open("trace.log") as log:
        for process in log.account().processes:
            print(process.id, process.name, process.time)

    with bcoslog.open("trace.log") as log:      # needs the program bcoslog, with its part for SQL
        for row in log.query("SELECT name, cpu_ns FROM process"):
            print(row["name"], row["cpu_ns"])
        frame = log.query("SELECT * FROM run", since="14:03", until="14:04").to_pandas()

A batch and what it gives are valid until the next one is asked for, but for columns and indexes, which are copies: data
raises ValueError after that, and an array() that is still kept must not be looked at. Times are nanoseconds since boot. Errors are bcoslog.Error, an OSError that names cause and remedy.

The library is that of BCOSLOG_LIBRARY, else what the system finds.
"""
import array
import ctypes
import ctypes.util
import errno
import os
import struct

from .query import DamageWarning, LogWarning, QueryError, Row, Rows  # noqa: F401
from .table import Table  # noqa: F401

try:
    import numpy
except ImportError:
    numpy = None

DEVICE = "/dev/bcos_evlog"

SET_PROCESS_NAME, CANCEL_PROCESS_NAME, GENERIC_PROCESS, KERNEL_API = 0x0000, 0x0001, 0x0010, 0x0011
CORE_ONLINE, CORE_OFFLINE, GENERIC_CORE = 0x2000, 0x2001, 0x2010
CPU_ONLINE, CPU_OFFLINE, ASSIGN_CPU, GENERIC_CPU = 0x4000, 0x4001, 0x4002, 0x4010
SET_DEVICE_NAME, CANCEL_DEVICE_NAME, DEVICE_INPUT, DEVICE_OUTPUT = 0x6000, 0x6001, 0x6002, 0x6003
GENERIC_DEVICE, IRQ = 0x6010, 0x6011
HISTORICAL = 0x8000
IDLE = 0xFFFFFFFF

# Offset and format of what each entry begins with; "value" is the word after that, of entries that have one.
HEADER = {"size": (0, "H"), "type": (2, "H"), "source": (4, "I"), "time": (8, "Q"), "precision": (16, "I"),
          "value": (20, "I")}
MINIMUM = 20
_NUMPY = {"H": "<u2", "I": "<u4", "Q": "<u8"}

_FOLLOW = 1


class _CError(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("word", ctypes.c_char_p), ("offset", ctypes.c_uint64), ("lost", ctypes.c_uint64),
                ("resumes", ctypes.c_int), ("text", ctypes.c_char * 512)]


class _CBatch(ctypes.Structure):
    _fields_ = [("first", ctypes.c_void_p), ("end", ctypes.c_void_p), ("offset", ctypes.c_uint64)]


class _CWork(ctypes.Structure):
    _fields_ = [("instructions", ctypes.c_double), ("joules", ctypes.c_double), ("performance_unknown", ctypes.c_uint64),
                ("performance_assumed", ctypes.c_uint64), ("power_unknown", ctypes.c_uint64), ("at_least", ctypes.c_bool)]


class _CProcess(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint32), ("precision", ctypes.c_uint32), ("serial", ctypes.c_uint64),
                ("start", ctypes.c_uint64), ("end", ctypes.c_uint64), ("status", ctypes.c_uint32),
                ("born", ctypes.c_bool), ("ended", ctypes.c_bool), ("vanished", ctypes.c_bool), ("at_least", ctypes.c_bool),
                ("name", ctypes.c_void_p), ("name_length", ctypes.c_size_t),
                ("former", ctypes.c_void_p), ("former_length", ctypes.c_size_t),
                ("renames", ctypes.c_uint64), ("time", ctypes.c_uint64), ("turns", ctypes.c_uint64),
                ("longest_off", ctypes.c_uint64), ("longest_off_at", ctypes.c_uint64), ("calls", ctypes.c_uint64),
                ("events", ctypes.c_uint64), ("cpus", ctypes.c_uint32), ("lost", ctypes.c_uint32), ("work", _CWork), ("user", ctypes.c_void_p),
                ("end_lost", ctypes.c_bool), ("has_parent", ctypes.c_bool),
                ("cgroup_cpu", ctypes.c_bool), ("cgroup_cut", ctypes.c_bool), ("parent", ctypes.c_uint32), ("cgroup", ctypes.c_char_p),
                ("has_user", ctypes.c_bool), ("uid", ctypes.c_uint32)]


class _CTotals(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_uint64), ("end", ctypes.c_uint64), ("online", ctypes.c_uint64),
                ("time", ctypes.c_uint64 * 4), ("entries", ctypes.c_uint64), ("turns", ctypes.c_uint64),
                ("births", ctypes.c_uint64), ("execs", ctypes.c_uint64), ("ends", ctypes.c_uint64),
                ("unnamed", ctypes.c_uint64), ("losses", ctypes.c_uint64), ("overtaken", ctypes.c_uint64),
                ("lost", ctypes.c_uint32), ("cgroups", ctypes.c_uint64)]


_Ended = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_CProcess))


class _COptions(ctypes.Structure):
    _fields_ = [("since", ctypes.c_uint64), ("until", ctypes.c_uint64), ("context", ctypes.c_void_p),
                ("interval", ctypes.c_void_p), ("segment", ctypes.c_void_p), ("off", ctypes.c_void_p),
                ("process_ended", _Ended), ("device_ended", ctypes.c_void_p), ("transfer", ctypes.c_void_p),
                ("interrupt", ctypes.c_void_p), ("unknown", ctypes.c_void_p)]


# ctypes needs the types of results and arguments of each function.
_PROTOTYPES = {
    "bcoslog_open": (ctypes.c_int, [ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p, ctypes.c_uint,
                                    ctypes.POINTER(_CError)]),
    "bcoslog_close": (None, [ctypes.c_void_p]),
    "bcoslog_error": (ctypes.POINTER(_CError), [ctypes.c_void_p]),
    "bcoslog_batch": (ctypes.c_int, [ctypes.c_void_p, ctypes.POINTER(_CBatch)]),
    "bcoslog_batch_index": (ctypes.c_size_t, [ctypes.POINTER(_CBatch), ctypes.c_void_p, ctypes.c_size_t]),
    "bcoslog_skip": (ctypes.c_int, [ctypes.c_void_p]),
    "bcoslog_wait": (ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
    "bcoslog_type_name": (ctypes.c_char_p, [ctypes.c_uint16]),
    "bcoslog_text": (ctypes.c_void_p, [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)]),
    "bcoslog_version": (ctypes.c_char_p, []),
    "bcoslog_account_new": (ctypes.c_void_p, [ctypes.POINTER(_COptions)]),
    "bcoslog_account_free": (None, [ctypes.c_void_p]),
    "bcoslog_account_batch": (ctypes.c_int, [ctypes.c_void_p, ctypes.POINTER(_CBatch)]),
    "bcoslog_account_settle": (None, [ctypes.c_void_p]),
    "bcoslog_account_totals": (ctypes.POINTER(_CTotals), [ctypes.c_void_p]),
    "bcoslog_account_next_process": (ctypes.POINTER(_CProcess), [ctypes.c_void_p, ctypes.c_void_p]),
}


def _load():
    name = os.environ.get("BCOSLOG_LIBRARY") or ctypes.util.find_library("bcoslog") or "libbcoslog.so.0"
    try:
        library = ctypes.CDLL(name, use_errno=True)
    except OSError as error:
        raise ImportError(f"the library of bcoslog is not there: {error}: install it (make install, or the package libbcoslog0), "
                          "or set BCOSLOG_LIBRARY to its path") from None
    for function, (result, arguments) in _PROTOTYPES.items():
        pointer = getattr(library, function)
        pointer.restype, pointer.argtypes = result, arguments
    return library


_library = _load()


class Error(OSError):
    """What failed: errno, text, and of a damaged log word, offset and lost."""

    def __init__(self, error):
        self.word = error.word.decode() if error.word else None
        self.offset, self.lost = error.offset, error.lost
        super().__init__(error.code, error.text.decode("utf-8", "replace"))


class Entry:
    """An entry of a batch: size, type, source, time, precision, and what its type has."""
    __slots__ = ("_batch", "_at")

    def __init__(self, batch, at):
        self._batch, self._at = batch, at

    def __getattr__(self, field):
        if field not in HEADER:
            raise AttributeError(field)
        at, letter = HEADER[field]
        if field == "value" and self.size < at + 4:
            raise AttributeError("this entry has no value")
        return struct.unpack_from("<" + letter, self._batch.data, self._at + at)[0]

    @property
    def data(self):
        """Its bytes, not copied."""
        return self._batch.data[self._at:self._at + self.size]

    @property
    def offset(self):
        """Of its first byte, from where reading began."""
        return self._batch.offset + self._at

    @property
    def name(self):
        """The specification's name of its type; None if it defines none."""
        name = _library.bcoslog_type_name(self.type)
        return name.decode() if name else None

    @property
    def text(self):
        """Its name or text; None if its type has none."""
        length = ctypes.c_size_t()
        text = _library.bcoslog_text(self._batch.address + self._at, ctypes.byref(length))
        return ctypes.string_at(text, length.value).decode("utf-8", "replace") if text else None


class Batch:
    """Entries in a row, in the library's memory: data is a read-only view of it, offset that of its first byte."""

    def __init__(self, batch):
        self._batch = batch
        self.address, self.offset = batch.first, batch.offset
        size = batch.end - batch.first
        self.data = memoryview((ctypes.c_ubyte * size).from_address(batch.first)).cast("B").toreadonly()

    def end(self):
        """Its memory belongs to the library again. Nothing guards an array of it that is kept."""
        try:
            self.data.release()
        except BufferError:
            pass

    def index(self):
        """Where in data each entry begins, as an array."""
        count = _library.bcoslog_batch_index(self._batch, None, 0)
        if numpy is not None:
            index = numpy.empty(count, numpy.uint32)
            _library.bcoslog_batch_index(self._batch, index.ctypes.data, count)
        else:
            index = array.array("I", bytes(4 * count))
            _library.bcoslog_batch_index(self._batch, index.buffer_info()[0], count)
        return index

    def array(self):
        """All of it as an array of 32-bit words of numpy, not copied."""
        if numpy is None:
            raise RuntimeError("array() requires numpy; data is the same memory without it")
        return numpy.frombuffer(self.data[:len(self.data) // 4 * 4], "<u4")

    def runs(self):
        """Arrays of numpy of the entries, not copied: one for each row of entries of the same size, whose fields are those
        of HEADER (value only if the size has room for it), so that run["time"] is a view of the library's memory."""
        if numpy is None:
            raise RuntimeError("runs() requires numpy; data is the same memory without it")
        index = self.index()
        sizes = self.array()[index // 4] & 0xFFFF
        ends = numpy.append(numpy.flatnonzero(sizes[1:] != sizes[:-1]) + 1, len(index)) if len(index) else []
        first = 0
        for end in ends:
            size = int(sizes[first])
            fields = {name: (_NUMPY[letter], at)
                      for name, (at, letter) in HEADER.items() if name != "value" or size >= at + 4}
            kind = numpy.dtype({"names": list(fields), "formats": [form for form, _ in fields.values()],
                                "offsets": [at for _, at in fields.values()], "itemsize": size})
            yield numpy.frombuffer(self.data, kind, int(end) - first, int(index[first]))
            first = int(end)

    def column(self, field, index=None):
        """A field of HEADER of all entries, or of those of index, as an array of its own, since entries are of several
        sizes: runs() has the same without a copy. value only of entries that have one."""
        at, letter = HEADER[field]
        if index is None:
            index = self.index()
        if numpy is None:
            unpack = struct.Struct("<" + letter).unpack_from
            return array.array(letter, (unpack(self.data, begin + at)[0] for begin in index))
        # Entries lie at multiples of 4, so that a time is two words.
        words = self.array()
        begin = numpy.asarray(index, numpy.intp) // 4
        word = words[begin + at // 4]
        if letter == "Q":
            return word.astype(numpy.uint64) | words[begin + at // 4 + 1].astype(numpy.uint64) << numpy.uint64(32)
        return (word >> (8 * (at % 4))).astype("<u2") if letter == "H" else word

    def __len__(self):
        return _library.bcoslog_batch_index(self._batch, None, 0)

    def __iter__(self):
        return (Entry(self, int(at)) for at in self.index())


class Process:
    """A process of an account, with its numbers as they were when it ended, or at the end of the log."""

    def __init__(self, process):
        for field, _ in _CProcess._fields_:
            if field not in ("name", "name_length", "former", "former_length", "work", "user"):
                setattr(self, field, getattr(process, field))
        self.name = ctypes.string_at(process.name, process.name_length).decode("utf-8", "replace")
        self.instructions, self.joules = process.work.instructions, process.work.joules


class Account:
    """Who had the CPUs: processes (all that lived), and totals."""

    def __init__(self, log, since=0, until=0):
        self.processes = []
        ended = _Ended(lambda context, process: self.processes.append(Process(process.contents)))
        account = _library.bcoslog_account_new(_COptions(since=since, until=until, process_ended=ended))
        if not account:
            raise MemoryError("there is no memory for an account")
        try:
            for batch in log:
                if _library.bcoslog_account_batch(account, batch._batch):
                    raise MemoryError("there is no memory for the account")
            _library.bcoslog_account_settle(account)
            process = _library.bcoslog_account_next_process(account, None)
            while process:
                self.processes.append(Process(process.contents))
                process = _library.bcoslog_account_next_process(account, process)
            totals = _library.bcoslog_account_totals(account).contents
            for field, _ in _CTotals._fields_:
                value = getattr(totals, field)
                setattr(self, field, list(value) if field == "time" else value)
        finally:
            _library.bcoslog_account_free(account)


class Log:
    """A log: a device, a file, or - for standard input. Going through it gives batches, up to its end."""

    def __init__(self, path=DEVICE, follow=False):
        error, log = _CError(), ctypes.c_void_p()
        self.path = path
        self._log = self._last = None
        if _library.bcoslog_open(ctypes.byref(log), os.fsencode(path), _FOLLOW if follow else 0, ctypes.byref(error)):
            raise Error(error)
        self._log = log

    def batch(self):
        """The next entries; None at the end of what there is now. A damaged place raises Error: see skip()."""
        self._end()
        batch = _CBatch()
        more = _library.bcoslog_batch(self._open(), ctypes.byref(batch))
        if more < 0:
            raise Error(_library.bcoslog_error(self._log).contents)
        self._last = Batch(batch) if more else None
        return self._last

    def skip(self):
        """After an Error whose word is set, go on after the damage. False: nothing more can be recognised."""
        self._end()
        return _library.bcoslog_skip(self._open()) == 0

    def wait(self, seconds=None):
        """Wait for more. False: there will be no more, or it took longer than that."""
        result = _library.bcoslog_wait(self._open(), -1 if seconds is None else int(seconds * 1000))
        if result < 0 and result not in (-errno.ETIMEDOUT, -errno.EINTR, -errno.EPIPE):
            raise Error(_library.bcoslog_error(self._log).contents)
        return result > 0

    def account(self, since=0, until=0):
        """Who had the CPUs, from here to the end of the log."""
        return Account(self, since, until)

    def query(self, sql, **options):
        """What the tables of bcoslog sql say of this log, as Rows, from its begin on, whatever was read here.

        The options are those of the program: since, until, last, machine, boot, timeout, memory.
        """
        self._open()
        return Rows(self.path, sql, options)

    def close(self):
        self._end()
        if self._log:
            _library.bcoslog_close(self._log)
        self._log = None

    def _end(self):
        if self._last is not None:
            self._last.end()
        self._last = None

    def _open(self):
        if not self._log:
            raise ValueError("this log is closed")
        return self._log

    def __iter__(self):
        while (batch := self.batch()) is not None:
            yield batch

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        self.close()


def open(path=DEVICE, follow=False):
    """Open a log: Log(path, follow)."""
    return Log(path, follow)


def version():
    """Of the library."""
    return _library.bcoslog_version().decode()
