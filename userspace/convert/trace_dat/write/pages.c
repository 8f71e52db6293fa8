// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages that are being written: see pages.h, and page.c for how a record begins. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../convert.h"
#include "../../log/temporary.h"
#include "pages.h"

#define LOST		(1ull << 31)
#define LOST_STORED	(1ull << 30)

#define TIME_BITS	27
#define TYPE_EXTEND	30
/* The length of a record in words is its type up to this. */
#define WORDS_MAX	28

int pages_begin(struct pages *pages, const char *output)
{
	char *folder = temporary_beside(output);
	int fd = folder ? temporary_file(folder) : -ENOMEM;

	free(folder);
	memset(pages, 0, sizeof(*pages));
	pages->fd = fd < 0 ? -1 : fd;
	return fd < 0 ? fd : 0;
}

static struct page_cpu *cpu_of(struct pages *pages, u32 cpu)
{
	u32 count = pages->cpu_count ? pages->cpu_count : 16;
	struct page_cpu *larger;

	if (likely(cpu < pages->cpu_count))
		return &pages->cpus[cpu];
	while (count <= cpu)
		count *= 2;
	larger = realloc(pages->cpus, count * sizeof(*larger));
	if (!larger) {
		pages->error = -ENOMEM;
		return NULL;
	}
	memset(larger + pages->cpu_count, 0, (count - pages->cpu_count) * sizeof(*larger));
	pages->cpus = larger;
	pages->cpu_count = count;
	return &pages->cpus[cpu];
}

static void put64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

static void put32(u8 *to, u32 value)
{
	memcpy(to, &value, sizeof(value));
}

/* Numbers a run that is written next. */
static void link_run(struct pages *pages, struct page_cpu *cpu)
{
	u32 room = pages->room ? pages->room * 2 : 1024, *larger;

	if (pages->count + 1 >= pages->room) {
		larger = room > pages->room ? realloc(pages->next, room * sizeof(*larger)) : NULL;
		if (!larger) {
			pages->error = -ENOMEM;
			return;
		}
		pages->next = larger;
		pages->room = room;
	}
	pages->count++;
	pages->next[pages->count] = 0;
	if (cpu->last)
		pages->next[cpu->last] = pages->count;
	else
		cpu->first = pages->count;
	cpu->last = pages->count;
}

static u64 place_of(u32 run)
{
	return (u64)(run - 1) * RUN_BYTES;
}

static void write_run(struct pages *pages, struct page_cpu *cpu)
{
	link_run(pages, cpu);
	if (!pages->error)
		pages->error = write_all_at(pages->fd, cpu->run, RUN_BYTES, place_of(pages->count));
}

static void end_page(struct pages *pages, struct page_cpu *cpu)
{
	u64 commit = cpu->used - PAGE_HEADER;

	memset(cpu->page + cpu->used, 0, PAGE_BYTES - cpu->used);
	if (cpu->lost) {
		commit |= LOST | LOST_STORED;
		put64(cpu->page + cpu->used, cpu->lost);
		cpu->lost = 0;
	}
	put64(cpu->page + 8, commit);
	cpu->count++;
	cpu->used = 0;
	if (cpu->count % RUN_PAGES == 0)
		write_run(pages, cpu);
}

static bool begin_page(struct pages *pages, struct page_cpu *cpu, u64 time)
{
	if (unlikely(!cpu->run)) {
		cpu->run = malloc(RUN_BYTES);
		if (!cpu->run) {
			pages->error = -ENOMEM;
			return false;
		}
	}
	cpu->page = cpu->run + cpu->count % RUN_PAGES * PAGE_BYTES;
	put64(cpu->page, time);
	cpu->used = PAGE_HEADER;
	cpu->time = time;
	return true;
}

u8 *pages_record(struct pages *pages, u32 id, u64 time, size_t size)
{
	struct page_cpu *cpu = cpu_of(pages, id);
	u32 words = (u32)(size + 3) / 4;
	u64 delta;
	u8 *at;

	if (unlikely(!cpu || pages->error))
		return NULL;
	if (time < cpu->time)
		time = cpu->time;
	/* At most four words precede the data, and the number of lost records follows it. */
	if (cpu->used && cpu->used + 16 + 4 * words + 8 > PAGE_BYTES)
		end_page(pages, cpu);
	if (!cpu->used && !begin_page(pages, cpu, time))
		return NULL;
	if (id >= pages->cpu_end)
		pages->cpu_end = id + 1;
	delta = time - cpu->time;
	cpu->time = time;
	at = cpu->page + cpu->used;
	if (unlikely(delta >> TIME_BITS)) {
		/* 59 bits, of which the kernel knows no more, either: 18 years. */
		put32(at, (u32)(delta & ((1u << TIME_BITS) - 1)) << 5 | TYPE_EXTEND);
		put32(at + 4, (u32)(delta >> TIME_BITS));
		at += 8;
		delta = 0;
	}
	if (words <= WORDS_MAX) {
		put32(at, (u32)delta << 5 | words);
		at += 4;
	} else {
		put32(at, (u32)delta << 5);
		put32(at + 4, 4 * words + 4);
		at += 8;
	}
	put32(at + 4 * (words - 1), 0);
	cpu->used = (u32)(at + 4 * words - cpu->page);
	return at;
}

void pages_lost(struct pages *pages, u32 id, u64 count)
{
	struct page_cpu *cpu = cpu_of(pages, id);

	if (!cpu)
		return;
	/* A page states the losses before it, so the current one ends here. */
	if (cpu->used)
		end_page(pages, cpu);
	cpu->lost += count;
}

int pages_end(struct pages *pages)
{
	u32 id;

	for (id = 0; id < pages->cpu_end; id++)
		if (pages->cpus[id].used)
			end_page(pages, &pages->cpus[id]);
	return pages->error;
}

int pages_copy(struct pages *pages, u32 id, struct outfile *to)
{
	const struct page_cpu *cpu = &pages->cpus[id];
	u32 run;
	int r;

	for (run = cpu->first; run && !to->error; run = pages->next[run]) {
		r = outfile_copy(to, pages->fd, place_of(run), RUN_BYTES);
		if (r)
			return r;
	}
	if (cpu->run)
		outfile_bytes(to, cpu->run, cpu->count % RUN_PAGES * PAGE_BYTES);
	return 0;
}

void pages_free(struct pages *pages)
{
	u32 id;

	for (id = 0; id < pages->cpu_count; id++)
		free(pages->cpus[id].run);
	free(pages->cpus);
	free(pages->next);
	if (pages->fd >= 0)
		close(pages->fd);
}
