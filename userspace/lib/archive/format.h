/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The format of a recorded file, which bcoslog-record(1) and bcoslog(5) describe. It is a valid zstd file:
 *
 *	header		a skippable frame: which boot of which machine
 *	machine		a skippable frame: the ID of the machine, where it is known
 *	note, frame	a skippable frame that says what is in the zstd frame after it; any number of these pairs
 *	index		a skippable frame: header, machine and notes again, for who seeks
 *	seek table	a skippable frame as the seekable format of zstd has it
 *
 * A zstd frame has entries in columns (columns.h), or in rows: what zstd unpacks from a file that has rows alone is the
 * log. The notes and the index only say where to look: where they are missing or damaged, the frames themselves are
 * unpacked. A file that nobody closed has neither index nor seek table.
 */
#ifndef BCOSLOG_ARCHIVE_FORMAT_H
#define BCOSLOG_ARCHIVE_FORMAT_H

#include "core/format/entry.h"

#include "bcoslog.h"

#define ARCHIVE_VERSION 1

/* Skippable frames of ours, and of the seek table. */
#define ARCHIVE_MAGIC 0x184D2A5Bu
#define ARCHIVE_SEEK_MAGIC 0x184D2A5Eu
#define ARCHIVE_SEEK_FOOTER 0x8F92EAB1u
#define ARCHIVE_ZSTD_MAGIC 0xFD2FB528u

/* No frame is larger, unpacked and packed. */
#define ARCHIVE_RAW_MAX (16u << 20)
#define ARCHIVE_STORED_MAX (ARCHIVE_RAW_MAX + (1u << 20))
/* No file has more frames. */
#define ARCHIVE_FRAMES_MAX (1u << 20)

#define ARCHIVE_HOST 64
#define ARCHIVE_BOOT 16
#define ARCHIVE_ID 16

/* Bytes on disk. */
#define ARCHIVE_HEADER_SIZE 120u
#define ARCHIVE_MACHINE_SIZE 40u
#define ARCHIVE_HEADER_MOST (ARCHIVE_HEADER_SIZE + ARCHIVE_MACHINE_SIZE)
#define ARCHIVE_NOTE_SIZE 96u
#define ARCHIVE_SEEK_ENTRY 8u
#define ARCHIVE_SEEK_TAIL 9u

/* The file is a part of the log by itself: the directory does not have the log before and after it. */
#define ARCHIVE_DETACHED (1u << 0)

/**
 * struct archive_machine - a machine
 * @id: of the machine; zeros: unknown
 * @host: name of the machine, as far as there is room; ends with a zero
 */
struct archive_machine {
	u8 id[ARCHIVE_ID];
	char host[ARCHIVE_HOST];
};

/**
 * struct archive_header - the first frame of a file, which describes it, and the one about the machine
 * @flags: ARCHIVE_DETACHED
 * @sequence: a file follows the one of its machine whose number is one less
 * @boot: ID of the boot, as 16 bytes; zeros: unknown
 * @machine: its ID and name at that time
 */
struct archive_header {
	u32 flags;
	u64 sequence;
	u8 boot[ARCHIVE_BOOT];
	struct archive_machine machine;
};

/* The frame begins with a complete group, so reading can begin there. */
#define ARCHIVE_KEY (1u << 0)
/* The frame begins with a notice that something is missing. */
#define ARCHIVE_NOTICE (1u << 1)
/* The wall clock of the frame is known: @wall is valid. */
#define ARCHIVE_WALL (1u << 2)
/* The entries are in columns. */
#define ARCHIVE_COLUMNS (1u << 3)

/**
 * struct archive_note - the contents of a frame
 * @flags: ARCHIVE_KEY and those after it
 * @stored: bytes of the zstd frame
 * @raw: bytes of its entries
 * @entries: number of its entries, with historical ones
 * @historical: number of historical entries
 * @losses: number of entries that state a loss
 * @first: time of its first entry that is not historical; larger than @last: it has none
 * @last: time of its last entry that is not historical
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

/* A note, and the place in the file where its zstd frame begins. */
struct archive_frame {
	u64 place;
	struct archive_note note;
};

/* Is the ID known? */
bool archive_has_id(const struct archive_machine *machine);
/* Returns the bytes of the header and the frame about the machine, if that is known: ARCHIVE_HEADER_MOST or less. */
size_t archive_header_size(const struct archive_header *header);
/* Writes archive_header_size() bytes, or ARCHIVE_NOTE_SIZE. */
void archive_put_header(u8 *to, const struct archive_header *header);
void archive_put_note(u8 *to, const struct archive_note *note);

/* These parse @size bytes at @from.  Return: are they whole and unchanged? */
bool archive_get_header(const u8 *from, size_t size, struct archive_header *header);
bool archive_get_note(const u8 *from, size_t size, struct archive_note *note);

/**
 * struct archive_tail - index and seek table of a file
 * @frames: frames of which they tell
 * @machine: they tell of the machine's ID
 */
struct archive_tail {
	u32 frames;
	bool machine;
};

/* Returns the bytes of it. */
size_t archive_tail_size(const struct archive_tail *tail);
/* Writes index and seek table. */
void archive_put_tail(u8 *to, const struct archive_header *header, const struct archive_frame *frames, u32 count);

/* Finds out by the last ARCHIVE_SEEK_TAIL bytes of a file what tail it has.  Return: has it one? */
bool archive_tail_expected(const u8 *last, struct archive_tail *tail);
/*
 * Parses the tail of a file whose size without it is @body. @frames has room for all frames.
 * Return: is it whole and unchanged, and do its frames lie in the file?
 */
bool archive_get_tail(const u8 *from, const struct archive_tail *tail, u64 body, struct archive_header *header,
		      struct archive_frame *frames);

/* archive_note_begin() makes an empty note, and archive_note_entry() adds one entry after the other to it. */
void archive_note_begin(struct archive_note *note);
void archive_note_entry(struct archive_note *note, const struct bcos_entry *entry);
/* Does the entry tell of an event? Such an entry is in a log once, and all recordings of the log have it alike. */
static inline bool archive_counts(const struct bcos_entry *entry)
{
	return !(entry->type & BCOS_TYPE_HISTORICAL) && !bcoslog_is_statement(entry) && !bcoslog_is_missed(entry);
}

/* Copies the boot or host that an entry states into @header.  Return: does it state one? */
bool archive_header_entry(struct archive_header *header, const struct bcos_entry *entry);
/* Parses an ID of a boot or machine into 16 bytes.  Return: is the text an ID? */
bool archive_id_get(u8 *boot, const char *text, size_t length);
/* Writes 16 bytes as "xxxxxxxx-xxxx-..." into the 37 bytes of @text. */
void archive_id_text(char *text, const u8 *boot);

/* Writes a notice that something is missing into the BCOS_ENTRY_MAX bytes of @room.  Return: its size. */
size_t archive_put_notice(void *room, u64 time, u64 until, const char *text);

#endif
