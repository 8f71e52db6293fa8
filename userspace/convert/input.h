/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The input of a conversion: a file, a pipe, standard input, or bytes in memory. */
#ifndef CONVERT_INPUT_H
#define CONVERT_INPUT_H

#include "core/host/user.h"

/* The most that input_peek() makes available at a time. */
#define INPUT_MAX (64u << 20)

/**
 * struct input - an input that is being read
 * @fd: its descriptor, -1 for memory and directories
 * @path: of it
 * @directory: it is a directory; then nothing else is set
 * @size: bytes of a regular file or of memory; 0: unknown
 * @offset: of the next byte
 * @error: errno of a read that failed; it then looks like the end
 * @buffer: what was read ahead
 * @at: the next byte in it
 * @end: of what was read
 * @room: bytes of it
 * @memory: @buffer is the caller's, and is all that there is
 */
struct input {
	int fd;
	const char *path;
	bool directory;
	u64 size;
	u64 offset;
	int error;
	u8 *buffer;
	size_t at, end, room;
	bool memory;
};

/* Opens a file, a directory or, for "-", standard input. Returns 0 or a negative errno. */
int input_open(struct input *input, const char *path);
/* Opens a file of a directory. Returns 0 or a negative errno. */
int input_open_in(struct input *input, const char *directory, const char *name);
/* Reads from memory, which stays the caller's. */
void input_memory(struct input *input, const void *bytes, size_t size);
void input_close(struct input *input);

/* The slow path of input_peek(). */
size_t input_fill(struct input *input, size_t size);

/**
 * input_peek() - look at the next bytes
 * @input: the input
 * @bytes: out: them; valid until the next call
 * @size: how many are wanted, at most INPUT_MAX
 *
 * Return: how many there are, at least @size unless the input ends.
 */
static inline size_t input_peek(struct input *input, const u8 **bytes, size_t size)
{
	size_t there = input->end - input->at;

	if (unlikely(there < size))
		there = input_fill(input, size);
	*bytes = input->buffer + input->at;
	return there;
}

/* Goes on after @size bytes, which input_peek() has shown. */
static inline void input_skip(struct input *input, size_t size)
{
	input->at += size;
	input->offset += size;
}

/* Leaves out any number of bytes. Returns false if the input ends before. */
bool input_discard(struct input *input, u64 size);

/* Can input_at() be used? */
bool input_is_seekable(const struct input *input);
/* Reads bytes from any place of a seekable input, and changes nothing. Returns false if there are not so many. */
bool input_at(const struct input *input, u64 offset, void *to, size_t size);
/* Goes on at @offset of a seekable input. Returns false if that is beyond its end. */
bool input_seek(struct input *input, u64 offset);

#endif
