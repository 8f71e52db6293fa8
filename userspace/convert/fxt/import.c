// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: records, one by one. */
#include <stdlib.h>

#include "import.h"

/* ---- what a record holds --------------------------------------------------------- */

static u64 next(struct fxt_import *fxt)
{
	if (fxt->at >= fxt->count) {
		fxt->bad = true;
		return 0;
	}
	return fxt->words[fxt->at++];
}

/* Bytes, which are in the order of bytes whatever that of the words is. */
static struct fxt_string stream(struct fxt_import *fxt, size_t length)
{
	size_t words = (length + 7) / 8;
	struct fxt_string string = { "", 0 };
	size_t i;

	if (words > fxt->count - fxt->at) {
		fxt->bad = true;
		return string;
	}
	if (fxt->swapped)
		for (i = 0; i < words; i++)
			fxt->words[fxt->at + i] = __builtin_bswap64(fxt->words[fxt->at + i]);
	string.text = (const char *)(fxt->words + fxt->at);
	string.length = length;
	fxt->at += (unsigned int)words;
	return string;
}

static struct fxt_string string_of(struct fxt_import *fxt, u64 reference)
{
	static const struct fxt_string unknown = { "(unknown string)", 16 };
	const struct fxt_string *known;

	reference &= 0xFFFF;
	if (reference & 0x8000)
		return stream(fxt, reference & 0x7FFF);
	if (!reference)
		return (struct fxt_string){ "", 0 };
	known = fxt->provider->strings ? &fxt->provider->strings[reference] : NULL;
	return known && known->text ? *known : unknown;
}

static struct fxt_reference thread_of(struct fxt_import *fxt, u64 reference)
{
	struct fxt_reference thread;

	reference &= 0xFF;
	if (reference)
		return fxt->provider->threads[reference];
	thread.pid = next(fxt);
	thread.tid = next(fxt);
	return thread;
}

/* Ticks as nanoseconds. */
static u64 time_of(struct fxt_import *fxt, u64 ticks)
{
	u64 rate = fxt->provider->rate;
	unsigned __int128 time = (unsigned __int128)ticks * 1000000000u / rate;

	fxt->provider->time = time > ~0ull ? ~0ull : (u64)time;
	return fxt->provider->time;
}

/* How long a tick is, in whole nanoseconds: in that time something happened at. */
static u32 tick_of(const struct fxt_import *fxt)
{
	u64 rate = fxt->provider->rate, tick = (1000000000u + rate - 1) / rate;

	return (u32)tick;
}

static void read_argument(struct fxt_import *fxt)
{
	unsigned int begin = fxt->at, size;
	u64 header = next(fxt);
	struct fxt_value *argument = &fxt->arguments[fxt->argument_count];

	size = header >> 4 & 0xFFF;
	if (!size || size > fxt->count - begin) {
		fxt->bad = true;
		return;
	}
	*argument = (struct fxt_value){ .type = header & 0xF };
	argument->name = string_of(fxt, header >> 16);
	switch (argument->type) {
	case FXT_INT32:
		argument->value = (u64)(s64)(s32)(header >> 32);
		break;
	case FXT_UINT32:
		argument->value = header >> 32;
		break;
	case FXT_BOOL:
		argument->value = header >> 32 & 1;
		break;
	case FXT_TEXT:
		argument->text = string_of(fxt, header >> 32);
		break;
	case FXT_INT64:
	case FXT_UINT64:
	case FXT_DOUBLE:
	case FXT_POINTER:
	case FXT_KOID:
		argument->value = next(fxt);
		break;
	default:
		/* Of a type that is unknown there is the name. */
		argument->type = FXT_NULL;
		break;
	}
	if (fxt->at > begin + size)
		fxt->bad = true;
	fxt->at = begin + size;
	fxt->argument_count++;
}

static void read_arguments(struct fxt_import *fxt, unsigned int count)
{
	fxt->argument_count = 0;
	while (count-- && !fxt->bad)
		read_argument(fxt);
}

