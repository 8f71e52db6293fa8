// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes each entry of a log as an event: see writer.h. */
#include <stdlib.h>

#include "../../unknown.h"
#include "core/format/phrase.h"
#include "writer.h"

static struct ctf_writer *writer_of(struct ctf_trace *trace)
{
	return (struct ctf_writer *)((u8 *)trace - offsetof(struct ctf_writer, trace));
}

/* A CPU switches to what a group has stated. */
static int settle_cpu(struct ctf_trace *trace, struct ctf_cpu *cpu)
{
	const struct bcos_entry none = { 0 };

	return cpu->stated ? ctf_put_switch(writer_of(trace), cpu, &none, cpu->stated_process, CTF_NO_ENTRY) : 0;
}

static int lose_cpu(struct ctf_trace *trace, struct ctf_cpu *cpu)
{
	struct ctf_writer *writer = writer_of(trace);

	return ctf_lose_cpu(writer, cpu, writer->now);
}

/* After some entries nobody knows what one CPU runs, or what all of them run. */
static int lose_cpus(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;

	switch (unknown_after(entry)) {
	case UNKNOWN_NONE:
		return 0;
	case UNKNOWN_CPU:
		if (!bcoslog_loss(entry, &loss) || loss.begin > writer->now)
			loss.begin = writer->now;
		return ctf_lose_cpu(writer, cpu, loss.begin);
	default:
		return ctf_trace_each(&writer->trace, lose_cpu);
	}
}

/* For a loss, or the notice of an overtaken reader, the trace states that events are missing. */
static int put_loss(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	u64 begin = writer->now, end = entry->time, count = 0;
	struct bcoslog_loss loss;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (bcoslog_loss(entry, &loss)) {
		if (loss.begin < begin)
			begin = loss.begin;
		end = loss.end;
		count = loss.count;
	} else {
		bcos_phrase_missed_parse(text, length, &count);
	}
	return ctf_trace_lost(&writer->trace, cpu, begin, end > begin ? end : begin, count ? count : 1);
}

/* ---- any entry -------------------------------------------------------------------- */

static int put_cpu(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_cpu *cpu = ctf_trace_cpu(&writer->trace, entry->source);
	int r;

	if (!cpu)
		return writer->trace.error;
	writer->home = cpu;
	switch (entry->type) {
	case BCOS_CPU_ONLINE:
		return ctf_put_numbers(writer, cpu, CTF_CPU_ONLINE, entry, true);
	case BCOS_CPU_OFFLINE:
		/* A CPU should be idle when it goes offline. If it is not, nobody knows what it runs. */
		cpu->gone = cpu->known && cpu->process == BCOS_PROCESS_IDLE;
		r = cpu->gone ? 0 : ctf_lose_cpu(writer, cpu, writer->now);
		cpu->known = false;
		if (r)
			return r;
		return ctf_put_numbers(writer, cpu, CTF_CPU_OFFLINE, entry, false);
	default:
		r = lose_cpus(writer, cpu, entry);
		if (!r && bcoslog_is_loss(entry))
			r = put_loss(writer, cpu, entry);
		return r ? r : ctf_put_generic(writer, cpu, entry);
	}
}

static int put_core(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_CORE_ONLINE, entry);

	return r ? r : ctf_put_core(writer, &event, entry);
}

static int put_rare(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	int r = 0;

	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
		return ctf_put_rename(writer, entry);
	case BCOS_CANCEL_PROCESS_NAME:
		return ctf_put_process_end(writer, entry);
	case BCOS_KERNEL_API:
		return ctf_put_calls(writer, entry);
	case BCOS_CORE_ONLINE:
		return put_core(writer, entry);
	case BCOS_CORE_OFFLINE:
		return ctf_put_numbers(writer, NULL, CTF_CORE_OFFLINE, entry, false);
	case BCOS_SET_DEVICE_NAME:
		return ctf_put_device(writer, entry);
	case BCOS_CANCEL_DEVICE_NAME:
		return ctf_put_numbers(writer, NULL, CTF_DEVICE_END, entry, true);
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry)) {
			r = lose_cpus(writer, writer->home, entry);
			r = r ? r : put_loss(writer, writer->home, entry);
		}
		return r ? r : ctf_put_generic(writer, NULL, entry);
	default:
		return put_cpu(writer, entry);
	}
}

