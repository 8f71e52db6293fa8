// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Checks an image, of which any byte may be wrong: see image.h. */
#include "core/ring/ring.h"
#include "image.h"

#define SMALLEST_RING 64	/* units of a staging ring */

const char *bcos_image_fault_text(enum bcos_image_fault fault)
{
	static const char *const text[BCOS_IMAGE_FAULTS] = {
		[BCOS_IMAGE_GOOD] = "is good",
		[BCOS_IMAGE_FAULT_MAGIC] = "is none: it does not begin with the magic",
		[BCOS_IMAGE_FAULT_VERSION] = "has another version than this program knows",
		[BCOS_IMAGE_FAULT_SUM] = "has a damaged header",
		[BCOS_IMAGE_FAULT_LAYOUT] = "has a header that contradicts itself",
		[BCOS_IMAGE_FAULT_SHORT] = "ends before its log does",
		[BCOS_IMAGE_FAULT_STAGES] = "has a damaged table of staging rings",
		[BCOS_IMAGE_FAULT_MARKS] = "does not tell where its log begins and ends",
	};

	return (u32)fault < BCOS_IMAGE_FAULTS ? text[fault] : "is damaged";
}

static bool is_power(u64 number)
{
	return number && !(number & (number - 1));
}

/* ---- the header ---------------------------------------------------------------------- */

/* Returns the least size of a section, of an image whose other numbers are checked. */
static u64 least_size(const struct bcos_image_header *header, u32 part)
{
	u64 stages = header->stages;

	switch (part) {
	case BCOS_IMAGE_LIST:
		return bcos_image_list_pages(header->pages, header->page_size) * header->page_size;
	case BCOS_IMAGE_STAGES:
		return stages * sizeof(struct bcos_image_stage) + sizeof(u64);
	case BCOS_IMAGE_PASS:
		return 2 * (sizeof(struct bcos_image_pass) +
			    stages * sizeof(struct bcos_image_source));
	case BCOS_IMAGE_DEVICES:
		return 2 * (sizeof(struct bcos_image_devices) +
			    header->device_room * sizeof(struct bcos_image_device));
	case BCOS_IMAGE_SEAL:
		return sizeof(struct bcos_image_seal) + stages * sizeof(struct bcos_image_head);
	case BCOS_IMAGE_KMSG:
		return sizeof(struct bcos_image_kmsg);
	case BCOS_IMAGE_CONTROL:
		return header->page_size;
	case BCOS_IMAGE_RING:
		return header->ring_size;
	default:
		return 0;
	}
}

/* Are the sections in their order, inside the image, and large enough? */
static bool sections_fit(const struct bcos_image_header *header)
{
	u64 end = header->pages * header->page_size, at = sizeof(*header), unit;
	const struct bcos_image_section *section;
	u32 part;

	for (part = 0; part < BCOS_IMAGE_PARTS; part++) {
		section = &header->section[part];
		unit = part >= BCOS_IMAGE_CONTROL || part == BCOS_IMAGE_LIST ?
		       header->page_size : 64;
		if (section->offset < at || section->offset % unit || section->offset > end ||
		    section->size > end - section->offset ||
		    section->size < least_size(header, part))
			return false;
		at = section->offset + section->size;
	}
	return header->section[BCOS_IMAGE_PASS].size % 16 == 0 &&
	       header->section[BCOS_IMAGE_DEVICES].size % 16 == 0;
}

/* Does what a stage keeps live end inside its structure? */
static bool live_fits(const struct bcos_image_header *header)
{
	u32 i, size;

	for (i = 0; i < BCOS_IMAGE_LIVES; i++) {
		size = i == BCOS_IMAGE_LIVE_LOST ? header->classes * (u32)sizeof(u64) :
						   (u32)sizeof(u64);
		if (header->live[i] > header->live_size ||
		    size > header->live_size - header->live[i])
			return false;
	}
	return true;
}

static bool numbers_fit(const struct bcos_image_header *header)
{
	return is_power(header->page_size) && header->page_size >= 4096 &&
	       header->page_size <= 65536 && header->pages <= BCOS_IMAGE_PAGES_MAX &&
	       header->cpus && header->cpus <= BCOS_IMAGE_CPUS_MAX &&
	       header->stages == header->cpus + 1 && is_power(header->ring_size) &&
	       header->ring_size >= BCOS_RING_MIN && header->ring_size % header->page_size == 0 &&
	       header->ring_size / header->page_size <= header->pages &&
	       header->classes <= BCOS_IMAGE_CLASSES && header->device_room <= 1u << 20 &&
	       header->live_size <= 4096;
}

