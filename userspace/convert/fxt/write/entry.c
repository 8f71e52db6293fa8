// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to the Fuchsia trace format: the records for each entry. */
#include "core/format/thread_text.h"
#include "../../unknown.h"
#include "../../words.h"
#include "core/format/fields.h"
#include "entry/text.h"
#include "write.h"

/* A record holds at most this many bytes of a text. Further records hold the rest. */
#define PART 30000u
/* A record holds at most this many function numbers, each of up to ten digits and a space. */
#define FUNCTIONS 2700u

/* ---- texts --------------------------------------------------------------------------- */

static void put_log(struct fxt_export *fxt, const struct bcos_entry *entry, struct fxt_thread *thread, const char *text,
		    size_t length)
{
	struct record *record = &fxt->record;
	u8 ref = fxt_thread_ref(fxt, thread);

	record->count = record->arguments = 0;
	record_word(record, (u64)length << 16 | (u64)ref << 32);
	record_word(record, entry->time);
	fxt_thread_inline(record, thread, ref);
	record_stream(record, text, length);
	record->words[0] |= FXT_LOG | (u64)record->count << 4;
	outfile_bytes(fxt->file, record->words, (size_t)record->count * 8);
}

/*
 * A thread that runs, blocks or is woken has nothing to say to a person, who reads the log records. Nor has one whose name the
 * log repeats after each group.
 */
static bool is_of_thread(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_PROCESS &&
	       bcos_tells_of_thread(((const struct bcos_generic *)entry)->event_id);
}

static int put_event(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	static const enum fxt_word categories[] = { FXT_W_PROCESS, FXT_W_CORE, FXT_W_CPU, FXT_W_DEVICE };
	unsigned int subject = (entry->type & BCOS_TYPE_SUBJECT_MASK) >> 13;
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct fxt_thread *thread;
	struct record *record;
	struct worded worded;
	size_t length, part;
	const char *text = bcoslog_text(entry_in_words(&worded, entry), &length);

	if (subject == 0)
		thread = fxt_thread_of(fxt, entry->source, 0);
	else if (subject == 3)
		thread = fxt_device_thread(fxt, entry->source);
	else
		thread = fxt_thread_of(fxt, BCOS_PROCESS_KERNEL, subject == 2 ? entry->source : 0);
	if (!thread)
		return -ENOMEM;
	do {
		part = utf8_fit(text, length, PART);
		/* A short text is the name of the event, so that viewers show it. */
		record = fxt_event(fxt, FXT_INSTANT, entry->time, thread, categories[subject],
				   length && length < 256 ? FXT_W_EMPTY : FXT_W_EVENT, text, length);
		if (subject)
			record_u32(record, categories[subject], entry->source);
		record_u32(record, FXT_W_ID, event->event_id);
		record_u32(record, FXT_W_SEVERITY, entry->size > BCOS_GENERIC_MIN ? event->severity : 0);
		if (!length || length >= 256)
			record_text(record, FXT_W_TEXT, text, part);
		if (part < length)
			record_u32(record, FXT_W_MORE, (u32)(length - part));
		fxt_event_end(fxt, entry);
		if (part && !is_of_thread(entry))
			put_log(fxt, entry, thread, text, part);
		text += part;
		length -= part;
		/* If the rest is short, it has to be an argument all the same, so that it does not become a name. */
		if (length && length < 256) {
			record = fxt_event(fxt, FXT_INSTANT, entry->time, thread, categories[subject], FXT_W_EVENT,
					   NULL, 0);
			if (subject)
				record_u32(record, categories[subject], entry->source);
			record_u32(record, FXT_W_ID, event->event_id);
			record_u32(record, FXT_W_SEVERITY, event->severity);
			record_text(record, FXT_W_TEXT, text, length);
			fxt_event_end(fxt, entry);
			put_log(fxt, entry, thread, text, length);
			length = 0;
		}
	} while (length);
	return 0;
}

/* Adds an argument with at most FUNCTIONS elements of a list, from element @at on. Return: the number of the next one. */
static size_t add_list(struct record *record, enum fxt_word name, const struct bcos_walk *walk, size_t at)
{
	size_t end = walk->count - at < FUNCTIONS ? walk->count : at + FUNCTIONS, i;
	char text[FUNCTIONS * 11 + 1] = "";
	int used = 0;

	for (i = at; i < end; i++)
		used += sprintf(text + used, i > at ? " %u" : "%u", bcos_walk_element(walk, i));
	record_text(record, name, text, (size_t)used);
	return end;
}

