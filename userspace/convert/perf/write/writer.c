// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes header, attributes and descriptions. A file has the data between them; in a pipe they come first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tracepoints/write/write.h"
#include "write.h"

_Static_assert(sizeof(struct perf_sample_head) == PERF_BEFORE_RAW + 8, "packed");

#define ATTR_WORDS (PERF_ATTR_WRITTEN / 8)

static void put32(struct outfile *file, u32 value)
{
	outfile_bytes(file, &value, sizeof(value));
}

static void put64(struct outfile *file, u64 value)
{
	outfile_bytes(file, &value, sizeof(value));
}

static void put_header(struct outfile *file, u32 type, size_t size)
{
	put32(file, type);
	put32(file, (u32)size << 16);
}

/* Writes an attribute. Offsets are in words of 64 bits. */
static void put_attr(struct outfile *file, size_t index)
{
	u64 attr[ATTR_WORDS] = { 0 };

	attr[PERF_ATTR_TYPE / 8] = PERF_ATTR_TRACEPOINT | (u64)PERF_ATTR_WRITTEN << 32;
	attr[PERF_ATTR_CONFIG / 8] = PERF_POINT_FIRST + index;
	attr[PERF_ATTR_PERIOD / 8] = 1;
	attr[PERF_ATTR_SAMPLE_TYPE / 8] = PERF_SAMPLE_TYPE;
	attr[PERF_ATTR_FLAGS / 8] = PERF_FLAG_SAMPLE_ID_ALL | (index ? 0 : PERF_FLAG_COMM);
	outfile_bytes(file, attr, sizeof(attr));
}

/* ---- the descriptions, which are built in memory because their size precedes them ---- */

/* Writes the feature with the descriptions: version 0.6, little-endian, 64 bits, pages of 4096 bytes. */
static int describe_events(const struct perf_writer *writer, struct tracing_text *text)
{
	FILE *to;
	int r;

	if (tracing_text_begin(text))
		return -ENOMEM;
	to = text->stream;
	fwrite("\x17\x08\x44" "tracing" "0.6\0" "\0" "\10" "\0\20\0\0", 20, 1, to);
	r = tracing_print(to, writer->points, writer->count);
	tracing_print32(to, 0);		/* no symbols, no formats of printk and no command lines */
	tracing_print32(to, 0);
	tracing_print64(to, 0);
	if (r) {
		fclose(to);
		free(text->bytes);
		return r;
	}
	return tracing_text_end(text);
}

/* ---- before the data ---- */

static void begin_file(struct perf_writer *writer)
{
	struct outfile *file = writer->file;
	u64 entry = PERF_ATTR_WRITTEN + 16, ids = PERF_HEADER_SIZE, attrs = ids + 8 * writer->count, i;

	writer->data = attrs + entry * writer->count;
	outfile_bytes(file, PERF_MAGIC, 8);
	put64(file, PERF_HEADER_SIZE);
	put64(file, entry);
	put64(file, attrs);
	put64(file, entry * writer->count);
	put64(file, writer->data);
	put64(file, 0);		/* the size of the data, which is known at the end */
	put64(file, 0);
	put64(file, 0);
	put64(file, 1u << PERF_TRACING_DATA | 1u << PERF_EVENT_DESC);
	for (i = 0; i < 3; i++)
		put64(file, 0);
	for (i = 0; i < writer->count; i++)
		put64(file, i + 1);
	for (i = 0; i < writer->count; i++) {
		put_attr(file, i);
		put64(file, ids + 8 * i);
		put64(file, 8);
	}
}

static int begin_pipe(struct perf_writer *writer)
{
	static const u8 zeros[8];
	struct outfile *file = writer->file;
	struct tracing_text text;
	size_t i;

	outfile_bytes(file, PERF_MAGIC, 8);
	put64(file, PERF_PIPE_HEADER_SIZE);
	for (i = 0; i < writer->count; i++) {
		put_header(file, PERF_HEADER_ATTR, PERF_RECORD_HEADER + PERF_ATTR_WRITTEN + 8);
		put_attr(file, i);
		put64(file, i + 1);
	}
	if (describe_events(writer, &text))
		return -ENOMEM;
	put_header(file, PERF_HEADER_TRACING_DATA, PERF_RECORD_HEADER + 4);
	put32(file, (u32)((text.size + 7) & ~7ull));
	outfile_bytes(file, text.bytes, text.size);
	outfile_bytes(file, zeros, -text.size & 7);
	free(text.bytes);
	return 0;
}

int perf_writer_begin(struct perf_writer *writer, struct outfile *file, const struct perf_point *points, size_t count)
{
	writer->file = file;
	writer->points = points;
	writer->count = count;
	writer->round = 0;
	if (!file->seekable)
		return begin_pipe(writer);
	begin_file(writer);
	return 0;
}

/* ---- after the data ---- */

/* Returns the size of the feature with the attributes, their names and IDs. */
static size_t description_size(const struct perf_writer *writer)
{
	size_t i, size = 8;

	for (i = 0; i < writer->count; i++)
		size += PERF_ATTR_WRITTEN + 4 + 4 + 320 + 8;
	return size;
}

static void put_event_description(struct perf_writer *writer)
{
	struct outfile *file = writer->file;
	char name[320];
	size_t i;

	put32(file, (u32)writer->count);
	put32(file, PERF_ATTR_WRITTEN);
	for (i = 0; i < writer->count; i++) {
		put_attr(file, i);
		put32(file, 1);
		put32(file, sizeof(name));
		memset(name, 0, sizeof(name));
		snprintf(name, sizeof(name), "%s:%s", writer->points[i].system, writer->points[i].name);
		outfile_bytes(file, name, sizeof(name));
		put64(file, i + 1);
	}
}

int perf_writer_end(struct perf_writer *writer)
{
	u64 end = outfile_offset(writer->file), size = end - writer->data;
	struct tracing_text text;

	perf_writer_round(writer);
	if (!writer->file->seekable)
		return 0;
	end = outfile_offset(writer->file);
	size = end - writer->data;
	if (describe_events(writer, &text))
		return -ENOMEM;
	put64(writer->file, end + 32);
	put64(writer->file, text.size);
	put64(writer->file, end + 32 + text.size);
	put64(writer->file, description_size(writer));
	outfile_bytes(writer->file, text.bytes, text.size);
	put_event_description(writer);
	free(text.bytes);
	outfile_patch(writer->file, PERF_HEADER_DATA + 8, &size, sizeof(size));
	return 0;
}

/* ---- the data ---- */

void perf_writer_round(struct perf_writer *writer)
{
	put_header(writer->file, PERF_FINISHED_ROUND, PERF_RECORD_HEADER);
	writer->round = outfile_offset(writer->file);
}

void perf_writer_name(struct perf_writer *writer, u64 time, u32 pid, u32 tid, const char *name, size_t length)
{
	struct {
		u32 type;
		u16 misc, size;
		u32 pid, tid;
		char name[16];
		/* The kernel appends thread, time, CPU and ID to each record. */
		u32 added_pid, added_tid;
		u64 time, cpu, id;
	} record = {
		.type = PERF_COMM, .size = sizeof(record), .pid = pid, .tid = tid, .added_pid = pid, .added_tid = tid,
		.time = time, .id = 1,
	};

	memcpy(record.name, name, length < sizeof(record.name) - 1 ? length : sizeof(record.name) - 1);
	outfile_bytes(writer->file, &record, sizeof(record));
}
