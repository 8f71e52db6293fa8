/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The writer of a recorded directory: it packs frames, begins and ends files, and removes the oldest ones. */
#ifndef BCOSLOG_ARCHIVE_WRITE_H
#define BCOSLOG_ARCHIVE_WRITE_H

#include "archive/format/format.h"
#include "bcoslog.h"
#include "entry/text.h"

/**
 * struct store_caller - what the writer needs of the program that records
 * @complain: prints a sentence, which this library never does
 * @goes_on: called each second while the disk has no room even for an empty file.  Return: false to give up
 * @patience: archive_patience (archive/read/archive.h) while the files in the directory are examined; or NULL
 */
struct store_caller {
	void (*complain)(const char *format, ...) __attribute__((format(printf, 1, 2)));
	bool (*goes_on)(void);
	int (*patience)(void);
};

/* ---- packer.c: frames are compressed by zstd ----------------------------------- */

struct packer;

/*
 * @plain: entries are compressed as they are, and not in columns.
 * Return: NULL with errno ENOMEM, or with ENOSYS if this program was built without zstd.
 */
struct packer *packer_new(int level, bool plain);
void packer_free(struct packer *packer);
/*
 * Compresses @size bytes of entries. *@columns gets whether they were put into columns.
 * Return: @front bytes for the caller, and after them the *@stored bytes of the frame, which are valid until the next
 * call; or NULL if there is no memory.
 */
u8 *packer_pack(struct packer *packer, const void *raw, size_t size, size_t front, size_t *stored, bool *columns);

/* ---- machine_file.c ------------------------------------------------------------ */

/* The ID of this machine, by which its files in a directory differ from those of other machines. */

/*
 * Gets the name and the ID of this machine. A machine without an ID gets a random one, which is kept in the directory.
 * If that fails, the ID is all zeros.
 */
void machine_learn(int directory, struct archive_machine *machine);
/* Writes the name of a hidden file that the machine has in the directory; @name has @room bytes. */
void machine_file(char *name, size_t room, const struct archive_machine *machine, const char *suffix);

/* ---- closed_files.c ------------------------------------------------------------ */

/**
 * struct recorded_end - the end of the recorded part of a boot
 * @known: at least one entry of the boot is recorded
 * @time: time of the newest entry
 * @count: number of entries that have this time
 */
struct recorded_end {
	bool known;
	u64 time;
	u32 count;
};

/* A closed file. */
struct closed_file {
	char *name;
	struct archive_header header;
	u64 size;
	u64 utc;			/* time of its newest entry by the wall clock, ns since 1970; 0: unknown */
	u64 written;			/* when this recorder closed it, ns since boot; 0: an earlier recorder has */
};

struct closed_files {
	struct closed_file *files;	/* the oldest first */
	size_t count, room;
	u64 bytes;			/* bytes of all files, and of the one that is being written */
	bool open;			/* the newest file has no index, because it could not be written */
};

/*
 * Finds the files that recorders of this machine have written, and repairs those that these have left without an index.
 * Other files, such as copies, do not count and are left alone. *@sequence gets the number of the next file.
 * Return: 0, or not 0 after a complaint.
 */
int closed_find(struct closed_files *closed, int directory, const char *path, const struct store_caller *caller,
		const struct archive_machine *machine, u64 *sequence);
void closed_free(struct closed_files *closed);
/* Gets the end of the recorded part of the boot of @header.  Return: 0, or -1 after a complaint. */
int closed_end(int directory, const char *path, const struct store_caller *caller, const struct archive_header *header,
		struct recorded_end *end);
/* Notes that the file that is being written has grown by @bytes. */
void closed_grow(struct closed_files *closed, u64 bytes);
/* Adds the file that was being written, and is closed now. */
void closed_add(struct closed_files *closed, const char *name, const struct archive_header *header, u64 size);
/* Removes the oldest file.  Return: whether there was one. */
bool closed_drop(struct closed_files *closed, int directory);
/* Removes the oldest files until all together have at most @size bytes, and none is older than @age ns. 0: no limit. */
void closed_limit(struct closed_files *closed, int directory, u64 size, u64 age);

/* ---- store.c ------------------------------------------------------------------- */

/* Writes and rotates the files of a recorded directory, and removes the oldest ones. */

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

/* Opens the directory @path, and makes it if it does not exist. @caller stays the caller's.  Return: NULL after a complaint. */
struct store *store_open(const char *path, const struct store_limits *limits, const struct store_caller *caller);
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
int store_begin(struct store *store, const struct archive_header *header, struct recorded_end *end);

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
