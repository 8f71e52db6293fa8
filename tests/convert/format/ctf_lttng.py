# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ctf_lttng.py write FOLDER [ROUNDS [context]] - a trace as LTTng 2.13's kernel tracer lays it out
          ctf_lttng.py check LOG [ROUNDS [context]] - a log that was made of it has the totals of what was written

With context, each event has the process and the thread that had the CPU, and there is no state dump of processes.
What is written is decided by a fixed sequence of random numbers, from which the totals follow without reading the trace.
"""
import collections
import os
import random
import struct
import sys

import bcos_log

CPUS = 4
START = 5 * 10 ** 9
OFFSET = 1700000000
# Threads: (tid, pid, name). 11 and 12 are threads of 10, and 51 is one of 50; 2 and 20 belong to the kernel.
TASKS = [(2, 2, "kthreadd"), (20, 20, "kworker/0:1"), (10, 10, "server"), (11, 10, "worker"), (12, 10, "worker"), (30, 30, "shell"),
         (51, 50, "shell"), (50, 50, "shell")]
PIDS = {tid: pid for tid, pid, _ in TASKS}
DISKS = {(8 << 20) | 0: "sda", (259 << 20) | 3: "nvme0n1p3"}
PROCESS = {2: 0, 20: 0, 10: 10, 11: 10, 12: 10, 30: 30, 50: 50, 51: 50}
CONTEXT = "context" in sys.argv
if CONTEXT:
    PROCESS[20] = 20        # nothing tells whose child it is

# The processes of threads that the state dump lacks.
PARENTS = {81: 80, 91: 90}
PROCESS.update(PARENTS)
PIDS.update(PARENTS)
DUMP = 1000     # after the start
BIRTH = 400


def story(rounds):
    """(time, cpu, event, fields) in order, with losses as "lost"."""
    random.seed(3)
    now, runs = START, [0] * CPUS
    name = {tid: comm for tid, _, comm in TASKS} | {61: "old", 81: "late", 91: "last"}

    def turn(time, cpu, tid, comm):
        previous, runs[cpu] = runs[cpu], tid
        return time, cpu, "sched_switch", {
            "prev_comm": name.get(previous, "swapper/%d" % cpu), "prev_tid": previous, "prev_prio": 20, "prev_state": 1 if previous else 0,
            "next_comm": comm, "next_tid": tid, "next_prio": 20}

    def birth(time, parent, child, process):
        comm = name.get(parent, "shell")
        return time, 1, "sched_process_fork", {
            "parent_comm": comm, "parent_tid": parent, "parent_pid": PARENTS.get(parent, parent), "parent_ns_inum": 7,
            "child_comm": comm, "child_tid": child, "vtids": [child], "child_pid": process, "child_ns_inum": 7}

    # These precede the state dump: a thread, a process that executes another program, and one that begins with two
    # threads.
    yield turn(START, 0, 11, "worker")
    yield turn(START + 50, 3, 81, "late")
    yield turn(START + 100, 1, 30, "sh")
    yield START + 300, 1, "sched_process_exec", {"filename": "/bin/shell", "tid": 30, "old_tid": 30}
    yield birth(START + BIRTH, 30, 50, 50)
    yield birth(START + BIRTH + 100, 50, 51, 50)
    yield turn(START + BIRTH + 200, 2, 51, "shell")
    # The process of a thread that the state dump lacks is in the event of a birth.
    yield birth(START + BIRTH + 300, 81, 82, 82)
    now += DUMP
    yield now, 0, "lttng_statedump_start", {}
    for tid, pid, comm in TASKS if not CONTEXT else []:
        yield now, 0, "lttng_statedump_process_state", {
            "tid": tid, "pid": pid, "ppid": 2 if tid == 20 else 1, "name": comm, "type": 1 if PROCESS[tid] == 0 else 0, "mode": 5,
            "submode": 0, "status": 5, "cpu": 0, "file_table_address": 0}
    for dev, disk in DISKS.items():
        yield now, 0, "lttng_statedump_block_device", {"dev": dev, "diskname": disk}
    yield now, 0, "lttng_statedump_network_interface", {"name": "eth0", "address_ipv4": 0x7F000001}
    if not CONTEXT:
        yield now, 0, "lttng_statedump_end", {}
    for n in range(rounds):
        now += random.randrange(1, 5000)
        cpu = random.randrange(CPUS)
        tid = random.choice([0] + [task[0] for task in TASKS if task[0] not in runs])
        previous, runs[cpu] = runs[cpu], tid
        yield now, cpu, "sched_switch", {
            "prev_comm": name.get(previous, "swapper/%d" % cpu), "prev_tid": previous, "prev_prio": 20, "prev_state": random.choice((0, 1, 2, 128)),
            "next_comm": name.get(tid, "swapper/%d" % cpu), "next_tid": tid, "next_prio": 20}
        if n % 7 == 0:
            yield now, cpu, "irq_handler_entry", {"irq": 27 + n % 2, "name": "ahci" if n % 2 else "eth0-rx"}
            yield now + 1, cpu, "irq_handler_exit", {"irq": 27 + n % 2, "ret": 1}
            now += 1
        if n % 5 == 0:
            yield now, cpu, "block_rq_complete", {
                "dev": list(DISKS)[n % 2], "sector": n, "nr_sector": 8, "error": 5 if n % 35 == 0 else 0, "rwbs": 1 if n % 3 else 4}
            yield now, cpu, "net_dev_queue", {"skbaddr": n, "len": 700, "name": "eth0"}
            yield now, cpu, "net_dev_xmit", {"skbaddr": n, "rc": 1 if n % 25 == 0 else 0, "len": 700, "name": "eth0"}
            yield now, cpu, "net_if_receive_skb" if n % 10 else "netif_receive_skb", {"skbaddr": n, "len": 1500, "name": "lo" if n % 2 else "eth0"}
        yield now, cpu, "sched_waking", {"comm": "server", "tid": 10, "prio": 20, "target_cpu": cpu}
    # A process is born, executes, and ends with its last turn.
    now += 1000
    yield now, 1, "sched_process_fork", {
        "parent_comm": "shell", "parent_tid": 30, "parent_pid": 30, "parent_ns_inum": 7, "child_comm": "shell", "child_tid": 40, "vtids": [40],
        "child_pid": 40, "child_ns_inum": 7}
    yield now + 10, 1, "sched_switch", {"prev_comm": name.get(runs[1], "swapper/1"), "prev_tid": runs[1], "prev_prio": 20, "prev_state": 1,
                                        "next_comm": "shell", "next_tid": 40, "next_prio": 20}
    yield now + 20, 1, "sched_process_exec", {"filename": "/usr/bin/env", "tid": 40, "old_tid": 40}
    yield now + 25, 1, "sched_process_exec, old", {"filename": "/usr/bin/date"}
    yield now + 30, 1, "sched_process_exit", {"comm": "date", "tid": 40, "prio": 20}
    yield now + 40, 1, "sched_switch", {"prev_comm": "date", "prev_tid": 40, "prev_prio": 20, "prev_state": 64,
                                        "next_comm": "swapper/1", "next_tid": 0, "next_prio": 20}
    yield now + 50, 1, "sched_process_free", {"comm": "date", "tid": 40, "prio": 20}
    yield now + 60, 2, "lost", {"count": 17, "until": now + 100}
    yield turn(now + 200, 3, 0, "swapper/3")
    yield birth(now + 210, 91, 92, 92)
    yield turn(now + 220, 3, 91, "last")
    yield turn(now + 230, 3, 0, "swapper/3")
    if CONTEXT:
        # Thread 61 is one of process 60, and after losses one of process 70, which the context of an event tells.
        PIDS[61] = PROCESS[61] = 60
        yield turn(now + 300, 3, 61, "old")
        yield turn(now + 320, 3, 0, "swapper/3")
        PIDS[61], name[61] = 70, "new"
        yield turn(now + 400, 3, 61, "new")
        yield now + 410, 3, "irq_handler_entry", {"irq": 27, "name": "eth0-rx"}
        yield turn(now + 420, 3, 0, "swapper/3")
        PROCESS[61] = 70
        yield turn(now + 500, 3, 61, "new")
        yield turn(now + 560, 3, 0, "swapper/3")


# ---- the trace, byte by byte -----------------------------------------------------------

# Each field is aligned to a byte, as where LTTng runs. "a" is an array of 16 characters, "t" a text, "v" a sequence of
# numbers of 32 bits.
FIELDS = {
    "sched_switch": "prev_comm a prev_tid i prev_prio i prev_state q next_comm a next_tid i next_prio i",
    "sched_waking": "comm a tid i prio i target_cpu i",
    "sched_process_fork": "parent_comm a parent_tid i parent_pid i parent_ns_inum I child_comm a child_tid i vtids v child_pid i child_ns_inum I",
    "sched_process_exec": "filename t tid i old_tid i",
    "sched_process_exec, old": "filename t",
    "sched_process_exit": "comm a tid i prio i",
    "sched_process_free": "comm a tid i prio i",
    "irq_handler_entry": "irq i name t",
    "irq_handler_exit": "irq i ret i",
    "block_rq_complete": "dev I sector Q nr_sector I error i rwbs I",
    "net_dev_queue": "skbaddr Q len I name t",
    "net_dev_xmit": "skbaddr Q rc i len I name t",
    "net_if_receive_skb": "skbaddr Q len I name t",
    "netif_receive_skb": "skbaddr Q len I name t",
    "lttng_statedump_start": "",
    "lttng_statedump_process_state": "tid i pid i ppid i name a type i mode i submode i status i cpu I file_table_address Q",
    "lttng_statedump_block_device": "dev I diskname t",
    "lttng_statedump_network_interface": "name t address_ipv4 I",
    "lttng_statedump_end": "",
}
NUMBERS = {name: n for n, name in enumerate(FIELDS)}
UUID = bytes(range(16))
PACKET = 4096 * 64
HEAD = 24 + 52

METADATA = """/* CTF 1.8 */

typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 27; align = 1; signed = false; } := uint27_t;

trace {
	major = 1;
	minor = 8;
	uuid = "%s";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t  uuid[16];
		uint32_t stream_id;
	};
};

env {
	hostname = "tracee";
	domain = "kernel";
	sysname = "Linux";
	kernel_release = "6.1.0-test";
	kernel_version = "#1 SMP";
	tracer_name = "lttng-modules";
	tracer_major = 2;
	tracer_minor = 13;
	tracer_patchlevel = 9;
	trace_buffering_scheme = "global";
};

clock {
	name = "monotonic";
	freq = 1000000000;
	offset = %d000000000;
};

typealias integer { size = 27; align = 1; signed = false; map = clock.monotonic.value; } := uint27_clock_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := uint64_clock_t;

struct packet_context {
	uint64_clock_t timestamp_begin;
	uint64_clock_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	uint64_t events_discarded;
	uint32_t cpu_id;
};

struct event_header_compact {
	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct {
			uint27_clock_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_t timestamp;
		} extended;
	} v;
} align(8);

stream {
	id = 0;
	event.header := struct event_header_compact;
	%s
	packet.context := struct packet_context;
};
"""
KINDS = {
    "i": "integer { size = 32; align = 8; signed = true; } _%s;", "q": "integer { size = 64; align = 8; signed = true; } _%s;",
    "I": "integer { size = 32; align = 8; signed = false; } _%s;", "Q": "integer { size = 64; align = 8; signed = false; base = 16; } _%s;",
    "a": "integer { size = 8; align = 8; signed = false; encoding = UTF8; } _%s[16];", "t": "string _%s;",
    "v": "uint32_t __%s_length; integer { size = 32; align = 8; signed = true; } _%s[ __%s_length ];",
}


def fields_of(name):
    words = FIELDS[name].split()
    return list(zip(words[::2], words[1::2]))


def packed(kind, value):
    if kind == "a":
        return value.encode()[:15].ljust(16, b"\0")
    if kind == "t":
        return value.encode() + b"\0"
    if kind == "v":
        return struct.pack("<I%di" % len(value), len(value), *value)
    return struct.pack("<" + kind, value)


class Stream:
    """The file of a CPU: packets, padded to whole ones as LTTng's are."""

    def __init__(self, folder, cpu):
        self.file = open("%s/channel0_%d" % (folder, cpu), "wb")
        self.cpu, self.count, self.discarded = cpu, 0, 0
        self.parts, self.size, self.begin, self.last = [], HEAD, None, 0

    def flush(self, time):
        if self.begin is None:
            return
        context = struct.pack("<QQQQQQI", self.begin, time, 8 * self.size, 8 * PACKET, self.count, self.discarded, self.cpu)
        self.file.write(struct.pack("<I16sI", 0xC1FC1FC1, UUID, 0) + context + b"".join(self.parts).ljust(PACKET - HEAD, b"\0"))
        self.parts, self.size, self.begin = [], HEAD, None
        self.count += 1

    def put(self, time, number, payload):
        if self.size + 16 + len(payload) > PACKET:
            self.flush(time)
        if self.begin is None:
            self.begin = self.last = time
        if time - self.last < 1 << 27:
            head = struct.pack("<I", number | (time & 0x7FFFFFF) << 5)
        else:
            head = struct.pack("<BIQ", 31, number, time)
        self.last = time
        self.parts.append(head + payload)
        self.size += len(head) + len(payload)


