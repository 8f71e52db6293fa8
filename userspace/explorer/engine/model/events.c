// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The events that the page shows as markers: births, new names, ends, generic events, system calls and losses. */
#include "entry/who.h"
#include "core/format/thread_text.h"
#include "model.h"

static struct event *add_event(const struct bcos_entry *entry, enum event_kind kind, u32 item)
{
	struct event *event = list_add(&model.events);
	char words[BCOSLOG_THREAD_WORDS];
	const char *text;
	size_t length;

	if (!event) {
		model.left_out++;
		return NULL;
	}
	event->time = entry->time;
	event->precision = entry->precision;
	event->id = entry->source;
	event->item = item;
	event->type = entry->type;
	event->kind = (u8)kind;
	length = bcoslog_thread_words(words, entry, NULL);
	text = length ? words : bcoslog_text(entry, &length);
	if (text && length) {
		event->text = keep_text(text, length);
		event->length = event->text ? (u16)length : 0;
	}
	return event;
}

static void add_generic(const struct bcos_entry *entry, u32 item)
{
	const struct bcos_generic *generic_entry = (const struct bcos_generic *)entry;
	enum event_kind kind = EVENT_GENERIC;
	struct event *event;

	if (bcoslog_is_loss(entry))
		kind = EVENT_LOSS;
	else if (bcoslog_is_missed(entry))
		kind = EVENT_MISSED;
	event = add_event(entry, kind, item);
	if (!event)
		return;
	if (item < WHO_NONE && (entry->type & BCOS_TYPE_SUBJECT_MASK) == BCOS_SUBJECT_DEVICE)
		device_at(item)->events++;
	event->value = generic_entry->event_id;
	event->severity = generic_entry->severity;
}

void event_entry(const struct bcos_entry *entry, bool known, u32 item)
{
	struct event *event;

	switch (entry->type) {
	case BCOS_SET_PROCESS_NAME:
	case BCOS_SET_DEVICE_NAME:
		event = add_event(entry, known ? EVENT_RENAME : EVENT_BIRTH, item);
		if (event && known && event->length)
			item_renamed(entry->type == BCOS_SET_DEVICE_NAME, item, event->text, event->length);
		break;
	case BCOS_CANCEL_PROCESS_NAME:
	case BCOS_CANCEL_DEVICE_NAME:
		event = add_event(entry, EVENT_END, item);
		if (event)
			event->value = ((const struct bcos_cancel_name *)entry)->status;
		break;
	case BCOS_KERNEL_API:
		event = add_event(entry, EVENT_CALLS, item);
		if (event)
			event->value = (entry->size - (u32)sizeof(*entry)) / (u32)sizeof(u32);
		break;
	case BCOS_CPU_ONLINE:
		add_event(entry, EVENT_CPU_ON, WHO_NONE);
		break;
	case BCOS_CPU_OFFLINE:
		add_event(entry, EVENT_CPU_OFF, WHO_NONE);
		break;
	default:
		if (bcoslog_is_generic(entry->type) && !bcoslog_is_statement(entry) && !bcos_is_thread_name(entry))
			add_generic(entry, item);
		break;
	}
}
