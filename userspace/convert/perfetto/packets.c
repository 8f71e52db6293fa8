// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: packets with bundles of events, and with trees of processes. */
#include <stdlib.h>

#include "../cpus.h"
#include "perfetto.h"

static void write_packet(struct perfetto *perfetto)
{
	struct proto head = { NULL, 0, 0, false };

	proto_number(&perfetto->packet, SEQUENCE, 1);
	proto_varint(&head, PACKET << 3 | 2);
	proto_varint(&head, perfetto->packet.used);
	if (head.starved)
		perfetto->packet.starved = true;
	else
		outfile_bytes(perfetto->file, head.bytes, head.used);
	outfile_bytes(perfetto->file, perfetto->packet.bytes, perfetto->packet.used);
	perfetto->packet.used = 0;
	proto_free(&head);
}

/* Writes a bundle. The events are fields of the bundle already, and go to the file without being copied. */
static void write_bundle(struct perfetto *perfetto, u32 id)
{
	struct lane *cpu = &perfetto->cpus[id];
	struct proto *head = &perfetto->packet, *bundle = &perfetto->bundle;
	size_t begin, size;

	if (!cpu->events.used && !cpu->lost)
		return;
	proto_number(bundle, BUNDLE_CPU, id);
	if (cpu->lost)
		proto_number(bundle, BUNDLE_LOST, 1);
	size = bundle->used + cpu->events.used;
	/*
	 * @head first gets what follows the length of the packet, and then the beginning of the packet with that
	 * length.
	 */
	proto_number(head, SEQUENCE, 1);
	proto_varint(head, FTRACE_EVENTS << 3 | 2);
	proto_varint(head, size);
	size += head->used;
	begin = head->used;
	proto_varint(head, PACKET << 3 | 2);
	proto_varint(head, size);
	if (!head->starved && !bundle->starved) {
		outfile_bytes(perfetto->file, head->bytes + begin, head->used - begin);
		outfile_bytes(perfetto->file, head->bytes, begin);
		outfile_bytes(perfetto->file, bundle->bytes, bundle->used);
		outfile_bytes(perfetto->file, cpu->events.bytes, cpu->events.used);
	}
	head->used = bundle->used = cpu->events.used = 0;
	cpu->lost = false;
}

void perfetto_write_bundles(struct perfetto *perfetto)
{
	u32 id;

	while (cpu_set_take(&perfetto->filled, &id))
		write_bundle(perfetto, id);
}

void perfetto_write_detail(struct perfetto *perfetto, u32 field)
{
	proto_message(&perfetto->packet, field, &perfetto->detail);
	proto_number(&perfetto->packet, TIMESTAMP, perfetto->time);
	write_packet(perfetto);
}

void perfetto_write_tree(struct perfetto *perfetto)
{
	proto_message(&perfetto->packet, PROCESS_TREE, &perfetto->tree);
	/* Readers take a tree before the events of its time, and the ID of a process that ends may be used again at once. */
	proto_number(&perfetto->packet, TIMESTAMP, perfetto->time + (perfetto->freed == perfetto->time));
	write_packet(perfetto);
}

/* Makes room for a CPU. Returns it, or NULL if there is no memory. */
static struct lane *more_cpus(struct perfetto *perfetto, u32 id)
{
	struct lane *larger = cpus_grow(perfetto->cpus, &perfetto->cpu_count, sizeof(*larger), id);

	if (!larger) {
		perfetto->packet.starved = true;
		return NULL;
	}
	perfetto->cpus = larger;
	return &perfetto->cpus[id];
}

struct lane *perfetto_cpu(struct perfetto *perfetto, u32 id)
{
	return likely(id < perfetto->cpu_count) ? &perfetto->cpus[id] : more_cpus(perfetto, id);
}

u32 perfetto_lane(const struct perfetto *perfetto, u64 time, u32 process)
{
	bool leaves = perfetto->left_process == process && perfetto->left_at == time;

	return leaves ? perfetto->left_cpu : perfetto->last_cpu;
}

void perfetto_put_event(struct perfetto *perfetto, u32 id, u64 time, u32 pid, u32 field)
{
	struct lane *cpu = perfetto_cpu(perfetto, id);

	if (!cpu)
		return;
	proto_number(&perfetto->event, EVENT_TIME, time);
	proto_number(&perfetto->event, EVENT_PID, pid);
	proto_message(&perfetto->event, field, &perfetto->detail);
	proto_message(&cpu->events, BUNDLE_EVENT, &perfetto->event);
	cpu_set_add(&perfetto->filled, id);
	perfetto->packet.starved |= cpu->events.starved;
	if (cpu->events.used > BUNDLE)
		perfetto_write_bundles(perfetto);
}
