// SPDX-License-Identifier: GPL-2.0-only
/* What a former kernel left: see last.h. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/minmax.h>
#include <linux/string.h>

#include "core/image/image.h"
#include "memory.h"
#include "last.h"

static struct {
	void *image;
	u64 size;
} bcos_last;

const void *bcos_last_image(u64 *size)
{
	*size = bcos_last.size;
	return bcos_last.image;
}

/* Copies what is in the region. Returns false without memory for it; a sentence has said so. */
static bool bcos_last_copy(const void *region, u64 size)
{
	bcos_last.image = bcos_memory_alloc(size);
	if (!bcos_last.image) {
		pr_warn("there is no memory for a copy of the former log, %llu KiB, so that stays in its region, and this log does not survive a reboot; free memory and load bcos_evlog again\n",
			size >> 10);
		return false;
	}
	bcos_last.size = size;
	memcpy(bcos_last.image, region, size);
	return true;
}

static const char *bcos_last_end(const struct bcos_image *image)
{
	switch (image->header->state) {
	case BCOS_IMAGE_SEALED:
		return "ended with a panic";
	case BCOS_IMAGE_CLEAN:
		return "ended in order";
	default:
		return "ended without a word";
	}
}

bool bcos_last_take(const void *region, u64 size)
{
	struct bcos_image image;
	enum bcos_image_fault fault = bcos_image_check(region, size, &image);

	if (fault == BCOS_IMAGE_FAULT_MAGIC)
		return true;
	if (fault == BCOS_IMAGE_FAULT_VERSION) {
		/* Only programs of that version know how much of the region is the image. */
		if (!bcos_last_copy(region, size))
			return false;
		pr_notice("the former log is of another version of bcos_evlog; the bcoslog of that version reads a copy of %s\n",
			  BCOS_IMAGE_PATH);
		return true;
	}
	if (fault) {
		pr_notice("the former log in this memory is lost, since its image %s\n",
			  bcos_image_fault_text(fault));
		return true;
	}
	size = min_t(u64, size, image.header->pages * image.header->page_size);
	if (!bcos_last_copy(region, size))
		return false;
	pr_info("the former log, which %s, is in " BCOS_IMAGE_PATH "\n",
		bcos_last_end(&image));
	return true;
}

bool bcos_last_is_of_another_boot(const void *region)
{
	const struct bcos_image_header *now = region, *last = bcos_last.image;

	if (!last || !now)
		return false;
	return bcos_image_check_header(last) ||
	       memcmp(last->boot, now->boot, sizeof(now->boot));
}

void bcos_last_drop(void)
{
	bcos_memory_free(bcos_last.image, bcos_last.size);
	bcos_last.image = NULL;
	bcos_last.size = 0;
}
