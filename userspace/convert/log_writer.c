// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What importers write a log with: facts are told, remembered by their subjects, and given to the sorter. */
#include <stdlib.h>

#include "log_state.h"

#define MEMORY (64u << 20)

/* More CPUs of a core, or performances, do not fit into its entry. */
#define PERFORMANCES_MAX ((BCOS_ENTRY_MAX - sizeof(struct bcos_core_online)) / sizeof(u32))

static void subject_free(struct node *node)
{
	free(((struct subject *)node)->name);
	free(node);
}

struct log_writer *log_writer_new(const struct log_writer_options *options)
{
	struct log_writer *writer = calloc(1, sizeof(*writer));
	const char *folder = options->folder;

	if (!writer)
		return NULL;
	writer->options = *options;
	if (!folder)
		folder = getenv("TMPDIR");
	writer->sorter = sorter_new(folder && *folder ? folder : "/tmp", options->memory ? options->memory : MEMORY);
	writer->state = bcoslog_state_new();
	if (writer->sorter && writer->state && !table_init(&writer->processes) && !table_init(&writer->cores) &&
	    !table_init(&writer->cpus) && !table_init(&writer->devices))
		return writer;
	log_writer_free(writer);
	return NULL;
}

static void table_end(struct table *table)
{
	if (table->buckets)
		table_destroy(table, subject_free);
}

void log_writer_free(struct log_writer *writer)
{
	if (!writer)
		return;
	table_end(&writer->processes);
	table_end(&writer->cores);
	table_end(&writer->cpus);
	table_end(&writer->devices);
	sorter_free(writer->sorter);
	bcoslog_state_free(writer->state);
	free(writer);
}

int log_writer_error(const struct log_writer *writer)
{
	return writer->error;
}

u64 log_writer_dropped(const struct log_writer *writer)
{
	return writer->dropped;
}

static int fail(struct log_writer *writer, int error)
{
	if (!writer->error)
		writer->error = error;
	return writer->error;
}

static int drop(struct log_writer *writer)
{
	writer->dropped++;
	return writer->error;
}

/* ---- subjects --------------------------------------------------------------- */

/* Finds or adds a subject. Returns NULL after noting the error. */
static struct subject *subject(struct log_writer *writer, struct table *table, u32 id)
{
	struct subject *subject = table_find(table, id);

	if (subject)
		return subject;
	writer->memory += sizeof(*subject);
	subject = writer->error || writer->memory > NAMES_MAX ? NULL : calloc(1, sizeof(*subject));
	if (!subject) {
		fail(writer, -ENOMEM);
		return NULL;
	}
	subject->node.id = id;
	subject->first = ~0ull;
	if (!table_add(table, &subject->node))
		return subject;
	free(subject);
	fail(writer, -ENOMEM);
	return NULL;
}

/* Something happens to a subject. */
static struct subject *used(struct log_writer *writer, struct table *table, u32 id, u64 time, bool born)
{
	struct subject *found = subject(writer, table, id);

	if (found && time < found->first) {
		found->first = time;
		found->born = born;
	}
	return found;
}

static int set_name(struct log_writer *writer, struct subject *subject, const void *name, size_t length)
{
	char *copy;

	if (!name)
		return 0;
	if (length > BCOS_ENTRY_MAX)
		length = BCOS_ENTRY_MAX;
	if (subject->length == length && subject->name && !memcmp(subject->name, name, length))
		return 0;
	writer->memory += length - subject->length;
	copy = writer->memory > NAMES_MAX ? NULL : malloc(length + 1);
	if (!copy)
		return fail(writer, -ENOMEM);
	if (length)
		memcpy(copy, name, length);
	free(subject->name);
	subject->name = copy;
	subject->length = length;
	return 0;
}

static struct subject *known(struct log_writer *writer, struct table *table, u32 id, struct moment start)
{
	struct subject *found = subject(writer, table, id);

	if (found) {
		found->known = true;
		found->start = start;
	}
	return found;
}

int log_name_process(struct log_writer *writer, u32 id, const char *name, size_t length)
{
	struct subject *process;

	if (id == BCOS_PROCESS_IDLE)
		return drop(writer);
	process = subject(writer, &writer->processes, id);
	return process ? set_name(writer, process, name, length) : writer->error;
}

