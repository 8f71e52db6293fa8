// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Unpacking of pages: see unpack_page.h. */
#include <errno.h>
#include <stdlib.h>

#ifdef BCOSLOG_HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef BCOSLOG_HAVE_LZO
#include <lzo/lzo1x.h>
#endif
#ifdef BCOSLOG_HAVE_ZSTD
#include <zstd.h>
#endif

#include "unpack_page.h"

struct page_unpacker {
#ifdef BCOSLOG_HAVE_ZLIB
	z_stream zlib;
#endif
	char nothing;		/* without a library there is nothing else */
};

struct page_unpacker *page_unpacker_new(void)
{
	struct page_unpacker *unpacker = calloc(1, sizeof(*unpacker));

#ifdef BCOSLOG_HAVE_ZLIB
	if (unpacker && inflateInit(&unpacker->zlib) != Z_OK) {
		free(unpacker);
		return NULL;
	}
#endif
	return unpacker;
}

void page_unpacker_free(struct page_unpacker *unpacker)
{
#ifdef BCOSLOG_HAVE_ZLIB
	if (unpacker)
		inflateEnd(&unpacker->zlib);
#endif
	free(unpacker);
}

/* Each of these returns whether at least @want bytes came out, and not more than @room. */

#ifdef BCOSLOG_HAVE_ZLIB
static bool unpack_zlib(struct page_unpacker *unpacker, const void *from, size_t size, void *to, size_t room, size_t want)
{
	z_stream *zlib = &unpacker->zlib;
	int r;

	if (inflateReset(zlib) != Z_OK)
		return false;
	zlib->next_in = (void *)(uintptr_t)from;
	zlib->avail_in = (uInt)size;
	zlib->next_out = to;
	/* Whoever wants the beginning alone does not pay for the rest. */
	zlib->avail_out = (uInt)want;
	r = inflate(zlib, want == room ? Z_FINISH : Z_SYNC_FLUSH);
	return (r == Z_STREAM_END || (r == Z_OK && want < room)) && !zlib->avail_out;
}
#endif

#ifdef BCOSLOG_HAVE_LZO
static bool unpack_lzo(struct page_unpacker *unpacker, const void *from, size_t size, void *to, size_t room, size_t want)
{
	lzo_uint got = room;

	(void)unpacker, (void)want;
	return lzo1x_decompress_safe(from, size, to, &got, NULL) == LZO_E_OK && got == room;
}
#endif

#ifdef BCOSLOG_HAVE_ZSTD
static bool unpack_zstd(struct page_unpacker *unpacker, const void *from, size_t size, void *to, size_t room, size_t want)
{
	(void)unpacker, (void)want;
	return ZSTD_decompress(to, room, from, size) == room;
}
#endif

static const struct packing {
	u32 flag;
	const char *library;
	bool (*unpack)(struct page_unpacker *unpacker, const void *from, size_t size, void *to, size_t room, size_t want);
} packings[] = {
	{ .flag = UNPACK_ZLIB, .library = "zlib",
#ifdef BCOSLOG_HAVE_ZLIB
	  .unpack = unpack_zlib,
#endif
	},
	{ .flag = UNPACK_LZO, .library = "lzo",
#ifdef BCOSLOG_HAVE_LZO
	  .unpack = unpack_lzo,
#endif
	},
	{ .flag = UNPACK_SNAPPY, .library = "snappy" },
	{ .flag = UNPACK_ZSTD, .library = "zstd",
#ifdef BCOSLOG_HAVE_ZSTD
	  .unpack = unpack_zstd,
#endif
	},
};

static const struct packing *find_packing(u32 flag)
{
	size_t i;

	for (i = 0; i < sizeof(packings) / sizeof(packings[0]); i++)
		if (packings[i].flag == flag)
			return &packings[i];
	return NULL;
}

const char *unpack_lack(u32 packing)
{
	const struct packing *known = find_packing(packing);

	return known && !known->unpack ? known->library : NULL;
}

int unpack_page(struct page_unpacker *unpacker, u32 packing, const void *from, size_t size, void *to, size_t page_size,
		size_t want)
{
	const struct packing *known = find_packing(packing);

	if (!known || !known->unpack)
		return -ENOTSUP;
	return known->unpack(unpacker, from, size, to, page_size, want) ? 0 : -EBADMSG;
}
