// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CPU time by core, CPU and name: see stacks.h. */
#include <stdlib.h>

#include "stacks.h"

#define BUCKETS 4096
/* Size of a cache of stacks, hashed by process and CPU. */
#define FOUND 4096

/*
 * An entry of the cache. A process changes its name with each rename, so the entry is valid for one count of renames.
 */
struct found {
	u64 serial, renames;
	u32 core, cpu;
	struct stack *stack;
};

/* The limit of memory for all names together. */
#define MEMORY_MAX ((u64)1 << 30)

struct stacks {
	struct bcoslog_account *account;
	struct stack *buckets[BUCKETS];
	struct found found[FOUND];
	u64 count, memory;
	bool starved;
};

static u32 hash_stack(u32 core, u32 cpu, const char *name, size_t length)
{
	u32 value = (core * 0x9E3779B1u + cpu) * 0x85EBCA77u;

	while (length--)
		value = (value ^ (u8)*name++) * 0x01000193u;
	return (value ^ value >> 15) % BUCKETS;
}

static bool is_it(const struct stack *stack, const struct bcoslog_interval *interval, const char *name, size_t length)
{
	return stack->core == interval->core && stack->cpu == interval->cpu && stack->length == length &&
	       !memcmp(stack->name, name, length);
}

static struct stack *find_stack(struct stacks *stacks, const struct bcoslog_interval *interval, const char *name,
				size_t length)
{
	struct stack **bucket = &stacks->buckets[hash_stack(interval->core, interval->cpu, name, length)], *stack;

	for (stack = *bucket; stack; stack = stack->next)
		if (is_it(stack, interval, name, length))
			return stack;
	stacks->memory += sizeof(*stack) + length;
	stack = stacks->memory > MEMORY_MAX ? NULL : malloc(sizeof(*stack) + length);
	if (!stack) {
		stacks->starved = true;
		return NULL;
	}
	*stack = (struct stack){ .next = *bucket, .core = interval->core, .cpu = interval->cpu, .length = length };
	memcpy(stack->name, name, length);
	*bucket = stack;
	stacks->count++;
	return stack;
}

static struct stack *find_process(struct stacks *stacks, const struct bcoslog_interval *interval)
{
	const struct bcoslog_account_process *process = interval->process;
	struct found *found = &stacks->found[(process->serial * 31 + interval->cpu) % FOUND];

	if (likely(found->serial == process->serial && found->renames == process->renames &&
		   found->cpu == interval->cpu && found->core == interval->core))
		return found->stack;
	found->stack = find_stack(stacks, interval, process->name, process->name_length);
	found->serial = found->stack ? process->serial : 0;
	found->renames = process->renames;
	found->cpu = interval->cpu;
	found->core = interval->core;
	return found->stack;
}

static void add_interval(void *context, const struct bcoslog_interval *interval)
{
	static const char *const words[] = { [BCOSLOG_USE_KERNEL] = "kernel", [BCOSLOG_USE_IDLE] = "idle",
					     [BCOSLOG_USE_UNKNOWN] = "unknown" };
	bool process = interval->use == BCOSLOG_USE_PROCESS && interval->process;
	const char *name = process ? interval->process->name : words[interval->use];
	struct stacks *stacks = context;
	struct stack *stack;

	/* Idle time is nobody's time. */
	if (interval->use == BCOSLOG_USE_IDLE || interval->begin == interval->end)
		return;
	if (process)
		stack = find_process(stacks, interval);
	else
		stack = find_stack(stacks, interval, name, strlen(name));
	if (stack)
		stack->time += interval->end - interval->begin;
}

static int by_place(const void *left, const void *right)
{
	const struct stack *a = *(const struct stack *const *)left, *b = *(const struct stack *const *)right;
	size_t shorter = a->length < b->length ? a->length : b->length;
	int order;

	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	order = memcmp(a->name, b->name, shorter);
	return order ? order : a->length < b->length ? -1 : a->length > b->length;
}

struct stacks *stacks_new(void)
{
	struct stacks *stacks = calloc(1, sizeof(*stacks));
	struct bcoslog_account_options options = { .context = stacks, .interval = add_interval };

	if (!stacks)
		return NULL;
	stacks->account = bcoslog_account_new(&options);
	if (stacks->account)
		return stacks;
	free(stacks);
	return NULL;
}

void stacks_free(struct stacks *stacks)
{
	struct stack *stack, *next;
	size_t i;

	if (!stacks)
		return;
	for (i = 0; i < BUCKETS; i++) {
		for (stack = stacks->buckets[i]; stack; stack = next) {
			next = stack->next;
			free(stack);
		}
	}
	bcoslog_account_free(stacks->account);
	free(stacks);
}

int stacks_entry(struct stacks *stacks, const struct bcos_entry *entry)
{
	int r = bcoslog_account_entry(stacks->account, entry);

	return unlikely(stacks->starved) ? -ENOMEM : r;
}

const struct stack **stacks_end(struct stacks *stacks, size_t *count)
{
	const struct stack **list, *stack;
	size_t i;

	*count = 0;
	bcoslog_account_end(stacks->account);
	list = stacks->starved ? NULL : malloc((stacks->count + 1) * sizeof(*list));
	if (!list)
		return NULL;
	for (i = 0; i < BUCKETS; i++)
		for (stack = stacks->buckets[i]; stack; stack = stack->next)
			list[(*count)++] = stack;
	qsort(list, *count, sizeof(*list), by_place);
	return list;
}

const struct bcoslog_account_totals *stacks_totals(const struct stacks *stacks)
{
	return bcoslog_account_totals(stacks->account);
}
