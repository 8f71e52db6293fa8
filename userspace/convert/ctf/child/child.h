/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The process that reads a trace by Babeltrace 2's library: what it sees it writes to a pipe. */
#ifndef CONVERT_CTF_CHILD_H
#define CONVERT_CTF_CHILD_H

#include <sys/types.h>

#include "../library.h"
#include "../seen.h"

/**
 * ctf_child_start() - begin to read a trace
 * @folder: of it
 * @fd: out: the pipe from which ctf_seen_read() reads
 *
 * Return: the process, which the caller waits for once the pipe has ended or is closed; or a negative errno.
 */
pid_t ctf_child_start(const char *folder, int *fd);

/* ---- fields.c --------------------------------------------------------------------- */

/**
 * struct ctf_class - an event class and where its fields are
 * @class: of the library
 * @meaning: what becomes of its events
 * @which: see struct ctf_seen
 * @count: of fields that are wanted
 * @member: of each of them, the index in the payload; -1: there is none
 */
struct ctf_class {
	const bt_event_class *class;
	enum ctf_meaning meaning;
	unsigned int which, count;
	int16_t member[CTF_FIELDS_MAX];
};

/* Sets meaning and fields of an event class, in a trace of that meaning. */
void ctf_class_learn(struct ctf_class *class, enum ctf_meaning meaning);
/* Writes the fields that are wanted. */
void ctf_class_put(const struct ctf_class *class, struct ctf_pipe *pipe, const bt_event *event);
/* A number in the context that all events of a stream have. */
bool ctf_context_number(const bt_event *event, const char *name, u64 *number);

/* ---- describe.c ---------------------------------------------------------------------- */

/* A number of any integer field. */
bool ctf_field_number(const bt_field *field, u64 *number);
/* Writes all fields of an event, with what is nested in them: NAME field=value, ... Returns how many bytes. */
size_t ctf_describe(const bt_event *event, char *text, size_t size);

#endif
