/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The model is the log as the page shows it: the process of each CPU at each time,
 * the processes and devices, and the events. The model takes all of this from the
 * library's account and decoder, and computes nothing of it by itself.
 */
#ifndef EXPLORER_MODEL_H
#define EXPLORER_MODEL_H

#include "bcoslog_account.h"
#include "list.h"
#include "account/report.h"
#include "reader.h"

/* The use of a CPU that executes no process, in place of the number of a process. */
#define WHO_IDLE	0xFFFFFFFFu
#define WHO_UNKNOWN	0xFFFFFFFEu
#define WHO_OFFLINE	0xFFFFFFFDu
#define WHO_NONE	0xFFFFFFFCu	/* no process; all numbers of processes are lower */

/* The use of a CPU from @begin on, until the next stretch begins. */
struct stretch {
	u64 begin;
	u32 who;		/* number of a process, or WHO_* */
	u32 reserved;
};

struct cpu_item {
	u32 id, core;
	u64 end;		/* end of the last stretch */
	struct list stretches;
};

/* A process, from the birth to the end of one owner of its ID. */
struct process_item {
	u64 start, end;		/* ns since boot; @start may be before the log */
	u64 time, turns;	/* CPU time and number of assignments in the whole log */
	u64 events, calls;
	struct bcoslog_work work;
	const char *name;	/* the newest name, which no zero byte terminates */
	u32 length;
	u32 id;
	u32 former;		/* the newest former name: its index in model.names plus 1; 0 if there is none */
	u32 precision;		/* precision of @start */
	u32 status;
	bool born, ended, vanished, at_least;
};

struct device_item {
	struct bcoslog_account_device told;	/* a copy of the account's structure; its pointer @name is not valid */
	struct bcoslog_latency latency;
	u64 events;
	const char *name;	/* the newest name, which no zero byte terminates */
	u32 length;
	u32 former;		/* the newest former name, as in struct process_item */
	u32 driver;		/* number of the process that is the driver; WHO_NONE for the kernel, or if unknown */
	bool gone;
};

/* A former name of a process or device. */
struct former_name {
	const char *name;
	u32 length;
	u32 before;		/* the former name before this one, as in struct process_item */
};

enum event_kind {
	EVENT_BIRTH,
	EVENT_RENAME,		/* text: the new name */
	EVENT_END,		/* value: termination status */
	EVENT_GENERIC,		/* value: event ID */
	EVENT_CALLS,		/* value: number of system calls */
	EVENT_LOSS,
	EVENT_MISSED,
	EVENT_CPU_ON,
	EVENT_CPU_OFF,
};

/* An event that the page shows as a marker. */
struct event {
	u64 time;
	u32 precision;
	u32 value;		/* depends on @kind */
	u32 id;			/* ID of the process, core, CPU or device in the log */
	u32 item;		/* number of the process or device; WHO_NONE if there is none */
	const char *text;
	u16 length;
	u16 type;		/* type of the entry */
	u8 kind, severity;
};

/* A transfer or an interrupt of a device. */
struct traffic {
	u64 time;
	u32 device;
	u32 bytes;
};

struct model {
	struct reader *reader;
	struct bcoslog_account *account;
	struct bcoslog_clock *clock;	/* what the wall clock showed */
	struct list processes, devices, cpus, names;
	struct list events, inputs, outputs, interrupts;
	u64 begin, end;			/* begin and end of the log */
	u64 entries;
	bool power_known;		/* the power of some core is known at some time */
	u64 left_out;			/* number of items that the model lacks because there was no memory */
	struct cpu_item *last_cpu;	/* the CPU that item_of_cpu() found last */
};

extern struct model model;

/* ---- items.c ---------------------------------------------------------------------- */

/* Find or add the item of a process or device.  Return: its number; WHO_NONE if @process is NULL, or without memory. */
u32 item_of_process(const struct bcoslog_account_process *process);
u32 item_of_device(const struct bcoslog_account_device *device);
/* Set the newest name of a process or device, and keep the name before it as a former one. */
void item_renamed(bool device, u32 item, const char *name, size_t length);
/* Find or add the item of a CPU.  Return: NULL if there is no memory. */
struct cpu_item *item_of_cpu(u32 id, u32 core);
/* Make a copy of a text that is never freed.  Return: the copy; NULL if there is no memory. */
const char *keep_text(const char *text, size_t length);
/* Complete the item of a process or device that has ended; callbacks of the account. */
void process_ended(void *context, const struct bcoslog_account_process *process);
void device_ended(void *context, const struct bcoslog_account_device *device);
/* Bring the items of living processes and existing devices up to date, after the account has settled. */
void items_settled(void);

static inline struct process_item *process_at(u32 number)
{
	return list_at(&model.processes, number);
}

static inline struct device_item *device_at(u32 number)
{
	return list_at(&model.devices, number);
}

static inline struct cpu_item *cpu_at(u32 number)
{
	return list_at(&model.cpus, number);
}

/* ---- course.c: callbacks of the account -------------------------------------------- */

void course_interval(void *context, const struct bcoslog_interval *interval);
void course_segment(void *context, const struct bcoslog_segment *segment);
void course_transfer(void *context, const struct bcoslog_account_device *device, bool output, u64 time, u32 bytes);
void course_interrupt(void *context, const struct bcoslog_account_device *device, u64 time);
/* Add the intervals that have not ended, up to the last entry, after the account has settled. */
void course_pause(void);

/* ---- events.c ---------------------------------------------------------------------- */

/*
 * Add the event that a normal entry states, after the account has applied the entry. @item is the number of the entry's
 * process or device. @known is true if this process or device existed before the entry.
 */
void event_entry(const struct bcos_entry *entry, bool known, u32 item);

/* load.c: announces the losses that the log states later than they begin, so far.  Return: 0 or -ENOMEM. */
int late_announce(struct bcoslog_account *account);

#endif
