// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Entries as text, for expectations that a person can read. */
#include <stdio.h>
#include "feed.h"

static u32 read_number(const u8 *bytes, int size)
{
	u32 n = 0;

	while (size--)
		n = n << 8 | bytes[size];
	return n;
}

static int print_word(char *to, size_t room, const u8 *entry, const char *what)
{
	u32 value = read_number(entry + 0x14, 4);

	if (value == 0xFFFFFFFF)
		return snprintf(to, room, "%s idle", what);
	if (value >= 0x80000000)
		return snprintf(to, room, "%s 0x%x", what, value);
	return snprintf(to, room, "%s %u", what, value);
}

static int print_string(char *to, size_t room, const u8 *entry, size_t offset, const char *what)
{
	return snprintf(to, room, "%s %.*s", what, (int)(read_number(entry, 2) - offset), (const char *)entry + offset);
}

static int print_calls(char *to, size_t room, const u8 *entry)
{
	u32 at, used = (u32)snprintf(to, room, "calls");

	for (at = 0x14; at < read_number(entry, 2) && used < room; at += 4)
		used += (u32)snprintf(to + used, room - used, " %x", read_number(entry + at, 4));
	return (int)(used < room ? used : room - 1);
}

static int print_body(char *to, size_t room, const u8 *entry)
{
	char what[32];

	switch (read_number(entry + 2, 2) & 0x7FFF) {
	case 0x0000: return print_string(to, room, entry, 0x14, "name");
	case 0x0001: return print_word(to, room, entry, "cancel");
	case 0x0011: return print_calls(to, room, entry);
	case 0x2000: return snprintf(to, room, "core online %u", (read_number(entry, 2) - 24) / 4);
	case 0x2001: return snprintf(to, room, "core offline");
	case 0x4000: return print_word(to, room, entry, "online");
	case 0x4001: return snprintf(to, room, "offline");
	case 0x4002: return print_word(to, room, entry, "assign");
	case 0x6000:
		snprintf(what, sizeof(what), "device %u", read_number(entry + 0x14, 4));
		return print_string(to, room, entry, 0x18, what);
	case 0x6001: return print_word(to, room, entry, "cancel device");
	case 0x6002: return print_word(to, room, entry, "input");
	case 0x6003: return print_word(to, room, entry, "output");
	case 0x6011: return print_word(to, room, entry, "irq");
	case 0x0010: case 0x2010: case 0x4010: case 0x6010:
		snprintf(what, sizeof(what), "event 0x%x %02x", read_number(entry + 0x14, 4), entry[0x18]);
		return print_string(to, room, entry, 0x19, what);
	default: return snprintf(to, room, "type %04x", read_number(entry + 2, 2));
	}
}

const char *feed_text(const struct feed *feed, u64 from, bool history)
{
	static char text[65536];
	size_t used = 0;
	const u8 *entry;
	u64 time;

	text[0] = 0;
	for (; from < feed->length && used < sizeof(text) - 400; from += read_number(entry, 2)) {
		entry = feed->tape + from;
		if (!history && entry[3] & 0x80)
			continue;
		time = read_number(entry + 8, 4) | (u64)read_number(entry + 12, 4) << 32;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%llu", entry[3] & 0x80 ? "*" : "",
					 (unsigned long long)time);
		if (read_number(entry + 16, 4) != 1)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "+%u", read_number(entry + 16, 4));
		if (read_number(entry + 4, 4) >= 0x80000000)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " 0x%x ", read_number(entry + 4, 4));
		else
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %u ", read_number(entry + 4, 4));
		used += (size_t)print_body(text + used, 400, entry);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "\n");
	}
	return text;
}
