# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A time that is known only roughly is marked wherever it is shown."""
from made import HISTORICAL, IDLE, MS, S, Tool, assign, cancel, device, entry, event, group, input_of, interrupt, name, u32

tool = Tool()
begin = 10 * S


def at(ms):
    return begin + ms * MS


def log(file, *parts):
    devices = ((0xC0000000, "bcos_evlog"), (1, "sda"))
    return tool.save(file, group(devices=devices), event("process", 0, 0, begin, "begin"), *parts)


rough = log("rough", assign(0, 10, at(1)), assign(0, IDLE, at(100), precision=30 * MS), input_of(1, 1000, at(150), 5),
            entry(0x0011, 10, at(200), u32(1, 2), 20 * MS), name(10, "z", at(250), precision=9999),
            event("process", 10, 5, at(300), "boom", precision=40 * MS), event("process", 10, 5, at(310), "exact"),
            cancel(10, at(320)), event("process", 0, 0, at(400), "end"))
around = tool.run("around", "10.2", "--span", "300ms", rough)[1].splitlines()
for time, mark, what in (("-100.000000", "+30ms", "idle"), ("-50.000000", "+5ns", "1000 bytes"),
                         ("0.000000", "+20ms", "calls"), ("50.000000", "+9999ns", "was a"), ("100.000000", "+40ms", "boom")):
    tool.check("around: " + what, any(line.split()[:2] == [time, mark] and what in line for line in around), around)
tool.check("around: an exact event has no mark", any(line.split()[:2] == ["110.000000", "event"] for line in around), around)
tool.check("around: lines fit", all(len(line) <= 80 for line in around))
tool.equal("around: for programs", [row["precision"] for row in tool.rows("around", "10.2", "--span", "300ms", rough)
                                    if row["since_moment_ns"] in (-100 * MS, 0, 110 * MS)], [30 * MS, 20 * MS, 1])
tool.check("around: without rough times there is no such column",
           "ms  CPU" in tool.run("around", "10.05", "--span", "9ms", rough)[1])

story = tool.run("story", "10", rough)[1]
tool.check("story: an event", "10.300000000 +40ms error" not in story and "10.300000000 +40ms info" in story, story)
tool.check("story: exact", '10.310000000 info "exact"' in story, story)
tool.check("story: a name", "until 10.250000000 +9999ns" in story, story)
told = tool.rows("story", "10", rough)[0]
tool.equal("story: for programs", [one.get("precision") for one in told["events"] + told["former_names"]],
           [40 * MS, None, 9999])
born = log("born", name(20, "n", at(10), precision=3 * MS), cancel(20, at(20)),
           entry(0x0001, 11, at(30), u32(0), 12 * MS), event("process", 0, 0, at(400), "end"))
tool.check("story: a begin", "began      10.010000000 +3000us" in tool.run("story", "20", born)[1])
tool.check("story: an end", "ended      10.030000000 +12ms, exit code 0" in tool.run("story", "11", born)[1])
tool.equal("story: an end for programs", tool.rows("story", "11", born)[0]["end_precision"], 12 * MS)

drives = tool.save("drives", group(), device(5, "tun0", 0, 10, HISTORICAL, 0xFFFFFFFF), event("process", 0, 0, begin, "begin"),
                   device(6, "tun1", at(10), 10, precision=30 * MS), event("process", 0, 0, at(400), "end"))
page = tool.run("story", "10", drives)[1]
tool.check("story: a device of which nobody knows the begin", 'device 0x00000005 "tun0" since before the log' in page, page)
tool.check("story: a device", 'device 0x00000006 "tun1" since 10.010000000 +30ms' in page, page)

# Latencies of 1 ms; the first interrupt may be 5 ms later than its time, or the first data.
for what, parts in (("interrupt", (interrupt(1, 0, at(0), 5 * MS), input_of(1, 9, at(1)))),
                    ("data", (interrupt(1, 0, at(0)), input_of(1, 9, at(1), 5 * MS)))):
    served = log(what, *parts, interrupt(1, 0, at(10)), input_of(1, 9, at(11)), event("process", 0, 0, at(100), "end"))
    row = tool.rows("io", "--device", "sda", served)[0]
    tool.equal("io: a rough " + what, [row["latencies"], row["latency_max_ns"], row["latency_precision_ns"]], [2, MS, 5 * MS])
    tool.check("io: the table marks latencies of a rough " + what, tool.run("io", served)[1].count("~1000.0 us") == 3)
fine = log("fine", interrupt(1, 0, at(0), 60000), input_of(1, 9, at(1)), event("process", 0, 0, at(100), "end"))
tool.check("io: less than a sixteenth is no mark", " 1000.0 us" in tool.run("io", fine)[1])
tool.end()
