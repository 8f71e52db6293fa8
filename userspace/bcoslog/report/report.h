/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The base of all reports. A report is a pass over a log with an account, and prints a table at its end. The account
 * computes whatever several reports need.
 */
#ifndef BCOSLOG_REPORT_H
#define BCOSLOG_REPORT_H

#include "account/report.h"
#include "reader/reader.h"
#include "log/run.h"
#include "options/filter.h"
#include "options/options.h"
#include "options/shared.h"
#include "report/table/table.h"

struct run;

/**
 * struct report - a report
 * @command: the subcommand
 * @sinks: the sinks of the account that the report needs; report_begin() sets the window and the context
 * @threads: the sinks for threads that the report needs; NULL: the account has no threads
 * @stretch: called for each stretch without a CPU, also for those that are uncertain, or NULL; its context is @context
 * @context: the context of @sinks; NULL: the report is
 * @no_process: a sentence that says why --process means nothing to the report; NULL: it means something
 * @no_cpu: likewise of --cpu
 * @no_core: likewise of --core
 * @no_device: likewise of --device
 * @change: as in struct arguments
 * @ready: called once the arguments are parsed, or NULL.  Return: 0, or -1 after a complaint
 * @entry: called for each entry before the account gets it, or NULL.  Return: 0, or a negative errno
 * @after: called for each entry after the account got it, or NULL.  Return: 0, or a negative errno
 * @print: prints the report at the end of the log.  Return: 0, or not 0 after a complaint
 * @free_user: frees the pointer @user of a process, thread or device, which is not NULL; NULL: free() does
 * @end: frees what the report collected, whether or not @print was called, or NULL. The users of objects are freed before
 * @screen: takes the place of the pass and of @print on a terminal; or NULL.  Return: the exit status
 * @at_once: @screen is no screen, and takes that place without a terminal, too; the log is followed
 * @lists_losses: the report tells of losses, so nothing else has to
 * @svg: @print can draw (TABLE_SVG)
 * @lists: what has a row, such as "device", for the sentence that says why there is no row; NULL: it always has rows, or
 *	says itself why it has none. @print may change it
 * @lists_why: a reason for which it may have none, or what shows more; or NULL
 * @lists_lost: the kinds (BCOSLOG_LOST_*) of what tells of it
 * @rows: out: whether @print had rows; report_table() and the charts set it
 * @happens: out: something in the window counts that has no length, so a window that is a mere moment has rows, too
 * @session: out: what the options choose
 * @once: out: @screen is not wanted
 * @follow: out: --follow was given
 * @shows: out: @screen runs
 * @form: out: the form in which to print
 * @own: out: when it is printed: the log is known to be of this machine
 * @ahead: entries that are held back: the log may state a loss later than it begins
 * @account: out: the account, which is complete when @print is called
 */
struct report {
	const struct command *command;
	struct bcoslog_account_options sinks;
	const struct bcoslog_thread_sinks *threads;
	void (*stretch)(void *context, const struct bcoslog_stretch *stretch);
	void *context;
	const char *no_process, *no_cpu, *no_core, *no_device;
	int (*change)(struct arguments *arguments, const char *text);
	int (*ready)(struct report *report, struct arguments *arguments);
	int (*entry)(struct report *report, const struct bcos_entry *entry);
	int (*after)(struct report *report, const struct bcos_entry *entry);
	int (*print)(struct report *report);
	void (*free_user)(void *user);
	void (*end)(struct report *report);
	int (*screen)(struct report *report, struct run *run);
	bool at_once, lists_losses, svg;
	const char *lists, *lists_why;
	u32 lists_lost;
	bool rows, happens;
	struct session *session;
	bool once, follow, shows, own;
	enum table_form form;
	struct batches ahead;
	struct bcoslog_account *account;
};

/* No sinks. With threads, the account knows also from sleeps when a process had no CPU (class state). */
extern const struct bcoslog_thread_sinks report_sleeps;

