// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tells any entries, in any order, as facts to a log_writer: they become a log that passes the check. */
#include "import_fuzz.h"
#include "check/check.h"

static int tell_known(struct log_writer *writer, const struct bcos_entry *entry, struct moment start)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;
	size_t length;
	const char *text = bcos_entry_text(entry, &length);

	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		return log_known_process(writer, start, entry->source, text, length);
	case BCOS_HIST_CORE_ONLINE:
		return log_known_core(writer, start, entry->source, core->idle_power, core->power_difference,
				      core->performance, (entry->size - sizeof(*core)) / sizeof(u32));
	case BCOS_HIST_CPU_ONLINE:
		return log_known_cpu(writer, start, entry->source, ((const struct bcos_cpu_online *)entry)->core);
	case BCOS_HIST_ASSIGN_CPU:
		return log_known_assign(writer, start, entry->source, ((const struct bcos_assign_cpu *)entry)->process);
	default:
		return log_known_device(writer, start, entry->source, ((const struct bcos_device_name *)entry)->driver,
					text, length);
	}
}

/* Tells the fact that an entry states. */
static int tell_entry(struct log_writer *writer, const struct bcos_entry *entry)
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
		return log_calls(writer, when, entry->source, calls->function,
				 (entry->size - sizeof(*calls)) / sizeof(u32));
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
		return log_device(writer, when, entry->source, ((const struct bcos_device_name *)entry)->driver, text,
				  length);
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
		return bcos_type_of(entry->type) ? tell_known(writer, entry, when) : 0;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static u32 room[BCOS_ENTRY_MAX / 4 + 1];
	struct bcos_entry *entry = (struct bcos_entry *)room;
	struct fuzzed fuzzed = { 0 };
	struct log_writer_options options = { .put = put_entry, .context = &fuzzed, .memory = SORTER_MEMORY_MIN };
	struct log_writer *writer = log_writer_new(&options);
	u16 length;

	fuzzed.check = bcoslog_check_new(judge_violation, &fuzzed);
	fuzzed.writer = writer;
	if (!fuzzed.check || !writer)
		abort();
	while (size >= sizeof(*entry)) {
		memcpy(&length, data, sizeof(length));
		if (length > size || length < sizeof(*entry))
			break;
		memset(room, 0, length + 4u);
		memcpy(room, data, length);
		if (bcos_entry_check(entry, length) == BCOS_WELL_FORMED)
			tell_entry(writer, entry);
		data += length;
		size -= length;
	}
	log_writer_end(writer);
	bcoslog_check_end(fuzzed.check);
	log_writer_free(writer);
	bcoslog_check_free(fuzzed.check);
	return 0;
}
