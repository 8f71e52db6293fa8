// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages of protocol buffers: see proto.h. */
#include <stdlib.h>

#include "proto.h"

bool proto_grow(struct proto *proto, size_t size)
{
	size_t room = proto->room ? proto->room : 256;
	u8 *larger;

	while (room < proto->used + size)
		room *= 2;
	larger = realloc(proto->bytes, room);
	if (!larger) {
		proto->starved = true;
		return false;
	}
	proto->bytes = larger;
	proto->room = room;
	return true;
}

void proto_free(struct proto *proto)
{
	free(proto->bytes);
	*proto = (struct proto){ NULL, 0, 0, false };
}
