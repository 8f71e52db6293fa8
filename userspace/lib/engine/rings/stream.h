/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A stream sorts the raw records of a CPU, which BPF programs write nearly in the
 * order of time.  When all records before some time have arrived, the stream returns
 * them in order.
 */
#ifndef BCOSLOG_STREAM_H
#define BCOSLOG_STREAM_H

#include "core/raw/stage.h"

struct stream_record {
	u64 time;
	u32 at;				/* index in stream.unit of the first unit of the record */
	u32 units;			/* number of units */
};

struct stream {
	struct bcos_unit *unit;		/* the units of all records */
	struct stream_record *record;	/* first the sorted records, then others in the order of their arrival */
	size_t units, unit_room;	/* number of elements of @unit, and for how many there is room */
	size_t records, record_room;	/* number of elements of @record, and for how many there is room */
	size_t sorted;			/* number of sorted records */
};

/* A zeroed stream is empty, and needs no other initialisation. */
void stream_free(struct stream *stream);

/**
 * stream_add() - add the next record
 * @stream: the stream
 * @unit: the units of the record, which may consist of any bytes
 * @units: number of units, at most BCOS_RAW_UNITS_MAX; a record contains the same number
 *
 * Return: 0; -ENOMEM; -EBADMSG if the bytes are no record, and then the stream does not change.
 */
int stream_add(struct stream *stream, const struct bcos_unit *unit, u32 units);

/**
 * stream_next() - find the next record before a time
 * @stream: the stream
 * @taken: number of records found since the last stream_forget(); the function skips so many, and adds 1 to the number
 *	if it finds a record
 * @before: ns since boot
 *
 * Return: the units of the record, valid until the next stream_add() or stream_forget(); NULL if there is none.
 */
const struct bcos_raw *stream_next(struct stream *stream, size_t *taken, u64 before);

/* Remove the @taken oldest records. */
void stream_forget(struct stream *stream, size_t taken);

#endif
