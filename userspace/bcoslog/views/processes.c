// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog processes: who lived, when, for how long, how they ended; and bcoslog top: who had the CPUs (7.6). */
#include <stdlib.h>

#include "report.h"

static const char processes_help[] =
"Usage: bcoslog processes [OPTIONS] [LOG]\n"
"\n"
"Tells who lived, in the order of their beginnings: when each began and ended,\n"
"how it ended, how long it had CPUs.\n"
"\n"
"      --short         by name, for a storm of short lives: how many there were,\n"
"                      how long they lived, how long they had CPUs\n"
REPORT_HELP;

static const char top_help[] =
"Usage: bcoslog top [OPTIONS] [LOG]\n"
"\n"
"Tells who had the CPUs, most first: time on CPUs, its share of all that there\n"
"was, instructions and energy by the estimates of the cores, and the longest\n"
"stretch without a CPU.  The kernel, what was idle and what is unknown have\n"
"rows of their own.\n"
"\n"
"  -n, --count N       so many processes, the others as one row (20; 0: all)\n"
REPORT_HELP;

/* Of one that is alive, or has ended. */
struct life {
	struct bcoslog_account_process process;
	char *name;
};

static struct lives {
	struct life *lives;
	size_t count, room;
	bool failed;
	bool by_name;
	u64 limit;
} lives = { .limit = 20 };

static void remember(const struct bcoslog_account_process *process)
{
	struct life *larger, *life;

	if (!filter_wants_process(process->id, process->name, process->name_length))
		return;
	if (lives.count == lives.room) {
		lives.room = lives.room ? 2 * lives.room : 256;
		larger = reallocarray(lives.lives, lives.room, sizeof(*larger));
		if (!larger) {
			lives.failed = true;
			return;
		}
		lives.lives = larger;
	}
	life = &lives.lives[lives.count++];
	life->process = *process;
	life->name = malloc(process->name_length + 1);
	if (!life->name) {
		lives.count--;
		lives.failed = true;
		return;
	}
	memcpy(life->name, process->name, process->name_length);
	life->name[process->name_length] = 0;
	life->process.name = life->name;
}

static void ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	remember(process);
}

static void remember_living(const struct report *report)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(report->account, process)))
		remember(process);
}

static void forget(void)
{
	size_t i;

	for (i = 0; i < lives.count; i++)
		free(lives.lives[i].name);
	free(lives.lives);
}

