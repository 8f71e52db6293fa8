// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lets libtraceevent parse the descriptions of tracepoints, and keeps the places of the fields that are needed. */
#include <errno.h>
#include <event-parse.h>
#include <stdlib.h>
#include <string.h>

#include "../../bytes.h"
#include "../../eventheader/read/read.h"
#include "read.h"

/* The longest description. */
#define DESCRIPTION_MAX (64u << 10)

static const struct {
	const char *system, *name;
	const char *fields[TRACEPOINT_FIELDS];
} wanted[TRACEPOINT_KINDS] = {
	[TRACEPOINT_SWITCH] = { "sched", "sched_switch",
				{ "prev_pid", "prev_comm", "next_pid", "next_comm", "prev_state", "next_prio" } },
	[TRACEPOINT_FORK] = { "sched", "sched_process_fork",
			      { "parent_pid", "child_pid", "child_comm", "parent_comm" } },
	[TRACEPOINT_EXEC] = { "sched", "sched_process_exec", { "pid", "filename" } },
	[TRACEPOINT_EXIT] = { "sched", "sched_process_exit", { "pid", "comm" } },
	[TRACEPOINT_IRQ] = { "irq", "irq_handler_entry", { "irq", "name" } },
	[TRACEPOINT_WAKING] = { "sched", "sched_waking", { "pid", "comm" } },
	[TRACEPOINT_WAKEUP] = { "sched", "sched_wakeup", { "pid", "comm" } },
	[TRACEPOINT_WAKEUP_NEW] = { "sched", "sched_wakeup_new", { "pid", "comm" } },
	[TRACEPOINT_EVENTHEADER] = { NULL, NULL, { "eventheader_flags" } },
};

struct tracepoints {
	struct table by_number;
	struct grammar grammar;
};

struct tracepoints *tracepoints_new(void)
{
	struct tracepoints *points = calloc(1, sizeof(*points));

	if (!points || (!grammar_init(&points->grammar) && !table_init(&points->by_number)))
		return points;
	grammar_free(&points->grammar);
	free(points);
	return NULL;
}

void tracepoints_free(struct tracepoints *points)
{
	if (!points)
		return;
	table_destroy(&points->by_number, node_free);
	grammar_free(&points->grammar);
	free(points);
}

const struct tracepoint *tracepoints_of(const struct tracepoints *points, u16 number)
{
	const struct tracepoint *point = table_find(&points->by_number, number);

	return point && point->kind != TRACEPOINT_OTHER ? point : NULL;
}

static int keep_point(struct tracepoints *points, struct tracepoint *point, u32 number)
{
	point->node.id = number;
	if (!table_add(&points->by_number, &point->node))
		return 0;
	free(point);
	return -ENOMEM;
}

/* Keeps the name of a tracepoint that becomes no entry. */
static int keep_other(struct tracepoints *points, u32 number, const char *system, const char *name, int length,
		      const char *why)
{
	struct tracepoint *point;

	if (number > 65535 || table_find(&points->by_number, number))
		return 0;
	point = calloc(1, sizeof(*point));
	if (!point)
		return -ENOMEM;
	point->kind = TRACEPOINT_OTHER;
	point->why = why;
	snprintf(point->text, sizeof(point->text), "%.64s%s%.*s", system, *system ? ":" : "", length, name);
	return keep_point(points, point, number);
}

int tracepoints_leave_out(struct tracepoints *points, u16 number)
{
	struct tracepoint *point = table_find(&points->by_number, number);
	char name[16];
	int r = 0;

	if (!point) {
		r = keep_other(points, number, "", name, snprintf(name, sizeof(name), "number %u", number),
			       "the recording does not describe them");
		point = table_find(&points->by_number, number);
	}
	if (point)
		point->left_out++;
	return r;
}

void tracepoints_name(const struct tracepoints *points, u16 number, char *to, size_t size)
{
	const struct tracepoint *point = table_find(&points->by_number, number);

	if (point)
		snprintf(to, size, "%s", point->text);
	else
		snprintf(to, size, "number %u", number);
}

void tracepoints_left_out(const struct tracepoints *points, struct left_out *left)
{
	const struct node *node;
	size_t i;

	for (i = 0; i < (size_t)1 << points->by_number.bits; i++)
		for (node = points->by_number.buckets[i]; node; node = node->next)
			left_out_add(left, ((const struct tracepoint *)node)->text,
				     ((const struct tracepoint *)node)->why,
				     ((const struct tracepoint *)node)->left_out);
}

static void take_field(struct tracepoint_field *field, struct tep_event *event, const char *name)
{
	const struct tep_format_field *found = tep_find_field(event, name);

	if (!found || found->offset < 0 || found->size <= 0 || found->offset > 65535 || found->size > 65535)
		return;
	field->offset = (u32)found->offset;
	field->size = (u32)found->size;
	field->dynamic = found->flags & TEP_FIELD_IS_DYNAMIC;
	field->relative = found->flags & TEP_FIELD_IS_RELATIVE;
	if (field->dynamic && field->size != 4)
		field->size = 0;
}

/* A tracepoint is an EventHeader event if this is its first field after the common ones. */
static bool is_eventheader(struct tep_event *event)
{
	return event->format.fields && !strcmp(event->format.fields->name, "eventheader_flags") &&
	       event->format.fields->size == 1;
}