static bool texts_end(const struct bcos_image_header *header)
{
	return memchr(header->boot, 0, sizeof(header->boot)) &&
	       memchr(header->kernel, 0, sizeof(header->kernel)) &&
	       memchr(header->module, 0, sizeof(header->module)) &&
	       memchr(header->pins, 0, sizeof(header->pins));
}

enum bcos_image_fault bcos_image_check_header(const struct bcos_image_header *header)
{
	static const char magic[BCOS_IMAGE_MAGIC_SIZE] = BCOS_IMAGE_MAGIC;

	if (memcmp(header->magic, magic, sizeof(magic)))
		return BCOS_IMAGE_FAULT_MAGIC;
	if (header->version != BCOS_IMAGE_VERSION)
		return BCOS_IMAGE_FAULT_VERSION;
	if (header->size != sizeof(*header) || bcos_image_header_sum(header) != header->sum)
		return BCOS_IMAGE_FAULT_SUM;
	/* Sections are looked at last, since their sizes follow from the numbers. */
	if (!numbers_fit(header) || !texts_end(header) || !live_fits(header) ||
	    !sections_fit(header))
		return BCOS_IMAGE_FAULT_LAYOUT;
	return BCOS_IMAGE_GOOD;
}

/* ---- what changes -------------------------------------------------------------------- */

/* Is the ring of a stage inside the section, if it has one? */
static bool stage_fits(const struct bcos_image_header *header, const struct bcos_image_stage *stage)
{
	const struct bcos_image_section *rings = &header->section[BCOS_IMAGE_RINGS];

	if (!stage->offset)
		return true;
	return stage->offset % header->page_size == 0 && stage->offset >= rings->offset &&
	       stage->offset - rings->offset <= rings->size &&
	       stage->room <= rings->size - (stage->offset - rings->offset);
}

static bool stages_fit(const struct bcos_image *image)
{
	u64 sum, room = image->header->section[BCOS_IMAGE_RINGS].size;
	u32 i;

	memcpy(&sum, &image->stage[image->header->stages], sizeof(sum));
	if (bcos_image_stages_sum(image->stage, image->header->stages) != sum)
		return false;
	/* Rings that share bytes would cost a reader more than the size of the image. */
	for (i = 0; i < image->header->stages; i++) {
		if (!image->stage[i].offset)
			continue;
		if (!stage_fits(image->header, &image->stage[i]) || image->stage[i].room > room)
			return false;
		room -= image->stage[i].room;
	}
	return true;
}

static bool marks_fit(const struct bcos_image *image, const struct bcos_marks *marks)
{
	u64 oldest = marks->oldest.offset, group = marks->group.offset, head = marks->head.offset;

	return oldest <= group && group <= head && head - oldest <= image->header->ring_size &&
	       !((oldest | group | head) & 3);
}

static bool source_fits(const struct bcos_image_stage *stage,
			const struct bcos_image_source *source)
{
	if (!source->size)
		return true;
	return is_power(source->size) && source->size >= SMALLEST_RING &&
	       source->size < 1ull << 40 &&
	       (!stage->offset || source->size * sizeof(struct bcos_unit) <= stage->room);
}

static bool pass_fits(const struct bcos_image *image, const struct bcos_image_pass *pass, u32 copy)
{
	u32 i;

	if (!pass->sequence || (pass->sequence & 1) != copy ||
	    pass->segments > BCOS_IMAGE_SEGMENTS ||
	    bcos_image_pass_sum(pass, image->header->stages) != pass->sum ||
	    !marks_fit(image, &pass->marks))
		return false;
	for (i = 0; i < image->header->stages; i++)
		if (!source_fits(&image->stage[i], &pass->source[i]))
			return false;
	return true;
}

static const void *part_of(const struct bcos_image *image, u32 part)
{
	return image->bytes + image->header->section[part].offset;
}

static const void *copy_of(const struct bcos_image *image, u32 part, u64 number)
{
	return (const u8 *)part_of(image, part) +
	       (number & 1 ? image->header->section[part].size / 2 : 0);
}

