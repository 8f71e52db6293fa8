/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes entries of a log as EventHeader events. */
#ifndef CONVERT_EVENTHEADER_WRITE_WRITE_H
#define CONVERT_EVENTHEADER_WRITE_WRITE_H

#include "state/table.h"

#include "../eventheader.h"

/* The most bytes of header, extensions and fields of a known size. */
#define TEMPLATE_ROOM 256
/* The most bytes of an event without its last field. */
#define EVENT_ROOM (TEMPLATE_ROOM + 64)

/**
 * struct event_template - the bytes that all events of a type share
 * @type: type of the entries
 * @size: count of bytes before the payload
 * @activity: offset of the activity ID; 0: there is none
 * @fixed: how many bytes after the entry's header are fields of a known size, which are copied
 * @last: the form of a last field that is no number (enum bcos_form); 0: there is none
 * @by_event: the tracepoint depends on the entry's event ID and severity
 * @point: without @by_event: index of the tracepoint
 * @bytes: the bytes of the event
 */
struct event_template {
	u16 type, size, activity;
	u8 fixed, last;
	bool by_event;
	u16 point;
	u8 bytes[TEMPLATE_ROOM];
};

/* A tracepoint. There is one for each pair of level and keyword that occurs. */
struct event_point {
	u8 level;
	u32 keyword;
	char name[32];
};

#define EVENT_POINTS 47

struct encoder {
	struct event_template templates[BCOS_TYPES + 1];
	u8 by_key[256];
	struct event_point points[EVENT_POINTS];
	size_t points_count;
	struct table lives[4];		/* for processes, cores, CPUs and devices that live: when each began */
};

/* Return: 0 or -ENOMEM. */
int encoder_init(struct encoder *encoder);
void encoder_destroy(struct encoder *encoder);

/* Forgets which processes, cores, CPUs and devices live. */
void encoder_forget(struct encoder *encoder);

/* The fields of a tracepoint, as user_events takes them, that make it an EventHeader tracepoint. */
#define EVENTHEADER_REGISTER "u8 eventheader_flags; u8 version; u16 id; u16 tag; u8 opcode; u8 level"

/* Parts of encoder_event() that only some types need. */
int encoder_live(struct encoder *encoder, const struct event_template *template, const struct bcos_entry *entry,
		 u8 *event);
size_t encoder_last(const struct event_template *template, const struct bcos_entry *entry, u8 *to, size_t room);
unsigned int encoder_point(const struct encoder *encoder, const struct bcos_entry *entry, u8 *event);

/* Returns a key of eight bits for a type: the subject, the historical bit, and the low 5 bits. */
static inline unsigned int encoder_key(u16 type)
{
	return (type >> 8 & 0xE0) | (type & 0x1F);
}

static inline const struct event_template *encoder_template(const struct encoder *encoder, u16 type)
{
	const struct event_template *template = &encoder->templates[encoder->by_key[encoder_key(type)]];

	return likely(template->type == type) ? template : &encoder->templates[BCOS_TYPES];
}

/**
 * encoder_event() - write an entry as an event
 * @encoder: the encoder, which remembers what lives
 * @entry: a well-formed entry
 * @to: out: the event
 * @room: size of @to, at least EVENT_ROOM; a list or a text that does not fit is cut
 * @point: out: index of the event's tracepoint
 *
 * Return: bytes of the event; 0: there is no memory.
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
	/* Fields of a known size have 5 bytes at most, and no entry with such fields is shorter than 24 bytes. */
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

/* Registers tracepoints of programs in the running kernel: user_events, which Linux has from 6.4 on. */

/* The largest record that the kernel's buffers hold. */
#define USER_EVENT_MAX 3840

/**
 * struct user_events - the registered tracepoints of an encoder
 * @fd: descriptor of user_events_data; closing it removes the tracepoints
 * @enabled: for each tracepoint a word whose bit 0 the kernel sets while somebody records it
 * @index: for each tracepoint the number with which a write begins
 * @reason: the cause of a failure: a sentence without full stop
 */
struct user_events {
	int fd;
	u32 enabled[EVENT_POINTS];
	u32 index[EVENT_POINTS];
	char reason[256];
};

/**
 * user_events_open() - register all tracepoints
 * @events: out: the tracepoints; they may not move in memory until user_events_close()
 * @encoder: the encoder whose tracepoints are registered
 *
 * Return: 0 or, after setting the reason, a negative errno.
 */
int user_events_open(struct user_events *events, const struct encoder *encoder);
void user_events_close(struct user_events *events);

/* Does somebody record this tracepoint? */
static inline bool user_events_enabled(const struct user_events *events, unsigned int point)
{
	return *(const volatile u32 *)&events->enabled[point] & 1;
}

/* Writes an event.  Return: 0 or a negative errno; -EBADF: nobody records the tracepoint any more. */
int user_events_write(const struct user_events *events, unsigned int point, const void *event, size_t size);

#endif
