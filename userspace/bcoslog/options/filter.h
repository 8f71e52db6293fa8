/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The filter: options choose the entries that are shown by subject and type. The window (window.h) chooses by time. */
#ifndef BCOSLOG_FILTER_H
#define BCOSLOG_FILTER_H

#include "core/host/user.h"

struct bcos_entry;
struct bcoslog_state;

#define CHOICES 64

/* The numbers and names that an option gave. One of them has to fit; if there are none, everything fits. */
struct choice {
	size_t count;
	struct {
		const char *name;	/* NULL: @id counts */
		u32 id;
		bool met;		/* the log has such an object */
	} of[CHOICES];
};

/* What the options choose; zeros choose everything. */
struct filter {
	struct choice processes, cgroups, cpus, cores, devices, types;	/* the names of @cgroups are patterns of fnmatch() */
};

/* These take the values of the options.  Return: 0, or -1 after a complaint. */
int filter_take_process(struct filter *filter, const char *text);
int filter_take_cgroup(struct filter *filter, const char *text);
int filter_take_cpu(struct filter *filter, const char *text);
int filter_take_core(struct filter *filter, const char *text);
int filter_take_device(struct filter *filter, const char *text);
int filter_take_type(struct filter *filter, const char *text);

/* Was any of these options given? */
bool filter_narrows(const struct filter *filter);

/* Notes that the log has the objects that the entry is about. */
void filter_meet(struct filter *filter, const struct bcos_entry *entry);

/* Notes what the log of another machine has, for which @other is a copy of the filter. */
void filter_join(struct filter *filter, const struct filter *other);

enum filter_absence {
	FILTER_ALL_THERE,
	FILTER_SOME_ABSENT,
	FILTER_NOTHING_THERE,	/* of the chosen processes, CPUs, cores or devices the log has none */
};

/*
 * Complains of each chosen object that no entry was about, for filter_meet() got all. @where names the log. Call this
 * once, after the pass.
 */
enum filter_absence filter_absent(struct filter *filter, const char *where);

/* Does the filter choose the entry? @state is from before the entry. */
bool filter_wants(const struct filter *filter, const struct bcoslog_state *state, const struct bcos_entry *entry);

/* Does the filter choose this process by its number or name? It chooses all, if no option names a process. */
bool filter_wants_process(const struct filter *filter, u32 id, const char *name, size_t length);
/*
 * Does the filter choose this process of an account, by its number, its name or a former name, and by the control group
 * that it is in, or was in when it ended?
 */
struct bcoslog_account_process;
bool filter_wants_life(const struct filter *filter, const struct bcoslog_account_process *process);
/* Likewise this device of an account, once it has ended or the log has: a later name chooses it, too. */
struct bcoslog_account_device;
bool filter_wants_use(const struct filter *filter, const struct bcoslog_account_device *device);
/* These judge devices, CPUs and cores likewise. */
bool filter_wants_cpu(const struct filter *filter, u32 id, u32 core);
bool filter_wants_core(const struct filter *filter, u32 id);

/* Does an option choose processes, or name a process, CPU, core or device? */
bool filter_has_processes(const struct filter *filter);		/* --process or --cgroup */
bool filter_names_processes(const struct filter *filter);
bool filter_has_cgroups(const struct filter *filter);
bool filter_has_cpus(const struct filter *filter);		/* --cpu or --core */
bool filter_names_cpus(const struct filter *filter);
bool filter_names_cores(const struct filter *filter);
bool filter_has_devices(const struct filter *filter);

#endif
