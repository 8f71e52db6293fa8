/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The image that a recorder left which was killed.  It is hostile input, like every image. */
#ifndef BCOSLOG_KEEP_FORMER_H
#define BCOSLOG_KEEP_FORMER_H

#include "core/image/image.h"
#include "place.h"

/* @bytes: a copy of the image; NULL: there is none */
struct former {
	void *bytes;
	struct bcos_image image;
};

/**
 * former_open() - look for an image that this recorder can go on with
 * @former: receives the image; former_close() frees it, also after a failure
 * @place: where, locked
 * @cpus: a number above all CPU IDs
 * @error: receives the reason of a failure, a sentence without a remedy
 *
 * Return: 1; 0 if there is no image; a negative errno if nobody should go on with the one that is there.
 */
int former_open(struct former *former, const struct place *place, u32 cpus, struct bcoslog_error *error);
void former_close(struct former *former);

/*
 * Put the image aside, where bcoslog recover reads it, in the place of one that was put there before. The programs that
 * its recorder left end.
 */
void former_put_aside(const struct place *place);

/* Find the folder of pins of the image @name of the place.  Return: false, and @pins is empty, if there is none. */
bool former_pins(const struct place *place, const char *name, char pins[PLACE_PATH]);

#endif
