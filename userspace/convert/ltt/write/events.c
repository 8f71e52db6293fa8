// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes each entry of a log as an event of an LTT trace, into the file of its CPU. */
#include "../../unknown.h"
#include "ltt_writer.h"

/* Stands for the process that had a CPU if the log did not tell it. */
#define NOBODY 0xFFFFFFFEu

/*
 * Begins the event of an entry, with the entry's order and precision. Returns the place of the other fields, or NULL.
 */
static u8 *begin_event(struct ltt_writer *writer, struct ltt_cpu *cpu, u16 id, const struct bcos_entry *entry,
		       size_t size)
{
	u8 *at = ltt_event(&cpu->blocks, id, writer->now, 8 + size);

	if (unlikely(!at)) {
		ltt_fail(writer, cpu->blocks.error, cpu->blocks.path);
		return NULL;
	}
	at = ltt_put32(at, writer->order);
	return ltt_put32(at, entry->precision);
}

/*
 * Begins the event of a historical entry, with the time since which it holds. Returns the place of the other fields, or
 * NULL.
 */
static u8 *begin_since(struct ltt_writer *writer, u16 id, const struct bcos_entry *entry, size_t size)
{
	struct ltt_blocks *blocks = &writer->home->blocks;
	u8 *at = ltt_event(blocks, id, writer->now, 16 + size);

	if (!at) {
		ltt_fail(writer, blocks->error, blocks->path);
		return NULL;
	}
	at = ltt_put64(at, entry->time);
	at = ltt_put32(at, writer->order);
	return ltt_put32(at, entry->precision);
}

static int writer_failed(const struct ltt_writer *writer)
{
	return writer->home && writer->home->blocks.error ? writer->home->blocks.error : -EIO;
}

/* Writes an event with the entry's source and one number. */
static int put_number(struct ltt_writer *writer, u16 id, const struct bcos_entry *entry, u32 number)
{
	u8 *at = begin_event(writer, writer->home, id, entry, 8);

	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	ltt_put32(at, number);
	return 0;
}

static int put_source(struct ltt_writer *writer, u16 id, const struct bcos_entry *entry)
{
	u8 *at = begin_event(writer, writer->home, id, entry, 4);

	if (!at)
		return writer_failed(writer);
	ltt_put32(at, entry->source);
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
	return ltt_each_cpu(writer, lose_cpu);
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

static int put_process(struct ltt_writer *writer, const struct bcos_entry *entry, bool historical)
{
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	u8 *at = historical ? begin_since(writer, LTT_STATE_PROCESS, entry, 4 + length + 1) :
		begin_event(writer, writer->home, LTT_PROCESS_NAME, entry, 4 + length + 1);
	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	ltt_put_text(at, name, length);
	return ltt_control_process(writer, writer->now, entry->source, name, length,
				   historical ? LTT_WAIT_INTERRUPTIBLE : LTT_RUNNING);
}

static int put_process_end(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	const struct bcoslog_process *known = bcoslog_process(writer->state, entry->source);
	int r = put_number(writer, LTT_PROCESS_END, entry, ((const struct bcos_cancel_name *)entry)->status);

	return r ? r : ltt_control_process(writer, writer->now, entry->source, known ? known->name : "",
					   known ? known->name_length : 0, LTT_ZOMBIE);
}

/* Writes the power and the performances of a core. */
static int put_core(struct ltt_writer *writer, const struct bcos_entry *entry, bool historical)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	u32 count = (entry->size - (u32)sizeof(*core)) / 4;
	size_t size = 4 + 4 + 4 + 4 * (size_t)count;
	u8 *at = historical ? begin_since(writer, LTT_STATE_CORE, entry, size) :
		begin_event(writer, writer->home, LTT_CORE_ONLINE, entry, size);

	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	at = ltt_put16(at, core->idle_power);
	at = ltt_put16(at, core->power_difference);
	at = ltt_put32(at, count);
	memcpy(at, core->performance, 4 * (size_t)count);
	return 0;
}

static int put_device(struct ltt_writer *writer, const struct bcos_entry *entry, bool historical)
{
	u32 driver = ((const struct bcos_device_name *)entry)->driver;
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	u8 *at = historical ? begin_since(writer, LTT_STATE_DEVICE, entry, 8 + length + 1) :
		begin_event(writer, writer->home, LTT_DEVICE_NAME, entry, 8 + length + 1);

	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	at = ltt_put32(at, driver);
	ltt_put_text(at, name, length);
	return ltt_control_device(writer, writer->now, entry->source, name, length);
}

static int put_calls(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	u32 count = (entry->size - (u32)sizeof(*calls)) / 4;
	u8 *at = begin_event(writer, writer->home, LTT_KERNEL_CALL, entry, 8 + 4 * (size_t)count);

	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	at = ltt_put32(at, count);
	memcpy(at, calls->function, 4 * (size_t)count);
	return 0;
}

static int put_generic(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct bcoslog_loss loss;
	size_t length;
	const char *text = bcoslog_text(entry, &length);
	u16 id = LTT_GENERIC_PROCESS + (entry->type >> 13 & 3);
	int r = lose_after(writer, cpu, entry);
	u8 *at = r ? NULL : begin_event(writer, cpu, id, entry, 4 + 4 + 1 + length + 1);

	if (!at)
		return r ? r : cpu->blocks.error;
	at = ltt_put32(at, entry->source);
	at = ltt_put32(at, event->event_id);
	*at++ = event->severity;
	ltt_put_text(at, text, length);
	if (!bcoslog_loss(entry, &loss))
		return 0;
	return ltt_bookmark_add(writer, loss.begin, loss.end, entry->source, text, length);
}

