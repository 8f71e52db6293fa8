// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog turns: shows each turn of a process on a CPU, and how it waited for the CPU before. */
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "options/filter.h"
#include "options/options.h"
#include "options/shared.h"
#include "options/when.h"
#include "complain/complain.h"
#include "turns.h"
#include "state/chain.h"
#include "state/table.h"

/* A CPU and its present turn. */
struct place {
	u32 cpu;
	bool known;			/* the log tells the begin of the present turn */
	u64 from;			/* that is this */
	u32 process;			/* ID of the process that has the turn, or BCOS_PROCESS_IDLE */
	struct turn begun;		/* the wait before the present turn: @off, @waited and so on */
	u32 left, left_process;		/* how the last turn of a thread ended, and the ID of its process */
	u64 left_at;			/* when that turn ended */
	u32 thread, thread_process;	/* the thread that the log names for the next turn, and its process */
	bool fresh;			/* the turn of @fresh_thread begins exactly with the window */
	u32 fresh_thread, fresh_process;
};

struct place_of {
	struct node node;
	struct link to_forget;		/* its link in the queue of places that may be @place.known */
	struct place place;
};

struct turns {
	u64 over, waited;
	bool summary, idle;
	bool ends;			/* no more entries come */
	bool breaks;			/* the present entry states a loss */
	struct turn_form form;
	struct turn_rows rows;
	struct table places;
	u64 memory;			/* size of @places in bytes */
	struct chain to_forget;
	struct turn_sums nobody;		/* stretches for which CPUs were idle */
	struct place next;		/* the turn that begins with the present entry, if @begins */
	bool begins;
	u32 successor_cpu;		/* the CPU that the present entry gives to @successor */
	struct successor successor;
	struct report *report;
	bool any_state;			/* the log has told the state of a thread */
	int error;
};

static void check_error(struct turns *turns, int error)
{
	if (error && !turns->error)
		complain("no memory for the turns of processes");
	if (error)
		turns->error = error;
}

static struct place *place_of(struct turns *turns, u32 cpu)
{
	struct place_of *of = NULL;

	if (turns->places.buckets || !table_init(&turns->places)) {
		of = table_find(&turns->places, cpu);
		if (of)
			return &of->place;
		of = item_add(&turns->places, &turns->memory, cpu, sizeof(*of));
	}
	if (!of) {
		check_error(turns, -ENOMEM);
		return NULL;
	}
	of->place = (struct place){ .cpu = cpu, .left = BCOS_STATES };
	return &of->place;
}

static struct turn_sums *sums_of(struct turns *turns, const struct bcoslog_account_process *process)
{
	struct turn_sums *sums = turn_sums_of(process);

	check_error(turns, sums ? 0 : -ENOMEM);
	return sums;
}

/* Notes a thread whose turn begins with the present entry, if that is exactly where the window begins. */
static void note_fresh(struct turns *turns, struct place *place, u64 time, u32 thread, u32 process)
{
	if (likely(time != turns->report->sinks.since))
		return;
	place->fresh = true;
	place->fresh_thread = thread;
	place->fresh_process = process;
}

/* ---- entries ------------------------------------------------------------------------- */

/* Does the CPU have this process now, or is it idle, if @process is BCOS_PROCESS_IDLE? */
static bool has_process(const struct bcoslog_account *account, u32 id, u32 process)
{
	const struct bcoslog_account_cpu *cpu = bcoslog_account_cpu(account, id);

	if (!cpu)
		return false;
	return process == BCOS_PROCESS_IDLE ? cpu->use == BCOSLOG_USE_IDLE : cpu->process && cpu->process->id == process;
}

