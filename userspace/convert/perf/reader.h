/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The records of a perf.data file or pipe, of either byte order. */
#ifndef PERF_READER_H
#define PERF_READER_H

#include "../input.h"
#include "../bytes/bytes.h"

#include "format.h"

/**
 * struct perf_attr - an event that was recorded
 * @type: PERF_ATTR_TRACEPOINT, or another
 * @config: of a tracepoint, its ID
 * @sample_type: what its samples hold
 * @read_format: of PERF_READ
 * @flags: PERF_FLAG_*
 * @clockid: with PERF_FLAG_CLOCKID
 */
struct perf_attr {
	u32 type;
	s32 clockid;
	u64 config, sample_type, read_format, flags;
};

/* An ID that samples have, and whose it is. */
struct perf_id {
	u64 id;
	u32 attr;
};

/**
 * struct perf_reader - a recording
 * @input: the file or the pipe
 * @big: the byte order
 * @pipe: there is no header that could be sought
 * @data_end: offset of the end of the data; of a pipe the largest number
 * @attrs: what was recorded
 * @attrs_count: of them
 * @ids: sorted by ID
 * @ids_count: of them
 * @ids_room: there is room for so many
 * @ids_sorted: they are
 * @feature: called for each feature, of a pipe while records are read
 * @context: for @feature
 * @reason: why perf_reader_next() or perf_reader_begin() failed: a sentence without full stop
 */
struct perf_reader {
	struct input *input;
	bool big, pipe;
	u64 data_end;
	struct perf_attr *attrs;
	size_t attrs_count;
	struct perf_id *ids;
	size_t ids_count, ids_room;
	bool ids_sorted;
	int (*feature)(void *context, unsigned int feature, const u8 *bytes, size_t size);
	void *context;
	const char *reason;
};

/* A record. @bytes are what follows its header, valid until the next call. */
struct perf_record {
	u32 type;
	u16 misc;
	const u8 *bytes;
	size_t size;
};

/**
 * perf_reader_begin() - read the header, the attributes and the features of a file
 * @reader: all zero but for @input, @feature and @context
 *
 * Return: 0; -EBADMSG: @reason says what is wrong; what @feature returned; or another negative errno.
 */
int perf_reader_begin(struct perf_reader *reader);
void perf_reader_end(struct perf_reader *reader);

/**
 * perf_reader_next() - the next record of the kernel
 * @reader: the recording
 * @record: out
 *
 * Return: 1; 0 at the end; else as perf_reader_begin().
 */
int perf_reader_next(struct perf_reader *reader, struct perf_record *record);

/* The most that is taken for a feature or an attribute's IDs, in bytes. */
#define PERF_FEATURE_MAX (64u << 20)
#define PERF_ATTRS_MAX 65536u

/**
 * struct perf_sample - what is of interest in a sample, or after another record
 * @attr: what was sampled, NULL if that is not known
 * @has: PERF_*: which of the following there are
 * @pid: of the process
 * @tid: of the thread
 * @time: ns
 * @cpu: where
 * @raw: of a tracepoint, its record
 * @raw_size: bytes at @raw
 */
struct perf_sample {
	const struct perf_attr *attr;
	u64 has;
	u32 pid, tid;
	u64 time;
	u32 cpu;
	const u8 *raw;
	size_t raw_size;
};

/* Take a PERF_SAMPLE apart.  Return: false if it is too short for what it should hold. */
bool perf_parse_sample(struct perf_reader *reader, const struct perf_record *record, struct perf_sample *sample);

/* Takes what the kernel adds to a record that is no sample; that may be nothing.  @left: out: bytes before that. */
void perf_parse_trailer(struct perf_reader *reader, const struct perf_record *record, struct perf_sample *sample,
			size_t *left);

#endif
