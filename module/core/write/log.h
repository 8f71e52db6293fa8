/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log turns raw records into entries. It owns the ring and the model, and only the log writer
 * uses it. The rules (core/rules/rules.h) say how records change it.
 */
#ifndef BCOS_CORE_LOG_H
#define BCOS_CORE_LOG_H

#include "core/format/phrase.h"
#include "core/model/model.h"
#include "core/ring/ring.h"

#define BCOS_QUIET_MAX 16

/* The default of log->elsewhere_limit. */
#define BCOS_LOG_ELSEWHERE 1024

/*
 * Facts about the machine that the host knows. A text may be any bytes. An empty text is unknown,
 * and not stated.
 */
struct bcos_statements {
	bool clock;		/* offset and error are known */
	u32 error;		/* ns, at least 1 */
	/* Wall clock time less time since boot, in ns: at least this, and at most @error more. */
	u64 offset;
	char boot[64];		/* UUID */
	char host[80];
	char kernel[144];	/* release and architecture */
	char version[64];	/* the statement has no other text */
};

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

/* What the host's sources of devices can miss. */
enum bcos_missed_kind {
	BCOS_MISSED_MESSAGES,		/* the kernel's messages that devices come, go or change */
	BCOS_MISSED_INPUTS,		/* the reports and the end of an input device */
	BCOS_MISSED_KINDS
};

struct bcos_missed {
	u64 count;
	u64 since, until;		/* ns since boot */
};

struct bcos_log_stats {
	u64 historical;
	u64 groups, partial_groups, over_1_zone, over_3_zones, over_4_zones;
	u64 restated;
	u64 clamped;
	u64 unnamed;
	u64 lost[BCOS_LOST_REASONS];
};

/* A request of a disk that has not ended. */
struct bcos_disk_request {
	struct bcos_item item;		/* its key is BCOS_RAW_REQUEST() */
	struct bcos_disk_request *older, *newer;
	u64 started, issued;		/* ns since boot, 0: nobody saw it */
	u32 process;			/* that issued it; BCOS_PROCESS_KERNEL: a kernel thread */
	u32 whose;			/* as in struct bcos_raw_request_start */
	u32 thread;
	u16 flags;			/* BCOS_REQUEST_* */
};

/* The requests that have not ended, in the order in which the log learned of them. */
struct bcos_disk_requests {
	struct bcos_index index;	/* no buckets: not yet used */
	struct bcos_disk_request *oldest, *newest;
	u64 doubted;			/* what began until then has an unknown beginning */
};

/* That a thread was woken, not yet told. The links are indices into struct bcos_wakings. */
struct bcos_waking {
	u64 time;			/* ns since boot */
	u32 thread, process;		/* as the record names them */
	u32 waker, waker_thread;	/* as in struct bcos_thread_phrase */
	u32 device;
	u32 cpu;
	enum bcos_woken_by by;
	u8 chain;			/* in the bucket, or of unused ones; 0: the end */
	u8 older, newer;
};

/* With more threads than this that wait for a CPU, wakings are told by themselves. */
#define BCOS_WAKINGS 256

/* The wakings that are not yet told, by thread and in the order of time: see rules/waking.c. */
struct bcos_wakings {
	u64 due;			/* the oldest one is told before this time; ~0: none */
	u64 doubted;			/* up to then records may be lost */
	u8 oldest, newest, unused;	/* 0: none */
	u8 used;			/* so many have ever been used */
	u8 bucket[BCOS_WAKINGS];
	struct bcos_waking waking[BCOS_WAKINGS];	/* the first one is not used */
};

struct bcos_log {
	struct bcos_ring ring;
	struct bcos_model model;
	struct bcos_log_stats stats;
	/* A process that was born before this and that the walk did not see has died. */
	u64 primed_from;
	u64 begin;			/* records before this only correct the model */
	bool begun;			/* the first group is written */
	bool partial;			/* the newest group left something out */
	u32 precision;			/* of the clock or of the current record, ns */
	/* Time of the newest normal entry, ns since boot. */
	u64 time;
	u32 time_precision;		/* of the entries that are written at @time, ns */
	/* Latest possible time of the record that bcos_log_apply() applies, ns since boot. */
	u64 latest;

	/* Limit for recorded network interfaces of other namespaces, all together. */
	u32 elsewhere_limit;
	u32 mask;			/* classes that are recorded */
	struct bcos_statements statements;
	u64 clock_stated;		/* when a set clock was last stated, ns since boot */
	struct bcos_disk_requests requests;	/* class "request" */
	struct bcos_wakings wakings;	/* class "state" */

	bool cgroups_unknown;		/* those of some processes, not asked for yet */
	u64 cgroups_asked;		/* when the host was last asked, ns since boot */
	u64 moves_doubted;		/* a move until then may be lost, ns since boot */

	bool hide_calls;		/* write kernel calls without function numbers (5.4.1) */
	u32 on_request;			/* classes that only devices with a request record */
	bool request_gone;		/* a cancelled device had a request; the host clears this */

	/* This pass has written entries that are worth waking a reader for. */
	bool interesting;
	u32 quiet[BCOS_QUIET_MAX];	/* processes that read the log */
	u32 quiets;

	char text[BCOS_RAW_TEXT];	/* text of the current event, made valid UTF-8 */

	/* Failed allocations that are not yet stated. */
	u64 starved, starved_since;
	/* Records about subjects that the model lacks, not yet stated. */
	u64 strays, strays_since;
	struct bcos_missed missed[BCOS_MISSED_KINDS];	/* not yet stated */
	/* Records above a limit, not yet stated; these are stated at most once a second. */
	struct {
		u64 interfaces, packets;
		u64 since;		/* time of the first of these */
		u64 stated;		/* time of the newest statement */
	} beyond;

	/*
	 * Records of births, deaths or devices were lost, so the host must walk the task list and
	 * the devices.
	 */
	bool needs_walk;
	bool walking;			/* the host is walking the task list */
	u32 walks;
	/*
	 * The result of a walk. The log keeps it until the horizon is past @seen_until and the log
	 * has compared the result with the model.
	 */
	struct bcos_seen *seen;
	u32 seen_count;
	u8 *seen_online;		/* for each CPU whether it was online, or NULL */
	struct bcos_seen_devices seen_devices;	/* no units: the host did not look */
	u64 seen_from, seen_until;
	/* A walk has begun, and the log notes which processes die and which devices go. */
	bool remembers;
	/*
	 * The processes that died and the devices that went, as a hash table that is at most half
	 * full.
	 */
	struct bcos_incarnation *gone;
	u32 gone_count, gone_limit;	/* the limit is a power of two */
	bool resyncing;			/* the log is comparing @seen, a part in each pass: */
	u32 resync_at;			/* first @seen; this is the next index there */
	u32 resync_bucket, resync_buckets;	/* then the model's buckets; next, number */
	u8 resync_phase;		/* then the devices, in phases */
	/* The next unit of @seen_devices, or the number of the next ID in @resync_range. */
	u32 resync_device;
	u32 resync_range;
};

/* Returns the limit for the interfaces of one other namespace: a quarter of that for all. */
static inline u32 bcos_log_space_limit(const struct bcos_log *log)
{
	return log->elsewhere_limit / 4 + !!(log->elsewhere_limit % 4);
}

/*
 * Returns the CPU that is the source of events of no CPU: the lowest online CPU, or if none is
 * online, one that never is.
 */
static inline u32 bcos_log_spokesman(const struct bcos_log *log)
{
	u32 cpu = 0;

	while (cpu < log->model.cpu_limit && !log->model.cpus[cpu].online)
		cpu++;
	return cpu;
}

#endif
