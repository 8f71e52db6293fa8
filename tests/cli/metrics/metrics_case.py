# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The metrics of a log follow from how it was made, and their text is what OpenMetrics 1.0 defines."""
import json
import os
import re
import subprocess
import time

from made import IDLE, LOSS, MASK, MS, S, Tool, assign, cancel, device, event, group, input_of, interrupt, name, output_of

tool = Tool()
HERE = os.path.dirname(os.path.abspath(__file__))
VALUE = r'"(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(r"([a-z_]+)(?:\{((?:[a-z]+=%s)(?:,[a-z]+=%s)*)\})? (\d+(?:\.\d+)?)" % (VALUE, VALUE))
ESCAPES = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}


def read(text):
    """Return: the samples, {(name, labels): value}. Checks what the format demands."""
    assert text.endswith("# EOF\n") and text.count("# EOF") == 1, "it ends with # EOF"
    samples, types, units, last = {}, {}, {}, None
    for line in text.splitlines()[:-1]:
        if line.startswith("# "):
            word, family, rest = line[2:].split(" ", 2)
            assert word in ("TYPE", "UNIT", "HELP") and '"' not in rest and "\\" not in rest, line
            assert word != "TYPE" or family not in types, "a family comes once"
            if word == "TYPE":
                types[family], last = rest, family
            elif word == "UNIT":
                units[family] = rest
            assert family == last, "what belongs to a family stands together"
            continue
        match = SAMPLE.fullmatch(line)
        assert match, "a line is a sample: %r" % line
        sample, labels, value = match.groups()
        family = sample[:-6] if sample.endswith("_total") else sample
        assert family == last and (types[family] == "counter") == sample.endswith("_total"), line
        assert family not in units or family.endswith("_" + units[family]), line
        pairs = re.findall(r"([a-z]+)=(%s)" % VALUE, labels or "")
        key = sample, tuple((label, re.sub(r'\\[\\"n]', lambda found: ESCAPES[found.group()], text[1:-1])) for label, text in pairs)
        assert key not in samples, "a sample comes once: %r" % (key,)
        assert all(ord(letter) >= 32 and ord(letter) != 127 for letter in line), "nothing harms a terminal"
        samples[key] = value
    return samples


def metrics(*words):
    return read(tool.run("metrics", *words)[1])


def values(samples, sample):
    """Return: {values of the labels: value} of those that are not 0."""
    found = {tuple(text for _, text in labels): value for (which, labels), value in samples.items() if which == "bcos_" + sample}
    return {labels[0] if len(labels) == 1 else labels: float(value) for labels, value in found.items() if float(value)}


# ---- values ------------------------------------------------------------------------------------------------------------
# One CPU, from 1 s on: "a" has it for 100 ms, then a new "sh" for 10 ms, which executes "cc1" and has it for 30 ms again. Then
# signal 9 ends that one, "b" exits, and the out-of-memory killer chooses "c", which signal 9 ends, too.
SDA, ETH = 0, 0x40000000
log = tool.save("made.log", group(1, ((10, "a"), (11, "b"), (12, "c")), ((SDA, "sda"), (ETH, "eth0")), 10),
                assign(0, 10, S), name(20, "sh", S + 50 * MS), assign(0, 20, S + 100 * MS), assign(0, IDLE, S + 110 * MS),
                name(20, "cc1", S + 110 * MS), assign(0, 20, S + 110 * MS), assign(0, IDLE, S + 140 * MS), cancel(20, S + 140 * MS, 0x80000009), cancel(11, S + 150 * MS, 0),
                event("process", 12, 0xC0000001, S + 160 * MS), cancel(12, S + 170 * MS, 0x80000009),
                interrupt(SDA, 14, S + 180 * MS), input_of(SDA, 4096, S + 181 * MS), interrupt(SDA, 15, S + 182 * MS),
                output_of(ETH, 1500, S + 183 * MS), name(30, "d", S + 200 * MS))
