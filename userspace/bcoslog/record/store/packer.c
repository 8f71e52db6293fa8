// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Frames, compressed by zstd: see packer.h. */
#include <stdlib.h>

#ifdef BCOSLOG_HAVE_ZSTD
#include <zstd.h>
#endif

#include "packer.h"

#ifdef BCOSLOG_HAVE_ZSTD

struct packer {
	ZSTD_CCtx *context;
	u8 *bytes;
	size_t room;
};

struct packer *packer_new(int level)
{
	struct packer *packer = calloc(1, sizeof(*packer));

	if (!packer)
		return NULL;
	packer->context = ZSTD_createCCtx();
	if (packer->context && !ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_compressionLevel, level)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(packer->context, ZSTD_c_checksumFlag, 1)))
		return packer;
	packer_free(packer);
	return NULL;
}

void packer_free(struct packer *packer)
{
	if (!packer)
		return;
	ZSTD_freeCCtx(packer->context);
	free(packer->bytes);
	free(packer);
}

u8 *packer_pack(struct packer *packer, const void *raw, size_t size, size_t front, size_t *stored)
{
	size_t most = front + ZSTD_compressBound(size);
	u8 *bytes;

	if (most > packer->room) {
		bytes = realloc(packer->bytes, most);
		if (!bytes)
			return NULL;
		packer->bytes = bytes;
		packer->room = most;
	}
	*stored = ZSTD_compress2(packer->context, packer->bytes + front, packer->room - front, raw, size);
	return ZSTD_isError(*stored) ? NULL : packer->bytes;
}

#else

struct packer *packer_new(int level)
{
	(void)level;
	return NULL;
}

void packer_free(struct packer *packer)
{
	(void)packer;
}

u8 *packer_pack(struct packer *packer, const void *raw, size_t size, size_t front, size_t *stored)
{
	(void)packer, (void)raw, (void)size, (void)front, (void)stored;
	return NULL;
}

#endif
