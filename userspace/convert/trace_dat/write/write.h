/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of an export to trace.dat share. */
#ifndef TRACE_DAT_WRITE_H
#define TRACE_DAT_WRITE_H

#include "../../convert.h"
#include "../../output.h"
#include "../../tracepoints/write/write.h"
#include "core/host/user.h"
#include "state/table.h"

/* ---- runs.c ------------------------------------------------------------------------ */

/*
 * A temporary file that keeps bytes for each CPU. The file consists of runs: each run has bytes of one CPU, in the
 * order in which they were added.
 */

#define RUN_BYTES 65536u

struct run {
	u32 used;		/* how many of the bytes are in use */
	u32 unused;
	u8 bytes[RUN_BYTES - 8];
};

/* The runs of a CPU. Runs are numbered from 1. */
struct run_list {
	struct run *run;	/* the last run, which is not in the file yet; NULL: there is none */
	u32 first, last;	/* the first and last one in the file */
};

struct runs {
	int fd;			/* descriptor of the temporary file, or -1 */
	u32 *next;		/* for each run, the next run of its CPU; 0: none */
	u32 count, room;	/* how many runs are in the file, and how many @next has room for */
	int error;		/* a negative errno, after which nothing is written */
};

/* Opens the temporary file, which is in temporary_beside(@output). Returns 0 or a negative errno. */
int runs_begin(struct runs *runs, const char *output);
/* Writes the current run of a list, and begins the next one. Returns it, or NULL on an error. */
struct run *runs_next(struct runs *runs, struct run_list *list);
/* Calls @take for all runs of a list, in order, until it returns a negative errno. Returns 0 or a negative errno. */
int runs_each(const struct runs *runs, const struct run_list *list, int (*take)(void *context, const struct run *run),
	      void *context);
void runs_end(struct runs *runs);

/* Returns room for @size bytes in a row, at most as many as a run has, or NULL on an error. */
static inline u8 *runs_add(struct runs *runs, struct run_list *list, size_t size)
{
	struct run *run = list->run;

	if (unlikely(!run || size > sizeof(run->bytes) - run->used))
		run = runs_next(runs, list);
	if (unlikely(!run))
		return NULL;
	run->used += (u32)size;
	return run->bytes + run->used - size;
}

/* ---- pages.c ----------------------------------------------------------------------- */

/* Writes pages of the kernel's ring buffer. */

#define PAGE_BYTES 4096u
/* The header of a page: u64 time, u64 count of bytes that follow, with flags for lost records. */
#define PAGE_HEADER 16u
/*
 * The most data that a record can have. Two words precede it, and the page needs eight bytes for a count of lost
 * records.
 */
#define PAGE_RECORD_MAX (PAGE_BYTES - PAGE_HEADER - 8 - 8)

/* A record has this many bits for the time since the record before it. A longer time takes two more words. */
#define PAGE_TIME_BITS 27
/* The type of a record is its length in words up to this. A longer record has one more word for its length. */
#define PAGE_WORDS_MAX 28

/* How far the pages of a CPU are filled. */
struct page_fill {
	u64 count;		/* how many pages have a record */
	u64 time;		/* the time of the last record */
	u32 used;		/* bytes in the last page; 0: the next record begins a page */
};

/* Counts a record of @size bytes, at most PAGE_RECORD_MAX. Returns whether it begins a page. */
static inline bool page_fill_add(struct page_fill *fill, u64 time, size_t size)
{
	u32 words = (u32)(size + 3) / 4;
	/* At most four words precede the data, and a count of lost records may follow it. */
	bool begins = !fill->used || fill->used + 16 + 4 * words + 8 > PAGE_BYTES;

	if (time < fill->time)
		time = fill->time;
	if (begins) {
		fill->count++;
		fill->used = PAGE_HEADER;
		fill->time = time;
	}
	fill->used += ((time - fill->time) >> PAGE_TIME_BITS ? 8 : 0) + (words <= PAGE_WORDS_MAX ? 4 : 8) + 4 * words;
	fill->time = time;
	return begins;
}

/* The page of a CPU that is being written. */
struct pages {
	struct outfile *to;
	struct page_fill fill;
	u8 *page;		/* the page that is being filled, in the buffer of @to */
	u64 lost;		/* how many records were lost before the current page, or the next one */
};

/*
 * Adds a record of @size bytes, at most PAGE_RECORD_MAX. Returns the place for its data; zeros follow up to a multiple
 * of 4.
 */
u8 *pages_record(struct pages *pages, u64 time, size_t size);
/* Notes that @count records were lost before the next one. */
void pages_lost(struct pages *pages, u64 count);
/* Completes the page that is being filled. */
void pages_end(struct pages *pages);

/* ---- draft.c ----------------------------------------------------------------------- */

/*
 * Keeps the records of all CPUs until the end of the log. In the file, all pages of a CPU are in a row, after a header
 * that tells how many there are. So pages are only counted at first, and the records go to a temporary file. There a
 * switch takes 16 bytes instead of the 68 in a page: the thread that leaves a CPU is the one that got it, and mostly a
 * few threads alternate on a CPU.
 */

/* Threads that got the CPU, each in a slot by its number. A slot holds the last thread of several. */
#define DRAFT_SLOTS 256u

