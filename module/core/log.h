/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log: turns raw records into entries.  It owns ring and model; only the
 * log writer calls it, one call at a time.
 */
#ifndef BCOS_CORE_LOG_H
#define BCOS_CORE_LOG_H

#include "model.h"
#include "ring.h"
#include "statement.h"

#define BCOS_QUIET_MAX 16

/* Any of these has what CPUs are assigned to recorded. */
#define BCOS_CLASSES_ASSIGNMENTS (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME)

/* As many network interfaces of other namespaces are recorded, unless log->elsewhere_limit is set. */
#define BCOS_LOG_ELSEWHERE 1024

/* A CPU as it was when the log was begun. */
struct bcos_seen_cpu {
	u32 cpu;
	u32 core;
};

/* Lost records of one CPU, as the merge found them. */
struct bcos_loss {
	u64 first, last;		/* ns since boot */
	u64 count[BCOS_LOSS_CLASSES];
	u64 nested;
	u64 nmi;
};

/* One life of a process ID.  0, which never ends, is none. */
struct bcos_incarnation {
	u32 id;
	u32 tag;
};

struct bcos_log_stats {
	u64 historical;
	u64 groups, partial_groups, over_1_zone, over_3_zones, over_4_zones;
	u64 restated;
	u64 clamped;
	u64 unnamed;
	u64 lost[BCOS_LOST_REASONS];
};

struct bcos_log {
	struct bcos_ring ring;
	struct bcos_model model;
	struct bcos_log_stats stats;
	u64 primed_from;		/* births before this that the walk did not see are over */
	u64 begin;			/* records before this only correct the model */
	bool begun;			/* the first group is written */
	bool partial;			/* the newest group left something out */
	u32 precision;			/* of the clock, or of the record that is applied, ns */
	u64 time;			/* of the newest entry that is not historical */
	u32 time_precision;		/* of what is being written at @time */
	u64 latest;			/* ns: it was not later than this */

	u32 elsewhere_limit;		/* network interfaces of other namespaces that are recorded */
	u32 mask;			/* classes that are recorded */
	struct bcos_statements statements;
	u64 clock_said;			/* ns since boot: when the clock was last stated because it was set */

	bool hide_calls;		/* entries of kernel calls have no numbers (5.4) */
	u32 on_request;			/* classes recorded only of devices of which that was asked for */
	bool request_gone;		/* a device went with a request; whoever looks clears it */

	/* Is anything in this batch worth waking a reader for? */
	bool interesting;
	u32 quiet[BCOS_QUIET_MAX];	/* processes that read the log */
	u32 quiets;

	char text[BCOS_RAW_TEXT];	/* of an event, made valid */

	/* Births that found no memory, until the pass states them. */
	u64 starved, starved_since;
	/* Records about what the model lacks, likewise. */
	u64 strays, strays_since;
	/* What came beyond the limit, likewise, but once a second at most. */
	struct {
		u64 interfaces, packets;
		u64 since;
		u64 stated;		/* time of the newest statement */
	} beyond;

	/* Records of births or deaths were lost: the task list must be walked. */
	bool needs_walk;
	bool walking;			/* the host is at it */
	u32 walks;
	struct bcos_seen *seen;		/* a walk's result, until the log has reached its end and compared it */
	u32 seen_count;
	u8 *seen_online;		/* of each CPU whether it was online, or NULL */
	u64 seen_from, seen_until;
	bool remembers;			/* who dies since the walk began */
	struct bcos_incarnation *gone;	/* them: a hash, at most half full */
	u32 gone_count, gone_limit;	/* the limit is a power of two */
	bool resyncing;			/* seen is being compared, so much at each pass: */
	u32 resync_at;			/* from here on, then buckets of the model from resync_bucket on */
	u32 resync_bucket, resync_buckets;
};

/**
 * bcos_log_init() - an empty log
 * @log: zeroed
 * @host: memory and topology
 * @context: for @host
 * @data: as bcos_ring_init()
 * @size: of @data in bytes, a power of two, BCOS_RING_MIN at least
 * @cpu_limit: CPU IDs are below this
 * @precision: resolution of the clock in ns, at least 1
 *
 * Return: 0, -ENOMEM, or -EINVAL if @size is too small for @cpu_limit CPUs.
 */
int bcos_log_init(struct bcos_log *log, const struct bcos_host *host, void *context, void *data,
		  u64 size, u32 cpu_limit, u32 precision);
void bcos_log_destroy(struct bcos_log *log);

/* The smallest ring in bytes for so many CPUs: their part of a group takes a quarter of a zone at most. */
u64 bcos_log_ring_min(u32 cpus);

/* The ring in bytes at which a complete group takes a quarter of a zone at most. */
u64 bcos_log_ring_advice(const struct bcos_log *log);

