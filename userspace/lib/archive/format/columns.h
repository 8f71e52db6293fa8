/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries in columns. A column holds one field of all entries of a frame; the columns of the time hold the difference
 * to the time of the entry before. Entries in columns compress faster than entries in rows, and to about half the size.
 *
 *	u16 0			no entry has this size, so it marks a frame in columns
 *	u16 version, u32 entries, u32 values, u32 bytes of the entries
 *	u32 size and type	of each entry, then the other columns in the same order:
 *	u32 source
 *	u32 precision
 *	u32 value		the word after the header, of entries of 24 bytes and more
 *	u32 time, upper half
 *	u8 time, bits 0 to 7	and likewise bits 8 to 15, 16 to 23 and 24 to 31
 *	bytes			the remaining bytes of each entry
 */
#ifndef BCOSLOG_ARCHIVE_COLUMNS_H
#define BCOSLOG_ARCHIVE_COLUMNS_H

#include "core/format/entry.h"

#include "bcoslog.h"

/* The size of the head, by which columns are longer than the entries, in bytes. */
#define COLUMNS_HEAD 16u

/**
 * columns_put() - write entries in columns
 * @to: room for @size and COLUMNS_HEAD bytes
 * @entries: whole consecutive entries
 * @size: size of the entries in bytes
 *
 * Return: true; false if @entries are not whole entries, and then nothing has been written.
 */
bool columns_put(u8 *to, const void *entries, size_t size);

/**
 * columns_get() - read entries from columns
 * @to: receives the entries
 * @room: number of bytes for which @to has room
 * @from: the columns, which the function does not trust
 * @size: size of the columns in bytes
 *
 * Return: the size of the entries in bytes, or -EBADMSG.
 */
long columns_get(u8 *to, size_t room, const u8 *from, size_t size);

/* Return: true if the bytes begin as columns do. */
bool columns_begin(const u8 *from, size_t size);

#endif
