// SPDX-License-Identifier: GPL-2.0-only
/* The pages of the log: see mapping.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "core/write/group.h"
#include "memory.h"
#include "params.h"
#include "image.h"
#include "mapping.h"

static struct {
	struct page **pages;	/* control page, data, the same data again */
	unsigned long count;	/* pages of control and data that were allocated */
	void *base;
	s64 bytes;		/* counted memory */
} bcos_mapping;

u64 bcos_mapping_ring_size(void)
{
	return (u64)bcos_params.ring_kb << 10;
}

void *bcos_mapping_base(void)
{
	return bcos_mapping.base;
}

u64 bcos_mapping_size(void)
{
	return PAGE_SIZE + 2 * bcos_mapping_ring_size();
}

void *bcos_mapping_ring(void)
{
	return bcos_mapping.base + PAGE_SIZE;
}

int bcos_mapping_settle(void)
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
	return 0;
}

/* Returns page @n of the image's CONTROL and RING: from the region, or a new one. */
static struct page *bcos_mapping_page(unsigned long n)
{
	struct page *page = bcos_image_ring_page(n);

	if (page)
		return page;
	page = alloc_page(BCOS_GFP | __GFP_ZERO);
	if (page)
		bcos_mapping.count++;
	return page;
}

static int bcos_mapping_pages(unsigned long data)
{
	struct page **pages = bcos_mapping.pages;
	unsigned long i;

	for (i = 0; i < 1 + data; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		pages[i] = bcos_mapping_page(i);
		if (!pages[i])
			return -ENOMEM;
		bcos_image_note_ring_page(i, pages[i]);
		if (i)
			pages[data + i] = pages[i];
		cond_resched();
	}
	return 0;
}

static int bcos_mapping_allocate(unsigned long data)
{
	int error;

	bcos_mapping.pages = kvcalloc(1 + 2 * data, sizeof(struct page *), BCOS_GFP);
	if (!bcos_mapping.pages)
		return -ENOMEM;
	if (!bcos_image_ring_page(0) && !bcos_memory_is_there((u64)data << PAGE_SHIFT))
		return -ENOMEM;
	error = bcos_mapping_pages(data);
	if (error)
		return error;
	bcos_mapping.base = vmap(bcos_mapping.pages, 1 + 2 * data, VM_MAP | VM_USERMAP,
				 PAGE_KERNEL);
	return bcos_mapping.base ? 0 : -ENOMEM;
}

int bcos_mapping_up(void)
{
	unsigned long data = bcos_mapping_ring_size() >> PAGE_SHIFT;
	int error;

	error = bcos_mapping_allocate(data);
	if (error) {
		if (error == -ENOMEM)
			pr_err("there is no memory for a ring of %u KiB; choose a smaller ring_kb\n",
			       bcos_params.ring_kb);
		bcos_mapping_down();
		return error;
	}
	bcos_mapping.bytes = bcos_mapping.count * PAGE_SIZE +
			     (1 + 2 * data) * sizeof(struct page *);
	bcos_memory_count(bcos_mapping.bytes);
	return 0;
}

void bcos_mapping_down(void)
{
	unsigned long i;

	bcos_memory_count(-bcos_mapping.bytes);
	bcos_mapping.bytes = 0;
	vunmap(bcos_mapping.base);
	bcos_mapping.base = NULL;
	/* The pages of a region stay where they are, and were not counted. */
	for (i = 0; i < bcos_mapping.count; i++)
		__free_page(bcos_mapping.pages[i]);
	bcos_mapping.count = 0;
	kvfree(bcos_mapping.pages);
	bcos_mapping.pages = NULL;
}
