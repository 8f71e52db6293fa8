// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog why: tells what a thread waited for. */
#include <stdlib.h>

#include "command.h"
#include "remote/ssh.h"
#include "account/report.h"
#include "complain/complain.h"
#include "log/source.h"
#include "options/number.h"
#include "options/option.h"
#include "options/options.h"
#include "options/recorder_options.h"
#include "options/shared.h"
#include "output/times.h"
#include "why.h"

static struct why *why_of(struct arguments *arguments)
{
	return ((struct report *)arguments->context)->context;
}

/* Takes the first argument as the process. The second is the log.  Return: as @change of struct arguments. */
static int take_process(struct arguments *arguments, const char *text)
{
	if (filter_names_processes(&arguments->session->filter) || text[0] == '-')
		return 0;
	why_of(arguments)->process = text;
	return filter_process(arguments, text) ? -1 : 1;
}

static int take_thread(struct arguments *arguments, const char *text)
{
	struct why *why = why_of(arguments);
	u64 id;

	why->asks_thread = true;
	if (text[strspn(text, "0123456789")] || !text[0]) {
		why->thread_name = text;
		return 0;
	}
	if (parse_number("--thread", text, 0xFFFFFFFF, &id))
		return -1;
	why->thread = (u32)id;
	return 0;
}

static int ready_why(struct report *report, struct arguments *arguments)
{
	const char *process = why_of(arguments)->process;

	if (!filter_has_processes(&report->session->filter)) {
		complain("the process is missing: bcoslog why PROCESS");
		return -1;
	}
	if (process && log_stands_alone(arguments, process, "the process", "why PROCESS"))
		return -1;
	if (report->form == TABLE_CSV) {
		complain("the answer is no table: leave --csv out, or take --json");
		return -1;
	}
	return 0;
}

/* ---- the choice of the thread ------------------------------------------------------- */

static bool in_window(const struct why *why, const struct why_process *process)
{
	return process->fits && process->has_threads && process->start < why->until && process->end > why->since;
}

#define NAMED_CHOICES 8

/* Complains of the processes that fit, and names the first of them. */
static void complain_of_choices(const struct why *why, size_t fits)
{
	char list[NAMED_CHOICES * 12] = "";
	size_t i, named = 0, used = 0;

	for (i = 0; i < why->process_count && named < NAMED_CHOICES; i++) {
		if (!in_window(why, why->processes[i]))
			continue;
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%u", named ? ", " : "", why->processes[i]->id);
		named++;
	}
	complain("%zu processes fit, %s%s: choose one by its number, and its time by --since and --until", fits, list,
		 fits > named ? " and more" : "");
}

static const struct why_process *only_process(const struct why *why)
{
	const struct why_process *only = NULL;
	size_t i, fits = 0;

	for (i = 0; i < why->process_count; i++) {
		if (!in_window(why, why->processes[i]))
			continue;
		only = why->processes[i];
		fits++;
	}
	if (fits == 1)
		return only;
	if (fits)
		complain_of_choices(why, fits);
	else
		complain("the log does not tell what the threads of this process did in this time: the class state was off, or it slept all the time");
	return NULL;
}

/* Is it the thread that the user asks about, or one of these? */
static bool is_asked(const struct why *why, const struct why_thread *thread)
{
	const struct why_process *process = thread->process;

	if (!why->thread_name)
		return !why->asks_thread || thread->node.id == why->thread;
	if (thread->node.id == process->id)
		return strlen(why->thread_name) == process->name_length &&
		       !memcmp(why->thread_name, process->name, process->name_length);
	return thread->name_length && strlen(why->thread_name) == thread->name_length &&
	       !memcmp(why->thread_name, thread->name, thread->name_length);
}

static void complain_of_choice(const struct why *why, const struct why_process *process)
{
	if (why->thread_name && why->nameless)
		complain("process %u has no thread that is named %s in this time, but of %zu of its %zu threads the log gives no "
			 "name: bcoslog latency --threads lists threads", process->id, why->thread_name, why->nameless,
			 why->choices);
	else if (why->thread_name)
		complain("process %u has no thread that is named %s in this time: bcoslog latency --threads lists threads",
			 process->id, why->thread_name);
	else if (why->asks_thread)
		complain("process %u has no thread %u in this time: bcoslog latency --threads lists threads", process->id,
			 why->thread);
	else
		complain("all threads of process %u had ended before this time", process->id);
}

/* Chooses the thread that ran and was ready for the longest time, unless the user chose one. */
static int choose_thread(struct why *why)
{
	const struct why_process *process = only_process(why);
	u64 activity;
	size_t i;

	if (!process)
		return -1;
	for (i = 0; i < why->count; i++) {
		/* Threads that ended before the window are not of this time. */
		if (why->threads[i]->process != process || why->threads[i]->end <= why->since)
			continue;
		why->choices++;
		why->nameless += why->threads[i]->node.id != process->id && !why->threads[i]->name_length;
		if (!is_asked(why, why->threads[i]))
			continue;
		why->asked++;
		activity = why_activity(why, why->threads[i]);
		if (!why->subject || activity > why->activity) {
			why->subject = why->threads[i];
			why->activity = activity;
		}
	}
	if (why->subject)
		return 0;
	complain_of_choice(why, process);
	return -1;
}

