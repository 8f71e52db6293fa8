/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes and rotates the files of a directory, and removes the oldest ones. */
#ifndef BCOSLOG_RECORD_STORE_H
#define BCOSLOG_RECORD_STORE_H

#include "kept.h"

/**
 * struct store_limits - limits of what is kept
 * @file_size: bytes after which a file is closed
 * @file_age: ns after which a file is closed
 * @keep_size: bytes of all files
 * @keep_age: ns for which a file is kept; 0: any
 * @spare: bytes that stay free on the file system
 * @sync: ns after which written data is on the disk
 * @level: level of the compression
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

/* Opens the directory, and makes it if it does not exist.  Return: NULL after a complaint. */
struct store *store_open(const char *path, const struct store_limits *limits);
/* Learns the name and the ID of this machine: see machine.h. */
void store_machine(const struct store *store, struct archive_machine *machine);
/* Closes the open file and the directory. */
void store_close(struct store *store);

/*
 * Takes the lock of the machine, and finds out how far the boot of @header is recorded, unless @end is NULL. This comes
 * before the first frame.
 * Return: 0 or, after a complaint, -EIO.
 */
int store_begin(struct store *store, const struct archive_header *header, struct kept_end *end);

/*
 * Writes a frame, into a new file if none is open. If @cause is not NULL, that file is a part of the log by itself, and
 * has @cause in its name.
 * Return: 0; -ENOSPC if the disk is full, and nothing of the frame was written; another negative errno, after a
 * complaint.
 */
int store_frame(struct store *store, const struct archive_header *header, const void *raw, struct archive_note *note,
		const char *cause);
/* Is the open file large or old enough to be closed?  If so, the next frame has to begin with a group. */
bool store_is_full(const struct store *store);
/* Is there an open file? */
bool store_is_open(const struct store *store);
/* Closes the file; the next frame goes into another one. */
void store_finish(struct store *store);
/* Syncs the file, if that is due or @now is set. */
void store_sync(struct store *store, bool now);
/* Returns the path of the file that was closed last, or NULL. */
const char *store_newest(const struct store *store);

#endif
