// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds out which entries of a log are not recorded yet, and passes them on to frame.c: see recording.h. */
#include <stdlib.h>

#include "frame.h"
#include "recording.h"
#include "complain/complain.h"

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

/*
 * Finds out up to where this boot is recorded already. The log has stated its boot before the first entry that counts,
 * whose time is @time.  Return: 0, or a negative errno after a complaint.
 */
static int find_end(struct recording *recording, u64 time)
{
	struct recorded_end end = { 0 };

	/* Without the lock of the machine nothing is written: frame_write() looks at @begun. */
	if (store_begin(recording->store, &recording->header, recording->cause ? NULL : &end))
		return -EIO;
	recording->begun = true;
	/* Before a part of the log that goes to a file of its own, no entries count as missing. */
	if (recording->cause || !end.known)
		return 0;
	recording->end = end;
	if (time > recording->end.time)
		return frame_put_gap_first(recording, recording->end.time, time,
					   &(struct gap){ .cause = GAP_NO_RECORDER });
	recording->skipping = true;
	/* The frame's group is older than what is recorded. frame_begin() writes one where recording goes on. */
	recording->used = 0;
	archive_note_begin(&recording->note);
	return 0;
}

int recording_flush(struct recording *recording)
{
	return frame_write(recording);
}

u64 recording_time(const struct recording *recording)
{
	return recording->time;
}

int recording_tick(struct recording *recording)
{
	return recording->in_group ? 0 : recording_flush(recording);
}

int recording_finish(struct recording *recording)
{
	int r;

	if (recording->begun || !recording->used)
		return recording_flush(recording);
	/* A log that consists of a group alone is recorded only if no file of this boot is there. */
	r = find_end(recording, ~0ull);
	return r || recording->end.known ? r : recording_flush(recording);
}

static void forget_group(struct recording *recording)
{
	bcoslog_state_forget(recording->state);
	statements_forget(&recording->statements);
	recording->incomplete = true;
}

/* Is the entry recorded already? The first entry that is not ends the skipping. */
static bool is_recorded(struct recording *recording, const struct bcos_entry *entry)
{
	struct recorded_end *end = &recording->end;

	/* A notice behind all that is recorded says what the log lacks from there on. */
	if (bcoslog_is_missed(entry) && entry->time >= end->time && !end->count) {
		recording->skipping = false;
		return false;
	}
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

/* Adds the notice that the reader was overtaken, with the reason if recording had paused.  Return: as frame_put(). */
static int put_missed(struct recording *recording, const struct bcos_entry *entry)
{
	struct gap gap;

	if (!recording->paused_until || !gap_of_entry(&gap, entry) || gap.cause != GAP_OVERTAKEN)
		return frame_put(recording, entry);
	gap.cause = GAP_DISK_FULL;
	gap.ns = recording->paused_until - recording->paused_since;
	recording->paused_until = 0;
	return frame_put_gap(recording, entry->time, entry->time + entry->precision, &gap);
}

/* Learns the boot and the machine of the log. Another boot or machine goes to files of its own. */
static void learn_header(struct recording *recording, const struct bcos_entry *entry)
{
	struct archive_header before = recording->header;

	if (recording->this_machine || !archive_header_entry(&recording->header, entry) ||
	    !memcmp(&before, &recording->header, sizeof(before)) || !recording->begun)
		return;
	recording->begun = false;
	recording->rotating = true;
}

static int learn_entry(struct recording *recording, const struct bcos_entry *entry)
{
	int r;

	if (bcoslog_is_missed(entry))
		forget_group(recording);
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

static int take_one(struct recording *recording, const struct bcos_entry *entry)
{
	int r = 0;

	/* A notice that the reader was overtaken begins a frame. */
	if (bcoslog_is_missed(entry))
		r = recording_flush(recording);
	if (!r && !recording->begun && archive_counts(entry))
		r = find_end(recording, entry->time);
	if (r)
		return r;
	if (recording->skipping && is_recorded(recording, entry))
		return learn_entry(recording, entry);
	if (recording->used >= (frame_can_end(entry) ? FRAME_SIZE : FRAME_MOST))
		r = recording_flush(recording);
	if (r)
		return r;
	if (says_nothing(recording, entry))
		return learn_entry(recording, entry);
	if (!recording->used)
		r = frame_begin(recording, entry);
	if (!r)
		r = bcoslog_is_missed(entry) ? put_missed(recording, entry) : frame_put(recording, entry);
	return r ? r : learn_entry(recording, entry);
}

/* Records the notice that a part of the log is damaged, at the time of the newest entry before the damage. */
static int take_damage(struct recording *recording)
{
	struct gap gap = { .cause = GAP_LOG_DAMAGED, .bytes = recording->damaged };
	u32 room[GAP_ENTRY / sizeof(u32)];
	int r = 0;

	gap_put(room, recording->time, recording->time, &gap);
	/* Before the first entry there is no time that the notice could have. */
	if (recording->timed)
		r = take_one(recording, (const struct bcos_entry *)room);
	else
		forget_group(recording);
	if (!r)
		recording->damaged = 0;
	return r;
}

static int take_entry(struct recording *recording, const struct bcos_entry *entry)
{
	int r = recording->damaged ? take_damage(recording) : 0;

	return r ? r : take_one(recording, entry);
}

/*
 * Can take_simple() take the entry? It takes new entries of one size that change at most the process of a CPU. Nearly
 * all entries are such ones.
 */
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
	/* There is room for any entry if one is there already, and the frame goes on. */
	return entry->size == sizeof(struct bcos_assign_cpu) && recording->begun && !recording->skipping &&
	       recording->used && recording->used < FRAME_SIZE;
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

/* Applies the assignments that wait, so that the state is as of the newest entry. */
static int settle_group(struct recording *recording)
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
			r = recording->waiting.count ? settle_group(recording) : 0;
			r = r ? r : take_entry(recording, *done);
			if (r)
				return r;
		}
		*done = bcoslog_after(*done);
	}
	return r;
}

void recording_damaged(struct recording *recording, u64 bytes)
{
	recording->damaged += bytes;
}

void recording_paused(struct recording *recording, u64 since, u64 until)
{
	recording->paused_since = since;
	recording->paused_until = until;
}
