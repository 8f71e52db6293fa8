// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Makes logs in which turns, and events of their own, tell of wakings, and reads them with BCOSLOG_WAKINGS: each waking is
 * there once, before what tells of it, and at its time if the reader has all of the log; all else is as in the log, and
 * at its place; and the times go back only where those of the log do.
 *
 * Input: an option byte, then four bytes for each entry: its kind, its time after the entry before, and how much earlier the
 * waking was.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/format/thread_text.h"
#include "reader/reader.h"
#include "reader/handle_host.h"

#define PIPED 1		/* from a pipe, in which the reader gets to the present end after each 16 entries */
#define BATCHES 2
#define PAUSES 4	/* and after those whose kind has a bit */
#define SMALL 8		/* times differ by nanoseconds, so there are many wakings in the span */

#define ENTRIES_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct made_entry {
	size_t at, size;
	u64 time;
	u64 waking;		/* when the thread was woken of which it tells; 0: it tells of none */
	unsigned int era;	/* how often the times went back before */
	bool late, given;	/* it is no more than a waking; the caller got it, or the waking of a late one */
};

static u8 tape[ENTRIES_MAX * 128];
static struct made_entry entries[ENTRIES_MAX];
static size_t count, length;
static bool whole;	/* the reader has all of the log before it gives any of it */

static void demand_that(bool holds)
{
	if (!holds)
		abort();
}

static void put_entry(struct bcos_entry header, const void *body, size_t bytes)
{
	header.size = (u16)(sizeof(header) + (bytes + 3) / 4 * 4);
	memset(tape + length, 0, header.size);
	memcpy(tape + length, &header, sizeof(header));
	memcpy(tape + length + sizeof(header), body, bytes);
	entries[count].at = length;
	entries[count].size = header.size;
	entries[count].time = header.time;
	length += header.size;
	count++;
}

static void put_thread(struct bcos_entry header, struct bcos_thread_phrase *phrase)
{
	struct {
		u32 id;
		u8 severity;
		char text[BCOS_THREAD_TEXT];
	} __attribute__((packed)) event = { .id = bcos_thread_event(phrase), .severity = 64 };
	size_t text = bcos_thread_format(event.text, phrase, header.source);

	header.type = BCOS_GENERIC_PROCESS;
	put_entry(header, &event, 5 + text);
}

/* Makes an entry of four bytes, which follows one of the time @before.  Return: its time. */
static u64 make_one(const u8 *data, u64 before, unsigned int options)
{
	u64 unit = options & SMALL ? 1 : 300000;
	u64 time = before + data[1] * unit, delay = (data[2] & 31) * unit;
	struct bcos_entry header = { .source = 20 + (data[3] & 3), .precision = 1 };
	struct bcos_thread_phrase phrase = { .thread = 20 + (data[3] & 7), .has_cpu = true, .cpu = data[3] >> 6 };

	if ((data[0] & 0xF0) == 0xF0)
		time = before / 2 + 1;
	header.time = time;
	if (delay > BCOS_WAKING_SPAN)
		delay = BCOS_WAKING_SPAN;
	if (delay >= time)
		delay = time - 1;
	phrase.by = data[2] & 32 ? BCOS_WOKEN_BY_TIMER : BCOS_WOKEN_BY_THREAD;
	phrase.waker = phrase.waker_thread = 30;
	phrase.has_waker_cpu = true;
	phrase.waker_cpu = data[2] >> 6;
	phrase.delay = delay;
	entries[count] = (struct made_entry){ 0 };
	switch (data[0] & 7) {
	case 0:
	case 1:
		phrase.state = BCOS_STATE_RUNS;
		entries[count].waking = time - delay;
		put_thread(header, &phrase);
		break;
	case 2:
		phrase.state = BCOS_STATE_WOKEN;
		phrase.cpu = phrase.waker_cpu;
		entries[count].late = delay;
		entries[count].waking = delay ? time - delay : 0;
		put_thread(header, &phrase);
		break;
	case 3:
		phrase = (struct bcos_thread_phrase){ .thread = phrase.thread, .state = BCOS_STATE_RUNS, .has_cpu = true };
		put_thread(header, &phrase);
		break;
	case 4:
		header.type = BCOS_SET_PROCESS_NAME | BCOS_TYPE_HISTORICAL;
		header.time = time / 2;
		put_entry(header, "old", 3);
		return before;
	case 5:
		/* Its size is odd, which others than bcos_evlog may write. */
		header.type = BCOS_SET_PROCESS_NAME;
		put_entry(header, "odd", 3);
		length--;
		whole = false;
		entries[count - 1].size--;
		tape[entries[count - 1].at]--;
		break;
	default:
		header.type = BCOS_SET_PROCESS_NAME;
		put_entry(header, "name", 4);
	}
	return time;
}

