/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The structure of a recorded directory or file that is read, for the files of this folder. */
#ifndef BCOSLOG_ARCHIVE_H_
#define BCOSLOG_ARCHIVE_H_

#include "bcoslog_archive.h"
#include "archive/format/format.h"

/**
 * struct archive_file - a recorded file
 * @name: name of the file in the directory
 * @header: the header of the file, or the boot and host that its first frame states
 * @machine: the machine whose log the file contains, with the machine's newest name
 * @headed: @header is known
 * @framed: the file begins with a header, so its writer ends it by an index
 * @closed: the file has an index, which lists @frames to the last one: nothing of its end is missing
 * @written: a recorder wrote to the file when it was scanned, so its end may have half a frame
 * @left_out: the file is a copy of another one, which is read in its place; it has no @frames
 * @apart: another file has the same number, and other frames
 * @known: archive_arrange() has seen the file
 * @told: the damage at the end of the file has been reported
 * @head: number of bytes before the first frame that are undamaged: header and machine
 * @size: size of the file in bytes when it was scanned
 * @scanned: number of bytes at the beginning of the file whose frames are in @frames
 * @tail: where index and seek table begin, if the last bytes of the file are those of a seek table; otherwise 0
 * @tail_frames: number of frames that the seek table states
 * @searched: the bytes before this place have been searched for a note
 * @damage: number of bytes that were searched for notes
 * @spent: bytes that were read of frames without notes that are damaged
 * @unpacked: bytes into which frames without notes were unpacked
 * @frames: the frames in the order of the file
 * @count: number of elements of @frames
 * @room: number of elements for which @frames has room
 */
struct archive_file {
	char *name;
	struct archive_header header;
	struct archive_machine machine;
	bool headed, framed, closed, written, left_out, apart, known, told;
	u64 head, size, scanned, tail, searched, damage, spent, unpacked;
	struct archive_frame *frames;
	u32 count, room, tail_frames;
};

/* Return: the number of bytes at the end of the file that are no frame, although no recorder writes to it any more. */
static inline u64 archive_file_rest(const struct archive_file *file)
{
	return file->written || file->left_out || file->scanned >= file->size ? 0 : file->size - file->scanned;
}

/**
 * struct archive_boot - the files of one boot of one machine, which are consecutive elements of archive.files
 * @header: the header of the first file
 * @machine: the machine
 * @first_file: index of the first file
 * @files: number of the files
 * @first: time of the first normal entry, ns since boot; 2^64 - 1 if there is none
 * @last: time of the last normal entry, ns since boot
 * @begin: the first reading of the wall clock; valid if @walled
 * @end: the last reading of the wall clock; valid if @walled
 * @walled: the files state the wall clock
 * @shift: ns that the reader adds to the times of this boot, so that all boots share one line of time
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

/* The place of a frame: the index of its file, and its index in the file. The end is frame 0 after the last file. */
struct archive_place {
	u32 file, frame;
};

struct unpacker;

struct archive {
	int directory;			/* descriptor of the directory, or of the file if @single */
	bool single;			/* a single file is read */
	char *name;			/* the name of the directory or file in messages */
	bool chosen;			/* @machine is valid */
	struct archive_machine machine;	/* the machine whose log is read */
	bool only;			/* only the boot @only_boot is read */
	u8 only_boot[ARCHIVE_BOOT];
	struct archive_file *files;	/* in order of machine, boot and time */
	u32 count, room;		/* number of elements of @files, and for how many there is room */
	struct archive_boot *boots;	/* the boots of @machine that are read, in order of the wall clock */
	u32 boot_count;
	bool follow;
	struct bcoslog_window window;
	bool begun;			/* reading has begun, so the window cannot change */