/* Does a historical entry only repeat what is known? */
static bool is_repeated(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	const struct ctf_cpu *cpu;

	if (entry->type != BCOS_HIST_ASSIGN_CPU)
		return bcoslog_state_compare(writer->state, entry) == BCOSLOG_REPEATED;
	cpu = table_find(&writer->trace.cpus, entry->source);
	return cpu && cpu->known && cpu->process == ((const struct bcos_assign_cpu *)entry)->process;
}

/* Writes an entry of any type that is not among the most frequent. */
static int put_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	int r;

	if (!bcoslog_type_name(entry->type)) {
		writer->skipped++;
		return 0;
	}
	if (historical && is_repeated(writer, entry))
		return 0;
	if (entry->type == BCOS_SET_PROCESS_NAME && !bcoslog_process(writer->state, entry->source)) {
		memcpy(writer->birth, entry, entry->size);
		writer->waits = true;
		return 0;
	}
	r = historical ? ctf_put_historical(writer, entry) : put_rare(writer, entry);
	if (r || entry->type == BCOS_HIST_ASSIGN_CPU)
		return r;
	return bcoslog_state_apply(writer->state, entry);
}

/* Writes the birth that waits. @next is the entry after it, or NULL. */
static int put_birth(struct ctf_writer *writer, const struct bcos_entry *next)
{
	const struct bcos_entry *birth = (const struct bcos_entry *)writer->birth;
	bool tells = next && next->type == BCOS_GENERIC_PROCESS && next->source == birth->source &&
		     ((const struct bcos_generic *)next)->event_id == BCOS_EVENT_PARENT;
	int r = ctf_put_birth(writer, birth, tells ? next : NULL);

	writer->waits = false;
	return r ? r : bcoslog_state_apply(writer->state, birth);
}

/* Writes the next entry after the trace has begun. */
static int put_next(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_cpu *cpu;
	int r = unlikely(writer->waits) ? put_birth(writer, entry) : 0;

	if (r)
		return r;
	if (entry->time > writer->now && !(entry->type & BCOS_TYPE_HISTORICAL))
		writer->now = entry->time;
	writer->trace.order++;
	if (unlikely(!writer->home)) {
		writer->home = ctf_trace_cpu(
			&writer->trace, (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU ? entry->source : 0);
		if (!writer->home)
			return writer->trace.error;
	}
	if (unlikely(writer->stated) && !(entry->type & BCOS_TYPE_HISTORICAL)) {
		writer->stated = false;
		r = ctf_trace_each(&writer->trace, settle_cpu);
		if (r)
			return r;
	}
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		cpu = ctf_trace_cpu(&writer->trace, entry->source);
		return likely(cpu) ? ctf_put_assign(writer, cpu, entry) : writer->trace.error;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
		return ctf_put_transfer(writer, entry);
	case BCOS_IRQ:
		return ctf_put_irq(writer, entry);
	default:
		return put_entry(writer, entry);
	}
}

/* ---- until the first entry ---------------------------------------------------------- */

static int hold_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	size_t room = writer->group_room ? writer->group_room : 65536;
	u8 *group;

	while (room < writer->group_size + entry->size)
		room *= 2;
	if (room != writer->group_room) {
		group = realloc(writer->group, room);
		if (!group)
			return -ENOMEM;
		writer->group = group;
		writer->group_room = room;
	}
	memcpy(writer->group + writer->group_size, entry, entry->size);
	writer->group_size += entry->size;
	return 0;
}

/* Learns the environment from the log's statements about machine and clock. */
static void learn_environment(struct ctf_environment *environment, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	struct bcoslog_wall wall;
	char text[256];
	size_t length;
	const char *from = bcoslog_text(entry, &length);

	snprintf(text, sizeof(text), "%.*s", (int)(length < 255 ? length : 255), from);
	if (!environment->has_wall && bcoslog_wall_clock(entry, &wall) && wall.utc >= wall.boot &&
	    wall.utc - wall.boot < INT64_MAX) {
		environment->has_wall = true;
		environment->wall = wall.utc - wall.boot;
	} else if (id == BCOS_EVENT_HOST) {
		sscanf(text, "host %255s", environment->host);
	} else if (id == BCOS_EVENT_KERNEL) {
		sscanf(text, "kernel %255s %63s", environment->release, environment->machine);
	}
}

