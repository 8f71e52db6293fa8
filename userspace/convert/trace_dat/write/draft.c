// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Keeps records until the end of the log: see write.h. */
#include <errno.h>
#include <stdlib.h>

#include "../../caller.h"
#include "../../cpus.h"
#include "write.h"

enum kind {
	KIND_RECORD,		/* the bytes of the record follow */
	KIND_LOST,
	KIND_THREAD,		/* a struct switch_thread follows, which has the CPU */
	KIND_SWITCH,		/* to the thread in the slot */
	KIND_SWITCH_THREAD,	/* a struct switch_thread follows, which gets the CPU */
};

/* The head of each piece that is kept for a CPU. */
struct head {
	u64 time;		/* for KIND_LOST how many records were lost */
	u16 kind, slot;
	u32 value;		/* for a record its size, for a switch the state of the thread that leaves the CPU */
};

int draft_begin(struct draft *draft, const char *output)
{
	memset(draft, 0, sizeof(*draft));
	return runs_begin(&draft->runs, output);
}

static struct draft_cpu *larger_cpu(struct draft *draft, u32 cpu)
{
	struct draft_cpu *larger = cpus_grow(draft->cpus, &draft->cpu_count, sizeof(*larger), cpu);

	if (!larger) {
		draft->runs.error = -ENOMEM;
		return NULL;
	}
	draft->cpus = larger;
	return &draft->cpus[cpu];
}

static struct draft_cpu *cpu_of(struct draft *draft, u32 cpu)
{
	return likely(cpu < draft->cpu_count) ? &draft->cpus[cpu] : larger_cpu(draft, cpu);
}

/* Keeps a piece. Returns room for the @size bytes after its head, or NULL on an error. */
static inline u8 *keep_piece(struct draft *draft, struct draft_cpu *cpu, struct head head, size_t size)
{
	u8 *to = runs_add(&draft->runs, &cpu->runs, sizeof(head) + ((size + 7) & ~(size_t)7));

	if (unlikely(!to))
		return NULL;
	memcpy(to, &head, sizeof(head));
	return to + sizeof(head);
}

/* Counts a record, which the caller keeps next. Returns its CPU, or NULL if there is no memory. */
static inline struct draft_cpu *count_record(struct draft *draft, u32 id, u64 time, size_t size)
{
	struct draft_cpu *cpu = cpu_of(draft, id);

	if (unlikely(!cpu))
		return NULL;
	if (unlikely(!cpu->threads)) {
		cpu->threads = calloc(1, sizeof(*cpu->threads));
		if (!cpu->threads) {
			draft->runs.error = -ENOMEM;
			return NULL;
		}
	}
	if (id >= draft->cpu_end)
		draft->cpu_end = id + 1;
	cpu->lost = false;
	page_fill_add(&cpu->fill, time, size);
	return cpu;
}

u8 *draft_record(struct draft *draft, u32 id, u64 time, size_t size)
{
	struct draft_cpu *cpu = count_record(draft, id, time, size);

	if (!cpu)
		return NULL;
	return keep_piece(draft, cpu, (struct head){ .time = time, .kind = KIND_RECORD, .value = (u32)size }, size);
}

static bool is_same(const struct switch_thread *one, const struct switch_thread *other)
{
	return one->comm.words[0] == other->comm.words[0] && one->comm.words[1] == other->comm.words[1] &&
	       one->pid == other->pid && one->prio == other->prio;
}

/* Notes that a thread has the CPU. */
static void set_running(struct draft_threads *threads, u32 slot, const struct switch_thread *thread)
{
	threads->slots[slot] = *thread;
	threads->running = slot;
}

static void keep_thread(struct draft *draft, struct draft_cpu *cpu, struct head head,
			const struct switch_thread *thread)
{
	u8 *to = keep_piece(draft, cpu, head, sizeof(*thread));

	if (to)
		memcpy(to, thread, sizeof(*thread));
	set_running(cpu->threads, head.slot, thread);
}

