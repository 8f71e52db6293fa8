/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The filter: options choose the entries that are shown by subject, type and time. */
#ifndef BCOSLOG_FILTER_H
#define BCOSLOG_FILTER_H

#include "boots.h"
#include "option.h"

struct bcos_entry;
struct bcoslog_state;

/* These take the values of the options, as @take of struct option_spec. */
int filter_process(struct arguments *arguments, const char *text);
int filter_cpu(struct arguments *arguments, const char *text);
int filter_core(struct arguments *arguments, const char *text);
int filter_device(struct arguments *arguments, const char *text);
int filter_type(struct arguments *arguments, const char *text);
int filter_since(struct arguments *arguments, const char *text);
int filter_until(struct arguments *arguments, const char *text);
int filter_last(struct arguments *arguments, const char *text);

/*
 * Takes the moment that a subcommand has as its own argument, in the grammar of --since; @what names the argument in
 * complaints.  Return: 0, or -1 after a complaint.
 */
int filter_take_moment(const char *what, const char *text);
/*
 * Declares that what happened up to @ns before and after that moment is shown, and that entries much farther from it
 * need not be read. Call this before run_settle_times().
 */
void filter_near(u64 ns);
/* Gets that moment in ns since boot. Call this when filter_window() may be called.  Return: whether one was taken. */
bool filter_moment(u64 *time);

/* Was any option of the filter given? */
bool filter_active(void);

/* Does the filter choose by anything other than time? */
bool filter_narrows(void);

/* Notes that the log has the objects that the entry is about. */
void filter_meet(const struct bcos_entry *entry);

enum filter_absence {
	FILTER_ALL_THERE,
	FILTER_SOME_ABSENT,
	FILTER_NOTHING_THERE,	/* of the chosen processes, CPUs, cores or devices the log has none */
};

/* Complains of each chosen object that no entry was about, for filter_meet() got all. Call this once, after the pass. */
enum filter_absence filter_absent(void);

/* Shows only entries from @time on, in ns since boot, unless --since or --last was given. */
void filter_from(u64 time);

/*
 * Does the filter choose the entry? Call this once for each entry, in their order; @state is from before the entry.
 * A historical entry is judged by its place in the log, since its own time may be long past.
 */
bool filter_wants(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Judges the entry by its time alone, and otherwise as filter_wants(). */
bool filter_in_window(const struct bcos_entry *entry);

/* Does the filter choose this process? It chooses all, if no option names a process. */
bool filter_wants_process(u32 id, const char *name, size_t length);
/* Does the filter choose this process of an account, by its number, its name or a former name? */
struct bcoslog_account_process;
bool filter_wants_life(const struct bcoslog_account_process *process);
/* Likewise this device of an account, once it has ended or the log has: a later name chooses it, too. */
struct bcoslog_account_device;
bool filter_wants_use(const struct bcoslog_account_device *device);
/* These judge devices, CPUs and cores likewise. */
bool filter_wants_cpu(u32 id, u32 core);
bool filter_wants_core(u32 id);

/* Does an option name a process, CPU, core or device? */
bool filter_has_processes(void);
bool filter_has_cpus(void);		/* --cpu or --core */
bool filter_names_cpus(void);
bool filter_names_cores(void);
bool filter_has_devices(void);
/* Was --since, --until or --last given? */
bool filter_has_times(void);
/* Was one of these given, or a moment? */
bool filter_asks_times(void);

/*
 * Gets the times that were asked for, in ns since boot; @until is 0 if there is no end. Call this after run_settle_times(),
 * and if wall_needed is set, once the wall clock is known.
 */
void filter_window(u64 *since, u64 *until);

/* Do the options ask for a time that a running log may not have any more? */
bool filter_looks_back(void);

/*
 * Counts an entry of the log, before filter_wants() or filter_in_window() gets it: where does the log begin and end, and
 * has it entries in the window?
 */
void filter_passes(const struct bcos_entry *entry);

/* Was the last entry that filter_wants() or filter_in_window() got later than --until? */
bool filter_over(void);

#endif
