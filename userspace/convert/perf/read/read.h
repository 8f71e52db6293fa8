/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The records of a perf.data file or pipe, of either byte order. */
#ifndef CONVERT_PERF_READ_READ_H
#define CONVERT_PERF_READ_READ_H

#include "../../bytes.h"
#include "../../input.h"
#include "../perf.h"

/**
 * struct perf_attr - an event that was recorded
 * @type: PERF_ATTR_TRACEPOINT, or any other type
 * @config: for a tracepoint, its ID
 * @sample_type: the parts that its samples hold
 * @read_format: the format of the part PERF_READ
 * @flags: PERF_FLAG_*
 * @clockid: with PERF_FLAG_CLOCKID: the clock of the times
 */
struct perf_attr {
	u32 type;
	s32 clockid;
	u64 config, sample_type, read_format, flags;
};

/* An ID in samples, and the index of the attribute that it belongs to. */
struct perf_id {
	u64 id;
	u32 attr;
};

/**
 * struct perf_reader - a recording that is open for reading
 * @input: the file or the pipe
 * @big: the recording is big-endian
 * @pipe: the input has the format of a pipe, without the long header
 * @data_end: offset of the end of the data; for a pipe the largest number
 * @attrs: the attributes of the events that were recorded
 * @attrs_count: how many there are
 * @ids: the IDs of events
 * @ids_count: how many there are
 * @ids_room: how many have memory
 * @ids_sorted: @ids is sorted by ID
 * @feature: called for each feature; in a pipe that happens while records are read
 * @context: passed to @feature
 * @reason: the cause of a failure of perf_reader_begin() or perf_reader_next(): a sentence without full stop
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

/* A record. @bytes: the bytes after its header, valid until the next call. */
struct perf_record {
	u32 type;
	u16 misc;
	const u8 *bytes;
	size_t size;
};

/**
 * perf_reader_begin() - read the header, the attributes and the features of a file
 * @reader: zero apart from @input, @feature and @context
 *
 * Return: 0; -EBADMSG, or -ENOTSUP for a kind of recording that cannot be read, with the cause in @reason; what @feature returned; or another negative errno.
 */
int perf_reader_begin(struct perf_reader *reader);
void perf_reader_end(struct perf_reader *reader);

/**
 * perf_reader_next() - get the next record that the kernel wrote
 * @reader: the recording
 * @record: out: the record
 *
 * Return: 1; 0 at the end; else the same as perf_reader_begin().
 */
int perf_reader_next(struct perf_reader *reader, struct perf_record *record);

/* Features, and the IDs of all attributes, may take at most this many bytes. */
#define PERF_FEATURE_MAX (64u << 20)
#define PERF_ATTRS_MAX 65536u

/**
 * struct perf_sample - the useful parts of a sample, or of what follows another record
 * @attr: the attribute of the event, or NULL if it is not known
 * @has: the parts that are present: PERF_*
 * @pid: the process ID
 * @tid: the thread ID
 * @time: the time in ns
 * @cpu: the CPU
 * @raw: for a tracepoint, its record
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

/* Decodes a PERF_SAMPLE.  Return: false if the record is too short for the parts that it should hold. */
bool perf_parse_sample(struct perf_reader *reader, const struct perf_record *record, struct perf_sample *sample);

/*
 * Decodes what the kernel appends to a record that is no sample, if anything.  @left: out: how many bytes precede that.
 */
void perf_parse_trailer(struct perf_reader *reader, const struct perf_record *record, struct perf_sample *sample,
			size_t *left);

#endif
