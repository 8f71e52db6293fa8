// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: takes each record. */
#include "read.h"

static int provider_info(struct fxt_import *fxt, u64 header)
{
	struct fxt_string name = fxt_stream(fxt, header >> 52 & 0xFF);
	struct fxt_provider *provider;

	if (fxt_use_provider(fxt, (u32)(header >> 20)))
		return -ENOMEM;
	provider = fxt->provider;
	snprintf(provider->name, sizeof(provider->name), "%.*s", (int)name.length, name.text);
	fxt->own_begun += fxt_is(name, FXT_PROVIDER_NAME);
	return 0;
}

static int take_metadata(struct fxt_import *fxt, u64 header)
{
	switch (header >> 16 & 0xF) {
	case FXT_PROVIDER_INFO:
		return provider_info(fxt, header);
	case FXT_PROVIDER_SECTION:
		return fxt_use_provider(fxt, (u32)(header >> 20));
	case FXT_PROVIDER_EVENT:
		if (header >> 52 & 0xF)
			fxt_leave_out(fxt, FXT_LEAVES_METADATA);
		else
			fxt_set_full(fxt, (u32)(header >> 20));
		return 0;
	case FXT_TRACE_INFO:
		return 0;
	default:
		fxt_leave_out(fxt, FXT_LEAVES_METADATA);
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
	struct fxt_reference thread = { .undefined = false };

	thread.pid = fxt_next(fxt);
	thread.tid = fxt_next(fxt);
	if (fxt->bad || !(header >> 16 & 0xFF))
		return 0;
	fxt->provider->threads[header >> 16 & 0xFF] = thread;
	fxt->provider->defined[header >> 16 & 0xFF] = true;
	return set_process(fxt, thread.tid, thread.pid);
}

static int event_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_happened event = { .type = header >> 16 & 0xF, .precision = fxt_tick_of(fxt) };

	/* The contents of an event of an unknown type are unknown, too. */
	if (event.type > FXT_FLOW_END) {
		fxt_leave_out(fxt, FXT_LEAVES_EVENT);
		return 0;
	}
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
	return fxt_foreign(fxt, &event);
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
	/* The kernel, and what is unknown, have no koid of their own in a log. */
	bool stands_in = fxt_is_unknown(fxt, koid) || fxt_process_id(fxt, koid) == BCOS_PROCESS_KERNEL;
	struct fxt_koid *process = stands_in ? NULL : fxt_koid(fxt, koid, false);
	u32 hash = hash_of(name);
	int r;

	if (stands_in)
		return 0;
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
	if (type != FXT_OBJECT_PROCESS && type != FXT_OBJECT_THREAD)
		return fxt_kernel_object(fxt, type, koid, name);
	pid = fxt_number(fxt, "process", 0);
	if (fxt->argument_count > (pid && type == FXT_OBJECT_THREAD))
		fxt_leave_out(fxt, FXT_LEAVES_OBJECT_ARGUMENT);
	if (type == FXT_OBJECT_PROCESS)
		return process_object(fxt, koid, name);
	if (set_process(fxt, koid, pid))
		return -ENOMEM;
	if (pid && name.length)
		fxt_leave_out(fxt, FXT_LEAVES_THREAD_NAME);
	/* A thread of no process counts as a process of its own. */
	return pid ? 0 : process_object(fxt, koid, name);
}

static int log_record(struct fxt_import *fxt, u64 header)
{
	struct moment when = { fxt_time_of(fxt, fxt_next(fxt)), fxt_tick_of(fxt) };
	struct fxt_reference thread = fxt_thread_of_ref(fxt, header >> 32);
	struct fxt_string text = fxt_stream(fxt, header >> 16 & 0x7FFF);

	if (fxt->bad)
		return 0;
	return log_event(fxt->import->log, when, BCOS_GENERIC_PROCESS, fxt_process_id(fxt, fxt_owner_of(fxt, thread)), 0,
			 BCOS_SEVERITY_INFO, text.text, text.length);
}

static int blob_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_string name = fxt_string_of(fxt, header >> 16), payload = fxt_stream(fxt, header >> 32 & 0x7FFF);

	if (fxt->bad)
		return 0;
	if (fxt_is(name, FXT_BLOB_NAME)) {
		fxt->own_ended += !payload.length;
		fxt->left[FXT_LEAVES_CARRIED] += payload.length && !fxt->carried_said;
		return 0;
	}
	return fxt_blob(fxt, name, payload.length);
}

/* ---- any record ------------------------------------------------------------------------------- */

/* Keeps the times of the first and the last record. One that contradicts itself does not count. */
static void hear_record(struct fxt_import *fxt, u64 before)
{
	u64 time = fxt->provider->time;

	if (fxt->bad)
		fxt->provider->time = before;
	if (fxt->bad || time == before)
		return;
	fxt->first = time < fxt->first ? time : fxt->first;
	fxt->last = time > fxt->last ? time : fxt->last;
}

int fxt_record(struct fxt_import *fxt, u64 large)
{
	u64 header = fxt->words[0], before = fxt->provider->time;
	int r;

	fxt->at = 1;
	fxt->bad = false;
	fxt->argument_count = 0;
	/* The tables of this provider are those of others, too. */
	if (fxt->provider->shared && (header & 0xF) != FXT_METADATA) {
		fxt_leave_out(fxt, FXT_LEAVES_PROVIDER);
		return 0;
	}
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
		r = fxt_scheduling_record(fxt, header);
		break;
	case FXT_LOG:
		r = log_record(fxt, header);
		break;
	case FXT_LARGE:
		r = fxt_large_record(fxt, large);
		break;
	default:
		fxt_leave_out(fxt, FXT_LEAVES_RECORD);
		return 0;
	}
	fxt->damaged += fxt->bad;
	if ((header & 0xF) != FXT_METADATA)
		hear_record(fxt, before);
	return r;
}
