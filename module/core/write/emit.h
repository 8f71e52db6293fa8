/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions inside the core that write entries.
 *
 * Each bcos_emit_*() writes one entry at log->time, after any historical entries that it depends on
 * and that the newest group does not contain. None of them starts a group: the caller brings the
 * model up to date and then calls bcos_log_settle(), so a group never shows half a change. They
 * write nothing before the log has begun.
 *
 * All of this runs in the context of the log writer. Numbers in parentheses are sections of the
 * specification.
 */
#ifndef BCOS_CORE_EMIT_H
#define BCOS_CORE_EMIT_H

#include "core/format/entry.h"
#include "log.h"

/* Returns the sum of two spans in ns, saturated as a precision is (4.4). */
static inline u32 bcos_precision(u64 a, u64 b)
{
	return a + b < a || a + b > 0xFFFFFFFFu ? 0xFFFFFFFFu : (u32)(a + b);
}

/* Returns the latest possible time of an event whose earliest time is @time; ~0 means unknown. */
static inline u64 bcos_latest(u64 time, u32 precision)
{
	return precision == 0xFFFFFFFFu || time + precision < time ? ~0ull : time + precision;
}

/*
 * Returns the precision of an entry at @time, if its event happened at @latest at the latest. It is
 * at least 1 ns.
 */
static inline u32 bcos_reach(u64 time, u64 latest)
{
	return latest > time ? bcos_precision(latest - time, 0) : 1;
}

/*
 * Sets the log's time. Time never steps back: an earlier event gets the log's time, and a precision
 * that keeps its latest possible time.
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

/* group.c: writes a group of historical entries (6.1). */
void bcos_log_group(struct bcos_log *log);

/* Writes a group if the current zone has none yet (6.1). */
static __always_inline void bcos_log_settle(struct bcos_log *log)
{
	if (unlikely(bcos_ring_wants_group(&log->ring)) && log->begun)
		bcos_log_group(log);
}

/*
 * Opens an entry of @bytes at the head, with its header filled in and the rest zero.
 * bcos_emit_close() commits it.
 */
void *bcos_emit_open(struct bcos_log *log, u32 bytes, u16 type, u32 source, u64 time, u32 precision);
void bcos_emit_close(struct bcos_log *log, u32 bytes);

/* These write historical entries (5.18, 5.22), for groups and for re-statements. */
void bcos_emit_process(struct bcos_log *log, struct bcos_process *process, u16 type, u64 time,
		       u32 precision);
void bcos_emit_device(struct bcos_log *log, struct bcos_device *device, u16 type, u64 time,
		      u32 precision);
void bcos_emit_core(struct bcos_log *log, const struct bcos_core *core, u16 type, u64 time,
		    u32 precision);
/* Writes an entry whose body is one 32-bit word. */
void bcos_emit_word(struct bcos_log *log, u16 type, u32 source, u32 word, u64 time, u32 precision);
/* Writes an entry without a body. */
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

/* Writes an entry with one word (5.10, 5.17). There must be room for it. */
static __always_inline void bcos_put_word(struct bcos_ring *ring, u16 type, u32 source, u32 word, u64 time,
					  u32 precision)
{
	struct bcos_assign_cpu *entry = bcos_ring_head(ring);

	bcos_put_header(&entry->header, sizeof(*entry), type, source, time, precision);
	entry->process = word;
	bcos_ring_commit(ring, sizeof(*entry));
}

/* Bytes that bcos_put_name() may write, including scratch bytes after the entry. */
#define BCOS_PUT_NAME (sizeof(struct bcos_process_name) + BCOS_RAW_NAME)

/*
 * The longest text of a birth's parent (who_text.h), and the bytes that bcos_put_parent() may
 * write.
 */
#define BCOS_PARENT_TEXT (sizeof("parent 4294967295 \"\"") - 1 + BCOS_NAME_MAX)
#define BCOS_PUT_PARENT (BCOS_GENERIC_TEXT + BCOS_PARENT_TEXT + 3)

/*
 * Writes an entry of @bytes with a process name (5.1, 5.18) of at most BCOS_RAW_NAME bytes. There
 * must be room for BCOS_PUT_NAME: a copy of constant size is cheaper than one of the name's length.
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
 * Has the log named the process since the newest group? The oldest entry does not count, since a
 * snapshot may later begin at that group and lack what came before.
 */
static __always_inline bool bcos_is_stated(const struct bcos_log *log, u64 stated)
{
	return stated > log->ring.now.group.offset;
}

/*
 * Is the process stated, and was it born or has it run since the newest group? Then a switch to it
 * changes nothing in the model's order of processes.
 */
static __always_inline bool bcos_is_ready(const struct bcos_log *log, const struct bcos_process *process)
{
	return process->ready == log->ring.now.group.offset;
}

/*
 * Re-states the process, or the device and its driver, unless the log has named it since the newest
 * group.
 */
void bcos_emit_stated(struct bcos_log *log, struct bcos_process *process);
void bcos_emit_stated_device(struct bcos_log *log, struct bcos_device *device);

void bcos_emit_set_process(struct bcos_log *log, struct bcos_process *process);
void bcos_emit_cancel_process(struct bcos_log *log, struct bcos_process *process, u32 status);
void bcos_emit_set_device(struct bcos_log *log, struct bcos_device *device);
void bcos_emit_cancel_device(struct bcos_log *log, struct bcos_device *device, u32 status);
void bcos_emit_irq(struct bcos_log *log, struct bcos_device *device, u32 number);

