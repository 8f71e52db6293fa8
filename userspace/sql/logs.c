// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The logs that the tables show: see logs.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bcoslog.h"
#include "core/format/statement_text.h"
#include "logs.h"

/* Texts of logs are few: hosts, machines and boots. */
struct sql_text {
	struct sql_text *next;
	char text[];
};

const char *sql_text_keep(struct sql_source *source, const char *text, bool *failed)
{
	struct sql_text *kept;

	if (!text || !*text)
		return NULL;
	for (kept = source->texts; kept; kept = kept->next)
		if (!strcmp(kept->text, text))
			return kept->text;
	kept = malloc(sizeof(*kept) + strlen(text) + 1);
	if (!kept) {
		*failed = true;
		return NULL;
	}
	strcpy(kept->text, text);
	kept->next = source->texts;
	source->texts = kept;
	return kept->text;
}

struct sql_log *sql_log_add(struct sql_source *source)
{
	struct sql_log *logs = reallocarray(source->logs, source->count + 1, sizeof(*logs));

	if (!logs)
		return NULL;
	source->logs = logs;
	logs[source->count] = (struct sql_log){ .options = BCOSLOG_ROWS_ALL(0, NULL) };
	return &logs[source->count++];
}

bool sql_log_add_boot(struct sql_source *source, struct sql_log *log, const char *id, __u64 begin, __u64 end)
{
	struct sql_boot *boots = reallocarray(log->boots, log->boot_count + 1, sizeof(*boots));
	bool failed = false;

	if (!boots)
		return false;
	log->boots = boots;
	boots[log->boot_count++] = (struct sql_boot){ .id = sql_text_keep(source, id, &failed), .begin = begin, .end = end };
	return !failed;
}

/* What a file states of itself. */
struct stated {
	const char *host, *boot;
	bool hosts;			/* it states several hosts */
	bool in_group;			/* the newest entry is historical */
	__u64 begin;			/* of the boot */
	__u64 last, before;		/* time of the newest entry that is not historical, and of that before the newest group */
};

/* Ends a boot of a file, at whose end @end is the greatest time.  Return: whether there is memory for it. */
static bool end_boot(struct sql_source *source, struct sql_log *log, const struct stated *stated, __u64 end)
{
	return sql_log_add_boot(source, log, stated->boot, stated->begin, end);
}

/* Takes what an entry states.  Return: whether there was memory for it. */
static bool take_statement(struct sql_source *source, struct sql_log *log, struct stated *stated, const struct bcos_entry *entry)
{
	__u32 id = entry->type == BCOS_GENERIC_PROCESS && !entry->source ? ((const struct bcos_generic *)entry)->event_id : 0;
	char copy[256] = "";
	const char *text;
	bool failed = false;
	size_t length;

	if (id != BCOS_EVENT_BOOT && id != BCOS_EVENT_HOST)
		return true;
	text = bcoslog_text(entry, &length);
	text = text ? bcos_fact_parse(id, text, &length) : NULL;
	if (!text || length >= sizeof(copy))
		return true;
	memcpy(copy, text, length);
	text = sql_text_keep(source, copy, &failed);
	if (failed || (id == BCOS_EVENT_BOOT ? stated->boot : stated->host) == text)
		return !failed;
	if (id == BCOS_EVENT_HOST) {
		stated->hosts |= stated->host != NULL;
		stated->host = text;
		return true;
	}
	/* A boot begins with a group, whose entries can be older than those after it. */
	if (stated->boot && !end_boot(source, log, stated, stated->before))
		return false;
	stated->begin = stated->boot ? stated->before + 1 : 0;
	stated->boot = text;
	return true;
}

static bool take_entry(struct sql_source *source, struct sql_log *log, struct stated *stated, const struct bcos_entry *entry)
{
	bool historical = entry->type & BCOS_TYPE_HISTORICAL;

	if (historical && !stated->in_group)
		stated->before = stated->last;
	stated->in_group = historical;
	if (historical)
		return true;
	stated->last = entry->time;
	return take_statement(source, log, stated, entry);
}

bool sql_log_learn(struct sql_source *source, struct sql_log *log)
{
	struct stated stated = { .host = NULL };
	const struct bcos_entry *entry;
	struct bcoslog_error error;
	struct bcoslog *file;
	bool good = true;
	int r = 1;

	if (log->known)
		return true;
	if (bcoslog_open(&file, log->options.path, 0, &error))
		return false;
	log->boot_count = 0;
	while (good && r > 0) {
		r = bcoslog_next(file, &entry);
		/* The statement that asks for it tells of damaged places. */
		if (r == -EBADMSG && !bcoslog_skip(file))
			r = 1;
		else if (r > 0)
			good = take_entry(source, log, &stated, entry);
	}
	good = good && (!r || r == -EBADMSG) && end_boot(source, log, &stated, UINT64_MAX);
	bcoslog_close(file);
	log->host = stated.hosts ? NULL : stated.host;
	log->known = good;
	return good;
}

/*
 * Where no wall clock tells by how much a boot is later, its beginning on the line of time, which its historical entries have, can be
 * before the end of the boot before it: such a time belongs to either.
 */
const char *sql_log_boot(const struct sql_log *log, __u64 time)
{
	const struct sql_boot *found = NULL;
	size_t i;

	for (i = 0; i < log->boot_count; i++) {
		if ((i && time < log->boots[i].begin) || (i + 1 < log->boot_count && time > log->boots[i].end))
			continue;
		if (found)
			return NULL;
		found = &log->boots[i];
	}
	return found ? found->id : NULL;
}

static bool is_text(const char *one, const char *other)
{
	return one && !strcmp(one, other);
}

struct sql_log *sql_log_find(const struct sql_source *source, const char *machine)
{
	struct sql_log *found = NULL;
	size_t i;

	for (i = 0; i < source->count; i++) {
		if (!is_text(source->logs[i].machine, machine) && !is_text(source->logs[i].host, machine))
			continue;
		if (found)
			return NULL;
		found = &source->logs[i];
	}
	return found;
}

void sql_source_free(struct sql_source *source)
{
	struct sql_text *text, *next;
	size_t i;

	for (i = 0; i < source->count; i++)
		free(source->logs[i].boots);
	free(source->logs);
	for (text = source->texts; text; text = next) {
		next = text->next;
		free(text);
	}
	*source = (struct sql_source){ .logs = NULL };
}