static void turn_assigned(const struct report *report, const struct bcos_entry *entry)
{
	struct turns *turns = report->context;
	u32 id = ((const struct bcos_assign_cpu *)entry)->process;
	const struct bcoslog_account_process *process = bcoslog_account_process(report->account, id);
	struct place *place = place_of(turns, entry->source);
	struct turn_sums *sums = process && process->id != BCOS_PROCESS_KERNEL ? sums_of(turns, process) : NULL;

	/* An assignment to the process that has the CPU already begins no turn. After a loss nobody is known to have it. */
	if (!place || (place->known && place->process == id && has_process(report->account, entry->source, id)))
		return;
	turns->successor_cpu = entry->source;
	turns->successor = (struct successor){ .known = true, .id = id, .process = process };
	if (place->thread_process == id) {
		turns->successor.thread = place->thread;
		note_fresh(turns, place, entry->time, place->thread, id);
	}
	turns->begins = true;
	turns->next = (struct place){
		.cpu = entry->source, .process = id, .known = true, .from = entry->time, .left = BCOS_STATES,
		.fresh = place->fresh, .fresh_thread = place->fresh_thread, .fresh_process = place->fresh_process,
	};
	if (!sums)
		return;
	turns->next.begun.waited = waits_end(&sums->waits, report, entry->time);
	turns->next.begun.waited_unknown = sums->waits.last_unknown;
	turns->next.begun.waker = sums->waits.last_waker;
}

/* Notes that the thread has the CPU from now on, or from the assignment on that follows. */
static void process_comes(struct turns *turns, const struct bcoslog_account_process *process, const struct bcoslog_thread *state, u64 time)
{
	struct place *place = state->has_cpu ? place_of(turns, state->cpu) : NULL;

	if (!place)
		return;
	place->thread = state->thread;
	place->thread_process = process->id;
	note_fresh(turns, place, time, state->thread, process->id);
	turns->successor_cpu = state->cpu;
	turns->successor = (struct successor){ .known = true, .id = process->id, .process = process,
					      .thread = state->thread };
}

static int turns_entry(struct report *report, const struct bcos_entry *entry)
{
	struct turns *turns = report->context;
	const struct bcoslog_account_process *process;
	struct bcoslog_thread state;
	struct turn_sums *sums;

	turns->ends = false;
	turns->breaks = entry->type == BCOS_GENERIC_CPU || bcoslog_is_missed(entry);
	turns->successor.known = false;
	if (entry->type == BCOS_ASSIGN_CPU) {
		turn_assigned(report, entry);
		return turns->error;
	}
	if (!waits_tells(entry, &state))
		return turns->error;
	turns->any_state = true;
	process = bcoslog_account_process(report->account, entry->source);
	if (process && state.state == BCOS_STATE_RUNS)
		process_comes(turns, process, &state, entry->time);
	sums = process ? sums_of(turns, process) : NULL;
	if (sums)
		waits_state(&sums->waits, report, process, &state, entry->time);
	return turns->error;
}

static void turns_stretch(void *context, const struct bcoslog_stretch *off)
{
	struct turns *turns = context;
	struct turn_sums *sums = off->process->user;
	struct turn *begun = &turns->next.begun;
	u64 waited = sums ? waits_off(&sums->waits, turns->report, off) : 0;

	if (!turns->begins || turns->next.cpu != off->cpu)
		return;
	begun->off = off->end - off->begin;
	begun->off_unknown = off->unknown;
	begun->cut = off->cut;
	begun->preempted = waited;
	if (!waited)
		return;
	begun->waited = waited;
	begun->waited_unknown = sums->waits.last_unknown;
}

/* Is it unknown who has the CPU of a place, or was it so before? */
static bool is_lost(const struct bcoslog_account *account, struct place *place)
{
	const struct bcoslog_account_cpu *cpu = bcoslog_account_cpu(account, place->cpu);

	if (cpu && cpu->use == BCOSLOG_USE_UNKNOWN)
		place->known = false;
	return !place->known;
}

/*
 * Notes which CPUs may change their process unseen. If the log restates one, it does not tell when that turn began. An
 * entry makes the CPU unknown that is its source, or all CPUs.
 */