int log_known_process(struct log_writer *writer, struct moment start, u32 id, const char *name, size_t length)
{
	if (id != BCOS_PROCESS_IDLE && !known(writer, &writer->processes, id, start))
		return writer->error;
	return log_name_process(writer, id, name, length);
}

int log_known_core(struct log_writer *writer, struct moment start, u32 id, u16 idle_power, u16 power_difference,
		   const u32 *performance, size_t performances)
{
	struct subject *core = known(writer, &writer->cores, id, start);

	if (!core)
		return writer->error;
	core->power[0] = idle_power;
	core->power[1] = power_difference;
	if (performances > PERFORMANCES_MAX)
		performances = PERFORMANCES_MAX;
	return set_name(writer, core, performance, performances * sizeof(*performance));
}

/* A CPU is of this core. */
static int set_core(struct log_writer *writer, struct subject *cpu, u32 id, u64 time)
{
	struct subject *core;

	/* A CPU whose core is not told is alone on a core of the same number. */
	if (cpu->cpus && cpu->owner == id)
		return writer->error;
	core = used(writer, &writer->cores, id, time, false);
	if (core && core->cpus == PERFORMANCES_MAX)
		return fail(writer, -E2BIG);
	if (core)
		core->cpus++;
	cpu->owner = id;
	cpu->cpus = 1;
	return writer->error;
}

int log_known_cpu(struct log_writer *writer, struct moment start, u32 id, u32 core)
{
	struct subject *cpu = known(writer, &writer->cpus, id, start);

	return cpu ? set_core(writer, cpu, core, 0) : writer->error;
}

int log_name_device(struct log_writer *writer, u32 id, u32 driver, const char *name, size_t length)
{
	struct subject *device = subject(writer, &writer->devices, id);

	if (!device)
		return writer->error;
	device->owner = driver == BCOS_PROCESS_IDLE ? BCOS_PROCESS_KERNEL : driver;
	return set_name(writer, device, name, length);
}

int log_known_device(struct log_writer *writer, struct moment start, u32 id, u32 driver, const char *name,
		     size_t length)
{
	if (!known(writer, &writer->devices, id, start))
		return writer->error;
	return log_name_device(writer, id, driver, name, length);
}

int log_known_assign(struct log_writer *writer, struct moment start, u32 id, u32 process)
{
	struct subject *cpu = subject(writer, &writer->cpus, id);

	if (!cpu || (process != BCOS_PROCESS_IDLE && !subject(writer, &writer->processes, process)))
		return writer->error;
	cpu->known = true;
	cpu->assigned = true;
	cpu->process = process;
	cpu->since = start;
	return 0;
}

/* ---- facts --------------------------------------------------------------------- */

/* An entry of @size bytes to be filled, all zero behind its header. */
static void *make(struct log_writer *writer, struct moment when, u16 type, u32 source, size_t size)
{
	struct bcos_entry *entry = (struct bcos_entry *)writer->room;

	memset(entry, 0, size);
	entry->size = (u16)size;
	entry->type = type;
	entry->source = source;
	entry->time = when.time;
	entry->precision = when.precision > ~when.time ? (u32)~when.time : when.precision;
	return entry;
}

static int tell(struct log_writer *writer)
{
	int r = writer->error;

	if (!r && !writer->verbatim)
		r = sorter_add(writer->sorter, (const struct bcos_entry *)writer->room);
	return r ? fail(writer, r) : 0;
}

/* An entry of a header and a number. */
static int tell_number(struct log_writer *writer, struct moment when, u16 type, u32 source, u32 number)
{
	struct bcos_assign_cpu *entry = make(writer, when, type, source, sizeof(*entry));

	entry->process = number;
	return tell(writer);
}

/* Sets the string of an entry whose string begins at @offset, and the entry's size. */
static int tell_text(struct log_writer *writer, struct bcos_entry *entry, size_t offset, const char *text, size_t length,
		     bool is_name)
{
	char *to = (char *)entry + offset;
	size_t room = (BCOS_ENTRY_MAX & ~3u) - offset;

	length = (is_name ? bcos_name_clean : bcos_utf8_clean)(to, room, text, length);
	memset(to + length, 0, 3);
	entry->size = (u16)bcos_entry_size(offset, length);
	return tell(writer);
}

