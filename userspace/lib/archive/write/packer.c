// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compresses frames by zstd: see write.h. */
#include <errno.h>
#include <stdlib.h>

#ifdef BCOSLOG_HAVE_ZSTD
#include <zstd.h>
#endif

#include "archive/format/columns.h"
#include "write.h"

#ifdef BCOSLOG_HAVE_ZSTD

/* The shortest match that level 1 takes. zstd's own value is greater, and entries have fewer matches of that length. */
#define FAST_MATCH 6

struct packer {
	ZSTD_CCtx *context;
	bool plain;
	u8 *columns, *bytes;
	size_t columns_room, room;
};

static bool is_set(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value)
{
	return !ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value));
}

struct packer *packer_new(int level, bool plain)
{
	struct packer *packer = calloc(1, sizeof(*packer));

	if (!packer)
		return NULL;
	packer->plain = plain;
	packer->context = ZSTD_createCCtx();
	if (packer->context && is_set(packer->context, ZSTD_c_compressionLevel, level) &&
	    is_set(packer->context, ZSTD_c_checksumFlag, 1) &&
	    (level != 1 || is_set(packer->context, ZSTD_c_minMatch, FAST_MATCH)))
		return packer;
	packer_free(packer);
	errno = ENOMEM;
	return NULL;
}

void packer_free(struct packer *packer)
{
	if (!packer)
		return;
	ZSTD_freeCCtx(packer->context);
	free(packer->columns);
	free(packer->bytes);
	free(packer);
}

/* Makes room for @size bytes. Their contents are not kept.  Return: false if there is no memory. */
static bool make_room(u8 **bytes, size_t *room, size_t size)
{
	if (size <= *room)
		return true;
	free(*bytes);
	*bytes = malloc(size);
	*room = *bytes ? size : 0;
	return *bytes;
}

u8 *packer_pack(struct packer *packer, const void *raw, size_t size, size_t front, size_t *stored, bool *columns)
{
	*columns = false;
	if (!make_room(&packer->bytes, &packer->room, front + ZSTD_compressBound(COLUMNS_HEAD + size)) ||
	    (!packer->plain && !make_room(&packer->columns, &packer->columns_room, COLUMNS_HEAD + size)))
		return NULL;
	if (!packer->plain && columns_put(packer->columns, raw, size)) {
		*columns = true;
		raw = packer->columns;
		size += COLUMNS_HEAD;
	}
	*stored = ZSTD_compress2(packer->context, packer->bytes + front, packer->room - front, raw, size);
	return ZSTD_isError(*stored) ? NULL : packer->bytes;
}

#else

struct packer *packer_new(int level, bool plain)
{
	(void)level, (void)plain;
	errno = ENOSYS;
	return NULL;
}

void packer_free(struct packer *packer)
{
	(void)packer;
}

u8 *packer_pack(struct packer *packer, const void *raw, size_t size, size_t front, size_t *stored, bool *columns)
{
	(void)packer, (void)raw, (void)size, (void)front, (void)stored, (void)columns;
	return NULL;
}

#endif
