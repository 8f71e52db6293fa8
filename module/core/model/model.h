/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The model knows which processes, cores, CPUs and devices exist, and what each CPU runs, exactly
 * as of the newest entry. Only the log writer uses it.
 */
#ifndef BCOS_CORE_MODEL_H
#define BCOS_CORE_MODEL_H

#include "core/format/who_text.h"
#include "core/raw/raw.h"
#include "index.h"

/* A link in the list of processes: see struct bcos_model. */
struct bcos_link {
	struct bcos_link *previous, *next;
};

/* The model remembers the senders of the newest signals of a process, up to this many. */
#define BCOS_SENDERS 8

struct bcos_senders {
	u32 next;			/* number of senders entered so far */
	struct bcos_sender sender[BCOS_SENDERS];
};

/* A control group that processes are in. */
struct bcos_cgroup {
	struct bcos_cgroup *next;	/* of the same hash */
	u32 hash;
	u32 members;			/* processes of the model, at least 1 */
	u16 flags;			/* BCOS_RAW_CGROUP_* */
	u16 length;			/* bytes of @path, at most BCOS_RAW_PATH_MAX */
	u16 bytes;			/* the most of an event that tells a process's group */
	char path[];
};

struct bcos_process {
	/* A switch needs only the fields from here to @cpus, so they share a cache line. */
	struct bcos_link recent;
	struct bcos_process *same_hash;
	/*
	 * The offset of a group since which the process was named, and was born or ran; ~0: none.
	 */
	u64 ready;
	u32 id;
	u32 cpus;			/* number of CPUs that are assigned to the process */

	/* The offset, plus 1, of the entry that last named the process; 0: never named. */
	u64 stated;
	u64 start;			/* ns since boot */
	u64 named;			/* time of the newest name, ns since boot */
	u64 user_signals;		/* bit n-1: signal n last came from user space */
	struct bcos_senders *senders;	/* NULL: none known */
	struct bcos_cgroup *cgroup;	/* NULL: unknown */
	/* The host read @cgroup at some time until this, ns since boot; 0: a record told it. */
	u64 cgroup_until;
	u32 precision;			/* of start, ns */
	u32 tag;
	u32 status;			/* as wait(2) reports it, from EXIT or DEAD */
	u32 walk;			/* number of the walk that saw it last */
	struct bcos_device *devices;	/* the devices that it drives */
	/*
	 * The parent of a hidden process, which is stated when the process gets its name; or
	 * BCOS_PROCESS_NONE.
	 */
	u32 parent;
	/*
	 * The process is a user-mode helper before its exec, and the log shows the kernel in its
	 * place.
	 */
	bool hidden;
	bool exited;			/* status is valid */
	bool dying;			/* a walk saw it dying */
	u8 bytes;			/* of its historical entry */
	u8 name_length;
	char name[BCOS_NAME_MAX];
};

/* Returns the process that @link, which is no list head, belongs to. */
static inline struct bcos_process *bcos_process_of(struct bcos_link *link)
{
	return container_of(link, struct bcos_process, recent);
}

struct bcos_space;

struct bcos_device {
	/*
	 * A transfer needs only the fields down to @driven_at, so they share a cache line. @item
	 * must be first. Records name the device by its key; the key is 0 if none does.
	 */
	struct bcos_item item;
	u64 stated;
	u32 id;
	u32 requests;			/* classes that are recorded whatever the mask says */
	u32 driver;
	u32 precision;
	u64 start;
	/* Next device of the same driver, and the pointer to this one. */
	struct bcos_device *driven, **driven_at;

	struct bcos_device *hung;	/* next device that has ancestors, in order of IDs */
	struct bcos_line *lines;	/* its interrupt lines, by number */
	/*
	 * Names of the ancestors. Each ends with a zero byte, and the last one with two. NULL: no
	 * ancestors.
	 */
	char *buses;
	u16 bus_bytes;			/* bytes of @buses */
	u32 walk;			/* number of the last walk that saw it */
	u64 named;			/* time of the newest name, ns since boot */
	struct bcos_space *space;	/* network namespace; NULL: the recorder's, or none */
	u8 link;			/* of a network device: 1 up, 0 down or unknown */
	u8 name_length;
	char name[BCOS_DEVICE_NAME_MAX];
};

