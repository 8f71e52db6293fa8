/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of the log: the ring's mapping, the core's allocations, and how much all of it is. */
#ifndef BCOS_MEMORY_H
#define BCOS_MEMORY_H

#include <linux/types.h>

/**
 * bcos_memory_up() - allocate the ring
 *
 * A control page, then the data, then the same data again, so that no entry
 * wraps.  Rounds bcos_params.ring_kb up, and raises it to what the possible
 * CPUs need.
 *
 * Context: module load.
 * Return: 0, -ENOMEM or -EINTR.
 */
int bcos_memory_up(void);
void bcos_memory_down(void);

/* What can be mapped: the control page, then the ring's data, bcos_memory_ring_size() bytes, twice in a row. */
void *bcos_memory_map(void);
u64 bcos_memory_map_size(void);
void *bcos_memory_ring(void);
u64 bcos_memory_ring_size(void);

/* Memory for the core: zeroed, counted.  May sleep.  NULL: there is none. */
void *bcos_memory_alloc(size_t size);
/*
 * For the log writer alone: likewise, but never waits for memory.  NULL: there is none now; what is asked for again, of
 * the same size, may be there then.
 */
void *bcos_memory_alloc_now(size_t size);
/* For an open file: likewise, and on the account of the control group that opened it. */
void *bcos_memory_alloc_for_caller(size_t size);
/* @size: as it was allocated. */
void bcos_memory_free(void *memory, size_t size);

/* Counts what was allocated (or, negative, freed) elsewhere, in bytes.  Any context. */
void bcos_memory_count(s64 bytes);

/* All that is counted, in bytes. */
u64 bcos_memory_total(void);

#endif
