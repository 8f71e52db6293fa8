// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What events tell of the life of a process: see life.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry/who.h"
#include "life.h"

static void release_life(void *more)
{
	struct life *life = more;

	if (!life)
		return;
	free(life->path);
	free(life->arguments);
	free(life->cgroup);
	free(life);
}

/* Return: the life of a process; NULL if the log does not name the process, or there is no memory. */
static struct life *life_of(struct bcoslog_rows *rows, u32 id)
{
	const struct bcoslog_account_process *process = bcoslog_account_process(rows->account, id);
	struct known_process *known = process ? rows_process(rows, process) : NULL;
	struct life *life;

	if (!known || known->more)
		return known ? known->more : NULL;
	life = calloc(1, sizeof(*life));
	if (life)
		life->parent_upid = -1;
	else
		rows->no_memory = true;
	known->more = life;
	known->release = release_life;
	return life;
}

/* Writes a text as a JSON string.  Return: the end of it. A byte takes at most six. */
static char *put_string(char *to, const char *text)
{
	*to++ = '"';
	for (; *text; text++) {
		if ((u8)*text < ' ')
			to += sprintf(to, "\\u%04x", (u8)*text);
		else if (*text == '"' || *text == '\\')
			to += sprintf(to, "\\%c", *text);
		else
			*to++ = *text;
	}
	*to++ = '"';
	return to;
}

/* Return: the arguments as a JSON array; NULL if there is no memory. */
static char *arguments_text(const struct bcoslog_exec *exec)
{
	size_t room = 3;
	char *text, *to;
	u32 i;

	for (i = 0; i < exec->count; i++)
		room += 6 * strlen(exec->argument[i]) + 3;
	text = to = malloc(room);
	if (!text)
		return NULL;
	*to++ = '[';
	for (i = 0; i < exec->count; i++) {
		if (i)
			*to++ = ',';
		to = put_string(to, exec->argument[i]);
	}
	*to++ = ']';
	*to = 0;
	return text;
}

static void take_exec(struct bcoslog_rows *rows, struct life *life, const char *text, size_t length)
{
	struct bcoslog_exec exec;

	if (bcoslog_exec(&exec, text, length))
		return;
	free(life->path);
	free(life->arguments);
	free(life->cgroup);
	life->user = exec.user;
	life->path = strdup(exec.path);
	life->arguments = exec.told ? arguments_text(&exec) : NULL;
	life->cgroup = exec.cgroup ? strdup(exec.cgroup) : NULL;
	rows->no_memory |= !life->path || (exec.told && !life->arguments) || (exec.cgroup && !life->cgroup);
}

static void take_parent(struct bcoslog_rows *rows, struct life *life, const char *text, size_t length)
{
	const struct bcoslog_account_process *process;
	const struct known_process *known;
	struct bcoslog_parent parent;

	if (bcoslog_parent(&parent, text, length))
		return;
	life->has_parent = true;
	life->parent = parent.process;
	life->parent_name = parent.name ? rows_keep(rows, parent.name, parent.name_length) : NULL;
	process = bcoslog_account_process(rows->account, parent.process);
	known = process ? rows_process(rows, process) : NULL;
	life->parent_upid = known ? known->upid : -1;
}

static void take_killed(struct bcoslog_rows *rows, struct life *life, const char *text, size_t length)
{
	struct bcoslog_killed killed;

	if (bcoslog_killed(&killed, text, length))
		return;
	life->killed = true;
	life->killer = killed.process;
	life->killer_user = killed.user;
	life->killer_name = killed.name ? rows_keep(rows, killed.name, killed.name_length) : NULL;
}

void rows_life_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	u32 id = entry->type == BCOS_GENERIC_PROCESS ? ((const struct bcos_generic *)entry)->event_id : 0;
	struct life *life;
	const char *text;
	size_t length;

	if (id != BCOS_EVENT_EXEC && id != BCOS_EVENT_PARENT && id != BCOS_EVENT_KILLED && id != BCOS_EVENT_OOM_VICTIM)
		return;
	life = life_of(rows, entry->source);
	if (!life)
		return;
	text = bcoslog_text(entry, &length);
	if (id == BCOS_EVENT_EXEC)
		take_exec(rows, life, text, length);
	else if (id == BCOS_EVENT_PARENT)
		take_parent(rows, life, text, length);
	else if (id == BCOS_EVENT_KILLED)
		take_killed(rows, life, text, length);
	else
		life->oom = true;
}
