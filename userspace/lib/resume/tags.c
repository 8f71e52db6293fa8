// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tags of processes: see tags.h. */
#include <stdlib.h>

#include "tags.h"

int tags_add(struct tags *tags, u32 id, u32 tag, u64 time, bool birth)
{
	struct tag *grown;

	if (!tag)
		return 0;
	if (!(tags->count & (tags->count - 1))) {
		grown = realloc(tags->tag, (tags->count ? 2ul * tags->count : 1) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		tags->tag = grown;
	}
	tags->tag[tags->count++] = (struct tag){ .id = id, .tag = tag, .time = time, .birth = birth };
	return 0;
}

int tags_note(struct tags *tags, const struct bcos_raw *raw, u64 time)
{
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(raw + 1);
	const struct bcos_raw_life *life = (const struct bcos_raw_life *)(raw + 1);

	switch (raw->kind) {
	case BCOS_RAW_BIRTH:
	case BCOS_RAW_HELPER:
		return tags_add(tags, raw->id, life->tag, time, true);
	case BCOS_RAW_SIGNAL:
		if (raw->units < 2)
			return 0;
		/* fall through */
	case BCOS_RAW_EXEC:
	case BCOS_RAW_RENAME:
	case BCOS_RAW_EXIT:
	case BCOS_RAW_DEAD:
		return tags_add(tags, raw->id, life->tag, time, false);
	case BCOS_RAW_PROGRAM:
	case BCOS_RAW_CGROUP:
	case BCOS_RAW_EVENT:
	case BCOS_RAW_MESSAGE:
		/* The tag is at one offset in all of them. */
		if (raw->kind != BCOS_RAW_PROGRAM && raw->kind != BCOS_RAW_CGROUP && BCOS_RAW_SUBJECT(raw->aux) != BCOS_SUBJECT_PROCESS)
			return 0;
		return tags_add(tags, raw->id, event->tag, time, false);
	default:
		return 0;
	}
}

_Static_assert(offsetof(struct bcos_raw_program, tag) == offsetof(struct bcos_raw_event, tag), "tags_note() needs it");

static int compare_tags(const void *left, const void *right)
{
	const struct tag *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return b->birth - a->birth;
}

void tags_sort(struct tags *tags)
{
	if (tags->count)
		qsort(tags->tag, tags->count, sizeof(*tags->tag), compare_tags);
}

void tags_free(struct tags *tags)
{
	free(tags->tag);
	memset(tags, 0, sizeof(*tags));
}

u32 tags_find(const struct tags *tags, u32 process)
{
	u32 low = 0, high = tags->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (tags->tag[middle].id < process)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == tags->count || tags->tag[low].id != process)
		return 0;
	/*
	 * If the next of this ID begins first, the one that the log has is another one. So it may be where the end of the
	 * one and the birth of the other may be among the missing records: then no record may have the name of the log's.
	 */
	return tags->tag[low].birth || tags->tag[low].time >= tags->doubt ? ~tags->tag[low].tag :
		tags->tag[low].tag;
}