struct draft_threads {
	struct switch_thread slots[DRAFT_SLOTS];
	u32 running;		/* the slot of the thread that has the CPU */
};

struct draft_cpu {
	struct run_list runs;
	struct page_fill fill;
	struct draft_threads *threads;	/* NULL until the CPU has a record */
	bool lost;			/* there is a loss after its last record */
};

struct draft {
	struct runs runs;
	struct draft_cpu *cpus;
	u32 cpu_count;		/* how many items @cpus has room for */
	u32 cpu_end;		/* the highest CPU number that has a record, plus one */
};

/* Begins a draft in a temporary file, which is in temporary_beside(@output). Returns 0 or a negative errno. */
int draft_begin(struct draft *draft, const char *output);
/* Keeps a record of a switch. */
void draft_switch(struct draft *draft, u32 cpu, u64 time, const struct switch_fields *fields);
/*
 * Keeps any other record of @size bytes, at most PAGE_RECORD_MAX. Returns the place where the caller puts the record,
 * or NULL on an error, which is in @draft->runs.error.
 */
u8 *draft_record(struct draft *draft, u32 cpu, u64 time, size_t size);
/* Notes that @count records of a CPU were lost before its next one, without which nobody is told of the loss. */
void draft_lost(struct draft *draft, u32 cpu, u64 count);
/* Writes all pages of a CPU. Returns 0, even if the output cannot be written, or a negative errno. */
int draft_write(struct draft *draft, u32 cpu, struct outfile *to);
void draft_free(struct draft *draft);

/* ---- points.c ---------------------------------------------------------------------- */

/*
 * The tracepoints of an export to trace.dat, and their records. These are little-endian, with the layout that the
 * descriptions state.
 */

enum point {
	POINT_SWITCH,
	POINT_WAKEUP,
	POINT_FORK,
	POINT_EXEC,
	POINT_EXIT,
	POINT_RENAME,
	POINT_IRQ_ENTRY,
	POINT_IRQ_EXIT,
	POINT_TRANSFER,
	POINT_EVENT,
	POINT_CALLS,
	POINT_CHANGE,
	POINTS,
};

/* In the order of enum point. */
extern const struct perf_point points[POINTS];

#define COMM 16

struct common {
	u16 number;
	u8 flags, preempt_count;
	u32 pid;
};

struct record_switch {
	struct common common;
	struct switch_fields fields;
} __attribute__((packed));

struct record_wakeup {
	struct common common;
	struct wake_fields fields;
};

struct record_fork {
	struct common common;
	char parent_comm[COMM];
	u32 parent_pid;
	char child_comm[COMM];
	u32 child_pid;
};

/* A u32 locates a text or list in the record: the low half is its offset, the high half its size in bytes. */
struct record_exec {
	struct common common;
	u32 filename, pid, old_pid;
};

struct record_exit {
	struct common common;
	char comm[COMM];
	u32 pid, prio;
};

struct record_rename {
	struct common common;
	u32 pid;
	char oldcomm[COMM], newcomm[COMM];
	u32 oom_score_adj;	/* u16 */
};

struct record_irq_entry {
	struct common common;
	u32 irq, name, device;
};

struct record_irq_exit {
	struct common common;
	u32 irq, ret;
};

struct record_transfer {
	struct common common;
	u32 device, output, bytes, name;
};

struct record_event {
	struct common common;
	u32 about, subject, id, severity, text;
};

struct record_calls {
	struct common common;
	u32 process, functions;
};

struct record_change {
	struct common common;
	u32 type, subject, value, text;
};

/* ---- recorder ---------------------------------------------------------------------- */

/* The data and functions that the files of an export to trace.dat share. */

/* trace-cmd reads at most this many CPUs. Switches of other CPUs are left out and counted. */
#define RECORDER_CPUS 8192u
/* Memory for threads is bounded. Further threads have their names in records only, and not in the list of names. */
#define RECORDER_TASKS (1u << 20)

/* A thread that the log has named or assigned. */
struct task {
	struct node node;
	u32 cpu;		/* the CPU that it had last */
	char name[COMM];
};

struct recorder {
	struct draft draft;
	struct switches *switches;
	struct table tasks;
	u32 *running;		/* the thread that each CPU runs */
	u32 home;		/* the CPU that was assigned last */
	u64 left_out;
};

/* ---- tasks.c ---------------------------------------------------------------------- */

/* Returns a thread, or NULL if it is not in the table. */
struct task *recorder_task(const struct recorder *recorder, u32 thread);
/* Sets the name of a thread, which is added if it is new. Returns the thread, or NULL if there is no memory. */
struct task *recorder_name(struct recorder *recorder, u32 thread, const char *name, size_t length);
/* Copies a name, cut after a whole character, and fills the rest with zeros. */
void recorder_comm(char *comm, const char *name, size_t length);
/* Prints a line with number and name of each thread. Returns 0 or -ENOMEM. */
int recorder_print_tasks(const struct recorder *recorder, FILE *to);

/* ---- records.c -------------------------------------------------------------------- */

void recorder_put_switch(void *context, const struct switches_place *place, const struct switch_fields *fields);
/* Writes the record of an entry that is no assignment. switches_state() has to be the state before the entry. */
void recorder_put_entry(struct recorder *recorder, const struct bcos_entry *entry);

#endif