/* ---- records --------------------------------------------------------------------------- */

static int provider_info(struct fxt_import *fxt, u64 header)
{
	struct fxt_string name = stream(fxt, header >> 52 & 0xFF);
	struct fxt_provider *provider;

	if (fxt_use_provider(fxt, (u32)(header >> 20)))
		return -ENOMEM;
	provider = fxt->provider;
	provider->ours = fxt_is(name, FXT_PROVIDER_NAME);
	snprintf(provider->name, sizeof(provider->name), "%.*s", (int)name.length, name.text);
	return 0;
}

static int metadata(struct fxt_import *fxt, u64 header)
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

static int initialization(struct fxt_import *fxt)
{
	u64 rate = next(fxt);

	if (!rate)
		fxt->bad = true;
	else
		fxt->provider->rate = rate;
	return 0;
}

static int string_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_string string = stream(fxt, header >> 32 & 0x7FFF);

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

	thread.pid = next(fxt);
	thread.tid = next(fxt);
	if (fxt->bad || !(header >> 16 & 0xFF))
		return 0;
	fxt->provider->threads[header >> 16 & 0xFF] = thread;
	return set_process(fxt, thread.tid, thread.pid);
}

static int event_record(struct fxt_import *fxt, u64 header)
{
	struct fxt_happened event = { .type = header >> 16 & 0xF, .precision = tick_of(fxt) };

	event.time = time_of(fxt, next(fxt));
	event.thread = thread_of(fxt, header >> 24);
	event.category = string_of(fxt, header >> 32);
	event.name = string_of(fxt, header >> 48);
	read_arguments(fxt, header >> 20 & 0xF);
	if (event.type == FXT_COMPLETE) {
		u64 time = fxt->provider->time, end = time_of(fxt, next(fxt));

		event.extra = end > time ? end - time : 0;
		fxt->provider->time = time;
	} else if (event.type == FXT_COUNTER || event.type >= FXT_ASYNC_BEGIN) {
		event.extra = next(fxt);
	}
	if (fxt->bad || event.type > FXT_FLOW_END)
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

/* An object of bcoslog tells when what was there from the beginning began. */
static int our_process(struct fxt_import *fxt, u64 koid, struct fxt_string name)
{
	u32 room[8200];
	struct bcos_entry *entry = (struct bcos_entry *)room;

	if (!fxt_find(fxt, "start") || name.length > FXT_STRING_MAX)
		return 0;
	*entry = (struct bcos_entry){
		.type = BCOS_HIST_SET_PROCESS_NAME, .source = fxt_process_id(fxt, koid), .time = fxt_number(fxt, "start", 0),
		.precision = (u32)fxt_number(fxt, "precision", SINCE_BOOT),
	};
	memcpy(entry + 1, name.text, name.length);
	entry->size = (u16)(sizeof(*entry) + name.length);
	return log_entry(fxt->import->log, entry);
}

static int our_device(struct fxt_import *fxt, struct fxt_string name)
{
	u32 room[8200];
	struct bcos_device_name *entry = (struct bcos_device_name *)room;

	if (!fxt_find(fxt, "start") || !fxt_find(fxt, "device") || name.length > FXT_STRING_MAX)
		return 0;
	entry->header = (struct bcos_entry){
		.type = BCOS_HIST_SET_DEVICE_NAME, .source = (u32)fxt_number(fxt, "device", 0),
		.time = fxt_number(fxt, "start", 0), .precision = (u32)fxt_number(fxt, "precision", SINCE_BOOT),
	};
	entry->driver = fxt_process_id(fxt, fxt_number(fxt, "process", 0));
	memcpy(entry->name, name.text, name.length);
	entry->header.size = (u16)(sizeof(*entry) + name.length);
	return log_entry(fxt->import->log, &entry->header);
}

/* An object has no time: its first name is the one that it had before, another one a new name. */
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
		r = log_process(fxt->import->log, (struct moment){ fxt->provider->time, tick_of(fxt) }, process->id, name.text,
				name.length);
	else
		r = log_name_process(fxt->import->log, process->id, name.text, name.length);
	process->named = true;
	process->hash = hash;
	return r;
}

