// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any bytes to the library as a log: it returns exactly the entries that a plain walk over the bytes finds, one
 * by one and in batches, from a file and from a pipe. It goes on after damage where the walk does, and calls the same
 * bytes no log. State and check accept any entries.
 *
 * Input: an option byte, a byte that says how far before the end of the reader's buffer the log begins, then the log.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/check.h"
#include "reader/reader.h"
#include "reader/handle_host.h"
#include "demand.h"

#define PIPED 1		/* read from a pipe that gets a page at a time */
#define BATCHES 2
#define LIMITED 4	/* as for the log of a device: newer entries do not belong to it */
#define CHECKED 8
#define FAR 16		/* after so much filler that the log lies across the end of the buffer */

#define LIMIT 0x4000000000000000ull

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u8 tape[2 * HANDLE_BUFFER];
static size_t length;
static int writer = -1;
static size_t written;

/* Puts kernel API entries on the tape, with @size bytes in all. */
static void put_filler(size_t size)
{
	struct bcos_entry entry = { .type = BCOS_KERNEL_API };
	size_t part;

	for (; size; size -= part) {
		part = size > 60000 ? 30000 : size;
		entry.size = (u16)part;
		memcpy(tape + length, &entry, sizeof(entry));
		length += part;
	}
}

static void feed_writer(size_t most)
{
	size_t n = length - written < most ? length - written : most;

	if (writer < 0)
		return;
	demand_that(write(writer, tape + written, n) == (ssize_t)n);
	written += n;
	if (written < length)
		return;
	close(writer);
	writer = -1;
}

static int begin_reading(struct bcoslog **log, unsigned int options)
{
	struct bcoslog_error error;
	int ends[2];

	written = 0;
	if (options & PIPED) {
		demand_that(!pipe(ends));
		writer = ends[1];
		feed_writer(1);
	} else {
		ends[0] = memfd_create("log", 0);
		demand_that(write(ends[0], tape, length) == (ssize_t)length && !lseek(ends[0], 0, SEEK_SET));
	}
	demand_that(!bcoslog_open_fd(log, ends[0], "log", 0, &error));
	if (options & LIMITED)
		(*log)->limit = LIMIT;
	return ends[0];
}

static unsigned int word_at(size_t at)
{
	return at + 2 <= length ? (unsigned int)(tape[at] | tape[at + 1] << 8) : 0;
}

/* Does a group begin here? A core comes first, then cores and CPUs; the third entry may be a process after a CPU. */
static bool is_group(size_t at)
{
	unsigned int seen[3], i;

	for (i = 0; i < 3; at += word_at(at), i++) {
		if (at + 4 > length)
			return false;
		seen[i] = word_at(at + 2);
		if (seen[i] == 0xA000 && (!i || seen[i - 1] == 0xA000) && word_at(at) >= 24 && word_at(at) <= 4120)
			;
		else if (seen[i] == 0xC000 && i && word_at(at) >= 24 && word_at(at) <= 64)
			;
		else
			return i == 2 && seen[i] == 0x8000 && seen[1] == 0xC000 && word_at(at) >= 20;
		if (at + word_at(at) > length)
			return false;
	}
	return true;
}

/* Returns the place of the next group after @at, where reading goes on, or the end if there is none. */
static size_t next_group(size_t at)
{
	while (at < length && !is_group(at))
		at++;
	return at;
}

/* Does the log break off, or leave the reader's buffer, before it has an entry of a known type? */
static bool is_unknown(void)
{
	size_t at;

	for (at = 0; at < length; at += word_at(at)) {
		if (word_at(at) < 20 || (at + 4 <= HANDLE_BUFFER && at + 4 <= length &&
					 bcos_type_of((u16)word_at(at + 2))))
			return word_at(at) < 20;
		if (at + word_at(at) > length || at + word_at(at) > HANDLE_BUFFER)
			return true;
	}
	return false;
}

/*
 * The plain walk expects this result for the entry at @at.  Return: as bcoslog_next(). *@to is the place where reading
 * goes on after damage, or the end if there is none.
 */