static void forget_lost(struct turns *turns, const struct bcoslog_account *account, const struct bcos_entry *entry)
{
	struct link *first;

	if (entry->type == BCOS_GENERIC_CPU && turns->places.buckets && table_find(&turns->places, entry->source))
		is_lost(account, place_of(turns, entry->source));
	while ((first = turns->to_forget.first)) {
		if (!is_lost(account, &item_of(first, struct place_of, to_forget)->place))
			break;
		chain_take(&turns->to_forget);
	}
}

static int turns_after(struct report *report, const struct bcos_entry *entry)
{
	struct turns *turns = report->context;
	struct place *place;

	turns->ends = true;
	if (turns->breaks)
		forget_lost(turns, report->account, entry);
	if (!turns->begins)
		return turns->error;
	turns->begins = false;
	place = place_of(turns, turns->next.cpu);
	if (place) {
		*place = turns->next;
		chain_add(&turns->to_forget, &item_of(place, struct place_of, place)->to_forget);
	}
	return turns->error;
}

/* May a turn that ends at @end go on: in a loss, after the window or after the log? */
static bool goes_on(struct turns *turns, u64 end)
{
	return turns->ends || turns->breaks || (turns->report->sinks.until && end == turns->report->sinks.until);
}

/* Return: the successor of a turn that ends with the present entry. */
static struct successor successor_of(struct turns *turns, u32 cpu, u64 end)
{
	if (!turns->successor.known || turns->successor_cpu != cpu || goes_on(turns, end))
		return (struct successor){ 0 };
	return turns->successor;
}

/* ---- turns ------------------------------------------------------------------------------ */

static bool turn_wanted(struct turns *turns, const struct bcoslog_interval *interval)
{
	const struct bcoslog_account_process *process = interval->process;

	/* Of a window that is a mere moment, no part of a turn is left. */
	if (interval->begin == interval->end && interval->begin == turns->report->sinks.since)
		return false;
	if (turns->error || interval->end - interval->begin < turns->over ||
	    !filter_wants_cpu(&turns->report->session->filter, interval->cpu, interval->core))
		return false;
	if (process)
		return filter_wants_life(&turns->report->session->filter, process);
	return turns->idle && interval->use == BCOSLOG_USE_IDLE && !filter_has_processes(&turns->report->session->filter);
}

static struct turn turn_of(struct turns *turns, const struct bcoslog_interval *interval)
{
	const struct place *place = place_of(turns, interval->cpu);
	u32 id = interval->process ? interval->process->id : BCOS_PROCESS_IDLE;
	struct turn turn = { 0 };
	/* The log does not tell the wait before the first turn of a CPU. */
	bool known = place && place->known && place->process == id;

	if (known)
		turn = place->begun;
	turn.thread_name = CELL_NONE;
	turn.begin = interval->begin;
	turn.end = interval->end;
	turn.cpu = interval->cpu;
	turn.process = interval->process;
	turn.part = !known || place->from < interval->begin || goes_on(turns, interval->end);
	turn.left = BCOS_STATES;
	if (place && place->left_process == id && place->left_at == interval->end && !goes_on(turns, interval->end))
		turn.left = place->left;
	turn.next = successor_of(turns, interval->cpu, interval->end);
	return turn;
}

static void turns_interval(void *context, const struct bcoslog_interval *interval)
{
	struct turns *turns = context;
	struct turn turn;
	struct turn_sums *sums;

	if ((turns->form.threads && interval->process) || !turn_wanted(turns, interval))
		return;
	turn = turn_of(turns, interval);
	if (turns->waited && turn.waited < turns->waited)
		return;
	if (turns->summary) {
		sums = interval->process ? sums_of(turns, interval->process) : &turns->nobody;
		if (sums)
			turn_sums_add(sums, turn.cpu, turn.begin, turn.end, turn.part);
	} else {
		turns->report->rows = true;
		check_error(turns, turn_put(&turn, &turns->form));
	}
}

/* Notes how the turn of a thread ended. The account tells it before the turn of the process, if both end. */
static void thread_leaves(struct turns *turns, const struct bcoslog_thread_turn *turn)
{
	struct place *place = place_of(turns, turn->cpu);

	if (!place)
		return;
	place->left = turn->left;
	place->left_process = turn->thread->process->id;
	place->left_at = turn->end;
}

