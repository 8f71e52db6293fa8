/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Publishes in an image what the log writer knows after a pass. */
#ifndef BCOS_CORE_PUBLISH_H
#define BCOS_CORE_PUBLISH_H

#include "core/merge/merge.h"
#include "image.h"

/**
 * struct bcos_publisher - writes the PASS and DEVICES of an image
 * @header: of the image
 * @image: its beginning; all up to CONTROL is in one piece
 * @sequence: number of the newest pass that is published
 * @generation: number of the newest table of devices
 * @changes: of the model when that table was made
 */
struct bcos_publisher {
	const struct bcos_image_header *header;
	void *image;
	u64 sequence;
	u64 generation;
	u64 changes;
};

/**
 * struct bcos_publication - what the host knows beside the merge
 * @time: now, ns since boot
 * @offset: of the wall clock from that
 * @kmsg: number of the next line of the kernel's log to be read
 * @missed: see struct bcos_image_pass
 * @tail: the tail of each stage but the last, if the merge reads copies of their records; or NULL
 * @size: with @tail: units of the ring of each such stage
 */
struct bcos_publication {
	u64 time;
	u64 offset;
	u64 kmsg;
	u64 missed;
	const u64 *tail;
	u64 size;
};

/**
 * bcos_image_publish() - publish a pass
 * @publisher: the image
 * @merge: after a pass; the records of the pass are still in their rings
 * @host: what the merge does not know
 *
 * The older of two copies is written, so the newer one is right if the kernel dies meanwhile.
 *
 * Context: the log writer.
 * Return: the copy.
 */
const struct bcos_image_pass *bcos_image_publish(struct bcos_publisher *publisher,
						 const struct bcos_merge *merge,
						 const struct bcos_publication *host);

#endif
