/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which entries of a log are shown: by whom they are about, of which type, and when. */
#ifndef BCOSLOG_FILTER_H
#define BCOSLOG_FILTER_H

#include "command.h"
#include "record/boots.h"

#define FILTER_SUBJECTS \
	{ "process", 0, "PID|NAME", filter_process }, \
	{ "cpu", 0, "CPU", filter_cpu }, \
	{ "core", 0, "CORE", filter_core }, \
	{ "device", 0, "ID|NAME", filter_device }

#define FILTER_TIMES \
	{ "since", 0, "TIME", filter_since }, \
	{ "until", 0, "TIME", filter_until }, \
	{ "last", 0, "DURATION", filter_last }, \
	BOOT_OPTIONS

#define FILTER_OPTIONS FILTER_SUBJECTS, { "type", 0, "TYPE", filter_type }, FILTER_TIMES

#define FILTER_TIMES_HELP \
"      --since TIME, --until TIME, --last DURATION\n" \
"                    only of this time: seconds since boot (123.5), wall clock\n" \
"                    (14:03, \"2026-11-23 14:03:05.5\"), or how long before the\n" \
"                    end (5s, 200ms, 1h)\n" \
BOOT_HELP

#define FILTER_HELP \
"      --process P   only about this process, by number or name; may be repeated,\n" \
"                    as may\n" \
"      --cpu N       only about this CPU\n" \
"      --core N      only about this core and its CPUs\n" \
"      --device D    only about this device, by number or name\n" \
"      --type T      only of this type, as \"Assign CPU\" or 0x4002\n" \
FILTER_TIMES_HELP

int filter_process(void *context, const char *text);
int filter_cpu(void *context, const char *text);
int filter_core(void *context, const char *text);
int filter_device(void *context, const char *text);
int filter_type(void *context, const char *text);
int filter_since(void *context, const char *text);
int filter_until(void *context, const char *text);
int filter_last(void *context, const char *text);

/*
 * A moment that a command asks for by itself, in the same grammar; @what it is, for the complaint.
 * Return: 0, or -1 after that.
 */
int filter_take_moment(const char *what, const char *text);
/* Entries farther than @ns from the moment need not be read; call it before filter_begin(). */
void filter_near(u64 ns);
/* It, ns since boot; as filter_window().  Return: was there one? */
bool filter_moment(u64 *time);

/* Was one of them given? */
bool filter_active(void);

/* Does the filter choose by anything other than time? */
bool filter_narrows(void);

/* Only what happens from @time on, ns since boot; unless an option says otherwise. */
void filter_from(u64 time);

/* Before run_log(), with the log open: what depends on its end.  Return: 0, or -1 after a complaint. */
int filter_begin(struct run *run);

/*
 * Is the entry among what was asked for?  Once for each, in their order; names are as of before it.
 * Historical entries are judged by where they stand, since their times are those of beginnings long ago.
 */
bool filter_wants(const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Judges the entry by its time alone, and otherwise as filter_wants(). */
bool filter_in_window(const struct bcos_entry *entry);

/* Judge an item by itself: any is wanted, unless one of its kind was named. */
bool filter_wants_process(u32 id, const char *name, size_t length);
/* Likewise of a process of an account, also by a former name. */
struct bcoslog_account_process;
bool filter_wants_life(const struct bcoslog_account_process *process);
bool filter_wants_device(u32 id, const char *name, size_t length);
bool filter_wants_cpu(u32 id, u32 core);
bool filter_wants_core(u32 id);

/* Was one of this kind named? */
bool filter_has_processes(void);
bool filter_has_cpus(void);		/* by itself, or by its core */
bool filter_names_cpus(void);
bool filter_names_cores(void);
bool filter_has_devices(void);
/* Was a part of the log asked for? */
bool filter_has_times(void);

/*
 * From when to when it is asked for, ns since boot; @until 0: there is no end.  After filter_begin(), and where that
 * sets wall_needed, once the wall clock is known.
 */
void filter_window(u64 *since, u64 *until);

/* Is a time asked for that a running log may not have any more? */
bool filter_looks_back(void);

/* Was the entry after all that is asked for? */
bool filter_over(void);

#endif
