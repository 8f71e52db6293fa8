/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads a trace with Babeltrace 2's library, and hands what it sees to a reader. */
#ifndef CONVERT_CTF_TRACE_H
#define CONVERT_CTF_TRACE_H

#include <babeltrace2/babeltrace.h>

#include "reader.h"

/**
 * ctf_trace_read() - read a trace
 * @reader: gets what is seen
 * @folder: folder of the trace
 * @size: bytes of the input, which limit how many events the trace may have
 *
 * The library ends its process if a trace is not as it expects. Here it ends the reading alone: what the reader was told
 * before stays. All complaints of the library are kept from standard error, and so is its memory from growing without end.
 *
 * Return: 0; a negative errno of the reader; -EFBIG if there are more events than @size allows; -ENOMEM; -EBADMSG, after a
 * complaint, if the trace cannot be read to its end; or -ENOTRECOVERABLE, after a complaint, if the library has given up.
 */
int ctf_trace_read(struct ctf_reader *reader, const char *folder, u64 size);

/* ---- fields.c --------------------------------------------------------------------- */

/**
 * struct ctf_class - an event class, and the places of its fields
 * @class: the class in the library
 * @meaning: what its events become
 * @which: see struct ctf_seen
 * @count: how many fields are wanted
 * @left_out: how many events of this class were left out, since @meaning is CTF_MEANS_NOTHING
 * @repeats: they were left out since another event tells of the same
 * @member: for each wanted field, its index in the payload; -1: the class lacks it
 */
struct ctf_class {
	const bt_event_class *class;
	enum ctf_meaning meaning;
	unsigned int which, count;
	u64 left_out;
	bool repeats;
	int16_t member[CTF_FIELDS_MAX];
};

/* Sets the meaning and the wanted fields of an event class. @meaning: the meaning of the trace. */
void ctf_class_learn(struct ctf_class *class, enum ctf_meaning meaning);
/* Adds the wanted fields of @event to @seen. */
void ctf_class_get(const struct ctf_class *class, struct ctf_seen *seen, const bt_event *event);
/* Gets a number from the fields of an event. Returns false if there is no such number. */
bool ctf_payload_number(const bt_event *event, const char *name, u64 *number);
/* Gets a number from the common context of an event. Returns false if the context has no such number. */
bool ctf_context_number(const bt_event *event, const char *name, u64 *number);

/* ---- describe.c ---------------------------------------------------------------------- */

/* Gets the value of an integer or boolean field. Returns false if the field has another type. */
bool ctf_field_number(const bt_field *field, u64 *number);
/*
 * Writes the name of an event and all its fields, with what is nested in them: NAME field=value, ... Returns how many
 * bytes that takes.
 */
size_t ctf_describe(const bt_event *event, char *text, size_t size);

#endif
