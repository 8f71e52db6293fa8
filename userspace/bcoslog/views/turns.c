// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog turns: each turn of a process on a CPU, and what was before it. */
#include <stdlib.h>

#include "options/when.h"
#include "turn.h"
#include "views/track/waits.h"

static const char help[] =
"Usage: bcoslog turns [OPTIONS] [LOG]\n"
"\n"
"Tells each turn of a process on a CPU, as it ends: when it began, on which CPU,\n"
"for how long the process had been without one, for how much of that it waited\n"
"though it was woken or preempted (with the class state), and how long the turn\n"
"was, with >= before it where it began before the log or that time, or goes on\n"
"after it.\n"
"\n"
"      --threads       turns of threads, how each ended, and who woke it before (with\n"
"                      the class state)\n"
"      --summary       a row for each process: how many turns, the shortest, mean\n"
"                      and longest, and how often it went on on another CPU\n"
"      --over SPAN     turns that are at least so long\n"
"      --waited SPAN   turns before which it waited at least so long\n"
"      --idle          stretches for which a CPU was idle, too\n"
REPORT_HELP;

/* The sums of a process, as long as it lives; the account keeps them in its user pointer. */
struct sums {
	struct waits waits;
	u64 turns, time, shortest, longest, longest_at;
	u64 migrations;
	u32 cpu;
	bool ran;
};

static struct turns {
	u64 over, waited;
	bool summary, idle, threads, ends;
	struct turn *of;
	size_t count;
	struct sums nobody;		/* stretches for which CPUs were idle */
	struct turn next;		/* which begins with the present entry */
	bool begins;
	struct table_rows table;
	struct report *report;
	int error;
} turns;

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "turns", "turns", CELL_NUMBER },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "shortest_ns", "shortest", CELL_SPAN },
	{ "mean_ns", "mean", CELL_SPAN },
	{ "longest_ns", "longest", CELL_SPAN },
	{ "longest_at", "at", CELL_TIME },
	{ "migrations", "moves", CELL_NUMBER },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void check(int error)
{
	if (error && !turns.error)
		complain("no memory for the turns of processes");
	if (error)
		turns.error = error;
}

static struct turn *turn_of(u32 cpu)
{
	struct turn *larger;
	size_t i;

	/* CPUs are few. */
	for (i = 0; i < turns.count; i++)
		if (turns.of[i].cpu == cpu)
			return &turns.of[i];
	larger = reallocarray(turns.of, turns.count + 1, sizeof(*larger));
	if (!larger) {
		check(-ENOMEM);
		return NULL;
	}
	turns.of = larger;
	larger[turns.count] = (struct turn){ .cpu = cpu };
	return &larger[turns.count++];
}

static struct sums *sums_of(const struct bcoslog_account_process *process)
{
	struct sums *sums = process->user;

	if (sums)
		return sums;
	sums = calloc(1, sizeof(*sums));
	if (!sums)
		check(-ENOMEM);
	bcoslog_account_set_user(process, sums);
	return sums;
}

/* ---- what the log tells -------------------------------------------------------------- */

static void assigned(const struct report *report, const struct bcos_entry *entry)
{
	u32 id = ((const struct bcos_assign_cpu *)entry)->process;
	const struct bcoslog_account_process *process = bcoslog_account_process(report->account, id);
	struct turn *turn = turn_of(entry->source);
	struct sums *sums = process && process->id != BCOS_PROCESS_KERNEL ? sums_of(process) : NULL;

	/* Assigned anew to whom it was: that is no turn of its own. */
	if (!turn || (turn->known && turn->process == id))
		return;
	turns.begins = true;
	turns.next = (struct turn){ .cpu = entry->source, .process = id, .known = true };
	if (sums)
		turns.next.delay = waits_end(&sums->waits, report, entry->time);
}

static int entry(struct report *report, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *process;
	struct bcoslog_thread_state state;
	struct sums *sums;

	turns.ends = false;
	if (entry->type == BCOS_ASSIGN_CPU) {
		assigned(report, entry);
		return turns.error;
	}
	if (!waits_tells(entry, &state))
		return turns.error;
	process = bcoslog_account_process(report->account, entry->source);
	sums = process ? sums_of(process) : NULL;
	if (sums)
		waits_state(&sums->waits, process, &state, entry->time);
	return turns.error;
}

static void off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu)
{
	struct sums *sums = process->user;
	u64 waited = sums ? waits_off(&sums->waits, turns.report, begin, end) : 0;

	(void)context;
	if (!turns.begins || turns.next.cpu != cpu)
		return;
	turns.next.off = end - begin;
	if (waited)
		turns.next.delay = waited;
}

static int after(struct report *report, const struct bcos_entry *entry)
{
	struct turn *turn;

	(void)report;
	(void)entry;
	turns.ends = true;
	if (!turns.begins)
		return turns.error;
	turns.begins = false;
	turn = turn_of(turns.next.cpu);
	if (turn)
		*turn = turns.next;
	return turns.error;
}

/* Does the turn reach out of what is asked for, or of the log? */
static bool is_part(const struct bcoslog_interval *interval, const struct turn *turn)
{
	const struct bcoslog_account_options *window = &turns.report->sinks;

	return turns.ends || !turn->known || interval->begin == window->since ||
	       (window->until && interval->end == window->until);
}

/* ---- a turn ----------------------------------------------------------------------------- */

static void add(struct sums *sums, const struct bcoslog_interval *interval)
{
	u64 span = interval->end - interval->begin;

	if (!sums->turns || span < sums->shortest)
		sums->shortest = span;
	if (!sums->turns || span > sums->longest) {
		sums->longest = span;
		sums->longest_at = interval->begin;
	}
	sums->turns++;
	sums->time += span;
	sums->migrations += sums->ran && sums->cpu != interval->cpu;
	sums->ran = true;
	sums->cpu = interval->cpu;
}

