// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes each entry of a log as an event of an LTT trace, into the file of its CPU. */
#include "../../unknown.h"
#include "core/format/fields.h"
#include "core/format/statement_text.h"
#include "../../words.h"
#include "write.h"

/* Stands for the process that had a CPU if the log did not tell it. */
#define NOBODY 0xFFFFFFFEu

/*
 * Begins the event of an entry with its order and precision, and before these, of a historical entry, the time since
 * which it holds. Returns the place of the other fields, which have @size bytes, or NULL.
 */
static u8 *begin_event(struct ltt_writer *writer, struct ltt_cpu *cpu, u16 id, const struct bcos_entry *entry,
		       size_t size)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	u8 *at = ltt_event(&cpu->blocks, id, writer->now, (historical ? 16 : 8) + size);

	if (unlikely(!at)) {
		ltt_fail(writer, cpu->blocks.error, cpu->blocks.path);
		return NULL;
	}
	if (historical)
		at = ltt_put64(at, entry->time);
	at = ltt_put32(at, writer->order);
	return ltt_put32(at, entry->precision);
}

static int writer_failed(const struct ltt_writer *writer)
{
	return writer->home && writer->home->blocks.error ? writer->home->blocks.error : -EIO;
}

/* Returns the bytes of the fields of an entry in its event: a list has its count before it, and a string a zero after it. */
static size_t size_of_fields(const struct bcos_entry *entry)
{
	size_t size = sizeof(entry->source);
	struct bcos_walk walk;

	bcos_walk_begin(&walk, entry);
	while (bcos_walk_next(&walk))
		size += walk.field->form == BCOS_FORM_NUMBER ? walk.field->width :
			walk.field->form == BCOS_FORM_LIST ? sizeof(u32) + walk.count * sizeof(u32) : walk.count + 1;
	return size;
}

/* Writes the event of an entry to the file of @cpu, with the source and the fields of its type. */
static int put_fields(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	u8 *at = begin_event(writer, cpu, ltt_events[bcos_type_of(entry->type) - bcos_types].id, entry,
			     size_of_fields(entry));
	struct bcos_walk walk;

	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	bcos_walk_begin(&walk, entry);
	while (bcos_walk_next(&walk)) {
		if (walk.field->form == BCOS_FORM_NUMBER) {
			memcpy(at, &walk.number, walk.field->width);
			at += walk.field->width;
		} else if (walk.field->form == BCOS_FORM_LIST) {
			at = ltt_put32(at, (u32)walk.count);
			memcpy(at, walk.bytes, walk.count * sizeof(u32));
		} else {
			ltt_put_text(at, (const char *)walk.bytes, walk.count);
		}
	}
	return 0;
}

/* ---- the types ------------------------------------------------------------------ */

/* Writes a switch of a CPU. @time: when, if that is not before the last event of the CPU */
static int put_switch(struct ltt_writer *writer, struct ltt_cpu *cpu, u64 time, u32 precision, u32 process, bool repeats)
{
	u8 *at = ltt_event(&cpu->blocks, LTT_SCHEDULE, time, 8 + 8 + 1);

	if (unlikely(!at))
		return ltt_fail(writer, cpu->blocks.error, cpu->blocks.path);
	at = ltt_put32(at, writer->order);
	at = ltt_put32(at, precision);
	at = ltt_put32(at, cpu->known ? cpu->process : cpu->gone ? BCOS_PROCESS_IDLE : NOBODY);
	at = ltt_put32(at, process);
	*at = repeats;
	cpu->process = process;
	cpu->known = process != NOBODY;
	if (cpu->known)
		chain_add(&writer->known, &cpu->known_link);
	cpu->gone = cpu->stated = false;
	return 0;
}

static int put_assign(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	writer->home = cpu;
	return put_switch(writer, cpu, writer->now, entry->precision, ((const struct bcos_assign_cpu *)entry)->process,
			  false);
}

/* A CPU switches to what a group has stated. */
static int settle_cpu(struct ltt_writer *writer, struct ltt_cpu *cpu)
{
	return cpu->stated ? put_switch(writer, cpu, writer->now, 0, cpu->stated_process, true) : 0;
}

