// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: each entry becomes an event, or changes the names and threads that are known. */
#include "core/format/thread_text.h"
#include "../unknown.h"
#include "../words.h"
#include "core/format/entry.h"
#include "perfetto.h"

static struct fxt_thread *device_of(struct perfetto *perfetto, u32 id)
{
	struct fxt_thread *device = fxt_thread_find(&perfetto->threads, id, A_DEVICE);

	if (device)
		return device;
	device = fxt_thread_add(&perfetto->threads, id, A_DEVICE);
	if (!device || fxt_thread_rename(device, "?", 1))
		perfetto->packet.starved = true;
	return device;
}

static void device_named(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *device = device_of(perfetto, entry->source);
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (device && fxt_thread_rename(device, name, length))
		perfetto->packet.starved = true;
}

static void device_ended(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *device = fxt_thread_find(&perfetto->threads, entry->source, A_DEVICE);

	if (device)
		fxt_thread_remove(&perfetto->threads, device);
}

/*
 * A transfer counts with those before it, since a counter keeps its value up to the next one. An interrupt is in the row
 * of its device: the log does not say on which CPU it came.
 */
static void put_transfer(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	struct fxt_thread *device = device_of(perfetto, entry->source);
	u32 number = ((const struct bcos_device_io *)entry)->bytes;
	bool input = entry->type == BCOS_DEVICE_INPUT;
	char after[64];
	u64 *sum;

	if (!device)
		return;
	if (entry->type == BCOS_IRQ) {
		snprintf(after, sizeof(after), " 0x%08X|IRQ %u", entry->source, number);
		perfetto_print(perfetto, entry->time, BCOS_PROCESS_KERNEL, 'N', device->name, device->length, after);
		return;
	}
	sum = input ? &device->own.device.input : &device->own.device.output;
	*sum += number;
	snprintf(after, sizeof(after), " 0x%08X %s|%llu", entry->source, input ? "input" : "output",
		 (unsigned long long)*sum);
	perfetto_print(perfetto, entry->time, BCOS_PROCESS_KERNEL, 'C', device->name, device->length, after);
}

static void take_unknown(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	if (bcoslog_is_loss(entry) && entry->source < perfetto->cpu_count) {
		perfetto->cpus[entry->source].lost = true;
		cpu_set_add(&perfetto->filled, entry->source);
	}
	switch (unknown_after(entry)) {
	case UNKNOWN_CPU:
		perfetto_unknown(perfetto, entry->time, entry->source);
		break;
	case UNKNOWN_CPUS:
		perfetto_all_unknown(perfetto, entry->time);
		break;
	case UNKNOWN_ALL:
		perfetto_all_unknown(perfetto, entry->time);
		perfetto_forget(perfetto);
		break;
	default:
		break;
	}
}

/* Writes an event, unless viewers show it as what it is about. */
static void put_event(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_generic *)entry)->event_id;
	bool process = entry->type == BCOS_GENERIC_PROCESS;
	struct worded worded;
	size_t length;
	const char *text;

	if (process && bcos_is_thread_event(id) && perfetto_put_state(perfetto, entry))
		return;
	/* The log repeats names of threads after each group. */
	if (process && id == BCOS_EVENT_THREAD_NAME && perfetto_thread_named(perfetto, entry))
		return;
	text = bcoslog_text(entry_in_words(&worded, entry), &length);
	if (entry->type == BCOS_GENERIC_CPU && id == BCOS_EVENT_IDLE && perfetto_put_idle(perfetto, entry))
		return;
	if (process && id == BCOS_EVENT_EXEC)
		perfetto_executed(perfetto, entry);
	if (process && entry->source == BCOS_PROCESS_KERNEL)
		perfetto_put_statement(perfetto, entry);
	perfetto_print(perfetto, entry->time, process ? entry->source : BCOS_PROCESS_KERNEL, 'I', length ? text : "event",
		       length ? length : 5, "");
	take_unknown(perfetto, entry);
}

static void put_call(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	size_t count = (entry->size - sizeof(*calls)) / sizeof(u32), i;
	static char text[BCOS_ENTRY_MAX / 4 * 11 + 64];
	int n = sprintf(text, "kernel API");

	for (i = 0; i < count && n < (int)BCOS_ENTRY_MAX - 12; i++)
		n += sprintf(text + n, " %u", calls->function[i]);
	perfetto_print(perfetto, entry->time, entry->source, 'I', text, (size_t)n, "");
}

/* Puts how a process ended into @text.  Returns its length. */
static int end_text(char *text, size_t size, u32 status)
{
	u32 value;
	enum bcoslog_end how = bcoslog_status_end(status, &value);
	const char *of = how == BCOSLOG_OWNER ? "user space" : "the kernel";

	if (how == BCOSLOG_EXITED)
		return snprintf(text, size, "ends: exit code %u", value);
	if (how == BCOSLOG_END_UNKNOWN)
		return snprintf(text, size, "ends: how is unknown");
	if (!value)
		return snprintf(text, size, "ends: abnormally, by %s", how == BCOSLOG_OWNER ? "its owner" : of);
	return snprintf(text, size, "ends: killed by signal %u of %s", value, of);
}

/* Writes how a process ended, which readers only have room for in an event. */
static void put_end(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	char text[64];

	if (fxt_thread_find(&perfetto->threads, entry->source, A_PROCESS))
		perfetto_print(perfetto, entry->time, entry->source, 'I', text,
			       (size_t)end_text(text, sizeof(text), ((const struct bcos_cancel_name *)entry)->status), "");
}

void perfetto_put_entry(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	if (unlikely(perfetto->born))
		perfetto_settle_birth(perfetto, entry);
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
	case BCOS_HIST_ASSIGN_CPU:
		perfetto_assigned(perfetto, (const struct bcos_assign_cpu *)entry);
		break;
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		perfetto_named(perfetto, entry);
		break;
	case BCOS_CANCEL_PROCESS_NAME:
		put_end(perfetto, entry);
		perfetto_ended(perfetto, entry);
		break;
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
		device_named(perfetto, entry);
		break;
	case BCOS_CANCEL_DEVICE_NAME:
		device_ended(perfetto, entry);
		break;
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		put_transfer(perfetto, entry);
		break;
	case BCOS_KERNEL_API:
		put_call(perfetto, entry);
		break;
	case BCOS_CORE_ONLINE:
	case BCOS_HIST_CORE_ONLINE:
		perfetto_put_core(perfetto, entry);
		break;
	case BCOS_CPU_OFFLINE:
		if (entry->source < perfetto->cpu_count && perfetto->cpus[entry->source].process != BCOS_PROCESS_IDLE)
			perfetto_unknown(perfetto, entry->time, entry->source);
		break;
	default:
		if (bcoslog_is_generic(entry->type))
			put_event(perfetto, entry);
		break;
	}
}
