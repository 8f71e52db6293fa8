/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The image of this log (uapi/bcos_image.h): where its parts lie, in a region that survives a
 * reboot or in ordinary pages, and the list that finds them in a dump of memory.
 */
#ifndef BCOS_KEEP_IMAGE_H
#define BCOS_KEEP_IMAGE_H

#include "core/image/image.h"

/* Units of the staging ring of the kernel's log. */
#define BCOS_KMSG_UNITS 8192

/**
 * bcos_image_up() - plan the image, and take memory for all that comes before its ring
 *
 * The sizes of the log and of the staging rings are settled. A region that is too small is refused.
 *
 * Context: module load; may sleep.
 * Return: 0 or -ENOMEM.
 */
int bcos_image_up(void);
/* Frees that memory. An image in a region stays there; one in ordinary pages is none any more. */
void bcos_image_down(void);

/* Returns the header. Its constants are those of the plan until bcos_image_begin(). */
struct bcos_image_header *bcos_image_header(void);

/* Returns a section in this kernel's mapping, not that of CONTROL and after. */
void *bcos_image_place(u32 part);

/* Returns page @n of CONTROL and RING in the region, or NULL: the caller allocates it. */
struct page *bcos_image_ring_page(unsigned long n);
/* Enters page @n of CONTROL and RING in the list. */
void bcos_image_note_ring_page(unsigned long n, struct page *page);

/**
 * bcos_image_stage_ring() - get zeroed memory for a staging ring in the region
 * @stage: number of the stage, as in the image
 * @bytes: of the ring
 *
 * Return: the memory, which is never freed; or NULL: the caller allocates it, and calls
 *   bcos_image_note_stage_ring().
 */
void *bcos_image_stage_ring(u32 stage, u64 bytes);
/* Enters a ring that the caller has allocated in the list, where the image has room for it. */
void bcos_image_note_stage_ring(u32 stage, const void *ring, u64 bytes);

/* Enters where the live structure of a stage is. */
void bcos_image_note_live(u32 stage, const void *live, size_t size);

/*
 * Makes it an image, as which others find it. The caller has filled in the rest of the header.
 */
void bcos_image_begin(void);

/* Sets the state, BCOS_IMAGE_RUNNING and so on. Context: any, also NMI. */
void bcos_image_set_state(u64 state);

/*
 * Writes the image back from the caches, if it is in a region, which may be larger: a panic does
 * not wait for what nobody uses. Context: any, also NMI.
 */
void bcos_image_write_back(void);

#endif
