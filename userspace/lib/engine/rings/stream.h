/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The raw records of a CPU.  BPF programs write them nearly in the order of time.
 * When all records before a horizon have arrived, the stream returns them in order.
 */
#ifndef BCOSLOG_STREAM_H
#define BCOSLOG_STREAM_H

#include "core/raw/stage.h"

struct stream_record {
	u64 time;
	u32 at;				/* index of its first unit */
	u32 units;
};

struct stream {
	struct bcos_unit *unit;
	struct stream_record *record;	/* records; the unsorted ones are in the order of their arrival */
	size_t units, unit_room;
	size_t records, record_room;
	size_t sorted;			/* number of sorted records */
};

/* A zeroed stream is empty, and needs no other initialisation. */
void stream_free(struct stream *stream);

/**
 * stream_add() - add the next record
 * @stream: the stream
 * @unit: the units of the record; any bytes
 * @units: number of units, at most BCOS_RAW_UNITS_MAX; the function ignores the number in the record
 *
 * Return: 0; -ENOMEM; -EBADMSG if the bytes are no record, and then the stream does not change.
 */
int stream_add(struct stream *stream, const struct bcos_unit *unit, u32 units);

/**
 * stream_next() - find the next record before a time
 * @stream: the stream
 * @taken: number of records taken since the last stream_forget(), which the function skips; it increments this number
 * @before: ns since boot
 *
 * Return: the units of the record, valid until the next stream_add() or stream_forget(); NULL if there is none.
 */
const struct bcos_raw *stream_next(struct stream *stream, size_t *taken, u64 before);

/* Remove the @taken oldest records. */
void stream_forget(struct stream *stream, size_t taken);

#endif
