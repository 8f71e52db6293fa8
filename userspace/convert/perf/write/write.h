/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a perf.data file that holds only tracepoints, or a pipe if earlier parts of the output cannot be changed.
 * Numbers are little-endian.
 */
#ifndef CONVERT_PERF_WRITE_WRITE_H
#define CONVERT_PERF_WRITE_WRITE_H

#include "../../output.h"
#include "../../tracepoints/write/write.h"
#include "../perf.h"

struct perf_writer {
	struct outfile *file;
	const struct perf_point *points;
	size_t count;
	u64 data;		/* offset of the data */
	u64 round;		/* offset of the end of the last round */
};

/*
 * Writes all that precedes the data. The tracepoints of a system have to follow each other.  Return: 0 or a negative
 * errno.
 */
int perf_writer_begin(struct perf_writer *writer, struct outfile *file, const struct perf_point *points, size_t count);

/* Writes all that follows the data.  Return: 0 or a negative errno. */
int perf_writer_end(struct perf_writer *writer);

/* The beginning of a sample, with that of the tracepoint's record. */
struct perf_sample_head {
	u32 type;		/* PERF_SAMPLE */
	u16 misc, size;		/* @size: of the whole record, a multiple of 8 */
	u64 id;
	u32 pid, tid;
	u64 time;
	u32 cpu, zero;
	u32 raw_size;		/* @size less the bytes before the raw data */
	/* The raw data: the record of the tracepoint. */
	u16 number;
	u8 flags, preempt_count;
	u32 common_pid;
} __attribute__((packed));

#define PERF_SAMPLE_TYPE	(PERF_IDENTIFIER | PERF_TID | PERF_TIME | PERF_CPU | PERF_RAW)
/* Bytes before the raw data. */
#define PERF_BEFORE_RAW		44
/* The largest size of a record: it has 16 bits and is a multiple of 8. */
#define PERF_RECORD_MAX		65528u

/* Writes that a thread has this name from @time on. */
void perf_writer_name(struct perf_writer *writer, u64 time, u32 pid, u32 tid, const char *name, size_t length);

/* Writes the end of a round: all records so far are older than those that follow, so readers may process them. */
void perf_writer_round(struct perf_writer *writer);

/* A round ends after this many bytes. */
#define PERF_ROUND (1u << 20)

static inline void perf_writer_go_on(struct perf_writer *writer)
{
	if (unlikely(outfile_offset(writer->file) - writer->round >= PERF_ROUND))
		perf_writer_round(writer);
}

#endif
