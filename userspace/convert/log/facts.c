// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Each event becomes an entry, which the sorter gets. */
#include "core/format/loss_text.h"
#include "core/format/statement_text.h"
#include "store.h"

/* Begins an entry of @size bytes in @writer->room. All bytes after the header are zero. */
static void *make_entry(struct log_writer *writer, struct moment when, u16 type, u32 source, size_t size)
{
	struct bcos_entry *entry = (struct bcos_entry *)writer->room;

	memset(entry, 0, size);
	entry->size = (u16)size;
	entry->type = type;
	entry->source = source;
	entry->time = when.time;
	if (when.time > writer->latest)
		writer->latest = when.time;
	entry->precision = when.precision > ~when.time ? (u32)~when.time : when.precision;
	return entry;
}

static int tell_entry(struct log_writer *writer)
{
	int r = writer->error ? writer->error :
		guard_tell(writer->options.guard, ((const struct bcos_entry *)writer->room)->size);

	writer->facts++;
	if (!r && !writer->verbatim)
		r = sorter_add(writer->sorter, (const struct bcos_entry *)writer->room);
	return r ? log_fail(writer, r) : 0;
}

/* Tells an entry that is a header and a number. */
static int tell_number(struct log_writer *writer, struct moment when, u16 type, u32 source, u32 number)
{
	struct bcos_assign_cpu *entry = make_entry(writer, when, type, source, sizeof(*entry));

	entry->process = number;
	return tell_entry(writer);
}

/* Sets the string of an entry, which begins at @offset and ends the entry, and the size of the entry. */
static int tell_text(struct log_writer *writer, struct bcos_entry *entry, size_t offset, const char *text,
		     size_t length, bool is_name)
{
	char *to = (char *)entry + offset;
	size_t room = (BCOS_ENTRY_MAX & ~3u) - offset;

	length = (is_name ? bcos_name_clean : bcos_utf8_clean)(to, room, text, length);
	memset(to + length, 0, 3);
	entry->size = (u16)bcos_entry_size(offset, length);
	return tell_entry(writer);
}

int log_process(struct log_writer *writer, struct moment when, u32 id, const char *name, size_t length)
{
	if (id == BCOS_PROCESS_IDLE || id == BCOS_PROCESS_KERNEL)
		return id ? log_drop(writer) : writer->error;
	log_used(writer, &writer->processes, id, when.time, true);
	return tell_text(writer, make_entry(writer, when, BCOS_SET_PROCESS_NAME, id, sizeof(struct bcos_entry)),
			 sizeof(struct bcos_entry), name, length, true);
}

int log_process_end(struct log_writer *writer, struct moment when, u32 id, u32 status)
{
	if (id == BCOS_PROCESS_IDLE || id == BCOS_PROCESS_KERNEL)
		return log_drop(writer);
	log_used(writer, &writer->processes, id, when.time, false);
	return tell_number(writer, when, BCOS_CANCEL_PROCESS_NAME, id, status);
}

int log_core_online(struct log_writer *writer, struct moment when, u32 id, u16 idle_power, u16 power_difference,
		    const u32 *performance, size_t performances)
{
	struct bcos_core_online *entry;

	if (performances > PERFORMANCES_MAX)
		performances = PERFORMANCES_MAX;
	log_used(writer, &writer->cores, id, when.time, true);
	entry = make_entry(writer, when, BCOS_CORE_ONLINE, id, sizeof(*entry) + performances * sizeof(*performance));
	entry->idle_power = idle_power;
	entry->power_difference = power_difference;
	if (performances)
		memcpy(entry->performance, performance, performances * sizeof(*performance));
	return tell_entry(writer);
}

int log_core_offline(struct log_writer *writer, struct moment when, u32 id)
{
	log_used(writer, &writer->cores, id, when.time, false);
	make_entry(writer, when, BCOS_CORE_OFFLINE, id, sizeof(struct bcos_entry));
	return tell_entry(writer);
}

