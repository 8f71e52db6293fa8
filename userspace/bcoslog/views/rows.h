/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Makes the tables of the reports, also for the screen of bcoslog top. */
#ifndef BCOSLOG_VIEWS_ROWS_H
#define BCOSLOG_VIEWS_ROWS_H

#include "account/report.h"
#include "output/output.h"
#include "report/course/course.h"
#include "views/track/recent.h"
#include "views/track/waits.h"

/* ---- cpu.c ---------------------------------------------------------------------------- */

/* Begins the table. @courses: its last column has the course over time. */
void cpu_begin(struct table_rows *table, bool courses);
/*
 * Adds a row for @cpu. @name is its number or "all", which has no core. @course is NULL if the table has
 * no courses; else @totals tell of what time it is.
 */
void cpu_row(struct table_rows *table, const char *name, const struct bcoslog_account_cpu *cpu,
	     struct course *course, const struct bcoslog_account_totals *totals);

/* ---- power.c -------------------------------------------------------------------------- */

/* Begins the table. @courses: its last two columns have courses over time. */
void power_begin(struct table_rows *table, bool courses);
/* CPUs. */
struct cpus_of {
	struct bcoslog_account_cpu *of;
	size_t count;
};

struct power_courses;

/*
 * Adds a row for all cores together, and one for each. @span: the ns that the values of the cores cover; @cpus: the CPUs
 * of the cores; @courses: NULL if the table has no courses.
 */
void power_rows(struct table_rows *table, const struct bcoslog_account_core *cores, size_t count, u64 span,
		const struct cpus_of *cpus, struct power_courses *courses);
/* Return: the number of cores whose power is unknown for some of the time. */
u32 power_unknown_cores(const struct bcoslog_account_core *cores, size_t count);

/* ---- io.c ----------------------------------------------------------------------------- */

/* A sum over devices. @lost: kinds BCOSLOG_LOST_* of what was lost. */
struct io_sum {
	u64 input, output, inputs, outputs, interrupts, faults;
	u32 lost;
};

/* There is a sum for each range of device IDs, and one for all devices. */
#define IO_SUMS 5

/* The table of devices, and the sums that io_end() adds below it. */
struct io_rows {
	struct table_rows table;
	struct io_sum sums[IO_SUMS];
	bool people;			/* names have the former ones after them, as in "sdb (was sda)" */
};

/* Begins the table. @courses: its last column has courses over time, which the caller fills in (io_course.h). */
void io_begin(struct io_rows *rows, bool courses);
/* Adds the row of a device, unless it did nothing. @precision is that of its latencies, and @former the list of its former names. */
void io_row(struct io_rows *rows, const struct bcoslog_account_device *device, const struct bcoslog_latency *latency,
	    u64 precision, const char *former);
/* Sorts the rows, and adds the sums below them. */
void io_end(struct io_rows *rows);

/* ---- processes.c, top.c --------------------------------------------------------------- */

/* Begins the table. */
void processes_begin(struct table_rows *table);
/*
 * Adds the row of a process. @bounds are those of its CPU time, and @former is the list of its former names, as of
 * former_names(). @people: the name has the former ones after it, as in "cc1 (was sh)".
 */
void processes_row(struct table_rows *table, const struct bcoslog_account_process *process,
		   const struct bcoslog_bounds *bounds, const char *former, bool people);
/* Adds a row that says that @count further processes ended. */
void processes_others(struct table_rows *table, u64 count);

/* ---- offcpu.c ------------------------------------------------------------------------- */

/* Begins the table. */
void offcpu_begin(struct table_rows *table);
/* Adds the row of a stretch for which the process had no CPU. */
void offcpu_row(struct table_rows *table, const struct bcoslog_account_process *process, const struct stretch *stretch);

/* ---- latency.c ------------------------------------------------------------------------ */

/* The sums of a living process. @user of the process in the account is a structure that begins with them. */
struct latency_sums {
	struct waits waits;
	u64 offs, off_sum;		/* number and ns of stretches without a CPU, where the log has no waits */
	u64 off_longest, off_longest_at;
	bool off_cut, off_longest_cut;	/* one, or the longest, began before the window */
	u64 unsure_offs, unsure_off_longest;	/* of stretches that may have been shorter, which the others leave out */
	u32 left;			/* the CPU that the process had last; callers that need it set it */
};

/*
 * The waits of all processes. At index n are the numbers of waits and of stretches without a CPU that took at least 2^n ns
 * and less than 2^(n + 1). The numbers of those that may have been shorter, and of those that began before the window,
 * are apart.
 */
struct latency_total {
	bool any_state;			/* the log has told the state of a thread: before, nobody is looked up, to save time */
	u64 waits[64], offs[64], unsure_waits, unsure_offs, cut_waits, cut_offs;
};

/* Return: @user of the process, which the first call makes with @size bytes; NULL if there is no memory. */
struct latency_sums *latency_of(const struct bcoslog_account_process *process, size_t size);
/* @entry of a report, with the @size of latency_of().  Return: 0 or -ENOMEM. */
int latency_entry(struct latency_total *total, const struct report *report, const struct bcos_entry *entry, size_t size);
/* Adds a stretch without a CPU.  Return: whether the process waited all that time, since it had been preempted. */
bool latency_off(struct latency_total *total, const struct report *report, struct latency_sums *sums,
		 const struct bcoslog_stretch *off);
/* Begins the table. */
void latency_begin(struct table_rows *table);
/* Adds the row of a process, unless it never waited. */
void latency_row(const struct latency_total *total, const struct report *report, struct table_rows *table,
		 const struct bcoslog_account_process *process);
/* Sorts the table, the longest wait first. */
void latency_sort(struct table_rows *table);

/* ---- latency_thread.c ----------------------------------------------------------------- */

/* Begins the table of threads. */
void latency_threads_begin(struct table_rows *table);
/* Adds the row of a thread, unless it never waited. */
void latency_thread_row(const struct report *report, struct table_rows *table,
			const struct bcoslog_account_thread *thread);
/* Adds the threads that live, and prints and frees the table.  Return: 0, or -ENOMEM after a complaint. */
int latency_threads_print(struct report *report, struct table_rows *table);

#endif
