// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts that several kinds of events share: their time, numbers, the name of a process, the number of an interrupt. */
#include <stdlib.h>

#include "core/format/fields.h"
#include "write.h"

struct ctf_event ctf_begin(struct ctf_writer *writer, struct ctf_cpu *cpu, enum ctf_layout_id layout,
			   const struct bcos_entry *entry)
{
	return ctf_event_begin(&writer->trace, cpu ? cpu : writer->home, layout, writer->now, entry->precision);
}

void ctf_put_fields(struct ctf_writer *writer, struct ctf_cpu *cpu, const struct bcos_entry *entry)
{
	enum ctf_layout_id layout = ctf_type_layouts[bcos_type_of(entry->type) - bcos_types];
	struct ctf_event event = ctf_begin(writer, cpu, layout, entry);
	struct bcos_walk walk;

	if ((entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_PROCESS)
		ctf_put_signed(&event, ctf_tid(entry->source));
	else
		ctf_put(&event, entry->source);
	bcos_walk_begin(&walk, entry);
	while (bcos_walk_next(&walk)) {
		if (walk.field->form == BCOS_FORM_STRING)
			ctf_put_text(&event, (const char *)walk.bytes, walk.count);
		else if (walk.field->form == BCOS_FORM_LIST)
			ctf_put_list(&event, (const u32 *)(const void *)walk.bytes, walk.count);
		else if (walk.field->kind == BCOS_KIND_PROCESS || walk.field->kind == BCOS_KIND_RUNNING)
			ctf_put_signed(&event, ctf_tid((u32)walk.number));
		else
			ctf_put(&event, walk.number);
	}
	if (entry->type & BCOS_TYPE_HISTORICAL)
		ctf_put(&event, entry->time);
}

/* Puts a name that is not kept, and keeps it if it fits. */
static noinline void put_name(struct ctf_writer *writer, struct ctf_event *event, u32 cpu, u32 process)
{
	const struct bcoslog_process *known = bcoslog_process(writer->state, process);
	struct ctf_comm *comm = &writer->comms[process % CTF_COMMS];
	size_t begin = event->cpu->used, size;
	char idle[32];

	if (process == BCOS_PROCESS_IDLE) {
		ctf_put_text(event, idle, (size_t)snprintf(idle, sizeof(idle), "swapper/%u", cpu));
		return;
	}
	if (!known) {
		ctf_put_text(event, process ? "?" : "kernel", process ? 1 : 6);
		return;
	}
	ctf_put_text(event, known->name, known->name_length);
	size = event->cpu->used - begin;
	comm->process = process;
	comm->size = size <= sizeof(comm->text) ? (u32)size : 0;
	memcpy(comm->text, event->cpu->packet + begin, comm->size);
}

void ctf_put_comm(struct ctf_writer *writer, struct ctf_event *event, u32 cpu, u32 process)
{
	const struct ctf_comm *comm = &writer->comms[process % CTF_COMMS];

	if (unlikely(comm->process != process || !comm->size)) {
		put_name(writer, event, cpu, process);
		return;
	}
	memcpy(event->cpu->packet + event->cpu->used, comm->text, sizeof(comm->text));
	event->cpu->used += comm->size;
	event->field++;
}

void ctf_forget_comm(struct ctf_writer *writer, u32 process)
{
	writer->comms[process % CTF_COMMS].size = 0;
}

s32 ctf_irq(struct ctf_writer *writer, u32 id, u32 number)
{
	struct ctf_device *device = table_find(&writer->devices, id);

	if (!device) {
		device = calloc(1, sizeof(*device));
		if (device) {
			device->node.id = id;
			device->ordinal = writer->ordinals++;
		}
		if (!device || table_add(&writer->devices, &device->node)) {
			free(device);
			ctf_trace_fail(&writer->trace, -ENOMEM, "no memory");
			return -1;
		}
	}
	return (s32)((device->ordinal % (1u << 24)) * 64 + number % 64);
}
