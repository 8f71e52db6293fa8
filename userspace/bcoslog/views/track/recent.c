// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Who had each CPU lately: see recent.h. */
#include <stdlib.h>

#include "recent.h"

struct turn {
	u64 begin, end;
	struct recent_use of;		/* its time is not used */
};

struct cpu {
	u32 id;
	u64 count;			/* of all turns; the newest RECENT_TURNS are there */
	size_t room;
	struct turn *turns;
};

static struct {
	struct cpu *cpus;
	size_t count;
} recent;

static struct cpu *find(u32 id)
{
	size_t i;

	/* CPUs are few, and take turns. */
	for (i = 0; i < recent.count; i++)
		if (recent.cpus[i].id == id)
			return &recent.cpus[i];
	return NULL;
}

static struct cpu *make(u32 id)
{
	struct cpu *larger = reallocarray(recent.cpus, recent.count + 1, sizeof(*larger));

	if (!larger)
		return NULL;
	recent.cpus = larger;
	larger[recent.count] = (struct cpu){ .id = id };
	return &larger[recent.count++];
}

/* Room for one turn more: the place of the oldest once there are RECENT_TURNS.  Return: NULL if there is no memory. */
static struct turn *place(struct cpu *cpu)
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
	of->name_length = length < RECENT_NAME ? length : RECENT_NAME;
	/* Not within a character. */
	if (of->name_length < length)
		while (of->name_length && ((u8)name[of->name_length] & 0xC0) == 0x80)
			of->name_length--;
	memcpy(of->name, name, of->name_length);
}

void recent_describe(struct recent_use *of, enum bcoslog_use use, const struct bcoslog_account_process *process)
{
	memset(of, 0, sizeof(*of));
	of->use = use;
	if (!process)
		return;
	of->process = process->id;
	recent_name_it(of, process->name, process->name_length);
}

int recent_add(const struct bcoslog_interval *interval)
{
	struct cpu *cpu = find(interval->cpu);
	struct turn *turn;

	if (!cpu)
		cpu = make(interval->cpu);
	turn = cpu ? place(cpu) : NULL;
	if (!turn)
		return -ENOMEM;
	turn->begin = interval->begin;
	turn->end = interval->end;
	recent_describe(&turn->of, interval->use, interval->process);
	return 0;
}

static bool is_same(const struct recent_use *left, const struct recent_use *right)
{
	return left->use == right->use && left->process == right->process;
}

struct sums {
	struct recent_use of[RECENT_TURNS + 1];
	size_t count;
};

static void sum(struct sums *sums, const struct recent_use *of, u64 begin, u64 end)
{
	size_t i;

	for (i = 0; i < sums->count; i++)
		if (is_same(&sums->of[i], of))
			break;
	if (i == sums->count) {
		sums->of[sums->count++] = *of;
		sums->of[i].time = 0;
	}
	sums->of[i].time += end - begin;
}

/* What goes on there now has no turn yet.  Return: since when. */
static u64 sum_present(struct sums *sums, const struct bcoslog_account *account, const struct cpu *cpu, u64 begin,
		       u64 end)
{
	const struct bcoslog_account_cpu *each = NULL;
	u64 since = cpu->count ? cpu->turns[(cpu->count - 1) % cpu->room].end : begin;
	struct recent_use of;

	if (since < begin)
		since = begin;
	while ((each = bcoslog_account_next_cpu(account, each)))
		if (each->id == cpu->id)
			break;
	if (!each || since >= end)
		return end;
	recent_describe(&of, each->use, each->process);
	sum(sums, &of, since, end);
	return since;
}

bool recent_most(const struct bcoslog_account *account, u32 id, u64 begin, u64 end, struct recent_use *most)
{
	static struct sums sums;
	const struct cpu *cpu = find(id);
	const struct turn *turn;
	u64 at, reached;
	size_t i;

	memset(most, 0, sizeof(*most));
	sums.count = 0;
	if (!cpu)
		return false;
	reached = sum_present(&sums, account, cpu, begin, end);
	for (at = cpu->count; at && at + cpu->room > cpu->count; at--) {
		turn = &cpu->turns[(at - 1) % cpu->room];
		if (turn->end <= begin)
			break;
		reached = turn->begin > begin ? turn->begin : begin;
		sum(&sums, &turn->of, reached, turn->end < end ? turn->end : end);
	}
	for (i = 0; i < sums.count; i++)
		if (sums.of[i].time > most->time)
			*most = sums.of[i];
	most->partial = reached > begin;
	return most->time;
}

void recent_stretch(struct stretch *stretch, const struct bcoslog_account *account, u32 left, u64 begin, u64 end, u32 cpu)
{
	*stretch = (struct stretch){ .begin = begin, .end = end, .left = left, .cpu = cpu };
	stretch->known = recent_most(account, left, begin, end, &stretch->instead);
}

void recent_free(void)
{
	size_t i;

	for (i = 0; i < recent.count; i++)
		free(recent.cpus[i].turns);
	free(recent.cpus);
	memset(&recent, 0, sizeof(recent));
}

struct cell recent_name(const struct recent_use *use)
{
	if (use->use == BCOSLOG_USE_IDLE)
		return CELL_WORD("idle");
	if (use->use == BCOSLOG_USE_UNKNOWN)
		return CELL_NONE;
	return (struct cell){ .text = use->name, .length = use->name_length };
}
