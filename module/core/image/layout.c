// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Plans an image: see image.h. */
#include "image.h"

/* Sections begin at cache lines, so that writing one back writes back no other. */
#define LINE 64ull

static u64 round_up_to(u64 size, u64 unit)
{
	return (size + unit - 1) & ~(unit - 1);
}

/* Adds a section that begins at a multiple of @unit. Returns where it ends. */
static u64 add_section(struct bcos_image_header *header, u32 part, u64 at, u64 size, u64 unit)
{
	struct bcos_image_section *section = &header->section[part];

	section->offset = round_up_to(at, unit);
	section->size = size;
	return section->offset + size;
}

/* Lays out an image with @rings rings of CPUs and a list of @list pages. Returns its size. */
static u64 lay_out_with(const struct bcos_image_plan *plan, u64 rings, u64 list,
			struct bcos_image_header *header)
{
	u64 stages = plan->cpus + 1ull, page = plan->page_size, at;
	u64 pass = round_up_to(sizeof(struct bcos_image_pass) +
			       stages * sizeof(struct bcos_image_source), LINE);
	u64 devices = round_up_to(sizeof(struct bcos_image_devices) + BCOS_IMAGE_DEVICE_ROOM *
				  sizeof(struct bcos_image_device), LINE);

	at = add_section(header, BCOS_IMAGE_LIST, page, list * page, page);
	at = add_section(header, BCOS_IMAGE_STAGES, at,
			 stages * sizeof(struct bcos_image_stage) + sizeof(u64), LINE);
	at = add_section(header, BCOS_IMAGE_PASS, at, 2 * pass, LINE);
	at = add_section(header, BCOS_IMAGE_DEVICES, at, 2 * devices, LINE);
	at = add_section(header, BCOS_IMAGE_SEAL, at, sizeof(struct bcos_image_seal) +
			 stages * sizeof(struct bcos_image_head), LINE);
	at = add_section(header, BCOS_IMAGE_KMSG, at,
			 sizeof(struct bcos_image_kmsg) + BCOS_IMAGE_KMSG_ROOM, LINE);
	at = add_section(header, BCOS_IMAGE_CONTROL, at, page, page);
	at = add_section(header, BCOS_IMAGE_RING, at, plan->ring_size, page);
	return add_section(header, BCOS_IMAGE_RINGS, at,
			   plan->kmsg_size + rings * plan->staging_size, page);
}

/* Lays out an image with @rings rings. The list also lists itself. Returns the size in bytes. */
static u64 lay_out(const struct bcos_image_plan *plan, u64 rings, struct bcos_image_header *header)
{
	u64 list = 1, size, pages;

	for (;;) {
		size = lay_out_with(plan, rings, list, header);
		pages = size / plan->page_size;
		if (bcos_image_list_pages(pages, plan->page_size) <= list)
			break;
		list = bcos_image_list_pages(pages, plan->page_size);
	}
	header->pages = pages;
	return size;
}

u64 bcos_image_least(const struct bcos_image_plan *plan)
{
	struct bcos_image_header header;

	memset(&header, 0, sizeof(header));
	return lay_out(plan, plan->least, &header);
}

long bcos_image_lay_out(const struct bcos_image_plan *plan, struct bcos_image_header *header)
{
	static const char magic[] = BCOS_IMAGE_MAGIC;
	u64 rings = plan->cpus;

	while (plan->limit && lay_out(plan, rings, header) > plan->limit) {
		if (rings <= plan->least)
			return -ENOSPC;
		rings--;
	}
	lay_out(plan, rings, header);
	memcpy(header->magic, magic, sizeof(magic));
	header->version = BCOS_IMAGE_VERSION;
	header->size = sizeof(*header);
	header->page_size = plan->page_size;
	header->cpus = plan->cpus;
	header->stages = plan->cpus + 1;
	header->ring_size = plan->ring_size;
	header->raw = BCOS_IMAGE_RAW;
	header->classes = BCOS_LOSS_CLASSES;
	header->device_room = BCOS_IMAGE_DEVICE_ROOM;
	return (long)rings;
}

_Static_assert((int)BCOS_LOSS_CLASSES <= BCOS_IMAGE_CLASSES, "an image counts losses by class");
