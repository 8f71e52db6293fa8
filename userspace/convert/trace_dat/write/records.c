// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Each entry becomes a record, on the CPU that the entry names or that its process had last. */
#include "core/format/entry.h"
#include "core/format/loss_text.h"
#include "core/format/thread_text.h"
#include "bcos_message.h"
#include "entry/who.h"
#include "entry/text.h"
#include "../../words.h"
#include "write.h"

#define PRIORITY 120

static struct common common_of(const struct recorder *recorder, u32 cpu, enum point point)
{
	return (struct common){ .number = (u16)(PERF_POINT_FIRST + point), .pid = recorder->running[cpu] };
}

/*
 * Adds a record and, unless @where is NULL, as much of a text as fits. @where is the field of the record that locates
 * the text.
 */
static void put_sized(struct recorder *recorder, u32 cpu, u64 time, const void *record, size_t size, u32 *where,
		      const char *text, size_t length)
{
	size_t room = PAGE_RECORD_MAX - size - 1;
	u8 *to;

	if (where) {
		length = utf8_fit(text, length, room);
		*where = (u32)(length + 1) << 16 | (u32)size;
	}
	to = draft_record(&recorder->draft, cpu, time, size + (where ? length + 1 : 0));
	if (!to)
		return;
	memcpy(to, record, size);
	if (!where)
		return;
	if (length)
		memcpy(to + size, text, length);
	to[size + length] = 0;
}

#define put_record(recorder, cpu, time, record) put_sized(recorder, cpu, time, record, sizeof(*(record)), NULL, NULL, 0)
#define put_text(recorder, cpu, time, record, field, text, length) \
	put_sized(recorder, cpu, time, record, sizeof(*(record)), &(record)->field, text, length)

void recorder_put_switch(void *context, const struct switches_place *place, const struct switch_fields *fields)
{
	struct recorder *recorder = context;
	u32 cpu = place->cpu;
	struct task *task;

	if (cpu >= RECORDER_CPUS) {
		recorder->left_out++;
		return;
	}
	draft_switch(&recorder->draft, cpu, place->time, fields);
	recorder->running[cpu] = fields->next.pid;
	recorder->home = cpu;
	if (!fields->next.pid)
		return;
	task = recorder_task(recorder, fields->next.pid);
	if (!task)
		task = recorder_name(recorder, fields->next.pid, (const char *)&fields->next.comm,
				     strnlen((const char *)&fields->next.comm, COMM));
	if (task)
		task->cpu = cpu;
}

/* Returns the CPU that a process had last, or the CPU that was assigned last if the process had none. */
static u32 cpu_of(const struct recorder *recorder, u32 process)
{
	const struct task *task = recorder_task(recorder, switches_thread(process));

	return task ? task->cpu : recorder->home;
}

static void known_comm(const struct recorder *recorder, char *comm, u32 process)
{
	const struct bcoslog_process *known = bcoslog_process(switches_state(recorder->switches), process);

	recorder_comm(comm, known ? known->name : "?", known ? known->name_length : 1);
}

static void process_named(struct recorder *recorder, const struct bcos_entry *entry)
{
	u32 thread = switches_thread(entry->source), cpu = cpu_of(recorder, entry->source);
	struct record_rename rename = { .common = common_of(recorder, cpu, POINT_RENAME), .pid = thread };
	struct record_fork fork = { .common = common_of(recorder, cpu, POINT_FORK), .child_pid = thread };
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	recorder_name(recorder, thread, name, length);
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return;
	if (bcoslog_process(switches_state(recorder->switches), entry->source)) {
		known_comm(recorder, rename.oldcomm, entry->source);
		recorder_comm(rename.newcomm, name, length);
		put_record(recorder, cpu, entry->time, &rename);
	} else {
		/* The log has not yet told the parent of the process. */
		recorder_comm(fork.child_comm, name, length);
		put_record(recorder, cpu, entry->time, &fork);
	}
}

static void process_ended(struct recorder *recorder, const struct bcos_entry *entry)
{
	u32 cpu = cpu_of(recorder, entry->source);
	struct record_exit record = { .common = common_of(recorder, cpu, POINT_EXIT),
				      .pid = switches_thread(entry->source), .prio = PRIORITY };

	known_comm(recorder, record.comm, entry->source);
	put_record(recorder, cpu, entry->time, &record);
}

static void device_transferred(struct recorder *recorder, const struct bcos_entry *entry)
{
	const struct bcoslog_device *device = bcoslog_device(switches_state(recorder->switches), entry->source);
	const char *name = device ? device->name : "?";
	size_t length = device ? device->name_length : 1;
	u32 cpu = recorder->home, number = ((const struct bcos_device_io *)entry)->bytes;
	struct record_transfer transfer = { .common = common_of(recorder, cpu, POINT_TRANSFER), .device = entry->source,
					    .output = entry->type == BCOS_DEVICE_OUTPUT, .bytes = number };
	struct record_irq_entry begin = { .common = common_of(recorder, cpu, POINT_IRQ_ENTRY), .irq = number,
					  .device = entry->source };
	struct record_irq_exit end = { .common = common_of(recorder, cpu, POINT_IRQ_EXIT), .irq = number, .ret = 1 };

	if (entry->type != BCOS_IRQ) {
		put_text(recorder, cpu, entry->time, &transfer, name, name, length);
		return;
	}
	put_text(recorder, cpu, entry->time, &begin, name, name, length);
	put_record(recorder, cpu, entry->time, &end);
}

