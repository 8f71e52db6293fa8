/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Compresses frames by zstd. */
#ifndef BCOSLOG_ARCHIVE_PACKER_H
#define BCOSLOG_ARCHIVE_PACKER_H

#include "bcoslog.h"
#include "entry/decimal.h"

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

#endif