static bool wanted(const struct bcoslog_interval *interval)
{
	const struct bcoslog_account_process *process = interval->process;

	if (turns.error || interval->end - interval->begin < turns.over ||
	    !filter_wants_cpu(interval->cpu, interval->core))
		return false;
	if (process)
		return filter_wants_life(process);
	return turns.idle && interval->use == BCOSLOG_USE_IDLE && !filter_has_processes();
}

static void interval(void *context, const struct bcoslog_interval *interval)
{
	static struct turn unknown;
	const struct turn *turn;
	struct sums *sums;

	(void)context;
	if (turns.threads || !wanted(interval))
		return;
	turn = turn_of(interval->cpu);
	/* The log does not tell what was before the first turn. */
	if (!turn || !turn->known || turn->process != (interval->process ? interval->process->id : BCOS_PROCESS_IDLE))
		turn = &unknown;
	if (turns.waited && turn->delay < turns.waited)
		return;
	if (turns.summary) {
		sums = interval->process ? sums_of(interval->process) : &turns.nobody;
		if (sums)
			add(sums, interval);
	} else if (turns.report->form == TABLE_JSON) {
		check(turn_json(interval, turn, is_part(interval, turn)));
	} else if (turns.report->form == TABLE_CSV) {
		turn_csv(interval, turn);
	} else {
		turn_line(interval, turn, is_part(interval, turn));
	}
}

/* A turn of a thread. */
static void of_thread(void *context, const struct bcoslog_thread_turn *turn)
{
	const struct bcoslog_account_process *process = turn->thread->process;
	const struct bcoslog_account_options *window = &turns.report->sinks;

	(void)context;
	if (turns.error || turn->end - turn->begin < turns.over || (turns.waited && turn->waited < turns.waited) ||
	    !report_wants_cpu(turns.report, turn->cpu) ||
	    !filter_wants_process(process->id, process->name, process->name_length))
		return;
	check(thread_turn(turn, turns.report->form,
			  turns.ends || turn->begin == window->since || (window->until && turn->end == window->until)));
}

/* ---- the summary ------------------------------------------------------------------------- */

static void sums_row(struct cell id, struct cell name, const struct sums *sums, bool least)
{
	if (sums && sums->turns)
		table_row(&turns.table, (struct cell[COLUMNS]){
			id, name, CELL_OF(sums->turns), cell_sum(sums->time, least), CELL_OF(sums->shortest),
			CELL_OF(sums->time / sums->turns), CELL_OF(sums->longest), CELL_OF(sums->longest_at),
			id.absent ? CELL_NONE : CELL_OF(sums->migrations),
		});
}

static void row(const struct bcoslog_account_process *process)
{
	sums_row(CELL_OF(process->id), cell_name(process->name, process->name_length), process->user, process->at_least);
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

static void ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	row(process);
}

static int most_first(const struct cell *left, const struct cell *right)
{
	if (left[3].number != right[3].number)
		return left[3].number > right[3].number ? -1 : 1;
	if (left[7].number != right[7].number)
		return left[7].number < right[7].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

static int print(struct report *report)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(report->account, process)))
		row(process);
	sums_row(CELL_NONE, CELL_WORD("idle"), &turns.nobody, false);
	free(turns.of);
	if (turns.threads)
		thread_turn_head(report->form);
	else if (!turns.summary)
		turn_head(report->form);
	if (!turns.summary || turns.error)
		return turns.error;
	table_sort(&turns.table, most_first);
	return table_end(&turns.table, report->form);
}

static int take_summary(void *context, const char *text)
{
	(void)context;
	(void)text;
	turns.summary = true;
	return 0;
}

static int take_threads(void *context, const char *text)
{
	static const struct bcoslog_thread_sinks threads = { .turn = of_thread };

	(void)context;
	(void)text;
	turns.threads = true;
	turns.report->threads = &threads;
	return 0;
}

static int ready(struct report *report, struct arguments *arguments)
{
	(void)report;
	(void)arguments;
	if (!turns.threads || (!turns.summary && !turns.idle))
		return 0;
	complain("turns --threads tells of each turn of a thread: leave %s out", turns.summary ? "--summary" : "--idle");
	return -1;
}

static int take_over(void *context, const char *text)
{
	(void)context;
	return parse_duration("--over", text, &turns.over);
}

static int take_waited(void *context, const char *text)
{
	(void)context;
	return parse_duration("--waited", text, &turns.waited);
}

static int take_idle(void *context, const char *text)
{
	(void)context;
	(void)text;
	turns.idle = true;
	return 0;
}

int cmd_turns(int argc, char **argv)
{
	static const struct option_spec options[] = {
		{ "threads", 0, NULL, take_threads },
		{ "summary", 0, NULL, take_summary },
		{ "over", 0, "SPAN", take_over },
		{ "waited", 0, "SPAN", take_waited },
		{ "idle", 0, NULL, take_idle },
		{ NULL, 0, NULL, NULL },
	};
	struct report report = {
		.command = "turns", .help = help, .options = options, .entry = entry, .after = after,
		.ready = ready,
		.no_device = "turns tells of processes, and no device has a CPU: leave --device out, or see bcoslog io",
		.sinks = { .interval = interval, .off = off, .process_ended = ended }, .print = print,
	};

	turns.report = &report;
	table_begin(&turns.table, columns, COLUMNS);
	turns.table.spare = "migrations shortest_ns mean_ns";
	return report_run(&report, argc, argv);
}
