/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Descriptions of tracepoints as recordings of perf and of trace-cmd have them. Little endian. */
#ifndef PERF_TRACING_H
#define PERF_TRACING_H

#include <stdio.h>

#include "core/host/user.h"

/**
 * struct perf_point - a tracepoint of the recording
 * @system: as "user_events"
 * @name: within @system
 * @fields: lines of tracefs after the common fields
 * @print: how they are printed, as tracefs says it
 */
struct perf_point {
	const char *system, *name, *fields, *print;
};

/* The number of the first tracepoint; each has the next. */
#define PERF_POINT_FIRST 1000u

/* Text that is put together in memory. */
struct tracing_text {
	char *bytes;
	size_t size;
	FILE *stream;
};

/* Return: 0 or -ENOMEM. */
int tracing_text_begin(struct tracing_text *text);
/* Closes the stream. The caller frees @bytes.  Return: 0 or, with nothing to free, -ENOMEM. */
int tracing_text_end(struct tracing_text *text);
void tracing_print32(FILE *to, u32 value);
void tracing_print64(FILE *to, u64 value);

/* Describes pages of 4096 bytes and the points, of which those of a system follow each other.  Return: 0 or -ENOMEM. */
int tracing_print(FILE *to, const struct perf_point *points, size_t count);

#endif
