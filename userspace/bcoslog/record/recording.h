/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns new entries into frames, and begins the first frame of a file with a group. */
#ifndef BCOSLOG_RECORD_RECORDING_H
#define BCOSLOG_RECORD_RECORDING_H

#include "command.h"
#include "record/store/store.h"

struct recording;

/* @header is that of this machine, if it records itself; otherwise the log states it. Returns NULL without memory. */
struct recording *recording_new(struct store *store, const struct archive_header *header, bool this_machine);
void recording_free(struct recording *recording);
/* Restricts the recording to entries from @since on, in a file of its own that has @cause in its name. */
void recording_part(struct recording *recording, u64 since, const char *cause);

/*
 * Records entries in a row.  Return: 0; -ENOSPC if the disk is full: the caller calls recording_flush() until there is
 * room, and then continues with the entry at *@done; another negative errno, after a complaint.
 */
int recording_entries(struct recording *recording, const struct bcoslog_batch *batch, const struct bcos_entry **done);
/* Writes the unfinished frame.  Return: as recording_entries(). */
int recording_flush(struct recording *recording);
/* Writes it, unless that is within a group. May be called at any time.  Return: as recording_entries(). */
int recording_tick(struct recording *recording);
/* Returns the time of the newest entry that is not historical, or 0. */
u64 recording_time(const struct recording *recording);
/* Writes the rest when the log has ended.  Return: as recording_entries(). */
int recording_finish(struct recording *recording);
/*
 * Notes that @bytes bytes of the log are damaged, after which it goes on at a group.  The notice that something is missing
 * precedes the next entry.
 */
void recording_damaged(struct recording *recording, u64 bytes);
/* Notes that the disk was full from @since to @until. The next notice that something is missing says so. */
void recording_paused(struct recording *recording, u64 since, u64 until);

#endif
