/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The model: which processes, cores, CPUs and devices exist, and what each CPU
 * runs, exactly as of the entry last written.  Only the log writer touches it.
 */
#ifndef BCOS_CORE_MODEL_H
#define BCOS_CORE_MODEL_H

#include "raw.h"

#define BCOS_NAME_MAX		48	/* 15 bytes of comm, each replaced by U+FFFD, and some */
#define BCOS_DEVICE_NAME_MAX	96

/* A link of the list of processes: see struct bcos_model. */
struct bcos_link {
	struct bcos_link *previous, *next;
};

struct bcos_process {
	/* What a switch needs, in one cache line. */
	struct bcos_link recent;	/* first: a link is its process */
	struct bcos_process *same_hash;
	u64 ready;			/* offset of a group: since then it was named, and was born or has run; ~0: none */
	u32 id;
	u32 cpus;			/* CPUs that the log shows it on */

	u64 stated;			/* offset at which the log last named it, plus 1; 0 never */
	u64 start;			/* ns since boot */
	u64 named;			/* time of the newest name, ns since boot */
	u64 user_signals;		/* bit n-1: signal n last came from user space */
	u32 precision;			/* of start */
	u32 tag;
	u32 status;			/* as wait(2) gives it, from EXIT */
	u32 walk;			/* number of the walk that saw it last */
	bool hidden;			/* a user-mode helper before its exec: written as the kernel */
	bool exited;			/* status is valid */
	u8 name_length;
	char name[BCOS_NAME_MAX];
};

struct bcos_device {
	struct bcos_device *next;	/* all of them, by ID */
	struct bcos_device *same_hash;	/* by key */
	u64 start;
	u64 stated;
	u32 precision;
	u32 id;
	u32 driver;
	u32 key;			/* as records name it; 0: they do not */
	u32 requests;			/* classes that are recorded of it whatever the mask says */
	u8 link;			/* of a network device: 1 up, 0 down, or not known */
	u8 name_length;
	char name[BCOS_DEVICE_NAME_MAX];
	char buses[BCOS_RAW_DEVICE_TEXT];	/* what it hangs on: each ends with a zero, the last with two */
};

#define BCOS_DEVICE_BUCKETS 64

/* No device has this ID: the end of a range. */
#define BCOS_NO_DEVICE 0xFFFFFFFFu

/* An action on an interrupt line, of a device: one that is there, or one of its own that is named after the action. */
struct bcos_line {
	struct bcos_line *same_hash;	/* by line */
	struct bcos_device *device;
	u32 line;
	u32 number;			/* among the device's lines (5.17.1) */
	u16 tag;			/* of the action */
	bool own;			/* the device is the line */
	u8 name_length;
	char name[BCOS_DEVICE_NAME_MAX];
	char bus[BCOS_RAW_IRQ_BUS];	/* what its interrupt is a message of, or empty */
};

#define BCOS_LINE_BUCKETS 64

struct bcos_core {
	struct bcos_core *next;
	u64 start;
	u32 precision;
	u32 id;
	u32 online;			/* CPUs of it that are */
	u32 present;			/* most CPUs of it that ever were: entries of the table */
	struct bcos_estimate estimate;
	u32 estimated;			/* number of the round that looked at it last */
	u32 least_khz, most_khz;	/* limits of its frequency, as was last said; 0: nothing was */
};

struct bcos_cpu {
	bool online;
	bool assigned;			/* process, assigned_at are valid */
	struct bcos_core *core;
	u64 start;
	u64 assigned_at;
	u32 precision;
	u32 assigned_precision;
	u32 process;			/* as the log shows */
	u32 actual;			/* as the records said: differs for hidden and unknown ones */
	struct bcos_process *holder;	/* of @process; NULL for idle */
	u64 idle_since;			/* ns since boot; 0: it is awake */
	u32 idle_state;
	u32 interrupted_by;		/* device of the newest interrupt, BCOS_NO_DEVICE: none since it became idle */
	u32 least_khz, most_khz;	/* limits of its frequency; 0: not known */
};

struct bcos_model {
	const struct bcos_host *host;
	void *context;
	struct bcos_process **processes;	/* hash by ID */
	u32 process_buckets;			/* a power of two */
	u32 process_count;			/* hidden ones included */
	u32 named_processes;			/* hidden ones not */
	struct bcos_link recent;		/* those that ran since the newest group, then those since the one before ... */
	struct bcos_process *spare;		/* by same_hash: memory of the dead for those to come */
	u32 spares, spare_limit;
	struct bcos_device *devices;		/* by ID */
	struct bcos_device *keys[BCOS_DEVICE_BUCKETS];	/* hash by key */
	struct bcos_line *lines[BCOS_LINE_BUCKETS];	/* hash by interrupt line */
	u32 device_count;
	u32 driven_count;			/* of them, those whose driver is not the kernel */
	struct bcos_core *cores;		/* by ID */
	u32 core_count;
	struct bcos_cpu *cpus;			/* and behind them one that is never there, for what is of no CPU */
	u32 cpu_limit;				/* CPU IDs are below */
	u32 cpus_online;
	u32 estimates;				/* rounds of looking at cores */
	u64 process_bytes, device_bytes, core_bytes;	/* of their historical entries */
	u64 memory;				/* bytes allocated */
};

