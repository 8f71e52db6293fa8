// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The base of all reports: see report.h. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "account/report.h"
#include "log/boots.h"
#include "log/lag.h"
#include "log/notes.h"
#include "log/open.h"
#include "log/pass.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/options.h"
#include "output/screen.h"
#include "output/times.h"
#include "report.h"
#include "report/course/imprecise.h"
#include "complain/complain.h"

#define TABLE_FORMS \
	{ .name = "json", .take = take_json }, \
	{ .name = "csv", .take = take_csv, .help = "print an object on each line, or a table as of RFC 4180" }
#define DRAWING { .name = "svg", .take = take_svg, .help = "draw the report, as an SVG document that stands alone" }

const struct option_spec report_options[] = {
	{ .name = "wall", .letter = 'T', .take = take_wall_time, .help = "show times by the wall clock" },
	TABLE_FORMS,
	{ .name = NULL },
};

const struct option_spec drawing_options[] = {
	DRAWING,
	{ .name = NULL },
};

const struct option_spec report_follow_options[] = {
	{ .name = "follow", .letter = 'f', .take = take_follow,
	  .help = "go on as the log grows, until Ctrl-C, and report then" },
	{ .name = NULL },
};

const struct option_spec report_refused_options[] = {
	{ .name = "process", .value = "PID|NAME", .kind = VALUE_PROCESS, .many = true, .take = filter_process },
	{ .name = "cpu", .value = "CPU", .kind = VALUE_CPU, .many = true, .take = filter_cpu },
	{ .name = "core", .value = "CORE", .many = true, .take = filter_core },
	{ .name = "device", .value = "ID|NAME", .kind = VALUE_DEVICE, .many = true, .take = filter_device },
	TABLE_FORMS,
	DRAWING,
	{ .name = NULL },
};

/* Gives entries to the report and its account.  Return: 0, or a negative errno after a complaint. */
static int apply_batch(struct run *run, const struct bcoslog_batch *batch)
{
	struct report *report = run->context;
	const struct bcos_entry *entry;
	int r = 0;

	for (entry = batch->first; entry != batch->end; entry = bcoslog_after(entry)) {
		note_entry(&run->notes, run->session, entry);
		r = report_count(report, entry);
		if (unlikely(r)) {
			complain("no memory for the names in %s", run->path);
			return r;
		}
	}
	return 0;
}

/* Refuses options that mean nothing to the report.  Return: 0, or -1 after a complaint. */
static int check_subjects(const struct report *report)
{
	const char *why = NULL;

	if (filter_names_processes(&report->session->filter) && report->no_process)
		why = report->no_process;
	else if (filter_names_cpus(&report->session->filter) && report->no_cpu)
		why = report->no_cpu;
	else if (filter_names_cores(&report->session->filter) && report->no_core)
		why = report->no_core;
	else if (filter_has_devices(&report->session->filter) && report->no_device)
		why = report->no_device;
	if (why)
		complain("%s", why);
	return why ? -1 : 0;
}

/* The least number of bytes that are held back. A loss that is stated after more than these is known too late. */
#define AHEAD_BYTES ((size_t)32 << 20)

/* Holds back entries, so that the account learns of losses that the log states later than they begin. */
static int look_ahead(struct run *run, const struct bcoslog_batch *batch)
{
	struct report *report = run->context;
	const struct bcos_entry *entry;
	struct bcoslog_batch ready;
	int r = batches_hold(&report->ahead, batch);

	for (entry = batch->first; !r && entry != batch->end; entry = bcoslog_after(entry))
		if (unlikely(bcoslog_is_loss(entry)))
			r = bcoslog_account_coming(report->account, entry);
	if (r)
		complain("no memory for the entries of %s", run->path);
	while (!r && batches_take(&report->ahead, AHEAD_BYTES, &ready))
		r = apply_batch(run, &ready);
	return r;
}

int report_entries(struct run *run, const struct bcoslog_batch *batch)
{
	struct report *report = run->context;
	struct bcoslog_batch part = { .first = batch->first, .end = batch->first, .offset = batch->offset };
	int r = report->account ? 0 : report_begin(report);

	if (r)
		return r;
	run_each(run, part.end, batch)
		;
	/* A screen shows the newest entries at once. */
	return report->shows ? apply_batch(run, &part) : look_ahead(run, &part);
}

/* Gives the entries that were held back to the report.  Return: 0, or a negative errno after a complaint. */
static int report_rest(struct run *run)
{
	struct report *report = run->context;
	struct bcoslog_batch rest;
	int r = 0;

	while (!r && batches_take(&report->ahead, 0, &rest))
		r = apply_batch(run, &rest);
	return r;
}

static void *free_user(const struct report *report, void *user)
{
	if (user && report->free_user)
		report->free_user(user);
	else
		free(user);
	return NULL;
}