static void put_call(struct recorder *recorder, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	u32 cpu = cpu_of(recorder, entry->source);
	struct record_calls record = { .common = common_of(recorder, cpu, POINT_CALLS), .process = entry->source };
	size_t size = entry->size - sizeof(*calls), room = (PAGE_RECORD_MAX - sizeof(record)) & ~(size_t)3;
	u8 *to;

	size = (size < room ? size : room) & ~(size_t)3;
	record.functions = (u32)size << 16 | (u32)sizeof(record);
	to = draft_record(&recorder->draft, cpu, entry->time, sizeof(record) + size);
	if (!to)
		return;
	memcpy(to, &record, sizeof(record));
	memcpy(to + sizeof(record), calls->function, size);
}

/* Returns the thread that wakes another. The thread amid which an interrupt came has woken nobody. */
static u32 waker_of(struct recorder *recorder, const struct bcos_thread_phrase *phrase)
{
	bool interrupt = phrase->by == BCOS_WOKEN_BY_INTERRUPT;
	u32 id = interrupt ? SWITCHES_INTERRUPT : SWITCHES_UNKNOWN;

	if (phrase->by == BCOS_WOKEN_BY_THREAD)
		return phrase->waker_thread ? switches_thread(phrase->waker) : 0;
	if (!recorder_task(recorder, id))
		recorder_name(recorder, id, interrupt ? "interrupt" : "unknown", interrupt ? 9 : 7);
	return id;
}

/* Writes the kernel's tracepoints for a thread that is woken and for a program that is executed. */
static void happened_to_process(struct recorder *recorder, const struct bcos_entry *entry, u32 cpu)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	struct bcos_thread_phrase phrase;
	u32 pid = switches_thread(entry->source);
	struct record_wakeup wakeup = { .common = common_of(recorder, cpu, POINT_WAKEUP),
					.fields = { .pid = pid, .prio = PRIORITY, .target_cpu = cpu } };
	struct record_exec exec = { .common = common_of(recorder, cpu, POINT_EXEC), .pid = pid, .old_pid = pid };
	static struct bcoslog_exec program;
	size_t length;
	const char *text = bcoslog_text(entry, &length), *path;

	if (event->event_id == BCOS_EVENT_EXEC) {
		path = bcoslog_exec(&program, text, length) ? "" : program.path;
		put_text(recorder, cpu, entry->time, &exec, filename, path, strlen(path));
	} else if (bcos_thread_told(&phrase, entry) && phrase.state == BCOS_STATE_WOKEN) {
		known_comm(recorder, (char *)&wakeup.fields.comm, entry->source);
		if (phrase.has_cpu && phrase.cpu < RECORDER_CPUS)
			cpu = phrase.cpu;
		wakeup.common.pid = waker_of(recorder, &phrase);
		wakeup.common.flags = phrase.by == BCOS_WOKEN_BY_INTERRUPT ? PERF_IN_HARDIRQ : 0;
		put_record(recorder, cpu, entry->time, &wakeup);
	}
}

static void put_event(struct recorder *recorder, const struct bcos_entry *entry)
{
	const struct bcos_generic *event = (const struct bcos_generic *)entry;
	bool process = entry->type == BCOS_GENERIC_PROCESS;
	u32 cpu = process ? cpu_of(recorder, entry->source) :
		  entry->type == BCOS_GENERIC_CPU && entry->source < RECORDER_CPUS ? entry->source : recorder->home;
	struct record_event record = { .common = common_of(recorder, cpu, POINT_EVENT), .about = entry->type >> 13 & 3,
				       .subject = entry->source, .id = event->event_id,
				       .severity = entry->size > BCOS_GENERIC_MIN ? event->severity : 0 };
	struct worded worded;
	size_t length;
	const char *text = bcoslog_text(entry_in_words(&worded, entry), &length);
	u64 count;

	if (process)
		happened_to_process(recorder, entry, cpu);
	put_text(recorder, cpu, entry->time, &record, text, text, length);
	/* The event is still before the page of the loss, so what is lost reaches from here to the next event of the CPU. */
	if (bcoslog_is_loss(entry) || bcoslog_is_missed(entry)) {
		count = bcos_loss_text_counted(text, length);
		draft_lost(&recorder->draft, cpu, count ? count : 1);
	}
}

/* A core, CPU or device comes, goes, or changes. */
static void name_changed(struct recorder *recorder, const struct bcos_entry *entry)
{
	u32 cpu = recorder->home;
	struct record_change record = { .common = common_of(recorder, cpu, POINT_CHANGE), .type = entry->type,
					.subject = entry->source };
	size_t length = 0;
	const char *text = bcoslog_text(entry, &length);

	if (entry->type == BCOS_CPU_ONLINE)
		record.value = ((const struct bcos_cpu_online *)entry)->core;
	else if (entry->type == BCOS_SET_DEVICE_NAME)
		record.value = ((const struct bcos_device_name *)entry)->driver;
	put_text(recorder, cpu, entry->time, &record, text, text, length);
}

void recorder_put_entry(struct recorder *recorder, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		process_named(recorder, entry);
		break;
	case BCOS_CANCEL_PROCESS_NAME:
		process_ended(recorder, entry);
		break;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		device_transferred(recorder, entry);
		break;
	case BCOS_KERNEL_API:
		put_call(recorder, entry);
		break;
	default:
		if (bcoslog_is_generic(entry->type))
			put_event(recorder, entry);
		else if (bcos_type_ends(entry->type) ||
			 (bcos_type_begins(entry->type) && !(entry->type & BCOS_TYPE_HISTORICAL)))
			name_changed(recorder, entry);
		break;
	}
}
