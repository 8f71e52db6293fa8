/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The format of a recorded file, which bcoslog-record(1) and bcoslog(5) describe. It is a valid zstd file:
 *
 *	header		a skippable frame that names the boot and the machine
 *	machine		a skippable frame with the ID of the machine, if the ID is known
 *	note, frame	a skippable frame that describes the zstd frame after it; any number of these pairs
 *	index		a skippable frame with copies of header, machine and notes, for readers that seek
 *	seek table	a skippable frame of the seekable format of zstd
 *
 * A zstd frame contains entries in columns (columns.h) or in rows. If all its frames are in rows, zstd unpacks a file
 * to the log itself. Notes and index only help to find entries: where they are missing or damaged, the reader unpacks
 * the frames. A file that its writer did not close has neither index nor seek table.
 */
#ifndef BCOSLOG_ARCHIVE_FORMAT_H
#define BCOSLOG_ARCHIVE_FORMAT_H

#include "core/format/entry.h"

#include "bcoslog.h"

#define ARCHIVE_VERSION 1

/* The magic numbers of the frames of bcos_evlog, of the seek table at its beginning and end, and of zstd frames. */
#define ARCHIVE_MAGIC 0x184D2A5Bu
#define ARCHIVE_SEEK_MAGIC 0x184D2A5Eu
#define ARCHIVE_SEEK_FOOTER 0x8F92EAB1u
#define ARCHIVE_ZSTD_MAGIC 0xFD2FB528u

/* The greatest sizes of a frame in bytes, unpacked and packed. */
#define ARCHIVE_RAW_MAX (16u << 20)
#define ARCHIVE_STORED_MAX (ARCHIVE_RAW_MAX + (1u << 20))
/* The greatest number of frames in a file. */
#define ARCHIVE_FRAMES_MAX (1u << 20)

/* Sizes of a host name, the ID of a boot and the ID of a machine, in bytes. */
#define ARCHIVE_HOST 64
#define ARCHIVE_BOOT 16
#define ARCHIVE_ID 16

/* Sizes on disk in bytes. */
#define ARCHIVE_HEADER_SIZE 120u
#define ARCHIVE_MACHINE_SIZE 40u
#define ARCHIVE_HEADER_MOST (ARCHIVE_HEADER_SIZE + ARCHIVE_MACHINE_SIZE)
#define ARCHIVE_NOTE_SIZE 96u
#define ARCHIVE_SEEK_ENTRY 8u
#define ARCHIVE_SEEK_TAIL 9u

/* The file is a separate part of the log: the log before and after it need not be in the directory. */
#define ARCHIVE_DETACHED (1u << 0)
/* The file before this one has no index, because it could not be written, and yet all its frames. */
#define ARCHIVE_AFTER_OPEN (1u << 1)

/**
 * struct archive_machine - a machine
 * @id: ID of the machine; zeros if unknown
 * @host: name of the machine, cut to the room and terminated by a zero byte
 */
struct archive_machine {
	u8 id[ARCHIVE_ID];
	char host[ARCHIVE_HOST];
};

/**
 * struct archive_header - the contents of the first frames of a file, header and machine
 * @flags: ARCHIVE_DETACHED and ARCHIVE_AFTER_OPEN
 * @sequence: number of the file; the log continues in the file of the same machine with the next number
 * @boot: ID of the boot; zeros if unknown
 * @machine: ID and name of the machine when the file was written
 */
struct archive_header {
	u32 flags;
	u64 sequence;
	u8 boot[ARCHIVE_BOOT];
	struct archive_machine machine;
};

/* The frame begins with a complete group, so reading can begin at the frame. */
#define ARCHIVE_KEY (1u << 0)
/* The frame begins with a notice that entries are missing before it. */
#define ARCHIVE_NOTICE (1u << 1)
/* The frame states the wall clock, so @wall is valid. */
#define ARCHIVE_WALL (1u << 2)
/* The entries are in columns. */
#define ARCHIVE_COLUMNS (1u << 3)

/**
 * struct archive_note - the contents of a frame
 * @flags: ARCHIVE_KEY to ARCHIVE_COLUMNS
 * @stored: size of the zstd frame in bytes
 * @raw: size of the entries in bytes
 * @entries: number of entries, including historical ones
 * @historical: number of historical entries
 * @losses: number of entries that state a loss
 * @first: time of the first normal entry; greater than @last if the frame has no normal entry
 * @last: greatest time of a normal entry
 * @wall: the newest statement of the wall clock at the end of the frame
 * @set: ns by which the clock was set within the frame, modulo 2^64
 */
struct archive_note {
	u32 flags;
	u32 stored, raw;
	u32 entries, historical, losses;
	u64 first, last;
	struct bcoslog_wall wall;
	u64 set;
};

