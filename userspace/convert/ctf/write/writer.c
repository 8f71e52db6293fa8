// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes each entry of a log as an event: see write.h. */
#include <stdlib.h>

#include "../../unknown.h"
#include "core/format/phrase.h"
#include "core/format/statement_text.h"
#include "write.h"

/* The CPUs switch to what a group has stated. */
static void settle_cpus(struct ctf_writer *writer)
{
	const struct bcos_entry none = { 0 };
	struct ctf_cpu *cpu;
	struct link *link;

	while ((link = chain_take(&writer->stated))) {
		cpu = item_of(link, struct ctf_cpu, stated_link);
		if (cpu->stated)
			ctf_put_switch(writer, cpu, &none, cpu->stated_process, CTF_NO_ENTRY);
	}
}

/* From now on nobody knows what any CPU runs. */
static void lose_all(struct ctf_writer *writer)
{
	struct link *link;

	while ((link = chain_take(&writer->stated)))
		item_of(link, struct ctf_cpu, stated_link)->stated = false;
	while ((link = chain_take(&writer->known)))
		ctf_lose_cpu(writer, item_of(link, struct ctf_cpu, known_link), writer->now);
}

static void free_ended(void *context, struct ctf_cpu *cpu)
{
	struct ctf_writer *writer = context;

	ctf_ending_left(writer, cpu, writer->now, 0);
}

/* After some entries nobody knows what one CPU runs, or what all of them run. */
static void lose_cpus(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;

	switch (unknown_after(entry)) {
	case UNKNOWN_NONE:
		break;
	case UNKNOWN_CPU:
		if (!bcoslog_loss(entry, &loss) || loss.begin > writer->now)
			loss.begin = writer->now;
		ctf_lose_cpu(writer, cpu, loss.begin);
		break;
	default:
		lose_all(writer);
		table_clear(&writer->threads, node_free);
	}
}

/* For a loss, or the notice of an overtaken reader, the trace states that events are missing. */
static void put_loss(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
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
	ctf_trace_lost(&writer->trace, cpu, begin, end > begin ? end : begin, count ? count : 1);
}

/* ---- any entry -------------------------------------------------------------------- */

static void put_cpu(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_cpu *cpu = ctf_trace_cpu(&writer->trace, entry->source);

	writer->home = cpu;
	switch (entry->type) {
	case BCOS_CPU_ONLINE:
		ctf_put_fields(writer, cpu, entry);
		break;
	case BCOS_CPU_OFFLINE:
		/* A CPU should be idle when it goes offline. If it is not, nobody knows what it runs. */
		cpu->gone = cpu->known && cpu->process == BCOS_PROCESS_IDLE;
		if (!cpu->gone)
			ctf_lose_cpu(writer, cpu, writer->now);
		cpu->known = false;
		ctf_put_fields(writer, cpu, entry);
		break;
	default:
		lose_cpus(writer, cpu, entry);
		if (bcoslog_is_loss(entry))
			put_loss(writer, cpu, entry);
		ctf_put_generic(writer, cpu, entry);
	}
}

static void put_rare(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_CANCEL_PROCESS_NAME:
		ctf_put_process_end(writer, entry);
		break;
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_DEVICE:
		if (bcoslog_is_missed(entry)) {
			lose_cpus(writer, writer->home, entry);
			put_loss(writer, writer->home, entry);
		}
		ctf_put_generic(writer, NULL, entry);
		break;
	default:
		if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU)
			put_cpu(writer, entry);
		else
			ctf_put_fields(writer, NULL, entry);
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

static void apply_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_PROCESS)
		ctf_forget_comm(writer, entry->source);
	if (bcoslog_state_apply(writer->state, entry))
		ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
}

/* Writes an entry of any type that is not among the most frequent. */
static void put_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;

	if (!bcoslog_type_name(entry->type)) {
		writer->skipped++;
		return;
	}
	if (historical && is_repeated(writer, entry))
		return;
	if (entry->type == BCOS_SET_PROCESS_NAME && !bcoslog_process(writer->state, entry->source)) {
		memcpy(writer->birth, entry, entry->size);
		writer->waits = true;
		return;
	}
	if (historical)
		ctf_put_historical(writer, entry);
	else
		put_rare(writer, entry);
	if (entry->type != BCOS_HIST_ASSIGN_CPU)
		apply_entry(writer, entry);
}

/* Writes the birth that waits, if one does. @next is the entry after it, or NULL. */
static void put_birth(struct ctf_writer *writer, const struct bcos_entry *next)
{
	const struct bcos_entry *birth = (const struct bcos_entry *)writer->birth;
	bool tells;

	if (!writer->waits)
		return;
	tells = next && next->type == BCOS_GENERIC_PROCESS && next->source == birth->source &&
		((const struct bcos_generic *)next)->event_id == BCOS_EVENT_PARENT;
	ctf_put_birth(writer, birth, tells ? next : NULL);
	writer->waits = false;
	apply_entry(writer, birth);
}

/* Writes the next entry after the trace has begun. */
static void put_next(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	if (unlikely(writer->waits))
		put_birth(writer, entry);
	if (entry->time > writer->now && !(entry->type & BCOS_TYPE_HISTORICAL))
		writer->now = entry->time;
	writer->trace.order++;
	if (unlikely(!writer->home))
		writer->home = ctf_trace_cpu(
			&writer->trace, (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU ? entry->source : 0);
	if (!(entry->type & BCOS_TYPE_HISTORICAL))
		settle_cpus(writer);
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		ctf_put_assign(writer, ctf_trace_cpu(&writer->trace, entry->source), entry);
		break;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
		ctf_put_transfer(writer, entry);
		break;
	case BCOS_IRQ:
		ctf_put_irq(writer, entry);
		break;
	default:
		put_entry(writer, entry);
	}
}

