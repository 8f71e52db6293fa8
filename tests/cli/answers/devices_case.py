# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What devices did: by each of their names, and by which interrupt."""
from made import MASK, MS, S, Tool, device, device_gone, event, group, input_of, interrupt

tool = Tool()
begin = 10 * S


def at(ms):
    return begin + ms * MS


def log(name, *parts):
    devices = ((0xC0000000, "bcos_evlog"), (1, "sda"), (2, "sdb"))
    return tool.save(name, group(devices=devices), event("process", 0, 0, begin, "begin"), *parts)


# Device 1 is sda, then sdx, then sdz; 100 bytes come under the first name, 50 under the last one. Another sda comes later.
end = event("process", 10, 0, at(100), "end")
renamed = log("renamed", input_of(1, 100, at(1)), device(1, "sdx", at(2)), interrupt(1, 0, at(2)), device(1, "sdz", at(3)),
              event("device", 1, 9, at(3), "failed", severity=0x80), input_of(1, 50, at(4)), input_of(2, 7, at(4)), end)
for name in ("sda", "sdx", "sdz", "1"):
    rows = tool.rows("io", "--device", name, renamed)
    tool.equal("rows of " + name, [(row["name"], row["former_name"], row["input_bytes"]) for row in rows],
               [("sdz", "sdx, sda", 150), ("all storage", None, 150), ("all", None, 150)])
    tool.check("the course of the sum has all that the row has, by " + name,
               rows[0]["course"] == rows[2]["course"] and rows[0]["course"][0] == 1)
    counts = [[row[key] for key in ("input_bytes", "inputs", "interrupts", "failures")]
              for row in tool.rows("io", "--every", "1ms", "--device", name, renamed)][:5]
    tool.equal("stretches of " + name, counts, [[0, 0, 0, 0], [100, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [50, 1, 0, 0]])
    drawing = tool.run("io", "--svg", "--device", name, renamed)[1]
    tool.equal("the drawing of " + name, [text in drawing for text in (">sdz<", ">100 bytes in", ">50 bytes in", ">sdb<")],
               [True, True, True, False])
tool.check("the table tells the former names", "sdz (was sdx, sda)" in tool.run("io", renamed)[1])
tool.equal("another device", [(row["name"], row["former_name"], row["input_bytes"])
                              for row in tool.rows("io", "--device", "sdb", renamed)][0], ("sdb", None, 7))
again = log("again", input_of(1, 100, at(1)), device(1, "sdz", at(2)), device_gone(1, at(3)), device(1, "sda", at(4)),
            input_of(1, 9, at(5)), device(2, "sdb", at(6)), end)
tool.equal("two devices that had the name", [(row["name"], row["input_bytes"]) for row in tool.rows("io", "--device", "sda", again)],
           [("sdz", 100), ("sda", 9), ("all storage", 109), ("all", 109)])
tool.equal("stretches of both", [row["input_bytes"] for row in tool.rows("io", "--every", "1ms", "--device", "sda", again)][:6],
           [0, 100, 0, 0, 0, 9])

# An interrupt at 0 ms whose data come at 1 ms, another transfer at 2 ms; an interrupt at 10 ms, data at 11 ms.
served = log("served", interrupt(1, 0, at(0)), input_of(1, 100, at(1)), input_of(1, 100, at(2)), interrupt(1, 0, at(10)),
             input_of(1, 100, at(11)), end)
KEYS = ("interrupts", "latencies", "batched", "unprompted", "fruitless_interrupts")


def prompts(file, *words):
    row = tool.rows("io", *words, "--device", "1", file)[0]
    return [row[key] for key in KEYS]


tool.equal("interrupts and data", prompts(served), [2, 2, 1, 0, 0])
tool.equal("the window begins between an interrupt and its data", prompts(served, "--since", "10.0005"), [1, 2, 1, 0, 0])
tool.equal("after the data, before another transfer", prompts(served, "--since", "10.0015"), [1, 1, 1, 0, 0])
tool.equal("the window ends before the data", prompts(served, "--until", "10.0105"), [2, 1, 1, 0, 0])
idle = log("idle", interrupt(1, 0, at(0)), interrupt(1, 0, at(10)), input_of(1, 100, at(11)), end)
tool.equal("an interrupt without data", prompts(idle), [2, 1, 0, 0, 1])
tool.equal("an interrupt without data from before the window", prompts(idle, "--since", "10.005"), [1, 1, 0, 0, 0])
off = log("off", event("cpu", 0, MASK, at(1), "class mask 0x1f -> 0x1d: irq off"), input_of(1, 5, at(2)), input_of(1, 5, at(3)), end)
tool.equal("without interrupts nothing is said to be without one", prompts(off), [0, 0, 0, 0, 0])
first = log("first", input_of(1, 5, at(2)), end)
tool.equal("data without an interrupt", prompts(first), [0, 0, 0, 1, 0])

# Blocks of 2^26 ns have 1000 bytes each. The last entries are 10 ns long in a block of their own, and in them are 1000 bytes
# more: with what the block before had in a width, that is about twice as much as elsewhere, and no peak beside which that is 0.
WIDTH = 2**26
steady = log("steady", *(input_of(1, 1000, (150 + n) * WIDTH + WIDTH // 2) for n in range(20)), input_of(1, 1000, 170 * WIDTH),
             event("process", 10, 0, 170 * WIDTH + 10, "end"))
course = tool.rows("io", steady)[0]["course"]
tool.check("a transfer just before the end is no peak", len(course) == 22 and course[-1] == 1 and
           all(abs(value - .5) < .001 for value in course[2:-1]), course)
tool.end()
