# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""usage: ctf_read.py LOG TRACE BCOSLOG - compares the totals of a log with what Babeltrace 2 reads in its CTF trace, and with what
bcoslog tells.

Of LTTng's events only LTTng's fields count, but for what LTTng has no field for: which device an interrupt is of, bytes
that are no whole sectors, and the process of a thread that a CPU runs. Thread 0 is idle and thread 2147483647 the kernel, as bcoslog-convert(1) says.
"""
import re
import sys

import bt2

import bcos_log

KERNEL = 0x7FFFFFFF
NO_ENTRY = -3       # a switch between threads of a process


def process(tid):
    tid = int(tid)
    return {0: bcos_log.IDLE, KERNEL: 0, -1: KERNEL}.get(tid, tid % (1 << 32))


def events(folder):
    """(time, CPU, name, fields) of each event, in the order of the log; and (CPU, count) of what was discarded."""
    found, discarded = [], []
    for message in bt2.TraceCollectionMessageIterator(folder):
        if isinstance(message, bt2._DiscardedEventsMessageConst):
            discarded.append((message.stream.id, message.count, message.beginning_default_clock_snapshot.value,
                              message.end_default_clock_snapshot.value))
        if not isinstance(message, bt2._EventMessageConst):
            continue
        event = message.event
        cpu = int(event.packet.context_field["cpu_id"])
        assert event.stream.id == cpu, (event.stream.id, cpu)
        found.append((message.default_clock_snapshot.value, int(event.common_context_field["bcos_order"]), cpu, event.name,
                      dict(event.payload_field) if event.payload_field is not None else {}))
    found.sort(key=lambda event: event[:2])
    return [(time, cpu, name, fields) for time, _, cpu, name, fields in found], discarded


def generic(sums, time, name, values):
    kind, event, text = name.removeprefix("bcos_generic_"), int(values["event_id"]), str(values["text"])
    sums.texts[text] += 1
    if kind == "cpu" and event == bcos_log.LOSS and bcos_log.loses_assignments(text):
        sums.run(int(values["cpu"]), None, time)
    elif kind == "cpu" and event == bcos_log.MASK and not int(re.findall(r"0x([0-9a-f]+)|$", text.split(":")[0])[-2] or "0", 16) & 0x41:
        sums.forget(time)
    elif kind == "device" and int(values["device"]) == 0xC0000000 and event == bcos_log.MISSED:
        sums.forget(time)


def transfer(sums, name, values):
    if name == "block_rq_complete":
        device, size, out = int(values["dev"]), int(values["bcos_bytes"]), int(values["rwbs"]) & 1
        assert int(values["nr_sector"]) == size // 512 and int(values["error"]) == 0, values
    elif name in ("net_if_receive_skb", "net_dev_xmit"):
        device, size, out = int(values["bcos_device"]), int(values["len"]), name == "net_dev_xmit"
    else:
        device, size, out = int(values["device"]), int(values["bytes"]), name == "bcos_device_output"
    (sums.output if out else sums.input)[device] += size


def totals(folder):
    sums = bcos_log.Totals()
    for time, cpu, name, values in events(folder)[0]:
        if not name.startswith(("bcos_state_", "lttng_statedump_")):
            sums.at(time)
        if name == "bcos_state_assign":
            sums.state(int(values["cpu"]), process(values["tid"]))
        elif name == "sched_switch" and int(values["bcos_process"]) != NO_ENTRY:
            sums.switches[cpu] += 1
            sums.turns[cpu] += 1
            sums.run(cpu, process(values["bcos_process"]), time)
        elif name == "bcos_cpu_offline":
            sums.run(int(values["cpu"]), None, time)
        elif name in ("block_rq_complete", "net_if_receive_skb", "net_dev_xmit", "bcos_device_input", "bcos_device_output"):
            transfer(sums, name, values)
        elif name == "irq_handler_entry":
            sums.interrupts[int(values["bcos_device"])] += 1
        elif name == "bcos_kernel_call":
            sums.calls += len(values["functions"])
        elif name in ("sched_process_exec", "sched_wakeup"):
            sums.texts[str(values["bcos_text"])] += 1
        elif name.startswith("bcos_generic_"):
            generic(sums, time, name, values)
    return sums.end()


if __name__ == "__main__":
    bcos_log.expect_same(totals(sys.argv[2]), sys.argv[1], sys.argv[3])
