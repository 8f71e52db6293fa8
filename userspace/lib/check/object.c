// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The check of objects that an entry uses or states, whether it is historical or not. */
#include "check.h"

void demand_stated(struct bcoslog_check *check, u32 group, const char *subject, u32 id,
			  bool hexadecimal)
{
	if (group >= check->group.newest)
		return;
	violation(check, "not-restated",
		  hexadecimal ? "%s 0x%08X is used, but the group at byte %llu leaves it out" :
		  "%s %u is used, but the group at byte %llu leaves it out",
		  subject, id, (unsigned long long)check->group.newest_at);
}

bool used_process(struct bcoslog_check *check, u32 id)
{
	const struct process *process = table_find(&check->state->processes, id);

	if (process)
		demand_stated(check, process->group, "process", id, false);
	return process;
}

bool used_device(struct bcoslog_check *check, u32 id)
{
	const struct device *device = table_find(&check->state->devices, id);

	if (device)
		demand_stated(check, device->group, "device", id, true);
	return device;
}

void check_performances(struct bcoslog_check *check, const struct bcos_entry *entry)
{
	u32 id = entry->type & BCOS_SUBJECT_CPU ? ((const struct bcos_cpu_online *)entry)->core : entry->source;
	const struct bcoslog_core *core = bcoslog_core(check->state, id);

	if (core && core->cpus > core->performances)
		violation(check, "short-table", "core %u has %u CPUs, but a performance table for %zu", id, core->cpus,
			  core->performances);
}

void check_reserved(struct bcoslog_check *check, u32 process)
{
	if (process == BCOS_PROCESS_IDLE)
		violation(check, "reserved-process",
			  "process 0xFFFFFFFF means idle and has no name");
}
