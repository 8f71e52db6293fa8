// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Processes to the end of a log: see lives.h. */
#include <stdlib.h>

#include "../filter.h"
#include "lives.h"

struct lives lives;

static void remember(const struct bcoslog_account_process *process)
{
	struct life *larger, *life;

	if (!filter_wants_process(process->id, process->name, process->name_length))
		return;
	if (lives.count == lives.room) {
		lives.room = lives.room ? 2 * lives.room : 256;
		larger = reallocarray(lives.lives, lives.room, sizeof(*larger));
		if (!larger) {
			lives.failed = true;
			return;
		}
		lives.lives = larger;
	}
	life = &lives.lives[lives.count++];
	life->process = *process;
	life->name = malloc(process->name_length + 1);
	if (!life->name) {
		lives.count--;
		lives.failed = true;
		return;
	}
	memcpy(life->name, process->name, process->name_length);
	life->name[process->name_length] = 0;
	life->process.name = life->name;
}

void lives_ended(void *context, const struct bcoslog_account_process *process)
{
	(void)context;
	remember(process);
}

void lives_add_living(const struct bcoslog_account *account)
{
	const struct bcoslog_account_process *process = NULL;

	while ((process = bcoslog_account_next_process(account, process)))
		remember(process);
}

void lives_free(void)
{
	size_t i;

	for (i = 0; i < lives.count; i++)
		free(lives.lives[i].name);
	free(lives.lives);
}
