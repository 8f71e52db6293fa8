// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes historical entries. Those of the first group become the state dump with which a trace of LTTng begins. */
#include <stdlib.h>

#include "write.h"

/* Values of fields of lttng_statedump_process_state. */
#define TYPE_USER 0
#define TYPE_KERNEL 1
#define STATUS_WAIT 5
#define STATUS_RUN 6

void ctf_learn_running(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;
	struct ctf_device *cpu;

	if (entry->type != BCOS_HIST_ASSIGN_CPU || table_find(&writer->running, process))
		return;
	cpu = calloc(1, sizeof(*cpu));
	if (cpu) {
		cpu->node.id = process;
		cpu->ordinal = entry->source;
		if (!table_add(&writer->running, &cpu->node))
			return;
	}
	free(cpu);
	ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
}

static void put_process(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	const struct ctf_device *cpu = table_find(&writer->running, entry->source);
	s32 tid = ctf_tid(entry->source);
	struct ctf_event event;
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (!writer->dumping) {
		ctf_put_fields(writer, NULL, entry);
		return;
	}
	event = ctf_begin(writer, NULL, CTF_STATEDUMP_PROCESS_STATE, entry);
	ctf_put_signed(&event, tid);
	ctf_put_signed(&event, tid);
	ctf_put_signed(&event, 0);
	ctf_put_text(&event, name, length);
	ctf_put_signed(&event, entry->source ? TYPE_USER : TYPE_KERNEL);
	ctf_put_signed(&event, 0);
	ctf_put_signed(&event, 0);
	ctf_put_signed(&event, cpu ? STATUS_RUN : STATUS_WAIT);
	ctf_put(&event, cpu ? cpu->ordinal : 0);
	ctf_put(&event, 0);
	ctf_put(&event, entry->time);
}

static void put_assign(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;
	struct ctf_cpu *cpu = ctf_trace_cpu(&writer->trace, entry->source);

	ctf_put_fields(writer, cpu, entry);
	/* After the first group readers want a switch. The statement holds from the next entry that is not historical on. */
	if (!writer->dumping) {
		cpu->stated = true;
		chain_add(&writer->stated, &cpu->stated_link);
		cpu->stated_process = process;
		return;
	}
	cpu->process = cpu->owner = process;
	cpu->known = true;
	chain_add(&writer->known, &cpu->known_link);
	cpu->threaded = false;
}

static void put_disk(struct ctf_writer *writer, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct ctf_event event = ctf_begin(writer, NULL, CTF_STATEDUMP_BLOCK_DEVICE, entry);

	ctf_put(&event, entry->source);
	ctf_put_text(&event, name, length);
	ctf_put_signed(&event, ctf_tid(((const struct bcos_device_name *)entry)->driver));
	ctf_put(&event, entry->time);
}

static void put_interface(struct ctf_writer *writer, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct ctf_event event = ctf_begin(writer, NULL, CTF_STATEDUMP_NETWORK_INTERFACE, entry);

	ctf_put_text(&event, name, length);
	ctf_put(&event, 0);
	ctf_put(&event, entry->source);
	ctf_put_signed(&event, ctf_tid(((const struct bcos_device_name *)entry)->driver));
	ctf_put(&event, entry->time);
}

/* This event is for viewers only: it is not yet known whether the device has interrupts. */
static void put_interrupt(struct ctf_writer *writer, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct ctf_event event = ctf_begin(writer, NULL, CTF_STATEDUMP_INTERRUPT, entry);

	ctf_put(&event, (u32)ctf_irq(writer, entry->source, 0));
	ctf_put_text(&event, "", 0);
	ctf_put_text(&event, name, length);
	ctf_put_signed(&event, 0);
}

static void put_device(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	size_t length;
	const char *name = bcoslog_text(entry, &length);

	if (writer->dumping && entry->source < BCOS_DEVICE_NETWORK) {
		put_disk(writer, entry, name, length);
		return;
	}
	if (writer->dumping && entry->source < BCOS_DEVICE_USER_IO) {
		put_interface(writer, entry, name, length);
		return;
	}
	ctf_put_fields(writer, NULL, entry);
	if (writer->dumping && entry->source > BCOS_DEVICE_SELF)
		put_interrupt(writer, entry, name, length);
}

void ctf_put_historical(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		put_process(writer, entry);
		break;
	case BCOS_HIST_SET_DEVICE_NAME:
		put_device(writer, entry);
		break;
	case BCOS_HIST_ASSIGN_CPU:
		put_assign(writer, entry);
		break;
	default:
		ctf_put_fields(writer, NULL, entry);
	}
}
