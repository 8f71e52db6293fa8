/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The model: which processes, cores, CPUs and devices exist, and what each CPU
 * runs, exactly as of the entry last written.  Only the log writer touches it.
 */
#ifndef BCOS_CORE_MODEL_H
#define BCOS_CORE_MODEL_H

#include "index.h"
#include "raw.h"

#define BCOS_NAME_MAX		48	/* 15 bytes of comm, each replaced by U+FFFD, and some */
#define BCOS_DEVICE_NAME_MAX	96

/* A link of the list of processes: see struct bcos_model. */
struct bcos_link {
	struct bcos_link *previous, *next;
};

/* Who sent a signal that its process may die of. */
struct bcos_sender {
	u32 number;			/* of the signal; 0: nobody is known */
	s32 code;			/* as siginfo has it */
	u32 id;				/* BCOS_PROCESS_KERNEL: the kernel itself */
	u32 user;
	u8 name_length;			/* 0: not known */
	char name[BCOS_NAME_MAX];	/* as it was then */
};

/* Of so many signals: those that came last. */
#define BCOS_SENDERS 8

struct bcos_senders {
	u32 next;			/* counts those that were put in */
	struct bcos_sender sender[BCOS_SENDERS];
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
	struct bcos_senders *senders;	/* NULL: none is known */
	u32 precision;			/* of start */
	u32 tag;
	u32 status;			/* as wait(2) gives it, from EXIT */
	u32 walk;			/* number of the walk that saw it last */
	struct bcos_device *devices;	/* that it is the driver of */
	u32 parent;			/* of a hidden one, to be told when it is named; BCOS_PROCESS_NONE: not */
	bool hidden;			/* a user-mode helper before its exec: written as the kernel */
	bool exited;			/* status is valid */
	u8 name_length;
	char name[BCOS_NAME_MAX];
};

struct bcos_device {
	/* What a transfer needs, in one cache line. */
	struct bcos_item item;		/* first; its key is as records name it; 0: they do not */
	u64 stated;
	u32 id;
	u32 requests;			/* classes that are recorded of it whatever the mask says */
	u32 driver;
	u32 precision;
	u64 start;
	struct bcos_device *driven, **driven_at;	/* the next one of the same driver, and what points here */

	struct bcos_device *hung;	/* the next one that hangs on something */
	struct bcos_line *lines;	/* by number */
	char *buses;			/* what it hangs on: each ends with a zero, the last with two; NULL: nothing */
	u16 bus_bytes;			/* of @buses */
	bool elsewhere;			/* in another network namespace than the recorder */
	u8 link;			/* of a network device: 1 up, 0 down, or not known */
	u8 name_length;
	char name[BCOS_DEVICE_NAME_MAX];
};

/* No device has this ID: the end of a range. */
#define BCOS_NO_DEVICE 0xFFFFFFFFu

/* The IDs of a range (section 4.2 of the specification), from the lowest on. */
struct bcos_device_ids {
	struct bcos_device_slot {
		struct bcos_device *device;	/* NULL: the ID is free */
		u32 free;		/* number of the next free one, plus 1; 0: there is none */
	} *slot;
	u32 size;			/* slots that there are */
	u32 used;			/* of them, those that ever were taken */
	u32 free;			/* as in a slot */
};

#define BCOS_DEVICE_RANGES 4

/* An action on an interrupt line, of a device: one that is there, or one of its own that is named after the action. */
struct bcos_line {
	struct bcos_item item;		/* first; its key is the line */
	struct bcos_device *device;
	struct bcos_line *sibling;	/* the device's next one */
	struct bcos_line *next_own, **own_at;	/* of those that have a device of their own: the next, and what points here */
	u32 number;			/* among the device's lines (5.17.1) */
	u16 tag;			/* of the action */
	bool own;			/* the device is the line */
	u8 name_length;
	char name[BCOS_DEVICE_NAME_MAX];
	char bus[BCOS_RAW_IRQ_BUS];	/* what its interrupt is a message of, or empty */
};

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
	u64 start;			/* when it came; of one that is offline, when it went */
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
	struct bcos_device_ids ids[BCOS_DEVICE_RANGES];
	struct bcos_index keys;			/* devices by key */
	struct bcos_index lines;		/* interrupt lines */
	struct bcos_device *hung;		/* devices that hang on something, by ID: only they have lines of others */
	struct bcos_line *own_lines;		/* those that have a device of their own */
	u32 device_count;
	u32 elsewhere_count;			/* of them, those in other network namespaces */
	u32 driven_count;			/* of them, those whose driver is not the kernel */
	u32 requests[2];			/* of them, those of which BCOS_CLASS_IO and BCOS_CLASS_IRQ are asked for */
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