static int object_record(struct fxt_import *fxt, u64 header)
{
	u64 type = header >> 16 & 0xFF, koid = next(fxt), pid;
	struct fxt_string name = string_of(fxt, header >> 24);

	read_arguments(fxt, header >> 40 & 0xF);
	if (fxt->bad)
		return 0;
	if (type == FXT_OBJECT_PROCESS)
		return fxt->provider->ours ? our_process(fxt, koid, name) : process_object(fxt, koid, name);
	if (type != FXT_OBJECT_THREAD)
		return 0;
	pid = fxt_number(fxt, "process", 0);
	if (set_process(fxt, koid, pid))
		return -ENOMEM;
	if (fxt->provider->ours)
		return our_device(fxt, name);
	/* A thread without a process is one of its own. */
	return pid ? 0 : process_object(fxt, koid, name);
}

/* Gives a CPU to a thread. */
static int assign(struct fxt_import *fxt, u64 time, u32 precision, u32 cpu, struct fxt_reference thread, bool idle)
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
	u64 time = time_of(fxt, next(fxt));

	thread_of(fxt, header >> 28);
	in = thread_of(fxt, header >> 36);
	return fxt->bad ? 0 : assign(fxt, time, tick_of(fxt), header >> 16 & 0xFF, in, !(header >> 52 & 0xFF));
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
	time = time_of(fxt, next(fxt));
	next(fxt);
	in.tid = next(fxt);
	read_arguments(fxt, header >> 16 & 0xF);
	idle = (u32)fxt_number(fxt, "incoming_weight", 0) == FXT_IDLE_WEIGHT;
	if (idle)
		in.tid = 0;
	precision = (u32)fxt_number(fxt, "precision", tick_of(fxt));
	return fxt->bad ? 0 : assign(fxt, time, precision, header >> 20 & 0xFFFF, in, idle);
}

static int log_record(struct fxt_import *fxt, u64 header)
{
	struct moment when = { time_of(fxt, next(fxt)), tick_of(fxt) };
	struct fxt_reference thread = thread_of(fxt, header >> 32);
	struct fxt_string text = stream(fxt, header >> 16 & 0x7FFF);

	/* Of bcoslog it is the text of the event before it. */
	if (fxt->bad || fxt->provider->ours)
		return 0;
	return log_event(fxt->import->log, when, BCOS_GENERIC_PROCESS, fxt_process_id(fxt, thread.pid), 0, BCOS_SEVERITY_INFO,
			 text.text, text.length);
}

/* ---- the embedded log ------------------------------------------------------------------------ */

#define BLOB_ROOM (BCOS_ENTRY_MAX + 0x8000u)

/* All whole entries of the embedded log so far. */
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
	struct fxt_string name = string_of(fxt, header >> 16), payload = stream(fxt, header >> 32 & 0x7FFF);

	if (fxt->bad || !fxt->provider->ours || !fxt_is(name, FXT_BLOB_NAME))
		return 0;
	if (!fxt->blob)
		fxt->blob = malloc(BLOB_ROOM);
	if (!fxt->blob)
		return -ENOMEM;
	memcpy(fxt->blob + fxt->blob_used, payload.text, payload.length);
	fxt->blob_used += payload.length;
	return blob_entries(fxt);
}

/* ---- the whole trace ---------------------------------------------------------------------------- */

