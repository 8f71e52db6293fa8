/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPU time by core, CPU and name of a process, for formats of flame graphs. */
#ifndef CONVERT_STACKS_H
#define CONVERT_STACKS_H

#include "bcoslog_account.h"
#include "core/host/user.h"

/* The time of a name on a CPU. */
struct stack {
	struct stack *next;
	u64 time;
	u32 core, cpu;
	size_t length;
	char name[];
};

struct stacks;

/* Return: NULL if there is no memory. */
struct stacks *stacks_new(void);
void stacks_free(struct stacks *stacks);

/* The next entry of the log. Returns 0 or -ENOMEM, also where all names together take more than 1 GiB. */
int stacks_entry(struct stacks *stacks, const struct bcos_entry *entry);

/*
 * The log ends. Returns a list, to be freed by the caller, in the order of cores, CPUs and names, or NULL if there is no
 * memory. Time for which a CPU was idle is not in it; "kernel" and "unknown" are names.
 */
const struct stack **stacks_end(struct stacks *stacks, size_t *count);

/* As of stacks_end(). */
const struct bcoslog_account_totals *stacks_totals(const struct stacks *stacks);

#endif
