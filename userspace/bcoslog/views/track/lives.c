// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects the lives of processes: see lives.h. */
#include <stdlib.h>

#include "lives.h"
#include "options/filter.h"
#include "views/rows.h"

struct lives lives;

/* The time and turns on the CPUs that options name. The structure is @user of a process in the account. */
struct part {
	u64 time, turns;
};

void lives_interval(void *context, const struct bcoslog_interval *interval)
{
	struct part *part;

	(void)context;
	if (!interval->process || !filter_has_cpus() || !filter_wants_cpu(interval->cpu, interval->core))
		return;
	part = interval->process->user;
	if (!part) {
		part = calloc(1, sizeof(*part));
		if (!part) {
			lives.failed = true;
			return;
		}
		bcoslog_account_set_user(interval->process, part);
	}
	part->time += interval->end - interval->begin;
	part->turns++;
}

/* Takes only the time on the named CPUs. Performance, power and the longest stretch without one of them are unknown. */
static void take_part(struct life *life, const struct part *part)
{
	life->process.time = part->time;
	life->process.turns = part->turns;
	life->process.work = (struct bcoslog_work){ .performance_unknown = 1, .power_unknown = 1 };
	life->bounds = (struct bcoslog_bounds){ .time = part->time, .time_known = !life->process.at_least };
	life->longest = (struct bcoslog_stretch){ 0 };
}

const char *former_names(char *text, const struct bcoslog_account_process *process)
{
	size_t used = 0, length, i;
	const char *name;

	text[0] = 0;
	for (i = 0; (name = bcoslog_account_former_name(process, i, &length)); i++) {
		/* The process has this name again. */
		if (length == process->name_length && !memcmp(name, process->name, length))
			continue;
		if (used + length + sizeof(", ") > FORMER_TEXT)
			break;
		if (used) {
			memcpy(text + used, ", ", 2);
			used += 2;
		}
		/* The list is a string, so a name ends at a zero byte. */
		length = strnlen(name, length);
		memcpy(text + used, name, length);
		used += length;
		text[used] = 0;
	}
	return text;
}

static bool lived_in_window(const struct bcoslog_account_process *process)
{
	u64 since, until;

	filter_window(&since, &until);
	if (process->ended && process->end < since)
		return false;
	return !until || !process->born || process->start <= until;
}

static void remember_life(const struct bcoslog_account_process *process)
{
	struct life *larger, *life;
	char former[FORMER_TEXT];
	size_t room;

	if (filter_has_cpus() && !process->user)
		return;
	if (!filter_wants_life(process) || !lived_in_window(process))
		return;
	if (lives.count == lives.room) {
		room = lives.room ? 2 * lives.room : 256;
		larger = reallocarray(lives.lives, room, sizeof(*larger));
		if (!larger) {
			lives.failed = true;
			return;
		}
		lives.lives = larger;
		lives.room = room;
	}
	life = &lives.lives[lives.count++];
	life->process = *process;
	bcoslog_account_bounds(process, &life->bounds);
	bcoslog_account_longest_stretch(process, &life->longest);
	life->name = malloc(process->name_length + 1);
	life->former = strdup(former_names(former, process));
	if (!life->name || !life->former) {
		lives_release(life);
		lives.count--;
		lives.failed = true;
		return;
	}
	memcpy(life->name, process->name, process->name_length);
	life->name[process->name_length] = 0;
	life->process.name = life->name;
	if (filter_has_cpus())
		take_part(life, process->user);
}

static void take_process(const struct bcoslog_account_process *process)
{
	remember_life(process);
	if (!filter_has_cpus())
		return;
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

void lives_ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	take_process(process);
}

void lives_add_living(const struct bcoslog_account *account)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(account, process)))
		take_process(process);
}

void lives_release(struct life *life)
{
	free(life->name);
	free(life->former);
}

void lives_free(void)
{
	size_t i;

	for (i = 0; i < lives.count; i++)
		lives_release(&lives.lives[i]);
	free(lives.lives);
}
