/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A recorded directory, or a recorded file, that is read: as the files of this folder share it. */
#ifndef BCOSLOG_ARCHIVE_H_
#define BCOSLOG_ARCHIVE_H_

#include "bcoslog_archive.h"
#include "format.h"

/**
 * struct archive_file - a recorded file
 * @name: in the directory
 * @header: what it says of itself, or what its first frame states
 * @machine: the one that it is of, with its newest name
 * @headed: @header is known
 * @closed: it has an index, so nothing more comes
 * @scanned: bytes in which frames were looked for
 * @frames: in their order; @count of them, and room for @room
 */
struct archive_file {
	char *name;
	struct archive_header header;
	struct archive_machine machine;
	bool headed, closed;
	u64 scanned;
	struct archive_frame *frames;
	u32 count, room;
};

/**
 * struct archive_boot - files of one boot of one machine, which lie in a row
 * @first_file: index of the first one; @files of them
 * @first: time of its first entry, since boot
 * @last: time of its last entry
 * @begin: the first statement of the wall clock; valid if @walled
 * @end: the last statement of it
 * @shift: added to the times of the boot, which puts all boots on one line of time
 */
struct archive_boot {
	struct archive_header header;
	struct archive_machine machine;
	u32 first_file, files;
	u64 first, last;
	struct bcoslog_wall begin, end;
	bool walled;
	u64 shift;
};

/* The place of a frame: file and frame by index. The end is the file after the last one. */
struct archive_place {
	u32 file, frame;
};

struct unpacker;

struct archive {
	int directory;			/* descriptor; of a single file, that file's */
	bool single;
	char *name;			/* for messages */
	bool chosen;			/* the machine that is read is known */
	struct archive_machine machine;
	bool only;			/* only the boot in only_boot is read */
	u8 only_boot[ARCHIVE_BOOT];
	struct archive_file *files;	/* by machine and boot, each in order of time */
	u32 count, room;
	struct archive_boot *boots;	/* of the chosen machine, in order of the wall clock */
	u32 boot_count;
	bool follow;
	struct bcoslog_window window;
	bool begun;			/* reading began: the window is fixed */

	/* The place of reading. */
	struct archive_place next, stop;	/* next frame; the first one that is not wanted */
	u32 boot;			/* index of the boot that is read */
	u32 file;			/* the file that was read last */
	u64 place;			/* end of the frame in it that was read last */
	u64 last;			/* time of the newest entry given, with its boot's shift */
	u32 last_count;			/* so many entries of that time were given */
	bool given;			/* any at all */
	bool need_key;			/* after damage: only a frame with a group helps */
	bool skipping;			/* entries that were given already are left out */
	int fd;				/* of the file that is open, or -1 */
	u32 open_file;
	struct bcoslog *live;		/* the running log that follows the recording, or NULL */
	int (*next_batch)(struct bcoslog *log, struct bcoslog_batch *batch);	/* of it; readers stand above this folder */
	bool collecting, joined;	/* the place where it follows is looked for; is known */
	bool foreign;			/* the running log is of a machine or boot that is not read */
	u64 live_shift;			/* added to its times */
	struct unpacker *unpacker;
	u8 *raw;			/* a frame, unpacked, or a notice */
	size_t at, end;			/* the part of it that was not read yet */
	struct bcoslog_error error;
};

/* ---- disk.c --------------------------------------------------------------------- */

/* pread(), also while signals come. */
ssize_t archive_pread(int fd, void *to, size_t size, u64 place);
/* Return: a descriptor, or a negative errno. */
int archive_open_file(struct archive *archive, const struct archive_file *file);

/* ---- unpack.c ------------------------------------------------------------------- */

