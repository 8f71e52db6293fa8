// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any entry of a process to the parsers of what entries say about threads, and of their names. What they understand can
 * be written, and reads back as the same; its words end within their room.
 */
#include <stdlib.h>
#include <string.h>
#include "entry/who.h"
#include "core/format/thread_text.h"
#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct bcos_generic *make_event(u32 id, u32 source, const char *text, size_t length)
{
	size_t size = BCOS_GENERIC_TEXT + length;
	struct bcos_generic *event = malloc(size < sizeof(*event) ? sizeof(*event) : size);

	demand_that(event);
	event->header = (struct bcos_entry){ .size = (u16)size, .type = BCOS_GENERIC_PROCESS, .source = source };
	event->event_id = id;
	memcpy((char *)event + BCOS_GENERIC_TEXT, text, length);
	return event;
}

static void read_name(const struct bcos_generic *event)
{
	struct bcos_thread_name name, again;
	char text[BCOS_THREAD_NAME_TEXT];
	struct bcos_generic *copy;
	size_t length;

	if (!bcos_thread_name_read(&name, &event->header))
		return;
	length = bcos_thread_name_format(text, &name);
	demand_that(length <= sizeof(text));
	copy = make_event(BCOS_EVENT_THREAD_NAME, event->header.source, text, length);
	demand_that(bcos_thread_name_read(&again, &copy->header) && again.thread == name.thread && name.length &&
		    again.length == name.length && !memcmp(again.name, name.name, name.length));
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const u32 ids[] = { BCOS_EVENT_TASK_STATE, BCOS_EVENT_THREAD_LEFT, BCOS_EVENT_THREAD_RUNS, BCOS_EVENT_THREAD_WOKEN,
				   BCOS_EVENT_THREAD_NAME };
	char text[BCOS_THREAD_TEXT], words[BCOSLOG_THREAD_WORDS];
	struct bcos_thread_phrase phrase, again;
	struct bcos_generic *event, *copy;
	size_t length;

	if (size < 2 || size > 1000)
		return 0;
	event = make_event(ids[data[0] % 5], data[1], (const char *)data + 2, size - 2);
	length = bcoslog_thread_words(words, &event->header, NULL);
	demand_that(length < sizeof(words) && !words[length]);
	read_name(event);
	if (bcos_thread_read(&phrase, &event->header) && event->event_id != BCOS_EVENT_TASK_STATE) {
		length = bcos_thread_format(text, &phrase, event->header.source);
		demand_that(length <= sizeof(text));
		copy = make_event(bcos_thread_event(&phrase), event->header.source, text, length);
		demand_that(bcos_thread_read(&again, &copy->header) && !memcmp(&phrase, &again, sizeof(phrase)));
		free(copy);
	}
	free(event);
	return 0;
}