/* Sets the window to the part of it that the log covers. */
static int set_window(struct why *why)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(why->report->account);

	why->since = totals->begin;
	why->until = totals->end;
	if (why->since < why->until)
		return 0;
	complain("the log has nothing in this time");
	return -1;
}

/* Narrows the window to the life of the thread. */
static void clip_window(struct why *why)
{
	const struct why_process *process = why->subject->process;

	if (process->start > why->since)
		why->since = process->start;
	if (process->end < why->until)
		why->until = process->end;
	if (why->subject->end < why->until)
		why->until = why->subject->end;
}

static int complain_memory(const struct why *why)
{
	complain("no memory for the threads of the log");
	return why->error;
}

static int print_why(struct report *report)
{
	const struct bcoslog_account_process *process = NULL;
	struct why *why = report->context;

	while ((process = bcoslog_account_next_process(report->account, process)))
		if (process->user)
			why_note_process(why, process);
	if (!why->error && !why->states) {
		complain(why->states_on ? "the log has no state of a thread up to the end of this time: choose a longer one" :
			 "this log does not tell who waits: bcoslog record keeps that (class state), and the module tells it from "
			 "bcoslog mask +state on");
		return -1;
	}
	if (set_window(why))
		return -1;
	why_settle(why);
	if (why->full) {
		complain("the threads of this time ran too often to be kept in memory: choose a shorter one by --since and --until");
		return -1;
	}
	if (why->error)
		return complain_memory(why);
	if (choose_thread(why))
		return -1;
	clip_window(why);
	why_explain(why);
	if (why->error)
		return complain_memory(why);
	return report->form == TABLE_JSON ? why_object(why) : why_page(why);
}

/* ---- the command -------------------------------------------------------------------- */

/* Processes and threads are in the arrays, too, and why_free() frees them. */
static void keep_user(void *user)
{
	(void)user;
}

static int cmd_why(struct session *session, int argc, char **argv)
{
	struct why why = { 0 };
	struct bcoslog_thread_sinks threads = { .context = &why, .turn = why_turn };
	struct report report = {
		.command = &command_why,
		.context = &why,
		.change = take_process,
		.ready = ready_why,
		.no_cpu = "why tells of all CPUs that the thread had: leave --cpu out",
		.no_core = "why tells of all CPUs that the thread had: leave --core out",
		.no_device = "why tells of a thread, and no device waits: leave --device out, or see bcoslog io",
		.entry = why_entry,
		.threads = &threads,
		.sinks = {.interval = why_interval, .process_ended = why_process_ended},
		.print = print_why,
		.free_user = keep_user,
	};
	int status = remote_run(argc, argv);

	if (status >= 0)
		return status;
	why.report = &report;
	recorder_wants(session, RECORDER_EXPLAINS);
	if (why_init(&why)) {
		complain("no memory for the threads of the log");
		status = EXIT_ENVIRONMENT;
	} else {
		status = report_run(session, &report, argc, argv);
	}
	why_free(&why);
	return status;
}

/* remote_run() has taken it. */
static int take_host(struct arguments *arguments, const char *text)
{
	(void)arguments;
	(void)text;
	return 0;
}

static const struct option_spec options[] = {
	{ .name = "thread", .value = "ID|NAME", .take = take_thread,
	  .help = "explain this thread of the process; else, or of several with this name, the one that ran and was "
		  "ready the longest" },
	{ .name = "host", .value = "HOST", .take = take_host, .help = "ask the log of another machine, by ssh" },
	{ .name = NULL },
};

static const struct option_spec forms[] = {
	{ .name = "wall", .letter = 'T', .take = take_wall_time, .help = "show times by the wall clock" },
	{ .name = "json", .take = take_json, .help = "print an object" },
	{ .name = NULL },
};

const struct command command_why = {
	.name = "why",
	.summary = "tell what a process waited for, and who is to blame",
	.usage =
"bcoslog why [OPTIONS] PROCESS [LOG]\n"
"bcoslog why [OPTIONS] PROCESS -- PROGRAM...",
	.about =
"Accounts for the time of a thread, to the nanosecond: it ran, it was ready while\n"
"others had the CPU, or it was blocked.  Where another thread ended a wait, the\n"
"command follows that thread through the same time, and so on to the end of the\n"
"chain: what the last one did is the cause.  It needs a log with the class state,\n"
"which bcoslog record keeps.\n"
"\n"
"What is not in the log has a row of its own, and so has a wait that nobody has\n"
"ended yet.  The log has no threads of the kernel, so a chain ends where one of\n"
"them woke somebody.",
	.options = { options, cgroup_options, window_options, boot_options, forms, report_follow_options },
	.silent = report_refused_options,
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, does not tell who waits, or no process fits.",
	.plain = VALUE_PROCESS,
	.records = true,
	.takes_program = true,
	.run = cmd_why,
};
