/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A perf.data file, or a pipe where the output cannot be changed later, of tracepoints alone. Little endian. */
#ifndef PERF_WRITER_H
#define PERF_WRITER_H

#include "../../output.h"

#include "../format.h"
#include "tracing.h"

struct perf_writer {
	struct outfile *file;
	const struct perf_point *points;
	size_t count;
	u64 data;		/* offset of the data */
	u64 round;		/* when the last round was finished */
};

/* Writes what precedes the data. Points of a system follow each other.  Return: 0 or a negative errno. */
int perf_writer_begin(struct perf_writer *writer, struct outfile *file, const struct perf_point *points, size_t count);

/* Writes what follows the data.  Return: 0 or a negative errno. */
int perf_writer_end(struct perf_writer *writer);

/* A sample, up to its raw data. */
struct perf_sample_head {
	u32 type;		/* PERF_SAMPLE */
	u16 misc, size;		/* of the whole record, a multiple of 8 */
	u64 id;
	u32 pid, tid;
	u64 time;
	u32 cpu, zero;
	u32 raw_size;		/* @size less what precedes the raw data */
	/* The record of the tracepoint. */
	u16 number;
	u8 flags, preempt_count;
	u32 common_pid;
} __attribute__((packed));

#define PERF_SAMPLE_TYPE	(PERF_IDENTIFIER | PERF_TID | PERF_TIME | PERF_CPU | PERF_RAW)
/* Bytes before the raw data. */
#define PERF_BEFORE_RAW		44
/* The most that a record has: its size is 16 bits, and a multiple of 8. */
#define PERF_RECORD_MAX		65528u

/* A thread has this name now. */
void perf_writer_name(struct perf_writer *writer, u64 time, u32 pid, u32 tid, const char *name, size_t length);

/* All that was written so far is older than what comes: readers may look at it. */
void perf_writer_round(struct perf_writer *writer);

/* A round each so many bytes. */
#define PERF_ROUND (1u << 20)

static inline void perf_writer_go_on(struct perf_writer *writer)
{
	if (unlikely(outfile_offset(writer->file) - writer->round >= PERF_ROUND))
		perf_writer_round(writer);
}

#endif
