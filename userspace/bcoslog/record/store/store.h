/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The files of a directory that is recorded into: they are written, rotated, and removed in the order of their age. */
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
 * @plain: entries are compressed in rows, so that what zstd unpacks is the log
 */
struct store_limits {
	u64 file_size, file_age;
	u64 keep_size, keep_age;
	u64 spare;
	u64 sync;
	int level;
	bool plain;
};

struct store;

/* The directory is made if there is none.  Return: NULL after a complaint. */
struct store *store_open(const char *path, const struct store_limits *limits);
/* Close the file that is open, and the directory. */
void store_close(struct store *store);

/*
 * Called before the first frame: take the lock of the machine, and find out up to where the boot of @header is recorded,
 * unless @end is NULL.
 * Return: 0 or, after a complaint, -EIO.
 */
int store_begin(struct store *store, const struct archive_header *header, struct kept_end *end);

/*
 * Write a frame, into a new file if none is open.  @cause: if it is not NULL, that file is a part of the log by itself, and
 * has this in its name.
 * Return: 0; -ENOSPC: there is no room, and nothing of it was written; another negative errno, after a complaint.
 */
int store_frame(struct store *store, const struct archive_header *header, const void *raw, struct archive_note *note,
		const char *cause);
/* Is the open file large or old enough to be closed?  If so, the next frame has to begin with a group. */
bool store_is_full(const struct store *store);
/* Is there an open file? */
bool store_is_open(const struct store *store);
/* Close the file: the next frame goes into another one. */
void store_finish(struct store *store);
/* Sync the file, if that is due or @now is set. */
void store_sync(struct store *store, bool now);
/* Return: the path of the file that was closed last, or NULL. */
const char *store_newest(const struct store *store);

#endif
