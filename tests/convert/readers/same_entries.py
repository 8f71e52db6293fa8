#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""same_entries.py EVENTS ENTRIES: does eventheader.py read what bcoslog dump --json says of the log, entry by entry?"""
import json
import sys

NAMES = {"driver": "driver", "status": "status", "process": "process", "core": "core", "bytes": "bytes", "event": "event",
         "severity": "severity", "text": "text", "idle_power": "idle_power", "power_difference": "power_difference",
         "performance": "performance", "functions": "functions", "irq": "number"}
CLASSES = {0x4002: 1, 0x6011: 2, 0x6002: 0x10, 0x6003: 0x10, 0x11: 0x20}


def level(severity):
    return 1 if severity >= 0xC0 else 2 if severity >= 0x80 else 3 if severity == 0x7F else 4 if severity >= 0x40 else 5


def same(event, entry):
    fields = event["fields"]
    values = list(fields.values())
    if event["keyword"] == 0x8000:
        return fields["type"] == entry["type"] and values[0] == entry["source"]
    historical = bool(entry["type"] & 0x8000)
    if event["id"] != entry["type"] or values[0] != entry["source"] or fields["precision"] != entry["precision"]:
        return False
    if fields["time"] != entry["time"] or not historical and event["time"] != entry["time"]:
        return False
    if entry["type"] & 0x1FFF == 0x10 and event["level"] != level(entry["severity"]):
        return False
    if event["keyword"] != CLASSES.get(entry["type"], event["keyword"]):
        return False
    if "name" in fields and fields["name"] != entry["source_name"]:
        return False
    return all(fields[ours] == entry[theirs] for ours, theirs in NAMES.items()
               if ours in fields and theirs in entry and ours != list(fields)[0])


def main():
    events = [json.loads(line) for line in open(sys.argv[1])]
    entries = [json.loads(line) for line in open(sys.argv[2])]
    if len(events) != len(entries):
        sys.exit("%d events of %d entries" % (len(events), len(entries)))
    alive = {}
    for event, entry in zip(events, entries):
        if not same(event, entry):
            sys.exit("these differ:\n%s\n%s" % (event, entry))
        # An activity starts once, stops once, and is the same in between.
        if entry["type"] == 0x6010 and entry["event"] == 0x80000002:
            alive.clear()       # the reader was overtaken, and knows nothing
        about = (entry["type"] & 0x6000, entry["source"])
        if event["opcode"] == 1 and alive.setdefault(about, event["activity"]) != event["activity"]:
            sys.exit("begins twice: %s" % event)
        if event["opcode"] == 2 and alive.pop(about, event["activity"]) != event["activity"]:
            sys.exit("another one stops: %s" % event)


main()
