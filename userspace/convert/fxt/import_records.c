// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: takes each record. */
#include <stdlib.h>

#include "fxt_import.h"

static int provider_info(struct fxt_import *fxt, u64 header)
{
	struct fxt_string name = fxt_stream(fxt, header >> 52 & 0xFF);
	struct fxt_provider *provider;

	if (fxt_use_provider(fxt, (u32)(header >> 20)))
		return -ENOMEM;
	provider = fxt->provider;
	provider->ours = fxt_is(name, FXT_PROVIDER_NAME);
	snprintf(provider->name, sizeof(provider->name), "%.*s", (int)name.length, name.text);
	return 0;
}

static int take_metadata(struct fxt_import *fxt, u64 header)
{
	struct moment when;
	char why[128];

	switch (header >> 16 & 0xF) {
	case FXT_PROVIDER_INFO:
		return provider_info(fxt, header);
	case FXT_PROVIDER_SECTION:
		return fxt_use_provider(fxt, (u32)(header >> 20));
	case FXT_PROVIDER_EVENT:
		if (header >> 52 & 0xF || fxt->provider->ours)
			return 0;
		when = (struct moment){ fxt->provider->time, 0 };
		snprintf(why, sizeof(why), "a buffer of provider %s filled up", fxt->provider->name);
		return log_loss(fxt->import->log, when, when.time, 0, 1, "or more events", why);
	default:
		return 0;
	}
}

static int take_initialization(struct fxt_import *fxt)
{
	u64 rate = fxt_next(fxt);

	if (!rate)
		fxt->bad = true;
	else
		fxt->provider->rate = rate;
	return 0;
}

static int string_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_string string = fxt_stream(fxt, header >> 32 & 0x7FFF);

	return fxt->bad ? 0 : fxt_set_string(fxt, header >> 16 & 0x7FFF, string.text, string.length);
}

/* Remembers the process of a thread. Returns 0 or -ENOMEM. */
static int set_process(struct fxt_import *fxt, u64 tid, u64 pid)
{
	struct fxt_koid *thread;

	if (!tid || !pid)
		return 0;
	thread = fxt_koid(fxt, tid, true);
	if (!thread)
		return -ENOMEM;
	thread->process = pid;
	return 0;
}

static int thread_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_reference thread;

	thread.pid = fxt_next(fxt);
	thread.tid = fxt_next(fxt);
	if (fxt->bad || !(header >> 16 & 0xFF))
		return 0;
	fxt->provider->threads[header >> 16 & 0xFF] = thread;
	return set_process(fxt, thread.tid, thread.pid);
}

static int event_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_happened event = { .type = header >> 16 & 0xF, .precision = fxt_tick_of(fxt) };

	/* The contents of an event of an unknown type are unknown, too. */
	if (event.type > FXT_FLOW_END)
		return 0;
	event.time = fxt_time_of(fxt, fxt_next(fxt));
	event.thread = fxt_thread_of_ref(fxt, header >> 24);
	event.category = fxt_string_of(fxt, header >> 32);
	event.name = fxt_string_of(fxt, header >> 48);
	fxt_read_arguments(fxt, header >> 20 & 0xF);
	if (event.type == FXT_COMPLETE) {
		u64 time = fxt->provider->time, end = fxt_time_of(fxt, fxt_next(fxt));

		event.extra = end > time ? end - time : 0;
		fxt->provider->time = time;
	} else if (event.type == FXT_COUNTER || event.type >= FXT_ASYNC_BEGIN) {
		event.extra = fxt_next(fxt);
	}
	if (fxt->bad)
		return 0;
	return fxt->provider->ours ? fxt_ours(fxt, &event) : fxt_foreign(fxt, &event);
}

static u32 hash_of(struct fxt_string string)
{
	u32 hash = 0x811C9DC5u;
	size_t i;

	for (i = 0; i < string.length; i++)
		hash = (hash ^ (u8)string.text[i]) * 0x01000193u;
	return hash;
}