/* An event uses a CPU. If nothing has told the CPU's core, the CPU gets a core of its own number. */
static struct subject *use_cpu(struct log_writer *writer, u32 id, u64 time)
{
	struct subject *cpu = log_used(writer, &writer->cpus, id, time, false);

	if (cpu && !cpu->cpus)
		log_set_core(writer, cpu, id, time);
	return cpu;
}

int log_cpu_online(struct log_writer *writer, struct moment when, u32 id, u32 core)
{
	struct subject *cpu = log_used(writer, &writer->cpus, id, when.time, true);

	if (cpu)
		log_set_core(writer, cpu, core, when.time);
	return tell_number(writer, when, BCOS_CPU_ONLINE, id, core);
}

int log_cpu_offline(struct log_writer *writer, struct moment when, u32 id)
{
	use_cpu(writer, id, when.time);
	make_entry(writer, when, BCOS_CPU_OFFLINE, id, sizeof(struct bcos_entry));
	return tell_entry(writer);
}

int log_assign(struct log_writer *writer, struct moment when, u32 cpu, u32 process)
{
	int r = log_end_unassigned(writer, use_cpu(writer, cpu, when.time), when.time);

	if (process != BCOS_PROCESS_IDLE)
		log_used(writer, &writer->processes, process, when.time, false);
	return r ? r : tell_number(writer, when, BCOS_ASSIGN_CPU, cpu, process);
}

int log_unassign(struct log_writer *writer, struct moment when, u32 id)
{
	struct subject *cpu = use_cpu(writer, id, when.time);

	if (cpu && !cpu->unassigned)
		cpu->lost = when.time;
	if (cpu)
		cpu->unassigned = true;
	return writer->error;
}

int log_end_unassigned(struct log_writer *writer, struct subject *cpu, u64 until)
{
	if (!cpu || !cpu->unassigned)
		return writer->error;
	cpu->unassigned = false;
	/* What is unknown for no time is nothing lost. */
	if (until <= cpu->lost)
		return writer->error;
	return log_loss(writer, (struct moment){ cpu->lost, 0 }, until, cpu->node.id, 1,
			"assignments or more, or task states", "the recording does not tell who had the CPU");
}

int log_device(struct log_writer *writer, struct moment when, u32 id, u32 driver, const char *name, size_t length)
{
	struct bcos_device_name *entry;

	log_used(writer, &writer->devices, id, when.time, true);
	if (driver == BCOS_PROCESS_IDLE)
		driver = BCOS_PROCESS_KERNEL;
	log_used(writer, &writer->processes, driver, when.time, false);
	entry = make_entry(writer, when, BCOS_SET_DEVICE_NAME, id, sizeof(*entry));
	entry->driver = driver;
	return tell_text(writer, &entry->header, sizeof(*entry), name, length, true);
}

int log_device_end(struct log_writer *writer, struct moment when, u32 id, u32 status)
{
	log_used(writer, &writer->devices, id, when.time, false);
	return tell_number(writer, when, BCOS_CANCEL_DEVICE_NAME, id, status);
}

static int tell_transfer(struct log_writer *writer, struct moment when, u16 type, u32 device, u64 bytes)
{
	int r;

	log_used(writer, &writer->devices, device, when.time, false);
	do {
		r = tell_number(writer, when, type, device, bytes > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)bytes);
		bytes -= bytes > 0xFFFFFFFFu ? 0xFFFFFFFFu : bytes;
	} while (!r && bytes);
	return r;
}

int log_input(struct log_writer *writer, struct moment when, u32 device, u64 bytes)
{
	return tell_transfer(writer, when, BCOS_DEVICE_INPUT, device, bytes);
}

int log_output(struct log_writer *writer, struct moment when, u32 device, u64 bytes)
{
	return tell_transfer(writer, when, BCOS_DEVICE_OUTPUT, device, bytes);
}