static void make_log(const u8 *data, size_t size, unsigned int options)
{
	u64 time = 1000000000, before;
	unsigned int era = 0;

	count = length = 0;
	whole = !(options & PIPED);
	for (; size >= 4 && count < ENTRIES_MAX; data += 4, size -= 4) {
		before = time;
		time = make_one(data, before, options);
		era += time < before;
		entries[count - 1].era = era;
	}
}

/* What the caller got until now. */
struct told {
	u64 time;
	unsigned int era;
	size_t next;		/* number of the entry that comes next, of those that are more than a waking */
	size_t woken;		/* all late wakings before this number are given */
};

static struct made_entry *entry_at(u64 offset)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (entries[i].at == offset)
			return &entries[i];
	abort();
}

static void skip_late(struct told *told)
{
	while (told->next < count && entries[told->next].late)
		told->next++;
}

/* Demands that all late wakings before an entry are given. */
static void check_late(struct told *told, const struct made_entry *end)
{
	for (; &entries[told->woken] < end; told->woken++)
		demand_that(!entries[told->woken].late || entries[told->woken].given);
}

static void take_time(struct told *told, const struct made_entry *made, u64 time)
{
	demand_that(made->era >= told->era);
	if (made->era > told->era)
		told->time = 0;
	demand_that(time >= told->time);
	told->era = made->era;
	told->time = time;
}

static void take_waking(struct told *told, const struct bcos_entry *entry, struct made_entry *made)
{
	struct bcos_thread_phrase phrase;

	demand_that(made->waking && !made->given && entry->time <= made->time);
	demand_that(entry->time >= made->waking && (!whole || entry->time == made->waking));
	demand_that(bcos_thread_read(&phrase, entry) && phrase.by && !phrase.delay);
	take_time(told, made, entry->time);
	demand_that(made->late || &entries[told->next] <= made);
	made->waking = 0;
	made->given = made->late;
}

static void take_entry(struct told *told, const struct bcos_entry *entry, u64 offset)
{
	struct made_entry *made = entry_at(offset);
	struct bcos_thread_phrase phrase;

	if (entry->type == BCOS_GENERIC_PROCESS && ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_THREAD_WOKEN &&
	    (made->late || made->waking)) {
		take_waking(told, entry, made);
		return;
	}
	skip_late(told);
	demand_that(made == &entries[told->next++] && entry->size == made->size && !made->waking);
	if (!(entry->type & BCOS_TYPE_HISTORICAL)) {
		check_late(told, made);
		take_time(told, made, entry->time);
	}
	demand_that(!memcmp(entry, tape + offset, sizeof(*entry)));
	if (entry->type == BCOS_GENERIC_PROCESS)
		demand_that(bcos_thread_read(&phrase, entry) && (!phrase.by || phrase.state == BCOS_STATE_WOKEN));
	else
		demand_that(!memcmp(entry, tape + offset, made->size));
}

/* Takes what there is.  Return: as bcoslog_next(). */
static int take_all(struct bcoslog *log, struct told *told, unsigned int options)
{
	const struct bcos_entry *entry;
	struct bcoslog_batch batch;
	int r;

	if (options & BATCHES)
		while ((r = bcoslog_batch(log, &batch)) > 0)
			bcoslog_each(entry, &batch)
				take_entry(told, entry, bcoslog_batch_offset(&batch, entry));
	else
		while ((r = bcoslog_next(log, &entry)) > 0)
			take_entry(told, entry, bcoslog_offset(log));
	return r;
}

static int open_log(int ends[2], unsigned int options)
{
	ends[1] = -1;
	if (options & PIPED)
		return pipe(ends);
	ends[0] = memfd_create("log", 0);
	return write(ends[0], tape, length) == (ssize_t)length && !lseek(ends[0], 0, SEEK_SET) ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct told told = { 0 };
	struct bcoslog_error error;
	struct bcoslog *log;
	unsigned int options;
	int ends[2];
	size_t i;

	if (size < 5)
		return 0;
	options = data[0];
	make_log(data + 1, size - 1, options);
	demand_that(!open_log(ends, options) && !bcoslog_open_fd(&log, ends[0], "log", BCOSLOG_WAKINGS, &error));
	for (i = 0; options & PIPED && i < count; i++) {
		demand_that(write(ends[1], tape + entries[i].at, entries[i].size) == (ssize_t)entries[i].size);
		if (i % 16 == 15 || (options & PAUSES && data[1 + 4 * i] & 8))
			demand_that(!take_all(log, &told, options));
	}
	if (ends[1] >= 0)
		close(ends[1]);
	demand_that(!take_all(log, &told, options));
	skip_late(&told);
	check_late(&told, entries + count);
	demand_that(told.next == count);
	bcoslog_close(log);
	close(ends[0]);
	return 0;
}