def write_metadata(folder):
    uuid = UUID.hex()
    with open(folder + "/metadata", "w", encoding="ascii") as file:
        context = "event.context := struct { %s %s };" % (KINDS["i"] % "pid", KINDS["i"] % "tid") if CONTEXT else ""
        file.write(METADATA % ("-".join((uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:])), OFFSET, context))
        for name, number in NUMBERS.items():
            members = "\n\t\t".join(KINDS[kind].replace("%s", field) for field, kind in fields_of(name))
            file.write('\nevent {\n\tname = "%s";\n\tid = %d;\n\tstream_id = 0;\n\tfields := struct {\n\t\t%s\n\t};\n};\n' % (
                name.split(",")[0], number, members))


def write(folder, rounds):
    os.makedirs(folder)
    write_metadata(folder)
    streams = [Stream(folder, cpu) for cpu in range(CPUS)]
    last, runs = START, [0] * CPUS
    for time, cpu, name, fields in story(rounds):
        last = max(last, time)
        context = struct.pack("<ii", PIDS.get(runs[cpu], runs[cpu]), runs[cpu]) if CONTEXT else b""
        runs[cpu] = fields.get("next_tid", runs[cpu])
        if name == "lost":
            streams[cpu].flush(time)
            streams[cpu].discarded += fields["count"]
            streams[cpu].begin = time
            streams[cpu].flush(fields["until"])
            continue
        streams[cpu].put(time, NUMBERS[name], context + b"".join(packed(kind, fields[field]) for field, kind in fields_of(name)))
    for stream in streams:
        stream.flush(last)
        stream.file.close()


