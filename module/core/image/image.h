/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The layout of an image (uapi/bcos_image.h): the module plans it, and whoever finds one checks it.
 * An image is hostile input, so its reader uses only what bcos_image_check() has accepted.
 */
#ifndef BCOS_CORE_IMAGE_H
#define BCOS_CORE_IMAGE_H

#include "core/host/host.h"
#include "core/raw/raw.h"
#include "uapi/bcos_image.h"

/* What an image has room for, beside the log and the staging rings. */
#define BCOS_IMAGE_DEVICE_ROOM	2048
#define BCOS_IMAGE_KMSG_ROOM	(64u << 10)	/* bytes of text */

/* Limits for the numbers of a header, so that no product of them overflows. */
#define BCOS_IMAGE_CPUS_MAX	16384
#define BCOS_IMAGE_PAGES_MAX	(1ull << 32)

/* Why an image, or a part of it, is not accepted. */
enum bcos_image_fault {
	BCOS_IMAGE_GOOD,
	BCOS_IMAGE_FAULT_MAGIC,		/* there is no image */
	BCOS_IMAGE_FAULT_VERSION,	/* a later program reads it */
	BCOS_IMAGE_FAULT_SUM,		/* the header is damaged */
	BCOS_IMAGE_FAULT_LAYOUT,	/* the header contradicts itself */
	BCOS_IMAGE_FAULT_SHORT,		/* the image ends before the log does */
	BCOS_IMAGE_FAULT_STAGES,	/* the table of the stages is damaged */
	BCOS_IMAGE_FAULT_MARKS,		/* nothing tells where the log begins and ends */
	BCOS_IMAGE_FAULTS
};

/* Returns what is wrong, as the end of a sentence that begins with "the image ". */
const char *bcos_image_fault_text(enum bcos_image_fault fault);

/**
 * bcos_image_sum() - continue a sum
 * @sum: of what comes before; BCOS_IMAGE_SUM at the beginning
 * @data: of any alignment
 * @size: in bytes, a multiple of 8
 *
 * Any change of a single word changes the sum.
 *
 * Return: the sum of both parts.
 */
u64 bcos_image_sum(u64 sum, const void *data, u64 size);

#define BCOS_IMAGE_SUM	0xCBF29CE484222325ull

/* These return the sums that an image has if it is right. */
u64 bcos_image_header_sum(const struct bcos_image_header *header);
u64 bcos_image_stages_sum(const struct bcos_image_stage *stage, u32 stages);
u64 bcos_image_pass_sum(const struct bcos_image_pass *pass, u32 stages);
u64 bcos_image_devices_sum(const struct bcos_image_devices *devices);
u64 bcos_image_seal_sum(const struct bcos_image_seal *seal, u32 stages);
u64 bcos_image_kmsg_sum(const struct bcos_image_kmsg *kmsg);

/* Returns how many pages of LIST list @pages pages. */
static inline u64 bcos_image_list_pages(u64 pages, u32 page_size)
{
	u64 frames = page_size / sizeof(u64) - 1;

	return (pages + frames - 1) / frames;
}

/* ---- writing ------------------------------------------------------------------------ */

/**
 * struct bcos_image_plan - what an image shall have room for
 * @page_size: bytes of a page
 * @cpus: CPU IDs are below this
 * @ring_size: bytes of the log
 * @staging_size: bytes of the largest ring of a CPU, a multiple of @page_size
 * @kmsg_size: bytes of the ring of the kernel's log, likewise
 * @least: CPUs for whose rings there must be room
 * @limit: the most bytes that the image may have; 0: as many as it needs
 */
struct bcos_image_plan {
	u32 page_size;
	u32 cpus;
	u64 ring_size;
	u64 staging_size;
	u64 kmsg_size;
	u32 least;
	u64 limit;
};

/**
 * bcos_image_lay_out() - plan the sections of an image
 * @plan: what the image shall have room for
 * @header: zeroed; this sets magic, version, sizes, @cpus, @stages, @pages and sections
 *
 * RINGS has the ring of the kernel's log first, then rings of @plan->staging_size: as many as
 * CPUs, or as many as the limit allows.
 *
 * Return: the number of rings of CPUs, at least @plan->least; or -ENOSPC: bcos_image_least() tells
 *   which limit would do.
 */
long bcos_image_lay_out(const struct bcos_image_plan *plan, struct bcos_image_header *header);

/* Returns the least limit with which bcos_image_lay_out() succeeds. */
u64 bcos_image_least(const struct bcos_image_plan *plan);

/* Returns the place of a section, or of its second copy, in an image in one piece. */
static inline void *bcos_image_part(const struct bcos_image_header *header, void *image, u32 part)
{
	return (u8 *)image + header->section[part].offset;
}

static inline void *bcos_image_copy(const struct bcos_image_header *header, void *image, u32 part,
				    u64 number)
{
	const struct bcos_image_section *section = &header->section[part];

	return (u8 *)image + section->offset + (number & 1 ? section->size / 2 : 0);
}

/* ---- reading ------------------------------------------------------------------------ */

/**
 * struct bcos_image - an image that is checked
 * @bytes: the image
 * @size: bytes that are there; staging rings may be missing
 * @header: the header
 * @stage: where the stages are
 * @pass: the newest pass; NULL: both copies are damaged, so nothing can be merged
 * @devices: the table of that pass; NULL: damaged
 * @seal: how it ended; NULL: the state is BCOS_IMAGE_RUNNING, or the seal is damaged
 * @kmsg: the end of the kernel's log; NULL: only a panic writes it, or it is damaged
 * @marks: the oldest and the newest entry that count; offsets are multiples of 4
 * @ring: the log
 */
struct bcos_image {
	const u8 *bytes;
	u64 size;
	const struct bcos_image_header *header;
	const struct bcos_image_stage *stage;
	const struct bcos_image_pass *pass;
	const struct bcos_image_devices *devices;
	const struct bcos_image_seal *seal;
	const struct bcos_image_kmsg *kmsg;
	struct bcos_marks marks;
	const u8 *ring;
};

/*
 * Checks a header alone, as a reader needs before it collects the pages of an image from a dump.
 * All of @header must be readable.
 */
enum bcos_image_fault bcos_image_check_header(const struct bcos_image_header *header);

/**
 * bcos_image_check() - check an image in one piece
 * @bytes: the image, aligned to 8 bytes
 * @size: bytes of it that are there
 * @image: out
 *
 * What it accepts can be used without another look at sizes and offsets. The bytes of the log and
 * the records in the rings are not looked at.
 *
 * Return: BCOS_IMAGE_GOOD, or why there is no image.
 */
enum bcos_image_fault bcos_image_check(const void *bytes, u64 size, struct bcos_image *image);

/**
 * bcos_image_ring() - get the staging ring of a stage
 * @image: a checked image with a pass
 * @stage: number of the stage
 * @units: out: size of the ring, a power of two
 *
 * Return: the ring, or NULL: the stage has none, or it is not in the image.
 */
const struct bcos_unit *bcos_image_ring(const struct bcos_image *image, u32 stage, u64 *units);

#endif
