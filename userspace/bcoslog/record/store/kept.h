/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The closed files of a machine in a recorded directory. kept_end() finds where their newest entries end. */
#ifndef BCOSLOG_RECORD_KEPT_H
#define BCOSLOG_RECORD_KEPT_H

#include "archive/format/format.h"

/**
 * struct kept_end - the end of the recorded part of a boot
 * @known: at least one entry of the boot is recorded
 * @time: time of the newest entry
 * @count: number of entries that have this time
 */
struct kept_end {
	bool known;
	u64 time;
	u32 count;
};

/* A closed file. */
struct kept_file {
	char *name;
	struct archive_header header;
	u64 size;
	u64 utc;			/* time of its newest entry by the wall clock, ns since 1970; 0: unknown */
	u64 written;			/* when this recorder closed it, ns since boot; 0: an earlier recorder has */
};

struct kept {
	struct kept_file *files;	/* the oldest first */
	size_t count, room;
	u64 bytes;			/* bytes of all files, and of the one that is being written */
	bool open;			/* the newest file has no index, because it could not be written */
};

/* Writes @text as a part of a file name: characters other than letters, digits, "." and "-" become "_". */
void kept_word(char *to, size_t room, const char *text);
/*
 * Finds the files that recorders of this machine have written, and repairs those that these have left without an index.
 * Other files, such as copies, do not count and are left alone. *@sequence gets the number of the next file.
 * Return: 0, or not 0 after a complaint.
 */
int kept_find(struct kept *kept, int directory, const char *path, const struct archive_machine *machine, u64 *sequence);
void kept_free(struct kept *kept);
/* Gets the end of the recorded part of the boot of @header.  Return: 0, or -1 after a complaint. */
int kept_end(int directory, const char *path, const struct archive_header *header, struct kept_end *end);
/* Notes that the file that is being written has grown by @bytes. */
void kept_grow(struct kept *kept, u64 bytes);
/* Adds the file that was being written, and is closed now. */
void kept_add(struct kept *kept, const char *name, const struct archive_header *header, u64 size);
/* Removes the oldest file.  Return: whether there was one. */
bool kept_drop(struct kept *kept, int directory);
/* Removes the oldest files until all together have at most @size bytes, and none is older than @age ns. 0: no limit. */
void kept_limit(struct kept *kept, int directory, u64 size, u64 age);

#endif
