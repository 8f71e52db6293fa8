// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries on their way into files: see recording.h. */
#include <stdlib.h>

#include "bcoslog_archive.h"
#include "log/statements.h"
#include "recording.h"

/* A frame is closed as soon as it is that large. */
#define FRAME_SIZE (1u << 20)
/* And that large even within a group. */
#define FRAME_MOST (ARCHIVE_RAW_MAX - (1u << 20))
/* A group stands at least once in so many bytes, and takes no more than a 32nd part of them. */
#define KEY_DISTANCE (16u << 20)
#define KEY_SHARE 32

/* Of so many CPUs an assignment waits until it is needed: until the next one nearly nobody asks. */
#define WAITING 1024

struct waiting {
	struct bcos_assign_cpu of[WAITING];
	u32 cpus[WAITING];		/* those of which one waits */
	u32 count;
};

struct recording {
	struct store *store;
	struct archive_header header;
	bool this_machine;
	const char *cause;		/* of a part of the log by itself, or NULL */
	struct bcoslog_state *state;	/* as of the newest entry */
	struct statements statements;

	/* The frame that grows. */
	u8 *raw;
	size_t used, room;
	struct archive_note note;

	u64 time;			/* of the newest entry that is not historical */
	bool timed;
	u64 since_key, group;		/* bytes since a group stood at the beginning of a frame; bytes of that group */
	bool incomplete;		/* no group was seen since everything was forgotten */
	bool rotating;			/* the next frame is of another file */

	bool in_group;			/* the newest entry is historical: a part does not end there */
	bool begun;			/* it is known where to go on */
	struct kept_end end;		/* up to here it was recorded before */
	bool skipping;			/* what is recorded is read again */
	u64 paused_since, paused_until;
	struct waiting waiting;
};

struct recording *recording_new(struct store *store, const struct archive_header *header, bool this_machine)
{
	struct recording *recording = calloc(1, sizeof(*recording));

	if (!recording)
		return NULL;
	recording->store = store;
	recording->header = *header;
	recording->this_machine = this_machine;
	recording->incomplete = true;
	recording->state = bcoslog_state_new();
	archive_note_begin(&recording->note);
	if (recording->state)
		return recording;
	free(recording);
	return NULL;
}

void recording_part(struct recording *recording, u64 since, const char *cause)
{
	recording->cause = cause;
	recording->end.time = since;
	recording->skipping = true;
}

void recording_free(struct recording *recording)
{
	if (!recording)
		return;
	bcoslog_state_free(recording->state);
	free(recording->raw);
	free(recording);
}

bool recording_pending(const struct recording *recording)
{
	return recording->used;
}

static int put(void *context, const struct bcos_entry *entry)
{
	struct recording *recording = context;
	size_t room = 2 * recording->room + FRAME_SIZE + BCOS_ENTRY_MAX;
	u8 *raw;

	if (recording->used + entry->size > recording->room) {
		raw = realloc(recording->raw, room);
		if (!raw) {
			complain("no memory for what is recorded");
			return -ENOMEM;
		}
		recording->raw = raw;
		recording->room = room;
	}
	memcpy(recording->raw + recording->used, entry, entry->size);
	recording->used += entry->size;
	archive_note_entry(&recording->note, entry);
	return 0;
}

/* May a frame end before it?  Not within a group and what belongs to it. */
static bool can_part(const struct bcos_entry *entry)
{
	return !(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry);
}

/* Does the next frame begin with a group? */
static bool key_is_due(const struct recording *recording)
{
	u64 distance = recording->group * KEY_SHARE;

	if (recording->incomplete)
		return false;
	return !store_is_open(recording->store) || recording->rotating || store_is_full(recording->store) ||
	       recording->since_key > (distance > KEY_DISTANCE ? distance : KEY_DISTANCE);
}

/* A frame that is a beginning: a group, and what was stated, as of the newest entry. */
static int put_group(struct recording *recording)
{
	int r = bcoslog_state_group(recording->state, put, recording);

	recording->group = recording->used;
	recording->since_key = 0;
	return r ? r : statements_put(&recording->statements, recording->time, put, recording);
}

