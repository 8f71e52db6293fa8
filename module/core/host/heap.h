/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The heap passes the host's memory to the core, and counts it. */
#ifndef BCOS_CORE_HEAP_H
#define BCOS_CORE_HEAP_H

#include "host.h"

struct bcos_heap {
	const struct bcos_host *host;
	void *context;			/* argument of the callbacks of @host */
	u64 bytes;			/* allocated and not freed */
};

/* Returns zeroed memory, or NULL. Context: the log writer; may sleep. */
static inline void *bcos_heap_alloc(struct bcos_heap *heap, size_t size)
{
	void *memory = heap->host->alloc(heap->context, size);

	if (memory)
		heap->bytes += size;
	return memory;
}

/* Frees memory that the host allocated and handed over, and @bytes never counted. Ignores NULL. */
static inline void bcos_heap_return(const struct bcos_heap *heap, void *memory, size_t size)
{
	if (memory)
		heap->host->free(heap->context, memory, size);
}

/* Frees memory of bcos_heap_alloc(). Ignores NULL. */
static inline void bcos_heap_free(struct bcos_heap *heap, void *memory, size_t size)
{
	if (memory)
		heap->bytes -= size;
	bcos_heap_return(heap, memory, size);
}

#endif