status, text, said = tool.run("metrics", log)
tool.equal("a whole log: nothing is said", (status, said), (0, ""))
samples = whole = read(text)
tool.equal("CPU time by the name of then", values(samples, "cpu_seconds_total"), {"a": 0.1, "sh": 0.01, "cc1": 0.03})
tool.equal("and by use", values(samples, "cpu_use_seconds_total"), {"process": 0.14, "idle": 0.06})
tool.equal("turns", values(samples, "turns_total"), {"sh": 1, "cc1": 1})
tool.equal("births", values(samples, "processes_started_total"), {"sh": 1, "d": 1})
tool.equal("changes of the name", values(samples, "processes_executed_total"), {"cc1": 1})
tool.equal("ends", values(samples, "processes_ended_total"), {("cc1", "signal"): 1, ("c", "signal"): 1, ("b", "exit"): 1})
tool.equal("signals", values(samples, "processes_killed_total"), {("cc1", "SIGKILL"): 1, ("c", "SIGKILL"): 1})
tool.equal("the out-of-memory killer", values(samples, "oom_kills_total"), {"c": 1})
tool.equal("bytes", values(samples, "device_bytes_total"), {("sda", "input"): 4096, ("eth0", "output"): 1500})
tool.equal("transfers", values(samples, "device_transfers_total"), {("sda", "input"): 1, ("eth0", "output"): 1})
tool.equal("interrupts", values(samples, "device_interrupts_total"), {"sda": 2})
tool.equal("and by line", values(samples, "line_interrupts_total"), {("sda", "14"): 1, ("sda", "15"): 1})
tool.equal("what the log covers", [samples["bcos_log_" + what, ()] for what in ("begin_seconds", "end_seconds", "bytes_total")],
           ["1.000000000", "1.200000000", str(os.path.getsize(log))])
tool.check("no label is a process ID", not any(label in ("pid", "tid") for _, labels in samples for label, _ in labels))
tool.equal("nothing is a lower bound", values(samples, "lower_bound"), {})
tool.check("what may come is 0", all(samples["bcos_" + what, (("comm", "d"),)] == "0" for what in ("oom_kills_total", "turns_total")))

parts = [metrics("--since", "1", "--until", "1.105", log), metrics("--since", "1.105", log)]
for what in ("cpu_seconds_total", "processes_started_total", "processes_ended_total", "device_bytes_total", "line_interrupts_total"):
    sums = {}
    for part in parts:
        for key, value in values(part, what).items():
            sums[key] = round(sums.get(key, 0) + value, 9)
    tool.equal("two windows add up: %s" % what, sums, values(samples, what))

# ---- names -------------------------------------------------------------------------------------------------------------
few = metrics("--names", "2", log)
tool.equal("the busiest names, and all others as one", values(few, "cpu_seconds_total"), {"a": 0.1, "cc1": 0.03, "": 0.01})
tool.equal("likewise what has no CPU time", values(few, "processes_ended_total"), {("cc1", "signal"): 1, ("", "signal"): 1, ("", "exit"): 1})
tool.equal("and signals", values(few, "processes_killed_total"), {("cc1", "SIGKILL"): 1, ("", "SIGKILL"): 1})
tool.equal("how many are shown", few["bcos_names_shown", ()], "2")
tool.equal("none at all", values(metrics("--names", "0", log), "cpu_seconds_total"), {"": 0.14})

hostile = ['quo"te', "back\\slash", "new\nline", "\x1b[31m", "über", "", "x" * 300, "x" * 299 + "y", "comm=\"a\"} 1"]
odd = tool.save("odd.log", group(1, tuple((100 + i, text) for i, text in enumerate(hostile)), (), IDLE),
                *(assign(0, 100 + i, S + i * MS) for i in range(len(hostile))), assign(0, IDLE, S + len(hostile) * MS))
tool.equal("names of all kinds: a label is the name as people see it", values(metrics(odd), "cpu_seconds_total"),
           {'quo"te': 0.001, "back\\\\slash": 0.001, "new\\nline": 0.001, "\\x1B[31m": 0.001, "über": 0.001, "": 0.001,
            "x" * 255: 0.002, "comm=\"a\"} 1": 0.001})
