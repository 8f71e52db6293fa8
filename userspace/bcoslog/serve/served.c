// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of a log, with groups at least every few MiB: see served.h. */
#include <errno.h>
#include <stdlib.h>

#include "bcoslog_archive.h"
#include "state/group.h"
#include "log/statements.h"
#include "served.h"

/* A group is due after this share of the memory, and a group takes at most this share of what is kept. */
#define SHARE 4

struct served {
	struct latest *latest;
	struct bcoslog_state *state;
	struct statements statements;
	size_t limit;
	u64 since;			/* bytes since the newest group */
	u64 time;			/* of the newest entry that is not historical */
	u64 lost;			/* no assignment before this time is certain */
	bool open;			/* the log has stated a loss that may last up to its next group */

	/* The group that is being made. */
	char *bytes;
	size_t size, room;
};

struct served *served_new(struct latest *latest, size_t limit)
{
	struct served *served = calloc(1, sizeof(*served));

	if (!served)
		return NULL;
	served->latest = latest;
	served->limit = limit;
	served->state = bcoslog_state_new();
	if (served->state)
		return served;
	free(served);
	return NULL;
}

void served_free(struct served *served)
{
	if (!served)
		return;
	bcoslog_state_free(served->state);
	free(served->bytes);
	free(served);
}

void served_forget(struct served *served)
{
	bcoslog_state_forget(served->state);
	statements_forget(&served->statements);
	served->since = served->lost = 0;
	served->open = false;
}

static int put_entry(void *context, const struct bcos_entry *entry)
{
	struct served *served = context;
	char *larger;

	/* Something else may have the CPU since the loss. */
	if (entry->type == BCOS_HIST_ASSIGN_CPU && entry->time <= served->lost)
		return 0;
	if (served->size + entry->size > served->room) {
		larger = realloc(served->bytes, 2 * served->room + BCOS_ENTRY_MAX);
		if (!larger)
			return -ENOMEM;
		served->bytes = larger;
		served->room = 2 * served->room + BCOS_ENTRY_MAX;
	}
	memcpy(served->bytes + served->size, entry, entry->size);
	served->size += entry->size;
	return 0;
}

/*
 * Hands on a group as of the newest entry, and the statements. One that is large against the memory is left out: its
 * successors would fill what is kept.  Return: 0 or a negative errno.
 */
static int put_group(struct served *served)
{
	int r;

	served->size = 0;
	served->since = 0;
	r = bcoslog_state_group(served->state, put_entry, served);
	if (r || !served->size)
		return r;
	r = statements_put(&served->statements, served->time, put_entry, served);
	if (r || served->size > served->limit / SHARE / SHARE)
		return r;
	return latest_add(served->latest, (const struct bcos_entry *)served->bytes,
			  (const struct bcos_entry *)(served->bytes + served->size));
}

/* Does a group have to come before this entry? Not within one of the log, and not where it would end a loss too early. */
static bool is_due(const struct served *served, const struct bcos_entry *entry)
{
	return served->since > served->limit / SHARE && !served->open && !(entry->type & BCOS_TYPE_HISTORICAL) &&
	       !bcoslog_is_statement(entry) && !bcoslog_is_missed(entry);
}

static int learn_entry(struct served *served, const struct bcos_entry *entry)
{
	struct bcoslog_loss loss;

	served->since += entry->size;
	statements_learn(&served->statements, entry);
	if (entry->type & BCOS_TYPE_HISTORICAL) {
		served->since = 0;
		served->open = false;
	} else {
		served->time = entry->time;
	}
	if (unlikely(bcoslog_is_missed(entry)))
		served->since = 0;
	if (unlikely(bcoslog_is_loss(entry)) && bcoslog_loss(entry, &loss)) {
		served->open |= loss.open;
		served->lost = loss.end > served->lost ? loss.end : served->lost;
	}
	return bcoslog_state_apply(served->state, entry);
}

int served_add(struct served *served, const struct bcoslog_batch *batch)
{
	const struct bcos_entry *entry, *from = batch->first;
	int r = 0;

	for (entry = from; !r && entry != batch->end; entry = bcoslog_after(entry)) {
		if (unlikely(is_due(served, entry))) {
			/* If there is no room, what is kept goes on at the group that follows now. */
			latest_add(served->latest, from, entry);
			r = put_group(served);
			from = entry;
		}
		r = r && r != -ENOSPC ? r : learn_entry(served, entry);
	}
	if (r)
		return r;
	latest_reach(served->latest, served->time);
	return latest_add(served->latest, from, batch->end);
}
