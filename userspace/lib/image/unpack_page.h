/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Unpacks single pages of a compressed dump by the libraries with which this program was built. */
#ifndef BCOSLOG_UNPACK_PAGE_H
#define BCOSLOG_UNPACK_PAGE_H

#include "core/host/user.h"

/* How a page is packed: flags of its descriptor. None of them: it is not. */
#define UNPACK_ZLIB	(1u << 0)
#define UNPACK_LZO	(1u << 1)
#define UNPACK_SNAPPY	(1u << 2)
#define UNPACK_ZSTD	(1u << 5)
#define UNPACK_ALL	(UNPACK_ZLIB | UNPACK_LZO | UNPACK_SNAPPY | UNPACK_ZSTD)

struct page_unpacker;

/* Return: an unpacker for one thread, or NULL without memory. */
struct page_unpacker *page_unpacker_new(void);
void page_unpacker_free(struct page_unpacker *unpacker);

/* Return: the name of the library that @packing needs and this program lacks; NULL: it lacks none. */
const char *unpack_lack(u32 packing);

/**
 * unpack_page() - unpack a page, or at least its beginning
 * @unpacker: what the libraries need
 * @packing: one of UNPACK_*
 * @from: what is packed, which may be anything
 * @size: bytes of it
 * @to: receives the page; its bytes behind @want may be anything afterwards
 * @page_size: bytes of the whole page, for which @to has room
 * @want: how many bytes from its beginning on are needed
 *
 * Return: 0; -EBADMSG if this is no page of @page_size; -ENOTSUP for a packing that is unknown, or whose library is lacking.
 */
int unpack_page(struct page_unpacker *unpacker, u32 packing, const void *from, size_t size, void *to, size_t page_size,
		size_t want);

#endif