/* ---- processes ------------------------------------------------------------------------ */

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "former_name", NULL, CELL_TEXT },
	{ "start", "began", CELL_TIME },
	{ "end", "ended", CELL_TIME },
	{ "how", "how", CELL_TEXT },
	{ "status", NULL, CELL_NUMBER },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "turns", "turns", CELL_NUMBER },
	{ "execs", NULL, CELL_NUMBER },
	{ "events", NULL, CELL_NUMBER },
	{ "calls", NULL, CELL_NUMBER },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static int by_start(const void *left, const void *right)
{
	const struct bcoslog_account_process *a = &((const struct life *)left)->process;
	const struct bcoslog_account_process *b = &((const struct life *)right)->process;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static void processes_row(struct table_rows *table, const struct bcoslog_account_process *process)
{
	bool since_boot = process->precision == 0xFFFFFFFFu;
	char how[64];
	struct cell cells[COLUMNS] = {
		CELL_OF(process->id),
		cell_name(process->name, process->name_length),
		CELL_NONE,
		since_boot ? CELL_NONE : CELL_OF(process->start),
		process->ended ? CELL_OF(process->end) : CELL_NONE,
		cell_end(process, how, sizeof(how)),
		process->ended ? CELL_OF(process->status) : CELL_NONE,
		cell_sum(process->time, process->at_least),
		CELL_OF(process->turns),
		CELL_OF(process->renames),
		CELL_OF(process->events),
		CELL_OF(process->calls),
	};

	table_row(table, cells);
}

/* ---- by name ---------------------------------------------------------------------------- */

static const struct column short_columns[] = {
	{ "name", "name", CELL_TEXT },
	{ "count", "lives", CELL_NUMBER },
	{ "ended", "ended", CELL_NUMBER },
	{ "failed", "failed", CELL_NUMBER },
	{ "mean_life_ns", "mean life", CELL_SPAN },
	{ "longest_life_ns", "longest", CELL_SPAN },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
};

#define SHORT_COLUMNS (sizeof(short_columns) / sizeof(short_columns[0]))

static int by_name(const void *left, const void *right)
{
	const struct bcoslog_account_process *a = &((const struct life *)left)->process;
	const struct bcoslog_account_process *b = &((const struct life *)right)->process;
	size_t length = a->name_length < b->name_length ? a->name_length : b->name_length;
	int order = memcmp(a->name, b->name, length);

	if (order)
		return order;
	return a->name_length < b->name_length ? -1 : a->name_length > b->name_length;
}

static int most_lives(const struct cell *left, const struct cell *right)
{
	size_t length = left->length < right->length ? left->length : right->length;

	if (left[1].number != right[1].number)
		return left[1].number > right[1].number ? -1 : 1;
	return memcmp(left->text, right->text, length) ?: (left->length < right->length ? -1 : 1);
}

/* Those of one name, which are in a row.  Return: behind them. */
static size_t short_row(struct table_rows *table, size_t at)
{
	const struct bcoslog_account_process *first = &lives.lives[at].process, *each;
	u64 count = 0, ends = 0, failed = 0, sum = 0, longest = 0, time = 0;
	bool least = false;

	for (; at < lives.count && !by_name(&lives.lives[at], first); at++) {
		each = &lives.lives[at].process;
		count++;
		time += each->time;
		least |= each->at_least;
		if (!each->ended || each->end < each->start)
			continue;
		ends++;
		failed += each->status != 0;
		sum += each->end - each->start;
		if (each->end - each->start > longest)
			longest = each->end - each->start;
	}
	table_row(table, (struct cell[SHORT_COLUMNS]){
		cell_name(first->name, first->name_length), CELL_OF(count), CELL_OF(ends), CELL_OF(failed),
		ends ? CELL_OF(sum / ends) : CELL_NONE, ends ? CELL_OF(longest) : CELL_NONE, cell_sum(time, least),
	});
	return at;
}

static int print_processes(struct report *report)
{
	struct table_rows table;
	size_t at = 0;
	int error;

	remember_living(report);
	if (lives.count)
		qsort(lives.lives, lives.count, sizeof(*lives.lives), lives.by_name ? by_name : by_start);
	if (lives.by_name) {
		table_begin(&table, short_columns, SHORT_COLUMNS);
		while (at < lives.count)
			at = short_row(&table, at);
		table_sort(&table, most_lives);
	} else {
		table_begin(&table, columns, COLUMNS);
		for (; at < lives.count; at++)
			processes_row(&table, &lives.lives[at].process);
	}
	table.failed |= lives.failed;
	error = table_end(&table, report->form);
	forget();
	return error;
}

static int take_short(void *context, const char *text)
{
	(void)context;
	(void)text;
	lives.by_name = true;
	return 0;
}

int cmd_processes(int argc, char **argv)
{
	static const struct option_spec options[] = {
		{ "short", 0, NULL, take_short },
		{ NULL, 0, NULL, NULL },
	};
	struct report report = {
		.command = "processes", .help = processes_help, .options = options,
		.sinks = { .process_ended = ended }, .print = print_processes,
	};

	return report_run(&report, argc, argv);
}

/* ---- top ---------------------------------------------------------------------------------- */

static const struct column top_columns[] = {
	{ "process", "process", CELL_TEXT },
	{ "name", "name", CELL_TEXT },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "share", "share", CELL_SHARE },
	{ "turns", "turns", CELL_NUMBER },
	{ "instructions", NULL, CELL_REAL },
	{ "million_instructions", "M instr", CELL_REAL },
	{ "joules", "joules", CELL_REAL },
	{ "longest_off_ns", "longest off", CELL_SPAN },
	{ "longest_off_at", NULL, CELL_TIME },
};

#define TOP_COLUMNS (sizeof(top_columns) / sizeof(top_columns[0]))

