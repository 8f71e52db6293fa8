// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Changes any bytes of an image, and recovers the log. The recovery refuses the image, or makes a log whose entries are
 * well-formed.
 *
 * Input: an option byte, then changes of five bytes each: three for the offset and two for the value that is put there.
 * With FIXED the sums are made right, so that the parts after them are reached; with SEALED the image has a seal; with
 * CUT the first change says where the image ends.
 */
#include <unistd.h>

#include "../cli/lib/made_image.h"
#include "bcoslog.h"
#include "image/recover.h"
#include "demand.h"

#define FIXED 1
#define SEALED 2
#define CUT 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Makes the image once for each seal: a log with marks, lives and transfers, of which a half is merged. */
static struct made_image *an_image(bool sealed)
{
	static struct made_image *images[2];
	struct made_image *made = images[sealed];
	u32 i;

	if (made)
		return made;
	made = images[sealed] = made_new();
	for (i = 0; i < 40; i++) {
		made_mark(made, i & 1);
		made_switch(made, i & 1, i & 2 ? 100 : 1);
		made_life(made, 0, BCOS_RAW_BIRTH, 200 + i, 9, "as");
		made_read(made, 1, i);
		if (i & 1)
			made_life(made, 1, BCOS_RAW_DEAD, 200 + i, 9, NULL);
		if (i != 20)
			continue;
		made_merge(made);
		made_publish(made);
	}
	if (sealed)
		made_seal(made, "for a test", "<0>[    0.001010] Kernel panic\n<6>[    0.001011][ T1] more\n");
	made_end(made);
	return made;
}

static void fix_sums(u8 *bytes, const struct made_image *made)
{
	struct bcos_image_header *header = (struct bcos_image_header *)bytes;
	struct bcos_image_stage *stage = (void *)(bytes + made->header.section[BCOS_IMAGE_STAGES].offset);
	struct bcos_image_devices *devices = bcos_image_copy(&made->header, bytes, BCOS_IMAGE_DEVICES, 1);
	struct bcos_image_pass *pass = bcos_image_copy(&made->header, bytes, BCOS_IMAGE_PASS, made->sequence);
	struct bcos_image_seal *seal = bcos_image_part(&made->header, bytes, BCOS_IMAGE_SEAL);
	struct bcos_image_kmsg *kmsg = bcos_image_part(&made->header, bytes, BCOS_IMAGE_KMSG);
	u64 sum = bcos_image_stages_sum(stage, MADE_CPUS + 1);

	memcpy(&stage[MADE_CPUS + 1], &sum, sizeof(sum));
	header->sum = bcos_image_header_sum(header);
	if (devices->count <= made->header.device_room)
		devices->sum = bcos_image_devices_sum(devices);
	pass->sum = bcos_image_pass_sum(pass, MADE_CPUS + 1);
	seal->sum = bcos_image_seal_sum(seal, MADE_CPUS + 1);
	if (kmsg->length < 60000)
		kmsg->sum = bcos_image_kmsg_sum(kmsg);
}

static void read_log(int fd)
{
	struct bcoslog_batch batch;
	struct bcoslog_error error;
	struct bcoslog *log;
	u64 end = (u64)lseek(fd, 0, SEEK_CUR);
	int r;

	/* No image becomes a log that is much larger. */
	demand_that(end < 64 << 20);
	lseek(fd, 0, SEEK_SET);
	demand_that(!bcoslog_open_fd(&log, fd, "log", 0, &error));
	while ((r = bcoslog_batch(log, &batch)) > 0)
		;
	demand_that(!r);
	bcoslog_close(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct made_image *made;
	struct recovered recovered;
	struct bcoslog_error error;
	size_t at, offset, length;
	u8 *bytes;
	int fd;

	if (size < 1)
		return 0;
	made = an_image(data[0] & SEALED);
	length = made->size;
	bytes = malloc(length);
	memcpy(bytes, made->bytes, length);
	for (at = 1; at + 5 <= size; at += 5) {
		offset = (data[at] | (size_t)data[at + 1] << 8 | (size_t)data[at + 2] << 16) % (length - 1);
		if (at == 1 && data[0] & CUT)
			length = offset + 2;
		else
			memcpy(bytes + offset % (length - 1), data + at + 3, 2);
	}
	if (data[0] & FIXED && !(data[0] & CUT))
		fix_sums(bytes, made);
	bytes = realloc(bytes, length);
	fd = memfd_create("log", MFD_CLOEXEC);
	if (!recover_image(bytes, length, NULL, fd, &recovered, &error))
		read_log(fd);
	close(fd);
	free(bytes);
	return 0;
}
