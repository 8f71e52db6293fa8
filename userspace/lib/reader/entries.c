// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The reader gives the caller whole entries in the buffer. It copies only entries that are not aligned or padded as
 * bcos_evlog writes them.
 */
#include "handle/handle.h"
#include "unfold.h"

/* Nearly all entries are assignments and interrupts, which have one fixed size. COMMON gives their first four bytes. */
#define COMMON_SIZE sizeof(struct bcos_assign_cpu)
#define COMMON(type) ((u32)(type) << 16 | (u32)COMMON_SIZE)

_Static_assert(sizeof(struct bcos_irq) == COMMON_SIZE, "they have one size");

/* Results of handle_look(): there are whole entries up to log->checked, or one entry at log->at that must be copied. */
#define IN_PLACE 1
#define ASIDE 2

/* Pass the common entries at @at whose time is at most @limit.  Return: the first byte after them. */
static const u8 *pass_common(const u8 *at, const u8 *end, u64 limit)
{
	const struct bcos_entry *entry;
	u32 begin;

	for (; (size_t)(end - at) >= COMMON_SIZE; at += COMMON_SIZE) {
		entry = (const struct bcos_entry *)at;
		memcpy(&begin, entry, sizeof(begin));
		if (begin != COMMON(BCOS_ASSIGN_CPU) && begin != COMMON(BCOS_IRQ))
			break;
		if (unlikely(entry->time > limit))
			break;
	}
	return at;
}

/* Return: true if the entry is newer than the end of the log. */
static bool is_beyond(const struct bcoslog *log, const struct bcos_entry *header)
{
	return header->time > log->limit && !(header->type & BCOS_TYPE_HISTORICAL);
}

/*
 * The caller may rely on the alignment of an entry, and on all fixed fields of a
 * generic event.  An entry that lacks one of these has to be copied.
 */
static bool lies_well(const u8 *at, const struct bcos_entry *header)
{
	if ((uintptr_t)at % 4 || header->size % 4)
		return false;
	return !bcoslog_is_generic(header->type) || header->size > BCOS_GENERIC_TEXT;
}

/* The cause for which handle_check() stopped at log->checked. */
enum next { NEXT_END, NEXT_BEYOND, NEXT_ASIDE, NEXT_DAMAGE };

/* Move log->checked past the whole entries that need no copy. */
static enum next handle_check(struct bcoslog *log, enum bcos_malformed *what)
{
	const u8 *at = log->buffer + log->at, *end = log->buffer + log->end;
	enum next next = NEXT_END;
	struct bcos_entry header;

	while (at != end) {
		if (!((uintptr_t)at % 4))
			at = pass_common(at, end, log->limit);
		if (at == end)
			break;
		*what = bcos_entry_check(at, (size_t)(end - at));
		next = NEXT_DAMAGE;
		if (*what != BCOS_WELL_FORMED)
			break;
		memcpy(&header, at, sizeof(header));
		next = NEXT_BEYOND;
		if (is_beyond(log, &header))
			break;
		next = NEXT_ASIDE;
		if (!lies_well(at, &header))
			break;
		at += header.size;
		next = NEXT_END;
	}
	log->checked = (size_t)(at - log->buffer);
	return next;
}

/* Find the next entries.  Return: IN_PLACE, ASIDE, 0 at the present end of the log, or a negative errno. */
static int handle_look(struct bcoslog *log)
{
	enum bcos_malformed what = BCOS_WELL_FORMED;
	enum next next;
	int r;

	for (;;) {
		if (unlikely(log->damage.searching))
			return damage_search(log);
		if (unlikely(!log->recognised)) {
			r = damage_recognise(log);
			if (r <= 0)
				return r;
		}
		next = handle_check(log, &what);
		if (log->checked > log->at)
			return IN_PLACE;
		if (next == NEXT_ASIDE)
			return ASIDE;
		if (next == NEXT_BEYOND) {
			log->ended = true;
			log->end = log->at;
			return 0;
		}
		if (next == NEXT_DAMAGE && (what != BCOS_TRUNCATED || log->ended))
			return damage_begin(log, what);
		r = handle_fill(log);
		if (r < 0)
			return r;
		if (!r && (log->at == log->end || !log->ended))
			return 0;
	}
}

/* Take the entry at log->at.  Return: an aligned copy of the entry with zeros after it. */
static const struct bcos_entry *put_aside(struct bcoslog *log)
{
	u8 *to = log->buffer + HANDLE_BUFFER;
	u16 size;

	memcpy(&size, log->buffer + log->at, sizeof(size));
	memcpy(to, log->buffer + log->at, size);
	memset(to + size, 0, HANDLE_ASIDE - BCOS_ENTRY_MAX);
	log->at += size;
	log->checked = log->at;
	return (const struct bcos_entry *)to;
}

static int read_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	int r = IN_PLACE;

	if (log->at == log->checked) {
		r = handle_look(log);
		if (r <= 0)
			return r;
	}
	log->offset = log->base + log->at;
	batch->offset = log->offset;
	if (r == ASIDE) {
		batch->first = put_aside(log);
		batch->end = bcoslog_after(batch->first);
		return 1;
	}
	batch->first = (const struct bcos_entry *)(log->buffer + log->at);
	batch->end = (const struct bcos_entry *)(log->buffer + log->checked);
	log->at = log->checked;
	return 1;
}

int bcoslog_next(struct bcoslog *log, const struct bcos_entry **result)
{
	const struct bcos_entry *entry;
	int r;

	if (unlikely(log->flags & BCOSLOG_WAKINGS))
		return unfold_next(log, result, read_batch);
	if (unlikely(log->at == log->checked)) {
		r = handle_look(log);
		if (r <= 0)
			return r;
		if (r == ASIDE) {
			log->offset = log->base + log->at;
			*result = put_aside(log);
			return 1;
		}
	}
	entry = (const struct bcos_entry *)(log->buffer + log->at);
	log->offset = log->base + log->at;
	log->at += entry->size;
	*result = entry;
	return 1;
}

int bcoslog_batch(struct bcoslog *log, struct bcoslog_batch *batch)
{
	return unlikely(log->flags & BCOSLOG_WAKINGS) ? unfold_batch(log, batch, read_batch) : read_batch(log, batch);
}

int bcoslog_skip(struct bcoslog *log)
{
	if (log->damage.nowhere)
		return -EBADMSG;
	log->at += log->damage.size;
	log->checked = log->at;
	log->damage.size = 0;
	return 0;
}

size_t bcoslog_batch_index(const struct bcoslog_batch *batch, __u32 *index, size_t room)
{
	const struct bcos_entry *entry;
	size_t count = 0;

	bcoslog_each(entry, batch) {
		if (index && count < room)
			index[count] = (__u32)bcoslog_batch_offset(batch, entry) - (__u32)batch->offset;
		count++;
	}
	return count;
}