int log_irq(struct log_writer *writer, struct moment when, u32 device, u32 number)
{
	log_used(writer, &writer->devices, device, when.time, false);
	return tell_number(writer, when, BCOS_IRQ, device, number);
}

int log_calls(struct log_writer *writer, struct moment when, u32 process, const u32 *functions, size_t count)
{
	size_t most = (BCOS_ENTRY_MAX - sizeof(struct bcos_kernel_api)) / sizeof(*functions), n;
	struct bcos_kernel_api *entry;
	int r;

	if (process == BCOS_PROCESS_IDLE)
		return log_drop(writer);
	log_used(writer, &writer->processes, process, when.time, false);
	do {
		n = count < most ? count : most;
		entry = make_entry(writer, when, BCOS_KERNEL_API, process, sizeof(*entry) + n * sizeof(*functions));
		if (n)
			memcpy(entry->function, functions, n * sizeof(*functions));
		r = tell_entry(writer);
		functions += n;
		count -= n;
	} while (!r && count);
	return r;
}

int log_event(struct log_writer *writer, struct moment when, u16 type, u32 source, u32 event_id, u8 severity,
	      const char *text, size_t length)
{
	struct bcos_generic *entry;

	switch (type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		if (source == BCOS_PROCESS_IDLE)
			return log_drop(writer);
		log_used(writer, &writer->processes, source, when.time, false);
		break;
	case BCOS_SUBJECT_CORE:
		log_used(writer, &writer->cores, source, when.time, false);
		break;
	case BCOS_SUBJECT_CPU:
		use_cpu(writer, source, when.time);
		break;
	default:
		log_used(writer, &writer->devices, source, when.time, false);
		break;
	}
	entry = make_entry(writer, when, (u16)(BCOS_GENERIC_PROCESS | (type & BCOS_TYPE_SUBJECT_MASK)), source,
			   sizeof(*entry));
	entry->event_id = bcos_event_id_valid(type, event_id) ? event_id : event_id | BCOS_EVENT_OWN;
	entry->severity = severity;
	return tell_text(writer, &entry->header, BCOS_GENERIC_TEXT, text, length, false);
}

int log_loss(struct log_writer *writer, struct moment when, u64 until, u32 cpu, u64 count, const char *what,
	     const char *why)
{
	char text[256 + BCOS_LOSS_TEXT_END];
	u64 length = until > when.time ? until - when.time : 0;
	struct subject *lossy = subject_of(&writer->cpus, cpu);
	int n;

	/* This loss, which begins with it, tells already that nobody knows what the CPU runs. */
	if (lossy && lossy->unassigned && when.time == lossy->lost)
		lossy->unassigned = false;

	n = bcos_loss_text_count(text, 0, (int)sizeof(text) - BCOS_LOSS_TEXT_END, count, what);
	n = bcos_loss_text_end(text, n, sizeof(text), why, when.time, when.time, until);
	if (length > when.precision)
		when.precision = length > SINCE_BOOT ? SINCE_BOOT : (u32)length;
	return log_event(writer, when, BCOS_GENERIC_CPU, cpu, BCOS_EVENT_LOSS, BCOS_SEVERITY_ERROR, text,
			 (size_t)n);
}

/* Tells a statement of the log about itself, which is no fact of the input. */
static int tell_statement(struct log_writer *writer, struct moment when, u32 event_id, const char *text, size_t length)
{
	int r = log_event(writer, when, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, event_id, BCOS_SEVERITY_INFO, text,
			  length);

	writer->facts--;
	return r;
}

int log_wall_clock(struct log_writer *writer, struct moment when, u64 utc)
{
	char text[BCOS_CLOCK_TEXT];
	int n = bcos_clock_format(text, sizeof(text), utc);

	return tell_statement(writer, when, BCOS_EVENT_CLOCK, text, (size_t)n);
}

int log_statement(struct log_writer *writer, struct moment when, u32 event_id, const char *text)
{
	return tell_statement(writer, when, event_id, text, strlen(text));
}