/*
 * Takes the name of a process. Since an object has no time, the first name is that of the process before the trace, and
 * a different one is a new name.
 */
static int process_object(struct fxt_import *fxt, u64 koid, struct fxt_string name)
{
	struct fxt_koid *process = fxt_koid(fxt, koid, false);
	u32 hash = hash_of(name);
	int r;

	if (!process)
		return -ENOMEM;
	if (process->named && process->hash == hash)
		return 0;
	if (process->named)
		r = log_process(fxt->import->log, (struct moment){ fxt->provider->time, fxt_tick_of(fxt) }, process->id,
				name.text, name.length);
	else
		r = log_name_process(fxt->import->log, process->id, name.text, name.length);
	process->named = true;
	process->hash = hash;
	return r;
}

static int object_record(struct fxt_import *fxt, u64 header)
{
	u64 type = header >> 16 & 0xFF, koid = fxt_next(fxt), pid;
	struct fxt_string name = fxt_string_of(fxt, header >> 24);

	fxt_read_arguments(fxt, header >> 40 & 0xF);
	if (fxt->bad)
		return 0;
	if (type == FXT_OBJECT_PROCESS)
		return fxt->provider->ours ? fxt_our_process(fxt, koid, name) : process_object(fxt, koid, name);
	if (type != FXT_OBJECT_THREAD)
		return 0;
	pid = fxt_number(fxt, "process", 0);
	if (set_process(fxt, koid, pid))
		return -ENOMEM;
	if (fxt->provider->ours)
		return fxt_our_device(fxt, name);
	/* A thread of no process counts as a process of its own. */
	return pid ? 0 : process_object(fxt, koid, name);
}

/* Gives a CPU to a thread. */
static int assign_cpu(struct fxt_import *fxt, u64 time, u32 precision, u32 cpu, struct fxt_reference thread, bool idle)
{
	struct moment when = { time, precision };
	u64 process = thread.pid ? thread.pid : fxt_process_of(fxt, thread.tid);

	if (fxt->repeated_cpu == cpu && fxt->repeated_time == time) {
		fxt->repeated_cpu = ~0ull;
		return 0;
	}
	if (idle && !process)
		return log_assign(fxt->import->log, when, cpu, BCOS_PROCESS_IDLE);
	if (fxt->provider->ours && process == BCOSLOG_NO_PROCESS)
		return 0;
	return log_assign(fxt->import->log, when, cpu, fxt_process_id(fxt, process ? process : thread.tid));
}

static int old_switch(struct fxt_import *fxt, u64 header)
{
	struct fxt_reference in;
	u64 time = fxt_time_of(fxt, fxt_next(fxt));

	fxt_thread_of_ref(fxt, header >> 28);
	in = fxt_thread_of_ref(fxt, header >> 36);
	return fxt->bad ? 0 : assign_cpu(fxt, time, fxt_tick_of(fxt), header >> 16 & 0xFF, in, !(header >> 52 & 0xFF));
}

static int scheduling_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_reference in = { 0, 0 };
	u64 time;
	u32 precision;
	bool idle;

	if (header >> 60 == FXT_SWITCH_OLD)
		return old_switch(fxt, header);
	if (header >> 60 != FXT_SWITCH)
		return 0;
	time = fxt_time_of(fxt, fxt_next(fxt));
	fxt_next(fxt);
	in.tid = fxt_next(fxt);
	fxt_read_arguments(fxt, header >> 16 & 0xF);
	idle = (u32)fxt_number(fxt, "incoming_weight", 0) == FXT_IDLE_WEIGHT;
	if (idle)
		in.tid = 0;
	precision = (u32)fxt_number(fxt, "precision", fxt_tick_of(fxt));
	return fxt->bad ? 0 : assign_cpu(fxt, time, precision, header >> 20 & 0xFFFF, in, idle);
}

