/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads trace.dat files: their container, and the pages in it. */
#ifndef CONVERT_TRACE_DAT_READ_READ_H
#define CONVERT_TRACE_DAT_READ_READ_H

#include "core/host/user.h"

#include "../../input.h"
#include "../../tracepoints/read/read.h"

/* A page of the kernel's ring buffer. */

/**
 * struct page_reader - functions that get the records of a page
 * @big: the page is big-endian
 * @long_size: size of a long, 4 or 8
 * @context: passed to the functions below, which return 0 or a negative errno
 * @record: called for each record; @time is its time
 * @lost: called if records were lost before the page; @count is 0 if their count is not known
 */
struct page_reader {
	bool big;
	u8 long_size;
	void *context;
	int (*record)(void *context, u64 time, const u8 *bytes, size_t size);
	int (*lost)(void *context, u64 time, u64 count);
};

/**
 * page_read() - read all records of a page
 * @reader: gets the records
 * @page: begins with u64 time, and a long with the count of bytes that follow and a flag for lost records
 * @size: bytes at @page
 *
 * Return: 0; -EBADMSG if the page is damaged; or what a function of @reader returned.
 */
int page_read(const struct page_reader *reader, const u8 *page, size_t size);

/*
 * A trace.dat file of trace-cmd, versions 6 and 7, of either byte order.
 *
 * Both versions begin with 0x17 0x08 0x44 "tracing", the version and a zero, byte order, size of a long, u32 size of a
 * page. In version 6, descriptions, names of threads and options follow each other, then u64 offset and u64 size of the
 * pages of each CPU. In version 7, the name and version of a compression follow, then u64 offset of the options. The
 * options say where the sections lie; a section begins with u16 ID, u16 flags, u32 name, u64 size.
 */

#define TRACE_DAT_MAGIC		"\x17\x08\x44" "tracing"
#define TRACE_DAT_MAGIC_SIZE	10

/* The limit for CPU numbers, which no kernel exceeds. */
#define TRACE_DAT_CPUS		8192u

/* The pages of a CPU. */
struct trace_cpu {
	u32 cpu;
	u64 offset, size;
};

/**
 * struct trace_buffer - a buffer of an instance of the tracer
 * @cpus: the CPUs that have pages
 * @count: how many there are
 * @page_size: size of a page
 * @compressed: the pages are compressed
 */
struct trace_buffer {
	struct trace_cpu *cpus;
	u32 count, page_size;
	bool compressed;
};

/**
 * struct trace_dat - the contents of a file apart from its pages
 * @input: the file
 * @points: the tracepoints that the file describes
 * @big: the file is big-endian
 * @long_size: size of a long, 4 or 8
 * @page_size: size of a page, of version 6
 * @compression: name of the compression
 * @buffer: the first buffer with any pages, which is the one that is read
 * @others: buffers of other instances with any pages, whose events are only counted
 * @others_count: how many there are
 * @cut: the file ends within a section that is not needed
 * @clock: name of the clock of the times; "": not known
 * @kernel: "kernel RELEASE", or empty
 * @shift: ns to add to each time
 * @tsc: times count ticks of the TSC: ns are (count * @mult >> @tsc_shift) + @tsc_offset
 * @mult: see @tsc
 * @tsc_shift: see @tsc
 * @tsc_offset: see @tsc
 * @names: names of threads, in lines of "TID NAME"
 * @names_size: bytes at @names
 * @described: the descriptions of tracepoints were read
 * @described_own: and those of ftrace's own events
 * @reason: the cause of a failure: a sentence without full stop
 */
struct trace_dat {
	struct input *input;
	struct tracepoints *points;
	bool big;
	u8 long_size;
	u32 page_size;
	char compression[16];
	struct trace_buffer buffer, *others;
	u32 others_count;
	bool cut;
	char clock[32];
	char kernel[256];
	s64 shift;
	bool tsc;
	u32 mult, tsc_shift;
	u64 tsc_offset;
	char *names;
	size_t names_size;
	bool described, described_own;
	const char *reason;
};

/**
 * trace_dat_begin() - read all of a file but the pages
 * @file: zero apart from @input and @points
 *
 * Return: 0; -EBADMSG or -ENOTSUP, with the cause in @reason; -EINTR; or -ENOMEM.
 */
int trace_dat_begin(struct trace_dat *file);
void trace_dat_end(struct trace_dat *file);

/* ---- cursor.c -------------------------------------------------------------- */

/* Sets the reason why the file cannot be read.  Return: -EBADMSG. */
int trace_dat_damaged(struct trace_dat *file, const char *reason);

/* A place in a file, from which numbers are taken. */
struct cursor {
	const struct trace_dat *file;
	u64 offset;
};

bool cursor_take(struct cursor *cursor, void *to, size_t size);
bool cursor_take16(struct cursor *cursor, u32 *value);
bool cursor_take32(struct cursor *cursor, u32 *value);
bool cursor_take64(struct cursor *cursor, u64 *value);
/* Takes a string with its zero. A string that is longer than @size is cut. */
bool cursor_take_word(struct cursor *cursor, char *to, size_t size);

/* ---- version7.c and version6.c: the part of a file that depends on its version ---- */

int trace_dat_version6(struct trace_dat *file, struct cursor *cursor);
int trace_dat_version7(struct trace_dat *file, struct cursor *cursor);

/*
 * The option "version" of our files, which begins with this. It also names the clock: libtraceevent shows the times of a
 * file whose option "clock" says "boot" as nanoseconds, and those of a file without that option as seconds.
 */
#define TRACE_DAT_OURS "bcos_evlog"
#define TRACE_DAT_OURS_CLOCK ", times of [boot]"

/* ---- part.c ---------------------------------------------------------------- */

/* Takes an option of either version, if it tells the clock, the kernel, or how to convert times. */
void trace_dat_option(struct trace_dat *file, u32 id, const u8 *bytes, size_t size);

/*
 * Keeps a buffer, or frees its table of CPUs if none of them has pages. Returns 0, -EBADMSG after setting the reason, or
 * -ENOMEM.
 */
int trace_dat_keep_buffer(struct trace_dat *file, const struct trace_buffer *buffer);

/* At most this many bytes are read at once. */
#define TRACE_DAT_MAX (64u << 20)

/**
 * trace_dat_unpack() - decompress bytes
 * @file: names the compression
 * @from: the compressed bytes
 * @size: bytes at @from
 * @to: out: exactly @length bytes
 *
 * Return: 0; -EBADMSG or, for a compression that cannot be read, -ENOTSUP, after setting the reason; or the error of the
 *   input's guard.
 */
int trace_dat_unpack(struct trace_dat *file, const u8 *from, size_t size, u8 *to, size_t length);

#endif
