// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Placing the records of user space about devices: see told.h. */
#include <stdlib.h>

#include "told.h"

void told_free(struct told *told)
{
	stream_free(&told->stream);
	free(told->device);
	memset(told, 0, sizeof(*told));
}

static bool is_of_device(u8 kind)
{
	return kind == BCOS_RAW_DEVICE || kind == BCOS_RAW_DEVICE_GONE || kind == BCOS_RAW_LINK ||
	       kind == BCOS_RAW_INPUT || kind == BCOS_RAW_OUTPUT || kind == BCOS_RAW_FAULT;
}

/* Return: the device in a record, which is the second unit, or the third unit if the record names the device. */
static struct bcos_raw_device *device_of(struct bcos_raw *raw)
{
	struct bcos_unit *unit = (struct bcos_unit *)raw;

	return (struct bcos_raw_device *)(unit + (raw->kind == BCOS_RAW_DEVICE ? 2 : 1));
}

/* Return: the key of the device that a record is about. */
static u64 key_of(struct bcos_raw *raw)
{
	const struct bcos_raw_event *event = (struct bcos_raw_event *)(raw + 1);

	return raw->kind == BCOS_RAW_EVENT ? (u64)event->tag << 32 | raw->id : device_of(raw)->key;
}

static struct bcos_raw *record_at(const struct stream *stream, size_t i)
{
	return (struct bcos_raw *)(stream->unit + stream->record[i].at);
}

static int compare_devices(const void *left, const void *right)
{
	const struct told_device *a = left, *b = right;

	return a->key < b->key ? -1 : a->key > b->key;
}

static struct told_device *find_told(const struct told *told, u64 key)
{
	struct told_device wanted = { .key = key };

	return bsearch(&wanted, told->device, told->devices, sizeof(*told->device), compare_devices);
}

/* List each device about which there are records of user space once.  Return: 0 or -ENOMEM. */
static int list_devices(struct told *told)
{
	size_t count = told->stream.records, i, kept = 0;
	struct told_device *grown;

	if (told->room < count) {
		grown = realloc(told->device, count * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		told->device = grown;
		told->room = count;
	}
	for (i = 0; i < count; i++)
		told->device[i] = (struct told_device){
			.key = key_of(record_at(&told->stream, i)),
			.gone = record_at(&told->stream, i)->kind == BCOS_RAW_DEVICE_GONE,
		};
	qsort(told->device, count, sizeof(*told->device), compare_devices);
	for (i = 0; i < count; i++) {
		if (kept && told->device[kept - 1].key == told->device[i].key)
			told->device[kept - 1].gone |= told->device[i].gone;
		else
			told->device[kept++] = told->device[i];
	}
	told->devices = kept;
	return 0;
}

/* Let the records of user space about a device follow the records of BPF programs in a stream that must come before. */
static void look_at_stream(struct told *told, const struct stream *stream)
{
	struct told_device *device;
	struct bcos_raw *raw;
	size_t i;

	for (i = 0; i < stream->records; i++) {
		raw = record_at(stream, i);
		if (!is_of_device(raw->kind))
			continue;
		device = find_told(told, key_of(raw));
		if (device && (device->gone || raw->kind == BCOS_RAW_DEVICE) && device->after <= raw->time)
			device->after = raw->time + 1;
	}
}

/* Raise the earliest possible time of a record to @time, and keep its latest possible time. */
static void move_record(struct bcos_raw *raw, u64 time)
{
	struct bcos_raw_event *event = (struct bcos_raw_event *)(raw + 1);
	bool has_event = raw->kind == BCOS_RAW_DEVICE || raw->kind == BCOS_RAW_EVENT;
	u64 span = has_event ? event->precision : device_of(raw)->amount, by;

	if (time <= raw->time)
		return;
	by = time - raw->time;
	/* A precision of all ones has no upper end, so it stays. */
	if (span < 0xFFFFFFFFu)
		span = span > by ? span - by : 0;
	raw->time = time;
	if (has_event)
		event->precision = (u32)span;
	else
		device_of(raw)->amount = span;
}

int told_place(struct told *told, const struct stream *streams, size_t step, u32 count, struct stream *to)
{
	struct told_device *device;
	struct bcos_raw *raw;
	size_t i;
	int r;

	if (!told->stream.records)
		return 0;
	r = list_devices(told);
	if (!r)
		look_at_stream(told, to);
	for (i = 0; i < count && !r; i++)
		look_at_stream(told, (const struct stream *)((const char *)streams + i * step));
	for (i = 0; i < told->stream.records && !r; i++) {
		raw = record_at(&told->stream, i);
		device = find_told(told, key_of(raw));
		move_record(raw, device->after);
		device->after = raw->time;
		r = stream_add(to, (const struct bcos_unit *)raw, raw->units);
	}
	stream_forget(&told->stream, told->stream.records);
	return r;
}
