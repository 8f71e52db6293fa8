# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""
Requests of disks: whose they are, how long they took, and what the log does not know of them, in io --by, story, around
and dump. The texts are made by bcoslog(5).
"""
from made import LOSS, MASK, MS, S, Tool, cancel, event, group, name

tool = Tool()
REQUEST = 0xC0000020
T = 10 * S
DISKS = ((0, "vda"), (1, "vdb"), (0xC0000000, "bcos_evlog"))


def request(process, text, time):
    return event("process", process, REQUEST, time, text, 0)


START = group(1, ((0, "kernel"), (10, "reader"), (20, "writer")), DISKS, since=S)
# The reader asks for 100 blocks, of which each is 10 us longer on the disk than the one before: 10 to 1000 us.
READS = b"".join(request(10, "R0 4096@%d 1000+%d" % (8 * n, 10000 * n), T + n * MS) for n in range(1, 101))
REST = (request(20, "Wsu1 8192@64 2000+3000000 t21", T + 200 * MS) +
        request(20, "Wp1 512@80 2000+1000", T + 201 * MS) + request(20, "W1 1536@81 2000+9000", T + 202 * MS) +
        request(20, "W1 4096@900 0+500 e5", T + 203 * MS) +
        request(0, "F1 0@0 ?+4000000", T + 204 * MS) + request(20, "Wsf1 0@0 =4100000", T + 205 * MS) +
        request(0, "W0 65536@512 7000+8000 t33 c4711", T + 206 * MS) +
        request(0, "R0 512@1 ?", T + 207 * MS) + request(0, "D0 4096@2 1+2 p99", T + 208 * MS))
END = event("process", 0, 0, T + 300 * MS, "end")
log = tool.save("requests.log", START, READS, REST, END)


def by(what, *words, of=log):
    rows = tool.rows("io", "--by", what, *words, of)
    return {(row.get(what), row["name"]): row for row in rows}


rows = by("process")
tool.equal("each who asked has a row", sorted(rows, key=str), sorted((
    (10, "reader"), (20, "writer"), (0, "kernel"), (0, "kernel, for control group 4711"),
    (99, "(had ended)"), (None, "(began before the log, or nobody saw it)")), key=str))
reader = rows.get((10, "reader"), {})
tool.equal("the reader's sums", [reader.get(key) for key in (
    "requests", "reads", "writes", "read_bytes", "written_bytes", "queue_median_ns", "queue_ns", "device_max_ns", "device_max_at",
    "device_ns")], [100, 100, 0, 409600, 0, 1000, 100000, 1000000, T + 100 * MS, 50500000])
tool.check("percentiles are at most 1/16 too great", 500000 <= reader.get("device_median_ns", 0) <= 500000 * 17 // 16 and
           990000 <= reader.get("device_99_ns", 0) <= 1000000, reader)
writer = rows.get((20, "writer"), {})
tool.equal("parts are one request; what failed has no bytes; a write of no bytes is a flush", [writer.get(key) for key in (
    "requests", "writes", "flushes", "failures", "written_bytes", "untimed", "device_ns")], [4, 3, 1, 1, 8192 + 2048, 1, 3009500])
tool.equal("a flush by the kernel", [rows.get((0, "kernel"), {}).get(key) for key in ("requests", "flushes", "device_ns")], [1, 1, 4000000])
tool.equal("what has no time has none", [rows.get((None, "(began before the log, or nobody saw it)"), {}).get(key) for key in (
    "reads", "untimed", "device_median_ns")], [1, 1, None])
disks = by("device")
tool.equal("disks", [(key, row["read_bytes"], row["written_bytes"], row["discards"]) for key, row in disks.items()],
           [((0, "vda"), 409600 + 512, 65536, 1), ((1, "vdb"), 0, 10240, 0)])
tool.equal("a process, a disk and a time can be chosen", [len(by("process", *words)) for words in (
    ("--process", "reader"), ("--device", "vdb"), ("--since", "10.2045"))], [1, 2, 4])
found = [(row["from_ns"], row["below_ns"], row["on_device"]) for row in tool.rows("io", "--by", "process", "--histogram", "--process", "10", log)
         if row["on_device"]]
tool.equal("a histogram has a row for each power of two", found, [
    (8192, 16384, 1), (16384, 32768, 2), (32768, 65536, 3), (65536, 131072, 7), (131072, 262144, 13), (262144, 524288, 26),
    (524288, 1048576, 48)])
tool.equal("a story sums them up", tool.rows("story", "20", log)[0].get("requests"), {
    "count": 4, "read_bytes": 0, "written_bytes": 10240, "failures": 1, "untimed": 1, "queue_ns": 2000 + 2000, "device_ns": 3009500,
    "longest_ns": 4100000, "longest_at": T + 205 * MS,
    # Nobody saw who issued the read of 512 bytes that completes at 207 ms.
    **{key + "_at_least": True for key in ("count", "read_bytes", "written_bytes", "failures", "untimed", "queue_ns", "device_ns", "longest_ns")}})
tool.equal("a request of which nobody saw who issued it may be of any process", sorted(
    {bool(row.get(key)) for (_, name), row in rows.items() if not name.startswith("(began")
     for key in ("requests_at_least", "read_bytes_at_least", "failures_at_least")}), [True])
row = rows.get((None, "(began before the log, or nobody saw it)"), {})
tool.equal("and those are all that there are", (row.get("requests"), row.get("requests_at_least")), (1, None))
tool.equal("disks have all requests, but not how long that one was in the queue", [
    (key, row.get("requests_at_least"), row.get("queue_ns_at_least"), row.get("queue_median_ns_about")) for (key, _), row in by("device").items()],
           [(0, None, True, True), (1, None, None, None)])
tool.equal("before it completes the sums are exact", [row.get("requests_at_least") for row in by("process", "--until", "10.205").values()] +
           [tool.rows("story", "20", "--until", "10.2065", log)[0]["requests"].get("count_at_least")], [None] * 4)
tool.equal("a story of the kernel has only requests of the kernel", [tool.rows("story", "0", log)[0]["requests"][key] for key in (
    "count", "written_bytes", "read_bytes")], [2, 65536, 0])
_, text, _ = tool.run("dump", log)
for words in ('write of 8192 bytes, onto the medium, device 0x00000001 "vdb": 2000 ns in the queue, 3000.0 us on the device',
              'write of 4096 bytes, device 0x00000001 "vdb": 0 ns in the queue, 500 ns on the device, failed with errno 5',
              'flush of the cache, device 0x00000001 "vdb": 4000.0 us on the device',
              'write of 0 bytes, after a flush of the cache, device 0x00000001 "vdb": 4100.0 us in all',
              'read of 512 bytes, device 0x00000000 "vda": its beginning is not known'):
    tool.check("dump says: " + words, words in text, text[-2000:])
told = [row for row in tool.rows("dump", log) if row.get("event") == REQUEST and row["source"] == 20][0]
tool.equal("dump --json has the parts", [told.get(key) for key in (
    "operation", "device", "bytes", "sector", "waited_for", "queue_ns", "device_ns", "thread")], ["write", 1, 8192, 64, True, 2000, 3000000, 21])
flagged = tool.save("flags.log", START, *(request(10, "W%s0 512@8 1+2" % letter, T + at * MS) for at, letter in enumerate("smufap")), END)
KEYS = ("waited_for", "metadata", "onto_medium", "after_flush", "ahead", "part")
tool.equal("each flag has a key", [[key for key in KEYS if row[key]] for row in tool.rows("dump", flagged) if row.get("event") == REQUEST],
           [[key] for key in KEYS])
_, text, _ = tool.run("around", "10.2", log)
tool.check("around says it in words", "write of 8192 bytes" in " ".join(text.split()), text)

lost = tool.save("lost.log", START, event("cpu", 0, LOSS, T, "lost 3 requests of disks: staging full, until 10.001000000 s", 0x80), READS, END)
told = tool.rows("story", "10", lost)[0]["requests"]
tool.equal("each of a story's sums, too", [told.get(key + "_at_least") for key in (
    "count", "read_bytes", "written_bytes", "failures", "untimed", "queue_ns", "device_ns", "longest_ns")], [True] * 8)
_, text, _ = tool.run("io", "--by", "process", lost)
tool.check("after a loss sums are lower bounds", ">=100" in text and "~" in text, text)
# The class was off for some of the time, before the window or in it, before the first change that the log states or after one.
ON, OFF = "class mask 0x21f -> 0xa1f: request on", "class mask 0xa1f -> 0x21f: request off"


def classes(time, text):
    return event("cpu", 0, MASK, time, text)


for what, parts, window, least in (
        ("came on amid the log", (event("process", 0, 0, T, "begin"), classes(T + MS // 2, ON), READS), (), True),
        ("came on before the window", (event("process", 0, 0, T, "begin"), classes(T + MS // 2, ON), READS), ("--since", "10.0006"), None),
        ("went off before the window and came on in it", (event("process", 0, 0, T - S, "begin"), classes(T - S, OFF),
                                                          classes(T + MS // 2, ON), READS), ("--since", "10"), True),
        ("went off after the last one", (READS, classes(T + 250 * MS, OFF)), (), True),
        ("went off after the window", (READS, classes(T + 250 * MS, OFF)), ("--until", "10.2"), None),
        ("was on all the time, which a group states", (classes(T, "class mask 0x21f -> 0xa1d: irq off, request on"), READS), (), None)):
    changed = tool.save("changed.log", START, *parts, END)
    tool.equal("io: the class " + what, [(row["requests"], row.get("requests_at_least")) for row in tool.rows("io", "--by", "device", *window, changed)],
               [(100, least)])
    told = tool.rows("story", "reader", *window, changed)[0]["requests"]
    tool.equal("story: the class " + what, (told["count"], told.get("count_at_least"), told.get("device_ns_at_least")), (100, least, least))
# What the log has no name of is not left out, and not taken for something else.
nameless = tool.save("nameless.log", START, request(77, "R0 512@1 1+2", T), request(78, "R9 1024@1 1+2", T), END)
tool.equal("processes without a name", [(row["process"], row["name"], row["requests"]) for row in tool.rows("io", "--by", "process", nameless)],
           [(78, "(unnamed)", 1), (77, "(unnamed)", 1)])
tool.equal("a device without a name", [(row["device"], row["name"], row["read_bytes"]) for row in tool.rows("io", "--by", "device", nameless)],
           [(9, "(unnamed)", 1024), (0, "vda", 512)])
ended = tool.save("ended.log", START, request(10, "R0 512@1 1+2", T), cancel(10, T + MS), request(0, "W0 512@1 1+1500000 p10", T + 2 * MS), END)
for chosen in "10", "reader":
    tool.equal("a request that completes after the end of its process counts for it: " + chosen, [
        (row["name"], row["requests"], row["written_bytes"]) for row in tool.rows("io", "--by", "process", "--process", chosen, ended)],
               [("reader", 2, 512)])
    tool.equal("also in its story: " + chosen, [tool.rows("story", chosen, ended)[0]["requests"][key] for key in (
        "count", "read_bytes", "written_bytes", "device_ns")], [2, 512, 512, 1500002])
# Another has had the ID since, and its request began after the end of the first.
again = tool.save("again.log", START, cancel(10, T + MS), name(10, "second", T + 2 * MS), cancel(10, T + 4 * MS),
                  request(0, "W0 512@1 1+2000000 p10", T + 5 * MS), END)
tool.equal("which of those that had an ID is told by when it began", [
    (row["name"], row["requests"]) for row in tool.rows("io", "--by", "process", again)], [("second", 1)])
early = tool.save("early.log", START, cancel(10, T + MS), name(10, "second", T + 2 * MS), cancel(10, T + 4 * MS),
                  request(0, "W0 512@1 1+4500000 p10", T + 5 * MS), END)
late = tool.save("late.log", START, cancel(10, T + MS), request(0, "W0 512@1 1+2 p10", T + 2 * MS), name(10, "second", T + 3 * MS),
                 cancel(10, T + 4 * MS), request(0, "W0 512@1 1+500000 p10", T + 5 * MS), END)
tool.equal("also one that begins when the process ends", [
    (row["name"], row["requests"]) for row in tool.rows("io", "--by", "process", late)], [("reader", 1), ("second", 1)])
tool.equal("also in the story of each", [tool.rows("story", "10@%s" % at, late)[0].get("requests", {}).get("count") for at in ("9", "10.0035")],
           [1, 1])
tool.equal("or none, if it is not remembered any more", [(row["process"], row["name"]) for row in tool.rows("io", "--by", "process", early)],
           [(10, "(had ended)")])
tool.equal("which is a row of the names, too, and nothing else", [(row["name"], row["requests"]) for row in tool.rows(
    "io", "--by", "name", early, MALLOC_PERTURB_="165")], [("(had ended)", 1)])
# 2^64 - 1 ns twice are more than 64 bits have room for; JSON has so great a number as a real.
LONG = "R0 512@1 %d+%d" % (2 ** 64 - 1, 2 ** 64 - 1)
tool.save("long.log", START, request(10, LONG, T), request(10, LONG, T + MS), END)
told = tool.rows("story", "10", "long.log")[0]["requests"]
tool.equal("sums of more than 64 bits are the greatest number, and lower bounds", [
    (row[key], row.get(key + "_at_least")) for row, keys in (
        (tool.rows("io", "--by", "process", "long.log")[0], ("queue_ns", "device_ns")), (told, ("queue_ns", "device_ns", "longest_ns")))
    for key in keys], [(float(2 ** 64), True)] * 5)
for words, spans in ((("--process", "20"), [(None, None, 1, 1)]), (("--process", "0"), [(None, None, 1, 1), (None, None, 1, 0)])):
    tool.equal("a histogram has the requests of unknown times: " + words[1], [
        tuple(row[key] for key in ("from_ns", "below_ns", "queue", "on_device")) for row in
        tool.rows("io", "--by", "process", "--histogram", *words, log) if row["from_ns"] is None], spans)
empty = tool.save("empty.log", START, END)
status, text, said = tool.run("io", "--by", "device", empty)
tool.check("a log without the class says so", "class request" in said and "no request of a disk" in said and not status, said)
for what, of, words in (("has it, but not of this process and disk", log, ("--process", "10", "--device", "vdb")),
                        ("had it on, and nobody asked", tool.save("on.log", START, classes(T, "class mask 0x21f -> 0xa1d: irq off, request on"),
                                                                  END), ())):
    _, _, said = tool.run("io", "--by", "device", *words, of)
    tool.check("a log that %s does not ask for the class" % what, "no request of a disk" in said and "records them" not in said, said)
for words, why in ((("--by", "cgroups"), "process, device, cgroup"), (("--histogram",), "--by"), (("--by", "device", "--svg"), "cannot be drawn"),
                   (("--by", "device", "--every", "1s"), "--every")):
    status, _, said = tool.run("io", *words, log)
    tool.check("refused: " + " ".join(words), status == 2 and why in said, said)
tool.end()
