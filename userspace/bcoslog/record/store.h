/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The files of a directory that is recorded into: written, rotated, and given up in the order of their age. */
#ifndef BCOSLOG_RECORD_STORE_H
#define BCOSLOG_RECORD_STORE_H

#include "kept.h"

/**
 * struct store_limits - how much is kept
 * @file_size: bytes after which a file is closed
 * @file_age: ns after which it is
 * @keep_size: bytes of all files
 * @keep_age: ns for which a file is kept; 0: any
 * @spare: bytes that stay free on the file system
 * @sync: ns after which what was written is on the disk
 * @level: of the compression
 */
struct store_limits {
	u64 file_size, file_age;
	u64 keep_size, keep_age;
	u64 spare;
	u64 sync;
	int level;
};

struct store;

/* The directory is made if there is none.  Return: NULL after a complaint. */
struct store *store_open(const char *path, const struct store_limits *limits);
/* Closes the file, too. */
void store_close(struct store *store);

/*
 * Before the first frame: nobody else records this machine into it, and where to go on, of the boot of @header, unless
 * @end is NULL.
 * Return: 0 or, after a complaint, -EIO.
 */
int store_begin(struct store *store, const struct archive_header *header, struct kept_end *end);

/*
 * Writes a frame, into a new file if there is none.  @cause: that file is a part of the log by itself, with this in its
 * name; or NULL.
 * Return: 0; -ENOSPC: there is no room, and nothing of it was written; another negative errno, after a complaint.
 */
int store_frame(struct store *store, const struct archive_header *header, const void *raw, struct archive_note *note,
		const char *cause);
/* Is the file that is open large or old enough?  Then the next frame has to begin with a group. */
bool store_is_full(const struct store *store);
/* Is there an open file? */
bool store_is_open(const struct store *store);
/* Closes the file: the next frame is in another one. */
void store_finish(struct store *store);
/* What was written long enough ago is on the disk from here on. */
void store_sync(struct store *store, bool now);
/* Path of the file that was closed last; NULL: none was. */
const char *store_newest(const struct store *store);
/* So many files were given up. */
u64 store_dropped(const struct store *store);

#endif
