// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of a trace that was made from a log become entries again. */
#include "../../log/restored.h"
#include "core/format/entry.h"
#include "trace_reader.h"

/* The fields after the precision. The event and its entry have the same ones. */
enum layout {
	NUMBERS,	/* source and perhaps one number */
	NAME,		/* source and a text */
	NUMBER_NAME,	/* source, a number and a text */
	SEVERITY_NAME,	/* source, a number, a byte and a text */
	LIST,		/* source and a list */
	POWER_LIST,	/* source, two short numbers and a list */
	ASSIGNMENT,	/* two numbers, of which the second is used */
};

static const struct {
	u16 type;
	u8 layout;
} events[LTT_BCOS_END] = {
	[LTT_SCHEDULE] = { BCOS_ASSIGN_CPU, ASSIGNMENT },
	[LTT_PROCESS_NAME] = { BCOS_SET_PROCESS_NAME, NAME },
	[LTT_PROCESS_END] = { BCOS_CANCEL_PROCESS_NAME, NUMBERS },
	[LTT_STATE_PROCESS] = { BCOS_HIST_SET_PROCESS_NAME, NAME },
	[LTT_STATE_CORE] = { BCOS_HIST_CORE_ONLINE, POWER_LIST },
	[LTT_STATE_CPU] = { BCOS_HIST_CPU_ONLINE, NUMBERS },
	[LTT_STATE_ASSIGN] = { BCOS_HIST_ASSIGN_CPU, NUMBERS },
	[LTT_STATE_DEVICE] = { BCOS_HIST_SET_DEVICE_NAME, NUMBER_NAME },
	[LTT_KERNEL_CALL] = { BCOS_KERNEL_API, LIST },
	[LTT_GENERIC_PROCESS] = { BCOS_GENERIC_PROCESS, SEVERITY_NAME },
	[LTT_GENERIC_CORE] = { BCOS_GENERIC_CORE, SEVERITY_NAME },
	[LTT_GENERIC_CPU] = { BCOS_GENERIC_CPU, SEVERITY_NAME },
	[LTT_GENERIC_DEVICE] = { BCOS_GENERIC_DEVICE, SEVERITY_NAME },
	[LTT_CORE_ONLINE] = { BCOS_CORE_ONLINE, POWER_LIST },
	[LTT_CORE_OFFLINE] = { BCOS_CORE_OFFLINE, NUMBERS },
	[LTT_CPU_ONLINE] = { BCOS_CPU_ONLINE, NUMBERS },
	[LTT_CPU_OFFLINE] = { BCOS_CPU_OFFLINE, NUMBERS },
	[LTT_DEVICE_NAME] = { BCOS_SET_DEVICE_NAME, NUMBER_NAME },
	[LTT_DEVICE_END] = { BCOS_CANCEL_DEVICE_NAME, NUMBERS },
	[LTT_DEVICE_INPUT] = { BCOS_DEVICE_INPUT, NUMBERS },
	[LTT_DEVICE_OUTPUT] = { BCOS_DEVICE_OUTPUT, NUMBERS },
	[LTT_IRQ] = { BCOS_IRQ, NUMBERS },
};

/* The body of an entry that is being built. */
struct body {
	u8 *at, *end;
};

static bool put_bytes(struct body *body, const void *bytes, size_t size)
{
	if ((size_t)(body->end - body->at) < size)
		return false;
	memcpy(body->at, bytes, size);
	body->at += size;
	return true;
}

static bool copy_number(struct body *body, struct ltt_cursor *cursor, u32 size)
{
	u64 value;
	u32 four;
	u16 two;
	u8 one;

	if (!ltt_take(cursor, size, &value))
		return false;
	four = (u32)value;
	two = (u16)value;
	one = (u8)value;
	return put_bytes(body, size == 4 ? (const void *)&four : size == 2 ? (const void *)&two : &one, size);
}

/* Copies a text, and pads it with zeros to a multiple of four bytes. */
static bool copy_text(struct body *body, const u8 *entry, struct ltt_cursor *cursor)
{
	const u8 *zero = memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));

	if (!zero || !put_bytes(body, cursor->at, (size_t)(zero - cursor->at)))
		return false;
	while ((size_t)(body->at - entry) % 4)
		if (!put_bytes(body, "", 1))
			return false;
	return true;
}

static bool copy_list(struct body *body, struct ltt_cursor *cursor)
{
	u64 count;

	if (!ltt_take(cursor, 4, &count))
		return false;
	while (count--)
		if (!copy_number(body, cursor, 4))
			return false;
	return true;
}

static bool copy_body(struct body *body, const u8 *entry, enum layout layout, struct ltt_cursor *cursor)
{
	switch (layout) {
	case NAME:
		return copy_text(body, entry, cursor);
	case NUMBER_NAME:
		return copy_number(body, cursor, 4) && copy_text(body, entry, cursor);
	case SEVERITY_NAME:
		return copy_number(body, cursor, 4) && copy_number(body, cursor, 1) && copy_text(body, entry, cursor);
	case LIST:
		return copy_list(body, cursor);
	case POWER_LIST:
		return copy_number(body, cursor, 2) && copy_number(body, cursor, 2) && copy_list(body, cursor);
	default:
		return cursor->at == cursor->end || copy_number(body, cursor, 4);
	}
}

/* Takes an assignment. The file says which CPU is meant, and the event which process had it and which one gets it. */
static int take_assignment(struct ltt_reader *reader, u32 cpu, struct moment when, struct ltt_cursor *cursor)
{
	u64 out, in, repeats;

	if (!ltt_take(cursor, 4, &out) || !ltt_take(cursor, 4, &in))
		return -EBADMSG;
	if (ltt_take(cursor, 1, &repeats) && repeats)
		return 0;
	return log_assign(reader->log, when, cpu, (u32)in);
}

int ltt_reader_ours(struct ltt_reader *reader, u32 cpu, const struct ltt_record *record)
{
	struct bcos_entry *entry = (struct bcos_entry *)reader->room;
	struct ltt_cursor cursor = record->fields;
	u64 time = record->time, order, precision, source;
	struct body body = { (u8 *)(entry + 1), (u8 *)entry + BCOS_ENTRY_MAX - BCOS_ENTRY_MAX % 4 };
	u16 type;

	if (record->id < LTT_SCHEDULE || record->id >= LTT_BCOS_END)
		return 0;
	type = events[record->id].type;
	if (type & BCOS_TYPE_HISTORICAL && !ltt_take(&cursor, 8, &time))
		return -EBADMSG;
	if (!ltt_take(&cursor, 4, &order) || !ltt_take(&cursor, 4, &precision))
		return -EBADMSG;
	if (record->id == LTT_SCHEDULE)
		return take_assignment(reader, cpu, (struct moment){ time, (u32)precision }, &cursor) ? : 1;
	if (!ltt_take(&cursor, 4, &source))
		return -EBADMSG;
	*entry = (struct bcos_entry){ .type = type, .source = (u32)source, .time = time, .precision = (u32)precision };
	if (!copy_body(&body, (const u8 *)entry, events[record->id].layout, &cursor))
		return -EBADMSG;
	entry->size = (u16)(body.at - (u8 *)entry);
	/* The trace may contain anything, so the entry is checked. */
	if (bcos_entry_check(entry, entry->size) != BCOS_WELL_FORMED)
		return -EBADMSG;
	return log_restored(reader->log, reader->state, &reader->missed, reader->start, entry, record->time) ? : 1;
}
