/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The input of a conversion: a file, a pipe, standard input, or bytes in memory. */
#ifndef CONVERT_INPUT_H
#define CONVERT_INPUT_H

#include "core/host/user.h"
#include "intake/guard.h"

/* The most that input_peek() makes available at a time. */
#define INPUT_MAX (64u << 20)

/**
 * struct input - an input that is open for reading
 * @fd: the input's descriptor, or -1 for memory and directories
 * @path: the input's name
 * @directory: the input is a directory; then @path is the only other field that is set
 * @size: count of bytes of a regular file or of memory; 0: unknown
 * @offset: offset in the input of the next byte that input_peek() shows
 * @error: errno of a read that failed, after which the input looks as if it ended there
 * @buffer: bytes that were read ahead
 * @at: index in @buffer of the next byte
 * @end: index in @buffer after the last byte that was read
 * @room: size of @buffer
 * @memory: @buffer belongs to the caller and holds the whole input
 * @guard: bounds what is read, or NULL; after it has refused to read, the input looks as if it ended there
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
	struct guard *guard;
};

/* Opens a file, a directory or, for "-", standard input. Returns 0 or a negative errno. */
int input_open(struct input *input, const char *path);
/* Opens the file @name in the directory @directory. Returns 0 or a negative errno. */
int input_open_in(struct input *input, const char *directory, const char *name);
/* Reads from memory, which belongs to the caller and has to stay valid until input_close(). */
void input_memory(struct input *input, const void *bytes, size_t size);
void input_close(struct input *input);

/* The slow path of input_peek(). */
size_t input_fill(struct input *input, size_t size);

/**
 * input_peek() - look at the next bytes
 * @input: the input
 * @bytes: out: the bytes, valid until the next call
 * @size: how many are wanted, at most INPUT_MAX
 *
 * Return: the count of bytes at @bytes, which is at least @size unless the input ends.
 */
static inline size_t input_peek(struct input *input, const u8 **bytes, size_t size)
{
	size_t there = input->end - input->at;

	if (unlikely(there < size))
		there = input_fill(input, size);
	*bytes = input->buffer + input->at;
	return there;
}

/* Moves on by @size bytes, which input_peek() has shown. */
static inline void input_skip(struct input *input, size_t size)
{
	input->at += size;
	input->offset += size;
}

/* Skips any number of bytes. Returns false if the input ends before that. */
bool input_discard(struct input *input, u64 size);

/* Can the caller use input_at() and input_seek()? */
bool input_is_seekable(const struct input *input);
/*
 * Reads @size bytes at @offset of a seekable input, and leaves its position as it is. Returns false if the input is
 * shorter.
 */
bool input_at(const struct input *input, u64 offset, void *to, size_t size);
/* Moves to @offset of a seekable input. Returns false if the input is shorter. */
bool input_seek(struct input *input, u64 offset);

#endif