/* A frame begins before @entry. */
static int begin_frame(struct recording *recording, const struct bcos_entry *entry)
{
	if (!recording->timed || !can_part(entry) || bcoslog_is_missed(entry) || !key_is_due(recording))
		return 0;
	recording->rotating |= store_is_full(recording->store);
	return put_group(recording);
}

/* What was stated of the wall clock before a frame is as true in it. */
static void begin_note(struct recording *recording)
{
	struct archive_note *note = &recording->note;

	archive_note_begin(note);
	if (!bcoslog_state_wall(recording->state))
		return;
	note->wall = *bcoslog_state_wall(recording->state);
	note->flags |= ARCHIVE_WALL;
}

int recording_flush(struct recording *recording)
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

/* Something is missing from the newest entry on. */
static int put_gap(struct recording *recording, u64 time, u64 until, const char *text)
{
	u32 room[128];

	archive_put_notice(room, time, until, text);
	return put(recording, (struct bcos_entry *)room);
}

/* The same in front of all that there is so far. */
static int put_gap_first(struct recording *recording, u64 time, u64 until, const char *text)
{
	size_t before = recording->used, size;
	int r = put_gap(recording, time, until, text);
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

/* The first entry that tells of something: which boot it is, and whether that was recorded before. */
static int find_end(struct recording *recording, u64 time)
{
	struct kept_end end = { 0 };

	recording->begun = true;
	if (store_begin(recording->store, &recording->header, recording->cause ? NULL : &end))
		return -EIO;
	/* What was before a part of the log is as good as recorded. */
	if (recording->cause || !end.known)
		return 0;
	recording->end = end;
	if (time > recording->end.time)
		return put_gap_first(recording, recording->end.time, time,
				     "nothing is recorded of this time: the recorder did not run, or was too late");
	recording->skipping = true;
	/* The group is that of an earlier time: another one is made where recording goes on. */
	recording->used = 0;
	archive_note_begin(&recording->note);
	return 0;
}

int recording_tick(struct recording *recording)
{
	return recording->in_group ? 0 : recording_flush(recording);
}

int recording_finish(struct recording *recording)
{
	/* There was nothing but a group: that is worth a file if there is none. */
	if (!recording->begun && recording->used && !find_end(recording, ~0ull) && recording->end.known)
		recording->used = 0;
	return recording_flush(recording);
}

int recording_rotate(struct recording *recording)
{
	int r = recording_flush(recording);

	recording->rotating = !r && store_is_open(recording->store);
	return r;
}

static void forget(struct recording *recording)
{
	bcoslog_state_forget(recording->state);
	statements_forget(&recording->statements);
	recording->incomplete = true;
}

/* Is it recorded already?  Else recording goes on with it. */
static bool is_recorded(struct recording *recording, const struct bcos_entry *entry)
{
	struct kept_end *end = &recording->end;

	if (!archive_counts(entry))
		return true;
	if (entry->time < end->time)
		return true;
	if (entry->time == end->time && end->count) {
		end->count--;
		return true;
	}
	recording->skipping = false;
	return false;
}

/* Of a notice that this reader was overtaken: say why. */
static int put_missed(struct recording *recording, const struct bcos_entry *entry)
{
	char text[400];
	size_t length;
	const char *said = bcoslog_text(entry, &length);

	if (!recording->paused_until)
		return put(recording, entry);
	snprintf(text, sizeof(text), "%.*s: recording paused for %llu.%llu s, since there was no room on the disk",
		 (int)length, said, (unsigned long long)((recording->paused_until - recording->paused_since) / 1000000000u),
		 (unsigned long long)((recording->paused_until - recording->paused_since) / 100000000u % 10));
	recording->paused_until = 0;
	return put_gap(recording, entry->time, entry->time + entry->precision, text);
}

/* Another boot, or machine, is in other files. */
static void learn_header(struct recording *recording, const struct bcos_entry *entry)
{
	struct archive_header before = recording->header;

	if (recording->this_machine || !archive_header_entry(&recording->header, entry) ||
	    !memcmp(&before, &recording->header, sizeof(before)) || !recording->begun)
		return;
	recording->begun = false;
	recording->rotating = true;
}

static int learn(struct recording *recording, const struct bcos_entry *entry)
{
	int r;

	if (bcoslog_is_missed(entry))
		forget(recording);
	if (entry->type == BCOS_HIST_CORE_ONLINE)
		recording->incomplete = false;
	recording->in_group = entry->type & BCOS_TYPE_HISTORICAL;
	learn_header(recording, entry);
	statements_learn(&recording->statements, entry);
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		recording->time = entry->time;
		recording->timed = true;
	}
	r = bcoslog_state_apply(recording->state, entry);
	if (r)
		complain("no memory for the names in the log");
	return r;
}

