/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An import may take so much and no more. Inputs come from others, and a few bytes can ask for hours of work or for the whole disk. So
 * everything that an import reads, unpacks and writes passes this guard, which stops it at a multiple of the input, and
 * at the first signal that ends the program.
 */
#ifndef CONVERT_GUARD_H
#define CONVERT_GUARD_H

#include <errno.h>

#include "core/host/user.h"

/* An import may read its input this many times over. */
#define GUARD_READ_TIMES 16u
/* It may unpack this many times the bytes of the input. */
#define GUARD_UNPACK_TIMES 100u
/* The log may have this many times the bytes of the input. */
#define GUARD_WRITE_TIMES 100u
/* These come in addition, for small inputs. */
#define GUARD_READ_MORE ((u64)64 << 20)
#define GUARD_UNPACK_MORE ((u64)64 << 20)
#define GUARD_WRITE_MORE ((u64)4 << 20)

/**
 * struct guard - what an import has taken so far, in bytes
 * @input: size of the input, with all files of a directory; of a pipe, what was read so far
 * @read: what was read
 * @unpacked: what was unpacked
 * @told: the entries that were told to the log_writer, which keeps them in a temporary file
 * @written: the entries of the log
 * @error: 0; -EINTR after a signal; -EFBIG if a limit was reached. All functions fail with this from then on
 * @what: for -EFBIG: what reached its limit
 * @times: and the limit, in multiples of the input
 *
 * All functions take NULL for a guard that allows everything; signals count nevertheless.
 */
struct guard {
	u64 input, read, unpacked, told, written;
	int error;
	const char *what;
	unsigned int times;
};

/* Begins a guard. @path is a file or a directory, whose size counts; or "-". */
void guard_begin(struct guard *guard, const char *path);
/* Returns the size of the file @path, or of all files below the directory @path. Links to files count, those to folders not. */
u64 guard_measure(const char *path);
/* The input turns out to have @bytes more. */
void guard_grow(struct guard *guard, u64 bytes);

/* Each of these returns 0, -EINTR or -EFBIG. A caller may ask before it does something, or after it. */
int guard_read(struct guard *guard, u64 bytes);
int guard_unpack(struct guard *guard, u64 bytes);
int guard_tell(struct guard *guard, u64 bytes);
int guard_write(struct guard *guard, u64 bytes);

/* Returns the error of the guard, which also is -EINTR if a signal has come and nobody has asked the guard since. */
int guard_error(const struct guard *guard);
/* Complains of the limit that the import of @path has reached, if @guard->error is -EFBIG. */
void guard_complain(const struct guard *guard, const char *path);

#endif
