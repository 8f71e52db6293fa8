/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a log lacks: gaps of a recording, and kinds of events that were lost. */
#ifndef BCOSLOG_ENTRY_GAP_H
#define BCOSLOG_ENTRY_GAP_H

#include "core/host/user.h"

/* ---- gaps of a recording --------------------------------------------------------- */

/*
 * The notices that entries are missing, BCOS_EVENT_MISSED: of a reader whom the log overtook, and of gaps in a recording.
 * Recorders and readers of recordings write them by the formatter, and whoever reads a log knows them by the parser.
 */

struct bcos_entry;

enum gap_cause {
	GAP_OVERTAKEN,		/* the log went on faster than it was read: @entries, @bytes */
	GAP_DISK_FULL,		/* so it did since recording had paused for @ns: @entries, @bytes */
	GAP_NO_RECORDER,	/* no recorder ran */
	GAP_LOG_DAMAGED,	/* @bytes bytes of the recorded log were damaged */
	GAP_NOT_RECORDED,	/* the running log has lost what came after the recording */
	GAP_FILE_CUT,		/* the end of the file @name is not there */
	GAP_FILES_GONE,		/* files are not there */
	GAP_FILE_DAMAGED,	/* a part of the recording is damaged */
	GAP_BOOT,		/* the boot @name follows */
	GAP_LIVE_BOOT,		/* the present boot follows, which is not recorded yet */
	GAP_UNKNOWN,		/* the text is none of these */
};

/**
 * struct gap - what a notice of missing entries says
 * @cause: says which of the other members are valid; they are 0 otherwise
 * @entries: number of the missing entries
 * @bytes: their size, or the size of what is damaged
 * @ns: how long recording had paused, in whole tenths of a second
 * @name: of a file or boot; after gap_parse() a part of the text
 * @name_length: bytes of @name
 */
struct gap {
	enum gap_cause cause;
	u64 entries, bytes, ns;
	const char *name;
	size_t name_length;
};

/* The least room for the text of any notice. The name of a file is cut where it has more than 255 bytes. */
#define GAP_TEXT 400

/* Write the text of a notice to GAP_TEXT bytes.  Return: its length. */
size_t gap_format(char *text, const struct gap *gap);
/* Parse the text of a notice, which may be any bytes. */
void gap_parse(struct gap *gap, const char *text, size_t length);

/* Is this cause a gap of a recording? Otherwise the reader itself was too late. */
bool gap_is_recorded(enum gap_cause cause);

/*
 * Read a notice that entries are missing.
 * Return: true; false if the entry, which is well-formed and of any type, is no such notice.
 */
bool gap_of_entry(struct gap *gap, const struct bcos_entry *entry);

/* The least room for the entry of any notice, in bytes. */
#define GAP_ENTRY (32 + GAP_TEXT)

/* Write the notice that entries between the times @time and @until are missing to @room.  Return: its size in bytes. */
size_t gap_put(void *room, u64 time, u64 until, const struct gap *gap);

struct bcoslog_error;

/*
 * Write the notice that entries are missing where a damaged log goes on, after an entry of the time @last, the newest one
 * before the damage that is not historical, to @room, which has GAP_ENTRY bytes.  @last is 0 if there was none.
 * Return: its size in bytes; 0 if nothing was known that may have changed, since the log goes on at the next entry, or
 * nowhere, or had not begun.
 */
size_t gap_put_damage(void *room, u64 last, const struct bcoslog_error *damage);

/* ---- kinds of events ------------------------------------------------------------- */

/* The bytes that lost_kinds() needs at most. */
#define LOST_KINDS_TEXT 96

/* Writes kinds of what was lost, BCOSLOG_LOST_*, in words, such as "assignments and transfers".  Return: @text. */
const char *lost_kinds(char *text, size_t size, u32 kinds);

#endif
