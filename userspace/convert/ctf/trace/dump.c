// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes historical entries. Those of the first group become the state dump with which a trace of LTTng begins. */
#include <stdlib.h>

#include "writer.h"

/* Values of fields of lttng_statedump_process_state. */
#define TYPE_USER 0
#define TYPE_KERNEL 1
#define STATUS_WAIT 5
#define STATUS_RUN 6

int ctf_learn_running(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;
	struct ctf_device *cpu;

	if (entry->type != BCOS_HIST_ASSIGN_CPU || table_find(&writer->running, process))
		return 0;
	cpu = calloc(1, sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	cpu->node.id = process;
	cpu->ordinal = entry->source;
	if (!table_add(&writer->running, &cpu->node))
		return 0;
	free(cpu);
	return -ENOMEM;
}

s32 ctf_irq(struct ctf_writer *writer, u32 id, u32 number)
{
	struct ctf_device *device = table_find(&writer->devices, id);

	if (!device) {
		device = calloc(1, sizeof(*device));
		if (!device)
			return -1;
		device->node.id = id;
		device->ordinal = writer->ordinals++;
		if (table_add(&writer->devices, &device->node)) {
			free(device);
			return -1;
		}
	}
	return (s32)((device->ordinal % (1u << 24)) * 64 + number % 64);
}

static int put_process(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	const struct ctf_device *cpu = table_find(&writer->running, entry->source);
	struct ctf_trace *trace = &writer->trace;
	struct ctf_event event;
	s32 tid = ctf_tid(entry->source);
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	int r;

	if (!writer->dumping) {
		r = ctf_begin(writer, &event, NULL, CTF_STATE_PROCESS, entry);
		if (r)
			return r;
		ctf_put_signed(&event, tid);
		r = ctf_put_text(trace, &event, name, length);
		ctf_put(&event, entry->time);
		return r;
	}
	r = ctf_begin(writer, &event, NULL, CTF_STATEDUMP_PROCESS_STATE, entry);
	if (r)
		return r;
	ctf_put_signed(&event, tid);
	ctf_put_signed(&event, tid);
	ctf_put_signed(&event, 0);
	r = ctf_put_text(trace, &event, name, length);
	ctf_put_signed(&event, entry->source ? TYPE_USER : TYPE_KERNEL);
	ctf_put_signed(&event, 0);
	ctf_put_signed(&event, 0);
	ctf_put_signed(&event, cpu ? STATUS_RUN : STATUS_WAIT);
	ctf_put(&event, cpu ? cpu->ordinal : 0);
	ctf_put(&event, 0);
	ctf_put(&event, entry->time);
	return r;
}

int ctf_put_core(struct ctf_writer *writer, struct ctf_event *event, const struct bcos_entry *entry)
{
	const struct bcos_core_online *core = (const struct bcos_core_online *)entry;

	ctf_put(event, entry->source);
	ctf_put(event, core->idle_power);
	ctf_put(event, core->power_difference);
	return ctf_put_list(&writer->trace, event, core->performance, (entry->size - sizeof(*core)) / 4);
}

static int put_core(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_STATE_CORE, entry);

	r = r ? r : ctf_put_core(writer, &event, entry);
	if (!r)
		ctf_put(&event, entry->time);
	return r;
}

static int put_cpu(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_STATE_CPU, entry);

	if (r)
		return r;
	ctf_put(&event, entry->source);
	ctf_put(&event, ((const struct bcos_cpu_online *)entry)->core);
	ctf_put(&event, entry->time);
	return 0;
}

static int put_assign(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	u32 process = ((const struct bcos_assign_cpu *)entry)->process;
	struct ctf_cpu *cpu = ctf_trace_cpu(&writer->trace, entry->source);
	struct ctf_event event;
	int r = cpu ? ctf_begin(writer, &event, cpu, CTF_STATE_ASSIGN, entry) : writer->trace.error;

	if (r)
		return r;
	ctf_put(&event, entry->source);
	ctf_put_signed(&event, ctf_tid(process));
	ctf_put(&event, entry->time);
	/* After the first group readers want a switch. The statement holds from the next entry that is not historical on. */
	if (!writer->dumping) {
		cpu->stated = writer->stated = true;
		cpu->stated_process = process;
		return 0;
	}
	cpu->process = process;
	cpu->known = true;
	cpu->threaded = false;
	return 0;
}

static int put_disk(struct ctf_writer *writer, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_STATEDUMP_BLOCK_DEVICE, entry);

	if (r)
		return r;
	ctf_put(&event, entry->source);
	r = ctf_put_text(&writer->trace, &event, name, length);
	ctf_put_signed(&event, ctf_tid(((const struct bcos_device_name *)entry)->driver));
	ctf_put(&event, entry->time);
	return r;
}

static int put_interface(struct ctf_writer *writer, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_STATEDUMP_NETWORK_INTERFACE, entry);

	if (r)
		return r;
	r = ctf_put_text(&writer->trace, &event, name, length);
	ctf_put(&event, 0);
	ctf_put(&event, entry->source);
	ctf_put_signed(&event, ctf_tid(((const struct bcos_device_name *)entry)->driver));
	ctf_put(&event, entry->time);
	return r;
}

/* This event is for viewers only: it is not yet known whether the device has interrupts. */
static int put_interrupt(struct ctf_writer *writer, const struct bcos_entry *entry, const char *name, size_t length)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, NULL, CTF_STATEDUMP_INTERRUPT, entry);

	if (r)
		return r;
	ctf_put(&event, (u32)ctf_irq(writer, entry->source, 0));
	r = ctf_put_text(&writer->trace, &event, "", 0);
	r = r ? r : ctf_put_text(&writer->trace, &event, name, length);
	ctf_put_signed(&event, 0);
	return r;
}

static int put_device(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	struct ctf_event event;
	size_t length;
	const char *name = bcoslog_text(entry, &length);
	int r;

	if (writer->dumping && entry->source < BCOS_DEVICE_NETWORK)
		return put_disk(writer, entry, name, length);
	if (writer->dumping && entry->source < BCOS_DEVICE_USER_IO)
		return put_interface(writer, entry, name, length);
	r = ctf_begin(writer, &event, NULL, CTF_STATE_DEVICE, entry);
	if (r)
		return r;
	ctf_put(&event, entry->source);
	ctf_put_signed(&event, ctf_tid(((const struct bcos_device_name *)entry)->driver));
	r = ctf_put_text(&writer->trace, &event, name, length);
	ctf_put(&event, entry->time);
	if (!r && writer->dumping && entry->source > BCOS_DEVICE_SELF)
		r = put_interrupt(writer, entry, name, length);
	return r;
}

int ctf_put_historical(struct ctf_writer *writer, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		return put_process(writer, entry);
	case BCOS_HIST_CORE_ONLINE:
		return put_core(writer, entry);
	case BCOS_HIST_CPU_ONLINE:
		return put_cpu(writer, entry);
	case BCOS_HIST_SET_DEVICE_NAME:
		return put_device(writer, entry);
	default:
		return put_assign(writer, entry);
	}
}