static int log_record(struct fxt_import *fxt, u64 header)
{
	struct moment when = { fxt_time_of(fxt, fxt_next(fxt)), fxt_tick_of(fxt) };
	struct fxt_reference thread = fxt_thread_of_ref(fxt, header >> 32);
	struct fxt_string text = fxt_stream(fxt, header >> 16 & 0x7FFF);

	/* In a trace of bcoslog, this record repeats the text of the event before it. */
	if (fxt->bad || fxt->provider->ours)
		return 0;
	return log_event(fxt->import->log, when, BCOS_GENERIC_PROCESS, fxt_process_id(fxt, thread.pid), 0,
			 BCOS_SEVERITY_INFO, text.text, text.length);
}

/* ---- the embedded log ------------------------------------------------------------------------ */

#define BLOB_ROOM (BCOS_ENTRY_MAX + 0x8000u)

/* Gives all whole entries of the embedded log that have been read. */
static int blob_entries(struct fxt_import *fxt)
{
	static u32 room[BCOS_ENTRY_MAX / sizeof(u32) + 2];
	const struct bcos_entry *entry = (const struct bcos_entry *)room;
	size_t at = 0, left;
	u16 size;
	int r = 0;

	while (!r && (left = fxt->blob_used - at) >= sizeof(size)) {
		memcpy(&size, fxt->blob + at, sizeof(size));
		if (size < BCOS_ENTRY_MIN) {
			fxt->bad = true;
			fxt->blob_used = 0;
			return 0;
		}
		if (left < size)
			break;
		memcpy(room, fxt->blob + at, size);
		memset((u8 *)room + size, 0, 4);
		if (bcos_entry_check(entry, size) != BCOS_WELL_FORMED)
			fxt->bad = true;
		else
			r = log_verbatim(fxt->import->log, entry);
		at += size;
	}
	memmove(fxt->blob, fxt->blob + at, fxt->blob_used - at);
	fxt->blob_used -= at;
	return r;
}

static int blob_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_string name = fxt_string_of(fxt, header >> 16), payload = fxt_stream(fxt, header >> 32 & 0x7FFF);

	if (fxt->bad)
		return 0;
	if (!fxt->provider->ours)
		return fxt_blob(fxt, name, payload.length);
	if (!fxt_is(name, FXT_BLOB_NAME))
		return 0;
	if (!fxt->blob)
		fxt->blob = malloc(BLOB_ROOM);
	if (!fxt->blob)
		return -ENOMEM;
	memcpy(fxt->blob + fxt->blob_used, payload.text, payload.length);
	fxt->blob_used += payload.length;
	return blob_entries(fxt);
}

/* ---- any record ------------------------------------------------------------------------------- */

int fxt_record(struct fxt_import *fxt, u64 large)
{
	u64 header = fxt->words[0];
	int r;

	fxt->at = 1;
	fxt->bad = false;
	fxt->argument_count = 0;
	switch (header & 0xF) {
	case FXT_METADATA:
		r = take_metadata(fxt, header);
		break;
	case FXT_INITIALIZATION:
		r = take_initialization(fxt);
		break;
	case FXT_STRING:
		r = string_record(fxt, header);
		break;
	case FXT_THREAD:
		r = thread_record(fxt, header);
		break;
	case FXT_EVENT:
		r = event_record(fxt, header);
		break;
	case FXT_BLOB:
		r = blob_record(fxt, header);
		break;
	case FXT_USER_OBJECT:
		r = fxt_user_object(fxt, header);
		break;
	case FXT_KERNEL_OBJECT:
		r = object_record(fxt, header);
		break;
	case FXT_SCHEDULING:
		r = scheduling_record(fxt, header);
		break;
	case FXT_LOG:
		r = log_record(fxt, header);
		break;
	case FXT_LARGE:
		r = fxt_large_record(fxt, large);
		break;
	default:
		return 0;
	}
	fxt->damaged += fxt->bad;
	return r;
}
