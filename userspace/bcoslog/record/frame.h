/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a recording, which recording.c and frame.c share: the first decides what is new, the second makes frames. */
#ifndef BCOSLOG_RECORD_FRAME_H
#define BCOSLOG_RECORD_FRAME_H

#include "bcoslog_archive.h"
#include "command.h"
#include "log/statements.h"
#include "record/store/store.h"

/* A frame ends as soon as it is this large, */
#define FRAME_SIZE (1u << 20)
/* and within a group as soon as it is this large. */
#define FRAME_MOST (ARCHIVE_RAW_MAX - (1u << 20))

/* Assignments of CPUs below this number are applied only when the state is needed, since the next one replaces each. */
#define WAITING 1024

struct waiting {
	struct bcos_assign_cpu of[WAITING];
	u32 cpus[WAITING];		/* CPUs that have a waiting assignment */
	u32 count;
};

struct recording {
	struct store *store;
	struct archive_header header;
	bool this_machine;
	const char *cause;		/* of a part of the log in a file of its own, or NULL */
	struct bcoslog_state *state;	/* as of the newest entry */
	struct statements statements;

	/* The frame that grows. */
	u8 *raw;
	size_t used, room;
	struct archive_note note;

	u64 time;			/* of the newest entry that is not historical */
	bool timed;
	u64 since_key, group;		/* bytes since the last frame that begins with a group; bytes of that group */
	bool incomplete;		/* no group was seen since everything was forgotten */
	bool rotating;			/* the next frame belongs to another file */

	u64 damaged;			/* bytes of the log that were damaged since the newest entry */
	bool in_group;			/* the newest entry is historical, so a frame cannot end after it */
	bool begun;			/* the place where recording goes on is known */
	struct kept_end end;		/* the log is recorded up to here already */
	bool skipping;			/* entries are read that are recorded already */
	u64 paused_since, paused_until;
	struct waiting waiting;
};

/* Add an entry to the frame.  Return: 0, or -ENOMEM after a complaint. */
int frame_put(struct recording *recording, const struct bcos_entry *entry);
/* May a frame end before the entry?  It may not within a group, or within the statements that follow one. */
bool frame_can_end(const struct bcos_entry *entry);
/* A frame begins before the entry, with a group if one is due.  Return: as frame_put(). */
int frame_begin(struct recording *recording, const struct bcos_entry *entry);
/* Write the frame as far as it is.  Return: as recording_entries(). */
int frame_write(struct recording *recording);
/* Add a notice that something is missing from @time to @until.  Return: as frame_put(). */
int frame_put_gap(struct recording *recording, u64 time, u64 until, const char *text);
/* Add such a notice before everything else in the frame.  Return: as frame_put(). */
int frame_put_gap_first(struct recording *recording, u64 time, u64 until, const char *text);

#endif
