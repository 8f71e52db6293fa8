# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What bcoslog.py gives of logs that were written by hand. usage: bindings_test.py LOGS ABI [no-numpy]

LOGS is a folder with logs of tests/cli/golden as binary files, ABI what tests/abi/library.sh recorded.
"""
import array
import ctypes
import os
import sys

from points import end, point, raises

LOGS, ABI = sys.argv[1:3]
if sys.argv[3:] == ["no-numpy"]:
    sys.modules["numpy"] = None
import bcoslog  # noqa: E402


def log(name):
    return os.path.join(LOGS, name)


def recorded(structure, python):
    """Are its size and the members that Python names those of the ABI?"""
    members, size = {}, 0
    with open(ABI, encoding="ascii") as lines:
        for line in lines:
            words = line.split()
            if words[:2] == ["struct", structure]:
                size = int(words[3])
            elif words[0] == "struct" and words[1].startswith(structure + "."):
                members[words[1][len(structure) + 1:].split("[")[0]] = (int(words[2]), int(words[3]))
    ours = {name: (getattr(python, name).offset, getattr(python, name).size) for name, _ in python._fields_}
    return size == ctypes.sizeof(python) and ours == members


for structure, python in (("bcoslog_error", bcoslog._CError), ("bcoslog_batch", bcoslog._CBatch),
                          ("bcoslog_work", bcoslog._CWork), ("bcoslog_account_process", bcoslog._CProcess),
                          ("bcoslog_account_totals", bcoslog._CTotals),
                          ("bcoslog_account_options", bcoslog._COptions)):
    point(f"struct {structure} lies as the library has it", recorded(structure, python))

# These points follow from types.log, line by line.
with bcoslog.open(log("types.log")) as opened:
    batches = opened.batch()
    entries = list(batches)
    point("an entry a line", len(batches) == len(entries) == 36)
    hello = entries[17]
    point("fields of an entry", (hello.size, hello.type, hello.source, hello.time, hello.precision, hello.value) ==
          (32, bcoslog.GENERIC_PROCESS, 200, 1060, 1, 0x10))
    point("its name and text", (hello.name, hello.text) == ("Generic Process", "hello"))
    point("its bytes", bytes(hello.data) == bytes.fromhex(
        "20001000c800000024040000000000000100000010000000") + b"\x40hello\0\0")
    point("where it is", hello.offset == 452)
    point("a text that is empty, and none", (entries[19].text, entries[1].text) == ("", None))
    point("a reserved type has no name", (entries[34].type, entries[34].name) == (0x0123, None))
    point("who has no value", raises(AttributeError, lambda: entries[31].value))
    point("nor another attribute", raises(AttributeError, lambda: entries[31].colour))
    point("column of times", list(batches.column("time"))[:5] + list(batches.column("time"))[-2:] ==
          [10, 10, 20, 0, 30, 1113, 2000000000])
    point("column of types", list(batches.column("type"))[10:14] == [0x4002, 0, 0x6000, 0x6011])
    point("column of sizes", list(batches.column("size"))[:3] == [32, 24, 24])
    point("column of sources", list(batches.column("source"))[-3:] == [0, 7, 1])
    point("column of precisions", list(batches.column("precision"))[3:5] == [4294967295, 1])
    some = [at for at, kind in zip(batches.index(), batches.column("type")) if kind == bcoslog.ASSIGN_CPU]
    point("column of some", list(batches.column("value", some)) == [200, 0xFFFFFFFF, 0, 100])
    point("data cannot be written", batches.data.readonly and raises(TypeError, batches.data.__setitem__, 0, 1))
    if bcoslog.numpy is None:
        point("columns are of the module array", isinstance(batches.column("time"), array.array))
        point("array() says that it takes numpy", raises(RuntimeError, batches.array))
        point("runs() says so, too", raises(RuntimeError, lambda: list(batches.runs())))
    else:
        words = batches.array()
        point("array() is the library's memory", words.__array_interface__["data"][0] == batches.address)
        point("and of its size", words.nbytes == len(batches.data))
        # Entries of 24 bytes are Assign CPU and the like. Entries of other sizes have names and lists.
        runs = list(batches.runs())
        where = [run.__array_interface__["data"][0] - batches.address for run in runs]
        point("runs() are the library's memory", where == [0] + [sum(run.nbytes for run in runs[:i + 1])
                                                                for i in range(len(runs) - 1)] and
              sum(run.nbytes for run in runs) == len(batches.data) and not any(run.flags.owndata for run in runs))
        point("their columns, too", all(run["time"].__array_interface__["data"][0] == batches.address + at + 8 and
                                        run["time"].strides == (run.itemsize,) and not run["time"].flags.owndata
                                        for run, at in zip(runs, where)))
        point("nobody can write there", not any(run["time"].flags.writeable for run in runs))
        point("a run has entries of one size, and its neighbours of another",
              all((run["size"] == run.itemsize).all() for run in runs) and
              all(one.itemsize != other.itemsize for one, other in zip(runs, runs[1:])) and len(runs) > 3)
        point("runs have what columns have", all(
            [int(value) for run in runs for value in run[field]] == [int(value) for value in batches.column(field)]
            for field in ("size", "type", "source", "time", "precision")))
        point("value is in those that have room for it", all(("value" in run.dtype.names) == (run.itemsize >= 24)
                                                            for run in runs) and
              [int(value) for run in runs if run.itemsize == 24 for value in run["value"][run["type"] == bcoslog.ASSIGN_CPU]]
              == [200, 0xFFFFFFFF, 0, 100])
        point("columns are of numpy", str(batches.column("time").dtype) == "uint64" and
              str(batches.column("type").dtype) == "uint16")
        del words
    point("the log ends", opened.batch() is None)
    point("what it gave ends with it", raises(ValueError, lambda: batches.data[0]) and
          raises(ValueError, lambda: hello.time))
point("a closed log says so", raises(ValueError, opened.batch))

# By hand from reports.log: CPU 0 has process 10 from 1.0 to 1.5 and 1.6 to 1.9 s; CPU 1 has process 20 from 1.4 s on.
account = bcoslog.open(log("reports.log")).account()
times = {process.name: process.time for process in account.processes}
point("who had the CPUs", times == {"ten": 800000000, "kernel": 200000000, "twenty": 600000000, "thirty": 0})
point("how one ended", [(p.id, p.ended, p.status, p.end) for p in account.processes if p.ended] ==
      [(10, True, 0x80000009, 1900000000)])
point("totals", (account.begin, account.end, account.time, account.births) ==
      (1000000000, 2000000000, [1400000000, 200000000, 400000000, 0], 1))
account = bcoslog.open(log("reports.log")).account(since=1500000000, until=1800000000)
point("of a window", {p.name: p.time for p in account.processes if p.time} ==
      {"kernel": 100000000, "ten": 200000000, "twenty": 300000000})

error = raises(bcoslog.Error, bcoslog.open, log("none"))
point("there is no such log", error and error.errno == 2 and "there is no file" in error.strerror)
damaged = bcoslog.open(log("damaged.log"))
count, words = 0, []
while True:
    try:
        batch = damaged.batch()
    except bcoslog.Error as error:
        words.append(error.word)
        if damaged.skip():
            continue
        break
    if batch is None:
        break
    count += len(batch)
point("damage is told, and gone after", words and all(words) and count)
point("nothing comes of a log that ended", damaged.wait(0) is False)
reader, writer = os.pipe()
with open(log("types.log"), "rb") as file:
    whole = file.read()
os.dup2(reader, 0)
stream = bcoslog.open("-", follow=True)
os.write(writer, whole[:100])
point("a pipe gives what is whole", len(stream.batch()) == 3 and stream.batch() is None)
point("waiting for more ends", stream.wait(0.001) is False)
os.write(writer, whole[100:])
os.close(writer)
point("and goes on", stream.wait() and sum(len(batch) for batch in stream) == 33)
point("the version", bcoslog.version().count(".") == 2)
end()
