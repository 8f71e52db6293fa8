// SPDX-License-Identifier: GPL-2.0-only
/* Where the image of this log lies: see image.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "memory.h"
#include "params.h"
#include "frames.h"
#include "image.h"
#include "region.h"

static struct {
	/* The plan, until there is memory for the header. */
	struct bcos_image_header plan;
	void *base;			/* all up to CONTROL, or the whole region */
	u64 bytes;			/* allocated; 0: the base is that of the region */
	u64 *place;			/* offset of the ring of each stage; 0: none */
} bcos_kept;

struct bcos_image_header *bcos_image_header(void)
{
	return bcos_kept.base;
}

void *bcos_image_place(u32 part)
{
	return bcos_image_part(bcos_kept.base, bcos_kept.base, part);
}

/* ---- the list of page frames ---------------------------------------------------------- */

static void bcos_image_set_frame(u64 page, u64 frame)
{
	u64 frames = PAGE_SIZE / sizeof(u64) - 1;
	struct bcos_image_list *list = bcos_image_place(BCOS_IMAGE_LIST) +
				       page / frames * PAGE_SIZE;

	WRITE_ONCE(list->frame[page % frames], frame);
	bcos_region_write_back(&list->frame[page % frames], sizeof(u64));
}

/* Enters the frames of memory in one piece, of whole pages, that lies at @offset of the image. */
static void bcos_image_set_frames(u64 offset, const void *memory, u64 bytes)
{
	u64 at;

	for (at = 0; at < bytes; at += PAGE_SIZE)
		bcos_image_set_frame((offset + at) >> PAGE_SHIFT,
				     PHYS_PFN(bcos_physical(memory + at)));
}

/* Each page of the list names the frame of the next one. */
static void bcos_image_chain_list(void)
{
	u64 pages = bcos_kept.plan.section[BCOS_IMAGE_LIST].size >> PAGE_SHIFT, i;
	void *list = bcos_image_place(BCOS_IMAGE_LIST);
	struct bcos_image_list *page;

	for (i = 0; i + 1 < pages; i++) {
		page = list + i * PAGE_SIZE;
		page->next = PHYS_PFN(bcos_physical(list + (i + 1) * PAGE_SIZE));
	}
}

/* ---- the plan ------------------------------------------------------------------------- */

/* Lays the image out. Returns the number of rings of CPUs for which it has room. */
static long bcos_image_settle(void)
{
	struct bcos_image_plan plan = {
		.page_size = PAGE_SIZE,
		.cpus = nr_cpu_ids,
		.ring_size = (u64)bcos_params.ring_kb << 10,
		.staging_size = (u64)bcos_params.staging_kb << 10,
		.kmsg_size = BCOS_KMSG_UNITS * sizeof(struct bcos_unit),
		.least = num_present_cpus(),
		.limit = bcos_region_size(),
	};
	long rings = bcos_image_lay_out(&plan, &bcos_kept.plan);

	if (rings >= 0)
		return rings;
	pr_warn("the region of %llu KiB is too small for ring_kb=%u and %u CPUs with staging_kb=%u, so the log does not survive a reboot; reserve %llu KiB, or choose a smaller ring_kb or staging_kb\n",
		bcos_region_size() >> 10, bcos_params.ring_kb, plan.least, bcos_params.staging_kb,
		bcos_image_least(&plan) >> 10);
	bcos_region_refuse();
	plan.limit = 0;
	return bcos_image_lay_out(&plan, &bcos_kept.plan);
}

/* Gives the kernel's log, present CPUs, and others while there is room, their places in RINGS. */
static void bcos_image_place_rings(long rings)
{
	u64 size = (u64)bcos_params.staging_kb << 10, at, kmsg;
	unsigned int cpu;
	bool present;

	at = bcos_kept.plan.section[BCOS_IMAGE_RINGS].offset;
	kmsg = BCOS_KMSG_UNITS * sizeof(struct bcos_unit);
	bcos_kept.place[nr_cpu_ids] = at;
	at += kmsg;
	for (present = true; ; present = false) {
		for_each_possible_cpu(cpu) {
			if (cpu_present(cpu) != present || rings <= 0)
				continue;
			bcos_kept.place[cpu] = at;
			at += size;
			rings--;
		}
		if (!present)
			break;
	}
}

static void bcos_image_fill_stages(void)
{
	struct bcos_image_stage *stage = bcos_image_place(BCOS_IMAGE_STAGES);
	u32 i;

	for (i = 0; i <= nr_cpu_ids; i++) {
		stage[i].offset = bcos_kept.place[i];
		if (!stage[i].offset)
			continue;
		stage[i].room = i < nr_cpu_ids ? (u64)bcos_params.staging_kb << 10 :
						 BCOS_KMSG_UNITS * sizeof(struct bcos_unit);
	}
}

