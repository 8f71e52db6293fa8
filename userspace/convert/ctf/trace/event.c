// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts that several kinds of events share: their time, numbers, and the name of a process. */
#include "writer.h"

int ctf_begin(struct ctf_writer *writer, struct ctf_event *event, struct ctf_cpu *cpu, enum ctf_layout_id layout,
	      const struct bcos_entry *entry)
{
	return ctf_event_begin(&writer->trace, event, cpu ? cpu : writer->home, layout, writer->now, entry->precision);
}

int ctf_put_numbers(struct ctf_writer *writer, struct ctf_cpu *cpu, enum ctf_layout_id layout,
		       const struct bcos_entry *entry, bool two)
{
	struct ctf_event event;
	int r = ctf_begin(writer, &event, cpu, layout, entry);

	if (r)
		return r;
	ctf_put(&event, entry->source);
	if (two)
		ctf_put(&event, ((const struct bcos_assign_cpu *)entry)->process);
	return 0;
}

int ctf_put_comm(struct ctf_writer *writer, struct ctf_event *event, u32 cpu, u32 process)
{
	const struct bcoslog_process *known;
	char idle[32];

	if (process == BCOS_PROCESS_IDLE)
		return ctf_put_text(&writer->trace, event, idle,
				    (size_t)snprintf(idle, sizeof(idle), "swapper/%u", cpu));
	known = bcoslog_process(writer->state, process);
	return known ? ctf_put_text(&writer->trace, event, known->name, known->name_length) :
		ctf_put_text(&writer->trace, event, process ? "?" : "kernel", process ? 1 : 6);
}
