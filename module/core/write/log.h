/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log turns raw records into entries. It owns the ring and the model. Only the log writer calls
 * its functions, one call at a time.
 */
#ifndef BCOS_CORE_LOG_H
#define BCOS_CORE_LOG_H

#include "core/model/model.h"
#include "core/ring/ring.h"
#include "statement.h"

#define BCOS_QUIET_MAX 16

/* The log records assignments while any of these classes is on. */
#define BCOS_CLASSES_ASSIGNMENTS (BCOS_CLASS_ASSIGN | BCOS_CLASS_KERNEL_TIME)

/* The default of log->elsewhere_limit. */
#define BCOS_LOG_ELSEWHERE 1024

/* A CPU as it was when the log began. */
struct bcos_seen_cpu {
	u32 cpu;
	u32 core;
};

/* The lost records of one CPU, as the merge found them. */
struct bcos_loss {
	u64 first, last;		/* ns since boot */
	u64 count[BCOS_LOSS_CLASSES];
	u64 nested;
	u64 nmi;
};

/* One life of a process ID. ID 0 marks an empty slot, since process 0 never ends. */
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
	u32 precision;			/* of the clock or of the current record, ns */
	/* Of the newest entry that is not historical, ns since boot. */
	u64 time;
	u32 time_precision;		/* of the entries that are written at @time, ns */
	/* Latest possible time of the current record, ns since boot. */
	u64 latest;

	/* Limit for recorded network interfaces of other namespaces. */
	u32 elsewhere_limit;
	u32 mask;			/* classes that are recorded */
	struct bcos_statements statements;
	u64 clock_said;			/* when a set clock was last stated, ns since boot */

	bool hide_calls;		/* write kernel calls without function numbers (5.4.1) */
	u32 on_request;			/* classes recorded only for devices with a request */
	bool request_gone;		/* a cancelled device had a request; the host clears this */

	/* Is anything in this batch worth waking a reader for? */
	bool interesting;
	u32 quiet[BCOS_QUIET_MAX];	/* processes that read the log */
	u32 quiets;

	char text[BCOS_RAW_TEXT];	/* text of the current event, made valid UTF-8 */

	/* Failed allocations that are not yet stated. */
	u64 starved, starved_since;
	/* Records about subjects that the model lacks, not yet stated. */
	u64 strays, strays_since;
	/* Records above a limit, not yet stated; these are stated at most once a second. */
	struct {
		u64 interfaces, packets;
		u64 since;
		u64 stated;		/* time of the newest statement */
	} beyond;

	/* Records of births, deaths or devices were lost, so the host must walk what there is. */
	bool needs_walk;
	bool walking;			/* the host is walking the task list */
	u32 walks;
	/* Result of a walk, kept until the log has reached its end and compared it. */
	struct bcos_seen *seen;
	u32 seen_count;
	u8 *seen_online;		/* for each CPU whether it was online, or NULL */
	struct bcos_seen_devices seen_devices;	/* without units the host did not look */
	u64 seen_from, seen_until;
	bool remembers;			/* the log notes who dies and which devices go, since a walk has begun */
	struct bcos_incarnation *gone;	/* those who died or went: a hash table, at most half full */
	u32 gone_count, gone_limit;	/* the limit is a power of two */
	bool resyncing;			/* the log is comparing seen, a part in each pass: */
	u32 resync_at;			/* ... next index in seen, then come the model's buckets */
	u32 resync_bucket, resync_buckets;
	u8 resync_phase;		/* ... then the devices, in phases: */
	u32 resync_device;		/* next unit of seen_devices, or number of an ID in a range */
	u32 resync_range;
};

/**
 * bcos_log_init() - initialise an empty log
 * @log: zeroed
 * @host: memory and topology
 * @context: for @host
 * @data: as for bcos_ring_init()
 * @size: size of @data in bytes, a power of two, at least BCOS_RING_MIN
 * @cpu_limit: all CPU IDs are below this
 * @precision: resolution of the clock in ns, at least 1
 *
 * Context: may sleep.
 * Return: 0, -ENOMEM, or -EINVAL if @size is too small for @cpu_limit CPUs.
 */
int bcos_log_init(struct bcos_log *log, const struct bcos_host *host, void *context, void *data,
		  u64 size, u32 cpu_limit, u32 precision);
void bcos_log_destroy(struct bcos_log *log);

/*
 * Returns the smallest ring in bytes for @cpus CPUs: their part of a group takes at most a quarter
 * of a zone.
 */
u64 bcos_log_ring_min(u32 cpus);

/* Returns the ring in bytes in which a complete group would take at most a quarter of a zone. */
u64 bcos_log_ring_advice(const struct bcos_log *log);

/**
 * bcos_log_prime() - enter the state found at load, before any record is applied
 * @log: fresh
 * @cpus: online CPUs
 * @cpu_count: number of @cpus
 * @seen: processes; copied
 * @seen_count: number of @seen
 * @from: ns since boot, read before the list of @seen was made. Every probe was on by then, but the
 *   record of the death of an earlier process may be missing.
 * @begin: ns since boot; the log begins here with a complete group, and earlier records only
 *   correct the model
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_log_prime(struct bcos_log *log, const struct bcos_seen_cpu *cpus, u32 cpu_count,
		   const struct bcos_seen *seen, u32 seen_count, u64 from, u64 begin);

/**
 * bcos_log_apply() - apply one raw record; calls are in order of time
 * @log: the log
 * @cpu: the CPU that staged it
 * @time: ns since boot, with log->precision; the time in the record is ignored
 * @raw: all units of the record, contiguous
 *
 * Context: the log writer; may sleep.
 */
