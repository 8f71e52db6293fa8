/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a recording. recording.c decides which entries are new, and frame.c makes frames of them. */
#ifndef BCOSLOG_RECORD_FRAME_H
#define BCOSLOG_RECORD_FRAME_H

#include "bcoslog_archive.h"
#include "entry/gap.h"
#include "log/statements.h"
#include "archive/write/write.h"

/* After this many bytes, a frame ends as soon as frame_can_end() allows it. */
#define FRAME_SIZE (1u << 20)
/* After this many bytes, a frame ends at any entry. */
#define FRAME_MOST (ARCHIVE_RAW_MAX - (1u << 20))

/*
 * An assignment of a CPU below this number waits until the state is needed, since the next assignment of the CPU
 * replaces it.
 */
#define WAITING 1024

/* The waiting assignments, by CPU. */
struct waiting {
	struct bcos_assign_cpu of[WAITING];
	u32 cpus[WAITING];		/* CPUs that have a waiting assignment */
	u32 count;
};

struct recording {
	struct store *store;
	struct archive_header header;
	bool this_machine;		/* the log is this machine's, so @header is complete from the beginning */
	const char *cause;		/* of a detached part of the log, for the names of its files */
	struct bcoslog_state *state;	/* as of the newest entry, but for the waiting assignments */
	struct statements statements;

	/* The frame that is being filled. */
	u8 *raw;
	size_t used, room;
	struct archive_note note;

	u64 time;			/* time of the newest entry that is not historical */
	bool timed;			/* there was such an entry */
	u64 since_key, group;		/* bytes since the last frame that begins with a group; bytes of that group */
	bool incomplete;		/* no group was read since the state was forgotten */
	bool rotating;			/* the next frame belongs to another file */

	u64 damaged;			/* damaged bytes of the log since the newest entry */
	bool in_group;			/* the newest entry is historical, so a frame cannot end after it */
	bool begun;			/* store_begin() was called for the boot, so @end is known */
	struct recorded_end end;		/* the end of what an earlier recording of this boot has */
	bool skipping;			/* the entries that are read are before @end */
	u64 paused_since, paused_until;	/* when the disk was full, ns since boot; 0: a notice has said it */
	struct waiting waiting;
};

/* Adds an entry to the frame.  Return: 0, or -ENOMEM after a complaint. */
int frame_put(struct recording *recording, const struct bcos_entry *entry);
/* May a frame end before the entry? It may not within a group or within the statements after the group. */
bool frame_can_end(const struct bcos_entry *entry);
/* Begins a frame before the entry, with a group if one is due.  Return: as frame_put(). */
int frame_begin(struct recording *recording, const struct bcos_entry *entry);
/* Writes the frame.  Return: as recording_entries(). */
int frame_write(struct recording *recording);
/* Adds a notice that entries are missing from @time to @until, in ns since boot.  Return: as frame_put(). */
int frame_put_gap(struct recording *recording, u64 time, u64 until, const struct gap *gap);
/* Adds such a notice at the beginning of the frame.  Return: as frame_put(). */
int frame_put_gap_first(struct recording *recording, u64 time, u64 until, const struct gap *gap);

#endif
