/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The newest records of a recorder of BPF programs, which is running or was killed, for somebody who reads its image
 * (uapi/bcos_image.h): a copy of its pinned maps, without adopting or changing them.
 */
#ifndef BCOSLOG_LOOK_H
#define BCOSLOG_LOOK_H

#include <errno.h>

#include "core/image/image.h"
#include "core/raw/stage.h"

#include "bcoslog.h"

struct look;

/**
 * struct look_end - the end of a stage
 * @stage: the records that are not in the image's log, in order of time, from the tail that the image tells on; and
 *	what was lost up to the end
 * @known: false: nothing tells of the stage
 * @uncounted: nothing tells how much was lost
 */
struct look_end {
	struct bcos_stage stage;
	bool known, uncounted;
} __attribute__((aligned(64)));

#ifdef BCOSLOG_HAVE_BPF

/**
 * look_open() - copy the maps that belong to an image
 * @look: receives the copy
 * @header: the header of the image, checked
 * @error: receives the reason of a failure
 *
 * The image has to be read after this: what the recorder takes from the maps is in an image that is newer.
 *
 * Return: 0 or a negative errno.
 */
int look_open(struct look **look, const struct bcos_image_header *header, struct bcoslog_error *error);

/**
 * look_ends() - find the records that an image lacks
 * @look: the copy
 * @image: an image with the same header
 * @end: receives the ends of all stages of the image; the rings are valid until look_close()
 * @error: receives the reason of a failure
 *
 * Lines of the kernel's log are read from the kernel.
 *
 * Return: 0 or a negative errno.
 */
int look_ends(struct look *look, const struct bcos_image *image, struct look_end *end, struct bcoslog_error *error);

/* NULL is ignored. */
void look_close(struct look *look);

#else
static inline int look_open(struct look **look, const struct bcos_image_header *header, struct bcoslog_error *error)
{
	(void)header, (void)error;
	*look = NULL;
	return -ENOSYS;
}

static inline int look_ends(struct look *look, const struct bcos_image *image, struct look_end *end,
			    struct bcoslog_error *error)
{
	(void)look, (void)image, (void)end, (void)error;
	return -ENOSYS;
}

static inline void look_close(struct look *look)
{
	(void)look;
}
#endif

#endif
