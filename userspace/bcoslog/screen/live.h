/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The last interval of a log that is being read: the account as it is now,
 * less the account as it was then.  It is kept for each process, device, CPU
 * and core that exists, so memory grows with their number.
 */
#ifndef BCOSLOG_LIVE_H
#define BCOSLOG_LIVE_H

#include "entry/utf8.h"
#include "views/rows.h"
#include "views/track/lives.h"

/* If more processes end in an interval, the others are one row. */
#define LIVE_ENDED_MAX 1024
#define LIVE_NAME 80

/**
 * struct live_process - a process in the interval
 * @serial: of the incarnation in the account
 * @id: its ID
 * @ended: it has ended meanwhile; @others: it is all that ended and have no row of their own
 * @least: something was lost while it lived
 * @time: on CPUs in the interval, ns
 * @turns: likewise
 * @work: likewise
 * @total: on CPUs since the log begins, ns
 * @name: the newest, cut
 */
struct live_process {
	u64 serial;
	u32 id;
	bool ended, others, least;
	u64 time, turns, total;
	struct bcoslog_work work;
	size_t name_length;
	char name[LIVE_NAME];
};

/* A stretch without a CPU. */
struct live_off {
	struct bcoslog_account_process process;
	char name[LIVE_NAME];
	struct stretch stretch;
};

/* The greatest numbers of waits that are kept: of all, and of an interval of a growing log, since finding who ran meanwhile takes long. */
#define LIVE_OFFS 1024
#define LIVE_OFFS_INTERVAL 64

/**
 * struct live_list - processes in no order; the first @ended of them have ended
 */
struct live_list {
	struct live_process *of;
	size_t count, room;
	size_t ended;
};

/**
 * struct live - the interval
 * @report: whose account it is
 * @totals: of the interval: from its begin to its end, by difference
 * @processes: who was there
 * @next: who has ended in the interval that goes on
 * @cpus: in the order in which they were first seen, as are @cores
 * @io: devices
 * @whole: the interval is all of a log, so none of its processes is left out
 * @lives: who lived in the interval
 * @next_lives: of these, who has ended in the interval that goes on, @next_ends of them
 * @latencies: how long processes waited in the interval
 * @next_latencies: of those who have ended in the interval that goes on
 * @over: shortest stretch without a CPU that is kept, ns
 * @offs: the newest of these, a ring of which @off_count were ever written
 * @off_from: of these, the first of the interval; @off_to: the one after its last
 */
struct live {
	struct report *report;
	struct bcoslog_account_totals totals, last;
	struct live_list processes, next;
	struct bcoslog_account_cpu *cpus;
	size_t cpu_count;
	struct bcoslog_account_core *cores;
	size_t core_count;
	struct bcoslog_account_cpu *cpus_then;
	struct bcoslog_account_core *cores_then;
	struct io_rows io;
	bool whole;
	struct table_rows lives, next_lives, latencies, next_latencies;
	u64 next_ends;
	bool failed;
	u64 over;
	struct live_off *offs;
	u64 off_count, off_from, off_to;
	size_t off_room;		/* so many more are kept in this interval */
};

/* The sums that are kept with a process, and how much the account had when the interval began. */
struct live_track {
	struct latency_sums sums;
	u64 time, turns;
	struct bcoslog_work work;
};

/* Copies a name as rows have it, cut between characters.  Return: its length. */
static inline size_t live_cut(char *to, const char *name, size_t length)
{
	length = utf8_fit(name, length, LIVE_NAME);
	if (length)
		memcpy(to, name, length);
	return length;
}

static inline struct bcoslog_work live_work_less(const struct bcoslog_work *now, const struct bcoslog_work *then)
{
	return (struct bcoslog_work){
		.instructions = now->instructions - then->instructions,
		.joules = now->joules - then->joules,
		.performance_unknown = now->performance_unknown - then->performance_unknown,
		.performance_assumed = now->performance_assumed - then->performance_assumed,
		.power_unknown = now->power_unknown - then->power_unknown,
		.at_least = now->at_least,
	};
}

/* ---- live_interval.c ------------------------------------------------------------------- */

/* Sets the sinks of the report.  Return: 0 or -ENOMEM. */
int live_begin(struct live *live, struct report *report);
void live_free(struct live *live);
/* The interval is over, and the next one begins.  @end: so does the log. */
void live_interval(struct live *live, bool end);

/* ---- live_processes.c -------------------------------------------------------------------- */

/* A sink of the account; @context: the interval. */
void live_process_ended(void *context, const struct bcoslog_account_process *process);
void live_processes_interval(struct live *live);
void live_processes_free(struct live *live);

/* ---- live_machine.c: CPUs, cores and devices --------------------------------------------- */

/* A sink of the account; @context: the interval. */
void live_device_ended(void *context, const struct bcoslog_account_device *device);
void live_machine_interval(struct live *live);
void live_machine_free(struct live *live);

/* ---- live_waits.c: how long processes waited ------------------------------------------- */

/* Sets those sinks of the report that tell of it.  Return: 0 or -ENOMEM after saying so. */
int live_waits_begin(struct live *live);
void live_waits_free(struct live *live);
/* The process has ended. */
void live_waits_ended(struct live *live, const struct bcoslog_account_process *process);
/* The interval is over; before what the processes had at its beginning is forgotten. */
void live_waits_interval(struct live *live);

#endif
