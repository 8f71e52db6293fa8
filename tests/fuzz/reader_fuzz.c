// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any bytes as a log into the library: it gives exactly the entries that a
 * plain walk over them finds, one by one and in batches, out of a file and out
 * of a pipe, and stops, or goes on behind damage, where that does. State and
 * check take whatever comes.
 *
 * Input: an option byte, one that says how far before the end of the reader's
 * buffer the log begins, then the log.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source.h"

#define PIPED 1		/* a pipe that gets a page at a time */
#define BATCHES 2
#define LIMITED 4	/* as of a device: what is newer does not belong to it */
#define CHECKED 8
#define FAR 16		/* behind so much else that it lies across the end of the buffer */

#define LIMIT 0x4000000000000000ull

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u8 tape[2 * SOURCE_BUFFER];
static size_t length;
static int writer = -1;
static size_t written;

static void demand(bool holds)
{
	if (!holds)
		abort();
}

/* Entries of a type that is not defined, of @size bytes together. */
static void put_filler(size_t size)
{
	struct bcos_entry entry = { .type = 0x0123 };
	size_t part;

	for (; size; size -= part) {
		part = size > 60000 ? 30000 : size;
		entry.size = (u16)part;
		memcpy(tape + length, &entry, sizeof(entry));
		length += part;
	}
}

static void feed(size_t most)
{
	size_t n = length - written < most ? length - written : most;

	if (writer < 0)
		return;
	demand(write(writer, tape + written, n) == (ssize_t)n);
	written += n;
	if (written < length)
		return;
	close(writer);
	writer = -1;
}

static int begin(struct bcoslog **log, unsigned int options)
{
	struct bcoslog_error error;
	int ends[2];

	written = 0;
	if (options & PIPED) {
		demand(!pipe(ends));
		writer = ends[1];
		feed(1);
	} else {
		ends[0] = memfd_create("log", 0);
		demand(write(ends[0], tape, length) == (ssize_t)length && !lseek(ends[0], 0, SEEK_SET));
	}
	demand(!bcoslog_open_fd(log, ends[0], "log", 0, &error));
	if (options & LIMITED)
		(*log)->limit = LIMIT;
	return ends[0];
}

/* The plain walk: the entry at *@at.  Return: as bcoslog_next(), -EPROTO if it cannot be skipped either. */
static int expect(size_t at, unsigned int options)
{
	const struct bcos_entry *entry = (const struct bcos_entry *)(tape + at);
	enum bcos_malformed what = bcos_entry_check(entry, length - at);

	if (at == length)
		return 0;
	if (what == BCOS_TRUNCATED || what == BCOS_BAD_SIZE)
		return -EPROTO;
	if (what != BCOS_WELL_FORMED)
		return -EBADMSG;
	return !(options & LIMITED && entry->time > LIMIT && !(entry->type & BCOS_TYPE_HISTORICAL));
}

static size_t take(struct bcoslog_check *check, const struct bcos_entry *entry, u64 offset, size_t at,
		   unsigned int options)
{
	demand(offset == at && expect(at, options) == 1);
	demand(!((uintptr_t)entry & 3) && !memcmp(entry, tape + at, entry->size));
	if (options & CHECKED)
		demand(!bcoslog_check_entry(check, offset, entry));
	return at + entry->size;
}

/* Return: as bcoslog_next(). */
static int step(struct bcoslog *log, struct bcoslog_check *check, size_t *at, unsigned int options)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int r;

	if (!(options & BATCHES)) {
		r = bcoslog_next(log, &entry);
		if (r > 0)
			*at = take(check, entry, bcoslog_offset(log), *at, options);
		return r;
	}
	r = bcoslog_batch(log, &batch);
	if (r > 0) {
		demand(batch.first != batch.end);
		bcoslog_each(entry, &batch)
			*at = take(check, entry, bcoslog_batch_offset(&batch, entry), *at, options);
	}
	return r;
}

static void report(void *context, const struct bcoslog_violation *violation)
{
	demand(violation->word && violation->reason);
}

static void read_all(unsigned int options)
{
	struct bcoslog_check *check = bcoslog_check_new(report, NULL);
	struct bcoslog *log;
	int fd = begin(&log, options), r, expected;
	size_t at = 0;

	for (;;) {
		r = step(log, check, &at, options);
		if (r > 0)
			continue;
		expected = expect(at, options);
		if (!r && writer >= 0) {
			feed(4096);
			continue;
		}
		if (r != -EBADMSG)
			break;
		demand(bcoslog_error(log)->offset == at && expected < 0);
		bcoslog_check_damage(check, bcoslog_error(log));
		r = bcoslog_skip(log);
		demand(r == (expected == -EPROTO ? -EBADMSG : 0));
		if (r)
			break;
		at += ((const struct bcos_entry *)(tape + at))->size;
	}
	demand(r == -EBADMSG || (!r && !expected));
	bcoslog_check_end(check);
	bcoslog_check_free(check);
	bcoslog_close(log);
	if (writer >= 0)
		close(writer);
	writer = -1;
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > SOURCE_BUFFER)
		return 0;
	length = 0;
	if (data[0] & FAR)
		put_filler(SOURCE_BUFFER - 4 * (size_t)data[1] - 60);
	memcpy(tape + length, data + 2, size - 2);
	length += size - 2;
	read_all(data[0]);
	return 0;
}