int log_process(struct log_writer *writer, struct moment when, u32 id, const char *name, size_t length)
{
	if (id == BCOS_PROCESS_IDLE || id == BCOS_PROCESS_KERNEL)
		return id ? drop(writer) : writer->error;
	used(writer, &writer->processes, id, when.time, true);
	return tell_text(writer, make(writer, when, BCOS_SET_PROCESS_NAME, id, sizeof(struct bcos_entry)),
			 sizeof(struct bcos_entry), name, length, true);
}

int log_process_end(struct log_writer *writer, struct moment when, u32 id, u32 status)
{
	if (id == BCOS_PROCESS_IDLE || id == BCOS_PROCESS_KERNEL)
		return drop(writer);
	used(writer, &writer->processes, id, when.time, false);
	return tell_number(writer, when, BCOS_CANCEL_PROCESS_NAME, id, status);
}

int log_core_online(struct log_writer *writer, struct moment when, u32 id, u16 idle_power, u16 power_difference,
		    const u32 *performance, size_t performances)
{
	struct bcos_core_online *entry;

	if (performances > PERFORMANCES_MAX)
		performances = PERFORMANCES_MAX;
	used(writer, &writer->cores, id, when.time, true);
	entry = make(writer, when, BCOS_CORE_ONLINE, id, sizeof(*entry) + performances * sizeof(*performance));
	entry->idle_power = idle_power;
	entry->power_difference = power_difference;
	if (performances)
		memcpy(entry->performance, performance, performances * sizeof(*performance));
	return tell(writer);
}

int log_core_offline(struct log_writer *writer, struct moment when, u32 id)
{
	used(writer, &writer->cores, id, when.time, false);
	make(writer, when, BCOS_CORE_OFFLINE, id, sizeof(struct bcos_entry));
	return tell(writer);
}

/* Something happens to a CPU of which nobody has to have told its core. */
static void use_cpu(struct log_writer *writer, u32 id, u64 time)
{
	struct subject *cpu = used(writer, &writer->cpus, id, time, false);

	if (cpu && !cpu->cpus)
		set_core(writer, cpu, id, time);
}

int log_cpu_online(struct log_writer *writer, struct moment when, u32 id, u32 core)
{
	struct subject *cpu = used(writer, &writer->cpus, id, when.time, true);

	if (cpu)
		set_core(writer, cpu, core, when.time);
	return tell_number(writer, when, BCOS_CPU_ONLINE, id, core);
}

int log_cpu_offline(struct log_writer *writer, struct moment when, u32 id)
{
	use_cpu(writer, id, when.time);
	make(writer, when, BCOS_CPU_OFFLINE, id, sizeof(struct bcos_entry));
	return tell(writer);
}

int log_assign(struct log_writer *writer, struct moment when, u32 cpu, u32 process)
{
	use_cpu(writer, cpu, when.time);
	if (process != BCOS_PROCESS_IDLE)
		used(writer, &writer->processes, process, when.time, false);
	return tell_number(writer, when, BCOS_ASSIGN_CPU, cpu, process);
}

int log_device(struct log_writer *writer, struct moment when, u32 id, u32 driver, const char *name, size_t length)
{
	struct bcos_device_name *entry;

	used(writer, &writer->devices, id, when.time, true);
	if (driver == BCOS_PROCESS_IDLE)
		driver = BCOS_PROCESS_KERNEL;
	used(writer, &writer->processes, driver, when.time, false);
	entry = make(writer, when, BCOS_SET_DEVICE_NAME, id, sizeof(*entry));
	entry->driver = driver;
	return tell_text(writer, &entry->header, sizeof(*entry), name, length, true);
}

int log_device_end(struct log_writer *writer, struct moment when, u32 id, u32 status)
{
	used(writer, &writer->devices, id, when.time, false);
	return tell_number(writer, when, BCOS_CANCEL_DEVICE_NAME, id, status);
}