	/* The place at which reading continues. */
	struct archive_place next, stop;	/* the next frame, and the first frame after the window */
	u32 boot;			/* index of the boot that is read */
	u32 file;			/* index of the file that was read last */
	u64 place;			/* end of the part of this file that was read; 2^64 - 1 if unknown */
	u64 last;			/* time of the newest event given to the caller, with its boot's shift */
	u32 last_count;			/* number of events with this time that were given to the caller */
	bool given;			/* an event was given to the caller, so @last is valid */
	bool need_key;			/* after lost entries, only a frame that begins with a group can be read */
	bool broken;			/* entries were left out, of which no notice has told the caller yet */
	bool skipping;			/* the next frames may have events that were given to the caller already */
	int fd;				/* descriptor of the file @open_file, or -1 */
	u32 open_file;			/* index of a file */
	struct bcoslog *live;		/* the running log that continues the recording, or NULL */
	/* The function bcoslog_batch() for @live, by a pointer because reader/ is a layer above this folder. */
	int (*next_batch)(struct bcoslog *log, struct bcoslog_batch *batch);
	/* @raw collects the beginning of @live; the place at which @live continues the recording is known. */
	bool collecting, joined;
	bool foreign;			/* the running log is of a machine or boot that is not read */
	u8 *kept;			/* what @live begins with, as archive_meet_live() has read it; NULL if there is none */
	size_t kept_size;
	bool kept_damage;		/* @live is damaged after that, which its error explains, and nobody knows yet */
	u64 live_shift;			/* ns that are added to the times of @live */
	struct unpacker *unpacker;
	u8 *raw;			/* an unpacked frame, a notice, or entries of @live */
	size_t at, end;			/* the unread part of @raw */
	struct bcoslog_error error;
};

/* ---- disk.c --------------------------------------------------------------------- */

/* Call pread(), again if a signal interrupts it.  Return: as pread(). */
ssize_t archive_pread(int fd, void *to, size_t size, u64 place);
/*
 * Find the next byte at @place or after it that is no hole of the file.
 * Return: its place; @place if the file system does not tell; 2^64 - 1 if there is none.
 */
u64 archive_skip_hole(int fd, u64 place);
/* Return: true if a recorder writes to the file, which it has locked for that by archive_lock_written(). */
bool archive_is_written(int fd);
/* Lock the file for as long as the descriptor is open, so that readers know that a recorder writes to it. */
void archive_lock_written(int fd);
/* Open a file of the recording.  Return: a descriptor, or a negative errno. */
int archive_open_file(struct archive *archive, const struct archive_file *file);

/* ---- unpack.c ------------------------------------------------------------------- */

/* Return: an unpacker; NULL if there is no memory, or this library was built without zstd. */
struct unpacker *unpacker_new(void);
void unpacker_free(struct unpacker *unpacker);
/*
 * Unpack the frame in @stored_size bytes at @stored into ARCHIVE_RAW_MAX bytes at @to.
 * Return: the number of unpacked bytes, or -EBADMSG if the frame is damaged.
 */
long unpack_bytes(struct unpacker *unpacker, const void *stored, size_t stored_size, u8 *to);
/*
 * Unpack the frame of @stored bytes at @place into ARCHIVE_RAW_MAX bytes at @to.
 * Return: the number of unpacked bytes; -EBADMSG if the frame is damaged; another negative errno, such as -EIO.
 */
long unpack_frame(struct unpacker *unpacker, int fd, u64 place, u32 stored, u8 *to);
/*
 * Unpack a frame without a note, which begins at @place, @size bytes before the end of the file. *@raw receives the
 * number of unpacked bytes, also of a damaged frame, and *@taken the number of bytes that were read: at most 64, and
 * twice the frame's size.
 * Return: the frame's size on disk; 0 if the frame is not whole; -EBADMSG if it is damaged; another negative errno.
 */
long unpack_unnoted(struct unpacker *unpacker, int fd, u64 place, u64 size, u8 *to, size_t *raw, u64 *taken);

/* ---- file.c ----------------------------------------------------------------------- */

/*
 * A program sets this function to be called again and again while files or dumps are examined, which can take long.
 * Its result, unless it is 0, ends that with -EINTR.
 */
extern int (*archive_patience)(void);

/* Return: -EINTR if the program wants no more of what takes long; otherwise 0. */
static inline int archive_ask_patience(void)
{
	return archive_patience && archive_patience() ? -EINTR : 0;
}

/* Find the frames after @file->scanned.  @scratch has ARCHIVE_RAW_MAX bytes.  Return: 0 or a negative errno. */
int archive_file_scan(struct archive_file *file, int fd, struct unpacker *unpacker, u8 *scratch);
void archive_file_free(struct archive_file *file);
/* Return: the entry at @at if it is well-formed, aligned to 4 bytes, and ends at @end or before; otherwise NULL. */
const struct bcos_entry *archive_entry(const u8 *at, const u8 *end);

