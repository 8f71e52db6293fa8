// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: objects and blobs. Each becomes an event that tells that it was there. */
#include "read.h"

/* Appends an argument. The array has room for two more arguments than a record can have. */
static void add_argument(struct fxt_import *fxt, const char *name, enum fxt_argument type, u64 value)
{
	fxt->arguments[fxt->argument_count++] = (struct fxt_value){
		.name = { name, strlen(name) }, .type = type, .value = value,
	};
}

static struct fxt_string constant_string(const char *text)
{
	return (struct fxt_string){ text, strlen(text) };
}

/* Returns an event for a record that has no time: it gets the time of the record before it. */
static struct fxt_happened event_now(const struct fxt_import *fxt, const char *category)
{
	return (struct fxt_happened){
		.type = FXT_INSTANT,
		.time = fxt->provider->time,
		.precision = fxt_tick_of(fxt),
		.category = constant_string(category),
	};
}

int fxt_user_object(struct fxt_import *fxt, u64 header)
{
	struct fxt_happened event = event_now(fxt, "object");
	u64 pointer = fxt_next(fxt), process = header >> 16 & 0xFF;

	/* In this record alone, an inline reference to a thread is one word and not two. */
	event.thread.tid = process ? fxt->provider->threads[process].tid : 0;
	event.thread.pid = process ? fxt->provider->threads[process].pid : fxt_next(fxt);
	event.name = fxt_string_of(fxt, header >> 24);
	fxt_read_arguments(fxt, header >> 40 & 0xF);
	if (fxt->bad)
		return 0;
	add_argument(fxt, "pointer", FXT_POINTER, pointer);
	return fxt_foreign(fxt, &event);
}

int fxt_kernel_object(struct fxt_import *fxt, u64 type, u64 koid, struct fxt_string name)
{
	struct fxt_happened event = event_now(fxt, "kernel object");

	event.name = name;
	event.thread.pid = fxt_number(fxt, "process", 0);
	add_argument(fxt, "type", FXT_UINT64, type);
	add_argument(fxt, "koid", FXT_KOID, koid);
	return fxt_foreign(fxt, &event);
}

int fxt_blob(struct fxt_import *fxt, struct fxt_string name, size_t bytes)
{
	struct fxt_happened event = event_now(fxt, "blob");

	event.name = name;
	fxt->argument_count = 0;
	add_argument(fxt, "bytes", FXT_UINT64, bytes);
	return fxt_foreign(fxt, &event);
}

int fxt_large_record(struct fxt_import *fxt, u64 size)
{
	struct fxt_happened event = event_now(fxt, "");
	u64 header = fxt->words[0], blob = header >> 40 & 0xF, format, bytes;

	if (header >> 36 & 0xF || blob > FXT_BLOB_BARE) {
		fxt_leave_out(fxt, FXT_LEAVES_LARGE);
		return 0;
	}
	format = fxt_next(fxt);
	event.category = fxt_string_of(fxt, format);
	event.name = fxt_string_of(fxt, format >> 16);
	if (blob == FXT_BLOB_EVENT) {
		event.time = fxt_time_of(fxt, fxt_next(fxt));
		event.thread = fxt_thread_of_ref(fxt, format >> 36);
		fxt_read_arguments(fxt, format >> 32 & 0xF);
	}
	bytes = fxt_next(fxt);
	/* The end of the arguments lies beyond the part of the record that was read, so the record is left out. */
	if (fxt->bad && size > FXT_WORDS_MAX) {
		fxt->bad = false;
		fxt_leave_out(fxt, FXT_LEAVES_LARGE);
		return 0;
	}
	if (bytes / 8 > size || (bytes + 7) / 8 > size - fxt->at)
		fxt->bad = true;
	if (fxt->bad)
		return 0;
	add_argument(fxt, "bytes", FXT_UINT64, bytes);
	return fxt_foreign(fxt, &event);
}
