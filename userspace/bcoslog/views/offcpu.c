// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog offcpu: stretches for which a process had no CPU. */
#include <stdlib.h>

#include "../when.h"
#include "report.h"

static const char help[] =
"Usage: bcoslog offcpu [OPTIONS] [LOG]\n"
"\n"
"Tells of stretches for which a process had no CPU, between two turns: when,\n"
"how long, on which CPU it went on, and who had that CPU just before.  What it\n"
"waited for, the log knows only with the class state.\n"
"\n"
"      --over SPAN     at least so long (default 10ms)\n"
REPORT_HELP;

/* Who had a CPU before it was given away. */
struct last {
	u32 cpu;
	char name[64];
	size_t length;
	u32 process;
	bool idle, known;
};

static struct offs {
	u64 over;
	struct table_rows table;
	struct last *lasts;
	size_t count;
	bool failed;
} offs = { .over = 10000000 };

static struct last *last_of(u32 cpu)
{
	struct last *larger;
	size_t i;

	for (i = 0; i < offs.count; i++)
		if (offs.lasts[i].cpu == cpu)
			return &offs.lasts[i];
	larger = reallocarray(offs.lasts, offs.count + 1, sizeof(*larger));
	if (!larger) {
		offs.failed = true;
		return NULL;
	}
	offs.lasts = larger;
	memset(&larger[offs.count], 0, sizeof(*larger));
	larger[offs.count].cpu = cpu;
	return &larger[offs.count++];
}

/* It ends just before the process goes on there. */
static void interval(void *context, const struct bcoslog_interval *interval)
{
	struct last *last = last_of(interval->cpu);

	(void)context;
	if (!last)
		return;
	last->idle = interval->use == BCOSLOG_USE_IDLE;
	last->known = interval->use != BCOSLOG_USE_UNKNOWN;
	last->length = 0;
	if (!interval->process)
		return;
	last->process = interval->process->id;
	last->length = interval->process->name_length < sizeof(last->name) ? interval->process->name_length :
									      sizeof(last->name);
	memcpy(last->name, interval->process->name, last->length);
}

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "begin", "from", CELL_TIME },
	{ "end", "to", CELL_TIME },
	{ "span_ns", "without a CPU", CELL_SPAN },
	{ "cpu", "CPU", CELL_NUMBER },
	{ "before", NULL, CELL_NUMBER },
	{ "before_name", "who had it before", CELL_TEXT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu)
{
	struct last *last;
	struct cell name = CELL_NONE;

	(void)context;
	if (end - begin < offs.over || !filter_wants_process(process->id, process->name, process->name_length))
		return;
	last = last_of(cpu);
	if (last && last->idle)
		name = CELL_WORD("idle");
	else if (last && last->known)
		name = cell_name(last->name, last->length);
	table_row(&offs.table, (struct cell[COLUMNS]){
		CELL_OF(process->id), cell_name(process->name, process->name_length), CELL_OF(begin), CELL_OF(end),
		CELL_OF(end - begin), CELL_OF(cpu),
		last && last->known && !last->idle ? CELL_OF(last->process) : CELL_NONE, name,
	});
}

static int print(struct report *report)
{
	free(offs.lasts);
	offs.table.failed |= offs.failed;
	return table_end(&offs.table, report->form);
}

static int take_over(void *context, const char *text)
{
	(void)context;
	return parse_duration("--over", text, &offs.over);
}

int cmd_offcpu(int argc, char **argv)
{
	static const struct option_spec options[] = {
		{ "over", 0, "SPAN", take_over },
		{ NULL, 0, NULL, NULL },
	};
	struct report report = {
		.command = "offcpu", .help = help, .options = options,
		.sinks = { .interval = interval, .off = off }, .print = print,
	};

	table_begin(&offs.table, columns, COLUMNS);
	return report_run(&report, argc, argv);
}