/* Frees what the report collected. Nothing else has to, since a report may end without having been printed. */
static void report_end(struct report *report)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;
	const struct bcoslog_account_thread *thread;

	while (report->account && (process = bcoslog_account_next_process(report->account, process))) {
		for (thread = NULL; (thread = bcoslog_account_next_thread(process, thread));)
			bcoslog_account_set_thread_user(thread, free_user(report, thread->user));
		bcoslog_account_set_user(process, free_user(report, process->user));
	}
	while (report->account && (device = bcoslog_account_next_device(report->account, device)))
		bcoslog_account_set_device_user(device, free_user(report, device->user));
	if (report->end)
		report->end(report);
	batches_free(&report->ahead);
	bcoslog_account_free(report->account);
	report->account = NULL;
}

static bool is_file(const char *path)
{
	struct stat stat_of;

	return !(strcmp(path, "-") ? stat(path, &stat_of) : fstat(STDIN_FILENO, &stat_of)) && S_ISREG(stat_of.st_mode);
}

/* Is what the log has of the window a mere moment? Nothing lasts in it, so no row can tell of it but of what has no length. */
static bool is_moment(const struct report *report)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);

	return window_is_moment(&report->session->window, totals->begin, totals->end) && !report->happens && !report->follow &&
	       !report->lists_losses && totals->entries;
}

int report_table(struct report *report, struct table_rows *table)
{
	if (is_moment(report))
		table_drop_rows(table);
	report->rows |= table->rows;
	return table_end(table, report->session);
}

/*
 * Says why the report has no rows, as a person cannot tell an empty table from one that failed, and a program cannot tell
 * nothing from what was not recorded.
 */
static void say_empty(const struct report *report)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(report->account);
	const char *why = report->lists_why;

	if (is_moment(report)) {
		output_flush();
		complain("the window is a moment, in which nothing lasts: bcoslog around shows what went on at a moment, and "
			 "bcoslog dump its entries");
		return;
	}
	if (report->rows || !report->lists)
		return;
	if (totals->lost & report->lists_lost)
		why = "what tells of it was lost, or its class was off, for some of the time, which bcoslog losses lists";
	output_flush();
	if (!totals->entries)
		complain("the log has no entries");
	else
		complain("the log has no %s%s%s%s%s", report->lists, filter_narrows(&report->session->filter) ? " of what the options choose" : "",
			 report->sinks.since || report->sinks.until ? " in this time" : "", why ? ": " : "", why ? why : "");
}

/* Prints the report, which a signal ends, also after one that ended the reading.  Return: the exit status. */
static int print_report(struct report *report, int status)
{
	sig_atomic_t signal = run_signal;
	bool finishing = run_finishing;

	run_signal = 0;
	run_finishing = false;
	if (report->print(report))
		status = EXIT_ENVIRONMENT;
	else if (!run_signal && !output.error)
		say_empty(report);
	if (run_signal)
		status = 128 + run_signal;
	else
		run_signal = signal;
	run_finishing = finishing;
	return status;
}

int report_run(struct session *session, struct report *report, int argc, char **argv)
{
	struct arguments arguments = { .session = session, .command = report->command, .change = report->change, .context = report };
	struct run run = { .session = session, .entries = report_entries, .context = report };
	int status = arguments_parse(&arguments, argc, argv);
	bool screen;

	if (status >= 0)
		return status;
	report->form = session->form;
	report->session = session;
	if (check_subjects(report) || (report->ready && report->ready(report, &arguments)))
		return EXIT_ENVIRONMENT;
	if (report->form == TABLE_SVG && !report->svg) {
		complain("%s cannot be drawn: --json and --csv are for programs", report->command->name);
		return EXIT_ENVIRONMENT;
	}
	session->clock.needed |= session->clock.mode == TIME_WALL;
	run.path = arguments.path;
	run.notes.listed = report->lists_losses;
	report->follow = arguments.follow;
	run.command = arguments.program;
	run.apart = report->form != TABLE_TEXT;
	screen = report->at_once ||
		 (report->screen && report->form == TABLE_TEXT && !report->once && !run.command && screen_possible());
	/* A screen follows every log that is no file. */
	run.follow = report->follow || (screen && !is_file(run.path));
	run.newest = screen;
	report->shows = screen;
	if (run_open(&run, BCOSLOG_WAKINGS))
		return EXIT_ENVIRONMENT;
	report->own = lag_is_known(&run) || boots_are_own(run.log);
	status = screen ? report->screen(report, &run) : run_log(&run);
	if (!screen && status != EXIT_ENVIRONMENT && report->account && report_rest(&run))
		status = EXIT_ENVIRONMENT;
	/* The report is also printed if the log is damaged, from the entries that are whole. */
	if (!screen && status != EXIT_ENVIRONMENT && run.absent != FILTER_NOTHING_THERE && (report->account || !report_begin(report))) {
		bcoslog_account_end(report->account);
		report->own |= run.held.this_boot;
		status = print_report(report, status);
		if (session->clock.needed)
			wall_say_steps(&session->clock, report->sinks.since, report->sinks.until);
	}
	status = run_close(&run, status);
	report_end(report);
	return status;
}

