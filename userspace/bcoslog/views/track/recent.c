// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Remembers the last turns of each CPU: see recent.h. */
#include <stdlib.h>

#include "account/report.h"
#include "entry/text.h"
#include "recent.h"
#include "state/table.h"

struct turn {
	u64 begin, end;
	struct recent_use of;		/* its @time and @partial are not used */
};

struct cpu {
	struct node node;
	u64 count;			/* number of all turns; @turns has the newest of them as a ring */
	size_t room;
	struct turn *turns;
};

/* A power of two that is at least twice the number of uses: one for each remembered turn, and the present one. */
#define PLACES (4 * RECENT_TURNS)

/*
 * A hash table of the time that a CPU had each use in a stretch. A place is in use only if it was written in the
 * present round, so nothing has to be cleared. @present is the use of the CPU whose turn has not ended.
 */
struct recent_sums {
	struct sum {
		u64 key, time;
		u64 round;
		const struct recent_use *of;
	} place[PLACES];
	u64 round;
	const struct sum *most;
	struct recent_use present;
};

static struct cpu *find_cpu(const struct recent *recent, u32 id)
{
	return recent->cpus.buckets ? table_find(&recent->cpus, id) : NULL;
}

static struct cpu *make_cpu(struct recent *recent, u32 id)
{
	if (!recent->cpus.buckets && table_init(&recent->cpus))
		return NULL;
	if (!recent->sums)
		recent->sums = calloc(1, sizeof(*recent->sums));
	return recent->sums ? item_add(&recent->cpus, &recent->memory, id, sizeof(struct cpu)) : NULL;
}

/* Return: a place for one more turn, which is that of the oldest one if all are used; NULL if there is no memory. */
static struct turn *place_turn(struct cpu *cpu)
{
	struct turn *larger;
	size_t room;

	if (cpu->count == cpu->room && cpu->room < RECENT_TURNS) {
		room = cpu->room ? 4 * cpu->room : 4;
		larger = reallocarray(cpu->turns, room, sizeof(*larger));
		if (!larger)
			return NULL;
		cpu->turns = larger;
		cpu->room = room;
	}
	return &cpu->turns[cpu->count++ % cpu->room];
}

void recent_name_it(struct recent_use *of, const char *name, size_t length)
{
	of->name_length = utf8_fit(name, length, RECENT_NAME);
	memcpy(of->name, name, of->name_length);
}

void recent_describe(struct recent_use *of, enum bcoslog_use use, const struct bcoslog_account_process *process)
{
	memset(of, 0, sizeof(*of));
	of->use = use;
	if (!process)
		return;
	of->process = process->id;
	of->serial = process->serial;
	recent_name_it(of, process->name, process->name_length);
}

int recent_add(struct recent *recent, const struct bcoslog_interval *interval)
{
	struct cpu *cpu = find_cpu(recent, interval->cpu);
	struct turn *turn;

	if (!cpu)
		cpu = make_cpu(recent, interval->cpu);
	turn = cpu ? place_turn(cpu) : NULL;
	if (!turn)
		return -ENOMEM;
	turn->begin = interval->begin;
	turn->end = interval->end;
	recent_describe(&turn->of, interval->use, interval->process);
	return 0;
}

/* Return: the key of a use: the number of the process's incarnation, or without a process the complement of the use. */
static u64 key_of(const struct recent_use *of)
{
	return of->serial ? of->serial : ~(u64)of->use;
}

/* Adds a stretch of a use. @of has to stay in place until the next round. */
static void sum_use(struct recent_sums *sums, const struct recent_use *of, u64 begin, u64 end)
{
	u64 key = key_of(of), at = key * 0x9E3779B97F4A7C15ull >> 52;
	struct sum *place = &sums->place[at];

	while (place->round == sums->round && place->key != key)
		place = &sums->place[++at % PLACES];
	if (place->round != sums->round)
		*place = (struct sum){ .key = key, .round = sums->round, .of = of };
	sum_add(&place->time, end - begin);
	if (!sums->most || place->time > sums->most->time)
		sums->most = place;
}

/* Adds the present use of the CPU, whose turn has not ended.  Return: the begin of that turn, or @begin or @end. */
static u64 sum_present(struct recent_sums *sums, const struct bcoslog_account *account, const struct cpu *cpu, u64 begin,
		       u64 end)
{
	const struct bcoslog_account_cpu *each = bcoslog_account_cpu(account, cpu->node.id);
	u64 since = cpu->count ? cpu->turns[(cpu->count - 1) % cpu->room].end : begin;

	if (since < begin)
		since = begin;
	if (!each || since >= end)
		return end;
	recent_describe(&sums->present, each->use, each->process);
	sum_use(sums, &sums->present, since, end);
	return since;
}

/*
 * Gets the use that the CPU had for the longest time from @begin to @end, which is now.
 * Return: false if no use is known.
 */
static bool recent_most(const struct recent *recent, const struct bcoslog_account *account, u32 id, u64 begin, u64 end,
			struct recent_use *most)
{
	const struct cpu *cpu = find_cpu(recent, id);
	struct recent_sums *sums = recent->sums;
	const struct turn *turn;
	u64 at, reached;

	memset(most, 0, sizeof(*most));
	if (!cpu)
		return false;
	sums->round++;
	sums->most = NULL;
	reached = sum_present(sums, account, cpu, begin, end);
	for (at = cpu->count; at && at + cpu->room > cpu->count; at--) {
		turn = &cpu->turns[(at - 1) % cpu->room];
		if (turn->end <= begin)
			break;
		reached = turn->begin > begin ? turn->begin : begin;
		sum_use(sums, &turn->of, reached, turn->end < end ? turn->end : end);
	}
	if (sums->most) {
		*most = *sums->most->of;
		most->time = sums->most->time;
	}
	most->partial = reached > begin;
	return most->time;
}

void recent_stretch(const struct recent *recent, struct stretch *stretch, const struct bcoslog_account *account, u32 left,
		    const struct bcoslog_stretch *of)
{
	*stretch = (struct stretch){
		.begin = of->begin, .end = of->end, .unknown = of->unknown, .left = left, .cpu = of->cpu,
	};
	stretch->cut = of->cut;
	stretch->known = recent_most(recent, account, left, of->begin, of->end, &stretch->instead);
}

static void release_cpu(struct node *node)
{
	free(((struct cpu *)node)->turns);
	free(node);
}

void recent_free(struct recent *recent)
{
	if (recent->cpus.buckets)
		table_destroy(&recent->cpus, release_cpu);
	free(recent->sums);
	memset(recent, 0, sizeof(*recent));
}

struct cell recent_name(const struct recent_use *use)
{
	if (use->use == BCOSLOG_USE_IDLE)
		return CELL_WORD("idle");
	if (use->use == BCOSLOG_USE_UNKNOWN)
		return CELL_NONE;
	return (struct cell){ .text = use->name, .length = use->name_length };
}
