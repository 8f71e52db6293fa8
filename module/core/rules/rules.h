/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rules say what records, walks and the host change in the model and add to the log. The first
 * part of this header is for the host of the log; the second part is for the files of this folder.
 */
#ifndef BCOS_CORE_RULES_H
#define BCOS_CORE_RULES_H

#include "core/write/log.h"

/**
 * bcos_log_init() - initialise an empty log
 * @log: zeroed
 * @host: memory and topology
 * @context: argument of the callbacks of @host
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
/* Frees the memory of a log, which may be zeroed. */
void bcos_log_destroy(struct bcos_log *log);

/**
 * bcos_log_prime() - enter the state found at load, before any record is applied
 * @log: fresh
 * @cpus: online CPUs
 * @cpu_count: number of @cpus
 * @seen: processes; copied
 * @seen_count: number of @seen
 * @from: ns since boot, read before the list of @seen was made. Every probe was on by then, but the
 *   record of a process that died before may be missing.
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
 * @cpu: the CPU that staged the record
 * @time: ns since boot, with log->precision; the time in the record is ignored
 * @raw: all units of the record, contiguous
 *
 * Context: the log writer; may sleep.
 */
void bcos_log_apply(struct bcos_log *log, u32 cpu, u64 time, const struct bcos_raw *raw);

/*
 * States a loss of a CPU (Generic CPU, BCOS_EVENT_LOSS). Calls are in order of time, as those of
 * bcos_log_apply().
 */
void bcos_log_lost(struct bcos_log *log, u32 cpu, const struct bcos_loss *loss);

/**
 * bcos_log_passed() - tell the log that everything before a time has been applied
 * @log: the log
 * @horizon: that time, ns since boot
 *
 * Begins the log once @horizon is past the log's beginning. Compares a part of a walk with the
 * model once @horizon is past the end of the walk; log->resyncing says that a part remains.
 * Publishes the ring.
 *
 * Context: the log writer, between passes; may sleep.
 */
void bcos_log_passed(struct bcos_log *log, u64 horizon);

/*
 * Asks the host for the estimates of all cores, and states those that have changed (5.5). @now is
 * the current time, ns since boot. The log writer calls this between passes.
 */
void bcos_log_estimate(struct bcos_log *log, u64 now);

/**
 * bcos_log_walk_begins() - the host begins to walk the task list, while passes go on
 * @log: one that needs a walk
 *
 * Until bcos_log_walked() the log notes which processes die and which devices go. log->needs_walk
 * says whether more records are lost meanwhile. A host that runs no passes during the walk may omit
 * this call.
 *
 * Context: the log writer, between passes; may sleep.
 */
void bcos_log_walk_begins(struct bcos_log *log);

/* Tells the log that the walk failed, so that it asks for another one. */
void bcos_log_walk_failed(struct bcos_log *log);

/**
 * bcos_log_walked() - hand over the result of a walk of the task list
 * @log: one that needed a walk
 * @seen: @seen_count processes, in memory from the host's alloc; the log frees it
 * @seen_count: number of @seen
 * @from: ns since boot, read before the walk and after bcos_log_walk_begins()
 * @until: ns since boot, read after the walk
 *
 * Context: the log writer, between passes.
 */
void bcos_log_walked(struct bcos_log *log, struct bcos_seen *seen, u32 seen_count, u64 from,
		     u64 until);

/**
 * bcos_log_walked_cpus() - hand over which CPUs were online at one moment of the walk
 * @log: after bcos_log_walked()
 * @online: a byte for each CPU below the log's limit, from the host's alloc; the log frees them
 *
 * No CPU may come online or go offline at that moment.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_walked_cpus(struct bcos_log *log, u8 *online);

/**
 * bcos_log_walked_devices() - hand over which devices the walk found
 * @log: after bcos_log_walked()
 * @seen: units from the host's alloc, which the log frees; no units if the host does not look
 *
 * @seen has the devices of each source (disks, interfaces and so on) as of one moment of the walk.
 * A device that came or went before that moment must have a record that is staged or lost by then.
 * Records that are staged later than the source shows the change are harmless.
 *
 * Context: the log writer.
 */
