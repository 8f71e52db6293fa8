// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog offcpu: stretches for which a process had no CPU. */
#include <stdlib.h>

#include "../when.h"
#include "rows.h"

static const char help[] =
"Usage: bcoslog offcpu [OPTIONS] [LOG]\n"
"\n"
"Tells of stretches for which a process had no CPU, between two turns: when,\n"
"how long, on which CPU it went on, and who had that CPU just before.  What it\n"
"waited for, the log knows only with the class state.\n"
"\n"
"      --over SPAN     at least so long (default 10ms)\n"
REPORT_HELP;

static struct offs {
	u64 over;
	struct table_rows table;
	struct offcpu_last *lasts;
	size_t count;
	bool failed;
} offs = { .over = 10000000 };

static struct offcpu_last *last_of(u32 cpu)
{
	struct offcpu_last *larger;
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

const struct offcpu_last *offcpu_last_of(u32 cpu)
{
	return last_of(cpu);
}

/* It ends just before the process goes on there. */
void offcpu_interval(const struct bcoslog_interval *interval)
{
	struct offcpu_last *last = last_of(interval->cpu);

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

static void interval(void *context, const struct bcoslog_interval *stretch)
{
	(void)context;
	offcpu_interval(stretch);
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

void offcpu_begin(struct table_rows *table)
{
	table_begin(table, columns, COLUMNS);
}

void offcpu_row(struct table_rows *table, const struct bcoslog_account_process *process, u64 begin, u64 end,
		const struct offcpu_last *last)
{
	struct cell name = CELL_NONE;

	if (last && last->idle)
		name = CELL_WORD("idle");
	else if (last && last->known)
		name = cell_name(last->name, last->length);
	table_row(table, (struct cell[COLUMNS]){
		CELL_OF(process->id), cell_name(process->name, process->name_length), CELL_OF(begin), CELL_OF(end),
		CELL_OF(end - begin), last ? CELL_OF(last->cpu) : CELL_NONE,
		last && last->known && !last->idle ? CELL_OF(last->process) : CELL_NONE, name,
	});
}

static void off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu)
{
	(void)context;
	if (end - begin >= offs.over && filter_wants_process(process->id, process->name, process->name_length))
		offcpu_row(&offs.table, process, begin, end, last_of(cpu));
}

void offcpu_free(void)
{
	free(offs.lasts);
}

static int print(struct report *report)
{
	offcpu_free();
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

	offcpu_begin(&offs.table);
	return report_run(&report, argc, argv);
}
