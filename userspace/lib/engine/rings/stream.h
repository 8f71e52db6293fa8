/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Raw records of one CPU as the BPF programs bring them: nearly in order of
 * time.  Everything before a horizon is there at some point, and can then be
 * given on in order.
 */
#ifndef BCOSLOG_STREAM_H
#define BCOSLOG_STREAM_H

#include "core/raw/stage.h"

struct stream_record {
	u64 time;
	u32 at;				/* its first unit */
	u32 units;
};

struct stream {
	struct bcos_unit *unit;
	struct stream_record *record;	/* from the first unsorted one on in the order in which they came */
	size_t units, unit_room;
	size_t records, record_room;
	size_t sorted;			/* so many records are in order of time, equal times in the order of coming */
};

/* A zeroed stream is empty. */
void stream_free(struct stream *stream);

/**
 * stream_add() - the next record
 * @stream: the stream
 * @unit: its units; any bytes
 * @units: at most BCOS_RAW_UNITS_MAX; what the record itself says is not looked at
 *
 * Return: 0; -ENOMEM; -EBADMSG if it is no record, and then it is left out.
 */
int stream_add(struct stream *stream, const struct bcos_unit *unit, u32 units);

/**
 * stream_next() - the oldest record before a time
 * @stream: the stream
 * @taken: how many were given since the last stream_forget(), that much is skipped; advanced
 * @before: ns since boot
 *
 * Return: its units, valid until the next stream_add() or stream_forget(); NULL: there is none before @before.
 */
const struct bcos_raw *stream_next(struct stream *stream, size_t *taken, u64 before);

/* The @taken oldest are forgotten. */
void stream_forget(struct stream *stream, size_t taken);

#endif