static int transfer(struct log_writer *writer, struct moment when, u16 type, u32 device, u64 bytes)
{
	int r;

	used(writer, &writer->devices, device, when.time, false);
	do {
		r = tell_number(writer, when, type, device, bytes > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)bytes);
		bytes -= bytes > 0xFFFFFFFFu ? 0xFFFFFFFFu : bytes;
	} while (!r && bytes);
	return r;
}

int log_input(struct log_writer *writer, struct moment when, u32 device, u64 bytes)
{
	return transfer(writer, when, BCOS_DEVICE_INPUT, device, bytes);
}

int log_output(struct log_writer *writer, struct moment when, u32 device, u64 bytes)
{
	return transfer(writer, when, BCOS_DEVICE_OUTPUT, device, bytes);
}

int log_irq(struct log_writer *writer, struct moment when, u32 device, u32 number)
{
	used(writer, &writer->devices, device, when.time, false);
	return tell_number(writer, when, BCOS_IRQ, device, number);
}

int log_calls(struct log_writer *writer, struct moment when, u32 process, const u32 *functions, size_t count)
{
	size_t most = (BCOS_ENTRY_MAX - sizeof(struct bcos_kernel_api)) / sizeof(*functions), n;
	struct bcos_kernel_api *entry;
	int r;

	if (process == BCOS_PROCESS_IDLE)
		return drop(writer);
	used(writer, &writer->processes, process, when.time, false);
	do {
		n = count < most ? count : most;
		entry = make(writer, when, BCOS_KERNEL_API, process, sizeof(*entry) + n * sizeof(*functions));
		if (n)
			memcpy(entry->function, functions, n * sizeof(*functions));
		r = tell(writer);
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
			return drop(writer);
		used(writer, &writer->processes, source, when.time, false);
		break;
	case BCOS_SUBJECT_CORE:
		used(writer, &writer->cores, source, when.time, false);
		break;
	case BCOS_SUBJECT_CPU:
		use_cpu(writer, source, when.time);
		break;
	default:
		used(writer, &writer->devices, source, when.time, false);
		break;
	}
	entry = make(writer, when, (u16)(BCOS_GENERIC_PROCESS | (type & BCOS_TYPE_SUBJECT_MASK)), source, sizeof(*entry));
	entry->event_id = bcos_event_id_valid(type, event_id) ? event_id : event_id | BCOS_EVENT_OWN;
	entry->severity = severity;
	return tell_text(writer, &entry->header, BCOS_GENERIC_TEXT, text, length, false);
}

int log_loss(struct log_writer *writer, struct moment when, u64 until, u32 cpu, u64 count, const char *what,
	     const char *why)
{
	char text[256];
	u64 length = until > when.time ? until - when.time : 0;
	int n;

	n = snprintf(text, sizeof(text), "lost %llu %s: %s, until %llu.%09llu s", (unsigned long long)count, what, why,
		     (unsigned long long)(until / 1000000000u), (unsigned long long)(until % 1000000000u));
	if (length > when.precision)
		when.precision = length > SINCE_BOOT ? SINCE_BOOT : (u32)length;
	return log_event(writer, when, BCOS_GENERIC_CPU, cpu, BCOS_EVENT_LOSS, BCOS_SEVERITY_ERROR, text,
			 (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

int log_wall_clock(struct log_writer *writer, struct moment when, u64 utc)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "wall clock %llu.%09llu", (unsigned long long)(utc / 1000000000u),
			 (unsigned long long)(utc % 1000000000u));

	return log_event(writer, when, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, BCOS_EVENT_CLOCK, BCOS_SEVERITY_INFO, text,
			 (size_t)n);
}

int log_statement(struct log_writer *writer, u32 event_id, const char *text)
{
	return log_event(writer, (struct moment){ 0, 0 }, BCOS_GENERIC_PROCESS, BCOS_PROCESS_KERNEL, event_id,
			 BCOS_SEVERITY_INFO, text, strlen(text));
}

/* ---- whole entries --------------------------------------------------------------- */

/* Does a historical entry tell of something of which nothing was told? */
static bool is_news(const struct log_writer *writer, const struct bcos_entry *entry)
{
	const struct table *tables[] = { &writer->processes, &writer->cores, &writer->cpus, &writer->devices };
	const struct subject *subject = subject_of(tables[(entry->type & BCOS_TYPE_SUBJECT_MASK) >> 13], entry->source);

	if (entry->type == BCOS_HIST_ASSIGN_CPU)
		return !subject || (!subject->assigned && subject->first == ~0ull);
	return !subject || (!subject->known && subject->first == ~0ull);
}

static int known_entry(struct log_writer *writer, const struct bcos_entry *entry, struct moment start)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		return log_known_process(writer, start, entry->source, text, length);
	case BCOS_HIST_CORE_ONLINE:
		return log_known_core(writer, start, entry->source, core->idle_power, core->power_difference, core->performance,
				      (entry->size - sizeof(*core)) / sizeof(u32));
	case BCOS_HIST_CPU_ONLINE:
		return log_known_cpu(writer, start, entry->source, ((const struct bcos_cpu_online *)entry)->core);
	case BCOS_HIST_ASSIGN_CPU:
		return log_known_assign(writer, start, entry->source, ((const struct bcos_assign_cpu *)entry)->process);
	default:
		return log_known_device(writer, start, entry->source, ((const struct bcos_device_name *)entry)->driver, text,
					length);
	}
}

