/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The image of a log that outlives its recorder (uapi/bcos_image.h): a file that the recorder maps.  It has a name of its
 * own until it is whole, so that at each moment the image that is there is one that another recorder can go on with.
 */
#ifndef BCOSLOG_KEPT_H
#define BCOSLOG_KEPT_H

#include <sys/types.h>

#include "core/image/publish.h"
#include "place.h"

/* What an image is made for. @pins: the folder of the maps; the rest as in struct bcos_image_header. */
struct kept_plan {
	u32 cpus, rings, units;
	u64 ring_size;
	u64 setup;
	const char *pins;
};

struct kept {
	u8 *image;			/* all before the ring; NULL: there is no image */
	size_t front;			/* its size in bytes */
	u8 *ring;			/* the ring, mapped twice in a row */
	u64 ring_size;
	struct bcos_publisher publisher;
	u64 *tail;			/* for each CPU, the tail of its ring as it was published last */
	u32 units;
	ino_t file;
};

/**
 * kept_make() - make an image under the name PLACE_NEW
 * @kept: receives the image; kept_unmap() frees it, also after a failure
 * @place: where
 * @plan: what for
 * @error: receives the reason of a failure
 *
 * Return: 0 or a negative errno.
 */
int kept_make(struct kept *kept, const struct place *place, const struct kept_plan *plan, struct bcoslog_error *error);
/* Unmap the image.  The file stays. */
void kept_unmap(struct kept *kept);

/* Give the image its name, in the place of the one that has it.  Return: 0 or a negative errno. */
int kept_commit(const struct kept *kept, const struct place *place);

/* Publish a pass: see bcos_image_publish(). @kept->tail is part of it. */
void kept_publish(struct kept *kept, const struct bcos_merge *merge, u64 kmsg, u64 missed);

/* Return: true if the image at the place is this one. */
bool kept_is_there(const struct kept *kept, const struct place *place);

#endif
