// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collects the lives of processes: see lives.h. */
#include <stdlib.h>

#include "lives.h"
#include "account/report.h"
#include "options/filter.h"
#include "views/rows.h"

/* The time and turns on the CPUs that options name. The structure is @user of a process in the account. */
struct part {
	u64 time, turns;
};

void lives_interval(struct lives *lives, const struct bcoslog_interval *interval)
{
	struct part *part;

	if (!interval->process || !filter_has_cpus(&lives->session->filter) || !filter_wants_cpu(&lives->session->filter, interval->cpu, interval->core))
		return;
	part = interval->process->user;
	if (!part) {
		part = calloc(1, sizeof(*part));
		if (!part) {
			lives->failed = true;
			return;
		}
		bcoslog_account_set_user(interval->process, part);
	}
	sum_add(&part->time, interval->end - interval->begin);
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
	life->process.longest_off = life->process.longest_off_at = 0;
}

/* A list of former names. */
struct names {
	char *text;
	size_t used;
	const char *present;		/* the present name, which the list leaves out */
	size_t length;			/* its length */
};

/* Return: false if the list has no room for the name. */
static bool list_name(struct names *names, const char *name, size_t length)
{
	if (length == names->length && !memcmp(name, names->present, length))
		return true;
	if (names->used + length + sizeof(", ") > FORMER_TEXT)
		return false;
	if (names->used) {
		memcpy(names->text + names->used, ", ", 2);
		names->used += 2;
	}
	/* The list is a string, so a name ends at a zero byte. */
	length = strnlen(name, length);
	memcpy(names->text + names->used, name, length);
	names->used += length;
	names->text[names->used] = 0;
	return true;
}

const char *former_names(char *text, const struct bcoslog_account_process *process)
{
	struct names names = { .text = text, .present = process->name, .length = process->name_length };
	const char *name;
	size_t length, i;

	text[0] = 0;
	for (i = 0; (name = bcoslog_account_former_name(process, i, &length)) && list_name(&names, name, length); i++)
		;
	return text;
}

const char *former_device_names(char *text, const struct bcoslog_account_device *device)
{
	struct names names = { .text = text, .present = device->name, .length = device->name_length };
	const char *name;
	size_t length, i;

	text[0] = 0;
	for (i = 0; (name = bcoslog_account_former_device_name(device, i, &length)) && list_name(&names, name, length); i++)
		;
	return text;
}

struct cell full_name(char *full, const char *name, size_t length, const char *former)
{
	size_t rest = strlen(former);

	if (!rest || !name || length + rest + sizeof(" (was )") > FULL_NAME)
		return cell_name(name, length);
	memcpy(full, name, length);
	length += (size_t)sprintf(full + length, " (was %s)", former);
	return cell_name(full, length);
}

static bool lived_in_window(struct lives *lives, const struct bcoslog_account_process *process)
{
	u64 since, until;

	window_get(&lives->session->window, &lives->session->clock, &since, &until);
	if (process->ended && process->end < since)
		return false;
	return !until || !process->born || process->start <= until;
}

static void remember_life(struct lives *lives, const struct bcoslog_account_process *process)
{
	struct life *larger, *life;
	char former[FORMER_TEXT];
	size_t room;

	if (filter_has_cpus(&lives->session->filter) && !process->user)
		return;
	if (!filter_wants_life(&lives->session->filter, process) || !lived_in_window(lives, process))
		return;
	if (lives->count == lives->room) {
		room = lives->room ? 2 * lives->room : 256;
		larger = reallocarray(lives->lives, room, sizeof(*larger));
		if (!larger) {
			lives->failed = true;
			return;
		}
		lives->lives = larger;
		lives->room = room;
	}
	life = &lives->lives[lives->count++];
	life->process = *process;
	bcoslog_account_bounds(process, &life->bounds);
	bcoslog_account_longest_stretch(process, &life->longest);
	life->name = malloc(process->name_length + 1);
	life->former = strdup(former_names(former, process));
	life->cgroup = process->cgroup ? strdup(process->cgroup) : NULL;
	life->process.cgroup = life->cgroup;
	if (!life->name || !life->former || (process->cgroup && !life->cgroup)) {
		lives_release(life);
		lives->count--;
		lives->failed = true;
		return;
	}
	memcpy(life->name, process->name, process->name_length);
	life->name[process->name_length] = 0;
	life->process.name = life->name;
	if (filter_has_cpus(&lives->session->filter))
		take_part(life, process->user);
}

static void collect_life(struct lives *lives, const struct bcoslog_account_process *process)
{
	remember_life(lives, process);
	if (!filter_has_cpus(&lives->session->filter))
		return;
	free(process->user);
	bcoslog_account_set_user(process, NULL);
}

void lives_ended(struct lives *lives, const struct bcoslog_account_process *process)
{
	collect_life(lives, process);
}

void lives_add_living(struct lives *lives, const struct bcoslog_account *account)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(account, process)))
		collect_life(lives, process);
}

void lives_release(struct life *life)
{
	free(life->name);
	free(life->former);
	free(life->cgroup);
}

void lives_free(struct lives *lives)
{
	size_t i;

	for (i = 0; i < lives->count; i++)
		lives_release(&lives->lives[i]);
	free(lives->lives);
	memset(lives, 0, sizeof(*lives));
}
