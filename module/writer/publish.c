// SPDX-License-Identifier: GPL-2.0-only
/* Publishes passes in the image: see publish.h. */
#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/timekeeping.h>

#include "capture/clock.h"
#include "core/image/publish.h"
#include "keep/image.h"
#include "keep/region.h"
#include "params.h"
#include "kmsg.h"
#include "publish.h"

static struct {
	struct bcos_publisher publisher;
	u64 written;			/* offset in the log up to which it is written back */
	u64 devices;			/* the table of devices that is written back */
} bcos_publish;

/* Writes back the entries from one offset of the log to another one. */
static void bcos_write_back_log(u64 from, u64 to)
{
	const struct bcos_image_header *header = bcos_image_header();
	u8 *ring = bcos_image_place(BCOS_IMAGE_RING);
	u64 size = header->ring_size, at, part;

	if (to - from > size)
		from = to - size;
	for (; from < to; from += part) {
		at = from & (size - 1);
		part = min(to - from, size - at);
		bcos_region_write_back(ring + at, part);
	}
}

/*
 * Caches may write back what is published at any time, so the entries are in memory before a pass
 * names them: a machine that stops in between has the former pass.
 */
static void bcos_write_back_entries(const struct bcos_marks *marks)
{
	bcos_write_back_log(bcos_publish.written, marks->head.offset);
	bcos_publish.written = marks->head.offset;
	bcos_region_write_back(bcos_image_place(BCOS_IMAGE_CONTROL), PAGE_SIZE);
}

/* The table of devices comes before the first pass that relies on it. */
static void bcos_write_back_devices(u64 generation)
{
	const struct bcos_image_devices *table;

	if (generation == bcos_publish.devices)
		return;
	bcos_publish.devices = generation;
	table = bcos_image_copy(bcos_image_header(), bcos_image_header(), BCOS_IMAGE_DEVICES,
				generation);
	bcos_region_write_back(table, struct_size(table, device, table->count));
}

static void bcos_write_back_pass(const struct bcos_image_pass *pass)
{
	bcos_write_back_devices(pass->devices);
	bcos_region_write_back(pass, struct_size(pass, source, bcos_image_header()->stages));
}

static void bcos_publish_pass(const struct bcos_merge *merge)
{
	struct bcos_publication host = {
		.time = bcos_now(),
		.offset = ktime_to_ns(ktime_mono_to_any(0, TK_OFFS_REAL)) -
			  ktime_to_ns(ktime_mono_to_any(0, TK_OFFS_BOOT)),
		.kmsg = bcos_kmsg_staged(),
	};
	bool flush = READ_ONCE(bcos_params.keep_flush) && bcos_region_base();
	const struct bcos_image_pass *pass;

	if (flush)
		bcos_write_back_entries(&merge->log->ring.now);
	pass = bcos_image_publish(&bcos_publish.publisher, merge, &host);
	if (flush)
		bcos_write_back_pass(pass);
}

void bcos_publish_up(struct bcos_merge *merge)
{
	bcos_publish.publisher.header = bcos_image_header();
	bcos_publish.publisher.image = bcos_image_header();
	merge->passed = bcos_publish_pass;
}
