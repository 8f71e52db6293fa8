/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Batches of entries that are held back: copies, which stay when the reader goes on. */
#ifndef BCOSLOG_READER_BATCHES_H
#define BCOSLOG_READER_BATCHES_H

#include "bcoslog.h"
#include "core/host/user.h"

/**
 * struct batches - batches that are held back; zeros are none
 * @bytes: the batches
 * @at: where in @bytes the oldest batch begins that was not taken
 * @used: bytes of @bytes in use
 * @room: bytes for which there is memory
 */
struct batches {
	char *bytes;
	size_t at, used, room;
};

/* Holds back the entries of a batch.  Return: 0 or -ENOMEM. */
int batches_hold(struct batches *batches, const struct bcoslog_batch *batch);
/* Return: the bytes that are held back. */
static inline size_t batches_size(const struct batches *batches)
{
	return batches->used - batches->at;
}
/*
 * Takes the oldest batch, if more than @least bytes are held back. It is valid until the next call of batches_hold().
 * Return: whether there is one.
 */
bool batches_take(struct batches *batches, size_t least, struct bcoslog_batch *batch);
/* Frees the batches, and leaves none. */
void batches_free(struct batches *batches);

#endif