/**
 * bcos_model_init() - an empty model
 * @model: zeroed
 * @host: where memory comes from
 * @context: for @host
 * @cpu_limit: CPU IDs are below this
 *
 * Return: 0 or -ENOMEM (then nothing is left allocated).
 */
int bcos_model_init(struct bcos_model *model, const struct bcos_host *host, void *context, u32 cpu_limit);
void bcos_model_destroy(struct bcos_model *model);

/* The host's memory, counted.  NULL is ignored by the second. */
void *bcos_model_alloc(struct bcos_model *model, size_t size);
void bcos_model_free(struct bcos_model *model, void *memory, size_t size);

static __always_inline u32 bcos_model_bucket(const struct bcos_model *model, u32 id)
{
	return (id * 0x9E3779B1u >> 7) & (model->process_buckets - 1);
}

static __always_inline struct bcos_process *bcos_model_process(const struct bcos_model *model, u32 id)
{
	struct bcos_process *process = model->processes[bcos_model_bucket(model, id)];

	while (process && process->id != id)
		process = process->same_hash;
	return process;
}

/* NULL: no memory.  The caller knows that there is none of this ID. */
struct bcos_process *bcos_model_add_process(struct bcos_model *model, u32 id, bool hidden,
					    const char *name, size_t length);
void bcos_model_remove_process(struct bcos_model *model, struct bcos_process *process);
/* Cleans the name (section 4 of the design: at most 15 bytes, valid, never empty). */
void bcos_model_rename_process(struct bcos_model *model, struct bcos_process *process,
			       const char *name, size_t length);
/* Cleaned, is it what the process is called? */
bool bcos_model_process_has_name(const struct bcos_process *process, const char *name, size_t length);
/* It runs for the first time since the newest group: once for each, so that a switch need not touch its neighbours. */
void bcos_model_ran(struct bcos_model *model, struct bcos_process *process);
/* A hidden process becomes one that the log names. */
void bcos_model_reveal(struct bcos_model *model, struct bcos_process *process);

/* What the CPU runs from now on, as the log shows it: process @id; NULL is idle. */
static __always_inline void bcos_model_hold(struct bcos_cpu *cpu, struct bcos_process *process, u32 id, u64 time,
					    u32 precision)
{
	if (cpu->holder)
		cpu->holder->cpus--;
	if (process)
		process->cpus++;
	cpu->holder = process;
	cpu->process = id;
	cpu->assigned_at = time;
	cpu->assigned_precision = precision;
}

static __always_inline struct bcos_line *bcos_model_line(const struct bcos_model *model, u32 number, u16 tag)
{
	struct bcos_line *line = model->lines[number % BCOS_LINE_BUCKETS];

	while (line && (line->line != number || line->tag != tag))
		line = line->same_hash;
	return line;
}

/* One that no device has yet.  NULL: no memory. */
struct bcos_line *bcos_model_add_line(struct bcos_model *model, u32 number, u16 tag, const char *name, size_t length);
void bcos_model_remove_line(struct bcos_model *model, struct bcos_line *line);

/* Gives it the lowest free ID at or above @range; @key 0: records do not name it.  NULL: no memory, or no ID left. */
struct bcos_device *bcos_model_add_device(struct bcos_model *model, u32 range, u32 key, const char *name,
					  size_t length);
void bcos_model_rename_device(struct bcos_model *model, struct bcos_device *device, const char *name, size_t length);
/* Cleaned, is it what the device is called? */
bool bcos_model_device_has_name(const struct bcos_device *device, const char *name, size_t length);
void bcos_model_set_driver(struct bcos_model *model, struct bcos_device *device, u32 driver);
/* And the lines that it has. */
void bcos_model_remove_device(struct bcos_model *model, struct bcos_device *device);
struct bcos_device *bcos_model_device(const struct bcos_model *model, u32 id);
struct bcos_device *bcos_model_device_of(const struct bcos_model *model, u32 key);

/**
 * bcos_model_owner() - the device that an interrupt line is of
 * @model: the model
 * @line: named
 *
 * The one that hangs on what the interrupt is a message of, or whose name, or the name of what it hangs on, the
 * action's begins with; of several the lowest ID.
 *
 * Return: NULL if there is none.
 */
struct bcos_device *bcos_model_owner(const struct bcos_model *model, const struct bcos_line *line);

/* Makes @line the device's, under the lowest free number. */
void bcos_model_give_line(struct bcos_model *model, struct bcos_line *line, struct bcos_device *device);

/* Finds or adds.  NULL: no memory. */
struct bcos_core *bcos_model_core(struct bcos_model *model, u32 id);

/* Bytes that a complete group would take now. */
u64 bcos_model_group_bytes(const struct bcos_model *model);

#endif
