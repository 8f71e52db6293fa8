/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries on their way into files: what is new of them, in frames, of which each file's first begins with a group. */
#ifndef BCOSLOG_RECORD_RECORDING_H
#define BCOSLOG_RECORD_RECORDING_H

#include "command.h"
#include "store.h"

struct recording;

/* @header: of this machine, if it records itself; else what the log states counts.  Return: NULL: no memory. */
struct recording *recording_new(struct store *store, const struct archive_header *header, bool this_machine);
void recording_free(struct recording *recording);
/* Only what happened from @since on, in a file by itself, with @cause in its name. */
void recording_part(struct recording *recording, u64 since, const char *cause);

/*
 * Entries in a row.  Return: 0; -ENOSPC: there is no room, the caller calls recording_flush() until there is some, and
 * then goes on with the entries that *@done does not count; another negative errno, explained already.
 */
int recording_entries(struct recording *recording, const struct bcoslog_batch *batch, const struct bcos_entry **done);
/* What was taken so far is in the file.  Return: as recording_entries(). */
int recording_flush(struct recording *recording);
/* The same at a time that is nobody's choice: not within a group. */
int recording_tick(struct recording *recording);
/* The same at the end. */
int recording_finish(struct recording *recording);
/* The log is damaged, and goes on at a group. */
void recording_forget(struct recording *recording);
/* From here on another file; what was taken is written before.  Return: as recording_entries(). */
int recording_rotate(struct recording *recording);
/* There was no room for so long: the next notice that something is missing says so. */
void recording_paused(struct recording *recording, u64 since, u64 until);
/* Is there anything that is not in a file yet? */
bool recording_pending(const struct recording *recording);

#endif
