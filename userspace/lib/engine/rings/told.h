/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What user space is told of devices, after it happened: its records say since
 * when it may have been, and get a place in the order of what programs saw.
 */
#ifndef BCOSLOG_TOLD_H
#define BCOSLOG_TOLD_H

#include "stream.h"

/* A device of which something is told. */
struct told_device {
	u64 key;
	u64 after;			/* what is told of it next stands here at the earliest */
	bool gone;			/* that it is gone is told */
};

/* Zeroed it is empty. */
struct told {
	struct stream stream;		/* in the order in which it was told */
	struct told_device *device;
	size_t devices, room;
};

void told_free(struct told *told);

/**
 * told_place() - records that have come, in their places
 * @told: they; then there are none
 * @streams: what programs recorded of each CPU, @step bytes from one to the next
 * @step: see @streams
 * @count: of @streams
 * @to: gets them; some may be there already
 *
 * They are as old as they may be, but behind the name that the device got
 * while it was not told of; and that it is gone behind all that it did.  Call
 * it when everything that happened before they were told is in the streams.
 *
 * Return: 0 or -ENOMEM.
 */
int told_place(struct told *told, const struct stream *streams, size_t step, u32 count, struct stream *to);

#endif