/* From @time on nobody knows what a CPU runs. */
static int lose_cpu_at(struct ltt_writer *writer, struct ltt_cpu *cpu, u64 time)
{
	cpu->stated = false;
	return cpu->known ? put_switch(writer, cpu, time, 0, NOBODY, true) : 0;
}

static int lose_cpu(struct ltt_writer *writer, struct ltt_cpu *cpu)
{
	return lose_cpu_at(writer, cpu, writer->now);
}

int ltt_lose_cpus(struct ltt_writer *writer)
{
	struct link *link;
	int r = 0;

	while ((link = chain_take(&writer->stated)))
		item_of(link, struct ltt_cpu, stated_link)->stated = false;
	while (!r && (link = chain_take(&writer->known)))
		r = lose_cpu(writer, item_of(link, struct ltt_cpu, known_link));
	return r;
}

/* What a group has stated holds from now on. */
static int settle_cpus(struct ltt_writer *writer)
{
	struct link *link;
	int r = 0;

	while (!r && (link = chain_take(&writer->stated)))
		r = settle_cpu(writer, item_of(link, struct ltt_cpu, stated_link));
	return r;
}

/* After some entries nobody knows what one CPU runs, or what all of them run. */
static int lose_after(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;

	switch (unknown_after(entry)) {
	case UNKNOWN_NONE:
		return 0;
	case UNKNOWN_CPU:
		if (!bcoslog_loss(entry, &loss) || loss.begin > writer->now)
			loss.begin = writer->now;
		return lose_cpu_at(writer, cpu, loss.begin);
	default:
		return ltt_lose_cpus(writer);
	}
}

static int put_process(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	int r = put_fields(writer, writer->home, entry);

	return r ? r : ltt_control_process(writer, writer->now, entry->source, name, length,
					   entry->type & BCOS_TYPE_HISTORICAL ? LTT_WAIT_INTERRUPTIBLE : LTT_RUNNING);
}

static int put_process_end(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	const struct bcoslog_process *known = bcoslog_process(writer->state, entry->source);
	int r = put_fields(writer, writer->home, entry);

	return r ? r : ltt_control_process(writer, writer->now, entry->source, known ? known->name : "",
					   known ? known->name_length : 0, LTT_ZOMBIE);
}

/* A device gets a name, or goes. */
static int put_device(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	size_t length = 0;
	const char *name = bcoslog_text(entry, &length);
	int r = put_fields(writer, writer->home, entry);

	return r ? r : ltt_control_device(writer, writer->now, entry->source, name, length);
}

static int put_generic(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;
	struct worded worded;
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	int r = lose_after(writer, cpu, entry);

	r = r ? r : put_fields(writer, cpu, entry_in_words(&worded, entry));
	if (r || !bcoslog_loss(entry, &loss))
		return r;
	return ltt_bookmark_add(writer, loss.begin, loss.end, entry->source, text, length);
}

/* A group states that a CPU is online, which then has a file, or which process has the CPU. */
static int put_stated(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	struct ltt_cpu *cpu = ltt_cpu(writer, entry->source);
	int r = cpu ? put_fields(writer, writer->home, entry) : writer_failed(writer);

	if (r || entry->type != BCOS_HIST_ASSIGN_CPU)
		return r;
	cpu->stated_process = ((const struct bcos_assign_cpu *)entry)->process;
	cpu->stated = true;
	chain_add(&writer->stated, &cpu->stated_link);
	return 0;
}

/* ---- what happens ---------------------------------------------------------------- */

static int put_io(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	int r = put_fields(writer, writer->home, entry);

	if (r || entry->type != BCOS_IRQ)
		return r;
	return ltt_control_irq(writer, writer->now, entry->source, ((const struct bcos_irq *)entry)->number);
}

/* A CPU should be idle when it goes offline. If it is not, nobody knows what it runs. */
static int put_cpu_offline(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	int r;

	cpu->gone = cpu->known && cpu->process == BCOS_PROCESS_IDLE;
	r = cpu->gone ? 0 : lose_cpu(writer, cpu);
	cpu->known = false;
	return r ? r : put_fields(writer, writer->home, entry);
}

