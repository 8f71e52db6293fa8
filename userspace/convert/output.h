/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The output of a conversion has a temporary name beside its final one until it is complete. So a file or directory
 * with the final name is always complete.
 */
#ifndef CONVERT_OUTPUT_H
#define CONVERT_OUTPUT_H

#include "core/host/user.h"

/* Bytes that a file buffers. */
#define OUTFILE_SIZE (256u << 10)
/* outfile_reserve() gives at most this many bytes at a time. */
#define OUTFILE_ROOM (128u << 10)

/**
 * struct outfile - a file that is being written
 * @fd: the file's descriptor, or -1
 * @error: errno of the first write that failed; nothing is written after it
 * @seekable: outfile_patch() can change bytes that were written before
 * @written: count of bytes that left the buffer
 * @used: count of bytes in the buffer
 * @buffer: OUTFILE_SIZE bytes
 */
struct outfile {
	int fd;
	int error;
	bool seekable;
	u64 written;
	size_t used;
	u8 *buffer;
};

/* Opens a file for writing, and truncates it. Returns 0 or a negative errno. */
int outfile_open(struct outfile *file, const char *path);
/* Writes to the descriptor @fd, which outfile_close() closes. Returns 0 or -ENOMEM. */
int outfile_open_fd(struct outfile *file, int fd);
/* Writes what is buffered and closes the file. Returns 0 or the negative errno of the first failure. */
int outfile_close(struct outfile *file);
/* Writes what is buffered. Returns 0 or the negative errno of the first failure. */
int outfile_flush(struct outfile *file);
/* Writes any number of bytes. A failed write sets @file->error, which the caller looks at from time to time. */
void outfile_bytes(struct outfile *file, const void *bytes, size_t size);
/* Writes formatted text like printf(), cut at 4096 bytes; too slow for text that is written often. */
void outfile_format(struct outfile *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Replaces bytes that were written before. The file must be seekable. */
void outfile_patch(struct outfile *file, u64 offset, const void *bytes, size_t size);

/* Returns room for @size bytes, at most OUTFILE_ROOM; outfile_commit() tells how many of them were used. */
static inline void *outfile_reserve(struct outfile *file, size_t size)
{
	if (unlikely(file->used + size > OUTFILE_SIZE))
		outfile_flush(file);
	return file->buffer + file->used;
}

static inline void outfile_commit(struct outfile *file, size_t size)
{
	file->used += size;
}

/* Returns how many bytes the file has so far, with those in the buffer. */
static inline u64 outfile_offset(const struct outfile *file)
{
	return file->written + file->used;
}

/**
 * struct output_place - the destination of a conversion
 * @path: the final name, or "-" for standard output
 * @directory: the output is a directory
 * @temporary: the name of the output until it is complete; NULL if the conversion writes in place, to standard output
 *   or to something else that is no regular file
 * @file: the file, if the output is one file
 * @failed: errno of the first failure in any file of a directory; output_close() sets it
 * @completed: output_complete() was called, and has complained of any failure
 */
struct output_place {
	const char *path;
	bool directory;
	char *temporary;
	struct outfile file;
	int failed;
	bool completed;
};

/* Begins an output. Returns 0 or, after a complaint, a negative errno. */
int output_begin(struct output_place *place, const char *path, bool directory);
/*
 * Opens a file of an output that is a directory, and makes the folders above it. Returns 0 or, after a complaint, a
 * negative errno. The caller closes it with output_close().
 */
int output_open(struct output_place *place, struct outfile *file, const char *name);
int output_close(struct output_place *place, struct outfile *file);
/*
 * Gives a complete output its final name. Returns 0 or, after a complaint, a negative errno; a failure removes the
 * output.
 */
int output_complete(struct output_place *place);
/* Removes an output that is not complete. */
void output_abandon(struct output_place *place);
/*
 * Removes the file of the output that has begun and is not complete, from a handler of a signal, which then ends the
 * process. An output that is a directory stays.
 */
void output_erase(void);

/* Writes all bytes at @offset of a file. Returns 0 or a negative errno. */
int write_all_at(int fd, const void *bytes, size_t size, u64 offset);

#endif
