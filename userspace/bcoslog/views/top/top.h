/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* bcoslog top: the last interval of a log that is being read, as a table, and as a screen that changes. */
#ifndef BCOSLOG_TOP_H
#define BCOSLOG_TOP_H

#include "account/report.h"
#include "once.h"
#include "report/report.h"
#include "views/rows.h"
#include "views/track/lives.h"

/* ---- the last interval ----------------------------------------------------------- */

/*
 * The last interval of a log that is being read: the account at its end less the account at its begin. The latter is
 * kept for each process, device, CPU and core that exists, so memory grows with their number.
 */

/* If more processes than these end in an interval, the others share a row. */
#define LIVE_ENDED_MAX 1024

/**
 * struct live_process - a row: a process in the interval
 * @serial: number of its incarnation in the account
 * @id: its ID; in the row of others, the number of processes
 * @ended: it ended in the interval
 * @others: the row is that of all processes that ended and have no row of their own
 * @least: the log lost something while the process lived, so @total is a lower bound
 * @time: time on CPUs in the interval, ns
 * @turns: turns on CPUs in the interval
 * @work: instructions and energy in the interval
 * @total: time on CPUs since the log's begin, ns
 * @name_length: length of @name
 * @name: its newest name, cut to LIVE_NAME bytes
 */
struct live_process {
	u64 serial;
	u32 id;
	bool ended, others, least;
	bool bounded;			/* @unknown and @total_unknown are known */
	u64 time, turns, total;
	u64 unknown, total_unknown;	/* ns of CPUs for which it may have run unseen */
	struct bcoslog_work work;
	size_t name_length;
	char name[LIVE_NAME];
};

/* A stretch for which a process had no CPU. */
struct live_off {
	struct bcoslog_account_process process;
	char name[LIVE_NAME];
	struct stretch stretch;
};

/*
 * The greatest numbers of such stretches that are kept: in all, and of one interval of a growing log. The second is
 * small, since finding the processes that ran meanwhile takes long.
 */
#define LIVE_OFFS 1024
#define LIVE_OFFS_INTERVAL 64

/**
 * struct live_list - rows of processes in no order
 * @of: the rows
 * @count: number of rows
 * @room: number of rows for which @of has room
 * @ended: the first @ended rows are of processes that ended, and the first of all is the row of others
 */
struct live_list {
	struct live_process *of;
	size_t count, room;
	size_t ended;
};

/**
 * struct live - the last interval, and the one that goes on
 * @context: what the report had as its context before the screen
 * @report: the report that has the account
 * @totals: totals of the last interval
 * @last: totals of the account at the end of the last interval
 * @processes: rows of the processes in the last interval
 * @next: rows of the processes that ended in the interval that goes on
 * @cpus: CPUs in the last interval, in the order of the account
 * @cpu_count: number of @cpus
 * @cores: cores in the last interval, in the order of the account
 * @core_count: number of @cores
 * @cpus_then: @cpus of the account at the end of the last interval
 * @cores_then: @cores of the account at the end of the last interval
 * @io: table of the devices in the last interval
 * @whole: the interval is a whole file, so no process is left out
 * @lives: table of the lives in the last interval
 * @next_lives: rows of @lives for the processes that ended in the interval that goes on
 * @latencies: table of the waits of processes in the last interval
 * @next_latencies: rows of @latencies for the processes that ended in the interval that goes on
 * @next_ends: number of processes that ended in the interval that goes on
 * @failed: memory ran out
 * @over: the shortest stretch without a CPU that is kept, ns
 * @offs: ring of the newest stretches without a CPU
 * @off_count: number of stretches that were ever written to @offs
 * @off_from: number of the first stretch of the last interval
 * @off_to: number after the last stretch of the last interval
 * @off_room: number of stretches that may still be kept in the interval that goes on
 * @recent: the last turns of each CPU
 * @waits: what the waits of all processes have in common
 */
struct live {
	struct report *report;
	void *context;
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
	size_t off_room;
	struct recent recent;
	struct latency_total waits;
};

/*
 * @user of a process in the account: its waits since the interval began, and its time, turns and work when the interval
 * began.
 */
struct live_track {
	struct latency_sums sums;
	u64 time, turns;
	u64 unknown;			/* ns of CPUs for which it may have run unseen */
	struct bcoslog_work work;
};

/* Return: the work since @then. */
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

/* ---- interval.c ----------------------------------------------------------------------- */

