/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Frames, compressed by zstd. */
#ifndef BCOSLOG_RECORD_PACKER_H
#define BCOSLOG_RECORD_PACKER_H

#include "bcoslog.h"
#include "output/decimal.h"

struct packer;

/* @plain: entries stay in rows.  Return: NULL if there is no memory, or with ENOSYS no zstd in this program. */
struct packer *packer_new(int level, bool plain);
void packer_free(struct packer *packer);
/*
 * Packs @size bytes of entries; *@columns: they are in columns.
 * Return: @front bytes for the caller, and after them *@stored bytes of a frame; valid until the next call.  NULL: no memory.
 */
u8 *packer_pack(struct packer *packer, const void *raw, size_t size, size_t front, size_t *stored, bool *columns);

#endif