/*
 * Learns from the first group and the statements after it. Returns the size of the group in bytes, or a negative errno.
 */
static ssize_t survey_group(struct ctf_writer *writer, struct ctf_environment *environment)
{
	const u8 *at, *end = writer->group + writer->group_size;
	const struct bcos_entry *entry;
	ssize_t historical = 0;
	bool found = false;
	int r;

	for (at = writer->group; at < end; at += entry->size) {
		entry = (const struct bcos_entry *)at;
		if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
			if (!found)
				writer->now = entry->time;
			found = true;
			if (entry->type == BCOS_GENERIC_PROCESS && bcoslog_is_statement(entry))
				learn_environment(environment, entry);
			continue;
		}
		historical = at + entry->size - writer->group;
		if (!found && entry->time > writer->now)
			writer->now = entry->time;
		r = ctf_learn_running(writer, entry);
		if (r)
			return r;
	}
	return historical;
}

static int put_mark(struct ctf_writer *writer, enum ctf_layout_id layout)
{
	const struct bcos_entry none = { 0 };
	struct ctf_event event;

	return ctf_begin(writer, &event, NULL, layout, &none);
}

/*
 * Writes the first group and the statements after it. Their events get the time of the first entry that is not
 * historical.
 */
static int put_group(struct ctf_writer *writer)
{
	struct ctf_environment environment = { 0 };
	const u8 *at = writer->group, *end = at + writer->group_size, *dumped;
	const struct bcos_entry *entry;
	ssize_t length = survey_group(writer, &environment);
	int r;

	if (length < 0)
		return (int)length;
	dumped = at + length;
	writer->begun = true;
	r = ctf_trace_begin(&writer->trace, writer->folder, &environment);
	for (; !r && at < end; at += entry->size) {
		entry = (const struct bcos_entry *)at;
		if (at == dumped && writer->dumping) {
			writer->dumping = false;
			r = put_mark(writer, CTF_STATEDUMP_END);
		}
		if (!r && at == writer->group && length) {
			writer->home = ctf_trace_cpu(&writer->trace, 0);
			writer->dumping = true;
			r = writer->home ? put_mark(writer, CTF_STATEDUMP_START) : writer->trace.error;
		}
		r = r ? r : put_next(writer, entry);
	}
	if (!r && writer->dumping)
		r = put_mark(writer, CTF_STATEDUMP_END);
	writer->dumping = false;
	free(writer->group);
	writer->group = NULL;
	writer->group_size = writer->group_room = 0;
	return r;
}

int ctf_writer_begin(struct ctf_writer *writer, const char *folder)
{
	writer->state = bcoslog_state_new();
	writer->folder = strdup(folder);
	if (!writer->state || !writer->folder || table_init(&writer->running) || table_init(&writer->devices))
		return -ENOMEM;
	return 0;
}

int ctf_writer_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	int r;

	if (likely(writer->begun))
		return put_next(writer, entry);
	r = hold_entry(writer, entry);
	if (!r && ((!(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry)) ||
		   writer->group_size > CTF_GROUP_MAX))
		r = put_group(writer);
	return r;
}

int ctf_writer_forget(struct ctf_writer *writer)
{
	int r = writer->waits ? put_birth(writer, NULL) : 0;

	bcoslog_state_forget(writer->state);
	return r ? r : ctf_trace_each(&writer->trace, lose_cpu);
}

int ctf_writer_end(struct ctf_writer *writer)
{
	int r = writer->begun ? 0 : put_group(writer);

	if (!r && writer->waits)
		r = put_birth(writer, NULL);
	return r ? r : ctf_trace_end(&writer->trace);
}

void ctf_writer_free(struct ctf_writer *writer)
{
	ctf_trace_free(&writer->trace);
	if (writer->running.buckets)
		table_destroy(&writer->running, node_free);
	if (writer->devices.buckets)
		table_destroy(&writer->devices, node_free);
	bcoslog_state_free(writer->state);
	free(writer->group);
	free(writer->folder);
}