/* ---- until the first entry ---------------------------------------------------------- */

static void hold_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	size_t room = writer->group_room ? writer->group_room : 65536;
	u8 *group;

	while (room < writer->group_size + entry->size)
		room *= 2;
	if (room != writer->group_room) {
		group = realloc(writer->group, room);
		if (!group) {
			ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
			return;
		}
		writer->group = group;
		writer->group_room = room;
	}
	memcpy(writer->group + writer->group_size, entry, entry->size);
	writer->group_size += entry->size;
}

/* Learns the environment from the log's statements about machine and clock. */
static void learn_environment(struct ctf_environment *environment, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	struct bcoslog_wall wall;
	struct bcos_kernel_fact kernel;
	size_t length, fact_length;
	const char *text = bcoslog_text(entry, &length), *fact;

	fact_length = length;
	fact = bcos_fact_parse(id, text, &fact_length);
	if (!environment->has_wall && bcoslog_wall_clock(entry, &wall) && wall.utc >= wall.boot &&
	    wall.utc - wall.boot < INT64_MAX) {
		environment->has_wall = true;
		environment->wall = wall.utc - wall.boot;
	} else if (id == BCOS_EVENT_HOST && fact) {
		snprintf(environment->host, sizeof(environment->host), "%.*s", (int)fact_length, fact);
	} else if (id == BCOS_EVENT_KERNEL && bcos_kernel_parse(&kernel, text, length)) {
		snprintf(environment->release, sizeof(environment->release), "%.*s", (int)kernel.release_length,
			 kernel.release);
		snprintf(environment->machine, sizeof(environment->machine), "%.*s", (int)kernel.machine_length,
			 kernel.machine);
	}
}

/* Learns from the first group and the statements after it. Returns the size of the group in bytes. */
static size_t survey_group(struct ctf_writer *writer, struct ctf_environment *environment)
{
	const u8 *at, *end = writer->group + writer->group_size;
	const struct bcos_entry *entry;
	size_t historical = 0;
	bool found = false;

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
		historical = (size_t)(at + entry->size - writer->group);
		if (!found && entry->time > writer->now)
			writer->now = entry->time;
		ctf_learn_running(writer, entry);
	}
	return historical;
}

/* Writes the event with which the state dump begins or ends. */
static void put_mark(struct ctf_writer *writer, enum ctf_layout_id layout)
{
	const struct bcos_entry none = { 0 };

	ctf_begin(writer, NULL, layout, &none);
}

/*
 * Writes the first group and the statements after it. Their events get the time of the first entry that is not
 * historical.
 */
static void put_group(struct ctf_writer *writer)
{
	struct ctf_environment environment = { 0 };
	const u8 *at = writer->group, *end = at + writer->group_size, *dumped = at + survey_group(writer, &environment);
	const struct bcos_entry *entry;

	writer->begun = true;
	ctf_trace_begin(&writer->trace, writer->folder, &environment);
	ctf_metadata_write(&writer->trace, &environment);
	writer->dumping = dumped > at;
	if (writer->dumping) {
		writer->home = ctf_trace_cpu(&writer->trace, 0);
		put_mark(writer, CTF_STATEDUMP_START);
	}
	for (; at < end; at += entry->size) {
		entry = (const struct bcos_entry *)at;
		if (at == dumped && writer->dumping) {
			writer->dumping = false;
			put_mark(writer, CTF_STATEDUMP_END);
		}
		put_next(writer, entry);
	}
	if (writer->dumping)
		put_mark(writer, CTF_STATEDUMP_END);
	writer->dumping = false;
	free(writer->group);
	writer->group = NULL;
	writer->group_size = writer->group_room = 0;
}

int ctf_writer_begin(struct ctf_writer *writer, const char *folder)
{
	writer->trace.folder = -1;
	writer->state = bcoslog_state_new();
	writer->folder = strdup(folder);
	if (!writer->state || !writer->folder || table_init(&writer->running) || table_init(&writer->threads) ||
	    table_init(&writer->endings) || table_init(&writer->turns) || table_init(&writer->devices))
		ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
	return writer->trace.error;
}

int ctf_writer_entry(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	if (likely(writer->begun)) {
		put_next(writer, entry);
		return writer->trace.error;
	}
	hold_entry(writer, entry);
	if ((!(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry)) ||
	    writer->group_size > CTF_GROUP_MAX)
		put_group(writer);
	return writer->trace.error;
}

int ctf_writer_forget(struct ctf_writer *writer)
{
	put_birth(writer, NULL);
	/* What leaves the CPUs still has the names from before. */
	lose_all(writer);
	bcoslog_state_forget(writer->state);
	memset(writer->comms, 0, sizeof(writer->comms));
	table_clear(&writer->threads, node_free);
	return writer->trace.error;
}

int ctf_writer_end(struct ctf_writer *writer)
{
	if (!writer->begun)
		put_group(writer);
	put_birth(writer, NULL);
	ctf_trace_each(&writer->trace, free_ended, writer);
	ctf_trace_end(&writer->trace);
	return writer->trace.error;
}

void ctf_writer_free(struct ctf_writer *writer)
{
	ctf_trace_free(&writer->trace);
	if (writer->running.buckets)
		table_destroy(&writer->running, node_free);
	if (writer->threads.buckets)
		table_destroy(&writer->threads, node_free);
	if (writer->endings.buckets)
		table_destroy(&writer->endings, node_free);
	if (writer->turns.buckets)
		table_destroy(&writer->turns, node_free);
	if (writer->devices.buckets)
		table_destroy(&writer->devices, node_free);
	bcoslog_state_free(writer->state);
	free(writer->group);
	free(writer->folder);
}
