/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gathers an image from a file: an image itself, /dev/bcos_evlog.last, or memory in which an image is somewhere. */
#ifndef BCOSLOG_GATHER_H
#define BCOSLOG_GATHER_H

#include "recover.h"

/**
 * struct gathered - an image in one piece
 * @bytes: the image
 * @size: bytes of it
 * @ends: the ends of the stages, if the image was found in memory; else NULL
 */
struct gathered {
	void *bytes;
	u64 size;
	struct recover_end *ends;
};

/* Return: true if the first bytes of a file are those of an image, or of a dump in which one may be. */
bool gather_knows(const void *bytes, size_t size);

/**
 * gather_image() - find the image in a file, and read it
 * @gathered: receives the image; gather_free() frees it, also after a failure
 * @fd: the file
 * @name: its name for messages
 * @error: receives the reason of a failure
 *
 * If memory has several images, as after the module was loaded anew, the one that was begun last counts.
 *
 * Return: 0; -EILSEQ if there is none; another negative errno.
 */
int gather_image(struct gathered *gathered, int fd, const char *name, struct bcoslog_error *error);
void gather_free(struct gathered *gathered);

#endif
