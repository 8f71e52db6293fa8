// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Import of the Fuchsia trace format: the trace from its beginning to its end. */
#include <stdlib.h>

#include "read.h"

static u64 word_at(const struct fxt_import *fxt, const u8 *bytes, size_t index)
{
	u64 word;

	memcpy(&word, bytes + index * 8, sizeof(word));
	return fxt->swapped ? __builtin_bswap64(word) : word;
}

static int damaged_input(struct fxt_import *fxt, const char *what)
{
	complain("%s is damaged at byte %llu: %s: the rest is left out", fxt->import->path,
		 (unsigned long long)fxt->import->input->offset, what);
	return -EBADMSG;
}

static int read_record(struct fxt_import *fxt, u64 header)
{
	bool large = (header & 0xF) == FXT_LARGE;
	struct input *input = fxt->import->input;
	u64 size = header >> 4 & (large ? 0xFFFFFFFF : 0xFFF), count = size < FXT_WORDS_MAX ? size : FXT_WORDS_MAX, i;
	const u8 *bytes;
	int r;

	if (!size)
		return damaged_input(fxt, "a record of size 0");
	if (input_peek(input, &bytes, count * 8) < count * 8)
		return damaged_input(fxt, "the trace ends inside a record");
	for (i = 0; i < count; i++)
		fxt->words[i] = word_at(fxt, bytes, i);
	fxt->count = (unsigned int)count;
	input_skip(input, count * 8);
	r = fxt_record(fxt, size);
	if (!r && size > count && !input_discard(input, (size - count) * 8))
		return damaged_input(fxt, "the trace ends inside a record");
	return r;
}

/* A trace begins with the magic, or at least with a record that may follow the magic. */
static bool is_trace(u64 first)
{
	u64 record = first & 0xF, metadata = first >> 16 & 0xF;

	if (record == FXT_METADATA)
		return metadata >= FXT_PROVIDER_INFO && metadata <= FXT_TRACE_INFO;
	return record == FXT_INITIALIZATION && (first >> 4 & 0xFFF) == 2;
}

static int read_all(struct fxt_import *fxt)
{
	struct input *input = fxt->import->input;
	const u8 *bytes;
	size_t there;
	int r = 0;

	if (input_peek(input, &bytes, 8) >= 8) {
		fxt->swapped = word_at(fxt, bytes, 0) == __builtin_bswap64(FXT_MAGIC);
		if (!is_trace(word_at(fxt, bytes, 0))) {
			complain("%s is no trace of this format: it begins with neither the magic nor a provider",
				 fxt->import->path);
			return -EINVAL;
		}
	}
	while (!r && (there = input_peek(input, &bytes, 8)) >= 8) {
		if (convert_interrupted())
			return -EINTR;
		r = read_record(fxt, word_at(fxt, bytes, 0));
	}
	if (!r && there)
		r = damaged_input(fxt, "the trace ends inside a word");
	return r;
}

/* Tells the losses of a provider. The format does not tell when a buffer filled up, nor which CPUs' records were lost. */
static int tell_full(struct fxt_import *fxt, const struct fxt_provider *provider)
{
	struct moment when = { fxt->first == ~0ull ? 0 : fxt->first, 0 };
	char why[128];
	bool any = false;
	u32 cpu;
	int r = 0;

	snprintf(why, sizeof(why), "a buffer of provider %s filled up", provider->name);
	for (cpu = 0; cpu < 8 * sizeof(fxt->cpus) && !r; cpu++) {
		if (!(fxt->cpus[cpu / 8] & 1u << cpu % 8))
			continue;
		any = true;
		r = log_loss(fxt->import->log, when, fxt->last, cpu, 1, "or more events", why);
	}
	return any ? r : log_loss(fxt->import->log, when, fxt->last, 0, 1, "or more events", why);
}

/* Tells what is known only at the end of the trace. */
static int end_trace(struct fxt_import *fxt)
{
	static const struct {
		const char *kind, *why;
	} leaves[FXT_LEAVES] = {
		[FXT_LEAVES_RECORD] = { "record of an unknown type", "nothing describes it" },
		[FXT_LEAVES_METADATA] = { "metadata of an unknown type", "nothing describes it" },
		[FXT_LEAVES_EVENT] = { "event of an unknown type", "nothing describes it" },
		[FXT_LEAVES_SCHEDULING] = { "scheduling record of an unknown type", "nothing describes it" },
		[FXT_LEAVES_LARGE] = { "large record", "its type is unknown, or it is too long to find its end" },
		[FXT_LEAVES_PROVIDER] = { "record of the 64th or a later provider", "there are too many providers" },
		[FXT_LEAVES_THREAD_NAME] = { "name of a thread", "an import names processes alone" },
		[FXT_LEAVES_OBJECT_ARGUMENT] = { "arguments of a process or thread", LEFT_OUT_NO_ENTRY },
		[FXT_LEAVES_STATE] = { "state of a thread that leaves its CPU",
				       "without wake-ups it would look as if the thread never could run again" },
		[FXT_LEAVES_PRIORITY] = { "priority of a thread", "a log has the priorities of Linux" },
		[FXT_LEAVES_CARRIED] = { "blob of a log that bcoslog put into the trace",
					 "that log is read from the end of a whole file, and not of a pipe" },
		[FXT_LEAVES_SWITCH_ARGUMENT] = { "arguments of a switch or wake-up", LEFT_OUT_NO_ENTRY },
	};
	unsigned int i;
	int r = 0;

	for (i = 0; i < FXT_LEAVES; i++)
		left_out_add(&fxt->import->left, leaves[i].kind, leaves[i].why, fxt->left[i]);
	for (i = 0; i < fxt->provider_count && !r; i++)
		if (fxt->providers[i]->full)
			r = tell_full(fxt, fxt->providers[i]);
	return r;
}

/* A trace that bcoslog has written says where it ends.  Return: @r, or -EBADMSG after a complaint. */
static int check_end(const struct fxt_import *fxt, int r)
{
	if (r || fxt->own_ended >= fxt->own_begun)
		return r;
	complain("%s does not end as a trace of bcoslog does: it is cut, or an earlier version wrote it", fxt->import->path);
	return -EBADMSG;
}

static int fxt_run(struct import *import)
{
	struct fxt_import *fxt = calloc(1, sizeof(*fxt));
	int r = -ENOMEM, taken;

	if (fxt) {
		fxt->import = import;
		fxt->first = ~0ull;
		taken = fxt_take_carried(fxt);
		if (taken)
			r = taken;
		else if (!fxt_make_koids(fxt) && !fxt_use_provider(fxt, 0))
			r = read_all(fxt);
		if (!taken && (!r || r == -EBADMSG))
			r = end_trace(fxt) ? -ENOMEM : check_end(fxt, r);
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
	return r > 0 ? 0 : r;
}

static bool recognizes_fxt(const char *path, const u8 *bytes, size_t size)
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
	.recognizes = recognizes_fxt,
	.run = fxt_run,
};