static int expect_entry(size_t at, unsigned int options, size_t *to)
{
	enum bcos_malformed what = bcos_entry_check(tape + at, length - at);
	struct bcos_entry header;

	*to = at;
	if (at == length)
		return 0;
	if (!at && is_unknown()) {
		*to = next_group(at + 1);
		return *to == length ? -EILSEQ : -EBADMSG;
	}
	if (what == BCOS_TRUNCATED || what == BCOS_BAD_SIZE) {
		*to = next_group(at + 1);
		return -EBADMSG;
	}
	memcpy(&header, tape + at, sizeof(header));
	if (what != BCOS_WELL_FORMED) {
		*to = at + header.size;
		return -EBADMSG;
	}
	return !(options & LIMITED && header.time > LIMIT && !(header.type & BCOS_TYPE_HISTORICAL));
}

static size_t take_entry(struct bcoslog_check *check, const struct bcos_entry *entry, u64 offset, size_t at,
			 unsigned int options)
{
	size_t to;

	demand_that(offset == at && expect_entry(at, options, &to) == 1);
	demand_that(!((uintptr_t)entry & 3) && !memcmp(entry, tape + at, entry->size));
	if (options & CHECKED)
		demand_that(!bcoslog_check_entry(check, offset, entry));
	return at + entry->size;
}

/* Takes one step with the library.  Return: as bcoslog_next(). */
static int step_library(struct bcoslog *log, struct bcoslog_check *check, size_t *at, unsigned int options)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int r;

	if (!(options & BATCHES)) {
		r = bcoslog_next(log, &entry);
		if (r > 0)
			*at = take_entry(check, entry, bcoslog_offset(log), *at, options);
		return r;
	}
	r = bcoslog_batch(log, &batch);
	if (r > 0) {
		demand_that(batch.first != batch.end);
		bcoslog_each(entry, &batch)
			*at = take_entry(check, entry, bcoslog_batch_offset(&batch, entry), *at, options);
	}
	return r;
}

static void report_violation(void *context, const struct bcoslog_violation *violation)
{
	demand_that(violation->word && violation->reason);
}

/* Can the size of this entry be trusted? */
static bool is_whole(size_t at)
{
	return (at || !is_unknown()) && word_at(at) >= 20 && at + word_at(at) <= length;
}

static void read_all(unsigned int options)
{
	struct bcoslog_check *check = bcoslog_check_new(report_violation, NULL);
	const struct bcoslog_error *error;
	struct bcoslog *log;
	int fd = begin_reading(&log, options), r, expected;
	size_t at = 0, to;

	for (;;) {
		r = step_library(log, check, &at, options);
		if (r > 0)
			continue;
		if (!r && writer >= 0) {
			feed_writer(4096);
			continue;
		}
		expected = expect_entry(at, options, &to);
		demand_that(r == expected);
		if (r != -EBADMSG)
			break;
		error = bcoslog_error(log);
		demand_that(error->offset == at && error->lost == to - at);
		demand_that((error->resumes == BCOSLOG_NOWHERE) == (to == length && !is_whole(at)));
		bcoslog_check_damage(check, error);
		r = bcoslog_skip(log);
		demand_that(r == (error->resumes == BCOSLOG_NOWHERE ? -EBADMSG : 0));
		if (r)
			break;
		at = to;
	}
	bcoslog_check_end(check);
	bcoslog_check_free(check);
	bcoslog_close(log);
	if (writer >= 0)
		close(writer);
	writer = -1;
	close(fd);
}

static u32 first_word(void)
{
	u32 word;

	memcpy(&word, tape, sizeof(word));
	return word;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > HANDLE_BUFFER)
		return 0;
	length = 0;
	if (data[0] & FAR)
		put_filler(HANDLE_BUFFER - 4 * (size_t)data[1] - 60);
	memcpy(tape + length, data + 2, size - 2);
	length += size - 2;
	/* A recording is another kind of file, which archive_fuzz reads. */
	if (length >= 4 && first_word() == 0x184D2A5Bu)
		return 0;
	read_all(data[0]);
	return 0;
}
