# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Executes the cells of a notebook in their order, as Jupyter does. usage: notebook_test.py LOGS NOTEBOOK"""
import contextlib
import io
import json
import os
import sys

from points import end, point

os.environ["BCOSLOG_LOG"] = os.path.join(sys.argv[1], "reports.log")
with open(sys.argv[2], encoding="utf-8") as file:
    notebook = json.load(file)
names, printed, failed = {}, io.StringIO(), None
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        try:
            with contextlib.redirect_stdout(printed):
                exec("".join(cell["source"]), names)
        except Exception as error:
            failed = failed or f"{cell['id']}: {error!r}"

point("it is a notebook without outputs", notebook["nbformat"] == 4 and
      not any(cell.get("outputs") for cell in notebook["cells"]))
point("each cell runs" if not failed else f"each cell runs ({failed})", not failed)
# By hand from reports.log: CPU 0 has process 10 from 1.0 to 1.5 and 1.6 to 1.9 s; CPU 1 has process 20 from 1.4 to 2 s.
point("nothing is missing", names.get("lost") is not None and len(names["lost"]) == 0)
point("who had the CPUs", names["time"].values.tolist() == [["ten", 1, 0.8, 1], ["twenty", 1, 0.6, 1], ["thirty", 1, 0.0, 1]])
point("who ended", names["ends"][["pid", "end_ts", "signal_name"]].values.tolist() == [[10, 1900000000, "SIGKILL"]])
tenths = [(1000000000 + 100000000 * i, 0) for i in (0, 1, 2, 3, 4, 6, 7, 8)] + \
         [(1000000000 + 100000000 * i, 1) for i in range(4, 10)]
point("and when", names["busy"] == {place: 100000000 for place in tenths})
point("which is printed", printed.getvalue().splitlines()[0] == "       1.0 s  CPU 0  100.0 %" and
      len(printed.getvalue().splitlines()) == 14)
end()
