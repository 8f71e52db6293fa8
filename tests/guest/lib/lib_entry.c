// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The entries of a log: see lib.h. */
#include "lib.h"

const struct bcos_entry *entry_after(const struct log *log, const struct bcos_entry *entry)
{
	const char *at = entry ? (const char *)entry + entry->size : log->bytes;
	size_t left = (size_t)(log->bytes + log->size - at);

	entry = (const struct bcos_entry *)at;
	if (!left)
		return NULL;
	if (left < BCOS_ENTRY_MIN || entry->size < BCOS_ENTRY_MIN || entry->size % 4 ||
	    entry->size > left) {
		errno = 0;
		give_up("broken entry at offset %zu of %zu", (size_t)(at - log->bytes), log->size);
	}
	return entry;
}

const struct bcos_entry *entry_find(const struct log *log, const struct bcos_entry *after,
				    uint16_t type, uint32_t source)
{
	const struct bcos_entry *entry = after;

	while ((entry = entry_after(log, entry)))
		if (entry->type == type && entry->source == source)
			return entry;
	return NULL;
}

uint32_t entry_word(const struct bcos_entry *entry)
{
	return entry->size < BCOS_ENTRY_MIN + 4 ? 0
						: ((const struct bcos_cancel_name *)entry)->status;
}

static size_t text_offset(uint16_t type)
{
	switch (type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_HIST_SET_PROCESS_NAME:
		return sizeof(struct bcos_process_name);
	case BCOS_SET_DEVICE_NAME:
	case BCOS_HIST_SET_DEVICE_NAME:
		return sizeof(struct bcos_device_name);
	case BCOS_GENERIC_PROCESS:
	case BCOS_GENERIC_CORE:
	case BCOS_GENERIC_CPU:
	case BCOS_GENERIC_DEVICE:
		return BCOS_GENERIC_TEXT;
	default:
		return 0;
	}
}

const char *entry_text(const struct bcos_entry *entry)
{
	static char buffers[8][2048];
	static unsigned int next;
	char *buffer = buffers[next++ % ARRAY_SIZE(buffers)];
	size_t offset = text_offset(entry->type), length = 0;

	if (entry_thread(entry, buffer, sizeof(buffers[0])))
		return buffer;
	if (offset && entry->size > offset) {
		length = strnlen((const char *)entry + offset, entry->size - offset);
		if (length >= sizeof(buffers[0]))
			length = sizeof(buffers[0]) - 1;
		memcpy(buffer, (const char *)entry + offset, length);
	}
	buffer[length] = '\0';
	return buffer;
}

const char *event_texts(const struct log *log, pid_t pid, uint32_t event, const struct bcos_entry **entry)
{
	static char text[4096];
	const struct bcos_entry *at = NULL;

	text[0] = '\0';
	while ((at = entry_find(log, at, BCOS_GENERIC_PROCESS, (uint32_t)pid))) {
		if (((const struct bcos_generic *)at)->event_id != event)
			continue;
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", text[0] ? "\n" : "",
			 entry_text(at));
		if (entry)
			*entry = at;
	}
	return text;
}

void log_print(const struct log *log, const struct bcos_entry *from, const struct bcos_entry *to,
	       int limit)
{
	const struct bcos_entry *entry = from ? from : entry_after(log, NULL);

	for (; entry && limit--; entry = entry_after(log, entry)) {
		print_note("  %llu.%09llu type %04x source %08x word %08x \"%s\"",
			   (unsigned long long)(entry->time / 1000000000u),
			   (unsigned long long)(entry->time % 1000000000u), entry->type, entry->source,
			   entry_word(entry), entry_text(entry));
		if (entry == to)
			break;
	}
}