nameless = tool.save("nameless.log", group(1, ((10, ""),), (), IDLE), cancel(10, S, 0x80000009))
tool.equal("without a name the signal is known all the same", values(metrics(nameless), "processes_killed_total"), {("", "SIGKILL"): 1})
many = tool.save("many.log", group(1, (), (), IDLE), *(name(100 + i, "n%d" % i, S + i) for i in range(70000)))
crowd = metrics(many)
tool.equal("70,000 names: 100 series and one", (len(values(crowd, "processes_started_total")),
                                                sum(values(crowd, "processes_started_total").values())), (101, 70000))

# ---- losses ------------------------------------------------------------------------------------------------------------
lost = tool.save("lost.log", group(1, ((10, "a"),), (), 10),
                 event("cpu", 0, LOSS, S + 20 * MS, "lost 7 assignments, until 1.030000000 s", 0x80), assign(0, 10, S + 40 * MS),
                 assign(0, IDLE, S + 50 * MS))
samples = metrics(lost)
tool.equal("a loss says what is a lower bound", values(samples, "lower_bound"), {"assignments": 1})
tool.equal("how many there are", values(samples, "losses_total"), {"assignments": 1})
tool.equal("and of how many events", values(samples, "lost_events_total"), {"assignments": 7})
tool.check("time that nobody knows is unknown", values(samples, "cpu_use_seconds_total")["unknown"] >= 0.01)
damaged = tool.save("damaged.log", open(lost, "rb").read(), b"\3\0\0\0" * 8, group(1, ((10, "a"),), (), 10, S + 60 * MS),
                    assign(0, IDLE, S + 70 * MS))
status, text, said = tool.run("metrics", damaged)
tool.check("damage: the rest counts, as lower bounds, and the status says so", status == 1 and "is damaged" in said and
           values(read(text), "lower_bound").get("lives") == 1 and values(read(text), "losses_total").get("events of any kind") == 1, said)

# ---- files -------------------------------------------------------------------------------------------------------------
out = tool.path("bcos.prom")
tool.equal("-o writes a file, and nothing else", (tool.run("metrics", "-o", out, log), open(out, encoding="utf-8").read(), os.path.exists(out + ".new")),
           ((0, "", ""), tool.run("metrics", log)[1], False))
victim = tool.save("victim", b"mine")
os.symlink(victim, out + ".new")
tool.run("metrics", "-o", out, lost)
tool.equal("a link in its way is not followed", (open(victim, "rb").read(), os.path.lexists(out + ".new")), (b"mine", False))
before = open(out, encoding="utf-8").read()
status, text, said = tool.run("metrics", "-o", out, tool.path("none.log"))
tool.equal("a log that is not there leaves the file", (status, open(out, encoding="utf-8").read()), (2, before))
status, text, said = tool.run("metrics", "-o", tool.path("no/folder"), log)
tool.check("a folder that is not there", status == 2 and "no/folder.new cannot be written: No such file" in said, said)
status, text, said = tool.run("metrics", "-o", out, tool.folder)
tool.check("a log that forgets is not counted again and again", status == 2 and "--follow goes on counting" in said, said)
for words, word in ((("--json",), "bcoslog sql --json"), (("--process", "a"), "leave options"), (("--every", "1ms"), "100ms or more"),
                    (("--every", "1s"), "add --follow -o FILE"), (("--every", "1s", "-o", "m.prom"), "add --follow,")):
    status, text, said = tool.run("metrics", *words, log)
    tool.check("refused: %s" % words[0], status == 2 and word in said and not text, said)


