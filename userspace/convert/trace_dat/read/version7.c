// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads version 7, where options say where each section lies. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../bytes.h"
#include "read.h"

enum section {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_STRINGS = 15,
	SECTION_HEADER_INFO = 16,
	SECTION_OWN_FORMATS = 17,
	SECTION_EVENT_FORMATS = 18,
	SECTION_NAMES = 21,
};

#define SECTION_HEADER 16
#define COMPRESSED 1

static int read_plain(struct trace_dat *file, struct cursor *cursor, u64 size, u8 **bytes)
{
	if (size > TRACE_DAT_MAX || size > file->input->size)
		return trace_dat_damaged(file, "a section is longer than the file, or than 64 MiB");
	*bytes = malloc(size ? size : 1);
	if (!*bytes)
		return -ENOMEM;
	if (cursor_take(cursor, *bytes, size))
		return 0;
	free(*bytes);
	return trace_dat_damaged(file, "it ends within a section");
}

static int read_compressed(struct trace_dat *file, struct cursor *cursor, u8 **bytes, size_t *size)
{
	u32 packed, unpacked;
	u8 *from;
	int r;

	if (!cursor_take32(cursor, &packed) || !cursor_take32(cursor, &unpacked) || unpacked > TRACE_DAT_MAX)
		return trace_dat_damaged(file, "a compressed section is damaged");
	r = read_plain(file, cursor, packed, &from);
	if (r)
		return r;
	*size = unpacked;
	*bytes = malloc(unpacked ? unpacked : 1);
	r = *bytes ? trace_dat_unpack(file, from, packed, *bytes, unpacked) : -ENOMEM;
	free(from);
	if (r)
		free(*bytes);
	return r;
}

/* Reads a section. The caller frees @bytes. */
static int read_section(struct trace_dat *file, u64 offset, enum section id, u8 **bytes, size_t *size)
{
	struct cursor cursor = { file, offset };
	u32 kind, flags, name;
	u64 length;
	int r;

	if (!cursor_take16(&cursor, &kind) || !cursor_take16(&cursor, &flags) || !cursor_take32(&cursor, &name) ||
	    !cursor_take64(&cursor, &length))
		return trace_dat_damaged(file, "a section lies beyond its end");
	if (kind != id)
		return trace_dat_damaged(file, "a section is not where the options say");
	if (flags & COMPRESSED)
		return read_compressed(file, &cursor, bytes, size);
	r = read_plain(file, &cursor, length, bytes);
	*size = length;
	return r;
}

/* Takes the descriptions of tracepoints, or of ftrace's own events. A file has one section of either. */
static int describe_events(struct trace_dat *file, u64 offset, enum section id)
{
	bool *done = id == SECTION_EVENT_FORMATS ? &file->described : &file->described_own;
	size_t size;
	u8 *bytes;
	int r;

	if (*done)
		return trace_dat_damaged(file, "it has two sections with descriptions of tracepoints");
	*done = true;
	r = read_section(file, offset, id, &bytes, &size);
	if (r)
		return r;
	r = id == SECTION_EVENT_FORMATS ?
		tracepoints_describe_systems(file->points, bytes, size, file->big, NULL) :
		tracepoints_describe_own(file->points, bytes, size, file->big);
	free(bytes);
	return r == -EBADMSG ? trace_dat_damaged(file, "its descriptions of tracepoints are damaged") : r;
}

/* Takes the section with the names of threads: u64 size, text. */
static int take_names(struct trace_dat *file, u64 offset)
{
	size_t size;
	u8 *bytes;
	int r;

	if (file->names)
		return trace_dat_damaged(file, "it has two sections with names of threads");
	r = read_section(file, offset, SECTION_NAMES, &bytes, &size);
	if (r)
		return r;
	file->names = (char *)bytes;
	if (size < 8)
		return trace_dat_damaged(file, "its names of threads are damaged");
	memmove(bytes, bytes + 8, size - 8);
	file->names_size = size - 8;
	return 0;
}

static int take_cpus(struct trace_dat *file, struct bytes *rest, struct trace_buffer *buffer)
{
	struct trace_cpu *cpus = calloc(buffer->count ? buffer->count : 1, sizeof(*cpus));
	u32 i;

	if (!cpus)
		return -ENOMEM;
	for (i = 0; i < buffer->count; i++) {
		if (!bytes_take32(rest, &cpus[i].cpu) || !bytes_take64(rest, &cpus[i].offset) ||
		    !bytes_take64(rest, &cpus[i].size)) {
			free(cpus);
			return trace_dat_damaged(file, "a buffer ends within its table of CPUs");
		}
	}
	buffer->cpus = cpus;
	return trace_dat_keep_buffer(file, buffer);
}

