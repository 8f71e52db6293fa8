// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads version 6, whose parts follow each other. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../bytes.h"
#include "read.h"

#define KIND_SIZE 10

/*
 * Takes the descriptions of tracepoints. Nothing tells their size before they are read, so as much of the file is read
 * as may be read at once.
 */
static int describe_events(struct trace_dat *file, struct cursor *cursor)
{
	u64 left = file->input->size - cursor->offset;
	size_t size = left < TRACE_DAT_MAX ? (size_t)left : TRACE_DAT_MAX, used;
	u8 *bytes = malloc(size ? size : 1);
	int r;

	if (!bytes)
		return -ENOMEM;
	if (!cursor_take(cursor, bytes, size)) {
		free(bytes);
		return trace_dat_damaged(file, "it ends within its descriptions of tracepoints");
	}
	r = tracepoints_describe_all(file->points, bytes, size, file->big, &used);
	free(bytes);
	if (r == -EBADMSG)
		return trace_dat_damaged(file, "its descriptions of tracepoints are damaged");
	cursor->offset -= size - used;
	return r;
}

static int take_names(struct trace_dat *file, struct cursor *cursor)
{
	u64 size;

	if (!cursor_take64(cursor, &size) || size > TRACE_DAT_MAX || size > file->input->size)
		return trace_dat_damaged(file, "it ends within its names of threads");
	file->names = malloc(size ? size : 1);
	if (!file->names)
		return -ENOMEM;
	if (!cursor_take(cursor, file->names, size))
		return trace_dat_damaged(file, "it ends within its names of threads");
	file->names_size = size;
	return 0;
}

/* Skips a text, after u32 size. */
static bool pass_text(struct cursor *cursor)
{
	u32 size;

	if (!cursor_take32(cursor, &size))
		return false;
	cursor->offset += size;
	return true;
}

/* The options that give the offsets of the buffers of other instances. */
#define INSTANCES_MAX 256
#define OPTION_BUFFER 3

struct instances {
	u64 offset[INSTANCES_MAX];
	unsigned int count;
};

static int take_options(struct trace_dat *file, struct cursor *cursor, struct instances *instances)
{
	u8 bytes[4096];
	u32 id, size;

	for (;;) {
		if (!cursor_take16(cursor, &id))
			return trace_dat_damaged(file, "it ends within its options");
		if (!id)
			return 0;
		if (!cursor_take32(cursor, &size))
			return trace_dat_damaged(file, "it ends within its options");
		if (size <= sizeof(bytes) && input_at(file->input, cursor->offset, bytes, size))
			trace_dat_option(file, id, bytes, size);
		if (id == OPTION_BUFFER && instances->count == INSTANCES_MAX)
			return trace_dat_damaged(file, "it has more than 256 buffers");
		if (id == OPTION_BUFFER && size >= 8 && size <= sizeof(bytes))
			instances->offset[instances->count++] = get64(bytes, file->big);
		if (size > file->input->size - cursor->offset)
			return trace_dat_damaged(file, "it ends within its options");
		cursor->offset += size;
	}
}

/* Takes the table of CPUs of a buffer. */
static int take_cpus(struct trace_dat *file, struct cursor *cursor, u32 count)
{
	struct trace_cpu *cpus = calloc(count ? count : 1, sizeof(*cpus));
	u32 i;

	if (!cpus)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		cpus[i].cpu = i;
		if (!cursor_take64(cursor, &cpus[i].offset) || !cursor_take64(cursor, &cpus[i].size)) {
			free(cpus);
			return trace_dat_damaged(file, "it ends within its table of CPUs");
		}
	}
	return trace_dat_keep_buffer(file, &(struct trace_buffer){ .cpus = cpus, .count = count, .page_size = file->page_size });
}

static int take_buffers(struct trace_dat *file, struct cursor *cursor, u32 count, const struct instances *instances)
{
	char kind[KIND_SIZE];
	unsigned int i;
	int r = take_cpus(file, cursor, count);

	for (i = 0; i < instances->count && !r; i++) {
		cursor->offset = instances->offset[i];
		if (!cursor_take(cursor, kind, sizeof(kind)) || memcmp(kind, "flyrecord", sizeof(kind)))
			return trace_dat_damaged(file, "a buffer is not where the options say");
		r = take_cpus(file, cursor, count);
	}
	return r;
}

int trace_dat_version6(struct trace_dat *file, struct cursor *cursor)
{
	struct instances instances = { .count = 0 };
	char kind[KIND_SIZE];
	u32 cpus;
	int r;

	r = describe_events(file, cursor);
	if (!r && (!pass_text(cursor) || !pass_text(cursor)))
		r = trace_dat_damaged(file, "it ends within its symbols");
	if (!r)
		r = take_names(file, cursor);
	if (!r && (!cursor_take32(cursor, &cpus) || cpus > TRACE_DAT_CPUS || !cursor_take(cursor, kind, sizeof(kind))))
		r = trace_dat_damaged(file, "it ends within its header, or has more than 8192 CPUs");
	if (!r && !memcmp(kind, "options  ", sizeof(kind))) {
		r = take_options(file, cursor, &instances);
		if (!r && !cursor_take(cursor, kind, sizeof(kind)))
			r = trace_dat_damaged(file, "it ends within its header");
	}
	if (!r && memcmp(kind, "flyrecord", sizeof(kind)))
		r = trace_dat_damaged(file, "it has text of a latency tracer, which tells of no entries");
	return r ? r : take_buffers(file, cursor, cpus, &instances);
}