def expected(rounds):
    """The totals of what was written, devices by their names."""
    sums, since, last = bcos_log.Totals(), {}, START
    for time, cpu, name, fields in story(rounds):
        if name in ("sched_switch", "lost"):
            process, begin = since.pop(cpu, (None, time))
            sums.cpu_time[process] += time - begin
        last = time
        if name == "sched_switch":
            sums.switches[cpu] += 1
            since[cpu] = ({0: None, 40: 40}.get(fields["next_tid"], PROCESS.get(fields["next_tid"])), time)
        elif name == "irq_handler_entry":
            sums.interrupts["irq %d %s" % (fields["irq"], fields["name"])] += 1
        elif name == "block_rq_complete" and not fields["error"]:
            (sums.output if fields["rwbs"] & 1 else sums.input)[DISKS[fields["dev"]]] += 512 * fields["nr_sector"]
        elif name == "net_dev_xmit" and not fields["rc"]:
            sums.output[fields["name"]] += fields["len"]
        elif name in ("net_if_receive_skb", "netif_receive_skb"):
            sums.input[fields["name"]] += fields["len"]
    for process, begin in since.values():
        sums.cpu_time[process] += last - begin
    del sums.cpu_time[None]
    sums.first, sums.last = START, last
    sums.cpu_time = +sums.cpu_time
    return sums