/* Return: what came before a turn of a thread. */
static struct bcoslog_before before_turn(const struct bcoslog_thread_turn *of)
{
	struct bcoslog_before before;

	bcoslog_account_before(of->thread, &before);
	return before;
}

/* Did the turn begin before the window? What began exactly with the window did not. */
static bool began_before(struct turns *turns, const struct bcoslog_thread_turn *of)
{
	const struct place *place = place_of(turns, of->cpu);

	if (of->begin != turns->report->sinks.since)
		return false;
	return !place || !place->fresh || place->fresh_thread != of->thread->id ||
	       place->fresh_process != of->thread->process->id;
}

static void of_thread(void *context, const struct bcoslog_thread_turn *of)
{
	struct turns *turns = context;
	const struct bcoslog_account_process *process = of->thread->process;
	const struct bcoslog_before before = before_turn(of);
	const struct turn turn = {
		.begin = of->begin, .end = of->end, .cpu = of->cpu, .process = process, .thread = of->thread->id,
		.thread_name = thread_name_cell(of->thread),
			.off = before.off, .off_unknown = before.off_unknown, .waited = before.waited,
			.waited_unknown = before.waited_unknown, .preempted = of->preempted, .waker = of->waker,
		.left = goes_on(turns, of->end) ? BCOS_STATES : of->left, .part = began_before(turns, of) || goes_on(turns, of->end),
		.next = successor_of(turns, of->cpu, of->end),
	};
	struct turn_sums *sums;

	if (!turns->form.threads) {
		thread_leaves(turns, of);
		return;
	}
	if (turns->error || turn.end - turn.begin < turns->over || (turns->waited && turn.waited < turns->waited) ||
	    !report_wants_cpu(turns->report, turn.cpu) || !filter_wants_life(&turns->report->session->filter, process))
		return;
	if (!turns->summary) {
		turns->report->rows = true;
		check_error(turns, turn_put(&turn, &turns->form));
		return;
	}
	sums = turn_sums_of_thread(of->thread);
	check_error(turns, sums ? 0 : -ENOMEM);
	if (sums)
		turn_sums_add(sums, turn.cpu, turn.begin, turn.end, turn.part);
}

static void thread_ended(void *context, const struct bcoslog_account_thread *thread)
{
	struct turns *turns = context;

	turn_sums_thread_row(&turns->rows, thread);
}

static void turns_ended(void *context, const struct bcoslog_account_process *process)
{
	struct turns *turns = context;

	turn_sums_row(&turns->rows, process);
}

static int print_turns(struct report *report)
{
	struct turns *turns = report->context;
	const struct bcoslog_account_process *process = NULL;
	bool lost = bcoslog_account_totals(report->account)->lost & BCOSLOG_LOST_ASSIGNMENTS;
	const struct bcoslog_account_thread *thread;

	report->lists = turns->form.threads ? "turn of a thread" : "turn of a process on a CPU";
	if (turns->over || turns->waited)
		report->lists_why = "shorter ones are left out (--over, --waited)";
	else if (turns->form.threads && !turns->any_state)
		report->lists_why = "nothing in it is of the class state";
	while ((process = bcoslog_account_next_process(report->account, process))) {
		for (thread = NULL; turns->form.threads && (thread = bcoslog_account_next_thread(process, thread));)
			turn_sums_thread_row(&turns->rows, thread);
		turn_sums_row(&turns->rows, process);
	}
	if (turns->error || turns->summary)
		return turns->error ? turns->error : turn_sums_print(&turns->rows, report, &turns->nobody, lost);
	turn_head(&turns->form);
	turn_foot(&turns->form);
	return 0;
}

static void end_turns(struct report *report)
{
	struct turns *turns = report->context;

	if (turns->places.buckets)
		table_destroy(&turns->places, node_free);
	turns->memory = 0;
	turns->to_forget = (struct chain){ 0 };
	turn_sums_free(&turns->rows);
}