void draft_switch(struct draft *draft, u32 id, u64 time, const struct switch_fields *fields)
{
	const struct switch_thread *prev = &fields->prev, *next = &fields->next;
	struct head head = { .time = time, .kind = KIND_SWITCH, .slot = next->pid % DRAFT_SLOTS,
			     .value = (u32)fields->prev_state };
	struct draft_cpu *cpu = count_record(draft, id, time, sizeof(struct record_switch));
	struct draft_threads *threads;

	if (unlikely(!cpu))
		return;
	threads = cpu->threads;
	if (unlikely(!is_same(&threads->slots[threads->running], prev)))
		keep_thread(draft, cpu, (struct head){ .kind = KIND_THREAD, .slot = prev->pid % DRAFT_SLOTS }, prev);
	if (likely(is_same(&threads->slots[head.slot], next))) {
		keep_piece(draft, cpu, head, 0);
		threads->running = head.slot;
	} else {
		head.kind = KIND_SWITCH_THREAD;
		keep_thread(draft, cpu, head, next);
	}
}

void draft_lost(struct draft *draft, u32 id, u64 count)
{
	struct draft_cpu *cpu = cpu_of(draft, id);

	if (!cpu)
		return;
	keep_piece(draft, cpu, (struct head){ .time = count, .kind = KIND_LOST }, 0);
	cpu->fill.used = 0;
	cpu->lost = true;
}

/* ---- the pages -------------------------------------------------------------------- */

/* A CPU whose pages are being written. Each slot is set before a switch names it, so the slots need not be cleared. */
struct writing {
	struct pages pages;
	struct draft_threads *threads;
};

static void write_switch(struct writing *writing, const struct head *head, const struct switch_thread *thread)
{
	struct draft_threads *threads = writing->threads;
	const struct switch_thread *prev = &threads->slots[threads->running];
	struct record_switch *record =
		(struct record_switch *)pages_record(&writing->pages, head->time, sizeof(*record));

	record->common = (struct common){ .number = PERF_POINT_FIRST + POINT_SWITCH, .pid = prev->pid };
	record->fields = (struct switch_fields){ *prev, head->value, *thread };
}

/* Writes a piece. Returns how many bytes follow its head. */
static size_t write_piece(struct writing *writing, const struct head *head)
{
	const struct switch_thread *thread = (const struct switch_thread *)(head + 1);

	switch ((enum kind)head->kind) {
	case KIND_RECORD:
		memcpy(pages_record(&writing->pages, head->time, head->value), head + 1, head->value);
		return head->value;
	case KIND_LOST:
		pages_lost(&writing->pages, head->time);
		return 0;
	case KIND_THREAD:
		set_running(writing->threads, head->slot, thread);
		return sizeof(*thread);
	case KIND_SWITCH:
		write_switch(writing, head, &writing->threads->slots[head->slot]);
		writing->threads->running = head->slot;
		return 0;
	case KIND_SWITCH_THREAD:
		write_switch(writing, head, thread);
		set_running(writing->threads, head->slot, thread);
		return sizeof(*thread);
	}
	return 0;
}

static int write_run(void *context, const struct run *run)
{
	struct writing *writing = context;
	size_t at, size;

	for (at = 0; at < run->used; at += sizeof(struct head) + ((size + 7) & ~(size_t)7))
		size = write_piece(writing, (const struct head *)(run->bytes + at));
	return convert_interrupted() || writing->pages.to->error ? -EINTR : 0;
}

int draft_write(struct draft *draft, u32 id, struct outfile *to)
{
	struct draft_cpu *cpu = &draft->cpus[id];
	struct writing writing = { .pages = { .to = to }, .threads = cpu->threads };
	int r;

	if (!cpu->threads)
		return 0;
	r = runs_each(&draft->runs, &cpu->runs, write_run, &writing);
	pages_end(&writing.pages);
	return to->error ? 0 : r;
}

void draft_free(struct draft *draft)
{
	u32 id;

	for (id = 0; id < draft->cpu_count; id++) {
		free(draft->cpus[id].runs.run);
		free(draft->cpus[id].threads);
	}
	free(draft->cpus);
	runs_end(&draft->runs);
}
