/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPU time by core, CPU and process, with the parents of each process, for formats of flame graphs. */
#ifndef CONVERT_STACKS_H
#define CONVERT_STACKS_H

#include "bcoslog_account.h"
#include "core/host/user.h"

/* Names are cut to this many bytes. */
#define STACKS_NAME 63u
/* Ancestors beyond this many generations are left out, so that the output is bounded by a multiple of the log. */
#define STACKS_DEPTH 32u

/**
 * struct stacks_process - a process of the log, from its birth to its end
 * @next: the process that was added before
 * @parent: its parent at its birth, which was added to the account before it; NULL: the log does not tell the parent
 * @serial: number in the account
 * @renames: count of renames up to @name
 * @frame: a number for the format's use; 0 at first
 * @id: its ID
 * @length: bytes of @name
 * @name: its newest name
 */
struct stacks_process {
	struct stacks_process *next, *parent;
	u64 serial, renames, frame;
	u32 id;
	size_t length;
	char name[STACKS_NAME];
};

/* The time for which a process had a CPU. @process: NULL: the log does not tell who had it */
struct stack {
	struct stack *next;
	u64 time;
	u32 core, cpu;
	struct stacks_process *process;
};

struct stacks;

/* Return: NULL if there is no memory. */
struct stacks *stacks_new(void);
void stacks_free(struct stacks *stacks);

/*
 * Takes the next entry of the log. Returns 0 or -ENOMEM, which may also mean that all processes together take more than 1
 * GiB.
 */
int stacks_entry(struct stacks *stacks, const struct bcos_entry *entry);

/*
 * Ends the account. Returns a list in the order of cores, CPUs and process IDs, which the caller frees, or NULL if there
 * is no memory. The list leaves out idle time.
 */
const struct stack **stacks_end(struct stacks *stacks, size_t *count);

/**
 * stacks_chain() - list a process and its ancestors
 * @process: the process
 * @chain: room for STACKS_DEPTH processes; the oldest comes first, @process last
 * @root: out: a frame before the oldest: why its parent is missing; NULL: it is the kernel, which has none
 *
 * Return: how many there are.
 */
size_t stacks_chain(struct stacks_process *process, struct stacks_process **chain, const char **root);

/* Room for the text of a frame, with a zero byte. */
#define STACKS_FRAME (STACKS_NAME + 16)

/* Writes the frame of a process, such as "sh [10]". Returns its length. */
size_t stacks_frame(const struct stacks_process *process, char *text);

/* The totals of the account at stacks_end(). */
const struct bcoslog_account_totals *stacks_totals(const struct stacks *stacks);

#endif
