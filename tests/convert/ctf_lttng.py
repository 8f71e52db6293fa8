# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ctf_lttng.py write FOLDER [ROUNDS] - a trace as LTTng 2.13's kernel tracer lays it out, by Babeltrace 2's own bindings
          ctf_lttng.py check LOG [ROUNDS] - a log that was made of it has the totals of what was written
          ctf_lttng.py count FOLDER - how many events a trace has

What is written is decided by a fixed sequence of random numbers, from which the totals follow without reading the trace.
"""
import collections
import random
import sys

import bt2

import bcos_log

CPUS = 4
START = 5 * 10 ** 9
OFFSET = 1700000000
# Threads: (tid, pid, name). 11 and 12 are threads of 10; 2 and 20 are of the kernel.
TASKS = [(2, 2, "kthreadd"), (20, 20, "kworker/0:1"), (10, 10, "server"), (11, 10, "worker"), (12, 10, "worker"), (30, 30, "shell")]
DISKS = {(8 << 20) | 0: "sda", (259 << 20) | 3: "nvme0n1p3"}
PROCESS = {2: 0, 20: 0, 10: 10, 11: 10, 12: 10, 30: 30}


def story(rounds):
    """(time, cpu, event, fields) in order, with losses as "lost"."""
    random.seed(3)
    now, runs = START, [0] * CPUS
    name = {tid: comm for tid, _, comm in TASKS}
    yield now, 0, "lttng_statedump_start", {}
    for tid, pid, comm in TASKS:
        yield now, 0, "lttng_statedump_process_state", {
            "tid": tid, "pid": pid, "ppid": 2 if tid == 20 else 1, "name": comm, "type": 1 if PROCESS[tid] == 0 else 0, "mode": 5,
            "submode": 0, "status": 5, "cpu": 0, "file_table_address": 0}
    for dev, disk in DISKS.items():
        yield now, 0, "lttng_statedump_block_device", {"dev": dev, "diskname": disk}
    yield now, 0, "lttng_statedump_network_interface", {"name": "eth0", "address_ipv4": 0x7F000001}
    yield now, 0, "lttng_statedump_end", {}
    for n in range(rounds):
        now += random.randrange(1, 5000)
        cpu = random.randrange(CPUS)
        tid = random.choice([0] + [task[0] for task in TASKS if task[0] not in runs])
        previous, runs[cpu] = runs[cpu], tid
        yield now, cpu, "sched_switch", {
            "prev_comm": name.get(previous, "swapper/%d" % cpu), "prev_tid": previous, "prev_prio": 20, "prev_state": random.choice((0, 1, 2)),
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
            yield now, cpu, "netif_receive_skb", {"skbaddr": n, "len": 1500, "name": "lo" if n % 2 else "eth0"}
        yield now, cpu, "sched_waking", {"comm": "server", "tid": 10, "prio": 20, "target_cpu": cpu}
    # A process is born, executes, and ends with its last turn.
    now += 1000
    yield now, 1, "sched_process_fork", {
        "parent_comm": "shell", "parent_tid": 30, "parent_pid": 30, "parent_ns_inum": 7, "child_comm": "shell", "child_tid": 40, "vtids": [40],
        "child_pid": 40, "child_ns_inum": 7}
    yield now + 10, 1, "sched_switch", {"prev_comm": name.get(runs[1], "swapper/1"), "prev_tid": runs[1], "prev_prio": 20, "prev_state": 1,
                                        "next_comm": "shell", "next_tid": 40, "next_prio": 20}
    yield now + 20, 1, "sched_process_exec", {"filename": "/usr/bin/date", "tid": 40, "old_tid": 40}
    yield now + 30, 1, "sched_process_exit", {"comm": "date", "tid": 40, "prio": 20}
    yield now + 40, 1, "sched_switch", {"prev_comm": "date", "prev_tid": 40, "prev_prio": 20, "prev_state": 64,
                                        "next_comm": "swapper/1", "next_tid": 0, "next_prio": 20}
    yield now + 50, 1, "sched_process_free", {"comm": "date", "tid": 40, "prio": 20}
    yield now + 60, 2, "lost", {"count": 17, "until": now + 100}
    yield now + 200, 3, "sched_switch", {"prev_comm": name.get(runs[3], "swapper/3"), "prev_tid": runs[3], "prev_prio": 20, "prev_state": 1,
                                         "next_comm": "swapper/3", "next_tid": 0, "next_prio": 20}


SIGNED = {"irq", "ret", "error", "rc", "type", "mode", "submode", "status", "target_cpu", "prio", "prev_prio", "next_prio", "prev_state"}


def field_class(trace_class, name, value):
    if isinstance(value, str):
        return trace_class.create_string_field_class()
    if isinstance(value, list):
        return trace_class.create_dynamic_array_field_class(trace_class.create_signed_integer_field_class(32))
    if name in SIGNED or name.endswith(("tid", "pid")):
        return trace_class.create_signed_integer_field_class(64 if name == "prev_state" else 32)
    return trace_class.create_unsigned_integer_field_class(64 if name in ("skbaddr", "sector", "file_table_address") else 32)


class Messages(bt2._UserMessageIterator):
    def __init__(self, config, port):
        self._given = self._messages(port.user_data)

    def __next__(self):
        return next(self._given)

    def _messages(self, data):
        trace, stream_class, rounds = data
        classes, streams, packets = {}, {}, {}
        last = START
        for cpu in range(CPUS):
            streams[cpu] = trace.create_stream(stream_class, cpu, "channel0_%d" % cpu)
            yield self._create_stream_beginning_message(streams[cpu])
        for time, cpu, name, fields in story(rounds):
            last = max(last, time)
            if name == "lost":
                if cpu in packets:
                    yield self._create_packet_end_message(packets.pop(cpu), time)
                yield self._create_discarded_events_message(streams[cpu], fields["count"], time, fields["until"])
                packet = streams[cpu].create_packet()
                packet.context_field["cpu_id"] = cpu
                yield self._create_packet_beginning_message(packet, time)
                yield self._create_packet_end_message(packet, fields["until"])
                continue
            if cpu not in packets:
                packets[cpu] = streams[cpu].create_packet()
                packets[cpu].context_field["cpu_id"] = cpu
                yield self._create_packet_beginning_message(packets[cpu], time)
            if name not in classes:
                payload = stream_class.trace_class.create_structure_field_class()
                for field, value in fields.items():
                    payload += [(field, field_class(stream_class.trace_class, field, value))]
                classes[name] = stream_class.create_event_class(name=name, payload_field_class=payload)
            message = self._create_event_message(classes[name], packets[cpu], time)
            for field, value in fields.items():
                message.event.payload_field[field] = value
            yield message
        for cpu in range(CPUS):
            if cpu in packets:
                yield self._create_packet_end_message(packets[cpu], last)
            yield self._create_stream_end_message(streams[cpu])


@bt2.plugin_component_class
class Source(bt2._UserSourceComponent, message_iterator_class=Messages):
    def __init__(self, config, params, obj):
        trace_class = self._create_trace_class()
        clock = self._create_clock_class(name="monotonic", frequency=10 ** 9, offset=bt2.ClockClassOffset(OFFSET, 0))
        context = trace_class.create_structure_field_class()
        context += [("cpu_id", trace_class.create_unsigned_integer_field_class(32))]
        stream_class = trace_class.create_stream_class(
            default_clock_class=clock, assigns_automatic_stream_id=False, supports_packets=True, packets_have_beginning_default_clock_snapshot=True,
            packets_have_end_default_clock_snapshot=True, supports_discarded_events=True, discarded_events_have_default_clock_snapshots=True,
            packet_context_field_class=context)
        trace = trace_class(environment={
            "hostname": "tracee", "domain": "kernel", "sysname": "Linux", "kernel_release": "6.1.0-test", "tracer_name": "lttng-modules",
            "tracer_major": 2, "tracer_minor": 13, "tracer_patchlevel": 9})
        self._add_output_port("out", (trace, stream_class, obj))


def write(folder, rounds):
    graph = bt2.Graph()
    source = graph.add_component(Source, "lttng", obj=rounds)
    sink = graph.add_component(bt2.find_plugin("ctf").sink_component_classes["fs"], "fs",
                               {"path": folder, "assume-single-trace": True, "quiet": True})
    graph.connect_ports(source.output_ports["out"], sink.input_ports["in"])
    graph.run()


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
        elif name == "netif_receive_skb":
            sums.input[fields["name"]] += fields["len"]
    for process, begin in since.values():
        sums.cpu_time[process] += last - begin
    del sums.cpu_time[None]
    sums.first, sums.last = START, last
    sums.cpu_time = +sums.cpu_time
    return sums


def check(log, rounds):
    with open(log, "rb") as file:
        data = file.read()
    found = bcos_log.totals(data)
    names = {source: bcos_log.text_of(body[4:]) for kind, source, _, _, body in bcos_log.entries(data) if kind & 0x7FFF == 0x6000}
    for name in ("interrupts", "input", "output"):
        setattr(found, name, collections.Counter({names[device]: count for device, count in getattr(found, name).items()}))
    wrong = list(expected(rounds).differences(found, ("cpu_time", "switches", "interrupts", "input", "output", "first", "last")))
    processes = {source: bcos_log.text_of(body) for kind, source, _, _, body in bcos_log.entries(data) if kind & 0x7FFF == 0}
    if processes != {0: "kernel", 10: "server", 30: "shell", 40: "date"}:
        wrong.append("processes: %r" % processes)
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
    elif what == "count":
        print(sum(isinstance(message, bt2._EventMessageConst) for message in bt2.TraceCollectionMessageIterator(name)))


main()
