// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to Perfetto: marks and counters of processes, as programs write them to the kernel's trace. */
#include "entry/text.h"
#include "perfetto.h"

/* Replaces a character by spaces. */
static void blank_text(u8 *text, size_t length, char character)
{
	u8 *at = text, *end = text + length;

	while (at < end && (at = memchr(at, character, (size_t)(end - at))))
		*at++ = ' ';
}

void perfetto_print(struct perfetto *perfetto, u64 time, u32 process, char kind, const char *text, size_t length,
		    const char *after)
{
	char head[32], *at = head;
	size_t behind = strlen(after), size;
	u8 *to;

	*at++ = kind;
	*at++ = '|';
	at = decimal_put(at, perfetto_pid(process));
	*at++ = '|';
	size = (size_t)(at - head) + length + behind;
	perfetto_process(perfetto, process, process ? "?" : "kernel", process ? 1 : 6);
	to = proto_room(&perfetto->detail, PRINT_BUF, size);
	if (!to)
		return;
	memcpy(to, head, (size_t)(at - head));
	to += at - head;
	if (length)
		memcpy(to, text, length);
	memcpy(to + length, after, behind);
	/* The text must not contain the characters that separate fields and lines. */
	blank_text(to, length, '|');
	blank_text(to, length, '\n');
	/* A mark that comes after its process was freed is of another one. So marks are where processes are freed. */
	perfetto_put_event(perfetto, perfetto_lane(perfetto, time, process), time, perfetto_pid(process), EVENT_PRINT);
}