static int put_rare(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		return put_process(writer, entry);
	case BCOS_CANCEL_PROCESS_NAME:
		return put_process_end(writer, entry);
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
	case BCOS_CANCEL_DEVICE_NAME:
		return put_device(writer, entry);
	case BCOS_CPU_OFFLINE:
		return put_cpu_offline(writer, cpu, entry);
	case BCOS_HIST_CPU_ONLINE:
	case BCOS_HIST_ASSIGN_CPU:
		return put_stated(writer, entry);
	default:
		return bcoslog_is_generic(entry->type) ? put_generic(writer, cpu, entry) :
							 put_fields(writer, writer->home, entry);
	}
}

/* Learns from a statement the host, the kernel and the machine for system.xml. */
static void learn_machine(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	struct bcos_kernel_fact kernel;
	size_t length, fact_length;
	const char *text = bcoslog_text(entry, &length), *fact;

	fact_length = length;
	fact = bcos_fact_parse(id, text, &fact_length);
	if (id == BCOS_EVENT_HOST && fact) {
		snprintf(writer->host, sizeof(writer->host), "%.*s", (int)fact_length, fact);
	} else if (id == BCOS_EVENT_KERNEL && bcos_kernel_parse(&kernel, text, length)) {
		snprintf(writer->release, sizeof(writer->release), "%.*s", (int)kernel.release_length, kernel.release);
		snprintf(writer->machine, sizeof(writer->machine), "%.*s", (int)kernel.machine_length, kernel.machine);
	}
}

/* Does a historical entry only repeat what is known? */
static bool is_repeated(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	const struct bcos_assign_cpu *assign = (const struct bcos_assign_cpu *)entry;
	struct ltt_cpu *cpu;

	if (entry->type != BCOS_HIST_ASSIGN_CPU)
		return bcoslog_state_compare(writer->state, entry) == BCOSLOG_REPEATED;
	cpu = entry->source < LTT_CPUS_MAX ? writer->cpus[entry->source] :
					     table_find(&writer->more_cpus, entry->source);
	if (cpu && cpu->stated)
		return cpu->stated_process == assign->process;
	return cpu && cpu->known && cpu->process == assign->process;
}

/* Writes an entry of any type that is not among the most frequent. */
static int put_entry(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL,
	     about_cpu = (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU;
	struct ltt_cpu *cpu;
	int r;

	if (!bcoslog_type_name(entry->type)) {
		writer->skipped++;
		return 0;
	}
	if (historical && is_repeated(writer, entry))
		return 0;
	cpu = writer->home;
	if (!cpu || (about_cpu && !historical))
		cpu = ltt_cpu(writer, about_cpu ? entry->source : 0);
	if (!cpu)
		return -ENOMEM;
	writer->home = cpu;
	r = put_rare(writer, cpu, entry);
	if (bcoslog_is_statement(entry) && entry->type == BCOS_GENERIC_PROCESS)
		learn_machine(writer, entry);
	if (r)
		return r;
	r = entry->type == BCOS_HIST_ASSIGN_CPU ? 0 : bcoslog_state_apply(writer->state, entry);
	return r ? ltt_fail(writer, r, "names") : 0;
}

int ltt_put_next(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	struct ltt_cpu *cpu;
	int r;

	if (entry->time > writer->now && !(entry->type & BCOS_TYPE_HISTORICAL))
		writer->now = entry->time;
	r = entry->type & BCOS_TYPE_HISTORICAL ? 0 : settle_cpus(writer);
	if (unlikely(r))
		return r;
	writer->order++;
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		cpu = ltt_cpu(writer, entry->source);
		return likely(cpu) ? put_assign(writer, cpu, entry) : writer_failed(writer);
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		if (likely(writer->home || (writer->home = ltt_cpu(writer, 0))))
			return put_io(writer, entry);
		return writer_failed(writer);
	default:
		return put_entry(writer, entry);
	}
}
