/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known to have arrived. The recording is the queue, so this is all that a sender has to keep: how far each boot was
 * shipped, and what the processes that lived then had used before. It is one file, which is replaced as a whole.
 */
#ifndef SHIP_STATE_H
#define SHIP_STATE_H

#include "core/host/user.h"

/* What is known of a process from earlier entries than its last ones: the columns of the table life of these names. */
enum ship_number { SHIP_UID, SHIP_PARENT_PID, SHIP_KILLER_PID, SHIP_KILLER_UID, SHIP_OOM, SHIP_NUMBERS };
enum ship_fact { SHIP_PATH, SHIP_ARGUMENTS, SHIP_CGROUP, SHIP_PARENT_NAME, SHIP_KILLER_NAME, SHIP_FORMER, SHIP_FACTS };

/**
 * struct ship_process - a process that lived at the end of what was shipped
 * @upid: the process
 * @cpu: its CPU time, ns
 * @turns: how often a CPU was assigned to it
 * @since: since when both count, ns since boot
 * @numbers: what the log told of it; -1: unknown
 * @incomplete: something was lost that these sums count
 * @texts: likewise; NULL: unknown
 * @lengths: their lengths in bytes
 */
struct ship_process {
	u64 upid, cpu, turns, since;
	s64 numbers[SHIP_NUMBERS];
	bool incomplete;
	char *texts[SHIP_FACTS];
	size_t lengths[SHIP_FACTS];
};

/* Processes, in the order of @upid once they are sorted. */
struct ship_processes {
	struct ship_process *at;
	size_t count, room;
};

/**
 * struct ship_boot - a boot
 * @boot: its ID
 * @begun: something of it was shipped, or is being shipped
 * @shipped: what was before this time has arrived, ns since boot
 * @until: the time up to which rows are being sent, so that those sent again are the same; 0: none are
 * @seen: a time of an entry, not after @shipped if there is one, from which on the recording is read
 * @last: the newest time that the recording had
 * @closed: the recording had nothing after @shipped, and a later boot
 * @listed: the recording still has something of it
 * @processes: those that lived at @shipped
 */
struct ship_boot {
	char boot[40];
	bool begun, closed, listed;
	u64 shipped, until, seen, last;
	struct ship_processes processes;
};

/**
 * struct ship_state - what has arrived
 * @path: path of the file
 * @target: hash of the server's address and database, as digits
 * @source: hash of the recording's path and machine, as digits; empty: nothing was read of any yet
 * @lock: descriptor of the file beside it that one sender locks
 * @boots: the boots
 * @count: their number
 */
struct ship_state {
	const char *path;
	char target[65], source[65];
	int lock;
	struct ship_boot *boots;
	size_t count;
};

/*
 * Locks and reads the file; one that does not exist is an empty state. @server names the server in complaints, and @place is what
 * the file has to be of. ship_state_free() frees the state, also after a failure.
 * Return: 0, or -1 after a complaint.
 */
int ship_state_read(struct ship_state *state, const char *path, const char *server, const char *place);
/*
 * Notes of which machine of which recording the state is.
 * Return: 0, or -1 after a complaint that it is of another one, whose boots would seem to be deleted.
 */
int ship_state_note(struct ship_state *state, const char *recording, const char *machine);
/* Replaces the file, and has it on the disk.  Return: 0, or a negative errno; the file is what it was then. */
int ship_state_write(const struct ship_state *state);
void ship_state_free(struct ship_state *state);
/* Return: the boot of this ID, which is added if it is not there; NULL if there is no memory. */
struct ship_boot *ship_state_boot(struct ship_state *state, const char *boot);
/* Takes boots out that the recording has not any more. */
void ship_state_drop(struct ship_state *state);

/* Return: a process that is added, with nothing known; NULL if there is no memory. */
struct ship_process *ship_processes_add(struct ship_processes *processes);
void ship_processes_sort(struct ship_processes *processes);
/* Return: the process of this ID; NULL if there is none. */
const struct ship_process *ship_processes_find(const struct ship_processes *processes, u64 upid);
/* Frees the texts of a process. */
void ship_process_clear(struct ship_process *process);
void ship_processes_free(struct ship_processes *processes);
/* Keeps a copy of a text.  Return: 0 or -ENOMEM. */
int ship_process_set(struct ship_process *process, enum ship_fact fact, const char *text, size_t length);

#endif
