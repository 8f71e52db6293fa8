// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads header, attributes and features, and then the records one after another. */
#include <errno.h>
#include <stdlib.h>

#include "read.h"

static int damaged_input(struct perf_reader *reader, const char *reason)
{
	reader->reason = reason;
	return -EBADMSG;
}

/* Returns the flags with bit 0 first, as little-endian machines have them. */
static u64 take_flags(const u8 *at, bool big)
{
	u64 flags = 0;
	unsigned int bit;

	if (!big)
		return get64(at, false);
	for (bit = 0; bit < 64; bit++)
		if (at[bit / 8] & 0x80 >> bit % 8)
			flags |= 1ull << bit;
	return flags;
}

static int add_attr(struct perf_reader *reader, const u8 *at, size_t size)
{
	struct perf_attr *attrs, *attr;

	if (size < PERF_ATTR_MIN)
		return damaged_input(reader, "an attribute is too short");
	if (reader->attrs_count == PERF_ATTRS_MAX)
		return damaged_input(reader, "there are more than 65536 attributes");
	if (!(reader->attrs_count & (reader->attrs_count - 1))) {
		attrs = realloc(reader->attrs, (reader->attrs_count ? 2 * reader->attrs_count : 1) * sizeof(*attrs));
		if (!attrs)
			return -ENOMEM;
		reader->attrs = attrs;
	}
	attr = &reader->attrs[reader->attrs_count++];
	attr->type = get32(at + PERF_ATTR_TYPE, reader->big);
	attr->config = get64(at + PERF_ATTR_CONFIG, reader->big);
	attr->sample_type = get64(at + PERF_ATTR_SAMPLE_TYPE, reader->big);
	attr->read_format = get64(at + PERF_ATTR_READ_FORMAT, reader->big);
	attr->flags = take_flags(at + PERF_ATTR_FLAGS, reader->big);
	attr->clockid = size >= PERF_ATTR_CLOCKID + 4 ? (s32)get32(at + PERF_ATTR_CLOCKID, reader->big) : 0;
	return 0;
}

/* Adds IDs to the newest attribute. */
static int add_ids(struct perf_reader *reader, const u8 *at, size_t count)
{
	struct perf_id *ids;
	size_t i;

	if (count > PERF_FEATURE_MAX / sizeof(*ids) - reader->ids_count)
		return damaged_input(reader, "there are too many IDs of events");
	if (reader->ids_count + count > reader->ids_room) {
		reader->ids_room = 2 * (reader->ids_count + count);
		ids = realloc(reader->ids, reader->ids_room * sizeof(*ids));
		if (!ids)
			return -ENOMEM;
		reader->ids = ids;
	}
	for (i = 0; i < count; i++) {
		reader->ids[reader->ids_count].id = get64(at + 8 * i, reader->big);
		reader->ids[reader->ids_count++].attr = (u32)reader->attrs_count - 1;
	}
	reader->ids_sorted = false;
	return 0;
}

/* Reads @size bytes at @offset. The caller frees them.  Return: 0 or a negative errno. */
static int read_section(struct perf_reader *reader, u64 offset, u64 size, u8 **bytes)
{
	if (size > PERF_FEATURE_MAX || size > reader->input->size)
		return damaged_input(reader, "a section is longer than the file");
	*bytes = malloc(size ? size : 1);
	if (!*bytes)
		return -ENOMEM;
	if (input_at(reader->input, offset, *bytes, size))
		return 0;
	free(*bytes);
	return damaged_input(reader, "a section lies beyond the end of the file");
}

static int read_ids(struct perf_reader *reader, const u8 *section)
{
	u64 offset = get64(section, reader->big), size = get64(section + 8, reader->big);
	u8 *bytes;
	int r;

	r = read_section(reader, offset, size, &bytes);
	if (r)
		return r;
	r = add_ids(reader, bytes, size / 8);
	free(bytes);
	return r;
}

static int read_attrs(struct perf_reader *reader, const u8 *header)
{
	u64 size = get64(header + PERF_HEADER_ATTR_SIZE, reader->big), count, i;
	const u8 *section = header + PERF_HEADER_ATTRS;
	u8 *bytes;
	int r;

	if (size < PERF_ATTR_MIN + 16 || size > 4096)
		return damaged_input(reader, "the size of its attributes is invalid");
	r = read_section(reader, get64(section, reader->big), get64(section + 8, reader->big), &bytes);
	if (r)
		return r;
	count = get64(section + 8, reader->big) / size;
	for (i = 0; i < count && !r; i++) {
		r = add_attr(reader, bytes + i * size, size - 16);
		if (!r)
			r = read_ids(reader, bytes + (i + 1) * size - 16);
	}
	free(bytes);
	return r;
}

/* Reads the features. Their table follows the data. */
static int read_features(struct perf_reader *reader, const u8 *header)
{
	u64 bits[4], table = reader->data_end;
	u8 section[16], *bytes;
	unsigned int i;
	int r = 0;

	for (i = 0; i < 4; i++)
		bits[i] = get64(header + PERF_HEADER_FEATURES + 8 * i, reader->big);
	for (i = 1; i < 256 && !r; i++) {
		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		if (!input_at(reader->input, table, section, sizeof(section)))
			return damaged_input(reader, "the table of its features lies beyond the end of the file");
		table += sizeof(section);
		r = read_section(reader, get64(section, reader->big), get64(section + 8, reader->big), &bytes);
		if (r)
			break;
		r = reader->feature(reader->context, i, bytes, get64(section + 8, reader->big));
		free(bytes);
	}
	return r;
}

