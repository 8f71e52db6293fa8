/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The last turns of each CPU, which tell who ran there while a process had no CPU. */
#ifndef BCOSLOG_VIEWS_RECENT_H
#define BCOSLOG_VIEWS_RECENT_H

#include "bcoslog_threads.h"
#include "views/report.h"

/* Turns that are remembered for each CPU. */
#define RECENT_TURNS 1024
#define RECENT_NAME 40

/**
 * struct recent_use - what a CPU was used for most
 * @use: what for
 * @process: whose, if @use is a process or the kernel
 * @serial: of its incarnation in the account, 0: it is none
 * @name: of it, cut
 * @name_length: of @name
 * @time: ns that this took
 * @partial: what was remembered does not reach back to the beginning
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
 * @begin: of it
 * @end: of it
 * @left: the CPU on which it began
 * @cpu: on which the process went on
 * @known: @instead says something
 * @instead: for what @left was used most meanwhile
 * @preempted: the process waited all the time, and had not given its CPU up; set by the caller, as is
 * @waker: who woke it; unknown: nobody, or the log does not say
 */
struct stretch {
	u64 begin, end;
	u32 left, cpu;
	bool known;
	struct recent_use instead;
	bool preempted;
	struct bcoslog_waker waker;
};

/* A turn has ended: as the account tells it.  Return: 0 or -ENOMEM. */
int recent_add(const struct bcoslog_interval *interval);
/* For what the CPU was used most from @begin to @end, which is now.  Return: false: nobody had it as far as is known. */
bool recent_most(const struct bcoslog_account *account, u32 cpu, u64 begin, u64 end, struct recent_use *most);
/* A stretch that ends now, as the account tells it, of a process that had @left last. */
void recent_stretch(struct stretch *stretch, const struct bcoslog_account *account, u32 left, u64 begin, u64 end, u32 cpu);
void recent_free(void);
/* A use as it is now; without its time. */
void recent_describe(struct recent_use *of, enum bcoslog_use use, const struct bcoslog_account_process *process);
/* Sets the name, cut to its room. */
void recent_name_it(struct recent_use *of, const char *name, size_t length);

/* The use as a name: that of the process, or idle, or unknown. */
struct cell recent_name(const struct recent_use *use);

#endif
