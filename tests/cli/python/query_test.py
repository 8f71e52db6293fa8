# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What query() of the bindings for Python answers about logs that were written by hand. usage: query_test.py LOGS

LOGS is a folder with logs of tests/cli/golden as binary files.
"""
import gc
import os
import subprocess
import sys
import warnings

import arrow_reader
import bcoslog
from bcoslog import arrow
from points import end, point, raises, skip


def log(name):
    return bcoslog.open(os.path.join(sys.argv[1], name))


def children():
    """Return: the programs that this one started and did not wait for."""
    with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as file:
        return file.read().split()


# By hand from reports.log: CPU 0 has process 10 from 1.0 to 1.5 and 1.6 to 1.9 s; CPU 1 has process 20 from 1.4 s on. 10 was
# killed by signal 9 at 1.9 s, and the others live.
reports = log("reports.log")
rows = list(reports.query("SELECT name, pid, cpu_ns, end_ts FROM process WHERE pid > 0 ORDER BY pid"))
point("rows have the values", rows == [("ten", 10, 800000000, 1900000000), ("twenty", 20, 600000000, None),
                                       ("thirty", 30, 0, None)])
point("by name, too", [(row["pid"], row["name"]) for row in rows] == [(10, "ten"), (20, "twenty"), (30, "thirty")] and
      rows[0].keys() == ["name", "pid", "cpu_ns", "end_ts"])
point("a column that is not there", raises(KeyError, lambda: rows[0]["colour"]))
row = next(reports.query("SELECT 9223372036854775807 AS most, -9223372036854775808 AS least, 2.0 AS real, '7' AS text, NULL AS absent"))
point("values have SQLite's types", tuple(row) == (2**63 - 1, -2**63, 2.0, "7", None) and
      [type(value) for value in row] == [int, int, float, str, type(None)])
point("a window", list(reports.query("SELECT cpu_ns FROM process WHERE pid = 10", since="1.5", until="1.8")) == [(200000000,)])
point("an option that there is not", "last" in str(raises(TypeError, reports.query, "SELECT 1", when="1")))
point("a statement that begins with a comment", list(reports.query("-- why\nSELECT 1")) == [(1,)])
point("and one of a word", list(reports.query("VALUES(1)")) == [(1,)])
# It is no UTF-8, and begins like an option.
os.symlink("reports.log", os.path.join(os.fsencode(sys.argv[1]), b"-o\xff"))
here = os.getcwd()
os.chdir(sys.argv[1])
point("a path of bytes", list(bcoslog.open(b"-o\xff").query("SELECT count(*) FROM process WHERE pid > 0")) == [(3,)])
os.chdir(here)
point("a wrong statement says why", "no such column: colour" in
      str(raises(bcoslog.QueryError, list, reports.query("SELECT colour FROM process"))))
point("bytes that are no text say so", "column b has bytes" in str(raises(bcoslog.QueryError, list, reports.query("SELECT x'ff' AS b"))))
point("two statements", "one statement" in str(raises(bcoslog.QueryError, list, reports.query("SELECT 1 AS a; SELECT 2 AS b"))))
point("nothing is written", "only reads" in str(raises(bcoslog.QueryError, list, reports.query("CREATE TABLE t(a)"))))
late = reports.query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", timeout=1)
point("rows come before the last one is known", [next(late)[0], next(late)[0]] == [1, 2])
late.close()
with reports.query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", timeout=1) as late:
    point("a limit of time", "took more than 1 s" in str(raises(bcoslog.QueryError, list, late)))
taken = reports.query("SELECT 1 UNION SELECT 2")
next(taken)
point("a table is of all rows", raises(ValueError, taken.table))
del taken
gc.collect()
point("no program is left", children() == [])

# losses.log states losses; damaged.log is damaged at three places.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    list(reports.query("SELECT 1"))
    point("a log that is whole", not caught)
    lost = log("losses.log").query("SELECT count(*) FROM loss")
    list(lost)
    point("losses are a warning", [each.category for each in caught] == [bcoslog.LogWarning] and
          "lower bounds" in str(caught[0].message) and lost.damaged is False and lost.complaints == str(caught[0].message))
    table = log("damaged.log").query("SELECT pid FROM process ORDER BY pid").table()
    point("damage is one", caught[-1].category is bcoslog.DamageWarning and "is damaged at byte 160" in table.complaints and
          table.damaged is True and len(table) == 3)
    warnings.simplefilter("error", bcoslog.DamageWarning)
    point("that can be an error", raises(bcoslog.DamageWarning, list, log("damaged.log").query("SELECT pid FROM process")))

mixed = "SELECT 1 AS whole, NULL AS absent, 1 AS mixed, 1 AS texts, 'a' AS text, NULL AS late UNION ALL " \
        "SELECT NULL, NULL, 0.5, 'b', 'ä', 7 UNION ALL SELECT 9007199254740993, NULL, NULL, NULL, NULL, NULL"
table = reports.query(mixed).table()
names, forms, batches = arrow_reader.take(table.__arrow_c_stream__())
point("Arrow: names and types", names == ["whole", "absent", "mixed", "texts", "text", "late"] and forms == list("lngUUl"))
point("Arrow: values, and which are NULL", batches == [[[1, None, 9007199254740993], [None] * 3, [1.0, 0.5, None],
                                                       ["1", "b", None], ["a", "ä", None], [None, 7, None]]])
point("Arrow: a query gives it, too", arrow_reader.take(reports.query("SELECT 5 AS five").__arrow_c_stream__()) ==
      (["five"], ["l"], [[[5]]]))
point("Arrow: no rows", arrow_reader.take(reports.query("SELECT pid, name FROM process WHERE 0").__arrow_c_stream__()) ==
      (["pid", "name"], ["n", "n"], [[[], []]]))
wide = reports.query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
                     "SELECT i, CASE WHEN i % 3 THEN i END AS some FROM n").table()
point("Arrow: a thousand rows", arrow_reader.take(wide.__arrow_c_stream__())[2] ==
      [[list(range(1, 1001)), [i if i % 3 else None for i in range(1, 1001)]]])
point("Arrow: all was released", not arrow._kept)
unused = table.__arrow_c_stream__(), table.__arrow_c_schema__()
del unused
gc.collect()
point("Arrow: also what nobody took", not arrow._kept and not arrow._capsules)

try:
    import pandas
except ImportError:
    skip("pandas", "there is no pandas: scripts/deps test brings it")
else:
    frame = table.to_pandas()
    point("pandas: types", [str(kind) for kind in frame.dtypes] == ["Int64", "object", "float64", "object", "object", "Int64"])
    point("pandas: values", frame["whole"][2] == 9007199254740993 and frame["whole"][1] is pandas.NA and
          frame["text"].tolist() == ["a", "ä", None] and frame["mixed"].tolist()[:2] == [1.0, 0.5] and len(frame) == 3)
    frame = reports.query("SELECT name, cpu_ns FROM process").to_pandas()
    point("pandas: sums", frame.set_index("name")["cpu_ns"].to_dict() ==
          {"ten": 800000000, "kernel": 200000000, "twenty": 600000000, "thirty": 0} and str(frame["cpu_ns"].dtype) == "int64")
    frame = reports.query("SELECT pid, name FROM process WHERE 0").to_pandas()
    point("pandas: no rows", list(frame.columns) == ["pid", "name"] and len(frame) == 0)

# A consumer may keep what it has until the interpreter has ended.
ended = subprocess.run([sys.executable, "-c", "import bcoslog, sys\nkept = bcoslog.open(sys.argv[1]).query('SELECT 1').table()"
                        ".__arrow_c_stream__()", os.path.join(sys.argv[1], "reports.log")], capture_output=True, check=False)
point("an interpreter that ends with a table", ended.returncode == 0 and not ended.stderr)
ended = subprocess.run([sys.executable, "-c", "import bcoslog"], capture_output=True, check=False, text=True,
                       env={**os.environ, "BCOSLOG_LIBRARY": "/nonexistent/lib.so"})
point("without the library, a sentence", ended.returncode == 1 and ended.stderr.splitlines()[-1].startswith(
    "ImportError: the library of bcoslog is not there: /nonexistent/lib.so") and "set BCOSLOG_LIBRARY" in ended.stderr)
os.environ["BCOSLOG_TOOL"], os.environ["PATH"] = "", "/nonexistent"
point("without the program, a sentence", "there is no program bcoslog" in str(raises(bcoslog.QueryError, reports.query, "SELECT 1")))
reports.close()
point("a closed log says so", raises(ValueError, reports.query, "SELECT 1"))
end()
