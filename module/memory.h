/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of the log: the core's allocations, and the total. */
#ifndef BCOS_MEMORY_H
#define BCOS_MEMORY_H

#include <linux/gfp.h>
#include <linux/types.h>

/*
 * For all that the module allocates and that may wait. If there is no memory, the allocation fails
 * rather than calls the OOM killer: what watches a machine must not kill on it.
 */
#define BCOS_GFP (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/*
 * Tells whether the machine has @bytes to give now. An attempt at more would fail as well, but
 * would take all that is left until then, and the OOM killer would be called for whoever asks for
 * memory in that moment. Context: any.
 */
bool bcos_memory_is_there(u64 bytes);

/* These begin and end the reserve of the log writer. bcos_memory_up() returns 0. */
int bcos_memory_up(void);
void bcos_memory_down(void);

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
