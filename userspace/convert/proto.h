/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Protocol buffer messages for writing. Each message grows in a buffer of its own, since its length comes before it in
 * the message that contains it. These functions are all of the wire format that a writer needs, so no library is
 * needed.
 */
#ifndef CONVERT_PROTO_H
#define CONVERT_PROTO_H

#include "output.h"

/* A message. @starved: memory was too short for all of it. */
struct proto {
	u8 *bytes;
	size_t used, room;
	bool starved;
};

/* Makes room for @size more bytes. Returns false if there is no memory. */
bool proto_grow(struct proto *proto, size_t size);
void proto_free(struct proto *proto);

/* Writes a number as a varint: seven bits in each byte, ten bytes at most. Returns the place after it. */
static inline u8 *proto_put(u8 *to, u64 number)
{
	for (; number > 0x7F; number >>= 7)
		*to++ = (u8)(number | 0x80);
	*to++ = (u8)number;
	return to;
}

/* Returns how many bytes @number takes as a varint. */
static inline size_t proto_size(u64 number)
{
	return (70 - (size_t)__builtin_clzll(number | 1)) / 7;
}

/* Appends a number as a varint. */
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

/*
 * Appends a field of @size bytes, which the caller writes. Returns the place of these bytes, or NULL if there is no
 * memory.
 */
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

/* Appends @message as a field, and empties @message. */
static inline void proto_message(struct proto *proto, u32 field, struct proto *message)
{
	proto_bytes(proto, field, message->bytes, message->used);
	proto->starved |= message->starved;
	message->used = 0;
}

#endif
