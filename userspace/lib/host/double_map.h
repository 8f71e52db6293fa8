/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory that is mapped twice in a row, so that no entry of a ring is cut at the ring's end. */
#ifndef BCOSLOG_DOUBLE_MAP_H
#define BCOSLOG_DOUBLE_MAP_H

#include "core/host/user.h"

/**
 * double_map() - map a part of a file twice
 * @fd: the file
 * @offset: of the part, a multiple of the page size
 * @size: of the part, in bytes, likewise
 *
 * A child of the calling process does not get the mapping, which would only slow down its fork and exit.
 *
 * Return: the address of the first mapping, which the second one follows; NULL with errno if that fails.
 */
void *double_map(int fd, u64 offset, u64 size);

/* Unmap both.  NULL is ignored. */
void double_unmap(void *both, u64 size);

#endif
