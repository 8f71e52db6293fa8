// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads the records of a page. A record is u32, with 5 bits of type or length and 27 bits of time since the record
 * before it, and then its data. On big-endian machines the 5 bits are the high ones.
 */
#include <errno.h>

#include "../../bytes.h"
#include "read.h"

#define COMMIT_MASK	((1u << 27) - 1)
#define LOST		(1u << 31)
#define LOST_STORED	(1u << 30)

/* Types above the largest length in words, or 0. */
#define TYPE_LENGTH	0	/* u32 length of this word and the data */
#define TYPE_PADDING	29
#define TYPE_EXTEND	30	/* u32 high bits of the time since the record before */
#define TYPE_STAMP	31	/* u32 high bits of the time */

#define TIME_BITS	27
/* The high bits of a time, which a stamp lacks; they come from the page. */
#define TIME_HIGH	(0x1Full << 59)

static int tell_lost(const struct page_reader *reader, u64 time, const u8 *data, size_t commit, const u8 *end,
		     u32 flags)
{
	const u8 *at = data + commit;
	u64 count = 0;

	if (!(flags & LOST))
		return 0;
	if (flags & LOST_STORED && end - at >= reader->long_size)
		count = reader->long_size == 8 ? get64(at, reader->big) : get32(at, reader->big);
	return reader->lost(reader->context, time, count);
}

/* Gives a record to the reader. The length of its data is in the type or in the first word. */
static int give_record(const struct page_reader *reader, u64 time, u32 type, const u8 **at, const u8 *end)
{
	size_t length = 4 * (size_t)type;
	int r;

	if (type == TYPE_LENGTH) {
		if (end - *at < 4)
			return -EBADMSG;
		length = get32(*at, reader->big);
		if (length < 4)
			return -EBADMSG;
		length -= 4;
		*at += 4;
	}
	if (length > (size_t)(end - *at))
		return -EBADMSG;
	r = reader->record(reader->context, time, *at, length);
	length = (length + 3) & ~(size_t)3;
	*at += length < (size_t)(end - *at) ? length : (size_t)(end - *at);
	return r;
}

static int read_records(const struct page_reader *reader, u64 time, const u8 *at, const u8 *end)
{
	u64 page = time, word, delta;
	u32 head, type;
	int r = 0;

	while (!r && end - at >= 4) {
		head = get32(at, reader->big);
		type = reader->big ? head >> TIME_BITS : head & 31;
		delta = reader->big ? head & COMMIT_MASK : head >> 5;
		at += 4;
		if (type < TYPE_PADDING) {
			time += delta;
			r = give_record(reader, time, type, &at, end);
			continue;
		}
		/* Padding without a time fills the rest of the page. */
		if (type == TYPE_PADDING && !delta)
			return 0;
		if (end - at < 4)
			return -EBADMSG;
		word = get32(at, reader->big);
		if (type == TYPE_EXTEND) {
			time += delta + (word << TIME_BITS);
			at += 4;
		} else if (type == TYPE_STAMP) {
			time = (page & TIME_HIGH) | delta | word << TIME_BITS;
			at += 4;
		} else {
			time += delta;
			if (word < 4 || word > (u64)(end - at))
				return -EBADMSG;
			at += word;
		}
	}
	return r;
}

int page_read(const struct page_reader *reader, const u8 *page, size_t size)
{
	size_t header = 8 + (size_t)reader->long_size, commit;
	const u8 *data = page + header;
	u64 time;
	u32 flags;
	int r;

	if (size < header)
		return -EBADMSG;
	time = get64(page, reader->big);
	flags = reader->long_size == 8 ? (u32)get64(page + 8, reader->big) : get32(page + 8, reader->big);
	commit = flags & COMMIT_MASK;
	if (commit > size - header)
		return -EBADMSG;
	r = tell_lost(reader, time, data, commit, page + size, flags);
	return r ? r : read_records(reader, time, data, data + commit);
}
