/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Inside the core: how log.c, apply.c, life.c, cpu.c, resync.c and loss.c write entries.
 *
 * Each bcos_emit_*() writes one entry at log->time, after whatever historical
 * entries it needs to be understood from the newest group on.  None of them
 * starts a group: whoever calls them brings the model up to date and then
 * calls bcos_log_settle(), so a group never shows half a change.  Before the
 * log has begun they write nothing.
 */
#ifndef BCOS_CORE_EMIT_H
#define BCOS_CORE_EMIT_H

#include "entry.h"
#include "log.h"

/* The saturating sum that a precision is. */
static inline u32 bcos_precision(u64 a, u64 b)
{
	return a + b < a || a + b > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)(a + b);
}

/* The latest time of what was at @time at the earliest; all ones: that is not known. */
static inline u64 bcos_latest(u64 time, u32 precision)
{
	return precision == 0xFFFFFFFFu || time + precision < time ? ~0ull : time + precision;
}

/* The precision of what stands at @time and was at @latest at the latest.  A ns is the least that a log tells apart. */
static inline u32 bcos_reach(u64 time, u64 latest)
{
	return latest > time ? bcos_precision(latest - time, 0) : 1;
}

/*
 * Makes @time the log's; never backwards: what steps back stands where the one before it does, and its precision
 * reaches as far as it did.
 */
static __always_inline void bcos_log_at(struct bcos_log *log, u64 time, u32 precision)
{
	log->latest = bcos_latest(time, precision);
	if (unlikely(time < log->time)) {
		log->stats.clamped++;
		precision = bcos_reach(log->time, log->latest);
		time = log->time;
	}
	log->time = time;
	log->time_precision = precision;
}

/* group.c: a group of historical entries (6.1). */
void bcos_log_group(struct bcos_log *log);

/* Writes a group if the zone has none yet (6.1). */
static __always_inline void bcos_log_settle(struct bcos_log *log)
{
	if (unlikely(bcos_ring_wants_group(&log->ring)) && log->begun)
		bcos_log_group(log);
}

/* An entry of @bytes at the head, its header filled, the rest zero; bcos_emit_close() commits it. */
void *bcos_emit_open(struct bcos_log *log, u32 bytes, u16 type, u32 source, u64 time, u32 precision);
void bcos_emit_close(struct bcos_log *log, u32 bytes);

/* Historical entries (5.18, 5.22), which groups and re-statements share. */
void bcos_emit_process(struct bcos_log *log, struct bcos_process *process, u16 type, u64 time,
		       u32 precision);
void bcos_emit_device(struct bcos_log *log, struct bcos_device *device, u16 type, u64 time,
		      u32 precision);
void bcos_emit_core(struct bcos_log *log, const struct bcos_core *core, u16 type, u64 time,
		    u32 precision);
/* Types whose body is one word. */
void bcos_emit_word(struct bcos_log *log, u16 type, u32 source, u32 word, u64 time, u32 precision);
/* Types without a body, at log->time. */
void bcos_emit_bare(struct bcos_log *log, u16 type, u32 source);

static __always_inline void bcos_put_header(struct bcos_entry *header, u32 bytes, u16 type, u32 source, u64 time,
					    u32 precision)
{
	header->size = (u16)bytes;
	header->type = type;
	header->source = source;
	header->time = time;
	header->precision = precision;
}

/* An entry of a word (5.10, 5.17), where there is room for it. */
static __always_inline void bcos_put_word(struct bcos_ring *ring, u16 type, u32 source, u32 word, u64 time,
					  u32 precision)
{
	struct bcos_assign_cpu *entry = bcos_ring_head(ring);

	bcos_put_header(&entry->header, sizeof(*entry), type, source, time, precision);
	entry->process = word;
	bcos_ring_commit(ring, sizeof(*entry));
}

/* Most a process' name of up to BCOS_RAW_NAME bytes writes: what is behind it comes later. */
#define BCOS_PUT_NAME (sizeof(struct bcos_process_name) + BCOS_RAW_NAME)

/* Most that the text of a birth's parent writes (who_text.h). */
#define BCOS_PARENT_TEXT (sizeof("parent 4294967295 \"\"") - 1 + BCOS_NAME_MAX)
#define BCOS_PUT_PARENT (BCOS_GENERIC_TEXT + BCOS_PARENT_TEXT + 3)

/*
 * An entry of @bytes with a process' name (5.1, 5.18) of up to BCOS_RAW_NAME bytes, where there is room for
 * BCOS_PUT_NAME: a copy of one size is cheaper than one of as many bytes as the name has.
 */
static __always_inline void bcos_put_name(struct bcos_ring *ring, struct bcos_process *process, u32 bytes, u16 type,
					  u64 time, u32 precision)
{
	struct bcos_process_name *entry = bcos_ring_head(ring);

	bcos_put_header(&entry->header, bytes, type, process->id, time, precision);
	memcpy(entry->name, process->name, BCOS_RAW_NAME);
	process->stated = ring->now.head.offset + 1;
	bcos_ring_commit(ring, bytes);
}

/*
 * Was the process named since the newest group?  Not since the oldest entry: a
 * snapshot may later begin at that group, and what was said before is gone then.
 */
static __always_inline bool bcos_is_stated(const struct bcos_log *log, u64 stated)
{
	return stated > log->ring.now.group.offset;
}

/* Was it born or has it run since the newest group, under its name?  Then the next switch to it is nothing new. */
static __always_inline bool bcos_is_ready(const struct bcos_log *log, const struct bcos_process *process)
{
	return process->ready == log->ring.now.group.offset;
}

