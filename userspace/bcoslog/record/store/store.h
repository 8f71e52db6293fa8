/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes and rotates the files of a recorded directory, and removes the oldest ones. */
#ifndef BCOSLOG_RECORD_STORE_H
#define BCOSLOG_RECORD_STORE_H

#include "kept.h"

/**
 * struct store_limits - limits of a recorded directory
 * @file_size: bytes after which a file is closed
 * @file_age: ns after which a file is closed
 * @keep_size: the greatest number of bytes of all files of the machine; 0: any
 * @keep_age: ns for which a file is kept; 0: any
 * @spare: bytes that stay free on the file system
 * @sync: ns after which written data is on the disk
 * @level: level of the compression
 * @plain: entries are compressed as they are and not in columns, so that zstd alone unpacks a file to the log
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

/* Opens the directory @path, and makes it if it does not exist.  Return: NULL after a complaint. */
struct store *store_open(const char *path, const struct store_limits *limits);
/*
 * Takes the lock of this machine, so that a second recorder of it is refused before it has begun. store_begin() takes it,
 * too.  Return: 0, or -1 after a complaint.
 */
int store_claim(struct store *store);
/* Gets the name and the ID of this machine: see machine_learn(). */
void store_machine(const struct store *store, struct archive_machine *machine);
/* Closes the file that is open, and the directory. */
void store_close(struct store *store);

/*
 * Takes the lock of the machine, and unless @end is NULL, gets the end of the recorded part of the boot of @header.
 * Call this before the first frame of a machine or boot.
 * Return: 0, or -EIO after a complaint.
 */
int store_begin(struct store *store, const struct archive_header *header, struct kept_end *end);

/*
 * Writes a frame, into a new file if none is open. If @cause is not NULL, a new file has @cause in its name, and is
 * marked as a part of the log that stands alone.
 * Return: 0; -ENOSPC if the disk is full and nothing of the frame was written; another negative errno after a
 * complaint.
 */
int store_frame(struct store *store, const struct archive_header *header, const void *raw, struct archive_note *note,
		const char *cause);
/* Is the open file large or old enough to be closed? Then the next frame begins another file, and needs a group. */
bool store_is_full(const struct store *store);
/* Is a file open? */
bool store_is_open(const struct store *store);
/* Closes the open file, so that the next frame goes into another one. */
void store_finish(struct store *store);
/* Syncs the open file, if that is due or @now is set. */
void store_sync(struct store *store, bool now);
/* Return: whether no file is open, and all that was written since store_open() is on the disk, as far as the system says. */
bool store_is_safe(const struct store *store);
/* Return: the path of the file that was closed last, or NULL. */
const char *store_newest(const struct store *store);

#endif