/* The actions on an interrupt line, one after another; each may be removed before the next is asked for. */
static __always_inline struct bcos_line *bcos_model_line_first(const struct bcos_model *model, u32 number)
{
	return (struct bcos_line *)bcos_index_find(&model->lines, number);
}

static __always_inline struct bcos_line *bcos_model_line_next(const struct bcos_line *line)
{
	struct bcos_item *item = line->item.next;

	while (item && item->key != line->item.key)
		item = item->next;
	return (struct bcos_line *)item;
}

static __always_inline struct bcos_line *bcos_model_line(const struct bcos_model *model, u32 number, u16 tag)
{
	struct bcos_line *line = bcos_model_line_first(model, number);

	while (line && line->tag != tag)
		line = bcos_model_line_next(line);
	return line;
}

/* One that no device has yet.  NULL: no memory. */
struct bcos_line *bcos_model_add_line(struct bcos_model *model, u32 number, u16 tag, const char *name, size_t length);
void bcos_model_remove_line(struct bcos_model *model, struct bcos_line *line);

/*
 * Gives it an ID of the range of @range that is free: the one that was given back last, else the lowest that never was
 * taken; @key 0: records do not name it.  NULL: no memory, or no ID left.
 */
struct bcos_device *bcos_model_add_device(struct bcos_model *model, u32 range, u64 key, const char *name,
					  size_t length);
void bcos_model_rename_device(struct bcos_model *model, struct bcos_device *device, const char *name, size_t length);
/* Cleaned, is it what the device is called? */
bool bcos_model_device_has_name(const struct bcos_device *device, const char *name, size_t length);
/* What a device that has just been added hangs on: names, each with a zero byte behind it.  Return: false: no memory. */
bool bcos_model_hang(struct bcos_model *model, struct bcos_device *device, const char *buses, size_t bytes);
void bcos_model_set_driver(struct bcos_model *model, struct bcos_device *device, u32 driver);
/* Classes that are recorded of it whatever the mask says, from now on. */
void bcos_model_set_requests(struct bcos_model *model, struct bcos_device *device, u32 classes);
/* And the lines that it has. */
void bcos_model_remove_device(struct bcos_model *model, struct bcos_device *device);

static __always_inline struct bcos_device *bcos_model_device(const struct bcos_model *model, u32 id)
{
	const struct bcos_device_ids *ids = &model->ids[id >> 30];
	u32 number = id & ~0xC0000000u;

	return number < ids->used ? ids->slot[number].device : NULL;
}

/* @key is not 0. */
static __always_inline struct bcos_device *bcos_model_device_of(const struct bcos_model *model, u64 key)
{
	return (struct bcos_device *)bcos_index_find(&model->keys, key);
}

/* By ID: the first device if @device is NULL, else the one behind it.  NULL: there is none. */
struct bcos_device *bcos_model_next_device(const struct bcos_model *model, const struct bcos_device *device);

/* Is the interrupt line this device's, by what it is called and what it hangs on? */
bool bcos_model_is_owner(const struct bcos_device *device, const struct bcos_line *line);

/**
 * bcos_model_owner() - the device that an interrupt line is of
 * @model: the model
 * @line: named
 *
 * The one that hangs on what the interrupt is a message of, or hangs on something and the action's name begins with
 * its name or that of what it hangs on; of several the lowest ID.  What hangs on nothing has no interrupts: anybody may
 * call an interface of his own after somebody else's.
 *
 * Return: NULL if there is none.
 */
struct bcos_device *bcos_model_owner(const struct bcos_model *model, const struct bcos_line *line);

/* Makes @line the device's, under the lowest free number; @own: the device is the line. */
void bcos_model_give_line(struct bcos_model *model, struct bcos_line *line, struct bcos_device *device, bool own);

/* Finds or adds.  NULL: no memory. */
struct bcos_core *bcos_model_core(struct bcos_model *model, u32 id);

/* Bytes that a complete group would take now. */
u64 bcos_model_group_bytes(const struct bcos_model *model);

#endif
