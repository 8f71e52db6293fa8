/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Remembers the last turns of each CPU, which tell what ran there while a process had no CPU. */
#ifndef BCOSLOG_VIEWS_RECENT_H
#define BCOSLOG_VIEWS_RECENT_H

#include "account/report.h"
#include "report/report.h"
#include "state/table.h"

/* The number of turns that are remembered for each CPU. */
#define RECENT_TURNS 1024
#define RECENT_NAME 40

/**
 * struct recent_use - a use of a CPU
 * @use: the kind of use
 * @process: ID of the process, if @use is a process or the kernel
 * @serial: number of the process's incarnation in the account; 0: there is no process
 * @name: name of the process, cut to RECENT_NAME bytes
 * @name_length: length of @name
 * @time: ns for which the CPU had this use
 * @partial: @time is a lower bound, since the remembered turns do not reach back to the begin of the stretch
 */
struct recent_use {
	enum bcoslog_use use;
	u32 process;
	u64 serial;
	char name[RECENT_NAME];
	size_t name_length;
	u64 time;
	bool partial;
};

/**
 * struct stretch - a stretch for which a process had no CPU
 * @begin: begin of the stretch, ns since boot
 * @end: end of the stretch, ns since boot
 * @unknown: ns of it for which the process may have run unseen
 * @left: the CPU that the process had before
 * @cpu: the CPU that the process had after
 * @known: @instead is known
 * @instead: the use that @left had for the longest time meanwhile
 * @preempted: the process had been preempted, and waited all the time; the caller of recent_stretch() sets this
 * @cut: the stretch began before the window, so it is longer
 * @waker: the waker of the process, or unknown; the caller of recent_stretch() sets this
 */
struct stretch {
	u64 begin, end, unknown;
	u32 left, cpu;
	bool known;
	struct recent_use instead;
	bool preempted, cut;
	struct bcoslog_waker waker;
};

struct recent_sums;

/**
 * struct recent - the last turns of each CPU; zeros are none
 * @cpus: the CPUs that had turns
 * @memory: bytes of their items
 * @sums: for adding up the uses of a stretch
 */
struct recent {
	struct table cpus;
	u64 memory;
	struct recent_sums *sums;
};

/* Remembers a turn that has ended.  Return: 0 or -ENOMEM. */
int recent_add(struct recent *recent, const struct bcoslog_interval *interval);
/* Describes a stretch that ends now; the process had the CPU @left before. */
void recent_stretch(const struct recent *recent, struct stretch *stretch, const struct bcoslog_account *account, u32 left,
		    const struct bcoslog_stretch *of);
/* Forgets all turns. */
void recent_free(struct recent *recent);
/* Describes the present use of a CPU, without its time. */
void recent_describe(struct recent_use *of, enum bcoslog_use use, const struct bcoslog_account_process *process);
/* Sets the name, cut to RECENT_NAME bytes. */
void recent_name_it(struct recent_use *of, const char *name, size_t length);

/* Return: the cell of the name of the process, or of "idle"; absent if the use is unknown. */
struct cell recent_name(const struct recent_use *use);

#endif
