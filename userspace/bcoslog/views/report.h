/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reports share this: each is a pass over a log with an account, and prints a
 * table at its end.  None calculates by itself what the account knows.
 */
#ifndef BCOSLOG_VIEWS_REPORT_H
#define BCOSLOG_VIEWS_REPORT_H

#include "bcoslog_threads.h"
#include "command.h"
#include "options/filter.h"
#include "views/table/table.h"

/**
 * struct report - a report
 * @command: its name
 * @help: its help
 * @options: its own, beside those of all reports
 * @sinks: what of the account it wants to hear; since and until are set by report_run()
 * @threads: what of the threads it wants to hear; NULL: no account of them is kept
 * @context: for these, and for @options
 * @no_process: why --process says nothing here, as a sentence; NULL: it does; likewise
 * @no_cpu: of --cpu
 * @no_core: of --core
 * @no_device: of --device
 * @change: takes an argument that is neither option nor log, as of struct arguments, or NULL
 * @plain: likewise
 * @ready: called with the arguments when they are known, or NULL.  Return: 0, or -1 after a complaint
 * @entry: called for each entry before the account gets it, or NULL
 * @after: called for each entry when the account has it, or NULL
 * @print: at the end of the log
 * @screen: in the place of @print, where that is wanted and there is a terminal for it; or NULL.
 *          Return: the exit status
 * @svg: @print knows TABLE_SVG
 * @once: out: a screen is not wanted
 * @follow: out: --follow was given
 * @form: out: how to print
 * @account: out: settled when @print is called
 */
struct report {
	const char *command;
	const char *help;
	const struct option_spec *options;
	struct bcoslog_account_options sinks;
	const struct bcoslog_thread_sinks *threads;
	void *context;
	const char *no_process, *no_cpu, *no_core, *no_device;
	int (*change)(void *context, const char *text);
	const char *plain;
	int (*ready)(struct report *report, struct arguments *arguments);
	int (*entry)(struct report *report, const struct bcos_entry *entry);
	int (*after)(struct report *report, const struct bcos_entry *entry);
	int (*print)(struct report *report);
	int (*screen)(struct report *report, struct run *run);
	bool svg;
	bool once, follow;
	enum table_form form;
	struct bcoslog_account *account;
};

/* Takes the entries, where a report has no run->entries.  Return: 0 or a negative errno after a complaint. */
int report_entries(struct run *run, const struct bcoslog_batch *batch);
/* The account, once the window is known.  Likewise. */
int report_begin(struct report *report);

/* Return: the exit status. */
int report_run(struct report *report, int argc, char **argv);

/* Is this moment in the window that was asked for? */
static inline bool report_counts(const struct report *report, u64 time)
{
	return time >= report->sinks.since && (!report->sinks.until || time < report->sinks.until);
}

/* Notes how precisely the time of an entry is known that counts in stretches of time. */
void report_note_precision(const struct report *report, const struct bcos_entry *entry);
/* As @after of a report on CPUs or cores over time: notes how precisely it is known when they change. */
int note_precision_of_use(struct report *report, const struct bcos_entry *entry);

/* Was this CPU asked for, or its core? */
bool report_wants_cpu(const struct report *report, u32 id);

/* The cell of a name from the log, which need not be there. */
struct cell cell_name(const char *name, size_t length);
/* How it ended: "exit code 3", "SIGKILL, sent by user space", "alive".  @text: room for it. */
struct cell cell_end(const struct bcoslog_account_process *process, char *text, size_t size);
/* @part of @whole; of nothing there is no share. */
struct cell cell_share(u64 part, u64 whole);
/* A sum that is a lower bound where @least is. */
struct cell cell_sum(u64 sum, bool least);
/* The cell of @work in @unit: unknown, or a lower bound, if it does not say all. */
struct cell cell_instructions(const struct bcoslog_work *work, double unit);
struct cell cell_joules(const struct bcoslog_work *work, double unit);

#define REPORT_HELP \
"      --process P, --cpu N, --core N, --device D\n" \
"                    only of these, by number or name; may be repeated\n" \
FILTER_TIMES_HELP \
"  -T, --wall        times by the wall clock\n" \
"      --json, --csv for programs: an object a line, or RFC 4180\n" \
"      --svg         a drawing, a document that stands alone\n" \
"  -f, --follow      go on as the log grows, until Ctrl-C, and tell then\n" \
"  -h, --help        this text\n" \
"\n" \
"Time about which the log says nothing is unknown: it is neither idle nor any\n" \
"process'.  Lower bounds have >= before them.\n" \
"\n" \
"bcoslog COMMAND ... -- PROGRAM... runs a program, and reports about its time.\n" \
"\n" \
"Exit status: 0 done, 1 LOG is damaged, 2 it cannot be read.\n"

#endif
