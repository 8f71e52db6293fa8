/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages of protocol buffers that are being written. Each grows in a buffer of its own, since its length comes before
 * it. This is the whole wire format that a writer needs, so it needs no library.
 */
#ifndef CONVERT_PROTO_H
#define CONVERT_PROTO_H

#include "output.h"

/* A message; @starved: there was no memory for all of it. */
struct proto {
	u8 *bytes;
	size_t used, room;
	bool starved;
};

/* Makes room. Returns false if there is no memory. */
bool proto_grow(struct proto *proto, size_t size);
void proto_free(struct proto *proto);

/* Writes a number in seven bits a byte, at most ten. Returns the place after it. */
static inline u8 *proto_put(u8 *to, u64 number)
{
	for (; number > 0x7F; number >>= 7)
		*to++ = (u8)(number | 0x80);
	*to++ = (u8)number;
	return to;
}

/* Returns how many bytes that takes. */
static inline size_t proto_size(u64 number)
{
	return (70 - (size_t)__builtin_clzll(number | 1)) / 7;
}

/* Appends a number. */
static inline void proto_varint(struct proto *proto, u64 number)
{
	if (unlikely(proto->used + 10 > proto->room) && !proto_grow(proto, 10))
		return;
	proto->used = (size_t)(proto_put(proto->bytes + proto->used, number) - proto->bytes);
}

static inline void proto_number(struct proto *proto, u32 field, u64 number)
{
	proto_varint(proto, field << 3);
	proto_varint(proto, number);
}

/* Appends a field of so many bytes, which the caller writes. Returns their place, or NULL if there is no memory. */
static inline u8 *proto_room(struct proto *proto, u32 field, size_t size)
{
	proto_varint(proto, field << 3 | 2);
	proto_varint(proto, size);
	if (unlikely(proto->used + size > proto->room) && !proto_grow(proto, size))
		return NULL;
	proto->used += size;
	return proto->bytes + proto->used - size;
}

static inline void proto_bytes(struct proto *proto, u32 field, const void *bytes, size_t size)
{
	u8 *to = proto_room(proto, field, size);

	if (to && size)
		memcpy(to, bytes, size);
}

/* Appends a message as a field, and empties it. */
static inline void proto_message(struct proto *proto, u32 field, struct proto *message)
{
	proto_bytes(proto, field, message->bytes, message->used);
	proto->starved |= message->starved;
	message->used = 0;
}

#endif
