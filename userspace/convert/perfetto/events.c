// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: each entry becomes an event, or changes the names and threads that are known. */
#include "entry/decimal.h"
#include "../unknown.h"
#include "core/format/entry.h"
#include "perfetto.h"

/* Replaces a character by spaces. */
static void blank_text(u8 *text, size_t length, char character)
{
	u8 *at = text, *end = text + length;

	while (at < end && (at = memchr(at, character, (size_t)(end - at))))
		*at++ = ' ';
}

/* Writes an event that a viewer shows at a process: "I|PID|TEXT", or a counter "C|PID|NAME|NUMBER". */
static void put_print(struct perfetto *perfetto, u64 time, u32 cpu, u32 process, char kind, const char *text,
		      size_t length, const char *after)
{
	char head[32], *at = head;
	size_t behind = strlen(after), size;
	u8 *to;

	*at++ = kind;
	*at++ = '|';
	at = decimal_put(at, perfetto_pid(process));
	*at++ = '|';
	size = (size_t)(at - head) + length + behind;
	perfetto_process(perfetto, process, process ? "?" : "kernel", process ? 1 : 6);
	perfetto_thread(perfetto, process, cpu);
	to = proto_room(&perfetto->detail, PRINT_BUF, size);
	if (!to)
		return;
	memcpy(to, head, (size_t)(at - head));
	to += at - head;
	if (length)
		memcpy(to, text, length);
	memcpy(to + length, after, behind);
	/* The text must not contain the characters that separate fields and lines. */
	blank_text(to, length, '|');
	blank_text(to, length, '\n');
	perfetto_put_event(perfetto, cpu, time, perfetto_tid(process, cpu), EVENT_PRINT);
}

static const struct fxt_thread *device_of(struct perfetto *perfetto, u32 id)
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
	struct fxt_thread *device = (struct fxt_thread *)device_of(perfetto, entry->source);
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

static void put_transfer(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct fxt_thread *device = device_of(perfetto, entry->source);
	u32 number = ((const struct bcos_device_io *)entry)->bytes;
	char after[64];

	if (!device)
		return;
	if (entry->type == BCOS_IRQ) {
		proto_number(&perfetto->detail, IRQ_NUMBER, number & 0x7FFFFFFF);
		proto_bytes(&perfetto->detail, IRQ_NAME, device->name, device->length);
		perfetto_put_event(perfetto, 0, entry->time, 0, EVENT_IRQ_ENTRY);
		proto_number(&perfetto->detail, IRQ_NUMBER, number & 0x7FFFFFFF);
		perfetto_put_event(perfetto, 0, entry->time, 0, EVENT_IRQ_EXIT);
		return;
	}
	snprintf(after, sizeof(after), " 0x%08X %s|%u", entry->source,
		 entry->type == BCOS_DEVICE_INPUT ? "input" : "output", number);
	put_print(perfetto, entry->time, 0, BCOS_PROCESS_KERNEL, 'C', device->name, device->length, after);
}

static void put_event(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	bool process = entry->type == BCOS_GENERIC_PROCESS;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (process && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_TASK_STATE)
		perfetto_put_state(perfetto, entry);
	put_print(perfetto, entry->time, 0, process ? entry->source : BCOS_PROCESS_KERNEL, 'I', text, length, "");
	if (bcoslog_is_loss(entry) && entry->source < perfetto->cpu_count)
		perfetto->cpus[entry->source].lost = true;
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

static void put_call(struct perfetto *perfetto, const struct bcos_entry *entry)
{
	const struct bcos_kernel_api *calls = (const struct bcos_kernel_api *)entry;
	size_t count = (entry->size - sizeof(*calls)) / sizeof(u32), i;
	static char text[BCOS_ENTRY_MAX / 4 * 11 + 64];
	int n = sprintf(text, "kernel API");

	for (i = 0; i < count && n < (int)BCOS_ENTRY_MAX - 12; i++)
		n += sprintf(text + n, " %u", calls->function[i]);
	put_print(perfetto, entry->time, 0, entry->source, 'I', text, (size_t)n, "");
}

void perfetto_put_entry(struct perfetto *perfetto, const struct bcos_entry *entry)
{
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
