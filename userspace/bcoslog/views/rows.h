/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of the reports' tables, for who shows them otherwise than at the end of a log. */
#ifndef BCOSLOG_VIEWS_ROWS_H
#define BCOSLOG_VIEWS_ROWS_H

#include "views/course/course.h"
#include "views/track/recent.h"
#include "views/track/waits.h"

/* ---- cpu.c ---------------------------------------------------------------------------- */

/* @courses: the last column has the course over time. */
void cpu_begin(struct table_rows *table, bool courses);
/* The row of the uses of @cpu. @name: its own, or "all", which has no core; @course: NULL where there is no such column. */
void cpu_row(struct table_rows *table, const char *name, const struct bcoslog_account_cpu *cpu,
	     struct course *course);

/* ---- power.c -------------------------------------------------------------------------- */

/* @courses: the last two columns have the courses over time. */
void power_begin(struct table_rows *table, bool courses);
/* A row for all of the cores together, and one for each. @span: ns that they are of. */
void power_rows(struct table_rows *table, const struct bcoslog_account_core *cores, size_t count, u64 span);
/* Return: the number of those of which it is not known for all of the time what they took. */
u32 power_unknown_cores(const struct bcoslog_account_core *cores, size_t count);

/* ---- io.c ----------------------------------------------------------------------------- */

struct io_sum {
	u64 input, output, inputs, outputs, interrupts, faults;
	bool least;
};

/* There is a sum for each class of devices, and one for all. */
#define IO_SUMS 5

struct io_rows {
	struct table_rows table;
	struct io_sum sums[IO_SUMS];
};

/* @courses: the last column has room for the course over time of a row, which the caller sets. */
void io_begin(struct io_rows *rows, bool courses);
/* A process that the options leave out, or that did nothing, gets none. */
void io_row(struct io_rows *rows, const struct bcoslog_account_device *device, const struct bcoslog_latency *latency);
/* Sorts the rows, and adds the sums below them. */
void io_end(struct io_rows *rows);

/* ---- processes.c, top.c --------------------------------------------------------------- */

/* @people: names have the former ones after them, as in "cc1 (was sh)". */
void processes_begin(struct table_rows *table, bool people);
/* @former: its former names, as by former_names(). */
void processes_row(struct table_rows *table, const struct bcoslog_account_process *process, const char *former);
/* The row of those that have none of their own. */
void processes_others(struct table_rows *table, u64 count);

/* ---- offcpu.c ------------------------------------------------------------------------- */

void offcpu_begin(struct table_rows *table);
void offcpu_row(struct table_rows *table, const struct bcoslog_account_process *process, const struct stretch *stretch);

/* ---- latency.c ------------------------------------------------------------------------ */

/* A process, as long as it lives; what the account keeps for it begins with this. */
struct latency_sums {
	struct waits waits;
	u64 offs, off_sum;		/* stretches without a CPU, in the place of these */
	u64 off_longest, off_longest_at;
	u32 left;			/* the CPU that it had last, for who keeps it here */
};

/* The sums of a process, @size bytes, made at the first call.  Return: NULL if there is no memory. */
struct latency_sums *latency_of(const struct bcoslog_account_process *process, size_t size);
/* Before the account gets the entry.  Return: 0 or -ENOMEM. */
int latency_entry(const struct report *report, const struct bcos_entry *entry, size_t size);
/* Return: it waited all the time, since it had been preempted. */
bool latency_off(const struct report *report, const struct bcoslog_account_process *process, struct latency_sums *sums,
		 u64 begin, u64 end);
void latency_begin(struct table_rows *table);
/* A process that waited for nothing gets none. */
void latency_row(struct table_rows *table, const struct bcoslog_account_process *process);
void latency_sort(struct table_rows *table);

/* ---- latency_thread.c ----------------------------------------------------------------- */

/* Return: what the account has to tell of. */
const struct bcoslog_thread_sinks *latency_threads_begin(void);
/* A thread that waited for nothing gets no row.  Return: 0 or -ENOMEM, after saying so. */
int latency_threads_print(const struct report *report);

#endif
