// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The streams of a trace: packets of events, one file for each CPU. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../output.h"
#include "core/format/entry.h"
#include "write.h"

/* A packet ends when it has this many bytes, which is the usual size of LTTng's sub-buffers. */
#define PACKET_SIZE (256u << 10)
/* A CPU has few events, until its packet grows beyond this. */
#define PACKET_FIRST (4u << 10)
#define MAGIC 0xC1FC1FC1u
/* Babeltrace 2 gives up at times from 2^63 - 1 ns on, and where the number of lost events is 2^64 - 1. */
#define TIME_MAX (INT64_MAX - 1)
#define LOST_MAX (UINT64_MAX - 1)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the metadata says so, and numbers are copied as they are");

const u8 ctf_widths[CTF_KINDS] = {
	[CTF_U8] = 1, [CTF_U16] = 2, [CTF_U32] = 4, [CTF_U64] = 8, [CTF_S32] = 4, [CTF_S64] = 8,
};

void ctf_trace_fail(struct ctf_trace *trace, int error, const char *what)
{
	if (trace->error)
		return;
	trace->error = error;
	snprintf(trace->why, sizeof(trace->why), "%s", what);
}

void ctf_trace_fail_write(struct ctf_trace *trace, int error)
{
	char why[96];

	snprintf(why, sizeof(why), "the trace cannot be written: %s", strerror(-error));
	ctf_trace_fail(trace, error, why);
}

/* ---- packets ------------------------------------------------------------------------ */

/* Makes the packet of a CPU larger. Returns false after a failure. */
static bool grow_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, size_t size)
{
	size_t room = cpu->room ? cpu->room : PACKET_FIRST;
	u8 *packet;

	if (trace->error)
		return false;
	while (room < cpu->used + size)
		room *= 2;
	packet = realloc(cpu->packet, room);
	if (!packet) {
		ctf_trace_fail(trace, -ENOMEM, "no memory");
		return false;
	}
	cpu->packet = packet;
	cpu->room = room;
	return true;
}

/* Makes sure that the packet of a CPU has room for @size bytes, and the rest of an event after them. */
static inline bool reserve_room(struct ctf_trace *trace, struct ctf_cpu *cpu, size_t size)
{
	size += CTF_EVENT_MAX;
	return likely(cpu->room - cpu->used >= size) || grow_packet(trace, cpu, size);
}

static bool open_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time)
{
	if (!reserve_room(trace, cpu, sizeof(struct ctf_packet_header)))
		return false;
	cpu->used = sizeof(struct ctf_packet_header);
	cpu->begin = time;
	return true;
}

/*
 * Writes the packet of a CPU. The file is open only meanwhile, so a trace may have more CPUs than a process may have open
 * files.
 */
