// SPDX-License-Identifier: GPL-2.0-only
/* Memory of the log: see memory.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "core/write/group.h"
#include "memory.h"
#include "params.h"

static struct {
	struct page **pages;	/* control page, data, the same data again */
	unsigned long count;	/* pages of control and data, counted once */
	void *base;
} bcos_ring_map;

static atomic64_t bcos_memory_bytes;

void bcos_memory_count(s64 bytes)
{
	atomic64_add(bytes, &bcos_memory_bytes);
}

u64 bcos_memory_total(void)
{
	return atomic64_read(&bcos_memory_bytes);
}

static void *bcos_memory_alloc_as(size_t size, gfp_t flags)
{
	void *memory = kvzalloc(size, flags);

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

u64 bcos_memory_ring_size(void)
{
	return (u64)bcos_params.ring_kb << 10;
}

void *bcos_memory_map(void)
{
	return bcos_ring_map.base;
}

u64 bcos_memory_map_size(void)
{
	return PAGE_SIZE + 2 * bcos_memory_ring_size();
}

void *bcos_memory_ring(void)
{
	return bcos_ring_map.base + PAGE_SIZE;
}

/* Determines the real size of the ring from the requested one. */
static void bcos_ring_settle_size(void)
{
	/* CPU numbers may have gaps, so their limit counts and not the number of CPUs. */
	u64 least = bcos_log_ring_min(nr_cpu_ids);
	u64 size = roundup_pow_of_two((u64)bcos_params.ring_kb << 10);

	if (size < least) {
		size = least;
		pr_info("ring_kb is raised from %u to %llu, which CPU numbers up to %u require\n",
			bcos_params.ring_kb, size >> 10, nr_cpu_ids - 1);
	}
	bcos_params.ring_kb = size >> 10;
}

static int bcos_ring_pages(unsigned long data)
{
	struct page **pages = bcos_ring_map.pages;
	unsigned long i;

	for (i = 0; i < 1 + data; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		pages[i] = alloc_page(BCOS_GFP | __GFP_ZERO);
		if (!pages[i])
			return -ENOMEM;
		bcos_ring_map.count++;
		if (i)
			pages[data + i] = pages[i];
		cond_resched();
	}
	return 0;
}

static int bcos_ring_allocate(unsigned long data)
{
	int error;

	bcos_ring_map.pages = kvcalloc(1 + 2 * data, sizeof(struct page *), BCOS_GFP);
	if (!bcos_ring_map.pages)
		return -ENOMEM;
	error = bcos_ring_pages(data);
	if (error)
		return error;
	bcos_ring_map.base = vmap(bcos_ring_map.pages, 1 + 2 * data, VM_MAP | VM_USERMAP,
				  PAGE_KERNEL);
	return bcos_ring_map.base ? 0 : -ENOMEM;
}

int bcos_memory_up(void)
{
	unsigned long data;
	int error;

	INIT_WORK(&bcos_reserve.work, bcos_reserve_fill);
	bcos_ring_settle_size();
	data = bcos_memory_ring_size() >> PAGE_SHIFT;
	error = bcos_ring_allocate(data);
	if (error) {
		if (error == -ENOMEM)
			pr_err("there is no memory for a ring of %u KiB; choose a smaller ring_kb\n",
			       bcos_params.ring_kb);
		bcos_memory_down();
		return error;
	}
	bcos_memory_count((1 + data) * PAGE_SIZE + (1 + 2 * data) * sizeof(struct page *));
	return 0;
}

void bcos_memory_down(void)
{
	unsigned long i;

	cancel_work_sync(&bcos_reserve.work);
	kvfree(bcos_reserve.memory);
	bcos_reserve.memory = NULL;
	vunmap(bcos_ring_map.base);
	bcos_ring_map.base = NULL;
	for (i = 0; i < bcos_ring_map.count; i++)
		__free_page(bcos_ring_map.pages[i]);
	bcos_ring_map.count = 0;
	kvfree(bcos_ring_map.pages);
	bcos_ring_map.pages = NULL;
}
