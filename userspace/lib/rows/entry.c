// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table entry: the log as it is. */
#include "buffer.h"
#include "core/format/entry.h"

enum { SEQ, AT_BYTE, TS, ERROR_NS, TYPE, TYPE_NAME, HISTORICAL, SUBJECT, SOURCE, VALUE, TEXT, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[SEQ] = { "seq", BCOSLOG_INTEGER, "the number of the entry, from 0 on, in the order of the log" },
	[AT_BYTE] = { "at_byte", BCOSLOG_INTEGER, "how many bytes of entries come before it" },
	[TS] = { "ts", BCOSLOG_INTEGER, "its time, ns since boot" },
	[ERROR_NS] = { "error_ns", BCOSLOG_INTEGER, "by how much later it may have been, ns; NULL: by more than 4.29 s" },
	[TYPE] = { "type", BCOSLOG_INTEGER, "its type, without the bit of historical entries" },
	[TYPE_NAME] = { "type_name", BCOSLOG_TEXT, "the name of the type" },
	[HISTORICAL] = { "historical", BCOSLOG_INTEGER, "1 if it states again what was before" },
	[SUBJECT] = { "subject", BCOSLOG_TEXT, "what it is about: process, core, CPU or device" },
	[SOURCE] = { "source", BCOSLOG_INTEGER, "the ID of that" },
	[VALUE] = { "value", BCOSLOG_INTEGER, "its first field: a process, core, driver, status, number of an interrupt or event, or bytes" },
	[TEXT] = { "text", BCOSLOG_TEXT, "its name or text" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

static bool has_value(u16 type)
{
	switch (type & ~BCOS_TYPE_HISTORICAL) {
	case BCOS_CANCEL_PROCESS_NAME:
	case BCOS_CPU_ONLINE:
	case BCOS_ASSIGN_CPU:
	case BCOS_SET_DEVICE_NAME:
	case BCOS_CANCEL_DEVICE_NAME:
	case BCOS_DEVICE_INPUT:
	case BCOS_DEVICE_OUTPUT:
	case BCOS_IRQ:
		return true;
	default:
		return bcoslog_is_generic(type);
	}
}

static void add_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	u64 seq = rows->seq++, at = rows->at_byte;
	struct bcoslog_value *row;
	const char *text;
	size_t length;

	rows->at_byte += entry->size;
	if (!rows_wants_time(rows, entry->time))
		return;
	row = rows_add(rows);
	if (!row)
		return;
	value_set(&row[SEQ], seq);
	value_set(&row[AT_BYTE], at);
	value_set(&row[TS], entry->time);
	if (entry->precision != UINT32_MAX)
		value_set(&row[ERROR_NS], entry->precision);
	value_set(&row[TYPE], entry->type & ~BCOS_TYPE_HISTORICAL);
	value_set_word(&row[TYPE_NAME], bcoslog_type_name(entry->type & (u16)~BCOS_TYPE_HISTORICAL));
	value_set(&row[HISTORICAL], entry->type >> 15);
	value_set_word(&row[SUBJECT], bcoslog_subject(entry->type));
	value_set(&row[SOURCE], entry->source);
	if (has_value(entry->type))
		value_set(&row[VALUE], ((const struct bcos_assign_cpu *)entry)->process);
	text = bcoslog_text(entry, &length);
	value_set_text(&row[TEXT], rows_copy(rows, text, length), length);
}

const struct rows_kind rows_of_entry = {
	.table = {
		.name = "entry",
		.about = "an entry of the log as it is",
		.columns = columns,
		.count = COLUMNS,
	},
	.entry = add_entry,
};