static int put_calls(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	struct fxt_thread *thread = fxt_thread_of(fxt, entry->source, 0);
	struct record *record;
	struct bcos_walk walk;
	size_t at = 0;

	if (!thread)
		return -ENOMEM;
	bcos_walk_begin(&walk, entry);
	bcos_walk_next(&walk);
	do {
		record = fxt_event(fxt, FXT_INSTANT, entry->time, thread, FXT_W_PROCESS, FXT_W_KERNEL_API, NULL, 0);
		at = add_list(record, FXT_W_FUNCTIONS, &walk, at);
		if (at < walk.count)
			record_u32(record, FXT_W_MORE, (u32)(walk.count - at));
		fxt_event_end(fxt, entry);
	} while (at < walk.count);
	return 0;
}

/* ---- losses ---------------------------------------------------------------------------- */

void fxt_forget(struct fxt_export *fxt)
{
	u32 cpu;

	while (cpu_set_take(&fxt->cached, &cpu))
		fxt->cpus[cpu].thread = NULL;
	fxt_refresh_threads(fxt);
	fxt_threads_clear(&fxt->threads);
}

/* Writes an event, and takes back what it makes unknown. For a loss, a record tells readers that a buffer filled up. */
static int put_generic(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	u64 word = FXT_METADATA | 1 << 4 | FXT_PROVIDER_EVENT << 16 | (u64)FXT_PROVIDER << 20;
	int r = put_event(fxt, entry);

	if (bcoslog_is_loss(entry) || bcoslog_is_missed(entry))
		outfile_bytes(fxt->file, &word, sizeof(word));
	switch (r ? UNKNOWN_NONE : unknown_after(entry)) {
	case UNKNOWN_CPU:
		return entry->source < FXT_CPUS ? fxt_unknown(fxt, entry->time, entry->source) : 0;
	case UNKNOWN_CPUS:
		return fxt_all_unknown(fxt, entry->time);
	case UNKNOWN_ALL:
		r = fxt_all_unknown(fxt, entry->time);
		fxt_forget(fxt);
		/* The group that follows states what is true at the next entry after the group. */
		fxt->begun = false;
		return r;
	default:
		return r;
	}
}

/* ---- cores and CPUs ---------------------------------------------------------------------- */

/* Writes power and performance as counters, which viewers draw. */
static void put_counters(struct fxt_export *fxt, const struct bcos_entry *entry, struct fxt_thread *thread, u64 time)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	size_t count = (entry->size - sizeof(*core)) / sizeof(u32);
	struct record *record;

	record = fxt_event(fxt, FXT_COUNTER, time, thread, FXT_W_CORE, FXT_W_POWER, NULL, 0);
	record_u32(record, FXT_W_IDLE_POWER, core->idle_power);
	record_u32(record, FXT_W_POWER_DIFFERENCE, core->power_difference);
	record_word(record, entry->source);
	fxt_event_close(fxt);
	if (!count)
		return;
	record = fxt_event(fxt, FXT_COUNTER, time, thread, FXT_W_CORE, FXT_W_PERFORMANCE, NULL, 0);
	record_u32(record, FXT_W_PERFORMANCE, core->performance[0]);
	record_word(record, entry->source);
	fxt_event_close(fxt);
}

/* @index: number of the field within its type. The first power is that of an idle core. */
static enum fxt_word word_of(const struct bcos_field *field, unsigned int index)
{
	switch (field->kind) {
	case BCOS_KIND_CORE:
		return FXT_W_CORE;
	case BCOS_KIND_POWER:
		return index ? FXT_W_POWER_DIFFERENCE : FXT_W_IDLE_POWER;
	case BCOS_KIND_PERFORMANCE:
		return FXT_W_PERFORMANCE;
	case BCOS_KIND_BYTES:
		return FXT_W_BYTES;
	default:
		return FXT_W_NUMBER;
	}
}

