/* SPDX-License-Identifier: GPL-2.0-only */
/* The image that a former kernel left in the region, copied before the region is used anew. */
#ifndef BCOS_LAST_H
#define BCOS_LAST_H

#include <linux/types.h>

/**
 * bcos_last_take() - copy the image of a former boot, if there is one
 * @region: mapping of the region
 * @size: of the region in bytes
 *
 * Context: module load; may sleep.
 * Return: false if there is an image, and no memory for the copy; a sentence has said so.
 */
bool bcos_last_take(const void *region, u64 size);

/*
 * Is there a copy that nobody has released, of another boot than the image in @region? One whose
 * version is another counts as such.
 */
bool bcos_last_is_of_another_boot(const void *region);

/* Frees the copy. Context: nobody uses it. */
void bcos_last_drop(void);

/* Returns the copy and its size in bytes, or NULL. It stays until bcos_last_drop(). */
const void *bcos_last_image(u64 *size);

#endif