void bcos_log_walked_devices(struct bcos_log *log, const struct bcos_seen_devices *seen);

/**
 * bcos_log_say() - tell the log what the host knows now
 * @log: the log
 * @now: copied
 * @time: ns since boot when the host found this out; never steps back
 *
 * If the log has begun, it states the facts that changed. It states the wall clock anew if the old
 * and the new offset cannot agree within their errors, at most once a second; a later call states a
 * change that came too early for that.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_say(struct bcos_log *log, const struct bcos_statements *now, u64 time);

/**
 * bcos_log_clock_set() - tell the log that the wall clock was set
 * @log: the log
 * @now: copied; has the new clock
 * @time: ns since boot when it was set; all that happened before is in the log
 *
 * Like bcos_log_say(), but the statement has this time, so that what follows it in the log has
 * happened by the new clock, and what precedes it by the old one.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_clock_set(struct bcos_log *log, const struct bcos_statements *now, u64 time);

/**
 * bcos_log_clock_due() - when a setting of the wall clock can be stated
 * @log: the log
 * @set: ns since boot when the clock was set
 *
 * The log states settings at most once a second.
 *
 * Context: the log writer, between passes.
 * Return: the earliest time that bcos_log_clock_set() takes for it: @set, or up to a second later
 * if it follows another one; ns since boot.
 */
u64 bcos_log_clock_due(const struct bcos_log *log, u64 set);

/**
 * bcos_log_recorded() - set the classes that are recorded from here on
 * @log: the log
 * @mask: BCOS_CLASS_*
 *
 * While switches are not recorded, the log has neither new assignments nor historical ones, since
 * an old assignment may be wrong by now. The caller writes the entry that says that the mask
 * changed.
 *
 * Context: the log writer, between passes.
 */
void bcos_log_recorded(struct bcos_log *log, u32 mask);

/* Classes that can be requested for single devices. */
#define BCOS_LOG_REQUESTS (BCOS_CLASS_IO | BCOS_CLASS_IRQ)

/**
 * bcos_log_request() - record classes for one device whatever log->on_request says, or stop that
 * @log: the log
 * @device: ID of the device; the request ends when the device is cancelled
 * @classes: a subset of BCOS_LOG_REQUESTS
 * @on: true: record; false: take the request back
 *
 * Context: the log writer, between passes.
 * Return: the classes that were requested for the device before; -ENODEV: no such device; -ENOENT:
 *   no such request to take back.
 */
int bcos_log_request(struct bcos_log *log, u32 device, u32 classes, bool on);

/* Returns the classes that are requested for any device. */
u32 bcos_log_requested(const struct bcos_log *log);

/* ---- inside the rules -------------------------------------------------------------- */

/* Does the log record @class for this device? */
static inline bool bcos_device_is_wanted(const struct bcos_log *log,
					 const struct bcos_device *device, u32 class)
{
	return !(log->on_request & ~device->requests & class);
}

/*
 * cpu.c: these change the model and write the entries. bcos_cpu_up() returns NULL if there is no
 * memory.
 */
struct bcos_cpu *bcos_cpu_up(struct bcos_log *log, u32 cpu);
void bcos_cpu_down(struct bcos_log *log, u32 cpu);
void bcos_cpu_assign(struct bcos_log *log, u32 cpu, u32 id);
/* Assigns @process to each CPU that runs it, once the log may name the process. */
void bcos_cpu_reveal(struct bcos_log *log, struct bcos_process *process);
/*
 * Assigns each CPU of @process, which has one or is hidden, to the kernel. @first is probably one
 * of these CPUs.
 */
void bcos_cpu_release(struct bcos_log *log, struct bcos_process *process, u32 first);
/* Enters the CPUs found at load into the model and writes nothing. */
int bcos_cpu_prime(struct bcos_log *log, const struct bcos_seen_cpu *cpus, u32 count, u64 now);

