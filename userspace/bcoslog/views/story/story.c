// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog story: tells the life of a process. */
#include <stdlib.h>

#include "command.h"
#include "account/report.h"
#include "log/source.h"
#include "options/filter.h"
#include "options/names.h"
#include "options/number.h"
#include "options/options.h"
#include "options/shared.h"
#include "output/times.h"
#include "complain/complain.h"
#include "story.h"
#include "output/request.h"
#include "views/requests/recorded.h"

struct story {
	const char *process;		/* PROCESS as the user wrote it */
	u32 id;
	bool by_id, at_time;
	struct report *report;
	struct life *only;		/* the life that fits; NULL if several do */
	u64 fits;			/* number of lives that fit */
	struct table_rows choices;
	u32 precision;			/* of the time of the entry that the account takes now */
	int error;
	struct recent recent;
	struct recorded requests, who;	/* the classes */
	bool any_unseen;		/* there were requests of which the log does not tell who issued them */
	u64 unseen;			/* when the last one of them completed */
	u64 successor;			/* when another process first had the ID of @only; 0: none has */
};

static const struct column columns[] = {
	{ "process", "process", CELL_NUMBER },
	{ "name", "name", CELL_TEXT },
	{ "start", "began", CELL_TIME },
	{ "end", "ended", CELL_TIME },
	{ "how", "how", CELL_TEXT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct life *life_of(struct story *story, const struct bcoslog_account_process *process)
{
	struct life *life;

	if (!process || (story->by_id && process->id != story->id))
		return NULL;
	life = process->user;
	if (life)
		return life;
	life = calloc(1, sizeof(*life));
	if (life)
		life->clock = &story->report->session->clock;
	else
		story->error = -ENOMEM;
	bcoslog_account_set_user(process, life);
	return life;
}

static void check_error(struct story *story, int error)
{
	if (error)
		story->error = error;
}

/*
 * Takes a request that may be of the process whose story is told though the log does not say so with its source: the process
 * had ended, or nobody saw who issued it.
 */
static void take_request(struct story *story, const struct bcos_entry *entry)
{
	struct life *only = story->only;
	struct bcos_request_told told;
	u64 begin;

	if (!request_read(entry, &told) || !report_counts(story->report, entry->time))
		return;
	if (!request_has_issuer(&told)) {
		story->any_unseen = true;
		story->unseen = entry->time;
		if (only)
			only->process.lost |= BCOSLOG_LOST_REQUESTS;
		return;
	}
	if (!told.process || !only || only->process.id != told.process || !only->process.ended)
		return;
	/* A process may still ask for something when its end is in the log. Others may have had this ID before and since. */
	begin = request_begin(&told, entry->time);
	if (begin >= only->process.start && (!story->successor || begin < story->successor))
		life_request(only, &told, entry->time);
}

/* Takes an entry before the account does, since the entry may rename or end the process. */
static int story_entry(struct report *report, const struct bcos_entry *entry)
{
	struct story *story = report->context;
	const struct bcoslog_account_process *process;
	struct bcoslog_thread state;
	bool tells = waits_tells(entry, &state);
	struct life *life;

	recorded_entry(&story->requests, report, entry);
	recorded_entry(&story->who, report, entry);
	story->precision = entry->precision;
	if (entry->type == BCOS_ASSIGN_CPU) {
		process = bcoslog_account_process(report->account, ((const struct bcos_assign_cpu *)entry)->process);
		life = life_of(story, process);
		if (life)
			waits_end(&life->waits, report, entry->time);
	} else if (entry->type == BCOS_GENERIC_PROCESS && !bcoslog_is_statement(entry)) {
		process = bcoslog_account_process(report->account, entry->source);
		life = life_of(story, process);
		if (life && tells)
			waits_state(&life->waits, report, process, &state, entry->time);
		if (life)
			check_error(story, life_entry(life, entry, report_counts(report, entry->time)));
		take_request(story, entry);
	}
	return story->error;
}

/* Notes a child that was born in the window, when the log names the child's parent, whose story is told. */
static void note_child(struct story *story, const struct bcos_entry *entry)
{
	const struct bcoslog_account *account = story->report->account;
	const struct bcoslog_account_process *child;
	struct life *life;

	if (((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_PARENT || !report_counts(story->report, entry->time))
		return;
	child = bcoslog_account_process(account, entry->source);
	life = child && child->has_parent ? life_of(story, bcoslog_account_process(account, child->parent)) : NULL;
	if (life)
		check_error(story, life_child(life, child, entry->time, entry->precision));
}

/* Notes the control group that the process has begun in, or is in now. */
static void note_group(struct story *story, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *process = bcoslog_account_process(story->report->account, entry->source);
	struct life *life = life_of(story, process);

	if (life)
		check_error(story, life_cgroup(life, process, entry));
}

static int story_after(struct report *report, const struct bcos_entry *entry)
{
	struct story *story = report->context;
	const struct bcoslog_account_process *process;
	struct life *life;

	switch (entry->type & ~BCOS_TYPE_HISTORICAL) {
	case BCOS_SET_PROCESS_NAME:
		if (story->only && story->only->process.id == entry->source && !story->successor)
			story->successor = entry->time;
		process = bcoslog_account_process(report->account, entry->source);
		life = life_of(story, process);
		if (life)
			check_error(story, life_named(life, process, entry->time, entry->precision));
		if (!process || !process->has_parent)
			break;
		life = life_of(story, bcoslog_account_process(report->account, process->parent));
		if (life)
			check_error(story, life_child_named(life, process));
		break;
	case BCOS_SET_DEVICE_NAME:
		process = bcoslog_account_process(report->account, ((const struct bcos_device_name *)entry)->driver);
		life = life_of(story, process);
		if (life && process->id != BCOS_PROCESS_KERNEL)
			check_error(story, life_device(life, entry));
		break;
	case BCOS_GENERIC_PROCESS:
		note_child(story, entry);
		note_group(story, entry);
		break;
	default:
		break;
	}
	return story->error;
}

static void story_interval(void *context, const struct bcoslog_interval *interval)
{
	struct story *story = context;
	struct life *life = life_of(story, interval->process);

	check_error(story, recent_add(&story->recent, interval));
	if (life)
		check_error(story, life_interval(life, interval));
}

static void story_stretch(void *context, const struct bcoslog_stretch *off)
{
	struct story *story = context;
	struct life *life = life_of(story, off->process);

	if (!life)
		return;
	waits_off(&life->waits, story->report, off);
	life_off(life, &story->recent, story->report->account, off);
}

static void thread_ended(void *context, const struct bcoslog_account_thread *thread)
{
	struct story *story = context;
	struct life *life = life_of(story, thread->process);

	if (life)
		check_error(story, life_thread(life, story->report->account, thread));
}

static bool life_fits(struct story *story, const struct life *life, const struct bcoslog_account_process *process)
{
	const struct bcoslog_account_options *window = &story->report->sinks;
	u64 time;

	if (!story->by_id && !life_has_name(life, process, story->process))
		return false;
	if (!filter_wants_life(&story->report->session->filter, process))
		return false;
	if ((process->ended && process->end < window->since) || (window->until && process->start >= window->until))
		return false;
	if (!story->at_time)
		return true;
	window_get_moment(&story->report->session->window, &story->report->session->clock, &time);
	return process->start <= time && (!process->ended || time <= process->end);
}

static void choose_life(struct story *story, struct life *life, const struct bcoslog_account_process *process)
{
	u64 since = story->report->sinks.since, begin;
	char how[64];

	table_row(&story->choices, (struct cell[COLUMNS]){
		CELL_OF(process->id), cell_name(process->name, process->name_length),
		process->precision == 0xFFFFFFFFu ? CELL_NONE : CELL_OF(process->start),
		process->ended ? CELL_OF(process->end) : CELL_NONE, cell_end(process, how, sizeof(how)),
	});
	if (story->fits++) {
		/* If several lives fit, only the list of them is printed. */
		life_free(story->only);
		story->only = NULL;
		life_free(life);
		return;
	}
	story->only = life;
	life->end_precision = story->precision;
	check_error(story, life_ends(life, story->report->account, process));
	begin = process->start < since ? since : process->start;
	if (recorded_lacks(&story->requests, begin) || (story->any_unseen && story->unseen >= begin))
		life->process.lost |= BCOSLOG_LOST_REQUESTS;
	if (recorded_lacks(&story->who, begin))
		life->process.lost |= LIFE_LOST_WHO;
}

static void story_ended(void *context, const struct bcoslog_account_process *process)
{
	struct story *story = context;
	struct life *life = life_of(story, process);

	if (!life)
		return;
	bcoslog_account_set_user(process, NULL);
	if (life_fits(story, life, process))
		choose_life(story, life, process);
	else
		life_free(life);
}

static int oldest_first(const struct cell *left, const struct cell *right)
{
	if (left[2].number != right[2].number)
		return left[2].number < right[2].number ? -1 : 1;
	return left[0].number < right[0].number ? -1 : left[0].number > right[0].number;
}

static int print_choices(struct report *report)
{
	struct story *story = report->context;

	if (!story->fits && filter_has_cgroups(&report->session->filter)) {
		complain("the log has no process %s in the control group of --cgroup", story->process);
		return -1;
	}
	if (!story->fits) {
		complain("there is no process %s in the log%s: bcoslog processes lists those that there are",
			 story->process, session_chooses(report->session) || story->at_time ? " at that time" : "");
		return -1;
	}
	table_sort(&story->choices, oldest_first);
	if (table_end(&story->choices, report->session))
		return -1;
	complain("%llu processes fit %s: choose one of the list, by its number or, if that is the same, as NUMBER@TIME",
		 (unsigned long long)story->fits, story->process);
	return -1;
}

static int print_story(struct report *report)
{
	struct story *story = report->context;
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_thread *thread;
	int r = 0;

	while ((process = bcoslog_account_next_process(report->account, process))) {
		for (thread = NULL; (thread = bcoslog_account_next_thread(process, thread));)
			thread_ended(story, thread);
		story_ended(story, process);
	}
	if (story->error)
		complain("no memory for the story of a process");
	else if (story->fits != 1)
		r = print_choices(report);
	else if (report->form == TABLE_JSON)
		r = story_json(story->only);
	else
		story_page(story->only);
	return story->error ? story->error : r;
}

static void free_life(void *user)
{
	life_free(user);
}

static void end_story(struct report *report)
{
	struct story *story = report->context;

	recent_free(&story->recent);
	life_free(story->only);
	story->only = NULL;
	table_free(&story->choices);
}

/*
 * Takes an argument with an @: a number and a moment, as in `20@14:03`, or a name.
 * Return: as @change of struct arguments.
 */
static int take_number_at(struct arguments *arguments, const char *text, const char *at)
{
	struct story *story = ((struct report *)arguments->context)->context;
	char number[32];
	size_t length = (size_t)(at - text);
	u64 id;

	if (length >= sizeof(number))
		return 1;
	memcpy(number, text, length);
	number[length] = 0;
	if (!is_number(number))
		return 1;
	if (parse_number("PROCESS", number, 0xFFFFFFFF, &id) || window_take_moment(&arguments->session->window, "PROCESS@TIME", at + 1))
		return -1;
	story->id = (u32)id;
	story->by_id = story->at_time = true;
	return 1;
}

/* Takes the first argument as the process. The second is the log.  Return: as @change of struct arguments. */
static int take_process(struct arguments *arguments, const char *text)
{
	struct story *story = ((struct report *)arguments->context)->context;
	const char *at = strchr(text, '@');
	u64 id;

	if (story->process || text[0] == '-')
		return 0;
	if (!*text) {
		complain("story takes a number or a name, and this is empty");
		return -1;
	}
	story->process = text;
	if (at)
		return take_number_at(arguments, text, at);
	if (!is_number(text))
		return 1;
	if (parse_number("PROCESS", text, 0xFFFFFFFF, &id))
		return -1;
	story->id = (u32)id;
	story->by_id = true;
	return 1;
}

static int ready_story(struct report *report, struct arguments *arguments)
{
	struct story *story = report->context;

	if (!story->process) {
		complain("the process is missing: bcoslog story PROCESS");
		return -1;
	}
	if (log_stands_alone(arguments, story->process, "the process", "story PROCESS"))
		return -1;
	if (report->form == TABLE_CSV) {
		complain("a story is no table: leave --csv out, or take --json");
		return -1;
	}
	return 0;
}

static int cmd_story(struct session *session, int argc, char **argv)
{
	static const struct bcoslog_thread_sinks threads = { .ended = thread_ended };
	struct story story = { .requests.class = BCOS_CLASS_REQUEST, .who.class = BCOS_CLASS_WHO };
	struct report report = {
		.context = &story,
		.command = &command_story,
		.change = take_process,
		.ready = ready_story,
		.no_process = "story tells of the process that is its first argument: leave --process out",
		.no_cpu = "story tells of all CPUs that the process had: leave --cpu out",
		.no_core = "story tells of all CPUs that the process had: leave --core out",
		.no_device =
			"story tells of all devices that the process drives: leave --device out, or see bcoslog io",
		.entry = story_entry,
		.after = story_after,
		.threads = &threads,
		.stretch = story_stretch,
		.sinks = {.interval = story_interval, .process_ended = story_ended},
		.print = print_story,
		.free_user = free_life,
		.end = end_story,
	};

	story.report = &report;
	table_begin(&story.choices, columns, COLUMNS);
	return report_run(session, &report, argc, argv);
}

static const struct option_spec forms[] = {
	{ .name = "wall", .letter = 'T', .take = take_wall_time, .help = "show times by the wall clock" },
	{ .name = "json", .take = take_json, .help = "print an object" },
	{ .name = NULL },
};

const struct command command_story = {
	.name = "story",
	.summary = "tell the life of a process on a page",
	.usage =
"bcoslog story [OPTIONS] PROCESS [LOG]\n"
"bcoslog story [OPTIONS] PROCESS -- PROGRAM...",
	.about =
"Shows the life of a process on a page: its parent, program, user and names; its\n"
"time on each CPU; the CPU time, turns, waits and wakers of its threads (class\n"
"state); its longest stretches without a CPU and who had it instead; its waits\n"
"for a CPU; its events; and its end, the sender of the signal, and the use of the\n"
"CPUs at that moment.  The page leaves out values that the log does not have, and\n"
"lower bounds have >= before them.\n"
"\n"
"PROCESS is a number, a name that it has or had, or NUMBER@TIME, the process that\n"
"had the number at that time: seconds since boot (20@123.5), the wall clock\n"
"(20@14:03), or a duration before the end (20@5s).  If several fit, the command\n"
"lists them.",
	.options = { cgroup_options, window_options, boot_options, forms, report_follow_options },
	.silent = report_refused_options,
	.status = "0 done, 1 LOG is damaged, 2 LOG cannot be read, or no process fits, or several do.",
	.plain = VALUE_PROCESS,
	.records = true,
	.takes_program = true,
	.run = cmd_story,
};