/* Return: NULL if there is no memory, or no zstd in this library. */
struct unpacker *unpacker_new(void);
void unpacker_free(struct unpacker *unpacker);
/* Unpacks a frame into ARCHIVE_RAW_MAX bytes at @to.  Return: bytes, or a negative errno: EBADMSG, EIO, ENOMEM. */
long unpack_frame(struct unpacker *unpacker, int fd, u64 place, u32 stored, u8 *to);
/* Unpacks a frame that has no note.  Return: its size on disk, 0 if it is not whole, or -EBADMSG. */
long unpack_unnoted(struct unpacker *unpacker, int fd, u64 place, u64 size, u8 *to, size_t *raw);

/* ---- file.c ----------------------------------------------------------------------- */

/* Finds frames that are not known yet.  @scratch: ARCHIVE_RAW_MAX bytes.  Return: 0 or a negative errno. */
int archive_file_scan(struct archive_file *file, int fd, struct unpacker *unpacker, u8 *scratch);
void archive_file_free(struct archive_file *file);
/* Returns the entry at @at if it is well-formed and ends before @end, else NULL. */
const struct bcos_entry *archive_entry(const u8 *at, const u8 *end);

/* ---- open.c ----------------------------------------------------------------------- */

/*
 * Opens a directory, or a file if @single is set, and closes @fd in any case. With @follow, it may have no entry yet.
 * Return: 0 or a negative errno, explained in @error.
 */
int archive_open(struct archive **archive, int fd, const char *name, bool single, bool follow,
		 struct bcoslog_error *error);
void archive_close(struct archive *archive);
/* Looks for new files and frames.  Return: 1 if there are some, 0, or a negative errno. */
int archive_look(struct archive *archive);

/* ---- machine.c -------------------------------------------------------------------- */

/* Learns the name and the ID of this machine.  Return: 0; -ENOENT: it has no ID, which then is zeros; another errno. */
int archive_this_machine(struct archive_machine *machine);
/* Returns below, equal to or above 0. Machines are the same if their IDs are, or if both have none and their names are. */
int archive_machine_order(const struct archive_machine *one, const struct archive_machine *other);
/* Are these the same by their IDs or, if one is unknown, by their names? */
bool archive_is_machine(const struct archive_machine *one, const struct archive_machine *other);
/*
 * Finds out which file is of which machine. @recorder is one that will have files, and gets its ID if they tell it; NULL:
 * none.
 * Return: 0 or -ENOMEM.
 */
int archive_identify(struct archive *archive, struct archive_machine *recorder);

/* ---- boots.c ---------------------------------------------------------------------- */

/* Puts files and boots in order.  Return: 0 or -ENOMEM. */
int archive_arrange(struct archive *archive);
/* Are these files of the same boot of the same machine? */
bool archive_same_boot(const struct archive_file *one, const struct archive_file *other);
/* Sets the shifts of the boots from @base on, which gets none. */
void archive_line_up(struct archive *archive, u32 base);
/* Returns the index of a file's boot; @boot_count: the file is of another machine. */
u32 archive_boot_of(const struct archive *archive, u32 file);
/* Sets where reading begins and ends. */
void archive_begin(struct archive *archive);

/* ---- window.c ---------------------------------------------------------------------- */

/* Returns the place of the first frame that may be wanted, from which the log explains itself. */
struct archive_place archive_find_begin(const struct archive *archive);
/* Returns the place after the last frame that may be wanted. */
struct archive_place archive_find_stop(const struct archive *archive);

/* ---- given.c ---------------------------------------------------------------------- */

/* Adds @shift to the times of the entries in archive->raw. */
void archive_shift(struct archive *archive, u64 shift);
/* Leaves out entries that were given already.  Return: is any left? */
bool archive_settle(struct archive *archive);

/* ---- read.c ----------------------------------------------------------------------- */

/* Reads entries.  Return: bytes, 0 if there are none now, or a negative errno, explained in archive->error. */
long archive_read(struct archive *archive, void *to, size_t room);

/* ---- live.c ----------------------------------------------------------------------- */

/*
 * Reads the next entries of the running log, after the end of the recording, into archive->raw.
 * Return: 1, 0, or a negative errno.
 */
int archive_live(struct archive *archive);

#endif