static int by_time(const void *left, const void *right)
{
	const struct bcoslog_account_process *a = &((const struct life *)left)->process;
	const struct bcoslog_account_process *b = &((const struct life *)right)->process;

	if (a->time != b->time)
		return a->time > b->time ? -1 : 1;
	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static struct cell instructions(const struct bcoslog_work *work, double unit)
{
	struct cell cell = CELL_REAL_OF(work->instructions / unit);

	cell.least = work->performance_unknown;
	cell.unknown = work->performance_unknown && work->instructions == 0;
	return cell;
}

static struct cell joules(const struct bcoslog_work *work)
{
	struct cell cell = CELL_REAL_OF(work->joules);

	cell.least = work->power_unknown || work->at_least;
	cell.unknown = work->power_unknown && work->joules == 0;
	return cell;
}

static void top_row(struct table_rows *table, const struct bcoslog_account_process *process, const char *id,
		    u64 online)
{
	table_row(table, (struct cell[TOP_COLUMNS]){
		CELL_WORD(id), cell_name(process->name, process->name_length),
		cell_sum(process->time, process->at_least), cell_share(process->time, online), CELL_OF(process->turns),
		instructions(&process->work, 1), instructions(&process->work, 1e6), joules(&process->work),
		process->longest_off ? CELL_OF(process->longest_off) : CELL_NONE,
		process->longest_off ? CELL_OF(process->longest_off_at) : CELL_NONE,
	});
}

static void use_row(struct table_rows *table, const char *name, u64 time, u64 online)
{
	struct cell cells[TOP_COLUMNS] = {
		CELL_WORD(""), CELL_WORD(name), CELL_OF(time), cell_share(time, online), CELL_NONE, CELL_NONE, CELL_NONE,
		CELL_NONE, CELL_NONE, CELL_NONE,
	};

	table_row(table, cells);
}

static void add(struct bcoslog_account_process *sum, const struct bcoslog_account_process *process)
{
	sum->time += process->time;
	sum->turns += process->turns;
	sum->at_least |= process->at_least;
	sum->work.instructions += process->work.instructions;
	sum->work.joules += process->work.joules;
	sum->work.performance_unknown += process->work.performance_unknown;
	sum->work.power_unknown += process->work.power_unknown;
	sum->work.at_least |= process->work.at_least;
}

static int print_top(struct report *report)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	struct bcoslog_account_process others = { 0 };
	struct table_rows table;
	u64 shown = 0, left = 0;
	char id[32];
	size_t at;
	int error;

	remember_living(report);
	if (lives.count)
		qsort(lives.lives, lives.count, sizeof(*lives.lives), by_time);
	table_begin(&table, top_columns, TOP_COLUMNS);
	for (at = 0; at < lives.count; at++) {
		const struct bcoslog_account_process *process = &lives.lives[at].process;

		if (lives.limit && shown >= lives.limit && process->id != BCOS_PROCESS_KERNEL) {
			add(&others, process);
			left++;
			continue;
		}
		shown += process->id != BCOS_PROCESS_KERNEL;
		snprintf(id, sizeof(id), "%u", process->id);
		top_row(&table, process, id, totals->online);
	}
	if (left) {
		snprintf(id, sizeof(id), "%llu", (unsigned long long)left);
		others.name = "others";
		others.name_length = strlen(others.name);
		top_row(&table, &others, report->form == TABLE_TEXT ? id : "", totals->online);
	}
	use_row(&table, "idle", totals->time[BCOSLOG_USE_IDLE], totals->online);
	use_row(&table, "unknown", totals->time[BCOSLOG_USE_UNKNOWN], totals->online);
	table.failed |= lives.failed;
	error = table_end(&table, report->form);
	forget();
	return error;
}

static int take_count(void *context, const char *text)
{
	(void)context;
	return parse_number("--count", text, 1000000, &lives.limit);
}

int cmd_top(int argc, char **argv)
{
	static const struct option_spec options[] = {
		{ "count", 'n', "N", take_count },
		{ NULL, 0, NULL, NULL },
	};
	struct report report = {
		.command = "top", .help = top_help, .options = options, .sinks = { .process_ended = ended },
		.print = print_top,
	};

	return report_run(&report, argc, argv);
}