int bcos_image_up(void)
{
	u64 before;
	long rings;

	memset(&bcos_kept, 0, sizeof(bcos_kept));
	rings = bcos_image_settle();
	before = bcos_kept.plan.section[BCOS_IMAGE_CONTROL].offset;
	bcos_kept.place = bcos_memory_alloc((nr_cpu_ids + 1) * sizeof(*bcos_kept.place));
	bcos_kept.base = bcos_region_base();
	if (!bcos_kept.base) {
		bcos_kept.base = bcos_memory_alloc(before);
		bcos_kept.bytes = before;
	}
	if (!bcos_kept.place || !bcos_kept.base) {
		pr_err("there is no memory for the list of the log's pages, %llu KiB; choose a smaller ring_kb or staging_kb\n",
		       before >> 10);
		bcos_image_down();
		return -ENOMEM;
	}
	/* The magic comes last. */
	memcpy(bcos_kept.base, &bcos_kept.plan, sizeof(bcos_kept.plan));
	memset(bcos_kept.base, 0, BCOS_IMAGE_MAGIC_SIZE);
	bcos_image_place_rings(rings);
	bcos_image_chain_list();
	bcos_image_set_frames(0, bcos_kept.base, before);
	bcos_image_fill_stages();
	return 0;
}

void bcos_image_down(void)
{
	if (bcos_kept.bytes) {
		/* Whoever gets this page next need not clear it, and has no image. */
		if (bcos_kept.base)
			memset(bcos_kept.base, 0, BCOS_IMAGE_MAGIC_SIZE);
		bcos_memory_free(bcos_kept.base, bcos_kept.bytes);
	}
	bcos_memory_free(bcos_kept.place, (nr_cpu_ids + 1) * sizeof(*bcos_kept.place));
	memset(&bcos_kept, 0, sizeof(bcos_kept));
}

/* ---- ring and staging ------------------------------------------------------------------ */

struct page *bcos_image_ring_page(unsigned long n)
{
	u64 offset = bcos_kept.plan.section[BCOS_IMAGE_CONTROL].offset;

	if (!bcos_region_base())
		return NULL;
	return pfn_to_page(PHYS_PFN(bcos_region_address() + offset) + n);
}

void bcos_image_note_ring_page(unsigned long n, struct page *page)
{
	u64 first = bcos_kept.plan.section[BCOS_IMAGE_CONTROL].offset >> PAGE_SHIFT;

	bcos_image_set_frame(first + n, page_to_pfn(page));
}

void *bcos_image_stage_ring(u32 stage, u64 bytes)
{
	u64 offset = bcos_kept.place[stage];
	void *ring = bcos_region_base() + offset;

	if (!bcos_region_base() || !offset)
		return NULL;
	bcos_image_set_frames(offset, ring, bytes);
	return ring;
}

void bcos_image_note_stage_ring(u32 stage, const void *ring, u64 bytes)
{
	if (bcos_kept.place[stage] && !bcos_region_base())
		bcos_image_set_frames(bcos_kept.place[stage], ring, bytes);
}

void bcos_image_note_live(u32 stage, const void *live, size_t size)
{
	struct bcos_image_stage *place = bcos_image_place(BCOS_IMAGE_STAGES);
	const void *end = live + size - 1;

	place[stage].live = bcos_physical(live);
	if (offset_in_page(live) + size > PAGE_SIZE)
		place[stage].live_next = bcos_physical(PTR_ALIGN_DOWN(end, PAGE_SIZE));
}

/* ---- its beginning and state ------------------------------------------------------------ */

void bcos_image_begin(void)
{
	struct bcos_image_header *header = bcos_kept.base;
	struct bcos_image_stage *stage = bcos_image_place(BCOS_IMAGE_STAGES);
	u64 sum = bcos_image_stages_sum(stage, header->stages);

	memcpy(&stage[header->stages], &sum, sizeof(sum));
	header->self = PHYS_PFN(bcos_physical(header));
	header->list = PHYS_PFN(bcos_physical(bcos_image_place(BCOS_IMAGE_LIST)));
	header->flags = bcos_region_base() ? BCOS_IMAGE_IN_REGION : 0;
	header->region_address = bcos_region_address();
	header->region_size = bcos_region_size();
	header->sum = bcos_image_header_sum(header);
	WRITE_ONCE(header->state, BCOS_IMAGE_RUNNING);
	/* A dump that has the magic has the rest. Nothing pairs with this: dumps stop all CPUs. */
	smp_wmb();
	memcpy(header->magic, bcos_kept.plan.magic, sizeof(header->magic));
	bcos_region_write_back(bcos_kept.base,
			       bcos_kept.plan.section[BCOS_IMAGE_CONTROL].offset);
}

void bcos_image_set_state(u64 state)
{
	struct bcos_image_header *header = bcos_kept.base;

	WRITE_ONCE(header->state, state);
	bcos_region_write_back(&header->state, sizeof(header->state));
}

void bcos_image_write_back(void)
{
	bcos_region_write_back(bcos_kept.base, bcos_kept.plan.pages << PAGE_SHIFT);
}
