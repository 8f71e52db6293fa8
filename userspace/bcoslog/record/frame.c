// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes frames of entries: see frame.h. The first frame of each file explains itself. */
#include <stdlib.h>

#include "frame.h"
#include "state/group.h"
#include "complain/complain.h"

/*
 * After this many bytes a frame begins with a group, so that reading can begin there; or later, so that groups take at
 * most 1 / KEY_SHARE of the bytes.
 */
#define KEY_DISTANCE (16u << 20)
#define KEY_SHARE 32

static int no_memory(void)
{
	complain("no memory for the recording");
	return -ENOMEM;
}

/* Adds an entry to the frame.  Return: 0, or -ENOMEM without a complaint. */
static int put_entry(struct recording *recording, const struct bcos_entry *entry)
{
	size_t room = 2 * recording->room + FRAME_SIZE + BCOS_ENTRY_MAX;
	u8 *raw;

	if (recording->used + entry->size > recording->room) {
		raw = realloc(recording->raw, room);
		if (!raw)
			return -ENOMEM;
		recording->raw = raw;
		recording->room = room;
	}
	memcpy(recording->raw + recording->used, entry, entry->size);
	recording->used += entry->size;
	archive_note_entry(&recording->note, entry);
	return 0;
}

int frame_put(struct recording *recording, const struct bcos_entry *entry)
{
	return put_entry(recording, entry) ? no_memory() : 0;
}

bool frame_can_end(const struct bcos_entry *entry)
{
	return !(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry);
}

/* Does the next frame have to begin with a group? */
static bool key_is_due(const struct recording *recording)
{
	u64 distance = recording->group * KEY_SHARE;

	if (recording->incomplete)
		return false;
	return !store_is_open(recording->store) || recording->rotating || store_is_full(recording->store) ||
	       recording->since_key > (distance > KEY_DISTANCE ? distance : KEY_DISTANCE);
}

static int put_any(void *context, const struct bcos_entry *entry)
{
	return put_entry(context, entry);
}

/* Adds a group and the statements as of the newest entry. Reading can begin at a frame that begins so. */
static int put_group(struct recording *recording)
{
	int r = bcoslog_state_group(recording->state, put_any, recording);

	recording->group = recording->used;
	recording->since_key = 0;
	r = r ? r : statements_put(&recording->statements, recording->time, put_any, recording);
	return r ? no_memory() : 0;
}

int frame_begin(struct recording *recording, const struct bcos_entry *entry)
{
	if (!recording->timed || !frame_can_end(entry) || bcoslog_is_missed(entry) || !key_is_due(recording))
		return 0;
	recording->rotating |= store_is_full(recording->store);
	return put_group(recording);
}

/* Begins the note of the next frame, for which the wall clock that was stated before is valid. */
static void begin_note(struct recording *recording)
{
	struct archive_note *note = &recording->note;

	archive_note_begin(note);
	if (!bcoslog_state_wall(recording->state))
		return;
	note->wall = *bcoslog_state_wall(recording->state);
	note->flags |= ARCHIVE_WALL;
}

int frame_write(struct recording *recording)
{
	struct archive_note *note = &recording->note;
	int r;

	if (!recording->used || !recording->begun)
		return 0;
	if (note->flags & ARCHIVE_KEY && (recording->rotating || store_is_full(recording->store))) {
		store_finish(recording->store);
		recording->rotating = false;
	}
	note->raw = (u32)recording->used;
	r = store_frame(recording->store, &recording->header, recording->raw, note,
			recording->cause);
	if (r)
		return r;
	recording->since_key += recording->used;
	recording->used = 0;
	begin_note(recording);
	return 0;
}

int frame_put_gap(struct recording *recording, u64 time, u64 until, const struct gap *gap)
{
	u32 room[GAP_ENTRY / sizeof(u32)];

	gap_put(room, time, until, gap);
	return frame_put(recording, (struct bcos_entry *)room);
}

int frame_put_gap_first(struct recording *recording, u64 time, u64 until, const struct gap *gap)
{
	size_t before = recording->used, size;
	int r = frame_put_gap(recording, time, until, gap);
	u8 notice[512];

	if (r)
		return r;
	size = recording->used - before;
	memcpy(notice, recording->raw + before, size);
	memmove(recording->raw + size, recording->raw, before);
	memcpy(recording->raw, notice, size);
	recording->note.flags |= ARCHIVE_NOTICE;
	recording->note.first = time;
	return 0;
}
