// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events of a trace that was made from a log become entries again. */
#include "../../log/restored.h"
#include "core/format/fields.h"
#include "trace_reader.h"

static bool take_list(struct bcos_build *build, struct ltt_cursor *cursor)
{
	u64 count, value;
	u32 element;

	if (!ltt_take(cursor, 4, &count) || !bcos_build_list(build, NULL, 0))
		return false;
	while (count--) {
		if (!ltt_take(cursor, 4, &value))
			return false;
		element = (u32)value;
		if (!bcos_build_list(build, &element, 1))
			return false;
	}
	return true;
}

/* Takes the next field of an entry that is being built. */
static bool take_field(struct bcos_build *build, struct ltt_cursor *cursor)
{
	const u8 *zero;
	u64 number;

	if (build->next->form == BCOS_FORM_LIST)
		return take_list(build, cursor);
	if (build->next->form == BCOS_FORM_NUMBER)
		return ltt_take(cursor, build->next->width, &number) && bcos_build_number(build, number);
	zero = memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
	return zero && bcos_build_string(build, (const char *)cursor->at, (size_t)(zero - cursor->at));
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
	const struct bcos_type *type = ltt_type_of(record->id);
	struct ltt_cursor cursor = record->fields;
	u64 time = record->time, order, precision, source;
	struct bcos_build build;

	if (!type)
		return 0;
	if (type->type & BCOS_TYPE_HISTORICAL && !ltt_take(&cursor, 8, &time))
		return -EBADMSG;
	if (!ltt_take(&cursor, 4, &order) || !ltt_take(&cursor, 4, &precision))
		return -EBADMSG;
	if (record->id == LTT_SCHEDULE)
		return take_assignment(reader, cpu, (struct moment){ time, (u32)precision }, &cursor) ? : 1;
	if (!ltt_take(&cursor, 4, &source))
		return -EBADMSG;
	bcos_build_begin(&build, reader->room, sizeof(reader->room),
			 &(struct bcos_entry){ .type = type->type, .source = (u32)source, .time = time,
					       .precision = (u32)precision });
	while (build.left)
		if (!take_field(&build, &cursor))
			return -EBADMSG;
	/* The trace may contain anything, so an entry need not be well-formed. */
	if (!bcos_build_end(&build))
		return -EBADMSG;
	return log_restored(reader->log, reader->state, &reader->missed, reader->start,
			    (struct bcos_entry *)reader->room, record->time) ? : 1;
}