/* Writes a generic event. The model must have the source; @length is at most BCOS_RAW_TEXT. */
void bcos_emit_event(struct bcos_log *log, u16 type, u32 source, u32 id, u8 severity, const char *text, size_t length);

/* Converts an estimate to the power fields of Core Online, in units of 2 mW (5.5.1). */
void bcos_power_fields(const struct bcos_estimate *estimate, u16 *idle, u16 *difference);

/* cpu.c: changes the model and writes the entries. */
struct bcos_cpu *bcos_cpu_up(struct bcos_log *log, u32 cpu);
void bcos_cpu_down(struct bcos_log *log, u32 cpu);
void bcos_cpu_assign(struct bcos_log *log, u32 cpu, u32 id);
/* Assigns @process to each CPU that runs it, once the log may name the process. */
void bcos_cpu_reveal(struct bcos_log *log, struct bcos_process *process);
/* Assigns each CPU of @process to the kernel. */
void bcos_cpu_release(struct bcos_log *log, struct bcos_process *process);
/* Enters the CPUs found at load into the model and writes nothing. */
int bcos_cpu_prime(struct bcos_log *log, const struct bcos_seen_cpu *cpus, u32 count, u64 now);

/* core.c: events of cores. @by is the CPU that reported the machine check. */
void bcos_cores_limits(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_cores_check(struct bcos_log *log, u32 by, const struct bcos_raw *raw);
/* States the limits of an online CPU if those of its core differ. */
void bcos_cores_state_limits(struct bcos_log *log, u32 cpu);

/* life.c: births and deaths, from records and from a walk of the task list. */
struct bcos_process *bcos_log_born(struct bcos_log *log, u32 id, u32 tag, bool hidden,
				   const char *name);
bool bcos_log_rename(struct bcos_log *log, struct bcos_process *process, const char *name);
/* Returns the termination status (5.2.1) of a process that exited. */
u32 bcos_log_termination(const struct bcos_process *process);
void bcos_log_died(struct bcos_log *log, struct bcos_process *process);
/* Applies records about processes that bcos_log_life() leaves. */
void bcos_log_apply_life(struct bcos_log *log, const struct bcos_raw *raw);

/* who.c: notes who sent the signal of this SIGNAL record. */
void bcos_who_sent(struct bcos_log *log, struct bcos_process *process, const struct bcos_raw *raw);
/* Notes that the OOM killer chose this process. */
void bcos_who_chose(struct bcos_process *process);
/* States @parent after the entry of a birth. */
void bcos_who_bore(struct bcos_log *log, const struct bcos_process *process, u32 parent);
/* Like bcos_who_bore(), where there is room for BCOS_PUT_PARENT. */
void bcos_put_parent(struct bcos_log *log, const struct bcos_process *process, u32 parent, u64 time, u32 precision);
/* States the program of a PROGRAM record. */
void bcos_who_runs(struct bcos_log *log, const struct bcos_raw *raw);
/* States who sent the deadly signal, before the process is cancelled. */
void bcos_who_killed(struct bcos_log *log, struct bcos_process *process);

/*
 * apply.c: returns the ID that the log shows for process @id of this incarnation (0: any): @id or
 * the kernel.
 */
u32 bcos_log_speaker(struct bcos_log *log, u32 id, u32 tag);
/* Is the process the kernel, idle, or a reader of the log? Then its activity wakes no reader. */
bool bcos_log_is_quiet(const struct bcos_log *log, u32 id);

/* device.c: applies records about devices. */
void bcos_devices_apply(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_devices_interrupt(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
/* Cancels the devices of a driver that ends, or gives them to the kernel (5.13). */
void bcos_devices_of_driver_end(struct bcos_log *log, struct bcos_process *driver, u32 status);
/* Names a device that a walk found, unless it is known; cancels one that a walk did not find. */
void bcos_devices_found(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_devices_absent(struct bcos_log *log, struct bcos_device *device);
/* Returns the ID of the device with this key, or BCOS_NO_DEVICE. */
u32 bcos_devices_id(const struct bcos_log *log, u64 key);

/* state.c: applies records of idle states and of thread states. */
void bcos_states_idle(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
/* Forgets the idle states, since CPUs may have been busy while the class was off. */
void bcos_states_forget(struct bcos_log *log);
void bcos_states_task(struct bcos_log *log, const struct bcos_raw *raw);

/* resync.c: notes the end of a process, which a pending walk may have seen alive. */
void bcos_log_gone(struct bcos_log *log, u32 id, u32 tag);
/* Has this process ended since the pending walk began? */
bool bcos_log_is_gone(const struct bcos_log *log, u32 id, u32 tag);
void bcos_log_resync(struct bcos_log *log);
void bcos_log_forget_walk(struct bcos_log *log);
/* resync_device.c: notes that a device went which a pending walk may have seen. */
void bcos_log_gone_device(struct bcos_log *log, u64 key);
/* Compares a part of the devices that a walk found. Returns true when all is done. */
bool bcos_log_resync_devices(struct bcos_log *log);

/* loss.c: counts a failed allocation. */
void bcos_log_starved(struct bcos_log *log);
/*
 * States what was dropped since the last call for lack of memory, of a name, or above a limit.
 * @horizon is the current time, ns since boot.
 */
void bcos_log_state_dropped(struct bcos_log *log, u64 horizon);
/* Counts a record above a limit; @count points into log->beyond. */
void bcos_log_beyond(struct bcos_log *log, u64 *count);
/* Counts a dropped record: its core, CPU or device is not in the model. */
void bcos_log_stray(struct bcos_log *log);
/* Counts a record with an ID that the model lacks. */
void bcos_log_unnamed(struct bcos_log *log);

#endif