/* core.c: applies LIMITS and CHECK records. @by is the CPU that reported the machine check. */
void bcos_cores_limits(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_cores_check(struct bcos_log *log, u32 by, const struct bcos_raw *raw);
/* States the limits of an online CPU if those of its core differ. */
void bcos_cores_write_limits(struct bcos_log *log, u32 cpu);

/* life.c: births and deaths, from records and from a walk of the task list. */
/*
 * Enters a process into the model, after the death of @previous, the process with this ID before;
 * or NULL. Returns NULL if there is no memory.
 */
struct bcos_process *bcos_log_born(struct bcos_log *log, struct bcos_process *previous, u32 id,
				   u32 tag, bool hidden, const char *name);
/* Gives a process another name. Returns true if the name changed. */
bool bcos_log_rename(struct bcos_log *log, struct bcos_process *process, const char *name);
/* Ends a process. @cpu is the CPU that staged the death, or any. */
void bcos_log_died(struct bcos_log *log, struct bcos_process *process, u32 cpu);

/* who.c: notes the sender of the signal in a SIGNAL record. */
void bcos_who_sent(struct bcos_log *log, struct bcos_process *process, const struct bcos_raw *raw);
/* Notes that the OOM killer chose this process. */
void bcos_who_chose(struct bcos_process *process);
/* States the parent of a new process, right after the entry that names the process. */
void bcos_who_bore(struct bcos_log *log, const struct bcos_process *process, u32 parent);
/* States the program of a PROGRAM record. */
void bcos_who_runs(struct bcos_log *log, const struct bcos_raw *raw);
/* A CGROUP record tells in which control group a process is. */
void bcos_who_moved(struct bcos_log *log, const struct bcos_raw *raw);
/* A new process begins in the control group of the process @id, its parent. */
void bcos_who_inherits(struct bcos_log *log, struct bcos_process *process, u32 id);
/*
 * A move may be lost, from now to @until, ns since boot: forgets in which control groups all
 * processes are.
 */
void bcos_who_forgets(struct bcos_log *log, u64 until);
/* States who sent the deadly signal, before the name of the process is cancelled. */
void bcos_who_killed(struct bcos_log *log, struct bcos_process *process);

/*
 * apply.c: returns the ID that the log shows for the incarnation of process @id with @tag (0: any):
 * @id, or the kernel if the process is hidden or unknown.
 */
u32 bcos_log_speaker(struct bcos_log *log, u32 id, u32 tag);
/*
 * Is the process the kernel, idle, or a reader of the log? The activity of these wakes no reader.
 */
bool bcos_log_is_quiet(const struct bcos_log *log, u32 id);

/* device.c: applies records about devices. */
void bcos_devices_apply(struct bcos_log *log, const struct bcos_raw *raw);
/* Names a device that a walk found, unless it is known. */
void bcos_devices_found(struct bcos_log *log, const struct bcos_raw *raw);
/* Returns the ID of the device with this key, or BCOS_NO_DEVICE. */
u32 bcos_devices_id(const struct bcos_log *log, u64 key);

/* interrupt.c: applies an IRQ or IRQ_NAME record. */
void bcos_devices_interrupt(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
/* Gives @device those of its interrupt lines that were known before the device. */
void bcos_interrupt_take_lines(struct bcos_log *log, struct bcos_device *device);

/* removal.c: cancels a device with the termination status @status. */
void bcos_device_cancel(struct bcos_log *log, struct bcos_device *device, u32 status);
/*
 * Returns the termination status of a device that goes: that of its driver if the driver is ending,
 * else 0, or BCOS_STATUS_KERNEL after a surprise removal.
 */
u32 bcos_device_reason_to_go(const struct bcos_log *log, const struct bcos_device *device,
			     const struct bcos_raw *raw);
/* Cancels the devices of a driver that ends, or gives them to the kernel (5.13). */
void bcos_devices_of_driver_end(struct bcos_log *log, struct bcos_process *driver, u32 status);
/* Cancels a device that a walk did not find. */
void bcos_devices_absent(struct bcos_log *log, struct bcos_device *device);

/* state.c: applies records of idle states and of thread states. */
void bcos_states_idle(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);
void bcos_states_task(struct bcos_log *log, u32 cpu, const struct bcos_raw *raw);

/* waking.c: initialises the wakings that are held back. */
void bcos_wakings_init(struct bcos_wakings *all);
/* Returns the process that the log shows for @id: the kernel, if it is hidden or gone. */
u32 bcos_thread_shown(const struct bcos_log *log, u32 id);
/* Writes an event about a thread of the process @process, at the log's time. */
void bcos_thread_tell(struct bcos_log *log, u32 process, const struct bcos_thread_phrase *phrase);
/*
 * Holds back that a thread was woken, unless there is doubt whether the record of its turn is
 * there. Returns false if it is to be told now.
 */
bool bcos_wakings_hold(struct bcos_log *log, u32 process, const struct bcos_thread_phrase *phrase);
/* Adds to what is told of a thread that runs how it was woken. */
void bcos_wakings_join(struct bcos_log *log, struct bcos_thread_phrase *phrase);
/* These tell the waking of a thread; all that name a process or thread which ends; and all. */
void bcos_wakings_tell(struct bcos_log *log, u32 thread);
void bcos_wakings_tell_of(struct bcos_log *log, u32 id);
void bcos_wakings_tell_all(struct bcos_log *log);
/* Records of threads may be lost, from now to @until, ns since boot. */
void bcos_wakings_doubt(struct bcos_log *log, u64 until);
void bcos_wakings_tell_due(struct bcos_log *log, u64 time);

/* Tells the wakings that have to be told before a record of @time, ns since boot, is applied. */
static __always_inline void bcos_wakings_look(struct bcos_log *log, u64 time)
{
	if (unlikely(time >= log->wakings.due))
		bcos_wakings_tell_due(log, time);
}

/*
 * thread.c: applies THREAD records; notes the end of thread @thread_id of process @id, a thread
 * that a walk found at load (returns false if there is no memory), one that a later walk found, and
 * the end of those that this walk did not find.
 */
void bcos_threads_apply(struct bcos_log *log, const struct bcos_raw *raw);
void bcos_threads_ended(struct bcos_log *log, u32 id, u32 thread_id);
bool bcos_threads_prime(struct bcos_log *log, const struct bcos_seen *seen);
void bcos_threads_compare(struct bcos_log *log, const struct bcos_seen *seen);
void bcos_threads_forget_unseen(struct bcos_log *log);

/* request.c: applies a REQUEST_* record. */
void bcos_requests_apply(struct bcos_log *log, const struct bcos_raw *raw);
/* What began until @time, in ns since boot, may have ended or begun anew without a record. */
void bcos_requests_doubt(struct bcos_log *log, u64 time);
/* Forgets the requests that have not ended. */
void bcos_requests_forget(struct bcos_log *log);

/* walk.c: notes the end of a process, which the walk under way may have seen alive. */
void bcos_log_gone(struct bcos_log *log, u32 id, u32 tag);
/* Has this process ended since the walk began? */
bool bcos_log_is_gone(const struct bcos_log *log, u32 id, u32 tag);
/* These two note and tell the end of a device in the same way. */
void bcos_log_gone_device(struct bcos_log *log, u64 key);
bool bcos_log_is_gone_device(const struct bcos_log *log, u64 key);
/* Forgets the result of a walk, and which processes died and which devices went meanwhile. */
void bcos_log_forget_walk(struct bcos_log *log);
/* resync.c: compares a part of what the walk found with the model. */
void bcos_log_resync(struct bcos_log *log);
/*
 * resync_device.c: compares a part of the devices that the walk found with the model. Returns true
 * when all are compared.
 */
bool bcos_log_resync_devices(struct bcos_log *log);

/*
 * loss.c: states which records were dropped since the last call, for lack of memory or of a name,
 * or above a limit. @horizon is the current time, ns since boot.
 */
void bcos_log_write_dropped(struct bcos_log *log, u64 horizon);

#endif
