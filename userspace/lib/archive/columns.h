/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entries in columns, which compress to about half of what they compress to in rows, and take less time for it: the
 * fields of all entries of a frame, one field after the other, and instead of each time its difference to the one before.
 *
 *	u16 0			no entry has this size, so that a frame in columns is no frame in rows
 *	u16 version, u32 entries, u32 values, u32 bytes of the entries
 *	u32 size and type	of each entry, then the other columns in the same order:
 *	u32 source
 *	u32 precision
 *	u32 value		the word after the header, of entries of 24 bytes and more
 *	u32 time, upper half
 *	u8 time, bits 0 to 7	and likewise bits 8 to 15, 16 to 23 and 24 to 31
 *	bytes			that are left of each entry
 */
#ifndef BCOSLOG_ARCHIVE_COLUMNS_H
#define BCOSLOG_ARCHIVE_COLUMNS_H

#include "core/format/entry.h"

#include "bcoslog.h"

/* Columns take so many bytes more than the entries. */
#define COLUMNS_HEAD 16u

/**
 * columns_put() - write entries in columns
 * @to: room for @size and COLUMNS_HEAD bytes
 * @entries: whole entries in a row
 * @size: bytes of them
 *
 * Return: true; false if they are no entries in a row, which then are in no columns.
 */
bool columns_put(u8 *to, const void *entries, size_t size);

/**
 * columns_get() - read entries from columns
 * @to: the entries; room for @room bytes
 * @room: bytes at @to
 * @from: columns, which are not trusted
 * @size: bytes of them
 *
 * Return: bytes of entries, or -EBADMSG.
 */
long columns_get(u8 *to, size_t room, const u8 *from, size_t size);

/* Do these bytes begin like columns? */
bool columns_begin(const u8 *from, size_t size);

#endif