/* Adds all fields of an entry without a string as arguments. */
static void add_fields(struct record *record, const struct bcos_entry *entry)
{
	struct bcos_walk walk;
	unsigned int index;

	bcos_walk_begin(&walk, entry);
	for (index = 0; bcos_walk_next(&walk); index++) {
		if (walk.field->form == BCOS_FORM_LIST)
			add_list(record, word_of(walk.field, index), &walk, 0);
		else
			record_u32(record, word_of(walk.field, index), (u32)walk.number);
	}
}

static int put_topology(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	u16 type = entry->type & ~BCOS_TYPE_HISTORICAL;
	bool core = type == BCOS_CORE_ONLINE || type == BCOS_CORE_OFFLINE, online = type == BCOS_CORE_ONLINE || type == BCOS_CPU_ONLINE;
	u64 time = entry->type & BCOS_TYPE_HISTORICAL ? fxt->time : entry->time;
	struct fxt_thread *thread = fxt_thread_of(fxt, BCOS_PROCESS_KERNEL, core ? 0 : entry->source);
	struct record *record;

	if (!thread)
		return -ENOMEM;
	record = fxt_event(fxt, FXT_INSTANT, time, thread, core ? FXT_W_CORE : FXT_W_CPU,
			   online ? FXT_W_ONLINE : FXT_W_OFFLINE, NULL, 0);
	record_u32(record, core ? FXT_W_CORE : FXT_W_CPU, entry->source);
	add_fields(record, entry);
	fxt_event_end(fxt, entry);
	if (core && online)
		put_counters(fxt, entry, thread, time);
	return 0;
}

/* A CPU that goes offline should be idle. If it is not, nobody knows what it runs. */
static int put_cpu_offline(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	u32 id = entry->source;
	int r = put_topology(fxt, entry);

	if (!r && id < fxt->cpu_count && fxt->cpus[id].known && fxt->cpus[id].process != BCOS_PROCESS_IDLE)
		r = fxt_unknown(fxt, entry->time, id);
	return r;
}

/* ---- devices --------------------------------------------------------------------------------- */

static int put_transfer(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	struct fxt_thread *device = fxt_device_thread(fxt, entry->source);
	bool irq = entry->type == BCOS_IRQ;
	struct record *record;

	if (!device)
		return -ENOMEM;
	record = fxt_event(fxt, irq ? FXT_INSTANT : FXT_COUNTER, entry->time, device, FXT_W_DEVICE,
			   irq ? FXT_W_IRQ : entry->type == BCOS_DEVICE_INPUT ? FXT_W_INPUT : FXT_W_OUTPUT, NULL, 0);
	if (irq)
		record_u32(record, FXT_W_ID, entry->source);
	add_fields(record, entry);
	if (entry->precision != 1)
		record_u32(record, FXT_W_PRECISION, entry->precision);
	/* The device ID is the ID of the counter. */
	if (!irq)
		record_word(record, entry->source);
	fxt_event_close(fxt);
	return 0;
}

/* ---- entries ------------------------------------------------------------------------------------ */

int fxt_put_entry(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	int known;

	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
	case BCOS_HIST_ASSIGN_CPU:
		return fxt_assigned(fxt, (const struct bcos_assign_cpu *)entry);
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		return put_transfer(fxt, entry);
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		return fxt_process_named(fxt, entry);
	case BCOS_CANCEL_PROCESS_NAME:
		return fxt_process_ended(fxt, entry);
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
		return fxt_device_named(fxt, entry);
	case BCOS_CANCEL_DEVICE_NAME:
		return fxt_device_ended(fxt, entry);
	case BCOS_KERNEL_API:
		return put_calls(fxt, entry);
	case BCOS_CORE_ONLINE:
	case BCOS_HIST_CORE_ONLINE:
	case BCOS_CPU_ONLINE:
	case BCOS_HIST_CPU_ONLINE:
	case BCOS_CORE_OFFLINE:
	case BCOS_CPU_OFFLINE:
		known = fxt_item_known(fxt, entry);
		if (known < 0 || (known && entry->type & BCOS_TYPE_HISTORICAL))
			return known < 0 ? known : 0;
		if (entry->type == BCOS_CPU_OFFLINE)
			return put_cpu_offline(fxt, entry);
		return put_topology(fxt, entry);
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_CPU:
	case BCOS_GENERIC_DEVICE:
		return put_generic(fxt, entry);
	default:
		return 0;
	}
}
