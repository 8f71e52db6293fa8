/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An external merge sort of entries by time. Entries that do not fit into memory go to a temporary file. */
#ifndef CONVERT_SORTER_H
#define CONVERT_SORTER_H

#include "bcoslog.h"
#include "core/host/user.h"

/* The least memory that a sorter works with. */
#define SORTER_MEMORY_MIN (256u << 10)

struct sorter;

/**
 * sorter_new() - make an empty sorter
 * @folder: folder of the temporary file
 * @memory: bytes for entries, at least SORTER_MEMORY_MIN; sorting may take up to 2/5 of this in addition
 *
 * Return: NULL if there is no memory.
 */
struct sorter *sorter_new(const char *folder, size_t memory);
void sorter_free(struct sorter *sorter);

/* Adds an entry, whose size is a multiple of 4. Returns 0 or a negative errno. */
int sorter_add(struct sorter *sorter, const struct bcos_entry *entry);

/**
 * sorter_each() - give all entries in the order of their times; entries of equal times keep the order in which they
 * were added
 * @sorter: the sorter, to which nothing may be added after this call
 * @take: called for each entry; a negative errno ends the loop
 * @context: passed to @take
 *
 * Return: 0, or a negative errno of @take or of the temporary file.
 */
int sorter_each(struct sorter *sorter, int (*take)(void *context, const struct bcos_entry *entry), void *context);

/* Returns how many bytes of entries were added. */
u64 sorter_bytes(const struct sorter *sorter);

#endif