def wait_for(what, sample, labels, value):
    """Return: the samples of the file once it has this value."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if os.path.exists(live):
            samples = read(open(live, encoding="utf-8").read())
            if samples.get((sample, labels)) == value:
                tool.check(what, True)
                return samples
        time.sleep(0.05)
    tool.check(what, False, "%s is not %s" % (sample, value))
    return {}


live = tool.path("live.prom")
with subprocess.Popen([tool.program, "metrics", "-f", "-o", live, "--every", "100ms", "--names", "2", "-"], stdin=subprocess.PIPE,
                      stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
    def feed(*entries):
        program.stdin.write(b"".join(entries))
        program.stdin.flush()
    A = (("comm", "a"),)
    feed(group(1, ((10, "a"), (11, "b"), (12, "c")), (), 10), assign(0, 10, S), assign(0, 11, S + 10 * MS), assign(0, IDLE, S + 11 * MS))
    first = wait_for("--follow writes the file", "bcos_cpu_seconds_total", A, "0.010000000")
    feed(name(10, "late", S + 20 * MS), assign(0, 10, S + 20 * MS), assign(0, 12, S + 50 * MS), assign(0, IDLE, S + 51 * MS))
    second = wait_for("and again: a name that comes late is one of the others", "bcos_cpu_seconds_total", (("comm", ""),), "0.031000000")
    tool.check("no counter falls", first and all(float(second.get(key, -1)) >= float(value) for key, value in first.items()
                                                if key[0].endswith("_total")))
    feed(assign(0, 10, S + 60 * MS), assign(0, IDLE, S + 61 * MS),
         event("cpu", 0, MASK, S + 62 * MS, "class mask 0x21f -> 0x21d: irq off"), assign(0, IDLE, S + 63 * MS))
    program.stdin.close()
    tool.equal("its end", (program.wait(30), program.stdout.read()), (0, b""))
    last = read(open(live, encoding="utf-8").read())
    tool.equal("has all", values(last, "cpu_seconds_total"), {"a": 0.01, "b": 0.001, "": 0.032})
    tool.equal("also a class that is off until then", (values(last, "losses_total"), values(last, "lower_bound")),
               ({"interrupts": 1}, {"interrupts": 1}))

# ---- control groups ------------------------------------------------------------------------------------------------------
# "a" has the CPU for 1 s in /x, for 2 s in /y, and for 4 s in a group with quotes; "b" for 8 s, of whose group the log tells nothing.
def moves(process, path, time):
    return event("process", process, 0xC000000C, time, 'cgroup "%s"' % path, 0)


grouped = tool.save("grouped.bcos", group(cpus=1), moves(10, "/x", S), assign(0, 10, 2 * S), assign(0, IDLE, 3 * S),
                    moves(10, "/y", 3 * S), assign(0, 10, 3 * S), assign(0, IDLE, 5 * S), moves(10, '/z\\"1\\"', 5 * S), assign(0, 10, 5 * S),
                    assign(0, 11, 9 * S), assign(0, IDLE, 17 * S))
samples = metrics(grouped)
tool.equal("CPU time by control group", values(samples, "cgroup_cpu_seconds_total"), {"/x": 1.0, "/y": 2.0, '/z"1"': 4.0, "": 8.0})
tool.equal("and turns", values(samples, "cgroup_turns_total"), {"/x": 1, "/y": 1, '/z"1"': 1, "": 1})
tool.equal("and no process has another name for that", values(samples, "cpu_seconds_total"), {"a": 7.0, "b": 8.0})
tool.equal("a limit", values(metrics("--names", "1", grouped), "cgroup_cpu_seconds_total"), {'/z"1"': 4.0, "": 11.0})


# ---- the dashboard -----------------------------------------------------------------------------------------------------
with open(os.path.join(HERE, "../../../userspace/examples/grafana.json"), encoding="utf-8") as file:
    board = json.load(file)
queries = [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]
known = {sample for sample, _ in whole}
used = {word for query in queries for word in re.findall(r"bcos_\w+", query)}
tool.check("the dashboard asks for metrics that there are", len(queries) > 5 and used and used <= known, used - known)
labels = {label for _, pairs in whole for label, _ in pairs} | {"instance"}
asked = {word for query in queries for group in re.findall(r"\{([^}]*)\}|by \(([^)]*)\)", query) for part in group
         for word in re.findall(r"([a-z]+)\s*(?:=|!=|,|$)", part)}
tool.check("and for labels that there are", asked and asked <= labels, asked - labels)
tool.end()
