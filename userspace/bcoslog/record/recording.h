/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries on their way into files: those that are new become frames, and the first frame of a file begins with a group. */
#ifndef BCOSLOG_RECORD_RECORDING_H
#define BCOSLOG_RECORD_RECORDING_H

#include "command.h"
#include "record/store/store.h"

struct recording;

/* @header: this machine's, if it records itself; otherwise the log states it.  Return: NULL: there is no memory. */
struct recording *recording_new(struct store *store, const struct archive_header *header, bool this_machine);
void recording_free(struct recording *recording);
/* Record only entries from @since on, in a file of its own that has @cause in its name. */
void recording_part(struct recording *recording, u64 since, const char *cause);

/*
 * Record entries in a row.  Return: 0; -ENOSPC: there is no room: the caller calls recording_flush() until there is some,
 * and then goes on with the entry at *@done; another negative errno, which was explained.
 */
int recording_entries(struct recording *recording, const struct bcoslog_batch *batch, const struct bcos_entry **done);
/* Write the frame as far as it is.  Return: as recording_entries(). */
int recording_flush(struct recording *recording);
/* Write it unless that is within a group; for calls at any time.  Return: likewise. */
int recording_tick(struct recording *recording);
/* Time of the newest entry that is not historical, or 0. */
u64 recording_time(const struct recording *recording);
/* The log has ended: write what is left.  Return: likewise. */
int recording_finish(struct recording *recording);
/* The log is damaged, and goes on at a group: forget everything. */
void recording_forget(struct recording *recording);
/* There was no room from @since to @until: the next notice that something is missing says so. */
void recording_paused(struct recording *recording, u64 since, u64 until);

#endif