int log_entry(struct log_writer *writer, const struct bcos_entry *entry)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	const struct bcos_assign_cpu *number = (const struct bcos_assign_cpu *)entry;
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	struct moment when = { entry->time, entry->precision };
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
		return log_process(writer, when, entry->source, text, length);
	case BCOS_CANCEL_PROCESS_NAME:
		return log_process_end(writer, when, entry->source, number->process);
	case BCOS_KERNEL_API:
		return log_calls(writer, when, entry->source, calls->function, (entry->size - sizeof(*calls)) / sizeof(u32));
	case BCOS_CORE_ONLINE:
		return log_core_online(writer, when, entry->source, core->idle_power, core->power_difference,
				       core->performance, (entry->size - sizeof(*core)) / sizeof(u32));
	case BCOS_CORE_OFFLINE:
		return log_core_offline(writer, when, entry->source);
	case BCOS_CPU_ONLINE:
		return log_cpu_online(writer, when, entry->source, number->process);
	case BCOS_CPU_OFFLINE:
		return log_cpu_offline(writer, when, entry->source);
	case BCOS_ASSIGN_CPU:
		return log_assign(writer, when, entry->source, number->process);
	case BCOS_SET_DEVICE_NAME:
		return log_device(writer, when, entry->source, ((const struct bcos_device_name *)entry)->driver, text, length);
	case BCOS_CANCEL_DEVICE_NAME:
		return log_device_end(writer, when, entry->source, number->process);
	case BCOS_DEVICE_INPUT:
		return log_input(writer, when, entry->source, number->process);
	case BCOS_DEVICE_OUTPUT:
		return log_output(writer, when, entry->source, number->process);
	case BCOS_IRQ:
		return log_irq(writer, when, entry->source, number->process);
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_CPU:
	case BCOS_GENERIC_DEVICE:
		return log_event(writer, when, entry->type, entry->source, event->event_id,
				 entry->size > BCOS_GENERIC_MIN ? event->severity : 0, text, length);
	default:
		if (!bcos_type_of(entry->type))
			return drop(writer);
		return is_news(writer, entry) ? known_entry(writer, entry, when) : writer->error;
	}
}

int log_verbatim(struct log_writer *writer, const struct bcos_entry *entry)
{
	int r;

	writer->verbatim = true;
	r = writer->error ? writer->error : writer->options.put(writer->options.context, entry);
	return r ? fail(writer, r) : 0;
}

bool log_writer_is_verbatim(const struct log_writer *writer)
{
	return writer->verbatim;
}

/* ---- the end ----------------------------------------------------------------------- */

static int write_entry(void *context, const struct bcos_entry *entry)
{
	struct log_writer *writer = context;
	int r = 0;

	if (!writer->begun)
		r = log_group_first(writer, entry->time);
	return r ? r : log_rules_apply(writer, entry);
}

int log_writer_end(struct log_writer *writer)
{
	int r = writer->error;

	if (r || writer->verbatim)
		return r;
	r = sorter_each(writer->sorter, write_entry, writer);
	if (!r && !writer->begun)
		r = log_group_first(writer, 0);
	return r ? fail(writer, r) : 0;
}
