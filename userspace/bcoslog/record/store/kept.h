/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The files of this machine in a directory: which one is removed next, and how far the log is recorded. */
#ifndef BCOSLOG_RECORD_KEPT_H
#define BCOSLOG_RECORD_KEPT_H

#include "archive/format.h"

/**
 * struct kept_end - how far a boot is recorded already
 * @known: any entry of the boot is recorded
 * @time: time of the newest entry
 * @count: number of entries that have this time
 */
struct kept_end {
	bool known;
	u64 time;
	u32 count;
};

struct kept_file {
	char *name;
	u64 sequence;
	u64 size;
	u8 boot[ARCHIVE_BOOT];
	u64 last;			/* time of its newest entry, since its boot */
	u64 utc;			/* and by the wall clock; 0: unknown */
	u64 written;			/* CLOCK_BOOTTIME, if it was written since this recorder began; else 0 */
};

struct kept {
	struct kept_file *files;	/* the oldest first */
	size_t count, room;
	u64 bytes;			/* of all of them, and of the one that is being written */
	u64 dropped;			/* files */
};

/* Makes a text a part of a file name: letters, digits, and characters that mean nothing else there. */
void kept_word(char *to, size_t room, const char *text);
/* Finds the existing files, and closes those that a crash left open.  Return: 0, or -1 after a complaint. */
int kept_find(struct kept *kept, int directory, const char *path, const struct archive_machine *machine, u64 *sequence);
void kept_free(struct kept *kept);
/* Finds out how far the boot of @header is recorded.  Return: 0, or -1 after a complaint. */
int kept_end(int directory, const char *path, const struct archive_header *header, struct kept_end *end);
/* Notes that the open file has grown. */
void kept_grow(struct kept *kept, u64 bytes);
/* Notes that the open file was closed. */
void kept_add(struct kept *kept, const char *name, const struct archive_header *header, u64 size, u64 last);
/* Removes the oldest file.  Return: was there one? */
bool kept_drop(struct kept *kept, int directory);
/* Removes files until the limits hold; an @age of 0 is no limit. */
void kept_limit(struct kept *kept, int directory, u64 size, u64 age);

#endif
