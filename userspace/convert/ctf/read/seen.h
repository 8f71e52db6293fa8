/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An event that was seen in a trace, with its fields in an order of ours: what Babeltrace's library has read, for code
 * that knows nothing of that library.
 */
#ifndef CONVERT_CTF_SEEN_H
#define CONVERT_CTF_SEEN_H

#include "core/host/user.h"
#include "../schema.h"

/* The meaning of an event. */
enum ctf_meaning {
	CTF_MEANS_NOTHING,
	/* an event of LTTng's kernel tracer; which: enum ctf_kernel_event; the values are its fields */
	CTF_MEANS_KERNEL,
	CTF_MEANS_TEXT,		/* an event of any other tracer; the values are a process, and all fields as one text */
};

enum ctf_value_kind { CTF_ABSENT, CTF_NUMBER, CTF_STRING };

/* A longer text is cut. */
#define CTF_STRING_MAX 65536u

/**
 * struct ctf_value - a value
 * @kind: kind of the value
 * @number: the number; for a text its size
 * @text: the text, which no zero terminates
 */
struct ctf_value {
	enum ctf_value_kind kind;
	u64 number;
	const char *text;
};

/**
 * struct ctf_seen - an event
 * @meaning: its meaning
 * @which: see enum ctf_meaning
 * @cpu: the CPU
 * @time: ns since boot, or since the clock of the trace began
 * @count: how many values it has
 * @values: the values; a field that the event lacks is CTF_ABSENT
 */
struct ctf_seen {
	enum ctf_meaning meaning;
	unsigned int which;
	u32 cpu;
	u64 time;
	unsigned int count;
	struct ctf_value values[CTF_FIELDS_MAX + 2];
};

/* Adds a value, which has to stay where it is as long as the event is used. There is room for all values of an event. */
static inline struct ctf_value *ctf_value_add(struct ctf_seen *seen, enum ctf_value_kind kind, u64 number)
{
	struct ctf_value *value = &seen->values[seen->count++];

	*value = (struct ctf_value){ .kind = kind, .number = number };
	return value;
}

static inline void ctf_text_add(struct ctf_seen *seen, const char *text, size_t length)
{
	ctf_value_add(seen, CTF_STRING, length < CTF_STRING_MAX ? length : CTF_STRING_MAX)->text = text;
}

/* Returns the value of a field; false or NULL if it has no value of that kind. */
static inline bool ctf_number(const struct ctf_seen *seen, unsigned int field, u64 *number)
{
	if (field >= seen->count || seen->values[field].kind != CTF_NUMBER)
		return false;
	*number = seen->values[field].number;
	return true;
}

static inline const char *ctf_text(const struct ctf_seen *seen, unsigned int field, size_t *length)
{
	*length = 0;
	if (field >= seen->count || seen->values[field].kind != CTF_STRING)
		return NULL;
	*length = (size_t)seen->values[field].number;
	return seen->values[field].text;
}

#endif