static bool says_nothing(const struct recording *recording, const struct bcos_entry *entry)
{
	return (entry->type & BCOS_TYPE_HISTORICAL || bcoslog_is_statement(entry)) &&
	       bcoslog_state_compare(recording->state, entry) == BCOSLOG_REPEATED;
}

static int take(struct recording *recording, const struct bcos_entry *entry)
{
	int r = 0;

	/* It begins a frame, and so does what comes after it. */
	if (bcoslog_is_missed(entry))
		r = recording_flush(recording);
	if (!r && !recording->begun && archive_counts(entry))
		r = find_end(recording, entry->time);
	if (r)
		return r;
	if (recording->skipping && is_recorded(recording, entry))
		return learn(recording, entry);
	if (recording->used >= (can_part(entry) ? FRAME_SIZE : FRAME_MOST))
		r = recording_flush(recording);
	if (r)
		return r;
	if (says_nothing(recording, entry))
		return learn(recording, entry);
	if (!recording->used)
		r = begin_frame(recording, entry);
	if (!r)
		r = bcoslog_is_missed(entry) ? put_missed(recording, entry) : put(recording, entry);
	return r ? r : learn(recording, entry);
}

/* Nearly all entries: they are new, change nothing but what a CPU runs, and have one size. */
static bool is_simple(const struct recording *recording, const struct bcos_entry *entry)
{
	switch (entry->type) {
	case BCOS_ASSIGN_CPU:
		if (entry->source >= WAITING)
			return false;
		break;
	case BCOS_IRQ:
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
		break;
	default:
		return false;
	}
	return entry->size == sizeof(struct bcos_assign_cpu) && recording->begun && !recording->skipping &&
	       recording->used && recording->used < FRAME_SIZE && recording->room - recording->used >= entry->size;
}

static void take_simple(struct recording *recording, const struct bcos_entry *entry)
{
	struct waiting *waiting = &recording->waiting;
	struct archive_note *note = &recording->note;

	memcpy(recording->raw + recording->used, entry, sizeof(struct bcos_assign_cpu));
	recording->used += sizeof(struct bcos_assign_cpu);
	note->entries++;
	if (note->first > note->last)
		note->first = note->last = entry->time;
	else if (entry->time > note->last)
		note->last = entry->time;
	recording->time = entry->time;
	recording->timed = true;
	recording->in_group = false;
	if (entry->type != BCOS_ASSIGN_CPU)
		return;
	if (!waiting->of[entry->source].header.size)
		waiting->cpus[waiting->count++] = entry->source;
	memcpy(waiting->of + entry->source, entry, sizeof(struct bcos_assign_cpu));
}

/* What waits is applied: the state is as of the newest entry. */
static int settle(struct recording *recording)
{
	struct waiting *waiting = &recording->waiting;
	int r = 0;
	u32 i;

	for (i = 0; i < waiting->count; i++) {
		struct bcos_assign_cpu *assign = waiting->of + waiting->cpus[i];

		r = r ? r : bcoslog_state_apply(recording->state, &assign->header);
		assign->header.size = 0;
	}
	waiting->count = 0;
	return r;
}

int recording_entries(struct recording *recording, const struct bcoslog_batch *batch, const struct bcos_entry **done)
{
	int r = 0;

	while (*done != batch->end) {
		if (is_simple(recording, *done)) {
			take_simple(recording, *done);
		} else {
			r = recording->waiting.count ? settle(recording) : 0;
			r = r ? r : take(recording, *done);
			if (r)
				return r;
		}
		*done = bcoslog_after(*done);
	}
	return r;
}

void recording_forget(struct recording *recording)
{
	forget(recording);
}

void recording_paused(struct recording *recording, u64 since, u64 until)
{
	recording->paused_since = since;
	recording->paused_until = until;
}