/* Sets the sinks of the report.  Return: 0, or -ENOMEM after a complaint. */
int live_begin(struct live *live, struct report *report);
void live_free(struct live *live);
/* Ends the interval and begins the next one. @end: the log has ended, too. */
void live_interval(struct live *live, bool end);

/* ---- processes.c ---------------------------------------------------------------------- */

/* The sink @process_ended of the account; @context is struct live. */
void live_process_ended(void *context, const struct bcoslog_account_process *process);
/* Ends the interval for processes. */
void live_processes_interval(struct live *live);
void live_processes_free(struct live *live);

/* ---- totals.c: CPUs, cores and devices --------------------------------------------- */

/* The sink @device_ended of the account; @context is struct live. */
void live_device_ended(void *context, const struct bcoslog_account_device *device);
/* Ends the interval for CPUs, cores and devices. */
void live_totals_interval(struct live *live);
void live_totals_free(struct live *live);

/* ---- waits.c: waits of processes, and stretches without a CPU ---------------------- */

/* Sets the sinks of the report that it needs.  Return: 0, or -ENOMEM after a complaint. */
int live_waits_begin(struct live *live);
void live_waits_free(struct live *live);
/* Adds the row of a process that has ended. */
void live_waits_ended(struct live *live, const struct bcoslog_account_process *process);
/* Ends the interval for waits. Call this before live_processes_interval(), which overwrites struct live_track. */
void live_waits_interval(struct live *live);

/* ---- the tables ------------------------------------------------------------------ */

/* The tables that the screen of bcoslog top can show. */

enum live_order { ORDER_CPU, ORDER_TOTAL, ORDER_POWER, ORDER_NAME, ORDER_ID };

/**
 * struct screen_table - a table that fills the screen
 * @key: the key that shows the table
 * @name: the name of the table
 * @table: Return: the table, which is @own after it was filled, or one of @live
 */
struct screen_table {
	char key;
	const char *name;
	const struct table_rows *(*table)(struct live *live, struct table_rows *own);
};

#define SCREEN_TABLES 7
extern const struct screen_table screen_tables[SCREEN_TABLES];

/* The order of the table "top", and whether it is reversed. */
extern enum live_order screen_order;
extern bool screen_reverse;
/* The table "top" has columns of instructions and energy. */
extern bool screen_energy;

/* ---- the drawing ----------------------------------------------------------------- */

/* Draws the screen of bcoslog top. */

/**
 * struct top - the state of bcoslog top
 * @live: the last interval
 * @run: the pass over the log
 * @next: when the interval ends, ns of CLOCK_MONOTONIC
 * @status: exit status so far
 * @ended: the log has ended
 * @behind: the last interval ended before all of its entries could be read
 * @newest: time of the newest entry that was read, ns since boot
 * @lag: ns by which the newest entry that was read is older than this moment, if the log is of this machine; else 0
 * @paused: the screen does not change
 * @help: the help is shown
 * @finding: the user is typing the text to find
 * @quit: the user leaves the screen
 * @stale: @table has to be filled anew
 * @shown: index of the table in screen_tables
 * @own: memory for a table
 * @table: the table that is shown: @own, or one of @live; NULL: none yet
 * @widths: widths of the columns of each table; they do not shrink, so columns keep their places
 * @scroll: index of the first row that is shown
 * @shift: number of columns of the terminal that are left out at the left
 * @find_length: length of @find
 * @find: the text to find, without a zero at its end
 */
struct top {
	struct live live;
	struct run *run;
	u64 next, newest, lag;
	int status;
	bool ended, behind, paused, help, finding, quit, stale;
	size_t shown;
	struct table_rows own;
	const struct table_rows *table;
	size_t widths[SCREEN_TABLES][TABLE_COLUMNS];
	size_t scroll, shift;
	size_t head_lines;
	size_t find_length;
	char find[64];
};

/* With a greater lag, in ns, the screen says how old its entries are. */
#define TOP_LAG 2000000000ull

/* The length of an interval in ns, at least TOP_EVERY_MIN. */
extern u64 top_every;
#define TOP_EVERY_MIN 100000000ull

/* Draws the whole screen. */
void top_draw(struct top *top);
/* Return: the number of rows of the table for which the screen has room. */
size_t top_page(const struct top *top);
/* Scrolls to the next row that contains the text to find, and from the end of the table to its begin. */
void top_find(struct top *top);

/* ---- the screen ------------------------------------------------------------------ */

/* bcoslog top as a screen that shows the last interval. */

/* @screen of struct report: shows the screen until the user leaves it.  Return: the exit status. */
int top_screen(struct report *report, struct run *run);

#endif
