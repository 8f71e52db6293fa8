/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a CTF trace says becomes facts of a log. */
#ifndef CONVERT_CTF_READER_H
#define CONVERT_CTF_READER_H

#include "../convert.h"
#include "../machine/machine.h"
#include "merge.h"
#include "schema.h"
#include "table.h"

/* What kind of event a class is. */
enum ctf_meaning {
	CTF_MEANS_NOTHING,
	CTF_MEANS_ENTRY,	/* of a log: its layout tells which */
	CTF_MEANS_KERNEL,	/* of LTTng's kernel tracer: enum ctf_kernel */
	CTF_MEANS_TEXT,		/* of any other tracer */
};

/* An event class and where its fields are. */
struct ctf_class {
	const bt_event_class *class;
	enum ctf_meaning meaning;
	unsigned int which;
	int16_t member[CTF_FIELDS_MAX];	/* of the payload; -1: it has no such field */
};

/* Network interfaces, which a trace knows by their names. */
#define CTF_INTERFACES_MAX 1024u

/**
 * struct ctf_reader - a trace that is read
 * @log: takes what happened
 * @ours: it was made of a log
 * @kernel: it is of LTTng's kernel tracer
 * @start: time of the first event
 * @started: there was one
 * @wall: ns since 1970 at time 0, if it is known
 * @state: of a log that the trace was made of
 * @machine: of a kernel's trace
 * @xmit: net_dev_xmit is recorded, so net_dev_queue is not needed
 * @classes: by address, a power of two of them
 * @classes_size: how many there is room for
 * @classes_count: how many there are
 * @devices: disks and interfaces that have been told of
 * @interfaces: their names
 * @interfaces_count: how many
 * @room: for an entry
 * @text: for the text of an event
 * @left_out: events that become nothing
 * @spoiled: events whose fields are not as they have to be
 */
struct ctf_reader {
	struct log_writer *log;
	bool ours, kernel;
	u64 start, wall;
	bool started;
	struct bcoslog_state *state;
	struct machine *machine;
	bool xmit;
	struct ctf_class *classes;
	u32 classes_size, classes_count;
	struct table devices;
	char (*interfaces)[32];
	u32 interfaces_count;
	u32 room[BCOS_ENTRY_MAX / 4 + 1];
	char text[4096];
	u64 left_out, spoiled;
};

/* The functions of a struct ctf_taker. They return 0 or a negative errno. */
int ctf_reader_begin(void *reader, const bt_trace *trace, const bt_clock_class *clock);
int ctf_reader_event(void *reader, struct ctf_moment when, const bt_event *event);
int ctf_reader_lost(void *reader, struct ctf_moment when, u64 until, u64 count, bool packets);
int ctf_reader_end(struct ctf_reader *reader);
void ctf_reader_free(struct ctf_reader *reader);

/* A disk or an interface: has it been told of, and now it is. */
bool ctf_known_device(const struct ctf_reader *reader, u32 id);
int ctf_know_device(struct ctf_reader *reader, u32 id, const char *name, size_t length);

/* ---- fields.c --------------------------------------------------------------------- */

/* Finds where the fields of these names are; a name may be NULL. */
void ctf_find_members(struct ctf_class *class, const char *const *names, unsigned int count);

/* What an event has in one of the fields of its class, or false if it has no such field of that kind. */
bool ctf_number(const struct ctf_class *class, const bt_field *payload, unsigned int field, u64 *number);
const char *ctf_text(const struct ctf_class *class, const bt_field *payload, unsigned int field, size_t *length);
const bt_field *ctf_list(const struct ctf_class *class, const bt_field *payload, unsigned int field, u64 *count);

/* A number of any integer field. */
bool ctf_field_number(const bt_field *field, u64 *number);

/* Writes all fields of an event, with what is nested in them, as "name=value, ..." Returns how many bytes. */
size_t ctf_describe(const bt_event *event, char *text, size_t size);

/* ---- ours.c: events of a log --------------------------------------------------------- */

void ctf_ours_class(struct ctf_class *class, const char *name);
/* Returns 0, -EBADMSG if the event is no entry, or another negative errno. */
int ctf_ours_event(struct ctf_reader *reader, const struct ctf_class *class, struct ctf_moment when, const bt_event *event);

/* ---- lttng.c: events of LTTng's kernel tracer ------------------------------------------- */

void ctf_kernel_class(struct ctf_class *class, const char *name);
int ctf_kernel_event(struct ctf_reader *reader, const struct ctf_class *class, struct ctf_moment when,
		     const bt_event *event);

#endif
