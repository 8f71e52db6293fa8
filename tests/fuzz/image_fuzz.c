// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Changes any words of a good image, makes its sums right again or not, cuts it off anywhere, and reads all that the
 * check accepts: nothing is read beyond the image, and nothing accepted contradicts itself.
 *
 * Input: a byte of options, three bytes that say what is cut off, then changes: three bytes for the place, and eight for the
 * word that comes there.
 */
#include <stdlib.h>

#include "core/image/image.h"
#include "core/ring/ring.h"
#include "demand.h"

#define RIGHT 1		/* the sums are made right */
#define SEALED 2

#define PAGE 4096u
#define CPUS 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes an image with two passes and a seal. Returns its size. */
static u64 make_image(u8 **bytes)
{
	const struct bcos_image_plan plan = {
		.page_size = PAGE, .cpus = CPUS, .ring_size = BCOS_RING_MIN, .staging_size = PAGE, .kmsg_size = PAGE,
	};
	struct bcos_image_header header = { 0 }, *image;
	struct bcos_image_stage *stage;
	struct bcos_image_pass *pass;
	struct bcos_control *control;
	u32 i, copy;

	demand_that(bcos_image_lay_out(&plan, &header) == CPUS);
	header.live_size = 512;
	*bytes = calloc(1, header.pages * PAGE);
	demand_that(*bytes);
	image = (struct bcos_image_header *)*bytes;
	*image = header;
	stage = bcos_image_part(image, image, BCOS_IMAGE_STAGES);
	for (i = 0; i <= CPUS; i++) {
		stage[i].offset = header.section[BCOS_IMAGE_RINGS].offset + i * PAGE;
		stage[i].room = PAGE;
	}
	control = bcos_image_part(image, image, BCOS_IMAGE_CONTROL);
	control->size = sizeof(*control);
	for (copy = 0; copy < 2; copy++) {
		pass = bcos_image_copy(image, image, BCOS_IMAGE_PASS, copy);
		pass->sequence = 2 + copy;
		pass->devices = 2 + copy;
		for (i = 0; i <= CPUS; i++)
			pass->source[i].size = PAGE / sizeof(struct bcos_unit);
		((struct bcos_image_devices *)bcos_image_copy(image, image, BCOS_IMAGE_DEVICES, copy))->generation = 2 + copy;
	}
	return header.pages * PAGE;
}

/* Makes sums right where they are in the place of the plan; a header may have been changed to say another one. */
static void make_right(u8 *bytes, const struct bcos_image_header *plan)
{
	struct bcos_image_header *header = (struct bcos_image_header *)bytes;
	struct bcos_image_stage *stage = bcos_image_part(plan, bytes, BCOS_IMAGE_STAGES);
	struct bcos_image_seal *seal = bcos_image_part(plan, bytes, BCOS_IMAGE_SEAL);
	struct bcos_image_kmsg *kmsg = bcos_image_part(plan, bytes, BCOS_IMAGE_KMSG);
	struct bcos_image_devices *devices;
	struct bcos_image_pass *pass;
	u64 sum = bcos_image_stages_sum(stage, CPUS + 1);
	u32 copy;

	memcpy(&stage[CPUS + 1], &sum, sizeof(sum));
	for (copy = 0; copy < 2; copy++) {
		pass = bcos_image_copy(plan, bytes, BCOS_IMAGE_PASS, copy);
		devices = bcos_image_copy(plan, bytes, BCOS_IMAGE_DEVICES, copy);
		pass->sum = bcos_image_pass_sum(pass, CPUS + 1);
		if (devices->count <= plan->device_room)
			devices->sum = bcos_image_devices_sum(devices);
	}
	seal->sum = bcos_image_seal_sum(seal, CPUS + 1);
	if (kmsg->length <= BCOS_IMAGE_KMSG_ROOM)
		kmsg->sum = bcos_image_kmsg_sum(kmsg);
	header->sum = bcos_image_header_sum(header);
}

static u64 sum_of(const void *bytes, u64 size)
{
	return bcos_image_sum(BCOS_IMAGE_SUM, bytes, size & ~7ull);
}

/* Reads all that a reader may read. */
static void read_all(const struct bcos_image *image)
{
	const struct bcos_image_header *header = image->header;
	const struct bcos_unit *ring;
	u64 units, sum = sum_of(image->ring, header->ring_size);
	u32 i;

	demand_that(image->marks.oldest.offset <= image->marks.head.offset);
	demand_that(image->marks.head.offset - image->marks.oldest.offset <= header->ring_size);
	sum ^= sum_of(image->stage, header->stages * sizeof(*image->stage));
	if (image->devices)
		sum ^= sum_of(image->devices->device, image->devices->count * sizeof(image->devices->device[0]));
	if (image->seal)
		sum ^= sum_of(image->seal->head, header->stages * sizeof(image->seal->head[0])) + strlen(image->seal->reason);
	if (image->kmsg)
		sum ^= sum_of(image->kmsg->text, image->kmsg->length);
	for (i = 0; image->pass && i < header->stages; i++) {
		ring = bcos_image_ring(image, i, &units);
		demand_that(!ring || (units && !(units & (units - 1))));
		if (ring)
			sum ^= sum_of(ring, units * sizeof(*ring));
	}
	/* The compiler must not leave the reading out. */
	__asm__ volatile("" : : "r"(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bcos_image_header plan;
	struct bcos_image image;
	u64 all, at, cut;
	u8 *bytes, *part;

	if (size < 4)
		return 0;
	all = make_image(&bytes);
	memcpy(&plan, bytes, sizeof(plan));
	((struct bcos_image_header *)bytes)->state = data[0] & SEALED ? BCOS_IMAGE_SEALED : BCOS_IMAGE_RUNNING;
	for (at = 4; at + 11 <= size; at += 11)
		memcpy(bytes + (data[at] | data[at + 1] << 8 | (u64)data[at + 2] << 16) % (all - 8), data + at + 3, 8);
	if (data[0] & RIGHT)
		make_right(bytes, &plan);
	cut = (data[1] | data[2] << 8 | (u64)data[3] << 16) % all;
	/* Memory of its own, which ends where the image does. */
	part = malloc(all - cut);
	demand_that(part);
	memcpy(part, bytes, all - cut);
	if (bcos_image_check(part, all - cut, &image) == BCOS_IMAGE_GOOD)
		read_all(&image);
	free(part);
	free(bytes);
	return 0;
}