static int record(struct fxt_import *fxt)
{
	u64 header = fxt->words[0];
	int r;

	fxt->at = 1;
	fxt->bad = false;
	fxt->argument_count = 0;
	switch (header & 0xF) {
	case FXT_METADATA:
		r = metadata(fxt, header);
		break;
	case FXT_INITIALIZATION:
		r = initialization(fxt);
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
	case FXT_KERNEL_OBJECT:
		r = object_record(fxt, header);
		break;
	case FXT_SCHEDULING:
		r = scheduling_record(fxt, header);
		break;
	case FXT_LOG:
		r = log_record(fxt, header);
		break;
	default:
		return 0;
	}
	fxt->damaged += fxt->bad;
	return r;
}

static u64 word_at(const struct fxt_import *fxt, const u8 *bytes, size_t index)
{
	u64 word;

	memcpy(&word, bytes + index * 8, sizeof(word));
	return fxt->swapped ? __builtin_bswap64(word) : word;
}

static int damaged(struct fxt_import *fxt, const char *what)
{
	complain("%s is damaged at byte %llu: %s: the rest is left out", fxt->import->path,
		 (unsigned long long)fxt->import->input->offset, what);
	return -EBADMSG;
}

static int read_record(struct fxt_import *fxt, u64 header)
{
	struct input *input = fxt->import->input;
	u64 size = header >> 4 & 0xFFF, i;
	const u8 *bytes;

	if ((header & 0xF) == FXT_LARGE) {
		size = header >> 4 & 0xFFFFFFFF;
		if (!size)
			return damaged(fxt, "a record of size 0");
		return input_discard(input, size * 8) ? 0 : damaged(fxt, "the trace ends inside a record");
	}
	if (!size)
		return damaged(fxt, "a record of size 0");
	if (input_peek(input, &bytes, size * 8) < size * 8)
		return damaged(fxt, "the trace ends inside a record");
	for (i = 0; i < size; i++)
		fxt->words[i] = word_at(fxt, bytes, i);
	fxt->count = (unsigned int)size;
	input_skip(input, size * 8);
	return record(fxt);
}

static int read_all(struct fxt_import *fxt)
{
	struct input *input = fxt->import->input;
	const u8 *bytes;
	size_t there;
	int r = 0;

	if (input_peek(input, &bytes, 8) >= 8)
		fxt->swapped = word_at(fxt, bytes, 0) == __builtin_bswap64(FXT_MAGIC);
	while (!r && (there = input_peek(input, &bytes, 8)) >= 8) {
		if (convert_interrupted())
			return -EINTR;
		r = read_record(fxt, word_at(fxt, bytes, 0));
	}
	if (!r && there)
		r = damaged(fxt, "the trace ends inside a word");
	return r;
}

static int fxt_run(struct import *import)
{
	struct fxt_import *fxt = calloc(1, sizeof(*fxt));
	int r = -ENOMEM;

	if (fxt) {
		fxt->import = import;
		fxt->repeated_cpu = ~0ull;
		fxt->koid_bits = FXT_KOID_BITS;
		fxt->koids = calloc((size_t)1 << FXT_KOID_BITS, sizeof(*fxt->koids));
		if (fxt->koids && !fxt_use_provider(fxt, 0))
			r = read_all(fxt);
		if (fxt->damaged && (!r || r == -EBADMSG)) {
			complain("%s has %llu records that contradict themselves: they are left out", import->path,
				 (unsigned long long)fxt->damaged);
			r = -EBADMSG;
		}
		fxt_free_tables(fxt);
		free(fxt);
	}
	if (r == -ENOMEM && !log_writer_error(import->log))
		complain("no memory for the names in %s", import->path);
	return r;
}

static bool recognizes(const char *path, const u8 *bytes, size_t size)
{
	static const u8 little[] = { 0x10, 0x00, 0x04, 0x46, 0x78, 0x54, 0x16, 0x00 };
	static const u8 big[] = { 0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10 };

	(void)path;
	return bytes && size >= 8 && (!memcmp(bytes, little, 8) || !memcmp(bytes, big, 8));
}

const struct importer fxt_importer = {
	.name = "fxt",
	.suffix = ".fxt",
	.help = "Fuchsia trace format",
	.recognizes = recognizes,
	.run = fxt_run,
};
