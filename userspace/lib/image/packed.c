// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Compressed dumps: see packed.h. Nothing in them is believed: each number is compared with the file's size. */
#include <stdlib.h>
#include <unistd.h>

#include "archive/read/archive.h"
#include "handle/error.h"
#include "packed.h"
#include "unpack_page.h"

/* ---- the format, of a 64-bit machine ----------------------------------------------------- */

struct dump_header {
	char magic[8];
	u32 version;
	char names[6][65];		/* as uname(2) */
	u8 pad[6];
	u64 time[2];
	u32 status;
	u32 block_size;
	u32 sub_size;			/* blocks of the second header */
	u32 map_blocks;			/* of two maps, or of one */
	u32 frames;			/* of the machine's memory */
	u32 others[5];
};

#define DUMP_INCOMPLETE (1u << 3)	/* in the status */

struct dump_sub_header {
	u64 base;
	u32 level;
	u32 is_part;			/* from version 2 on */
	u64 first, end;
	u64 places[6];
	u64 first_long, end_long;
	u64 frames;			/* from version 6 on */
};

#define LONG_FRAMES 6

/* Of a page that is there, in the order of their addresses. */
struct dump_page {
	u64 offset;
	u32 size;
	u32 flags;
	u64 kernel_flags;
};

_Static_assert(sizeof(struct dump_header) == 464 && sizeof(struct dump_sub_header) == 104 &&
	       sizeof(struct dump_page) == 24, "the format's sizes");

#define PAGE_MIN 4096u
#define PAGE_MAX 65536u

/* Bits of the map for which the number of pages before them is kept. */
#define RANK_BITS 4096u
#define RANK_WORDS (RANK_BITS / 64)

/* Descriptors that are read at once. */
#define WINDOW 128

struct packed {
	int fd;
	u64 file_size;
	u32 page_size;
	u64 frames;			/* with a bit in the map */
	u64 *map;
	u64 *rank;			/* pages before each RANK_BITS of the map */
	u64 table;			/* offset of the descriptors */
	struct packed_lack lack;
	u64 work;			/* bytes that searches have read */
	struct page_unpacker *unpacker;
	struct dump_page window[WINDOW];
	u64 window_first;		/* number of its first descriptor */
	u32 window_count;
	u64 cached;			/* frame of @page */
	u64 bare;			/* offset of the first page, in which a search has found nothing; 0: not searched */
	u8 *page;
	u8 *raw;			/* packed, up to a page */
};

#define NO_FRAME (~0ull)

