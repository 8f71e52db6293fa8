// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Decodes a sample by its attribute. */
#include <stdlib.h>

#include "../../bytes.h"
#include "read.h"

static int compare_ids(const void *a, const void *b)
{
	const struct perf_id *one = a, *other = b;

	return one->id < other->id ? -1 : one->id > other->id;
}

static const struct perf_attr *attr_of(struct perf_reader *reader, u64 id)
{
	struct perf_id key = { .id = id }, *found;

	if (!reader->ids_sorted && reader->ids_count) {
		qsort(reader->ids, reader->ids_count, sizeof(*reader->ids), compare_ids);
		reader->ids_sorted = true;
	}
	found = reader->ids_count ? bsearch(&key, reader->ids, reader->ids_count, sizeof(key), compare_ids) : NULL;
	return found ? &reader->attrs[found->attr] : NULL;
}

static bool pass_items(struct bytes *rest, u64 count, u64 size)
{
	if (count > (u64)(rest->end - rest->at) / size)
		return false;
	rest->at += count * size;
	return true;
}

/* Skips a value, or the values of a group. */
static bool pass_read(struct bytes *rest, u64 format)
{
	u64 each = 8 + (format & PERF_READ_ID ? 8 : 0) + (format & PERF_READ_LOST ? 8 : 0);
	u64 times = (format & PERF_READ_ENABLED ? 8 : 0) + (format & PERF_READ_RUNNING ? 8 : 0);
	u64 count = 1;

	if (format & PERF_READ_GROUP && !bytes_take64(rest, &count))
		return false;
	return pass_items(rest, times, 1) && pass_items(rest, count, each);
}

static bool pass_chain(struct bytes *rest)
{
	u64 count;

	return bytes_take64(rest, &count) && pass_items(rest, count, 8);
}

static bool take_raw(struct bytes *rest, struct perf_sample *sample)
{
	u32 size;

	if (!bytes_take32(rest, &size))
		return false;
	sample->raw_size = size;
	sample->raw = rest->at;
	return pass_items(rest, sample->raw_size, 1);
}

/* Finds the attribute of a sample. The ID of its event is first, or where all attributes place it alike. */
static const struct perf_attr *find_attr(struct perf_reader *reader, const struct perf_record *record)
{
	const struct perf_attr *first = reader->attrs, *found;
	size_t at = 0;

	if (!first)
		return NULL;
	if (!(first->sample_type & PERF_IDENTIFIER)) {
		if (!(first->sample_type & PERF_ID))
			return first;
		at = 8 *
		     (size_t)__builtin_popcountll(first->sample_type & (PERF_IP | PERF_TID | PERF_TIME | PERF_ADDR));
	}
	if (record->size < at + 8)
		return NULL;
	found = attr_of(reader, get64(record->bytes + at, reader->big));
	return found || reader->attrs_count > 1 ? found : first;
}

/* Takes process and thread: two numbers of 32 bits, each in the byte order of the file. */
static void take_tid(struct perf_sample *sample, const u8 *at, bool big)
{
	sample->pid = get32(at, big);
	sample->tid = get32(at + 4, big);
}

bool perf_parse_sample(struct perf_reader *reader, const struct perf_record *record, struct perf_sample *sample)
{
	struct bytes rest = { record->bytes, record->bytes + record->size, reader->big };
	const struct perf_attr *attr = find_attr(reader, record);
	u64 type, ignored;

	memset(sample, 0, sizeof(*sample));
	if (!attr)
		return false;
	type = attr->sample_type;
	sample->attr = attr;
	sample->has = type;
	if ((type & PERF_IDENTIFIER && !bytes_take64(&rest, &ignored)) ||
	    (type & PERF_IP && !bytes_take64(&rest, &ignored)))
		return false;
	if (type & PERF_TID) {
		if (rest.end - rest.at < 8)
			return false;
		take_tid(sample, rest.at, reader->big);
		rest.at += 8;
	}
	if ((type & PERF_TIME && !bytes_take64(&rest, &sample->time)) ||
	    (type & PERF_ADDR && !bytes_take64(&rest, &ignored)) ||
	    (type & PERF_ID && !bytes_take64(&rest, &ignored)) ||
	    (type & PERF_STREAM_ID && !bytes_take64(&rest, &ignored)))
		return false;
	if (type & PERF_CPU) {
		if (rest.end - rest.at < 8)
			return false;
		sample->cpu = get32(rest.at, reader->big);
		rest.at += 8;
	}
	return (!(type & PERF_PERIOD) || bytes_take64(&rest, &ignored)) &&
	       (!(type & PERF_READ) || pass_read(&rest, attr->read_format)) &&
	       (!(type & PERF_CALLCHAIN) || pass_chain(&rest)) &&
	       (!(type & PERF_RAW) || take_raw(&rest, sample));
}

void perf_parse_trailer(struct perf_reader *reader, const struct perf_record *record, struct perf_sample *sample,
			size_t *left)
{
	static const u32 backwards[] = { PERF_IDENTIFIER, PERF_CPU, PERF_STREAM_ID, PERF_ID, PERF_TIME, PERF_TID };
	const struct perf_attr *attr = reader->attrs;
	const u8 *at;
	size_t i;

	memset(sample, 0, sizeof(*sample));
	*left = record->size;
	if (!attr || !(attr->flags & PERF_FLAG_SAMPLE_ID_ALL))
		return;
	for (i = 0; i < sizeof(backwards) / sizeof(backwards[0]); i++) {
		if (!(attr->sample_type & backwards[i]))
			continue;
		if (*left < 8)
			return;
		*left -= 8;
		at = record->bytes + *left;
		sample->has |= backwards[i];
		switch (backwards[i]) {
		case PERF_CPU:
			sample->cpu = get32(at, reader->big);
			break;
		case PERF_TIME:
			sample->time = get64(at, reader->big);
			break;
		case PERF_TID:
			take_tid(sample, at, reader->big);
			break;
		}
	}
}