void bcos_log_apply(struct bcos_log *log, u32 cpu, u64 time, const struct bcos_raw *raw);

/*
 * Returns the CPU that states losses of no CPU: the lowest online CPU, or if none is online, one
 * that never is.
 */
u32 bcos_log_spokesman(const struct bcos_log *log);

/* States what was lost on a CPU, in order of time (Generic CPU, BCOS_EVENT_LOSS). */
void bcos_log_lost(struct bcos_log *log, u32 cpu, const struct bcos_loss *loss);

/**
 * bcos_log_passed() - tell the log that everything before a time has been applied
 * @log: the log
 * @horizon: that time, ns since boot
 *
 * Begins the log once @horizon is past its beginning. Continues a resync once @horizon is past the
 * walk; log->resyncing says that more of it remains. Publishes the ring.
 *
 * Context: the log writer, between passes; may sleep.
 */
void bcos_log_passed(struct bcos_log *log, u64 horizon);

/*
 * Asks the host for the estimates of all cores and states those that changed by @now (5.5). The log
 * writer calls this between passes.
 */
void bcos_log_estimate(struct bcos_log *log, u64 now);

/**
 * bcos_log_walk_begins() - the host begins to walk the task list, while passes go on
 * @log: one that needs a walk
 *
 * Until bcos_log_walked() the log notes who dies; log->needs_walk says whether more was lost
 * meanwhile. A host that runs no passes during the walk may omit this call.
 *
 * Context: the log writer, between passes; may sleep.
 */
void bcos_log_walk_begins(struct bcos_log *log);

/* The walk failed, so another is needed. */
void bcos_log_walk_failed(struct bcos_log *log);

/**
 * bcos_log_walked() - hand over the result of a walk of the task list
 * @log: one that needed a walk
 * @seen: @seen_count entries from the host's alloc; the log frees them
 * @seen_count: number of @seen
 * @from: ns since boot, read before the walk and after bcos_log_walk_begins()
 * @until: ns since boot, read after the walk
 *
 * Context: the log writer, between passes.
 */
void bcos_log_walked(struct bcos_log *log, struct bcos_seen *seen, u32 seen_count, u64 from, u64 until);

/**
 * bcos_log_walked_cpus() - hand over which CPUs were online at one moment of the walk
 * @log: after bcos_log_walked()
 * @online: one byte for each CPU below the log's limit, from the host's alloc; the log frees it
 *
 * No CPU may come online or go offline at that moment.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_walked_cpus(struct bcos_log *log, u8 *online);

/**
 * bcos_log_walked_devices() - hand over which devices the walk found
 * @log: after bcos_log_walked()
 * @seen: units from the host's alloc, which the log frees; a host that does not look has none
 *
 * @seen has the devices of each source (disks, interfaces and so on) as of one moment of the walk. By
 * then the record of each device that came or went before must be staged or lost. A record that is
 * staged later than the source shows the change is harmless.
 *
 * Context: the log writer.
 */
void bcos_log_walked_devices(struct bcos_log *log, const struct bcos_seen_devices *seen);

/**
 * bcos_log_event() - write a generic event of the kernel itself (5.7, 5.11, 5.16)
 * @log: begun
 * @type: BCOS_GENERIC_*
 * @source: the subject, which the model has
 * @time: ns since boot; raised to that of the newest entry if it is older
 * @precision: ns
 * @id: event ID
 * @severity: 0-255 (5.3.2)
 * @text: UTF-8
 * @length: bytes of @text; at most BCOS_RAW_TEXT are written
 *
 * Context: the log writer.
 */
void bcos_log_event(struct bcos_log *log, u16 type, u32 source, u64 time, u32 precision, u32 id,
		    u8 severity, const char *text, size_t length);

/* Does the model have this process, core, CPU or device? @subject is a BCOS_SUBJECT_*. */
bool bcos_log_knows(const struct bcos_log *log, u16 subject, u32 source);

/* Classes that can be requested for single devices. */
#define BCOS_LOG_REQUESTS (BCOS_CLASS_IO | BCOS_CLASS_IRQ)

/**
 * bcos_log_request() - record classes for one device whatever log->on_request says, or stop that
 * @log: the log
 * @device: its ID; the request ends when the device is cancelled
 * @classes: a subset of BCOS_LOG_REQUESTS
 * @on: true: record; false: take the request back
 *
 * Context: the log writer, between passes.
 * Return: the classes that were requested for it before; -ENODEV: no such device; -ENOENT: no such
 *   request to take back.
 */
int bcos_log_request(struct bcos_log *log, u32 device, u32 classes, bool on);

/* Returns the classes that are requested for any device. */
u32 bcos_log_requested(const struct bcos_log *log);

/*
 * Sets the counters and sizes for the status ioctl. What only the host knows (version, masks,
 * memory, readers) stays as it is.
 */
void bcos_log_status(const struct bcos_log *log, struct bcos_status *status);

#endif