static void close_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 end)
{
	struct ctf_packet_header header = {
		.magic = MAGIC, .instance = cpu->node.id, .size = cpu->used * 8, .content = cpu->used * 8,
		.begin = cpu->begin, .end = end, .discarded = cpu->lost, .sequence = cpu->sequence++,
		.cpu = cpu->node.id,
	};
	char name[32];
	int fd, r;

	memcpy(header.uuid, trace->uuid, sizeof(header.uuid));
	memcpy(cpu->packet, &header, sizeof(header));
	snprintf(name, sizeof(name), "channel0_%u", cpu->node.id);
	fd = openat(trace->folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	r = fd < 0 ? -errno : write_all_at(fd, cpu->packet, cpu->used, cpu->written);
	if (fd >= 0 && close(fd) && !r)
		r = -errno;
	if (r)
		ctf_trace_fail_write(trace, r);
	cpu->written += cpu->used;
	cpu->used = 0;
	cpu->lossy = false;
}

/* Returns the time at which a packet ends if no event follows: that of its last event, or of the last lost one. */
static u64 end_of_packet(const struct ctf_cpu *cpu)
{
	return cpu->lossy && cpu->until > cpu->last ? cpu->until : cpu->last;
}

/*
 * Readers know of a loss that it was between the ends of two packets. So the loss gets a packet of its own, with all
 * events of that time.
 */
void ctf_trace_lost(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time, u64 until, u64 count)
{
	if (trace->error)
		return;
	if (cpu->last < time)
		cpu->last = time;
	if (until > trace->latest)
		until = trace->latest;
	if (!cpu->lossy) {
		if (cpu->used)
			close_packet(trace, cpu, cpu->last);
		if (!open_packet(trace, cpu, cpu->last))
			return;
		cpu->lossy = true;
		cpu->until = cpu->last;
	}
	cpu->lost += count < LOST_MAX - cpu->lost ? count : LOST_MAX - cpu->lost;
	if (cpu->until < until)
		cpu->until = until;
}

/* Makes sure that a packet is open which may take an event at @time. Returns false after a failure. */
static bool prepare_packet(struct ctf_trace *trace, struct ctf_cpu *cpu, u64 time)
{
	if (time > trace->latest)
		ctf_trace_fail(trace, -ERANGE, "it has times 292 years after boot or 1970, which readers of CTF refuse");
	if (trace->error)
		return false;
	if (cpu->used && cpu->lossy && time >= cpu->until)
		close_packet(trace, cpu, end_of_packet(cpu));
	else if (cpu->used > PACKET_SIZE)
		close_packet(trace, cpu, cpu->last);
	return cpu->used || open_packet(trace, cpu, time);
}

/* Returns what stands for all CPUs after a failure. */
static struct ctf_cpu *broken_cpu(struct ctf_trace *trace)
{
	trace->broken.packet = trace->scratch;
	trace->broken.room = sizeof(trace->scratch);
	trace->broken.used = 0;
	return &trace->broken;
}

struct ctf_event ctf_event_begin(struct ctf_trace *trace, struct ctf_cpu *cpu, enum ctf_layout_id layout, u64 time,
				 u32 precision)
{
	const struct ctf_event_header header = {
		.layout = (u16)layout, .time = time, .order = trace->order, .precision = precision,
	};
	bool easy = cpu->used && cpu->used <= PACKET_SIZE && !cpu->lossy && time <= trace->latest;

	if (unlikely(!(easy || prepare_packet(trace, cpu, time)) || !reserve_room(trace, cpu, 0)))
		cpu = broken_cpu(trace);
	memcpy(cpu->packet + cpu->used, &header, sizeof(header));
	cpu->used += sizeof(header);
	cpu->last = time;
	return (struct ctf_event){ trace, cpu, ctf_layouts[layout].fields };
}

void ctf_put_text(struct ctf_event *event, const char *text, size_t length)
{
	struct ctf_trace *trace = event->trace;
	struct ctf_cpu *cpu = event->cpu;

	event->field++;
	if (!bcos_utf8_valid(text, length)) {
		length = bcos_utf8_clean(trace->text, sizeof(trace->text), text, length);
		text = trace->text;
	}
	if (unlikely(!reserve_room(trace, cpu, length + 1)))
		return;
	memcpy(cpu->packet + cpu->used, text, length);
	cpu->used += length;
	cpu->packet[cpu->used++] = 0;
}

void ctf_put_list(struct ctf_event *event, const u32 *numbers, size_t count)
{
	struct ctf_cpu *cpu = event->cpu;
	u32 length = (u32)count;

	event->field++;
	if (unlikely(!reserve_room(event->trace, cpu, sizeof(length) + count * sizeof(*numbers))))
		return;
	memcpy(cpu->packet + cpu->used, &length, sizeof(length));
	cpu->used += sizeof(length);
	if (count)
		memcpy(cpu->packet + cpu->used, numbers, count * sizeof(*numbers));
	cpu->used += count * sizeof(*numbers);
}

/* ---- CPUs --------------------------------------------------------------------------- */

static struct ctf_cpu *add_cpu(struct ctf_trace *trace, u32 id)
{
	struct ctf_cpu *cpu = calloc(1, sizeof(*cpu));

	if (cpu) {
		cpu->node.id = id;
		if (!table_add(&trace->cpus, &cpu->node))
			return cpu;
	}
	free(cpu);
	ctf_trace_fail(trace, -ENOMEM, "no memory");
	return &trace->broken;
}

struct ctf_cpu *ctf_trace_cpu(struct ctf_trace *trace, u32 id)
{
	struct ctf_cpu *cpu = trace->recent;

	if (likely(cpu && cpu->node.id == id))
		return cpu;
	if (trace->error)
		return &trace->broken;
	cpu = table_find(&trace->cpus, id);
	trace->recent = cpu ? cpu : add_cpu(trace, id);
	return trace->recent;
}

void ctf_trace_each(struct ctf_trace *trace, void (*take)(void *context, struct ctf_cpu *cpu), void *context)
{
	struct node *node;
	size_t i;

	for (i = 0; trace->cpus.buckets && i < (size_t)1 << trace->cpus.bits; i++)
		for (node = trace->cpus.buckets[i]; node; node = node->next)
			take(context, (struct ctf_cpu *)node);
}

/* ---- the trace ---------------------------------------------------------------------- */

void ctf_trace_begin(struct ctf_trace *trace, const char *path, const struct ctf_environment *environment)
{
	trace->latest = TIME_MAX - environment->wall;
	if (table_init(&trace->cpus)) {
		ctf_trace_fail(trace, -ENOMEM, "no memory");
		return;
	}
	if (getrandom(trace->uuid, sizeof(trace->uuid), 0) != sizeof(trace->uuid) || mkdir(path, 0777)) {
		ctf_trace_fail_write(trace, -errno);
		return;
	}
	/* The version and variant of a random UUID. */
	trace->uuid[6] = (trace->uuid[6] & 0x0F) | 0x40;
	trace->uuid[8] = (trace->uuid[8] & 0x3F) | 0x80;
	trace->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (trace->folder < 0)
		ctf_trace_fail_write(trace, -errno);
}

static void end_stream(void *context, struct ctf_cpu *cpu)
{
	struct ctf_trace *trace = context;

	if (cpu->used && !trace->error)
		close_packet(trace, cpu, end_of_packet(cpu));
}

void ctf_trace_end(struct ctf_trace *trace)
{
	ctf_trace_each(trace, end_stream, trace);
}

static void free_cpu(struct node *node)
{
	struct ctf_cpu *cpu = (struct ctf_cpu *)node;

	free(cpu->packet);
	free(cpu->ended);
	free(node);
}

void ctf_trace_free(struct ctf_trace *trace)
{
	if (trace->cpus.buckets)
		table_destroy(&trace->cpus, free_cpu);
	if (trace->folder >= 0)
		close(trace->folder);
}
