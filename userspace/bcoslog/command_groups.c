// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The commands of bcoslog: see command.h. */
#include <stddef.h>

#include "command.h"

const struct command_group command_groups[] = {
	{ "Reports", { &command_top, &command_cpu, &command_io, &command_power, &command_processes, &command_story,
		       &command_why, &command_around, &command_latency, &command_offcpu, &command_turns,
		       &command_losses, &command_metrics, &command_sql, &command_explore, &command_serve } },
	{ "Entries", { &command_dump, &command_text, &command_cat, &command_check, &command_merge, &command_convert,
		       &command_bridge, &command_collect } },
	{ "Recording", { &command_record, &command_recover, &command_ship, &command_fleet, &command_status, &command_mask, &command_watch,
			 &command_attach, &command_doctor } },
	{ .title = NULL },
};