def states(rounds):
    """The texts of states: from the first wake-up on, of threads that are not of the kernel."""
    texts, told = collections.Counter(), False
    leaves = {1: "blocked", 2: "blocked, not to be interrupted", 128: "blocked, not to be interrupted", 64: "dead"}
    for _, cpu, name, fields in story(rounds):
        if name == "sched_waking":
            told = True
            texts["thread 10 woken on CPU %d" % cpu] += 1
        elif name == "sched_switch" and told:
            previous, following = fields["prev_tid"], fields["next_tid"]
            if PROCESS.get(previous, previous) and fields["prev_state"]:
                texts["thread %d %s" % (previous, leaves[fields["prev_state"]])] += 1
            if PROCESS.get(following, following):
                texts["thread %d runs on CPU %d at priority 120" % (following, cpu)] += 1
    return texts


def check(log, rounds):
    with open(log, "rb") as file:
        data = file.read()
    found = bcos_log.totals(data)
    names = {source: bcos_log.text_of(body[4:]) for kind, source, _, _, body in bcos_log.entries(data) if kind & 0x7FFF == 0x6000}
    for name in ("interrupts", "input", "output"):
        setattr(found, name, collections.Counter({names[device]: count for device, count in getattr(found, name).items()}))
    wrong = list(expected(rounds).differences(found, ("cpu_time", "switches", "interrupts", "input", "output", "first", "last")))
    processes = {}
    for kind, source, _, _, body in bcos_log.entries(data):
        if kind & 0x7FFF == 0 and bcos_log.text_of(body) not in processes.get(source, []):
            processes.setdefault(source, []).append(bcos_log.text_of(body))
    # Without a state dump, a process has the name of its first thread that gets a CPU, until another name is known. One that is
    # born has the name that its birth states: that of its parent.
    names = {0: ["kernel"], 10: ["server"], 30: ["sh", "shell"], 40: ["shell", "env", "date"], 50: ["shell"],
             80: ["late"], 82: ["late"], 90: ["last"], 92: ["last"]}
    if CONTEXT:
        names.update({10: ["worker", "server"], 20: ["kworker/0:1"], 60: ["old"], 70: ["new"]})
    if processes != names:
        wrong.append("processes: %r" % processes)
    births = [time for kind, source, time, _, _ in bcos_log.entries(data) if (kind, source) == (0, 50)]
    if births[:1] != [START + BIRTH]:
        wrong.append("births of process 50: %r" % births)
    told = collections.Counter({text: count for text, count in found.texts.items() if text.startswith("thread ")})
    if told != states(rounds):
        wrong.append("states: %r, and not %r" % (told - states(rounds), states(rounds) - told))
    losses = [text for text in found.texts if text.startswith("lost ")]
    if len(losses) != 1 or not losses[0].startswith("lost 17 events"):
        wrong.append("losses: %r" % losses)
    for text in ("host tracee", "kernel 6.1.0-test unknown", "wall clock %d.000000000" % (OFFSET + START // 10 ** 9)):
        if found.texts[text] != 1:
            wrong.append("not stated: %s" % text)
    sys.exit("\n".join(wrong) or 0)


def main():
    what, name = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    if what == "write":
        write(name, rounds)
    elif what == "check":
        check(name, rounds)


if __name__ == "__main__":
    main()