/*
 * A note, and the offset in the file at which the zstd frame of the note begins. @torn: the index lists frames before
 * this one that are not in the file. @learned: the file has no undamaged note of the frame, which was unpacked for it.
 */
struct archive_frame {
	u64 place;
	bool torn, learned;
	struct archive_note note;
};

/* Return: true if the ID of the machine is known. */
bool archive_has_id(const struct archive_machine *machine);
/* Return: the size in bytes of the frames header and machine, at most ARCHIVE_HEADER_MOST. */
size_t archive_header_size(const struct archive_header *header);
/* Write archive_header_size() bytes to @to. */
void archive_put_header(u8 *to, const struct archive_header *header);
/* Write ARCHIVE_NOTE_SIZE bytes to @to. */
void archive_put_note(u8 *to, const struct archive_note *note);

/* Parse the frames header and machine in @size bytes at @from.  Return: true if the header is whole and undamaged. */
bool archive_get_header(const u8 *from, size_t size, struct archive_header *header);
/* Parse a note in @size bytes at @from.  Return: true if the note is whole and undamaged. */
bool archive_get_note(const u8 *from, size_t size, struct archive_note *note);

/* Return: true if both notes describe the same frame. */
bool archive_same_note(const struct archive_note *one, const struct archive_note *other);

/**
 * struct archive_tail - the tail of a file: index and seek table
 * @frames: number of frames in the index
 * @machine: the file has a frame with the ID of the machine
 */
struct archive_tail {
	u32 frames;
	bool machine;
};

/* Return: the size of the tail in bytes. */
size_t archive_tail_size(const struct archive_tail *tail);
/* Write the tail of a file with @count frames to @to. */
void archive_put_tail(u8 *to, const struct archive_header *header, const struct archive_frame *frames, u32 count);

/* Parse the last ARCHIVE_SEEK_TAIL bytes of a file, @last.  Return: true if the file seems to have the tail @tail. */
bool archive_tail_expected(const u8 *last, struct archive_tail *tail);
/*
 * Parse the tail of a file whose size without the tail is @body. @frames has room for all frames.
 * Return: true if the tail is whole and undamaged, and its frames fill the file.
 */
bool archive_get_tail(const u8 *from, const struct archive_tail *tail, u64 body, struct archive_header *header,
		      struct archive_frame *frames);

/*
 * Parse an index of @whole bytes, of which @size bytes are at @from, and compare its list with the frames that were
 * found in the file; sets the field torn of these. Only the number of frames of a damaged or shorter index is compared.
 * Return: true if the last frame that the index lists is the last one that was found.
 */
bool archive_match_index(const u8 *from, size_t size, u64 whole, struct archive_frame *frames, u32 count);
/* Return: true if the bytes are the beginning of an index, in which magic number and size may be damaged. */
bool archive_is_index(const u8 *from, size_t size);

/* Make an empty note. */
void archive_note_begin(struct archive_note *note);
/* Add the next entry of a frame to the note of the frame. */
void archive_note_entry(struct archive_note *note, const struct bcos_entry *entry);
/* Return: true if the entry states an event. A log has such an entry once, and each recording of the log has it. */
static inline bool archive_counts(const struct bcos_entry *entry)
{
	return !(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry) && !bcoslog_is_missed(entry);
}

/* Copy the boot or host that an entry states into @header.  Return: true if the entry states one of them. */
bool archive_header_entry(struct archive_header *header, const struct bcos_entry *entry);
/* Parse the ID of a boot or machine into 16 bytes.  Return: true if the text is an ID. */
bool archive_id_get(u8 *boot, const char *text, size_t length);
/* Write 16 bytes as "xxxxxxxx-xxxx-..." and a zero byte into the 37 bytes of @text. */
void archive_id_text(char *text, const u8 *boot);

/* ---- name.c ----------------------------------------------------------------------- */

/*
 * Write the name of a new file into @room bytes: TIME-MACHINE-NUMBER-CAUSE.bcos.zst. @utc is the time of its first entry
 * by the wall clock, @cause is NULL for a part of the log that follows on the one before, and @number, unless it is 0,
 * tells the file from others that have the same name otherwise.
 */
void archive_name_put(char *name, size_t room, const struct archive_header *header, u64 utc, const char *cause,
		      u32 number);
/* Return: true if archive_name_put() gives a file with this header this name. */
bool archive_own_name(const char *name, const struct archive_header *header);
/* Parse the number in the name of a file of the machine @host.  Return: true if the name has one. */
bool archive_name_sequence(const char *name, const char *host, u64 *sequence);
/* Write @text as a part of a file name: characters other than letters, digits, "." and "-" become "_". */
void archive_name_word(char *to, size_t room, const char *text);

#endif
