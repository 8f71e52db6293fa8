/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes descriptions of tracepoints in the form that recordings of perf and trace-cmd share. Numbers are
 * little-endian.
 */
#ifndef PERF_TRACING_H
#define PERF_TRACING_H

#include <stdio.h>

#include "core/host/user.h"

/**
 * struct perf_point - a tracepoint of the recording
 * @system: name of its system, such as "user_events"
 * @name: its name within @system
 * @fields: the lines that tracefs has for its fields, after those of the common fields
 * @print: the format for printing, as in tracefs
 */
struct perf_point {
	const char *system, *name, *fields, *print;
};

/* Tracepoints are numbered from here on. */
#define PERF_POINT_FIRST 1000u

/* A text that is built in memory. */
struct tracing_text {
	char *bytes;
	size_t size;
	FILE *stream;
};

/* Return: 0 or -ENOMEM. */
int tracing_text_begin(struct tracing_text *text);
/* Closes the stream. The caller frees @bytes.  Return: 0, or -ENOMEM, where nothing is left to free. */
int tracing_text_end(struct tracing_text *text);
void tracing_print32(FILE *to, u32 value);
void tracing_print64(FILE *to, u64 value);

/*
 * Describes pages of 4096 bytes, and the tracepoints. Those of a system have to follow each other.  Return: 0 or
 * -ENOMEM.
 */
int tracing_print(FILE *to, const struct perf_point *points, size_t count);

#endif
