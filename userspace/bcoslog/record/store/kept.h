/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The files that a directory has of this machine: which one is removed next, and up to where the log is recorded. */
#ifndef BCOSLOG_RECORD_KEPT_H
#define BCOSLOG_RECORD_KEPT_H

#include "archive/format.h"

/**
 * struct kept_end - up to where a machine's boot is recorded already
 * @known: anything of it is
 * @time: of the newest entry
 * @count: so many entries have this time
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

/* A text as a part of a name: letters, digits, and what cannot be mistaken. */
void kept_word(char *to, size_t room, const char *text);
/* Find the files that are there, and close those that nobody closed.  Return: 0, or -1 after a complaint. */
int kept_find(struct kept *kept, int directory, const char *path, const char *host, u64 *sequence);
void kept_free(struct kept *kept);
/* Find out up to where the boot of @header is recorded.  Return: 0, or -1 after a complaint. */
int kept_end(int directory, const char *path, const struct archive_header *header, struct kept_end *end);
/* The open file has grown. */
void kept_grow(struct kept *kept, u64 bytes);
/* The open file was closed. */
void kept_add(struct kept *kept, const char *name, const struct archive_header *header, u64 size, u64 last);
/* Remove the oldest file.  Return: was there one? */
bool kept_drop(struct kept *kept, int directory);
/* Remove files until the limits hold; an @age of 0 is no limit. */
void kept_limit(struct kept *kept, int directory, u64 size, u64 age);

#endif