static int take_summary(struct arguments *arguments, const char *text)
{
	struct turns *turns = ((struct report *)arguments->context)->context;

	(void)text;
	turns->summary = true;
	return 0;
}

static int take_threads(struct arguments *arguments, const char *text)
{
	struct turns *turns = ((struct report *)arguments->context)->context;

	(void)text;
	turns->form.threads = true;
	return 0;
}

static int take_next(struct arguments *arguments, const char *text)
{
	struct turns *turns = ((struct report *)arguments->context)->context;

	(void)text;
	turns->form.next = true;
	return 0;
}

static int ready_turns(struct report *report, struct arguments *arguments)
{
	struct turns *turns = report->context;
	static const struct bcoslog_thread_sinks threads = { .turn = of_thread, .ended = thread_ended };

	(void)arguments;
	turns->form.session = report->session;
	turn_sums_begin(&turns->rows, turns->form.threads);
	report->threads = !turns->summary || turns->form.threads ? &threads : &report_sleeps;
	if (!turns->summary || !turns->form.next)
		return 0;
	complain("turns --next tells who came after each turn: leave --summary out");
	return -1;
}

static int take_over(struct arguments *arguments, const char *text)
{
	struct turns *turns = ((struct report *)arguments->context)->context;

	return parse_duration("--over", text, &turns->over);
}

static int take_waited(struct arguments *arguments, const char *text)
{
	struct turns *turns = ((struct report *)arguments->context)->context;

	return parse_duration("--waited", text, &turns->waited);
}

static int take_idle(struct arguments *arguments, const char *text)
{
	struct turns *turns = ((struct report *)arguments->context)->context;

	(void)text;
	turns->idle = true;
	return 0;
}

static int cmd_turns(struct session *session, int argc, char **argv)
{
	struct turns turns = { 0 };
	struct report report = {
		.context = &turns,
		.command = &command_turns,
		.entry = turns_entry,
		.after = turns_after,
		.ready = ready_turns,
		.no_device = "turns tells of processes, and no device has a CPU: leave --device out, or see bcoslog io",
		.stretch = turns_stretch,
		.sinks = {.interval = turns_interval, .process_ended = turns_ended},
		.print = print_turns,
		.end = end_turns,
		.lists_lost = BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_STATES,
	};

	turns.report = &report;
	return report_run(session, &report, argc, argv);
}

static const struct option_spec options[] = {
	{ .name = "threads", .take = take_threads, .help = "turns of threads (with the class state)" },
	{ .name = "next", .take = take_next, .help = "print also what came next on that CPU" },
	{ .name = "summary", .take = take_summary,
	  .help = "a row for each process, or thread: the number of turns, the shortest, mean and longest one, how "
		  "often it continued on another CPU, and the standard deviation" },
	{ .name = "over", .value = "SPAN", .take = take_over, .help = "only turns of at least this length" },
	{ .name = "waited", .value = "SPAN", .take = take_waited,
	  .help = "only turns after a wait of at least this length" },
	{ .name = "idle", .take = take_idle, .help = "print also the stretches for which a CPU was idle" },
	{ .name = NULL },
};

const struct command command_turns = {
	.name = "turns",
	.summary = "list each turn of a process on a CPU",
	.usage = "bcoslog turns [OPTIONS] [LOG]",
	.about =
"Prints a line for each turn of a process on a CPU, when the turn ends: its\n"
"beginning, the CPU, the time that the process had been without a CPU, and the\n"
"length, with >= before it if the turn began before the log or the chosen time,\n"
"continues after it, or ends in a loss.  With the class state also: how long the\n"
"process waited after it was woken or preempted, how the turn ended, and the\n"
"waker.  <= says that it may have run in between, because entries were lost, and\n"
"columns of times without a CPU have >= if these began before the chosen time.",
	.options = { options, cgroup_options, ROWS_OF_PROCESSES, REPORT_OPTIONS },
	.silent = report_refused_options,
	.after = REPORT_AFTER,
	.status = STATUS_OF_LOG,
	.records = true,
	.takes_program = true,
	.run = cmd_turns,
};