/* @entries of struct run: gives entries to the report and its account.  Return: 0, or a negative errno. */
int report_entries(struct run *run, const struct bcoslog_batch *batch);
/* Makes the account, once the window is known.  Return: 0, or -ENOMEM after a complaint. */
int report_begin(struct report *report);
/* Gives an entry to the report and its account.  Return: 0 or a negative errno. */
static inline int report_count(struct report *report, const struct bcos_entry *entry)
{
	int r = report->entry ? report->entry(report, entry) : 0;

	if (!r)
		r = bcoslog_account_entry(report->account, entry);
	return r || !report->after ? r : report->after(report, entry);
}

/* Prints and frees a table of the report, in its form.  Return: as table_end(). */
int report_table(struct report *report, struct table_rows *table);

/* Runs the subcommand of a report.  Return: the exit status. */
int report_run(struct session *session, struct report *report, int argc, char **argv);

/* Is this time, in ns since boot, in the window that was asked for? */
static inline bool report_counts(const struct report *report, u64 time)
{
	return time >= report->sinks.since && (!report->sinks.until || time < report->sinks.until);
}

/* Notes the precision of an entry that counts in buckets of time, for marks of imprecise buckets. */
void report_note_precision(const struct report *report, const struct bcos_entry *entry);
/* @after of a report on CPUs or cores over time: notes the precision of entries that change their use. */
int note_precision_of_use(struct report *report, const struct bcos_entry *entry);

/* Do the options choose this CPU, or its core? */
bool report_wants_cpu(const struct report *report, u32 id);

/* Return: the cell of a name from the log; @name may be NULL. */
struct cell cell_name(const char *name, size_t length);
/* Return: the cell of a process's end, which uses @text: "exit code 3", "SIGKILL, sent by user space", "alive", or
 * "alive, or its end was lost". */
struct cell cell_end(const struct bcoslog_account_process *process, char *text, size_t size);
/* Return: the cell of the share of @part in @whole, which is absent if @whole is 0, and a lower bound if @least is set. */
struct cell cell_share(u64 part, u64 whole, bool least);
/* Return: the cell of a mean or a median, which is known only roughly if @about is set, since others were lost. */
struct cell cell_about(u64 value, bool about);
/* Return: the cell of a sum, which is a lower bound if @least is set. */
struct cell cell_sum(u64 sum, bool least);
/* Return: the cell of a length, which is an upper bound if some of it is unknown. */
struct cell cell_at_most(u64 length, bool most);
/* Return: the cell of a CPU time, or of its share in @whole, which is a lower bound if @bounds says that it is. */
struct cell cell_time(u64 time, const struct bcoslog_bounds *bounds);
struct cell cell_time_share(u64 time, u64 whole, const struct bcoslog_bounds *bounds);
/*
 * Return: the cell of instructions or joules in @unit, which is a lower bound or unknown if some time of them is. @bounds
 * are those of a process; NULL for a core.
 */
struct cell cell_instructions(const struct bcoslog_work *work, double unit, const struct bcoslog_bounds *bounds);
struct cell cell_joules(const struct bcoslog_work *work, double unit, const struct bcoslog_bounds *bounds);

/* The options that all reports have: the clock, and the forms of a table. */
extern const struct option_spec report_options[];
/* --svg, of a report that can be drawn. */
extern const struct option_spec drawing_options[];
/* --follow of a report. */
extern const struct option_spec report_follow_options[];
/* Options that mean nothing to most reports: @silent of their tables, for check_subjects() says why. */
extern const struct option_spec report_refused_options[];

/* The lists that a report has beside its own; and those of one that can be drawn. */
#define REPORT_OPTIONS window_options, boot_options, report_options, report_follow_options
#define DRAWN_REPORT_OPTIONS window_options, boot_options, report_options, drawing_options, report_follow_options

#define REPORT_AFTER \
"Time about which the log says nothing is unknown: it is neither idle time nor\n" \
"that of a process.  Lower bounds have >= before them.\n" \
"\n" \
"bcoslog REPORT ... -- PROGRAM... runs a program, and reports on its time.\n"

#endif