/* No device gets this ID, which is the last one of the last range. */
#define BCOS_NO_DEVICE 0xFFFFFFFFu

/* The IDs of a range (4.3.4), from the lowest on. */
struct bcos_device_ids {
	struct bcos_device_slot {
		struct bcos_device *device;	/* NULL: the ID is free */
		u32 free;		/* number of the next free slot, plus 1; 0: none */
	} *slot;
	u32 size;			/* slots allocated */
	u32 used;			/* slots that were ever taken */
	u32 free;			/* number of the first free slot, plus 1; 0: none */
};

#define BCOS_DEVICE_RANGES 4

/*
 * An action on an interrupt line. Its device was announced, or exists only for lines and is named
 * after the action of the first one.
 */
struct bcos_line {
	struct bcos_item item;		/* must be first; its key is the line's number */
	struct bcos_device *device;
	struct bcos_line *sibling;	/* next line of the same device */
	/* Next line that has a device of its own, and the pointer to this one. */
	struct bcos_line *next_own, **own_at;
	u32 number;			/* among the device's lines (5.17.1) */
	u16 tag;			/* of the action */
	bool own;			/* the device exists only for its lines */
	u8 name_length;
	char name[BCOS_DEVICE_NAME_MAX];
	/* Bus name of the device that sends the interrupt, or empty. */
	char bus[BCOS_RAW_IRQ_BUS];
};

struct bcos_core {
	struct bcos_core *next;
	u64 start;
	u32 precision;
	u32 id;
	u32 online;			/* number of online CPUs */
	u32 present;			/* maximum of @online ever: size of the performance table */
	struct bcos_estimate estimate;
	u32 estimated;			/* number of the round that last looked at the core */
	u32 least_khz, most_khz;	/* frequency limits as last stated; 0: never */
};

struct bcos_cpu {
	bool online;
	bool assigned;			/* @process and @assigned_at are valid */
	u32 number;
	struct bcos_core *core;
	u64 start;			/* when it came online; if it is offline, when it went */
	u64 assigned_at;
	u32 precision;
	u32 assigned_precision;
	u32 process;			/* as the log shows it */
	/* The process by the records. It differs from @process if that is hidden or unknown. */
	u32 actual;
	struct bcos_process *holder;	/* the process in @process; NULL for idle */
	u64 idle_since;			/* ns since boot; 0: not idle */
	u32 idle_state;
	/* Device of the newest interrupt since it became idle, or BCOS_NO_DEVICE. */
	u32 interrupted_by;
	u32 least_khz, most_khz;	/* frequency limits; 0: unknown */
};

struct bcos_thread;

/* The threads that have a name of their own, in the order in which the log learned of them. */
struct bcos_threads {
	struct bcos_index index;	/* by ID; no buckets: not yet used */
	struct bcos_thread *oldest, *newest;
	u32 found;			/* threads that the newest walk left */
	bool left_out;			/* the newest group has not stated all names */
};

#define BCOS_CGROUP_BUCKETS 256

