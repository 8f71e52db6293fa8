# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Questions in SQL about a log, which the program bcoslog answers: see Log.query().

The program is that of BCOSLOG_TOOL, else bcoslog of PATH.
"""
import csv
import json
import os
import shutil
import subprocess
import tempfile
import warnings

from .table import Table


class QueryError(Exception):
    """A statement was not answered, or not wholly: the text says why."""


class LogWarning(UserWarning):
    """Something is missing in the log: sums are lower bounds."""


class DamageWarning(LogWarning):
    """The log is damaged; the rows are of the rest."""


# Each answer gives its warning, also the second one with the same words. A filter of the program comes first.
warnings.filterwarnings("always", category=LogWarning, append=True)

# Options of bcoslog sql that take a value.
_OPTIONS = ("since", "until", "last", "machine", "boot", "timeout", "memory")
_DAMAGED = 1


class Row(tuple):
    """A row: a tuple whose values have names, too, as row["cpu_ns"]. NULL is None."""
    __slots__ = ()
    _numbers = {}

    def __getitem__(self, key):
        return tuple.__getitem__(self, self._numbers[key] if isinstance(key, str) else key)

    def keys(self):
        """The names of the columns."""
        return list(self._numbers)


class Rows:
    """The rows of an answer, one after another as the program finds them; those that were taken do not come again.

    The last row is followed by a warning if something is missing in the log (LogWarning) or the log is damaged
    (DamageWarning); complaints has its text then, and damaged is True or False. QueryError says that the answer is
    not whole, after the rows that there are.
    """

    def __init__(self, path, sql, options):
        unknown = set(options) - set(_OPTIONS)
        if unknown:
            raise TypeError(f"query() has no option {sorted(unknown)[0]}: it has {', '.join(_OPTIONS)}")
        path = os.fsdecode(path)
        if path == "-":
            raise ValueError("query() reads a log by its path, and standard input has none: write it to a file first")
        # An argument that begins with - is an option, and one that begins with a space is none.
        self._arguments = [f"--{name}={value}" for name, value in options.items() if value is not None]
        self._arguments += [os.path.join(".", path) if path.startswith("-") else path, " " + sql]
        self._names, self._kind, self._taken = None, None, 0
        self.complaints, self.damaged = "", None
        self._said = tempfile.TemporaryFile()
        self._program = self._start("--json", self._said)

    def _start(self, form, said):
        tool = os.environ.get("BCOSLOG_TOOL") or shutil.which("bcoslog")
        if not tool:
            raise QueryError("there is no program bcoslog in PATH, which answers SQL: install it, or set BCOSLOG_TOOL to its path")
        try:
            return subprocess.Popen([tool, "sql", form, *self._arguments], stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=said)
        except OSError as error:
            raise QueryError(f"{tool} cannot be started: {error.strerror}") from error

    def __iter__(self):
        return self

    def __next__(self):
        line = self._program.stdout.readline() if self._program else b""
        if not line:
            self._end()
            raise StopIteration
        try:
            values = json.loads(line)
        except ValueError:
            # A line that is cut: the program says why it ended.
            self._end()
            raise QueryError("the program's answer is no JSON") from None
        if self._names is None:
            self._names = list(values)
            self._kind = type("Row", (Row,), {"__slots__": (), "_numbers": {name: i for i, name in enumerate(values)}})
        elif self._names != list(values):
            self.close()
            raise QueryError("query() answers one statement, and here are rows of several")
        self._taken += 1
        return self._kind(values.values())

    def _end(self):
        """Tells what the program said at its end, once."""
        program, self._program = self._program, None
        if program is None:
            return
        program.stdout.close()
        status = program.wait()
        self._said.seek(0)
        self.complaints = self._said.read().decode("utf-8", "replace").strip()
        self._said.close()
        self.damaged = status == _DAMAGED
        if status not in (0, _DAMAGED):
            raise QueryError(self.complaints or f"bcoslog ended with the status {status}")
        if self.complaints:
            warnings.warn(self.complaints, DamageWarning if self.damaged else LogWarning, stacklevel=3)

    @property
    def columns(self):
        """The names of the columns; None before the first row was taken. An answer without rows is asked for again."""
        if self._names is None and self._program is None and not self._taken and self.damaged is not None:
            with tempfile.TemporaryFile() as said:
                program = self._start("--csv", said)
                with program.stdout:
                    head = program.stdout.read().decode("utf-8")
                program.wait()
            self._names = next(csv.reader(head.splitlines(True)), [])
        return self._names

    def table(self):
        """All rows, column by column: a Table."""
        if self._taken or self._program is None:
            raise ValueError("some rows were taken already, or this is closed: query() again for a table of all")
        table = Table()
        for row in self:
            table.add(self._names, row)
        table.settle(self.columns, self.complaints, self.damaged)
        return table

    def to_pandas(self):
        """All rows as a DataFrame of pandas: see Table.to_pandas()."""
        return self.table().to_pandas()

    def to_polars(self):
        """All rows as a DataFrame of polars."""
        return self.table().to_polars()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table().__arrow_c_stream__(requested_schema)

    def close(self):
        """End the program, and take no more rows."""
        program, self._program = self._program, None
        if program is not None:
            program.kill()
            program.stdout.close()
            program.wait()
            self._said.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        if getattr(self, "_program", None) is not None:
            self.close()
