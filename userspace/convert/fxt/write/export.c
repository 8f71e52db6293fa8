// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Export to the Fuchsia trace format: the trace from its beginning to its end. */
#include <stdlib.h>

#include "../../carried/carried.h"
#include "write.h"

/* Keeps an entry about a core or CPU of the first group until the time of the next entry is known. */
static int hold_entry(struct fxt_export *fxt, const struct bcos_entry *entry)
{
	size_t room = fxt->early_room ? fxt->early_room : 4096;
	u8 *larger;

	while (fxt->early_used + entry->size + 4 > room)
		room *= 2;
	if (room != fxt->early_room) {
		larger = realloc(fxt->early, room);
		if (!larger)
			return -ENOMEM;
		fxt->early = larger;
		fxt->early_room = room;
	}
	memcpy(fxt->early + fxt->early_used, entry, entry->size);
	fxt->early_used += (entry->size + 3u) & ~3u;
	return 0;
}

static int begin_log(struct fxt_export *fxt)
{
	const struct bcos_entry *entry;
	size_t at;
	int r = 0;

	fxt->begun = true;
	for (at = 0; !r && at < fxt->early_used; at += (entry->size + 3u) & ~3u) {
		entry = (const struct bcos_entry *)(fxt->early + at);
		r = fxt_put_entry(fxt, entry);
	}
	free(fxt->early);
	fxt->early = NULL;
	fxt->early_used = fxt->early_room = 0;
	return r;
}

/* ---- the log itself ------------------------------------------------------------------------------- */

static int put_blob(struct export *export, u64 offset, size_t size)
{
	struct fxt_export *fxt = export->own;
	struct record *record = &fxt->record;
	char bytes[FXT_BLOB_MAX];
	int r = carrier_get(export, offset, bytes, size);

	record->count = record->arguments = 0;
	record_word(record, FXT_BLOB_HEADER | (u64)size << 32);
	record_stream(record, bytes, size);
	record->words[0] |= (u64)record->count << 4;
	outfile_bytes(fxt->file, record->words, (size_t)record->count * 8);
	return r;
}

/*
 * Puts the carried log behind everything else, in blobs that have FXT_BLOB_MAX bytes but for the last one, and its seal, in
 * a blob of its own.
 */
static int put_carried(struct export *export)
{
	s64 left = carrier_into_file(export);
	u64 offset = 0;
	size_t size;
	int r = left < 0 ? -EIO : 0;

	for (left -= CARRIED_SEAL; !r && left > 0; left -= (s64)size) {
		size = left < FXT_BLOB_MAX ? (size_t)left : FXT_BLOB_MAX;
		r = put_blob(export, offset, size);
		offset += size;
	}
	return r || left < 0 ? r : put_blob(export, offset, CARRIED_SEAL);
}

/* Ends the trace itself, before the log that it may carry. */
static void put_end(struct fxt_export *fxt)
{
	struct record *record = &fxt->record;

	record->count = 0;
	record_word(record, FXT_BLOB_HEADER | 1 << 4);
	outfile_bytes(fxt->file, record->words, 8);
}

/* ---- the exporter ------------------------------------------------------------------------------------ */

static int fxt_entry(struct export *export, const struct bcos_entry *entry)
{
	struct fxt_export *fxt = export->own;
	bool early = entry->type == BCOS_HIST_CORE_ONLINE || entry->type == BCOS_HIST_CPU_ONLINE ||
		     entry->type == BCOS_HIST_ASSIGN_CPU;
	int r = 0;

	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		fxt->time = entry->time;
		if (unlikely(!fxt->begun))
			r = begin_log(fxt);
	} else if (!fxt->begun && early) {
		r = hold_entry(fxt, entry);
		return r ? export_no_memory(export) : 0;
	}
	if (!r)
		r = fxt_put_entry(fxt, entry);
	return unlikely(r) ? export_no_memory(export) : 0;
}

static int fxt_resumed(struct export *export)
{
	struct fxt_export *fxt = export->own;

	if (fxt_all_unknown(fxt, fxt->time))
		return export_no_memory(export);
	fxt_forget(fxt);
	return 0;
}

static void put_string(struct fxt_export *fxt, enum fxt_word index, const char *text)
{
	struct record *record = &fxt->record;

	record->count = record->arguments = 0;
	record_word(record, (u64)index << 16 | (u64)strlen(text) << 32);
	record_stream(record, text, strlen(text));
	record->words[0] |= FXT_STRING | (u64)record->count << 4;
	outfile_bytes(fxt->file, record->words, (size_t)record->count * 8);
}

static void put_head(struct fxt_export *fxt)
{
	static const struct {
		enum fxt_word index;
		const char *text;
	} words[] = {
#define ENTRY(name, text) { FXT_W_##name, text },
		FXT_WORDS(ENTRY)
	};
	struct record *record = &fxt->record;
	size_t i, length = strlen(FXT_PROVIDER_NAME);
	u64 begin[] = { FXT_INITIALIZATION | 2 << 4, 1000000000 };

	record->count = 0;
	record_word(record, FXT_MAGIC);
	outfile_bytes(fxt->file, record->words, 8);
	record->count = 0;
	record_word(record, FXT_PROVIDER_INFO << 16 | (u64)FXT_PROVIDER << 20 | (u64)length << 52);
	record_stream(record, FXT_PROVIDER_NAME, length);
	record->words[0] |= FXT_METADATA | (u64)record->count << 4;
	outfile_bytes(fxt->file, record->words, (size_t)record->count * 8);
	outfile_bytes(fxt->file, begin, sizeof(begin));
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_string(fxt, words[i].index, words[i].text);
}

static int fxt_begin(struct export *export)
{
	struct fxt_export *fxt = calloc(1, sizeof(*fxt));
	const char *layout = convert_option(export->options, "layout");

	export->own = fxt;
	if (!fxt || fxt_threads_init(&fxt->threads))
		return export_no_memory(export);
	if (layout && strcmp(layout, "old") && strcmp(layout, "current")) {
		complain("--layout takes old or current, not \"%s\"", layout);
		return -EINVAL;
	}
	fxt->file = &export->output->file;
	fxt->current = layout && !strcmp(layout, "current");
	put_head(fxt);
	return 0;
}

static int fxt_end(struct export *export)
{
	struct fxt_export *fxt = export->own;
	int r = fxt->begun ? 0 : begin_log(fxt);

	fxt_refresh_threads(fxt);
	put_end(fxt);
	return r ? export_no_memory(export) : put_carried(export);
}

static void fxt_free(struct export *export)
{
	struct fxt_export *fxt = export->own;

	if (!fxt)
		return;
	fxt_threads_free(&fxt->threads);
	free(fxt->cpus);
	free(fxt->early);
	free(fxt);
}

static const struct convert_option options[] = {
	{ "layout", "old|current", "give switches this layout (old, which every reader knows)" },
	CONVERT_CARRY_OPTIONS,
	{ NULL, NULL, NULL },
};

const struct exporter fxt_exporter = {
	.name = "fxt",
	.suffix = ".fxt",
	.help = "Fuchsia trace format, for Perfetto",
	.options = options,
	.carries = true,
	.begin = fxt_begin,
	.entry = fxt_entry,
	.resumed = fxt_resumed,
	.end = fxt_end,
	.free = fxt_free,
};
