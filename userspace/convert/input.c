// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The input of a conversion: see input.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "caller.h"
#include "input.h"
#include "progress.h"

/* Each read() asks for at least this many bytes. */
#define CHUNK (1u << 20)

static int open_input(struct input *input, int fd)
{
	struct stat stat;
	off_t at;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat)) {
		int error = errno;

		close(fd);
		return -error;
	}
	if (S_ISDIR(stat.st_mode)) {
		close(fd);
		input->directory = true;
		return 0;
	}
	input->fd = fd;
	at = S_ISREG(stat.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
	if (at >= 0 && !at)
		input->size = (u64)stat.st_size;
	return 0;
}

int input_open(struct input *input, const char *path)
{
	memset(input, 0, sizeof(*input));
	input->fd = -1;
	input->path = path;
	return open_input(input, strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) :
						     fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
}

int input_open_in(struct input *input, const char *directory, const char *name)
{
	char *path;
	int fd;

	memset(input, 0, sizeof(*input));
	input->fd = -1;
	input->path = name;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -ENOMEM;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	return open_input(input, fd);
}

void input_memory(struct input *input, const void *bytes, size_t size)
{
	memset(input, 0, sizeof(*input));
	input->fd = -1;
	input->path = "memory";
	input->buffer = (u8 *)bytes;
	input->end = input->room = size;
	input->size = size;
	input->memory = true;
}

void input_close(struct input *input)
{
	if (input->fd >= 0)
		close(input->fd);
	if (!input->memory)
		free(input->buffer);
	input->fd = -1;
	input->buffer = NULL;
}

/* Moves the bytes from @at on to the beginning of the buffer, and makes the buffer hold @size bytes. */
static bool make_room(struct input *input, size_t size)
{
	u8 *larger;

	memmove(input->buffer, input->buffer + input->at, input->end - input->at);
	input->end -= input->at;
	input->at = 0;
	if (size <= input->room)
		return true;
	size = (size + CHUNK - 1) / CHUNK * CHUNK;
	larger = realloc(input->buffer, size);
	if (!larger) {
		input->error = ENOMEM;
		return false;
	}
	input->buffer = larger;
	input->room = size;
	return true;
}

size_t input_fill(struct input *input, size_t size)
{
	ssize_t n;

	if (size > INPUT_MAX)
		size = INPUT_MAX;
	if (input->fd < 0 || input->error ||
	    (input->room - input->at < size && !(input->buffer ? make_room(input, size) : true)))
		return input->end - input->at;
	if (!input->buffer) {
		input->room = size > CHUNK ? size : CHUNK;
		input->buffer = malloc(input->room);
		if (!input->buffer) {
			input->error = ENOMEM;
			input->room = 0;
			return 0;
		}
	}
	progress_at(input->offset);
	while (input->end - input->at < size && !input->error) {
		n = read(input->fd, input->buffer + input->end, input->room - input->end);
		if (n > 0) {
			input->end += (size_t)n;
			if (!input->size)
				guard_grow(input->guard, (u64)n);
			if (guard_read(input->guard, (u64)n))
				input->error = -guard_error(input->guard);
		} else if (!n) {
			break;
		} else if (errno != EINTR || convert_interrupted()) {
			input->error = errno;
			break;
		}
	}
	return input->end - input->at;
}

bool input_discard(struct input *input, u64 size)
{
	const u8 *bytes;
	size_t there;

	while (size) {
		there = input_peek(input, &bytes, 1);
		if (!there)
			return false;
		if (there > size)
			there = (size_t)size;
		input_skip(input, there);
		size -= there;
	}
	return true;
}

bool input_is_seekable(const struct input *input)
{
	return input->memory || (input->size && input->fd >= 0);
}

bool input_at(const struct input *input, u64 offset, void *to, size_t size)
{
	u8 *place = to;
	ssize_t n;

	if (!input_is_seekable(input) || offset > input->size || size > input->size - offset ||
	    guard_read(input->guard, size))
		return false;
	if (input->memory) {
		memcpy(to, input->buffer + offset, size);
		return true;
	}
	while (size) {
		n = pread(input->fd, place, size, (off_t)offset);
		if (n > 0) {
			place += n;
			offset += (u64)n;
			size -= (size_t)n;
		} else if (!n || errno != EINTR) {
			return false;
		}
	}
	return true;
}

bool input_seek(struct input *input, u64 offset)
{
	if (!input_is_seekable(input) || offset > input->size)
		return false;
	if (input->memory) {
		input->at = (size_t)offset;
	} else if (offset < input->offset - input->at || offset > input->offset + (input->end - input->at)) {
		if (lseek(input->fd, (off_t)offset, SEEK_SET) < 0)
			return false;
		input->at = input->end = 0;
	} else {
		input->at = (size_t)(offset - (input->offset - input->at));
	}
	input->offset = offset;
	return true;
}