void report_note_precision(const struct report *report, const struct bcos_entry *entry)
{
	u64 last = entry->time > UINT64_MAX - entry->precision ? UINT64_MAX : entry->time + entry->precision;

	/* An entry whose time is before the window may have happened in it. */
	if (last >= report->sinks.since && (!report->sinks.until || entry->time < report->sinks.until))
		imprecise_note(entry->time, entry->precision);
}

int note_precision_of_use(struct report *report, const struct bcos_entry *entry)
{
	if (entry->type >= BCOS_CORE_ONLINE && entry->type <= BCOS_ASSIGN_CPU)
		report_note_precision(report, entry);
	return 0;
}

bool report_wants_cpu(const struct report *report, u32 id)
{
	const struct bcoslog_account_cpu *cpu = NULL;

	if (!filter_has_cpus(&report->session->filter))
		return true;
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu)))
		if (cpu->id == id)
			return filter_wants_cpu(&report->session->filter, id, cpu->core);
	return false;
}

/* ---- cells ------------------------------------------------------------------------------- */

struct cell cell_name(const char *name, size_t length)
{
	return name ? (struct cell){ .text = name, .length = length } : CELL_NONE;
}

#define LOST_END "alive, or its end was lost"

struct cell cell_end(const struct bcoslog_account_process *process, char *text, size_t size)
{
	enum bcoslog_end end;
	const char *signal;
	__u32 value;

	if (process->vanished)
		return (struct cell){ .about = true, .text = "unseen", .length = sizeof("unseen") - 1 };
	if (!process->ended && process->end_lost)
		return (struct cell){ .about = true, .text = LOST_END, .length = sizeof(LOST_END) - 1 };
	if (!process->ended)
		return CELL_WORD("alive");
	end = bcoslog_status_end(process->status, &value);
	signal = bcoslog_signal(value);
	if (end == BCOSLOG_END_UNKNOWN)
		return CELL_WORD("unknown");
	if (end == BCOSLOG_EXITED)
		snprintf(text, size, "exit code %u", value);
	else if (!value)
		snprintf(text, size, "ended abnormally, by %s", end == BCOSLOG_OWNER ? "its owner" : "the kernel");
	else if (signal)
		snprintf(text, size, "%s, sent by %s", signal, end == BCOSLOG_OWNER ? "user space" : "the kernel");
	else
		snprintf(text, size, "signal %u, sent by %s", value,
			 end == BCOSLOG_OWNER ? "user space" : "the kernel");
	return CELL_WORD(text);
}

struct cell cell_share(u64 part, u64 whole, bool least)
{
	struct cell cell = whole ? CELL_REAL_EXACT((double)part / (double)whole) : CELL_NONE;

	cell.least = least;
	/* The whole may be more. */
	cell.about = whole == SUM_MAX;
	return cell;
}

struct cell cell_about(u64 value, bool about)
{
	return (struct cell){ .stated = true, .number = value, .about = about };
}

struct cell cell_sum(u64 sum, bool least)
{
	return (struct cell){ .stated = true, .number = sum, .least = least };
}

struct cell cell_time(u64 time, const struct bcoslog_bounds *bounds)
{
	return (struct cell){ .stated = true, .number = time, .least = !bounds->time_known || bounds->time > time,
			      .bounded = bounds->time_known, .upper = bounds->time };
}

struct cell cell_time_share(u64 time, u64 whole, const struct bcoslog_bounds *bounds)
{
	struct cell cell = cell_share(time, whole, false);

	cell.least = !bounds->time_known || bounds->time > time;
	cell.bounded = bounds->time_known;
	cell.upper_real = (double)bounds->time / (double)whole;
	return cell;
}

/* Notes in the cell of a value that it may be greater, up to @upper if that is known. */
static void bound_cell(struct cell *cell, bool known, double upper)
{
	if (known && upper <= cell->real)
		return;
	cell->least = true;
	cell->bounded = known;
	cell->upper_real = upper;
}

struct cell cell_at_most(u64 length, bool most)
{
	return (struct cell){ .stated = true, .number = length, .most = most };
}

struct cell cell_instructions(const struct bcoslog_work *work, double unit, const struct bcoslog_bounds *bounds)
{
	struct cell cell = CELL_REAL_EXACT(work->instructions / unit);

	cell.least = work->performance_unknown;
	cell.unknown = work->performance_unknown && work->instructions == 0;
	if (bounds)
		bound_cell(&cell, bounds->instructions_known, bounds->instructions / unit);
	return cell;
}

struct cell cell_joules(const struct bcoslog_work *work, double unit, const struct bcoslog_bounds *bounds)
{
	struct cell cell = CELL_REAL_EXACT(work->joules / unit);

	cell.least = work->power_unknown || work->at_least;
	cell.unknown = work->power_unknown && work->joules == 0;
	if (bounds)
		bound_cell(&cell, bounds->joules_known, bounds->joules / unit);
	return cell;
}
