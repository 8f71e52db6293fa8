/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* CPU time by core, CPU and process name, for formats of flame graphs. */
#ifndef CONVERT_STACKS_H
#define CONVERT_STACKS_H

#include "bcoslog_account.h"
#include "core/host/user.h"

/* The time for which processes of one name had a CPU. */
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

/*
 * Takes the next entry of the log. Returns 0 or -ENOMEM, which may also mean that all names together take more than 1
 * GiB.
 */
int stacks_entry(struct stacks *stacks, const struct bcos_entry *entry);

/*
 * Ends the account. Returns a list in the order of cores, CPUs and names, which the caller frees, or NULL if there is
 * no memory. The list leaves out idle time; "kernel" and "unknown" stand in it as names.
 */
const struct stack **stacks_end(struct stacks *stacks, size_t *count);

/* The totals of the account at stacks_end(). */
const struct bcoslog_account_totals *stacks_totals(const struct stacks *stacks);

#endif
