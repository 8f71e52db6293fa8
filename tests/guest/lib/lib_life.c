// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The lives of processes, as the log tells them: see lib.h. */
#include "lib.h"

/* A hash table with open addressing: by ID, the index + 1 of the newest life. */
struct table {
	uint32_t *slot;
	size_t size, used;
	const struct lives *lives;
};

static uint32_t *slot_of(const struct table *table, uint32_t id)
{
	size_t at = id * 2654435761u & (table->size - 1);

	while (table->slot[at] && table->lives->life[table->slot[at] - 1].id != id)
		at = (at + 1) & (table->size - 1);
	return &table->slot[at];
}

static void enlarge_table(struct table *table)
{
	uint32_t *old = table->slot;
	size_t size = table->size, i;

	table->size = size ? 2 * size : 1024;
	table->slot = calloc(table->size, sizeof(*table->slot));
	if (!table->slot)
		give_up("no memory");
	for (i = 0; i < size; i++)
		if (old[i])
			*slot_of(table, table->lives->life[old[i] - 1].id) = old[i];
	free(old);
}

static struct life *newest_life(const struct table *table, uint32_t id)
{
	uint32_t index = table->size ? *slot_of(table, id) : 0;

	return index ? &table->lives->life[index - 1] : NULL;
}

static void name_process(struct lives *lives, struct table *table, const struct bcos_entry *entry)
{
	struct life *life = newest_life(table, entry->source);
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;

	if (!life || life->dead) {
		if (2 * table->used >= table->size)
			enlarge_table(table);
		if (!(lives->count & (lives->count - 1)))
			lives->life = grow_memory(lives->life, (lives->count ? 2 * lives->count : 1) *
								 sizeof(*life));
		life = &lives->life[lives->count++];
		memset(life, 0, sizeof(*life));
		life->id = entry->source;
		life->born = entry->time;
		life->before = historical;
		life->birth = entry;
		table->used++;
		*slot_of(table, entry->source) = (uint32_t)lives->count;
	}
	life->names += !historical;
	snprintf(life->name, sizeof(life->name), "%s", entry_text(entry));
}

#define CPUS_MAX 1024

struct running {
	bool known;
	uint32_t process;
	uint64_t since;
};

static void count_time(const struct table *table, struct running *cpu, uint64_t until)
{
	struct life *life = cpu->known ? newest_life(table, cpu->process) : NULL;

	if (life && until > cpu->since)
		life->cpu_ns += until - cpu->since;
	cpu->since = until;
}

static void assign_cpu(const struct table *table, struct running *cpu, const struct bcos_entry *entry)
{
	struct life *life = newest_life(table, entry_word(entry));
	bool news = !(entry->type & BCOS_TYPE_HISTORICAL);

	if (!news && cpu->known)
		return;
	if (cpu->known)
		count_time(table, cpu, entry->time);
	*cpu = (struct running){ true, entry_word(entry), entry->time };
	if (!life || !news)
		return;
	life->assigned++;
	if (!life->first)
		life->first = entry;
}

struct lives lives_of(const struct log *log)
{
	static struct running running[CPUS_MAX];
	struct lives lives = { NULL, 0 };
	struct table table = { .lives = &lives };
	const struct bcos_entry *last = NULL;
	struct life *life;
	size_t i;

	memset(running, 0, sizeof(running));
	for_each_entry(entry, log) {
		switch (entry->type) {
		case BCOS_SET_PROCESS_NAME:
		case BCOS_HIST_SET_PROCESS_NAME:
			name_process(&lives, &table, entry);
			break;
		case BCOS_CANCEL_PROCESS_NAME:
			life = newest_life(&table, entry->source);
			if (!life || life->dead)
				break;
			life->dead = true;
			life->died = entry->time;
			life->status = entry_word(entry);
			life->end = entry;
			break;
		case BCOS_ASSIGN_CPU:
		case BCOS_HIST_ASSIGN_CPU:
			if (entry->source < CPUS_MAX)
				assign_cpu(&table, &running[entry->source], entry);
			break;
		case BCOS_CPU_OFFLINE:
			if (entry->source < CPUS_MAX)
				running[entry->source].known = false;
			break;
		}
		if (!(entry->type & BCOS_TYPE_HISTORICAL))
			last = entry;
	}
	for (i = 0; last && i < CPUS_MAX; i++)
		if (running[i].known)
			count_time(&table, &running[i], last->time);
	free(table.slot);
	return lives;
}

void lives_free(struct lives *lives)
{
	free(lives->life);
	lives->life = NULL;
	lives->count = 0;
}

struct life *life_since(const struct lives *lives, uint32_t id, uint64_t since)
{
	size_t i;

	for (i = 0; i < lives->count; i++)
		if (lives->life[i].id == id && !lives->life[i].before &&
		    lives->life[i].born >= since)
			return &lives->life[i];
	return NULL;
}
