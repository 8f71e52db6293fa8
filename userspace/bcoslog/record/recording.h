/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Turns the entries of a log that are not recorded yet into frames. The first frame of a file begins with a group. */
#ifndef BCOSLOG_RECORD_RECORDING_H
#define BCOSLOG_RECORD_RECORDING_H

#include "archive/write/write.h"

struct recording;

/*
 * @header describes this machine if @this_machine. If not, the log's statements complete it.
 * Return: NULL if there is no memory.
 */
struct recording *recording_new(struct store *store, const struct archive_header *header, bool this_machine);
/* Frees the recording, which may be NULL, without writing. */
void recording_free(struct recording *recording);
/* Restricts the recording to entries from @since on, and to files of their own that have @cause in their names. */
void recording_part(struct recording *recording, u64 since, const char *cause);

/*
 * Records the entries of a batch from *@done on.
 * Return: 0; -ENOSPC if the disk is full: the caller calls recording_flush() until there is room, and then continues
 * with the entry at *@done; another negative errno after a complaint.
 */
int recording_entries(struct recording *recording, const struct bcoslog_batch *batch, const struct bcos_entry **done);
/* Writes the unfinished frame.  Return: as recording_entries(). */
int recording_flush(struct recording *recording);
/* Writes the unfinished frame, unless it ends within a group.  Return: as recording_entries(). */
int recording_tick(struct recording *recording);
/* Return: the time of the newest entry that is not historical, or 0. */
u64 recording_time(const struct recording *recording);
/* Writes the rest when the log has ended.  Return: as recording_entries(). */
int recording_finish(struct recording *recording);
/*
 * Notes that @bytes bytes of the log are damaged, and that the log goes on at a group. A notice that entries are
 * missing precedes the next entry.
 */
void recording_damaged(struct recording *recording, u64 bytes);
/* Notes that the disk was full from @since to @until. The next notice that the reader was overtaken says so. */
void recording_paused(struct recording *recording, u64 since, u64 until);

#endif
