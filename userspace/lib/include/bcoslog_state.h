/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The states of libbcoslog; programs include bcoslog.h.
 *
 * A state follows a log.  The caller applies each entry, and may then ask which processes, devices, cores and CPUs
 * there are, and which process each CPU executes.  The structures that the functions return are valid until the next
 * bcoslog_state_apply().
 */
#ifndef BCOSLOG_STATE_H
#define BCOSLOG_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "bcos_evlog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct bcoslog_state;

/**
 * struct bcoslog_process - a process at the present place of the log
 * @id: its ID
 * @cpus: number of CPUs that execute it
 * @devices: number of devices whose driver it is
 * @precision: precision of @start (4.4), ns
 * @start: when it began
 * @name: its name, which no zero byte terminates
 * @name_length: length of @name in bytes
 */
struct bcoslog_process {
	__u32 id;
	__u32 cpus;
	__u32 devices;
	__u32 precision;
	__u64 start;
	const char *name;
	size_t name_length;
};

/**
 * struct bcoslog_device - a device at the present place of the log
 * @id: its ID
 * @driver: ID of the process that is its driver
 * @precision: precision of @start (4.4), ns
 * @start: when it became ready for use
 * @name: its name, which no zero byte terminates
 * @name_length: length of @name in bytes
 */
struct bcoslog_device {
	__u32 id;
	__u32 driver;
	__u32 precision;
	__u64 start;
	const char *name;
	size_t name_length;
};

/**
 * struct bcoslog_core - a core at the present place of the log, with its estimates (5.5)
 * @id: its ID
 * @cpus: number of its CPUs that are online
 * @precision: precision of @start (4.4), ns
 * @idle_power: power while all its CPUs are idle, in units of 2 mW; 0 if unknown
 * @power_difference: additional power while a CPU is busy, in units of 2 mW
 * @start: when it came online
 * @performance: for 1, 2, ... busy CPUs, the instructions that each of them executes in 125 us (5.5.2)
 * @performances: number of elements of @performance; 0 if unknown
 */
struct bcoslog_core {
	__u32 id;
	__u32 cpus;
	__u32 precision;
	__u16 idle_power;
	__u16 power_difference;
	__u64 start;
	const __u32 *performance;
	size_t performances;
};

/**
 * struct bcoslog_cpu - an online CPU at the present place of the log
 * @id: its ID
 * @core: ID of its core
 * @precision: precision of @start (4.4), ns
 * @assigned: the log says which process the CPU executes, and @process and @since are valid
 * @process: ID of the process that it executes; 0 is the kernel
 * @start: when it came online
 * @since: when @process was assigned to it
 */
struct bcoslog_cpu {
	__u32 id;
	__u32 core;
	__u32 precision;
	bool assigned;
	__u32 process;
	__u64 start;
	__u64 since;
};

/* Return: a state that knows nothing; NULL if there is no memory. */
struct bcoslog_state *bcoslog_state_new(void);

/* Free a state.  NULL is ignored. */
void bcoslog_state_free(struct bcoslog_state *state);

/**
 * enum bcoslog_news - the relation of a historical entry or a statement to the present state
 * @BCOSLOG_NEWS: it adds something; normal entries always do
 * @BCOSLOG_REPEATED: it repeats what is known, so readers ignore it (3.1)
 * @BCOSLOG_OTHER_TIME: it contradicts the known time
 * @BCOSLOG_OTHER_NAME: it contradicts the known name
 * @BCOSLOG_OTHER_DRIVER: it contradicts the known driver
 * @BCOSLOG_OTHER_CORE: it contradicts the known core
 * @BCOSLOG_OTHER_PROCESS: it contradicts the known assignment
 * @BCOSLOG_OTHER_ESTIMATE: it contradicts the known performance or power
 */
enum bcoslog_news {
	BCOSLOG_NEWS,
	BCOSLOG_REPEATED,
	BCOSLOG_OTHER_TIME,
	BCOSLOG_OTHER_NAME,
	BCOSLOG_OTHER_DRIVER,
	BCOSLOG_OTHER_CORE,
	BCOSLOG_OTHER_PROCESS,
	BCOSLOG_OTHER_ESTIMATE,
};

/* Return: the relation of @entry, which is well-formed, to the present state. */
enum bcoslog_news bcoslog_state_compare(const struct bcoslog_state *state,
					const struct bcos_entry *entry);

/**
 * bcoslog_state_apply() - apply the next entry of the log
 * @state: the state
 * @entry: a well-formed entry
 *
 * An entry about a process, device, core or CPU that the log has not introduced changes nothing.  The notice that
 * entries were overwritten unread empties the state.
 *
 * Return: 0, or -ENOMEM if there is no memory or the names need more than 1 GiB.
 */
int bcoslog_state_apply(struct bcoslog_state *state, const struct bcos_entry *entry);

/* Empty the state, as is necessary where reading resumes at a group after damage. */
void bcoslog_state_forget(struct bcoslog_state *state);

/* Return: the object with this ID; NULL if it does not exist, or is offline, at the present place of the log. */
const struct bcoslog_process *bcoslog_process(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_device *bcoslog_device(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_core *bcoslog_core(const struct bcoslog_state *state, __u32 id);
const struct bcoslog_cpu *bcoslog_cpu(const struct bcoslog_state *state, __u32 id);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
