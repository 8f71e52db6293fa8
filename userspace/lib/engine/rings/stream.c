// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sorting the records of a CPU: see stream.h. */
#include <stdlib.h>

#include "stream.h"

void stream_free(struct stream *stream)
{
	free(stream->unit);
	free(stream->record);
	memset(stream, 0, sizeof(*stream));
}

/* Make room for @count elements of @size bytes.  Return: true; false if there is no memory. */
static bool grow_array(void **array, size_t *room, size_t count, size_t size)
{
	size_t larger = *room ? 2 * *room : 256;
	void *grown;

	if (count <= *room)
		return true;
	while (larger < count)
		larger *= 2;
	grown = realloc(*array, larger * size);
	if (!grown)
		return false;
	*array = grown;
	*room = larger;
	return true;
}

static bool is_record(const struct bcos_unit *unit, u32 units)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;

	return units && units <= BCOS_RAW_UNITS_MAX && raw->units == units && raw->kind && raw->kind < BCOS_RAW_KINDS &&
	       !(raw->time & BCOS_RAW_TICKS);
}

int stream_add(struct stream *stream, const struct bcos_unit *unit, u32 units)
{
	struct stream_record *record;

	if (!is_record(unit, units))
		return -EBADMSG;
	if (stream->units + units > 0xFFFFFFFFu ||
	    !grow_array((void **)&stream->unit, &stream->unit_room, stream->units + units, sizeof(*unit)) ||
	    !grow_array((void **)&stream->record, &stream->record_room, stream->records + 1, sizeof(*record)))
		return -ENOMEM;
	memcpy(stream->unit + stream->units, unit, units * sizeof(*unit));
	record = &stream->record[stream->records++];
	record->time = ((const struct bcos_raw *)unit)->time;
	record->at = (u32)stream->units;
	record->units = units;
	stream->units += units;
	return 0;
}

/* Compare records by time, and at equal times by arrival. */
static int compare_records(const void *left, const void *right)
{
	const struct stream_record *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* The greatest number of places by which insertion sort moves a record. */
#define FAR 64

/* Sort nearly sorted records.  Return: true; false if a record has to move further, and then they are not in order. */
static bool sort_nearly(struct stream *stream)
{
	struct stream_record *record = stream->record, moved;
	size_t i, at;

	for (i = stream->sorted; i < stream->records; i++) {
		if (!i || record[i - 1].time <= record[i].time)
			continue;
		moved = record[i];
		for (at = i; at && record[at - 1].time > moved.time && i - at < FAR; at--)
			record[at] = record[at - 1];
		record[at] = moved;
		if (at && record[at - 1].time > moved.time)
			return false;
	}
	return true;
}

static void sort_stream(struct stream *stream)
{
	if (!sort_nearly(stream))
		qsort(stream->record, stream->records, sizeof(*stream->record), compare_records);
	stream->sorted = stream->records;
}

const struct bcos_raw *stream_next(struct stream *stream, size_t *taken, u64 before)
{
	if (stream->sorted != stream->records)
		sort_stream(stream);
	if (*taken >= stream->records || stream->record[*taken].time >= before)
		return NULL;
	return (const struct bcos_raw *)(stream->unit + stream->record[(*taken)++].at);
}

void stream_forget(struct stream *stream, size_t taken)
{
	struct stream_record *record = stream->record;
	struct bcos_unit *kept;
	size_t i, units = 0;

	if (taken == stream->records) {
		stream->records = stream->units = stream->sorted = 0;
		return;
	}
	if (!taken)
		return;
	/* Copy the units of the records that stay, which are few, because other units may lie between them. */
	for (i = taken; i < stream->records; i++)
		units += record[i].units;
	kept = malloc(units * sizeof(*kept));
	if (!kept) {
		/* Without memory for the copy, all units stay in stream->unit. */
		memmove(record, record + taken, (stream->records - taken) * sizeof(*record));
		stream->records -= taken;
		stream->sorted = stream->sorted > taken ? stream->sorted - taken : 0;
		return;
	}
	for (i = taken, units = 0; i < stream->records; i++) {
		memcpy(kept + units, stream->unit + record[i].at, record[i].units * sizeof(*kept));
		record[i - taken] = record[i];
		record[i - taken].at = (u32)units;
		units += record[i].units;
	}
	free(stream->unit);
	stream->unit = kept;
	stream->units = stream->unit_room = units;
	stream->records -= taken;
	stream->sorted = stream->sorted > taken ? stream->sorted - taken : 0;
}