/* ---- open.c ----------------------------------------------------------------------- */

/*
 * Open the directory, or with @single the file, of @fd. archive_close(), or this function if it fails, closes @fd. Only
 * with @follow the recording may be empty.
 * Return: 0 or a negative errno, which @error explains.
 */
int archive_open(struct archive **archive, int fd, const char *name, bool single, bool follow,
		 struct bcoslog_error *error);
void archive_close(struct archive *archive);
/* Look for new files and frames.  Return: 1 if there are new frames; 0 if there are none; a negative errno. */
int archive_look(struct archive *archive);

/* ---- machine.c -------------------------------------------------------------------- */

/*
 * Find out the name and the ID of this machine.
 * Return: 0; -ENOENT if the machine has no ID, which is zeros then; another negative errno if the ID cannot be read.
 */
int archive_this_machine(struct archive_machine *machine);
/*
 * Compare two machines by name, then by ID. archive_identify() gives all files of a machine one name and ID.
 * Return: a number below, equal to or above 0, as memcmp().
 */
int archive_machine_order(const struct archive_machine *one, const struct archive_machine *other);
/* Return: true if the files are of one boot of one machine. */
bool archive_same_boot(const struct archive_file *one, const struct archive_file *other);
/* Return: true if the machines have the same ID or, if an ID is unknown, the same name. */
bool archive_is_machine(const struct archive_machine *one, const struct archive_machine *other);
/*
 * Find out the machine of each file. @recorder is a machine that will write files, or NULL; it receives its ID if the
 * files tell it.
 * Return: 0 or -ENOMEM.
 */
int archive_identify(struct archive *archive, struct archive_machine *recorder);

/* ---- copies.c --------------------------------------------------------------------- */

/*
 * Leave out the copies among files that are sorted by machine, boot and number: of several files with one header and
 * at least one equal frame, one is read.
 */
void archive_leave_out_copies(struct archive *archive);
/*
 * Find the next file, from file *@at on, that is not read or may lack its end.
 * Return: true if there is one; then @text says what is wrong, and *@at is the file after it.
 */
bool archive_flaw(const struct archive *archive, u32 *at, char *text, size_t room);

/* ---- boots.c ---------------------------------------------------------------------- */

/* Put the files and boots in order, and keep the place of reading.  Return: 0 or -ENOMEM. */
int archive_arrange(struct archive *archive);
/* Set the shifts of boot @base, which is 0, and of the boots after it. */
void archive_line_up(struct archive *archive, u32 base);
/* Return: the index of a file's boot; archive->boot_count if the boot is not read. */
u32 archive_boot_of(const struct archive *archive, u32 file);
/* Return: archive->place for the file at archive->next, of which nothing has been read. */
u64 archive_begin_place(const struct archive *archive);
/* Begin to read at the beginning of the window. */
void archive_begin(struct archive *archive);

/* ---- window.c ---------------------------------------------------------------------- */

/* Return: the place of the frame at which reading begins, because from there the log of the window explains itself. */
struct archive_place archive_find_begin(const struct archive *archive);
/* Return: the place of the first frame after the window, or the end. */
struct archive_place archive_find_stop(const struct archive *archive);

/* ---- given.c ---------------------------------------------------------------------- */

/* Add @shift, modulo 2^64, to the times of the entries in archive->raw. */
void archive_shift(struct archive *archive, u64 shift);
/* Leave out the entries in archive->raw that the caller was given already.  Return: true if there are others. */
bool archive_settle(struct archive *archive);

/* ---- read.c ----------------------------------------------------------------------- */

/*
 * Copy the next entries, or parts of them, into @room bytes at @to.
 * Return: the number of bytes; 0 if there are none now; a negative errno, which archive->error explains.
 */
long archive_read(struct archive *archive, void *to, size_t room);

/* ---- live.c ----------------------------------------------------------------------- */

/*
 * Read the beginning of the running log @live by archive->next_batch, and keep it for archive_live().
 * Return: 0; -EXDEV if the recording has files, but none of the machine of @live; another negative errno.
 */
int archive_meet_live(struct archive *archive, struct bcoslog *live);

/*
 * Read the next entries of the running log that come after the end of the recording into archive->raw.
 * Return: 1; 0 if there are none now; a negative errno, which archive->error explains.
 */
int archive_live(struct archive *archive);

#endif