static int begin_file(struct perf_reader *reader)
{
	const u8 *section;
	u8 header[PERF_HEADER_SIZE];
	u64 offset, size;
	int r;

	if (!input_is_seekable(reader->input))
		return damaged_input(
			reader, "a perf.data file is read from its end, which a pipe does not allow; give the file");
	if (!input_at(reader->input, 0, header, sizeof(header)))
		return damaged_input(reader, "it ends within its header");
	section = header + PERF_HEADER_DATA;
	offset = get64(section, reader->big);
	size = get64(section + 8, reader->big);
	if (offset > reader->input->size || size > reader->input->size - offset)
		return damaged_input(reader, "its data lies beyond the end of the file");
	/* perf writes the size, and what describes the tracepoints, when it ends. */
	if (!size)
		return damaged_input(reader, "it has no data, as if perf record had been killed before it ended");
	reader->data_end = offset + size;
	r = read_attrs(reader, header);
	if (!r)
		r = read_features(reader, header);
	if (!r && !input_seek(reader->input, offset))
		r = damaged_input(reader, "its data lies beyond the end of the file");
	return r;
}

int perf_reader_begin(struct perf_reader *reader)
{
	const u8 *bytes;
	u64 size;

	if (input_peek(reader->input, &bytes, PERF_PIPE_HEADER_SIZE) < PERF_PIPE_HEADER_SIZE)
		return damaged_input(reader, "it ends within its header");
	if (!memcmp(bytes, PERF_MAGIC_SWAPPED, 8))
		reader->big = true;
	else if (memcmp(bytes, PERF_MAGIC, 8))
		return damaged_input(reader, "it does not begin with PERFILE2");
	size = get64(bytes + 8, reader->big);
	if (size == PERF_HEADER_SIZE)
		return begin_file(reader);
	if (size != PERF_PIPE_HEADER_SIZE)
		return damaged_input(reader, "its header has an unknown size");
	reader->pipe = true;
	reader->data_end = ~0ull;
	input_skip(reader->input, PERF_PIPE_HEADER_SIZE);
	return 0;
}

void perf_reader_end(struct perf_reader *reader)
{
	free(reader->attrs);
	free(reader->ids);
	memset(reader, 0, sizeof(*reader));
}

/* Takes an attribute of a pipe, which its IDs follow. */
static int take_attr(struct perf_reader *reader, const struct perf_record *record)
{
	size_t size;
	int r;

	if (record->size < PERF_ATTR_MIN)
		return damaged_input(reader, "an attribute is too short");
	size = get32(record->bytes + PERF_ATTR_SIZE, reader->big);
	if (size < PERF_ATTR_MIN || size > record->size)
		return damaged_input(reader, "an attribute is longer than its record");
	r = add_attr(reader, record->bytes, size);
	return r ? r : add_ids(reader, record->bytes + size, (record->size - size) / 8);
}

/* Takes the descriptions of tracepoints in a pipe, which follow their record. */
static int take_tracing_data(struct perf_reader *reader, size_t size)
{
	const u8 *bytes;
	int r;

	if (size > PERF_FEATURE_MAX)
		return damaged_input(reader, "its descriptions of tracepoints are longer than 64 MiB");
	if (input_peek(reader->input, &bytes, size) < size)
		return damaged_input(reader, "it ends within its descriptions of tracepoints");
	r = reader->feature(reader->context, PERF_TRACING_DATA, bytes, size);
	input_skip(reader->input, size);
	input_discard(reader->input, -size & 7);
	return r;
}

/*
 * Takes a record about the recording itself.
 *
 * Return: 1 if the record is not of this kind; else the same as perf_reader_next().
 */
static int take_own(struct perf_reader *reader, const struct perf_record *record)
{
	u64 number;

	switch (record->type) {
	case PERF_COMPRESSED:
	case PERF_COMPRESSED2:
		reader->reason = "its records are compressed (perf record -z), which bcoslog does not read; record without -z";
		return -ENOTSUP;
	case PERF_HEADER_ATTR:
		return take_attr(reader, record);
	case PERF_HEADER_TRACING_DATA:
		if (record->size < 4)
			return damaged_input(reader, "a record is too short");
		return take_tracing_data(reader, get32(record->bytes, reader->big));
	case PERF_AUXTRACE:
		if (record->size < 8)
			return damaged_input(reader, "a record is too short");
		number = get64(record->bytes, reader->big);
		return input_discard(reader->input, number) ? 0 : damaged_input(reader, "it ends within a record");
	case PERF_HEADER_FEATURE:
		if (record->size < 8)
			return damaged_input(reader, "a record is too short");
		number = get64(record->bytes, reader->big);
		return number < 256 ? reader->feature(reader->context, (unsigned int)number, record->bytes + 8,
						      record->size - 8) : 0;
	default:
		return record->type < PERF_HEADER_ATTR ? 1 : 0;
	}
}

int perf_reader_next(struct perf_reader *reader, struct perf_record *record)
{
	const u8 *bytes;
	size_t size, there;
	int r;

	do {
		if (reader->input->offset >= reader->data_end)
			return 0;
		there = input_peek(reader->input, &bytes, PERF_RECORD_HEADER);
		if (!there && reader->pipe)
			return 0;
		if (there < PERF_RECORD_HEADER)
			return damaged_input(reader, "it ends within a record");
		record->type = get32(bytes, reader->big);
		record->misc = get16(bytes + 4, reader->big);
		size = get16(bytes + 6, reader->big);
		if (size < PERF_RECORD_HEADER)
			return damaged_input(reader, "a record is shorter than its header");
		if (input_peek(reader->input, &bytes, size) < size)
			return damaged_input(reader, "it ends within a record");
		record->bytes = bytes + PERF_RECORD_HEADER;
		record->size = size - PERF_RECORD_HEADER;
		/* The bytes stay valid until the next input_peek(). */
		input_skip(reader->input, size);
		r = take_own(reader, record);
	} while (!r);
	return r;
}
