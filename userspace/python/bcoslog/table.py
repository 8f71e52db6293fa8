# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A table of columns in memory, which pandas, polars, pyarrow and duckdb take: see Table."""
import array

from . import arrow

_INTEGER, _REAL, _TEXT = int, float, str


class _Column:
    """Values of one type: int, float, str, or None as long as all are NULL. valid has a byte for each."""

    def __init__(self, name, nulls):
        self.name, self.kind = name, None
        self.valid, self.values, self.ends = bytearray(nulls), None, None

    def add(self, value):
        kind = type(value)
        if value is not None and kind is not self.kind:
            self._change(kind)
        if self.kind is _TEXT:
            self.values += b"" if value is None else str(value).encode("utf-8", "surrogatepass")
            self.ends.append(len(self.values))
        elif self.kind is not None:
            self.values.append(0 if value is None else value)
        self.valid.append(value is not None)

    def _change(self, kind):
        """Makes room for values of another type: numbers become real numbers, and all become texts if there is a text."""
        if kind not in (_INTEGER, _REAL, _TEXT):
            raise TypeError(f"a value of {self.name} is a {kind.__name__}")
        if self.kind is _TEXT or (self.kind is _REAL and kind is _INTEGER):
            return
        if self.kind is _INTEGER and kind is _REAL:
            self.values = array.array("d", self.values)
        elif kind is _TEXT:
            values, self.values, self.ends = self.values or [0] * len(self.valid), bytearray(), array.array("q", [0])
            for value, valid in zip(values, self.valid):
                self.values += str(value).encode() if valid else b""
                self.ends.append(len(self.values))
        else:
            self.values = array.array("q" if kind is _INTEGER else "d", bytes(8 * len(self.valid)))
        self.kind = kind

    def texts(self):
        return [self.values[begin:end].decode("utf-8", "replace") if valid else None
                for begin, end, valid in zip(self.ends, self.ends[1:], self.valid)]

    def to_pandas(self, numpy, pandas):
        count = len(self.valid)
        if self.kind is _TEXT:
            return pandas.Series(self.texts(), dtype=object)
        if self.kind is None:
            return pandas.Series([None] * count, dtype=object)
        values = numpy.array(self.values, "int64" if self.kind is _INTEGER else "float64")
        missing = numpy.frombuffer(bytes(self.valid), bool) == 0
        if self.kind is _REAL:
            values[missing] = numpy.nan
        elif missing.any():
            # An integer that may be missing stays an integer.
            return pandas.Series(pandas.arrays.IntegerArray(values, missing))
        return pandas.Series(values)


class Table:
    """An answer column by column; integers have 64 bits and stay integers beside NULL. It gives the Arrow C data
    interface (__arrow_c_stream__), so that pyarrow.table(table), polars.DataFrame(table) and duckdb take it as it is.

    A column with integers and real numbers is one of real numbers, and one with a text is one of texts. complaints is what
    the program said of the log, and damaged whether the log is.
    """

    def __init__(self):
        self._columns = None
        self.complaints, self.damaged = "", False

    def add(self, names, row):
        """Add a row."""
        if self._columns is None:
            self._columns = [_Column(name, 0) for name in names]
        for column, value in zip(self._columns, row):
            column.add(value)

    def settle(self, names, complaints, damaged):
        """No more rows will come."""
        if self._columns is None:
            self._columns = [_Column(name, 0) for name in names]
        self.complaints, self.damaged = complaints, damaged

    @property
    def columns(self):
        """The names of the columns."""
        return [column.name for column in self._columns]

    def __len__(self):
        return len(self._columns[0].valid) if self._columns else 0

    def __arrow_c_schema__(self):
        return arrow.schema_capsule(self._columns)

    def __arrow_c_stream__(self, requested_schema=None):
        """The table as an ArrowArrayStream of one batch. The consumer may ask for other types, and gets these."""
        return arrow.stream_capsule(self._columns, len(self))

    def to_pandas(self):
        """A DataFrame of pandas. Integers are int64, or Int64 if some are NULL; texts are objects, NULL is None."""
        import numpy
        import pandas
        frame = pandas.DataFrame(dict(enumerate(column.to_pandas(numpy, pandas) for column in self._columns)),
                                 index=range(len(self)))
        frame.columns = self.columns
        return frame

    def to_polars(self):
        """A DataFrame of polars, which takes it by the Arrow C data interface (polars 1.3 or later)."""
        import polars
        return polars.DataFrame(self)
