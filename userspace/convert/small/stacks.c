// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CPU time by core, CPU and process: see small.h. */
#include <stdlib.h>

#include "account/report.h"
#include "entry/who.h"
#include "entry/text.h"
#include "small.h"

#define BUCKETS 4096
/* Size of a cache of stacks, hashed by process and CPU. */
#define FOUND 4096

/* An entry of the cache. */
struct found {
	const struct stacks_process *process;
	u32 core, cpu;
	struct stack *stack;
};

/* The limit of memory for all processes and stacks together. */
#define MEMORY_MAX ((u64)1 << 30)

struct stacks {
	struct bcoslog_account *account;
	struct stacks_process *processes;
	struct stack *buckets[BUCKETS];
	struct found found[FOUND];
	u64 count, memory;
	bool starved;
};

static void *take_memory(struct stacks *stacks, size_t size)
{
	void *memory;

	stacks->memory += size;
	memory = stacks->memory > MEMORY_MAX ? NULL : calloc(1, size);
	if (!memory)
		stacks->starved = true;
	return memory;
}

/* ---- processes ------------------------------------------------------------------- */

static void name_process(struct stacks_process *process, const char *name, size_t length)
{
	process->length = utf8_fit(name, length, STACKS_NAME);
	memcpy(process->name, name, process->length);
}

static struct stacks_process *add_process(struct stacks *stacks, u32 id, const char *name, size_t length)
{
	struct stacks_process *process = take_memory(stacks, sizeof(*process));

	if (!process)
		return NULL;
	process->next = stacks->processes;
	stacks->processes = process;
	process->id = id;
	name_process(process, name, length);
	return process;
}

/* Returns what belongs to a process of the account, with its present name; NULL if there is no memory. */
static struct stacks_process *process_of(struct stacks *stacks, const struct bcoslog_account_process *known)
{
	struct stacks_process *process = known->user;

	if (likely(process)) {
		if (unlikely(process->renames != known->renames))
			name_process(process, known->name, known->name_length);
		process->renames = known->renames;
		return process;
	}
	process = add_process(stacks, known->id, known->name, known->name_length);
	if (process) {
		process->serial = known->serial;
		process->renames = known->renames;
		bcoslog_account_set_user(known, process);
	}
	return process;
}

/* Takes an event that tells the parent of a new process. */
static void learn_parent(struct stacks *stacks, const struct bcos_entry *entry)
{
	const struct bcoslog_account_process *child = bcoslog_account_process(stacks->account, entry->source), *known;
	struct stacks_process *process, *parent;
	struct bcoslog_parent told;
	size_t length;
	const char *text = bcoslog_text(entry, &length);

	if (!child || child->id == BCOS_PROCESS_KERNEL || bcoslog_parent(&told, text, length))
		return;
	known = bcoslog_account_process(stacks->account, told.process);
	/* A process that came into the log after its child is another process with the ID of the parent. */
	if (known && known->serial >= child->serial)
		known = NULL;
	process = process_of(stacks, child);
	if (!process || process->parent)
		return;
	parent = known ? process_of(stacks, known) :
		add_process(stacks, told.process, told.name ? told.name : "?", told.name ? told.name_length : 1);
	process->parent = parent;
}

/* ---- stacks ---------------------------------------------------------------------- */

static u32 hash_stack(const struct bcoslog_interval *interval, const struct stacks_process *process)
{
	u32 value = (interval->core * 0x9E3779B1u + interval->cpu) * 0x85EBCA77u;

	value ^= (u32)((uintptr_t)process >> 4) * 0x9E3779B1u;
	return value ^ value >> 15;
}

static struct stack *find_stack(struct stacks *stacks, const struct bcoslog_interval *interval,
				struct stacks_process *process)
{
	u32 hash = hash_stack(interval, process);
	struct stack **bucket = &stacks->buckets[hash % BUCKETS], *stack;
	struct found *found = &stacks->found[hash % FOUND];

	if (likely(found->stack && found->process == process && found->cpu == interval->cpu &&
		   found->core == interval->core))
		return found->stack;
	for (stack = *bucket; stack; stack = stack->next)
		if (stack->core == interval->core && stack->cpu == interval->cpu && stack->process == process)
			break;
	if (!stack) {
		stack = take_memory(stacks, sizeof(*stack));
		if (!stack)
			return NULL;
		stack->next = *bucket;
		stack->core = interval->core;
		stack->cpu = interval->cpu;
		stack->process = process;
		*bucket = stack;
		stacks->count++;
	}
	*found = (struct found){ process, interval->core, interval->cpu, stack };
	return stack;
}

static void add_interval(void *context, const struct bcoslog_interval *interval)
{
	struct stacks *stacks = context;
	struct stacks_process *process = NULL;
	struct stack *stack;

	if (interval->use == BCOSLOG_USE_IDLE || interval->begin == interval->end)
		return;
	if (interval->process) {
		process = process_of(stacks, interval->process);
		if (!process)
			return;
	}
	stack = find_stack(stacks, interval, process);
	if (stack)
		stack->time += interval->end - interval->begin;
}

/* The kernel comes first, then nobody known. */
static int by_place(const void *left, const void *right)
{
	const struct stack *a = *(const struct stack *const *)left, *b = *(const struct stack *const *)right;
	u64 first = a->process ? a->process->id : 0, second = b->process ? b->process->id : 0;

	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (first != second)
		return first < second ? -1 : 1;
	if (!a->process || !b->process)
		return !a->process - !b->process;
	return a->process->serial < b->process->serial ? -1 : a->process->serial > b->process->serial;
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
	struct stacks_process *process, *before;
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
	for (process = stacks->processes; process; process = before) {
		before = process->next;
		free(process);
	}
	bcoslog_account_free(stacks->account);
	free(stacks);
}

int stacks_entry(struct stacks *stacks, const struct bcos_entry *entry)
{
	int r = bcoslog_account_entry(stacks->account, entry);

	if (unlikely(entry->type == BCOS_GENERIC_PROCESS) &&
	    ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_PARENT)
		learn_parent(stacks, entry);
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

/* ---- frames ---------------------------------------------------------------------- */

size_t stacks_chain(struct stacks_process *process, struct stacks_process **chain, const char **root)
{
	struct stacks_process *at = process;
	size_t count = 1, i;

	while (at->parent && count < STACKS_DEPTH) {
		at = at->parent;
		count++;
	}
	*root = at->parent ? "older ancestors left out" : at->id == BCOS_PROCESS_KERNEL ? NULL : "parent unknown";
	for (at = process, i = count; i > 0; at = at->parent)
		chain[--i] = at;
	return count;
}

size_t stacks_frame(const struct stacks_process *process, char *text)
{
	size_t length = process->length;

	if (process->id == BCOS_PROCESS_KERNEL)
		return (size_t)sprintf(text, "kernel");
	memcpy(text, process->name, length);
	return length + (size_t)sprintf(text + length, " [%u]", process->id);
}

const struct bcoslog_account_totals *stacks_totals(const struct stacks *stacks)
{
	return bcoslog_account_totals(stacks->account);
}