/* Names the process, or the device and its driver, unless that was done since the newest group. */
void bcos_emit_stated(struct bcos_log *log, struct bcos_process *process);
void bcos_emit_stated_device(struct bcos_log *log, struct bcos_device *device);

/* Entries at log->time. */
void bcos_emit_set_process(struct bcos_log *log, struct bcos_process *process);
void bcos_emit_cancel_process(struct bcos_log *log, struct bcos_process *process, u32 status);
void bcos_emit_set_device(struct bcos_log *log, struct bcos_device *device);
void bcos_emit_cancel_device(struct bcos_log *log, struct bcos_device *device, u32 status);
void bcos_emit_irq(struct bcos_log *log, struct bcos_device *device, u32 number);

/* A generic event of a source that the model has, or of none; @length: at most BCOS_RAW_TEXT. */
void bcos_emit_event(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length);

/* What Core Online says of power (5.5.1), in units of 2 mW. */
void bcos_power_fields(const struct bcos_estimate *estimate, u16 *idle, u16 *difference);

/* cpu.c: the model and the entries, together. */
struct bcos_cpu *bcos_cpu_up(struct bcos_log *log, u32 cpu);
void bcos_cpu_down(struct bcos_log *log, u32 cpu);
void bcos_cpu_assign(struct bcos_log *log, u32 cpu, u32 id);
/* Shows @process on each CPU that really runs it, once it may be shown. */
void bcos_cpu_reveal(struct bcos_log *log, struct bcos_process *process);
/* Takes @process off every CPU: they are the kernel's from now on. */
void bcos_cpu_release(struct bcos_log *log, struct bcos_process *process);
/* Silently, for the state at load. */
int bcos_cpu_prime(struct bcos_log *log, const struct bcos_seen_cpu *cpus, u32 count, u64 now);

/* cores.c: what happens to cores.  A machine check was told to CPU @by. */
void bcos_cores_limits(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_cores_check(struct bcos_log *log, u32 by, const struct bcos_raw *raw);
/* Those of a CPU that is online, if its core's are others. */
void bcos_cores_state_limits(struct bcos_log *log, u32 cpu);

/* life.c: births and deaths, also for what a walk of the task list finds. */
struct bcos_process *bcos_log_born(struct bcos_log *log, u32 id, u32 tag, bool hidden,
				   const char *name);
bool bcos_log_rename(struct bcos_log *log, struct bcos_process *process, const char *name);
/* Termination status (5.2.1) of a process that exited. */
u32 bcos_log_termination(const struct bcos_process *process);
void bcos_log_died(struct bcos_log *log, struct bcos_process *process);
/* Records of lives, other than bcos_log_life() takes. */
void bcos_log_apply_life(struct bcos_log *log, const struct bcos_raw *raw);

/* who.c: SIGNAL tells who sent it; the OOM killer chose its victim; and who it was, before a process is cancelled. */
void bcos_who_sent(struct bcos_log *log, struct bcos_process *process, const struct bcos_raw *raw);
void bcos_who_chose(struct bcos_process *process);
/* A birth that was just written was of @parent. */
void bcos_who_bore(struct bcos_log *log, const struct bcos_process *process, u32 parent);
/* The same where there is room for BCOS_PUT_PARENT. */
void bcos_put_parent(struct bcos_log *log, const struct bcos_process *process, u32 parent, u64 time, u32 precision);
/* PROGRAM. */
void bcos_who_runs(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_who_killed(struct bcos_log *log, struct bcos_process *process);

/* apply.c */
/* Whoever is named in the log for process @id of this incarnation (0: of any): itself, or the kernel. */
u32 bcos_log_speaker(struct bcos_log *log, u32 id, u32 tag);
/* Is what this process does of no interest to those who wait for entries?  It is one of them, or nobody. */
bool bcos_log_is_quiet(const struct bcos_log *log, u32 id);

/* devices.c: records that are about devices. */
void bcos_devices_apply(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_devices_interrupt(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
/* When a driver ends, so do its devices, before it (5.13). */
void bcos_devices_of_driver_end(struct bcos_log *log, struct bcos_process *driver, u32 status);
/* ID of the device with this key; if there is none, one that no device has. */
u32 bcos_devices_id(const struct bcos_log *log, u64 key);

/* states.c: records about what CPUs and threads do when they do nothing. */
void bcos_states_idle(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
/* What was idle may have been busy since, unseen. */
void bcos_states_forget(struct bcos_log *log);
void bcos_states_task(struct bcos_log *log, const struct bcos_raw *raw);

/* resync.c */
/* The last of a process, in the model or not, which a walk that is pending may have seen alive. */
void bcos_log_gone(struct bcos_log *log, u32 id, u32 tag);
void bcos_log_resync(struct bcos_log *log);
void bcos_log_forget_walk(struct bcos_log *log);

/* loss.c */
void bcos_log_starved(struct bcos_log *log);
/* States what was dropped since the last time for want of memory, or of a name, or beyond a limit; @horizon is now. */
void bcos_log_state_dropped(struct bcos_log *log, u64 horizon);
/* Something is dropped since there are as many as are to be recorded: @count is of log->beyond. */
void bcos_log_beyond(struct bcos_log *log, u64 *count);
/* A record is dropped: it is about a core, CPU or device that the model lacks. */
void bcos_log_stray(struct bcos_log *log);
/* A record used an ID that the model lacks. */
void bcos_log_unnamed(struct bcos_log *log);

#endif