/**
 * bcos_log_prime() - the state found at load, before any record is applied
 * @log: fresh
 * @cpus: online CPUs
 * @cpu_count: how many
 * @seen: processes; copied
 * @seen_count: how many
 * @from: clock before the list of @seen was made; every probe was on by then, but
 *        of who was born earlier and is not in @seen the death may be missing
 * @begin: W0, ns since boot: records before it only correct the model; the
 *         log begins there, with a complete group
 *
 * Return: 0 or -ENOMEM.
 */
int bcos_log_prime(struct bcos_log *log, const struct bcos_seen_cpu *cpus, u32 cpu_count,
		   const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin);

/**
 * bcos_log_apply() - one raw record, in order of time
 * @log: the log
 * @cpu: on which it was staged
 * @time: ns since boot, as precise as log->precision; what the record has is not looked at
 * @raw: its units, contiguous
 */
void bcos_log_apply(struct bcos_log *log, u32 cpu, u64 time, const struct bcos_raw *raw);

/* The CPU that states what was lost on none: the lowest that is online; if none is, one that is never there. */
u32 bcos_log_spokesman(const struct bcos_log *log);

/* State what was lost on a CPU, in order of time (Generic CPU, BCOS_EVENT_LOSS). */
void bcos_log_lost(struct bcos_log *log, u32 cpu, const struct bcos_loss *loss);

/**
 * bcos_log_passed() - everything before @horizon was applied
 *
 * Begins the log once @horizon is past its beginning, goes on with a resync once
 * it is past the walk (log->resyncing: there is more of it to do), and publishes.
 */
void bcos_log_passed(struct bcos_log *log, u64 horizon);

/* Asks the host for estimates of all cores; those that changed by @now are stated (5.5).  After a pass. */
void bcos_log_estimate(struct bcos_log *log, u64 now);

/**
 * bcos_log_walk_begins() - the host begins to walk the task list, while passes go on
 * @log: one that needs a walk
 *
 * Until bcos_log_walked() the log remembers who dies, and tells by log->needs_walk whether more was lost meanwhile.
 * A host that does not let passes go on meanwhile may leave this out.
 */
void bcos_log_walk_begins(struct bcos_log *log);

/* The walk that was begun came to nothing: another is needed. */
void bcos_log_walk_failed(struct bcos_log *log);

/**
 * bcos_log_walked() - what a walk of the task list found, after log->needs_walk
 * @log: the log
 * @seen: from the host's alloc, exactly @seen_count entries; the log frees it
 * @seen_count: how many
 * @from: clock before the walk, and not before bcos_log_walk_begins(), ns since boot
 * @until: clock after it
 */
void bcos_log_walked(struct bcos_log *log, struct bcos_seen *seen, u32 seen_count, u64 from, u64 until);

/**
 * bcos_log_walked_cpus() - which CPUs were online at some moment of the walk
 * @log: after bcos_log_walked()
 * @online: from the host's alloc, one byte for each CPU below the log's limit; the log frees it
 *
 * No CPU came or went at that moment.
 */
void bcos_log_walked_cpus(struct bcos_log *log, u8 *online);

/**
 * bcos_log_event() - a generic event of the kernel's own (5.7, 5.11, 5.16)
 * @log: begun
 * @type: BCOS_GENERIC_*
 * @source: its subject, in the model
 * @time: ns since boot, not older than the newest entry, else it is clamped
 * @precision: ns
 * @id: event ID
 * @severity: 0-255
 * @text: UTF-8
 * @length: bytes, at most 1024
 */
void bcos_log_event(struct bcos_log *log, u16 type, u32 source, u64 time, u32 precision, u32 id,
		    u8 severity, const char *text, size_t length);

/* Is there, in the model, this core, CPU or device (@subject is a BCOS_SUBJECT_*)? */
bool bcos_log_knows(const struct bcos_log *log, u16 subject, u32 source);

/* Classes that can be asked for of single devices. */
#define BCOS_LOG_REQUESTS (BCOS_CLASS_IO | BCOS_CLASS_IRQ)

/**
 * bcos_log_request() - record classes of one device whatever log->on_request says, or no more
 * @log: the log
 * @device: its ID; the request goes with it when it is cancelled
 * @classes: in BCOS_LOG_REQUESTS
 * @on: record
 *
 * Return: classes of it that were recorded so before; -ENODEV: the log knows no such device; -ENOENT: there was no such
 * request to take back.
 */
int bcos_log_request(struct bcos_log *log, u32 device, u32 classes, bool on);

/* Classes that were asked for of any device. */
u32 bcos_log_requested(const struct bcos_log *log);

/* Counters and sizes for the status ioctl; leaves what the host knows (version, masks, memory, readers). */
void bcos_log_status(const struct bcos_log *log, struct bcos_status *status);

#endif
