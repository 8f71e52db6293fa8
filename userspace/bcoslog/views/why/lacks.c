// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the answer cannot tell, since the log lacks a class of events for some of the time that is explained. */
#include "core/format/request_text.h"
#include "output/output.h"
#include "why.h"

/* The classes, and what only they tell. */
static const struct {
	u32 class;
	const char *word, *tells;
} parts[WHY_PARTS] = {
	{ BCOS_CLASS_STATE, "state", "what it waited for" },
	{ BCOS_CLASS_ASSIGN, "assign", "who had the CPUs" },
	{ BCOS_CLASS_REQUEST, "request", "whose requests the disk served" },
};

void lacks_init(struct why *why)
{
	size_t i;

	for (i = 0; i < WHY_PARTS; i++)
		why->parts[i].class = parts[i].class;
}

void lacks_entry(struct why *why, const struct bcos_entry *entry)
{
	size_t i;

	for (i = 0; i < WHY_PARTS; i++)
		recorded_entry(&why->parts[i], why->report, entry);
	why->requests |= entry->type == BCOS_GENERIC_PROCESS && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_REQUEST;
}

/* Return: whether the thread, or one to blame, waited for a disk. */
static bool waited_for_disk(const struct why *why)
{
	const struct why_thread *thread;
	size_t i;

	for (i = 0; i < why->where_count; i++)
		if (why->wheres[i].where.io)
			return true;
	for (thread = why->blamed; thread; thread = thread->next_blamed)
		if (thread->blamed[LEAF_BLOCK])
			return true;
	return why->own[LEAF_BLOCK];
}

/* Return: whether the class kernel_time, which includes all assignments, stands for the class assign. */
static bool has_assignments(const struct why *why, u32 class)
{
	return class == BCOS_CLASS_ASSIGN && why->calls;
}

bool lacks_part(const struct why *why, size_t part)
{
	u32 class = parts[part].class;
	bool lacks = recorded_lacks(&why->parts[part], why->since) && !has_assignments(why, class);

	if (class != BCOS_CLASS_REQUEST)
		return lacks;
	return waited_for_disk(why) && (lacks || !(why->requests || why->parts[part].told));
}

const char *lacks_word(size_t part)
{
	return parts[part].word;
}

void lacks_print(const struct why *why)
{
	bool disk = waited_for_disk(why);
	size_t i;

	for (i = 0; i < WHY_PARTS; i++)
		if (lacks_part(why, i))
			output_format("The class %s was off, so the log does not tell %s: bcoslog record keeps it\n", parts[i].word,
				      parts[i].tells);
		else if (parts[i].class == BCOS_CLASS_REQUEST && disk)
			put_literal("Whose requests the disk served: bcoslog io --by process\n");
}