/* Return: the bytes that the file has there, up to @size. */
static size_t read_at(struct packed *packed, u64 offset, void *to, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size && offset < packed->file_size) {
		n = pread(packed->fd, (char *)to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			packed->lack.error = errno;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

/* ---- opening ----------------------------------------------------------------------------- */

static int refuse_damage(struct bcoslog_error *error, const char *name, const char *what)
{
	return error_set(error, EBADMSG, "%s is damaged: %s of this compressed dump cannot be right", name, what);
}

/* Check the headers, and take what counts of them.  Return: 0 or a negative errno. */
static int take_headers(struct packed *packed, struct dump_header *header, const char *name, struct bcoslog_error *error)
{
	struct dump_sub_header sub = { 0 };

	if (read_at(packed, 0, header, sizeof(*header)) != sizeof(*header))
		return refuse_damage(error, name, "the length");
	/* Pages of a 32-bit machine are elsewhere in the header, and its number for them is none here. */
	if (header->block_size < PAGE_MIN || header->block_size > PAGE_MAX || header->block_size & (header->block_size - 1))
		return error_set(error, ENOTSUP, "%s is no dump of a 64-bit machine, or is damaged: nothing is read of other "
				 "machines", name);
	packed->page_size = header->block_size;
	packed->frames = header->frames;
	if (header->version >= 1 && read_at(packed, packed->page_size, &sub, sizeof(sub)) != sizeof(sub))
		return refuse_damage(error, name, "the length");
	if (header->version >= 2 && sub.is_part)
		return error_set(error, ENOTSUP, "%s is a part of a split dump: join the parts by makedumpfile --reassemble, and "
				 "name the result", name);
	if (header->version >= LONG_FRAMES)
		packed->frames = sub.frames;
	packed->lack.incomplete = header->status & DUMP_INCOMPLETE;
	return 0;
}

/* Read the map of the pages that are there.  Return: 0 or a negative errno. */
static int read_map(struct packed *packed, const struct dump_header *header, const char *name, struct bcoslog_error *error)
{
	u64 size = packed->page_size, offset = (1ull + header->sub_size) * size, half = header->map_blocks / 2;
	u64 bytes = packed->frames / 8 + !!(packed->frames % 8), least = bytes / size + !!(bytes % size);
	u64 words = packed->frames / 64 + 1, i;

	/* The first of two maps has the memory that there was, and the second what was written of it. */
	packed->table = offset + header->map_blocks * size;
	if (half >= least)
		offset += half * size;
	else
		half = header->map_blocks;
	/* Now the map is no larger than the file. */
	if (half < least || packed->table > packed->file_size)
		return refuse_damage(error, name, "the map of its pages");
	packed->map = calloc(words, sizeof(u64));
	packed->rank = calloc(words / RANK_WORDS + 1, sizeof(u64));
	if (!packed->map || !packed->rank)
		return error_set(error, ENOMEM, "there is no memory for the map of the pages in %s", name);
	if (read_at(packed, offset, packed->map, bytes) != bytes)
		return error_set(error, packed->lack.error ?: EBADMSG, "the map of the pages in %s cannot be read", name);
	if (packed->frames % 64)
		packed->map[packed->frames / 64] &= ~0ull >> (64 - packed->frames % 64);
	for (i = 0; i < words; i++) {
		if (!(i % RANK_WORDS))
			packed->rank[i / RANK_WORDS] = packed->lack.pages;
		packed->lack.pages += (u64)__builtin_popcountll(packed->map[i]);
	}
	return 0;
}

int packed_open(struct packed **result, int fd, u64 file_size, const char *name, struct bcoslog_error *error)
{
	struct packed *packed = calloc(1, sizeof(*packed));
	struct dump_header header;
	int r;

	*result = packed;
	if (!packed)
		return error_set(error, ENOMEM, "there is no memory for reading %s", name);
	packed->fd = fd;
	packed->file_size = file_size;
	packed->cached = NO_FRAME;
	r = take_headers(packed, &header, name, error) ?: read_map(packed, &header, name, error);
	if (r)
		return r;
	packed->lack.page_size = packed->page_size;
	packed->unpacker = page_unpacker_new();
	packed->page = malloc(packed->page_size);
	packed->raw = malloc(packed->page_size);
	if (!packed->unpacker || !packed->page || !packed->raw)
		return error_set(error, ENOMEM, "there is no memory for reading %s", name);
	return 0;
}

void packed_close(struct packed *packed)
{
	if (!packed)
		return;
	page_unpacker_free(packed->unpacker);
	free(packed->page);
	free(packed->raw);
	free(packed->map);
	free(packed->rank);
	free(packed);
}

struct packed_lack packed_lack(const struct packed *packed)
{
	return packed->lack;
}

/* ---- pages --------------------------------------------------------------------------------- */

static bool has_frame(const struct packed *packed, u64 frame)
{
	return frame < packed->frames && packed->map[frame / 64] >> frame % 64 & 1;
}

/* Return: how many pages before @frame are there. */
static u64 count_before(const struct packed *packed, u64 frame)
{
	u64 word = frame / RANK_BITS * RANK_WORDS, count = packed->rank[frame / RANK_BITS];

	for (; word < frame / 64; word++)
		count += (u64)__builtin_popcountll(packed->map[word]);
	if (frame % 64)
		count += (u64)__builtin_popcountll(packed->map[word] & ~0ull >> (64 - frame % 64));
	return count;
}

/* Return: the next frame from @frame on that is there, or @frames. */
static u64 next_frame(const struct packed *packed, u64 frame)
{
	u64 word;

	if (frame >= packed->frames)
		return packed->frames;
	word = packed->map[frame / 64] & ~0ull << frame % 64;
	for (frame &= ~63ull; !word; word = packed->map[frame / 64]) {
		frame += 64;
		if (frame >= packed->frames)
			return packed->frames;
	}
	return frame + (u64)__builtin_ctzll(word);
}

/* Return: the descriptor of page @number of those that are there; NULL: the file ends before it. */
static const struct dump_page *find_descriptor(struct packed *packed, u64 number)
{
	u64 offset = packed->table + number * sizeof(struct dump_page);

	if (number - packed->window_first < packed->window_count)
		return &packed->window[number - packed->window_first];
	packed->window_first = number;
	packed->window_count = (u32)(read_at(packed, offset, packed->window, sizeof(packed->window)) /
				     sizeof(struct dump_page));
	return packed->window_count ? packed->window : NULL;
}

/* Return: whether the file has the bytes that a descriptor tells of. */
static bool is_in_file(const struct packed *packed, const struct dump_page *found)
{
	return found && found->size && found->offset < packed->file_size && found->size <= packed->file_size - found->offset;
}

/* Read the page of a descriptor, at least its first @want bytes.  Return: 0 or a negative errno. */
static int read_page(struct packed *packed, const struct dump_page *found, u8 *to, size_t want)
{
	u32 packing = found->flags & UNPACK_ALL;

	if (found->size > packed->page_size || (!packing && found->size != packed->page_size))
		return -EBADMSG;
	if (unpack_lack(packing)) {
		packed->lack.library = unpack_lack(packing);
		return -ENOTSUP;
	}
	if (read_at(packed, found->offset, packing ? packed->raw : to, packing ? found->size : want) <
	    (packing ? found->size : want))
		return -EIO;
	return packing ? unpack_page(packed->unpacker, packing, packed->raw, found->size, to, packed->page_size, want) : 0;
}

/* Have a page in the cache, as zeros if the file lacks it. */
static void cache_frame(struct packed *packed, u64 frame)
{
	const struct dump_page *found;

	if (packed->cached == frame)
		return;
	packed->cached = frame;
	found = has_frame(packed, frame) ? find_descriptor(packed, count_before(packed, frame)) : NULL;
	if (is_in_file(packed, found)) {
		if (!read_page(packed, found, packed->page, packed->page_size))
			return;
		packed->lack.broken = true;
		packed->lack.refused |= unpack_lack(found->flags & UNPACK_ALL) != NULL;
	}
	memset(packed->page, 0, packed->page_size);
}

bool packed_has(const struct packed *packed, u64 address, size_t size)
{
	u64 frame = address / packed->page_size, last;

	last = size ? (address + size - 1) / packed->page_size : frame;
	return next_frame(packed, frame) <= last && next_frame(packed, frame) < packed->frames;
}

void packed_read(struct packed *packed, u64 address, void *to, size_t size)
{
	size_t within, part;

	for (; size; size -= part, address += part, to = (char *)to + part) {
		within = address % packed->page_size;
		part = packed->page_size - within < size ? packed->page_size - within : size;
		if (!has_frame(packed, address / packed->page_size)) {
			memset(to, 0, part);
			continue;
		}
		cache_frame(packed, address / packed->page_size);
		memcpy(to, packed->page + within, part);
	}
}

/* ---- the search ------------------------------------------------------------------------------ */

/* Search a page.  Return: whether it begins with the bytes; -EBADMSG. */
static int search_page(struct packed *packed, u64 number, const void *bytes, size_t size)
{
	const struct dump_page *found = find_descriptor(packed, number);
	int r;

	if (!is_in_file(packed, found)) {
		packed->lack.cut++;
		return 0;
	}
	/* All pages of zeros are one page, which is the first one in the file. */
	if (found->offset == packed->bare)
		return 0;
	packed->work += found->size;
	if (packed->work / PACKED_FACTOR > packed->file_size)
		return -EBADMSG;
	packed->cached = NO_FRAME;
	r = read_page(packed, found, packed->page, size);
	if (r) {
		packed->lack.unsearched = true;
		return 0;
	}
	if (!memcmp(packed->page, bytes, size))
		return 1;
	if (!packed->bare || found->offset < packed->bare)
		packed->bare = found->offset;
	return 0;
}

int packed_find(struct packed *packed, const void *bytes, size_t size, u64 from, u64 *address)
{
	u64 frame = next_frame(packed, from / packed->page_size + !!(from % packed->page_size));
	u64 number = frame < packed->frames ? count_before(packed, frame) : 0;
	int r;

	for (; frame < packed->frames; frame = next_frame(packed, frame + 1), number++) {
		if (!(number % WINDOW) && archive_ask_patience())
			return -EINTR;
		r = search_page(packed, number, bytes, size);
		if (r > 0)
			*address = frame * packed->page_size;
		if (r)
			return r;
	}
	return 0;
}
