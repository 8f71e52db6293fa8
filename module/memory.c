// SPDX-License-Identifier: GPL-2.0-only
/* Memory of the log: see memory.h. */
#include <linux/atomic.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "memory.h"

static atomic64_t bcos_memory_bytes;

void bcos_memory_count(s64 bytes)
{
	atomic64_add(bytes, &bcos_memory_bytes);
}

u64 bcos_memory_total(void)
{
	return atomic64_read(&bcos_memory_bytes);
}

bool bcos_memory_is_there(u64 bytes)
{
	/* Little is always worth an attempt: others can be swapped out. */
	return bytes < SZ_1M || bytes >> PAGE_SHIFT < (u64)max(si_mem_available(), 0L);
}

static void *bcos_memory_alloc_as(size_t size, gfp_t flags)
{
	void *memory;

	if (!bcos_memory_is_there(size))
		return NULL;
	/* kvzalloc() refuses more; the image of a former boot may have that. */
	if (size > INT_MAX)
		memory = __vmalloc(size, flags | __GFP_ZERO);
	else
		memory = kvzalloc(size, flags);
	if (memory)
		bcos_memory_count(size);
	return memory;
}

void *bcos_memory_alloc(size_t size)
{
	return bcos_memory_alloc_as(size, BCOS_GFP);
}

/*
 * The log writer must not wait for memory. If it cannot get memory at once, a work item allocates
 * as much for the writer's next try. There is one such piece at a time.
 */
static struct {
	struct work_struct work;
	size_t wanted;
	size_t size;
	void *memory;	/* @size bytes; the work item stores it, the log writer takes it */
} bcos_reserve;

static void bcos_reserve_fill(struct work_struct *work)
{
	/* Pairs with the release of bcos_reserve_take(), which has read size by then. */
	if (smp_load_acquire(&bcos_reserve.memory))
		return;
	bcos_reserve.size = READ_ONCE(bcos_reserve.wanted);
	if (!bcos_memory_is_there(bcos_reserve.size))
		return;
	/* Pairs with the acquire of bcos_reserve_take(): size is set. */
	smp_store_release(&bcos_reserve.memory,
			  kvzalloc(bcos_reserve.size, BCOS_GFP));
}

static void *bcos_reserve_take(size_t size)
{
	/* Pairs with the release of bcos_reserve_fill(). */
	void *memory = smp_load_acquire(&bcos_reserve.memory);
	bool fits = memory && bcos_reserve.size == size;

	if (memory) {
		/* Pairs with the acquire of bcos_reserve_fill(). */
		smp_store_release(&bcos_reserve.memory, NULL);
	}
	if (fits)
		return memory;
	kvfree(memory);
	WRITE_ONCE(bcos_reserve.wanted, size);
	queue_work(system_unbound_wq, &bcos_reserve.work);
	return NULL;
}

void *bcos_memory_alloc_now(size_t size)
{
	/* Reclaim may wait for anything, so the log writer never reclaims. */
	void *memory = kzalloc(size, GFP_NOWAIT | __GFP_NOWARN | __GFP_HIGH);

	if (!memory)
		memory = bcos_reserve_take(size);
	if (memory)
		bcos_memory_count(size);
	return memory;
}

void *bcos_memory_alloc_for_caller(size_t size)
{
	return bcos_memory_alloc_as(size, BCOS_GFP | __GFP_ACCOUNT);
}

void bcos_memory_free(void *memory, size_t size)
{
	if (!memory)
		return;
	bcos_memory_count(-(s64)size);
	kvfree(memory);
}

int bcos_memory_up(void)
{
	INIT_WORK(&bcos_reserve.work, bcos_reserve_fill);
	return 0;
}

void bcos_memory_down(void)
{
	cancel_work_sync(&bcos_reserve.work);
	kvfree(bcos_reserve.memory);
	bcos_reserve.memory = NULL;
}
