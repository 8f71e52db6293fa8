# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Logs of thousands of CPUs in other formats and back: four times the log takes about four times the time."""
import glob
import os
import shutil

from crowd import kinds, least, processor_time, save
from made import Tool

tool = Tool()
formats = [("fxt", "--no-embed"), ("perfetto",), ("chrome",), ("folded",), ("eventheader", "--no-embed", "--switches"),
           ("trace-cmd",), ("kel",)]
back = {"fxt", "eventheader", "trace-cmd", "kel"}
# These have a file for each CPU. What the kernel takes for files does not count, but takes its time.
folders = [("ctf", "--no-embed"), ("ltt", "--no-embed")]
many = {"notices of an overtaken reader", "groups after such notices", "statements of single CPUs", "states of threads"}


def is_slow(small, large):
    """Is it more than four times as much? A square would be 16 times. The constant is for each command's start."""
    return large > 6 * small + 0.15


def forget(*files):
    for file in files:
        for old in glob.glob(tool.path(file)):
            (shutil.rmtree if os.path.isdir(old) else os.unlink)(old)


def there_and_back(words, log):
    """The times for an export of the log, and for its import."""
    forget("there", "back")
    there = processor_time(tool, ("convert", "-t", *words, log, "-o", "there"), system=False)
    if words[0] not in back or not os.path.getsize(tool.path("there")):
        return there, 0
    return there, processor_time(tool, ("convert", "-f", words[0], "there", "-o", "back"), system=False)


def slow_ways(times):
    """Of the times out and in of the small log, and then of the large one: the ways that are slow, with both times."""
    return [(where, small, large) for where, small, large in zip(("out", "in"), times[:2], times[2:]) if is_slow(small, large)]


def find_slow(kind, whichs, cpus):
    logs = [save(tool, "log%d" % count, kind, count) for count in (cpus // 4, cpus)]
    slow = []
    for words in whichs:
        times = least(lambda: tuple(time for log in logs for time in there_and_back(words, log)), slow_ways)
        slow += [(" ".join(words), *way) for way in slow_ways(times)]
    return slow


for kind in kinds:
    slow = find_slow(kind, formats, 8000) + (find_slow(kind, folders, 3000) if kind in many else [])
    tool.check("thousands of CPUs, " + kind, not slow, slow)
tool.end()
