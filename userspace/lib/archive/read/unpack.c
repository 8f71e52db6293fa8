// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Unpacking of the frames of recorded files by zstd. */
#include <stdlib.h>
#include <unistd.h>

#ifdef BCOSLOG_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "archive.h"
#include "archive/format/columns.h"

#ifdef BCOSLOG_HAVE_ZSTD

struct unpacker {
	ZSTD_DCtx *context;
	u8 *stored;
	size_t room;
	u8 *content;		/* the entries of a frame, in columns or rows */
};

#define CONTENT_MAX (ARCHIVE_RAW_MAX + COLUMNS_HEAD)

struct unpacker *unpacker_new(void)
{
	struct unpacker *unpacker = calloc(1, sizeof(*unpacker));

	if (!unpacker)
		return NULL;
	unpacker->context = ZSTD_createDCtx();
	unpacker->content = malloc(CONTENT_MAX);
	if (unpacker->context && unpacker->content)
		return unpacker;
	unpacker_free(unpacker);
	return NULL;
}

void unpacker_free(struct unpacker *unpacker)
{
	if (!unpacker)
		return;
	ZSTD_freeDCtx(unpacker->context);
	free(unpacker->stored);
	free(unpacker->content);
	free(unpacker);
}

/*
 * Read the bytes from @done to @size at @place into unpacker->stored.
 * Return: 0; -EBADMSG if the file is shorter; another negative errno.
 */
static int load_frame(struct unpacker *unpacker, int fd, u64 place, size_t done, size_t size)
{
	u8 *room;
	ssize_t n;

	if (size > unpacker->room) {
		room = realloc(unpacker->stored, size);
		if (!room)
			return -ENOMEM;
		unpacker->stored = room;
		unpacker->room = size;
	}
	while (done < size) {
		n = archive_pread(fd, unpacker->stored + done, size - done, place + done);
		if (n < 0)
			return -errno;
		if (!n)
			return -EBADMSG;
		done += (size_t)n;
	}
	return 0;
}

long unpack_bytes(struct unpacker *unpacker, const void *stored, size_t stored_size, u8 *to)
{
	size_t size = ZSTD_decompressDCtx(unpacker->context, unpacker->content, CONTENT_MAX, stored, stored_size);

	if (ZSTD_isError(size))
		return -EBADMSG;
	if (columns_begin(unpacker->content, size))
		return columns_get(to, ARCHIVE_RAW_MAX, unpacker->content, size);
	if (size > ARCHIVE_RAW_MAX)
		return -EBADMSG;
	memcpy(to, unpacker->content, size);
	return (long)size;
}

long unpack_frame(struct unpacker *unpacker, int fd, u64 place, u32 stored, u8 *to)
{
	int r = load_frame(unpacker, fd, place, 0, stored);

	return r ? r : unpack_bytes(unpacker, unpacker->stored, stored, to);
}

/* The number of bytes in which the end of a frame is looked for first. */
#define LOOK_FIRST 64u

long unpack_unnoted(struct unpacker *unpacker, int fd, u64 place, u64 size, u8 *to, size_t *raw, u64 *taken)
{
	size_t most = size < ARCHIVE_STORED_MAX ? (size_t)size : ARCHIVE_STORED_MAX, part, stored, done = 0;
	long n;
	int r;

	for (part = most < LOOK_FIRST ? most : LOOK_FIRST;; part = part < most / 2 ? 2 * part : most) {
		r = load_frame(unpacker, fd, place, done, part);
		if (r)
			return r;
		*taken = done = part;
		stored = ZSTD_findFrameCompressedSize(unpacker->stored, part);
		if (!ZSTD_isError(stored) || ZSTD_getErrorCode(stored) != ZSTD_error_srcSize_wrong)
			break;
		if (part == most)
			return most < ARCHIVE_STORED_MAX ? 0 : -EBADMSG;
	}
	if (ZSTD_isError(stored) || !stored)
		return -EBADMSG;
	n = unpack_bytes(unpacker, unpacker->stored, stored, to);
	if (n < 0) {
		*raw = ARCHIVE_RAW_MAX;
		return n;
	}
	*raw = (size_t)n;
	return (long)stored;
}

#else

struct unpacker *unpacker_new(void)
{
	return NULL;
}

void unpacker_free(struct unpacker *unpacker)
{
	(void)unpacker;
}

long unpack_bytes(struct unpacker *unpacker, const void *stored, size_t stored_size, u8 *to)
{
	(void)unpacker, (void)stored, (void)stored_size, (void)to;
	return -ENOSYS;
}

long unpack_frame(struct unpacker *unpacker, int fd, u64 place, u32 stored, u8 *to)
{
	(void)unpacker, (void)fd, (void)place, (void)stored, (void)to;
	return -ENOSYS;
}

long unpack_unnoted(struct unpacker *unpacker, int fd, u64 place, u64 size, u8 *to, size_t *raw, u64 *taken)
{
	(void)unpacker, (void)fd, (void)place, (void)size, (void)to, (void)raw, (void)taken;
	return -ENOSYS;
}

#endif
