/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of the log: the ring's mapping, the core's allocations, and the total. */
#ifndef BCOS_MEMORY_H
#define BCOS_MEMORY_H

#include <linux/gfp.h>
#include <linux/types.h>

/*
 * For all that the module allocates and that may wait. If there is no memory, the allocation fails
 * rather than calls the OOM killer: what watches a machine must not kill on it.
 */
#define BCOS_GFP (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * bcos_memory_up() - allocate the ring
 *
 * The mapping has a control page, the data, and the same data again, so that no entry wraps. Rounds
 * bcos_params.ring_kb up, and raises it to what the possible CPUs need.
 *
 * Context: module load; may sleep.
 * Return: 0, -ENOMEM or -EINTR.
 */
int bcos_memory_up(void);
void bcos_memory_down(void);

/*
 * The mapping has the control page, then the ring's data of bcos_memory_ring_size() bytes, twice in
 * a row.
 */
void *bcos_memory_map(void);
u64 bcos_memory_map_size(void);
void *bcos_memory_ring(void);
u64 bcos_memory_ring_size(void);

/* Returns zeroed and counted memory for the core, or NULL. May sleep. */
void *bcos_memory_alloc(size_t size);
/*
 * Like bcos_memory_alloc(), for the log writer alone: never waits for memory. After NULL, a later
 * call for the same size may succeed.
 */
void *bcos_memory_alloc_now(size_t size);
/* Like bcos_memory_alloc(), for an open file: the cgroup of the caller is charged. */
void *bcos_memory_alloc_for_caller(size_t size);
/* Frees memory; @size is that of the allocation. */
void bcos_memory_free(void *memory, size_t size);

/* Counts bytes that were allocated elsewhere, or freed if @bytes is negative. Context: any. */
void bcos_memory_count(s64 bytes);

/* Returns all counted memory in bytes. */
u64 bcos_memory_total(void);

#endif
