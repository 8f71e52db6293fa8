// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to the Fuchsia trace format: the beginning and the end of an event. */
#include "write.h"

struct record *fxt_event(struct fxt_export *fxt, enum fxt_event type, u64 time, struct fxt_thread *thread,
			 enum fxt_word category, enum fxt_word name, const char *text, size_t length)
{
	struct record *record = &fxt->record;
	u8 ref = fxt_thread_ref(fxt, thread);

	record->count = record->arguments = 0;
	record_word(record, (u64)type << 16 | (u64)ref << 24 | (u64)category << 32 |
				    (name ? (u64)name : record_inline(length)) << 48);
	record_word(record, time);
	fxt_thread_inline(record, thread, ref);
	if (!name)
		record_stream(record, text, length);
	return record;
}

void fxt_event_close(struct fxt_export *fxt)
{
	record_write(&fxt->record, fxt->file, FXT_EVENT, 20);
}

void fxt_event_end(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	struct record *record = &fxt->record;

	if (entry->type & BCOS_TYPE_HISTORICAL) {
		record_u64(record, FXT_W_START, entry->time);
		record_u32(record, FXT_W_PRECISION, entry->precision);
	} else if (entry->precision != 1) {
		record_u32(record, FXT_W_PRECISION, entry->precision);
	}
	fxt_event_close(fxt);
}