/* Writes a historical entry that tells something new. */
static int put_historical(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	u32 number = ((const struct bcos_assign_cpu *)entry)->process;
	struct ltt_cpu *cpu;
	u8 *at;

	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		return put_process(writer, entry, true);
	case BCOS_HIST_CORE_ONLINE:
		return put_core(writer, entry, true);
	case BCOS_HIST_SET_DEVICE_NAME:
		return put_device(writer, entry, true);
	default:
		break;
	}
	cpu = ltt_cpu(writer, entry->source);
	if (!cpu)
		return writer_failed(writer);
	at = begin_since(writer, entry->type == BCOS_HIST_CPU_ONLINE ? LTT_STATE_CPU : LTT_STATE_ASSIGN, entry, 8);
	if (!at)
		return writer_failed(writer);
	at = ltt_put32(at, entry->source);
	ltt_put32(at, number);
	if (entry->type == BCOS_HIST_ASSIGN_CPU) {
		cpu->stated_process = number;
		cpu->stated = writer->stated = true;
	}
	return 0;
}

/* ---- what happens ---------------------------------------------------------------- */

static int put_io(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	u32 number = ((const struct bcos_device_io *)entry)->bytes;
	int r;

	switch (entry->type) {
	case BCOS_DEVICE_INPUT:
		return put_number(writer, LTT_DEVICE_INPUT, entry, number);
	case BCOS_DEVICE_OUTPUT:
		return put_number(writer, LTT_DEVICE_OUTPUT, entry, number);
	default:
		r = put_number(writer, LTT_IRQ, entry, number);
		return r ? r : ltt_control_irq(writer, writer->now, entry->source, number);
	}
}

static int put_cpu(struct ltt_writer *writer, struct ltt_cpu *cpu, const struct bcos_entry *entry)
{
	int r;

	writer->home = cpu;
	switch (entry->type) {
	case BCOS_CPU_ONLINE:
		return put_number(writer, LTT_CPU_ONLINE, entry, ((const struct bcos_cpu_online *)entry)->core);
	case BCOS_CPU_OFFLINE:
		/* A CPU should be idle when it goes offline. If it is not, nobody knows what it runs. */
		cpu->gone = cpu->known && cpu->process == BCOS_PROCESS_IDLE;
		r = cpu->gone ? 0 : lose_cpu(writer, cpu);
		cpu->known = false;
		return r ? r : put_source(writer, LTT_CPU_OFFLINE, entry);
	default:
		return put_generic(writer, cpu, entry);
	}
}

static int put_rare(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	u32 status = ((const struct bcos_cancel_name *)entry)->status;
	int r;

	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
		return put_process(writer, entry, false);
	case BCOS_CANCEL_PROCESS_NAME:
		return put_process_end(writer, entry);
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_DEVICE:
		return put_generic(writer, writer->home, entry);
	case BCOS_KERNEL_API:
		return put_calls(writer, entry);
	case BCOS_CORE_ONLINE:
		return put_core(writer, entry, false);
	case BCOS_CORE_OFFLINE:
		return put_source(writer, LTT_CORE_OFFLINE, entry);
	case BCOS_SET_DEVICE_NAME:
		return put_device(writer, entry, false);
	case BCOS_CANCEL_DEVICE_NAME:
		r = put_number(writer, LTT_DEVICE_END, entry, status);
		return r ? r : ltt_control_device(writer, writer->now, entry->source, NULL, 0);
	default:
		writer->skipped++;
		return 0;
	}
}

/* Learns from a statement the host, the kernel and the machine for system.xml. */
static void learn_machine(struct ltt_writer *writer, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	char text[256];
	size_t length;
	const char *from = bcoslog_text(entry, &length);

	snprintf(text, sizeof(text), "%.*s", (int)(length < 255 ? length : 255), from);
	if (id == BCOS_EVENT_HOST)
		sscanf(text, "host %255s", writer->host);
	else if (id == BCOS_EVENT_KERNEL)
		sscanf(text, "kernel %255s %63s", writer->release, writer->machine);
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
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;
	struct ltt_cpu *cpu;
	int r;

	if (historical && (is_repeated(writer, entry) || !bcoslog_type_name(entry->type))) {
		writer->skipped += !bcoslog_type_name(entry->type);
		return 0;
	}
	if (!writer->home) {
		writer->home =
			ltt_cpu(writer, (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU ? entry->source : 0);
		if (!writer->home)
			return -ENOMEM;
	}
	if (historical) {
		r = put_historical(writer, entry);
	} else if (bcoslog_type_name(entry->type) && (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_CPU) {
		cpu = ltt_cpu(writer, entry->source);
		r = cpu ? put_cpu(writer, cpu, entry) : -ENOMEM;
	} else {
		r = put_rare(writer, entry);
	}
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
	if (unlikely(writer->stated) && !(entry->type & BCOS_TYPE_HISTORICAL)) {
		writer->stated = false;
		r = ltt_each_cpu(writer, settle_cpu);
		if (r)
			return r;
	}
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
