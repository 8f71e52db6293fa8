/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entries of a log as EventHeader events. */
#ifndef EVENTHEADER_ENCODE_H
#define EVENTHEADER_ENCODE_H

#include "state/table.h"

#include "events.h"

/* Room for the header, the extensions and the fields of a known size. */
#define TEMPLATE_ROOM 256
/* No event needs more, but for its last field. */
#define EVENT_ROOM (TEMPLATE_ROOM + 64)

/**
 * struct event_template - what all events of a type have in common
 * @type: of the entries
 * @size: bytes up to the payload
 * @activity: the offset of the activity ID, 0 if there is none
 * @fixed: bytes of the entry after its header that are fields of a known size, and are copied
 * @last: FIELD_STRING, FIELD_LIST, FIELD_BINARY, or 0: there is no field of an unknown size
 * @by_event: the entry's event ID and severity say which tracepoint it is
 * @point: the tracepoint where the type alone says it
 * @bytes: the event
 */
struct event_template {
	u16 type, size, activity;
	u8 fixed, last;
	bool by_event;
	u16 point;
	u8 bytes[TEMPLATE_ROOM];
};

/* A tracepoint: one for each level and keyword. */
struct event_point {
	u8 level;
	u32 keyword;
	char name[32];
};

#define EVENT_POINTS 42

struct encoder {
	struct event_template templates[EVENT_TYPES + 1];
	u8 by_key[256];
	struct event_point points[EVENT_POINTS];
	size_t points_count;
	struct table lives[4];		/* of processes, cores, CPUs, devices: since when */
};

/* Return: 0 or -ENOMEM. */
int encoder_init(struct encoder *encoder);
void encoder_destroy(struct encoder *encoder);

/* Forgets what is alive. */
void encoder_forget(struct encoder *encoder);

/* The fields of a user_events tracepoint that make it one of EventHeader, as user_events registers them. */
#define EVENTHEADER_REGISTER "u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level"

/* The slow part of encoder_event(). */
int encoder_live(struct encoder *encoder, const struct event_template *template, const struct bcos_entry *entry,
		 u8 *event);
size_t encoder_last(const struct event_template *template, const struct bcos_entry *entry, u8 *to, size_t room);
unsigned int encoder_point(const struct encoder *encoder, const struct bcos_entry *entry, u8 *event);

/* Which of the 256 keys a type has: subject, historical, and its low 4 bits with the one for generic events. */
static inline unsigned int encoder_key(u16 type)
{
	return (type >> 8 & 0xE0) | (type & 0x1F);
}

static inline const struct event_template *encoder_template(const struct encoder *encoder, u16 type)
{
	const struct event_template *template = &encoder->templates[encoder->by_key[encoder_key(type)]];

	return likely(template->type == type) ? template : &encoder->templates[EVENT_TYPES];
}

/**
 * encoder_event() - an entry as an event
 * @encoder: remembers what is alive
 * @entry: well-formed
 * @to: out: the event
 * @room: there, at least EVENT_ROOM; a list or a text is cut to fit
 * @point: out: index of the tracepoint
 *
 * Return: bytes of the event, or 0 if there is no memory.
 */
static inline size_t encoder_event(struct encoder *encoder, const struct bcos_entry *entry, u8 *to, size_t room,
				   unsigned int *point)
{
	const struct event_template *template = encoder_template(encoder, entry->type);
	u8 *at = to + template->size;

	memcpy(to, template->bytes, TEMPLATE_ROOM);
	memcpy(at, &entry->source, 4);
	memcpy(at + 4, &entry->precision, 4);
	memcpy(at + 8, &entry->time, 8);
	at += 16;
	/* The longest has 5 bytes; no entry with fields is shorter than 24. */
	if (template->fixed)
		memcpy(at, entry + 1, 4);
	if (unlikely(template->fixed > 4))
		at[4] = ((const u8 *)(entry + 1))[4];
	at += template->fixed;
	*point = template->point;
	if (unlikely(template->activity) && encoder_live(encoder, template, entry, to))
		return 0;
	if (template->by_event)
		*point = encoder_point(encoder, entry, to);
	if (template->last)
		at += encoder_last(template, entry, at, room - (size_t)(at - to));
	return (size_t)(at - to);
}

#endif