static bool kind_of(struct tep_event *event, const char *system, enum tracepoint_kind *kind)
{
	for (*kind = 0; *kind < TRACEPOINT_EVENTHEADER; (*kind)++)
		if (!strcmp(system, wanted[*kind].system) && !strcmp(event->name, wanted[*kind].name))
			return true;
	return is_eventheader(event);
}

static int keep_event(struct tracepoints *points, struct tep_event *event, const char *system)
{
	struct tracepoint *point;
	enum tracepoint_kind kind;
	unsigned int i;

	if (event->id < 0 || event->id > 65535 || tracepoints_of(points, (u16)event->id) ||
	    !kind_of(event, system, &kind))
		return 0;
	point = calloc(1, sizeof(*point));
	if (!point)
		return -ENOMEM;
	point->kind = kind;
	strncpy(point->text, event->name, sizeof(point->text) - 1);
	for (i = 0; i < TRACEPOINT_FIELDS && wanted[kind].fields[i]; i++)
		take_field(&point->field[i], event, wanted[kind].fields[i]);
	if (!point->field[0].size ||
	    (kind == TRACEPOINT_EVENTHEADER && !eventheader_parse_name(&point->name, point->text))) {
		free(point);
		return 0;
	}
	return keep_point(points, point, (u32)event->id);
}

/* May the tracepoint be one of those that are wanted? libtraceevent only gets the descriptions of such tracepoints. */
static bool may_be_wanted(const char *system, const char *text)
{
	return !strcmp(system, "sched") || !strcmp(system, "irq") || strstr(text, "eventheader_flags");
}

/* Keeps the name of a tracepoint, unless it was found to be one of those that are wanted. */
static int keep_name(struct tracepoints *points, const char *system, const char *text)
{
	const char *name = text, *end, *number, *why = LEFT_OUT_NO_ENTRY;
	enum tracepoint_kind kind;

	if (strncmp(name, "name: ", 6))
		return 0;
	name += 6;
	end = strchrnul(name, '\n');
	number = strstr(end, "\nID: ");
	if (!number || number != end)
		return 0;
	for (kind = 0; kind < TRACEPOINT_EVENTHEADER; kind++)
		if (!strcmp(system, wanted[kind].system) && strlen(wanted[kind].name) == (size_t)(end - name) &&
		    !strncmp(name, wanted[kind].name, (size_t)(end - name)))
			why = "their description is not what any kernel writes";
	if (!strcmp(system, "task") && end - name == 11 && !strncmp(name, "task_rename", 11))
		why = "switches tell of the new names";
	return keep_other(points, (u32)strtoul(number + 5, NULL, 10), system, name, (int)(end - name), why);
}

int tracepoints_describe(struct tracepoints *points, const char *system, const char *text, size_t size)
{
	struct tep_handle *tep = NULL;
	struct tep_event *event = NULL;
	char *copy;
	int r = 0;

	if (size > DESCRIPTION_MAX || memchr(text, 0, size))
		return 0;
	copy = malloc(size + 32);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, size);
	copy[size] = 0;
	if (may_be_wanted(system, copy) && grammar_shorten(&points->grammar, copy)) {
		tep_set_loglevel(TEP_LOG_NONE);
		tep = tep_alloc();
		r = tep ? 0 : -ENOMEM;
		if (tep && !tep_parse_format(tep, &event, copy, strlen(copy), system) && event)
			r = keep_event(points, event, system);
		tep_free(tep);
	}
	/* The text may have been shortened, but not at its beginning. */
	r = r ? r : keep_name(points, system, copy);
	free(copy);
	return r;
}

/* Finds the contents of a field. For a dynamic field these are the bytes that it points to, else the field itself. */
static bool locate_field(const struct tracepoint_record *record, unsigned int number, size_t *offset, size_t *size)
{
	const struct tracepoint_field *field = &record->point->field[number];
	u32 where;

	*offset = field->offset;
	*size = field->size;
	if (!*size || *offset + *size > record->size)
		return false;
	if (!field->dynamic)
		return true;
	where = get32(record->bytes + *offset, record->big);
	*offset = (where & 0xFFFF) + (field->relative ? *offset + *size : 0);
	*size = where >> 16;
	return *offset + *size <= record->size;
}

bool tracepoint_number(const struct tracepoint_record *record, unsigned int field, u64 *number)
{
	size_t offset, size;

	if (!locate_field(record, field, &offset, &size))
		return false;
	switch (size) {
	case 1:
		*number = record->bytes[offset];
		return true;
	case 2:
		*number = get16(record->bytes + offset, record->big);
		return true;
	case 4:
		*number = get32(record->bytes + offset, record->big);
		return true;
	case 8:
		*number = get64(record->bytes + offset, record->big);
		return true;
	default:
		return false;
	}
}

const char *tracepoint_string(const struct tracepoint_record *record, unsigned int field, size_t *length)
{
	size_t offset, size;

	if (!locate_field(record, field, &offset, &size))
		return NULL;
	*length = strnlen((const char *)record->bytes + offset, size);
	return (const char *)record->bytes + offset;
}
