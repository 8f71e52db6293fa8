// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The library's reader of a log that the page hands over in parts: see reader.h. */
#include <stdlib.h>

#include "entry/gap.h"
#include "reader/unfold.h"
#include "reader.h"

struct reader *reader_new(void)
{
	struct reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return NULL;
	reader->log.kind = BCOSLOG_STREAM;
	reader->log.fd = -1;
	reader->log.flags = BCOSLOG_WAKINGS;
	reader->log.limit = ~(u64)0;
	reader->log.buffer = malloc(HANDLE_BUFFER + HANDLE_ASIDE);
	reader->log.name = strdup("the file");
	if (reader->log.buffer && reader->log.name)
		return reader;
	reader_free(reader);
	return NULL;
}

void reader_free(struct reader *reader)
{
	if (!reader)
		return;
	unfold_forget(&reader->log);
	free(reader->log.buffer);
	free(reader->log.name);
	free(reader);
}

/* The bytes are all there. */
bool handle_interrupted(const struct bcoslog *log)
{
	(void)log;
	return false;
}

int handle_fill(struct bcoslog *log)
{
	struct reader *reader = (struct reader *)log;
	size_t n;

	if (log->ended)
		return 0;
	handle_compact(log);
	n = HANDLE_BUFFER - log->end;
	if (n > reader->left)
		n = reader->left;
	memcpy(log->buffer + log->end, reader->part, n);
	reader->part += n;
	reader->left -= n;
	log->end += n;
	return n > 0;
}

/* Leaves a damaged place out.  Return: 0 or the value with which @use stopped. */
static int pass_over(struct reader *reader, int (*use)(void *context, const struct bcos_entry *entry), void *context)
{
	u32 notice[GAP_ENTRY / sizeof(u32)];

	reader->damages++;
	reader->lost += reader->log.error.lost;
	return gap_put_damage(notice, reader->last, &reader->log.error) ?
	       use(context, (const struct bcos_entry *)notice) : 0;
}

/* Reads all that is there.  Return: as reader_feed(). */
static int read_on(struct reader *reader, int (*use)(void *context, const struct bcos_entry *entry), void *context)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int r;

	for (;;) {
		while ((r = bcoslog_batch(&reader->log, &batch)) > 0) {
			bcoslog_each(entry, &batch) {
				if (!(entry->type & BCOS_TYPE_HISTORICAL))
					reader->last = entry->time;
				r = use(context, entry);
				if (unlikely(r))
					return r;
			}
		}
		if (r != -EBADMSG)
			return r;
		r = pass_over(reader, use, context);
		if (r || bcoslog_skip(&reader->log))
			return r;
	}
}

int reader_feed(struct reader *reader, const u8 *part, size_t size,
		int (*use)(void *context, const struct bcos_entry *entry), void *context)
{
	reader->part = part;
	reader->left = size;
	reader->log.ended = !size;
	reader->log.parted = size;
	return read_on(reader, use, context);
}

int reader_pause(struct reader *reader, int (*use)(void *context, const struct bcos_entry *entry), void *context)
{
	reader->log.parted = false;
	return read_on(reader, use, context);
}
