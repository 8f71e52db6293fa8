// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Folded stacks, which flame graphs are drawn from: a line for each core, CPU and name of a process, and the nanoseconds
 * for which the CPU was assigned to processes of that name.
 */
#include <stdlib.h>

#include "../convert.h"

/* The time of a name on a CPU. A semicolon separates frames, a line ends a stack. */
struct stack {
	struct stack *next;
	u64 time;
	u32 core, cpu;
	size_t length;
	char name[];
};

#define BUCKETS 4096
/* Stacks that were found, by process and CPU. */
#define FOUND 4096

/* A name is that of a process from one rename to the next. */
struct found {
	u64 serial, renames;
	u32 core, cpu;
	struct stack *stack;
};

/* All names together. */
#define MEMORY_MAX ((u64)1 << 30)

struct folded {
	struct bcoslog_account *account;
	struct stack *buckets[BUCKETS];
	struct found found[FOUND];
	u64 count, memory;
	bool starved;
};

static u32 hash(u32 core, u32 cpu, const char *name, size_t length)
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

static struct stack *find(struct folded *folded, const struct bcoslog_interval *interval, const char *name, size_t length)
{
	struct stack **bucket = &folded->buckets[hash(interval->core, interval->cpu, name, length)], *stack;

	for (stack = *bucket; stack; stack = stack->next)
		if (is_it(stack, interval, name, length))
			return stack;
	folded->memory += sizeof(*stack) + length;
	stack = folded->memory > MEMORY_MAX ? NULL : malloc(sizeof(*stack) + length);
	if (!stack) {
		folded->starved = true;
		return NULL;
	}
	*stack = (struct stack){ .next = *bucket, .core = interval->core, .cpu = interval->cpu, .length = length };
	memcpy(stack->name, name, length);
	*bucket = stack;
	folded->count++;
	return stack;
}

static struct stack *find_process(struct folded *folded, const struct bcoslog_interval *interval)
{
	const struct bcoslog_account_process *process = interval->process;
	struct found *found = &folded->found[(process->serial * 31 + interval->cpu) % FOUND];

	if (likely(found->serial == process->serial && found->renames == process->renames && found->cpu == interval->cpu &&
		   found->core == interval->core))
		return found->stack;
	found->stack = find(folded, interval, process->name, process->name_length);
	found->serial = found->stack ? process->serial : 0;
	found->renames = process->renames;
	found->cpu = interval->cpu;
	found->core = interval->core;
	return found->stack;
}

static void add(void *context, const struct bcoslog_interval *interval)
{
	static const char *const words[] = { [BCOSLOG_USE_KERNEL] = "kernel", [BCOSLOG_USE_IDLE] = "idle",
					     [BCOSLOG_USE_UNKNOWN] = "unknown" };
	bool process = interval->use == BCOSLOG_USE_PROCESS && interval->process;
	const char *name = process ? interval->process->name : words[interval->use];
	struct folded *folded = context;
	struct stack *stack;

	/* A CPU that is idle takes no time of anybody. */
	if (interval->use == BCOSLOG_USE_IDLE || interval->begin == interval->end)
		return;
	if (process)
		stack = find_process(folded, interval);
	else
		stack = find(folded, interval, name, strlen(name));
	if (stack)
		stack->time += interval->end - interval->begin;
}

static int folded_begin(struct export *export)
{
	struct folded *folded = calloc(1, sizeof(*folded));
	struct bcoslog_account_options options = { .context = folded, .interval = add };

	export->own = folded;
	if (folded)
		folded->account = bcoslog_account_new(&options);
	if (folded && folded->account)
		return 0;
	complain("no memory");
	return -ENOMEM;
}

static int folded_entry(struct export *export, const struct bcos_entry *entry)
{
	struct folded *folded = export->own;

	if (!bcoslog_account_entry(folded->account, entry) && !folded->starved)
		return 0;
	complain("no memory for the names in %s", export->path);
	return -ENOMEM;
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

/* What would end the frame or the line, and whatever a terminal obeys, is shown as "_". */
static void put_name(struct outfile *file, const struct stack *stack)
{
	size_t i;
	char c;

	for (i = 0; i < stack->length; i++) {
		c = stack->name[i];
		outfile_bytes(file, c == ';' || (u8)c < 0x20 || c == 0x7F ? "_" : &c, 1);
	}
}

static int folded_end(struct export *export)
{
	struct folded *folded = export->own;
	struct outfile *file = &export->output->file;
	struct stack **list, *stack;
	size_t i, n = 0;

	bcoslog_account_end(folded->account);
	list = malloc((folded->count + 1) * sizeof(*list));
	if (!list || folded->starved) {
		free(list);
		complain("no memory for the names in %s", export->path);
		return -ENOMEM;
	}
	for (i = 0; i < BUCKETS; i++)
		for (stack = folded->buckets[i]; stack; stack = stack->next)
			list[n++] = stack;
	qsort(list, n, sizeof(*list), by_place);
	for (i = 0; i < n; i++) {
		outfile_format(file, "core %u;CPU %u;", list[i]->core, list[i]->cpu);
		put_name(file, list[i]);
		outfile_format(file, " %llu\n", (unsigned long long)list[i]->time);
	}
	free(list);
	return 0;
}

static void folded_free(struct export *export)
{
	struct folded *folded = export->own;
	struct stack *stack, *next;
	size_t i;

	if (!folded)
		return;
	for (i = 0; i < BUCKETS; i++) {
		for (stack = folded->buckets[i]; stack; stack = next) {
			next = stack->next;
			free(stack);
		}
	}
	bcoslog_account_free(folded->account);
	free(folded);
}

const struct exporter folded_exporter = {
	.name = "folded",
	.suffix = ".folded",
	.help = "folded stacks of CPU time by core, CPU and name, for flame graphs",
	.text = true,
	.begin = folded_begin,
	.entry = folded_entry,
	.end = folded_end,
	.free = folded_free,
};