struct bcos_model {
	struct bcos_heap heap;			/* where memory comes from */
	struct bcos_process **processes;	/* hash table by ID */
	struct bcos_process *kernel;		/* never removed while the log is in use */
	u32 process_mask;			/* number of buckets, a power of two, - 1 */
	u32 process_count;			/* with hidden ones */
	u32 named_processes;			/* without hidden ones */
	/* All processes: first those that ran since the newest group, then the others by age. */
	struct bcos_link recent;
	/* Memory of dead processes, for new ones. same_hash links the list. */
	struct bcos_process *spare;
	u32 spares, spare_limit;
	struct bcos_device_ids ids[BCOS_DEVICE_RANGES];
	struct bcos_cgroup **cgroups;		/* by hash; NULL: none yet */
	struct bcos_index keys;			/* devices by key */
	struct bcos_index lines;		/* lines by number */
	struct bcos_index spaces;		/* other network namespaces by number */
	struct bcos_threads threads;		/* thread.h */
	/* Devices that have ancestors, by ID; only these can own interrupt lines. */
	struct bcos_device *hung;
	struct bcos_line *own_lines;		/* lines that have a device of their own */
	u32 device_count;
	u64 changes;		/* of devices, their lines and their requests, so far */
	u32 elsewhere_count;			/* devices in other network namespaces */
	u32 driven_count;			/* devices whose driver is not the kernel */
	/* Devices with a request for BCOS_CLASS_IO, and for BCOS_CLASS_IRQ. */
	u32 requests[2];
	struct bcos_core *cores;		/* by ID */
	u32 core_count;
	/* There are cpu_limit CPUs, then one that is never online, for records of no CPU. */
	struct bcos_cpu *cpus;
	u32 cpu_limit;				/* all CPU IDs are below this */
	u32 cpus_online;
	u32 estimates;				/* rounds of looking at all cores */
	u64 process_bytes, device_bytes, core_bytes;	/* sizes of the historical entries */
};

static inline u32 bcos_model_buckets(const struct bcos_model *model)
{
	return model->process_mask + 1;
}

/*
 * Returns the bucket of a process. Processes with equally many threads have IDs at equal distances,
 * so the ID alone is no hash.
 */
static __always_inline u32 bcos_model_bucket(const struct bcos_model *model, u32 id)
{
	return (id * 0x9E3779B1u >> 7) & model->process_mask;
}

/* Returns the process with this ID, or NULL. */
static __always_inline struct bcos_process *bcos_model_process(const struct bcos_model *model,
							       u32 id)
{
	struct bcos_process *process = model->processes[bcos_model_bucket(model, id)];

	while (process && process->id != id)
		process = process->same_hash;
	return process;
}

/* Sets what the log shows for the CPU: process @id; @process is NULL for idle. */
static __always_inline void bcos_model_hold(struct bcos_cpu *cpu, struct bcos_process *process,
					    u32 id, u64 time, u32 precision)
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

/*
 * Returns the first action on the interrupt line @number, or NULL. The caller may remove an action
 * after it got the next one.
 */
static __always_inline struct bcos_line *bcos_model_line_first(const struct bcos_model *model,
							       u32 number)
{
	return (struct bcos_line *)bcos_index_find(&model->lines, number);
}

/* Returns the next action on the line of @line, or NULL. */
static __always_inline struct bcos_line *bcos_model_line_next(const struct bcos_line *line)
{
	struct bcos_item *item = line->item.next;

	while (item && item->key != line->item.key)
		item = item->next;
	return (struct bcos_line *)item;
}

/* Returns the action on the interrupt line @number that has this tag, or NULL. */
static __always_inline struct bcos_line *bcos_model_line(const struct bcos_model *model, u32 number,
							 u16 tag)
{
	struct bcos_line *line = bcos_model_line_first(model, number);

	while (line && line->tag != tag)
		line = bcos_model_line_next(line);
	return line;
}

/* Returns the device with this ID, or NULL. */
static __always_inline struct bcos_device *bcos_model_device(const struct bcos_model *model, u32 id)
{
	const struct bcos_device_ids *ids = &model->ids[id >> 30];
	u32 number = id & ~0xC0000000u;

	return number < ids->used ? ids->slot[number].device : NULL;
}

/* Returns the device that records name by @key, which must not be 0; or NULL. */
static __always_inline struct bcos_device *bcos_model_device_of(const struct bcos_model *model,
								u64 key)
{
	return (struct bcos_device *)bcos_index_find(&model->keys, key);
}

/* Returns the bytes that a complete group would take now. */
static inline u64 bcos_model_group_bytes(const struct bcos_model *model)
{
	return model->core_bytes + model->process_bytes + model->device_bytes +
	       2ull * model->cpus_online * sizeof(struct bcos_cpu_online);
}

#endif
