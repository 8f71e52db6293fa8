// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Requests of disks, in words: see request.h. */
#include <stdio.h>

#include "account/report.h"
#include "request.h"

bool request_read(const struct bcos_entry *entry, struct bcos_request_told *told)
{
	const char *text;
	size_t length;

	if (entry->type != BCOS_GENERIC_PROCESS || ((const struct bcos_generic *)entry)->event_id != BCOS_EVENT_REQUEST)
		return false;
	text = bcoslog_text(entry, &length);
	return bcos_request_parse(told, text, length);
}

bool request_has_issuer(const struct bcos_request_told *told)
{
	/* A flush begins in the kernel. */
	return told->has_start || told->operation == BCOS_OPERATION_FLUSH;
}

u64 request_begin(const struct bcos_request_told *told, u64 end)
{
	u64 took = sum_of(told->queue, told->has_issue ? told->service : 0);

	return took < end ? end - took : 0;
}

int request_what(char *text, const struct bcos_request_told *told)
{
	static const char *const operations[BCOS_OPERATIONS] = { "read", "write", "flush of the cache", "discard", "other request" };
	static const struct {
		u16 flag;
		const char *words;
	} flags[] = {
		{ BCOS_REQUEST_META, ", of the file system's own data" }, { BCOS_REQUEST_FUA, ", onto the medium" },
		{ BCOS_REQUEST_PREFLUSH, ", after a flush of the cache" }, { BCOS_REQUEST_AHEAD, ", ahead" },
		{ BCOS_REQUEST_PART, ", in part" },
	};
	int length = snprintf(text, REQUEST_WORDS, "%s", operations[told->operation]);
	size_t i;

	if (told->operation == BCOS_OPERATION_FLUSH)
		return length;
	length += snprintf(text + length, (size_t)(REQUEST_WORDS - length), " of %u bytes", told->bytes);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (told->flags & flags[i].flag)
			length += snprintf(text + length, (size_t)(REQUEST_WORDS - length), "%s", flags[i].words);
	return length;
}

/* Writes ns in whole ones up to 10 us, then in us or ms with a decimal. */
static int put_span(char *text, size_t size, u64 ns)
{
	if (ns < 10000)
		return snprintf(text, size, "%llu ns", (unsigned long long)ns);
	if (ns < 10000000)
		return snprintf(text, size, "%.1f us", (double)ns / 1e3);
	return snprintf(text, size, "%.1f ms", (double)ns / 1e6);
}

int request_times(char *text, const struct bcos_request_told *told)
{
	int length = 0;

	if (told->has_start) {
		length = put_span(text, REQUEST_WORDS, told->queue);
		length += snprintf(text + length, (size_t)(REQUEST_WORDS - length), told->has_issue ? " in the queue, " : " in all");
	} else if (told->operation != BCOS_OPERATION_FLUSH) {
		length = snprintf(text, REQUEST_WORDS, "its beginning is not known%s", told->has_issue ? ", " : "");
	}
	if (!told->has_issue)
		return length;
	length += put_span(text + length, (size_t)(REQUEST_WORDS - length), told->service);
	return length + snprintf(text + length, (size_t)(REQUEST_WORDS - length), " on the device");
}