static void find_pass(struct bcos_image *image)
{
	const struct bcos_image_pass *pass;
	u32 copy;

	for (copy = 0; copy < 2; copy++) {
		pass = copy_of(image, BCOS_IMAGE_PASS, copy);
		if (pass_fits(image, pass, copy) &&
		    (!image->pass || pass->sequence > image->pass->sequence))
			image->pass = pass;
	}
}

static void find_devices(struct bcos_image *image)
{
	const struct bcos_image_devices *devices;

	if (!image->pass || !image->pass->devices)
		return;
	devices = copy_of(image, BCOS_IMAGE_DEVICES, image->pass->devices);
	if (devices->count <= image->header->device_room &&
	    bcos_image_devices_sum(devices) == devices->sum &&
	    devices->generation == image->pass->devices)
		image->devices = devices;
}

static void find_end(struct bcos_image *image)
{
	const struct bcos_image_section *section = &image->header->section[BCOS_IMAGE_KMSG];
	const struct bcos_image_seal *seal = part_of(image, BCOS_IMAGE_SEAL);
	const struct bcos_image_kmsg *kmsg = part_of(image, BCOS_IMAGE_KMSG);
	u64 state = image->header->state;

	if (state != BCOS_IMAGE_SEALED && state != BCOS_IMAGE_CLEAN)
		return;
	if (bcos_image_seal_sum(seal, image->header->stages) == seal->sum &&
	    memchr(seal->reason, 0, sizeof(seal->reason)))
		image->seal = seal;
	if (kmsg->length <= (section->size - sizeof(*kmsg)) / 8 * 8 &&
	    bcos_image_kmsg_sum(kmsg) == kmsg->sum)
		image->kmsg = kmsg;
}

/*
 * The pass tells which entries count, and the control page, which may be newer, which of them have
 * been overwritten since then.
 */
static bool find_marks(struct bcos_image *image)
{
	const struct bcos_control *control = part_of(image, BCOS_IMAGE_CONTROL);
	const struct bcos_marks *now = &control->marks[control->generation & 1];
	bool fit = control->size == sizeof(*control) && marks_fit(image, now);
	struct bcos_marks *marks = &image->marks;

	if (!image->pass) {
		*marks = *now;
		return fit;
	}
	*marks = image->pass->marks;
	if (!fit || now->oldest.offset <= marks->oldest.offset)
		return true;
	marks->oldest = now->oldest;
	if (marks->head.offset < marks->oldest.offset)
		marks->head = marks->oldest;
	if (marks->group.offset < marks->oldest.offset)
		marks->group = marks->oldest;
	return true;
}

enum bcos_image_fault bcos_image_check(const void *bytes, u64 size, struct bcos_image *image)
{
	const struct bcos_image_header *header = bytes;
	const struct bcos_image_section *ring = &header->section[BCOS_IMAGE_RING];
	enum bcos_image_fault fault;

	memset(image, 0, sizeof(*image));
	if (size < sizeof(*header))
		return size < BCOS_IMAGE_MAGIC_SIZE || memcmp(bytes, BCOS_IMAGE_MAGIC,
							      sizeof(BCOS_IMAGE_MAGIC)) ?
		       BCOS_IMAGE_FAULT_MAGIC : BCOS_IMAGE_FAULT_SHORT;
	fault = bcos_image_check_header(header);
	if (fault)
		return fault;
	if (size < ring->offset + ring->size)
		return BCOS_IMAGE_FAULT_SHORT;
	image->bytes = bytes;
	image->size = size;
	image->header = header;
	image->stage = part_of(image, BCOS_IMAGE_STAGES);
	image->ring = part_of(image, BCOS_IMAGE_RING);
	if (!stages_fit(image))
		return BCOS_IMAGE_FAULT_STAGES;
	find_pass(image);
	find_devices(image);
	find_end(image);
	return find_marks(image) ? BCOS_IMAGE_GOOD : BCOS_IMAGE_FAULT_MARKS;
}

const struct bcos_unit *bcos_image_ring(const struct bcos_image *image, u32 stage, u64 *units)
{
	const struct bcos_image_stage *place = &image->stage[stage];
	u64 size = image->pass->source[stage].size;

	*units = size;
	if (!size || !place->offset || place->offset > image->size ||
	    size * sizeof(struct bcos_unit) > image->size - place->offset)
		return NULL;
	return (const struct bcos_unit *)(image->bytes + place->offset);
}