/*
 * Takes the description of a buffer: u64 offset, name, clock, u32 size of a page, u32 count of CPUs, and for each u32
 * CPU, u64 offset, u64 size.
 */
static int take_buffer(struct trace_dat *file, struct bytes *rest)
{
	bool taken = file->buffer.count;
	struct trace_buffer buffer = { 0 };
	u32 kind, flags;
	struct cursor cursor = { .file = file };
	const char *clock;
	int r;

	if (!bytes_take64(rest, &cursor.offset) || !bytes_take_word(rest) || !(clock = bytes_take_word(rest)) ||
	    !bytes_take32(rest, &buffer.page_size) || !bytes_take32(rest, &buffer.count) || buffer.count > TRACE_DAT_CPUS)
		return trace_dat_damaged(file, "the description of a buffer is damaged");
	if (!buffer.count)
		return 0;
	if (!cursor_take16(&cursor, &kind) || !cursor_take16(&cursor, &flags) || kind != SECTION_BUFFER)
		return trace_dat_damaged(file, "a buffer is not where the options say");
	buffer.compressed = flags & COMPRESSED;
	r = take_cpus(file, rest, &buffer);
	if (!r && !taken && file->buffer.count)
		trace_dat_option(file, 4, (const u8 *)clock, strlen(clock) + 1);
	return r;
}

static int take_option(struct trace_dat *file, u32 id, struct bytes *rest)
{
	u64 offset;

	switch (id) {
	case SECTION_BUFFER:
		return take_buffer(file, rest);
	case SECTION_OWN_FORMATS:
	case SECTION_EVENT_FORMATS:
		return bytes_take64(rest, &offset) ? describe_events(file, offset, (enum section)id) : 0;
	case SECTION_NAMES:
		return bytes_take64(rest, &offset) ? take_names(file, offset) : 0;
	default:
		/* The clock of the buffer counts more than this option. */
		if (id != 4 || !file->buffer.count)
			trace_dat_option(file, id, rest->at, (size_t)(rest->end - rest->at));
		return 0;
	}
}

/* Takes the options of a section.  @next: out: offset of the section where they continue; 0: there is none. */
static int take_options(struct trace_dat *file, const u8 *bytes, size_t length, u64 *next)
{
	struct bytes all = { bytes, bytes + length, file->big }, one = all;
	u32 id, size;
	int r;

	*next = 0;
	while (all.end - all.at >= 6) {
		id = get16(all.at, file->big);
		size = get32(all.at + 2, file->big);
		all.at += 6;
		if (size > (size_t)(all.end - all.at))
			return trace_dat_damaged(file, "it ends within its options");
		one.at = all.at;
		one.end = all.at + size;
		all.at += size;
		if (!id) {
			bytes_take64(&one, next);
			return 0;
		}
		r = take_option(file, id, &one);
		if (r)
			return r;
	}
	return 0;
}

/* The names of sections follow the options at @offset, and are the end of a file that is whole. */
static bool ends_early(const struct trace_dat *file, u64 offset)
{
	struct cursor cursor = { file, offset };
	u32 kind = SECTION_OPTIONS, part;
	u64 length;

	while (kind != SECTION_STRINGS) {
		if (cursor.offset >= file->input->size)
			return false;
		if (!cursor_take16(&cursor, &kind) || !cursor_take16(&cursor, &part) || !cursor_take32(&cursor, &part) ||
		    !cursor_take64(&cursor, &length) || length > file->input->size - cursor.offset)
			return true;
		cursor.offset += length;
	}
	return false;
}

int trace_dat_version7(struct trace_dat *file, struct cursor *cursor)
{
	char version[32];
	size_t size;
	u64 offset, next;
	u8 *bytes;
	int r;

	if (!cursor_take_word(cursor, file->compression, sizeof(file->compression)) ||
	    !cursor_take_word(cursor, version, sizeof(version)) || !cursor_take64(cursor, &offset))
		return trace_dat_damaged(file, "it ends within its header");
	for (;;) {
		r = read_section(file, offset, SECTION_OPTIONS, &bytes, &size);
		if (r)
			return r;
		r = take_options(file, bytes, size, &next);
		free(bytes);
		file->cut = !r && !next && ends_early(file, offset);
		if (r || !next)
			return r;
		/* trace-cmd appends sections, so a chain that goes back is a circle. */
		if (next <= offset)
			return trace_dat_damaged(file, "its options continue at a place before themselves");
		offset = next;
	}
}
