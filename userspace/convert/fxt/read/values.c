// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: the values in a record. */
#include "read.h"

u64 fxt_next(struct fxt_import *fxt)
{
	if (fxt->at >= fxt->count) {
		fxt->bad = true;
		return 0;
	}
	return fxt->words[fxt->at++];
}

struct fxt_string fxt_stream(struct fxt_import *fxt, size_t length)
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

struct fxt_string fxt_string_of(struct fxt_import *fxt, u64 reference)
{
	static const struct fxt_string unknown = { "(unknown string)", 16 };
	const struct fxt_string *known;

	reference &= 0xFFFF;
	if (reference & 0x8000)
		return fxt_stream(fxt, reference & 0x7FFF);
	if (!reference)
		return (struct fxt_string){ "", 0 };
	known = fxt->provider->strings ? &fxt->provider->strings[reference] : NULL;
	return known && known->text ? *known : unknown;
}

struct fxt_reference fxt_thread_of_ref(struct fxt_import *fxt, u64 reference)
{
	struct fxt_reference thread = { .undefined = false };

	reference &= 0xFF;
	if (reference) {
		thread = fxt->provider->threads[reference];
		thread.undefined = !fxt->provider->defined[reference];
		return thread;
	}
	thread.pid = fxt_next(fxt);
	thread.tid = fxt_next(fxt);
	return thread;
}

u64 fxt_time_of(struct fxt_import *fxt, u64 ticks)
{
	u64 rate = fxt->provider->rate;
	unsigned __int128 time = (unsigned __int128)ticks * 1000000000u / rate;

	fxt->provider->time = time > ~0ull ? ~0ull : (u64)time;
	return fxt->provider->time;
}

u32 fxt_tick_of(const struct fxt_import *fxt)
{
	u64 rate = fxt->provider->rate, tick = (1000000000u + rate - 1) / rate;

	return (u32)tick;
}

static void read_argument(struct fxt_import *fxt)
{
	unsigned int begin = fxt->at, size;
	u64 header = fxt_next(fxt);
	struct fxt_value *argument = &fxt->arguments[fxt->argument_count];

	size = header >> 4 & 0xFFF;
	if (!size || size > fxt->count - begin) {
		fxt->bad = true;
		return;
	}
	*argument = (struct fxt_value){ .type = header & 0xF };
	argument->name = fxt_string_of(fxt, header >> 16);
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
		argument->text = fxt_string_of(fxt, header >> 32);
		break;
	case FXT_INT64:
	case FXT_UINT64:
	case FXT_DOUBLE:
	case FXT_POINTER:
	case FXT_KOID:
		argument->value = fxt_next(fxt);
		break;
	default:
		/* An argument of an unknown type keeps only its name. */
		argument->type = FXT_NULL;
		break;
	}
	if (fxt->at > begin + size)
		fxt->bad = true;
	fxt->at = begin + size;
	fxt->argument_count++;
}

void fxt_read_arguments(struct fxt_import *fxt, unsigned int count)
{
	fxt->argument_count = 0;
	while (count-- && !fxt->bad)
		read_argument(fxt);
}
