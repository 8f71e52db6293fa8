/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log as the page shows it, kept in memory: which process had each CPU at
 * which time, which processes lived, and which events there were. All of it
 * comes from the library's account and decoder; nothing here calculates by
 * itself what they know.
 */
#ifndef EXPLORER_MODEL_H
#define EXPLORER_MODEL_H

#include "bcoslog_account.h"
#include "list.h"
#include "reader.h"

/* The use of a CPU, if no process has it. */
#define WHO_IDLE	0xFFFFFFFFu
#define WHO_UNKNOWN	0xFFFFFFFEu
#define WHO_OFFLINE	0xFFFFFFFDu
#define WHO_NONE	0xFFFFFFFCu	/* this and above is no process */

/* From @begin on, until the next one. */
struct stretch {
	u64 begin;
	u32 who;		/* number of a process, or WHO_* */
	u32 reserved;
};

struct cpu_item {
	u32 id, core;
	u64 end;		/* of the last stretch */
	struct list stretches;
};

/* An incarnation. */
struct process_item {
	u64 start, end;		/* as the log says it: start may lie before the log */
	u64 time, turns;	/* on CPUs, in the whole log */
	u64 events, calls;
	struct bcoslog_work work;
	const char *name;	/* the newest, not zero terminated */
	u32 length;
	u32 id;
	u32 former;		/* the newest of its former names: a number in model.names, from 1 on */
	u32 precision;		/* of start */
	u32 status;
	bool born, ended, vanished, at_least;
};

struct device_item {
	struct bcoslog_account_device told;	/* the newest that the account told; its name is below */
	struct bcoslog_latency latency;
	u64 events;
	const char *name;
	u32 length;
	u32 former;		/* as of a process */
	u32 driver;		/* number of its process, WHO_NONE: the kernel, or unknown */
	bool gone;
};

/* A name that a process or device had. */
struct former_name {
	const char *name;
	u32 length;
	u32 before;		/* the one that it had before, as the items have it */
};

enum event_kind {
	EVENT_BIRTH,
	EVENT_RENAME,		/* text: the new name */
	EVENT_END,		/* value: termination status */
	EVENT_GENERIC,		/* value: event ID */
	EVENT_CALLS,		/* value: how many functions */
	EVENT_LOSS,
	EVENT_MISSED,
	EVENT_CPU_ON,
	EVENT_CPU_OFF,
};

/* An event that is shown as a marker. */
struct event {
	u64 time;
	u32 precision;
	u32 value;
	u32 id;			/* of the subject, as the log has it */
	u32 item;		/* number of the process or device, WHO_NONE: it has none */
	const char *text;
	u16 length;
	u16 type;		/* of the entry */
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
	struct bcoslog_state *state;	/* for the wall clock */
	struct list processes, devices, cpus, names;
	struct list events, inputs, outputs, interrupts;
	u64 begin, end;			/* of the log */
	u64 entries;
	bool power_known;		/* of a core, some time */
	u64 left_out;			/* entries that there was no memory to show */
	struct cpu_item *last_cpu;
};

extern struct model model;

/* ---- items.c ---------------------------------------------------------------------- */

/* Its number, WHO_NONE if there is no memory. */
u32 item_of_process(const struct bcoslog_account_process *process);
u32 item_of_device(const struct bcoslog_account_device *device);
/* A process or device has this name from now on. */
void item_renamed(bool device, u32 item, const char *name, size_t length);
struct cpu_item *item_of_cpu(u32 id, u32 core);
/* Text that stays.  Return: NULL if there is no memory. */
const char *keep_text(const char *text, size_t length);
void process_ended(void *context, const struct bcoslog_account_process *process);
void device_ended(void *context, const struct bcoslog_account_device *device);
/* After the account has settled: the figures of the living. */
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

/* ---- course.c: what the account tells of time -------------------------------------- */

void course_interval(void *context, const struct bcoslog_interval *interval);
void course_segment(void *context, const struct bcoslog_segment *segment);
void course_transfer(void *context, const struct bcoslog_account_device *device, bool output, u64 time, u32 bytes);
void course_interrupt(void *context, const struct bcoslog_account_device *device, u64 time);
/* After the account has settled: the intervals that go on, as far as they are known. */
void course_pause(void);

/* ---- events.c ---------------------------------------------------------------------- */

/* After the account got it.  @known: of a name: its process or device was there before. */
void event_entry(const struct bcos_entry *entry, bool known, u32 item);

#endif
