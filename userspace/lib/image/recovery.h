/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The recovery of an image, for the files of this folder. */
#ifndef BCOSLOG_RECOVERY_H
#define BCOSLOG_RECOVERY_H

#include "core/merge/merge.h"

#include "bcoslog_state.h"
#include "recover.h"
#include "resume/tags.h"

/* No machine runs for so many ns (36 years): such a time is no time, but text. */
#define RECOVERY_NEVER (1ull << 60)

/* What is missing at the end of a stage. */
struct recovery_stage {
	struct bcos_stage stage;
	bool absent;			/* the ring is not in the image, although records are in it */
	bool endless;			/* memory lacks what tells where the records end */
	bool uncounted;			/* records were lost, and nothing tells how many */
	bool amid;			/* the CPU was recording an event, which may be missing */
	u64 unread;			/* units that cannot be read, although they were written */
	u64 last;			/* raw time of the newest record that can be read; 0: none */
};

struct recovery {
	struct bcos_image image;
	const struct recover_end *ends;	/* NULL: nothing beside the image tells where stages end */
	struct recovered *result;
	struct bcoslog_state *state;	/* after the newest entry of the old log */
	u64 time;			/* time of the newest normal entry of the old log */
	u8 *ring;			/* the ring of the new log, mapped twice in a row */
	u64 ring_size;
	u64 used, entries;		/* bytes and entries of the old log in @ring */
	struct bcos_log log;
	struct bcos_merge merge;
	struct recovery_stage *stage;	/* one for each CPU, and one for the kernel's log */
	struct bcos_unit *lines;	/* the ring of the last stage, which has the rest of the kernel's log */
	u64 lines_lost;			/* of its lines that nobody has read, as far as their number is known */
	struct tags tags;
	struct bcos_timebase timebase;	/* as of the last pass */
};

/* ---- old_log.c ---------------------------------------------------------------------- */

/* Copy the log of the image into recovery->ring, and follow its state.  Return: 0 or a negative errno. */
int recovery_copy_log(struct recovery *recovery);

/* ---- stages.c ----------------------------------------------------------------------- */

/* Find out where the records of each stage end.  Return: 0 or -ENOMEM. */
int recovery_find_ends(struct recovery *recovery);
/*
 * Return: the tag of the incarnation of a process that the old log has, 0 if no record tells any, or one that no record
 * has if the records may be those of a later incarnation.
 */
u32 recovery_tag_of(void *recovery, u32 process);

/* ---- lines.c ------------------------------------------------------------------------ */

/* Stage the lines of the kernel's log that nobody has read.  Return: 0 or -ENOMEM. */
int recovery_stage_lines(struct recovery *recovery);

/* ---- ending.c ----------------------------------------------------------------------- */

/* Note how the image ended in recovery->result. */
void recovery_note_end(struct recovery *recovery);
/* State how it ended, and what is missing, at the end of the merged log. */
void recovery_write_end(struct recovery *recovery);

#endif
