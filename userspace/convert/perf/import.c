// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The importer for recordings of perf: scheduler, interrupts, and EventHeader events of programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../convert.h"
#include "import.h"
#include "reader.h"
#include "story.h"

struct perf_import {
	struct import *import;
	struct perf_reader reader;
	struct tracepoints *points;
	struct story *story;
	struct story_clock clock;
	bool described;		/* the recording describes tracepoints */
	u64 wall, wall_time;	/* times of the wall clock and of the clock wall_clockid at one moment */
	u32 wall_clockid;
};

/* ---- features ---- */

/*
 * Reads the feature with the descriptions of tracepoints: a magic, the version "0.6", byte order, size of a long, u32
 * size of a page.
 */
static int describe_events(struct perf_import *own, const u8 *bytes, size_t size)
{
	static const char magic[] = "\x17\x08\x44" "tracing";
	const u8 *version = bytes + sizeof(magic) - 1, *zero;
	bool big;

	if (size < 20 || memcmp(bytes, magic, sizeof(magic) - 1))
		return -EBADMSG;
	zero = memchr(version, 0, size - (size_t)(version - bytes));
	if (!zero || bytes + size - zero < 7)
		return -EBADMSG;
	big = zero[1];
	own->described = true;
	zero += 7;
	return tracepoints_describe_all(own->points, zero, (size_t)(bytes + size - zero), big, NULL);
}

/* Takes a text: u32 length, then the text, which zeros may fill up. */
static void take_text(struct perf_import *own, char text[256], const char *word, const u8 *bytes, size_t size)
{
	u32 length;

	if (size < 4)
		return;
	length = get32(bytes, own->reader.big);
	length = length < size - 4 ? length : (u32)size - 4;
	snprintf(text, 256, "%s %.*s", word, (int)strnlen((const char *)bytes + 4, length), (const char *)bytes + 4);
}

/* Takes the feature of the clocks: u32 version, u32 clock ID, u64 wall clock, u64 clock. */
static void take_clock(struct perf_import *own, const u8 *bytes, size_t size)
{
	if (size < 24)
		return;
	own->wall_clockid = get32(bytes + 4, own->reader.big);
	own->wall = get64(bytes + 8, own->reader.big);
	own->wall_time = get64(bytes + 16, own->reader.big);
}

static int take_feature(void *context, unsigned int feature, const u8 *bytes, size_t size)
{
	struct perf_import *own = context;
	int r = 0;

	switch (feature) {
	case PERF_TRACING_DATA:
		r = describe_events(own, bytes, size);
		if (r == -EBADMSG)
			own->reader.reason = "its descriptions of tracepoints are damaged";
		return r;
	case PERF_HOSTNAME:
		take_text(own, own->clock.host, "host", bytes, size);
		return 0;
	case PERF_OSRELEASE:
		take_text(own, own->clock.kernel, "kernel", bytes, size);
		return 0;
	case PERF_CLOCK_DATA:
		take_clock(own, bytes, size);
		return 0;
	case PERF_DIR_FORMAT:
		own->reader.reason = "its data is in a directory (perf record --threads); record without --threads";
		return -EBADMSG;
	default:
		return 0;
	}
}

/* ---- records ---- */

static struct occasion sample_occasion(const struct perf_sample *sample)
{
	return (struct occasion) { sample->time, sample->has & PERF_CPU ? sample->cpu : 0,
				   sample->has & PERF_TID ? sample->pid : 0xFFFFFFFF, sample->tid };
}

static int take_sample(struct perf_import *own, const struct perf_record *record)
{
	struct perf_sample sample;
	struct occasion when;

	if (!perf_parse_sample(&own->reader, record, &sample)) {
		own->reader.reason = "a sample is not what its attribute says";
		return -EBADMSG;
	}
	if (sample.attr->type != PERF_ATTR_TRACEPOINT || !(sample.has & PERF_TIME) || !sample.raw)
		return 0;
	when = sample_occasion(&sample);
	return story_record(own->story, &when, sample.raw, sample.raw_size, own->reader.big);
}

/* Takes a fork or an exit: u32 process, parent, thread, parent's thread, u64 time. */
static int take_life(struct perf_import *own, const struct perf_record *record, struct occasion *when)
{
	bool big = own->reader.big;

	if (record->size < 24)
		return 0;
	when->pid = get32(record->bytes, big);
	when->tid = get32(record->bytes + 8, big);
	if (record->type == PERF_EXIT)
		return story_exit(own->story, when);
	return story_fork(own->story, when, get32(record->bytes + 4, big));
}

/* Takes the name of a thread: u32 process, thread, then the name up to a zero. */
static int take_name(struct perf_import *own, const struct perf_record *record, struct occasion *when, size_t left)
{
	bool big = own->reader.big;

	if (left < 8)
		return 0;
	when->pid = get32(record->bytes, big);
	when->tid = get32(record->bytes + 4, big);
	return story_name(own->story, when, (const char *)record->bytes + 8,
			  strnlen((const char *)record->bytes + 8, left - 8));
}

/*
 * Takes a mapping of a file. It tells that the process exists, and the name of the first file is the name of a process
 * that has none.
 */
static int take_map(struct perf_import *own, const struct perf_record *record, struct occasion *when, size_t left)
{
	size_t before = record->type == PERF_MMAP ? 32 : 64, length;
	const char *file, *slash;

	if (left < before)
		return 0;
	when->pid = get32(record->bytes, own->reader.big);
	when->tid = when->pid;
	file = (const char *)record->bytes + before;
	length = strnlen(file, left - before);
	slash = memrchr(file, '/', length);
	if (!slash || (s32)when->pid <= 0)
		return 0;
	return story_map(own->story, when, slash + 1, length - (size_t)(slash + 1 - file));
}

static int take_record(struct perf_import *own, const struct perf_record *record)
{
	struct perf_sample added;
	struct occasion when;
	size_t left;

	if (record->type == PERF_SAMPLE)
		return take_sample(own, record);
	perf_parse_trailer(&own->reader, record, &added, &left);
	when = sample_occasion(&added);
	switch (record->type) {
	case PERF_COMM:
		return take_name(own, record, &when, left);
	case PERF_FORK:
	case PERF_EXIT:
		return take_life(own, record, &when);
	case PERF_MMAP:
	case PERF_MMAP2:
		return take_map(own, record, &when, left);
	case PERF_LOST:
		return left >= 16 ? story_lost(own->story, &when, get64(record->bytes + 8, own->reader.big)) : 0;
	case PERF_LOST_SAMPLES:
		return left >= 8 ? story_lost(own->story, &when, get64(record->bytes, own->reader.big)) : 0;
	default:
		return 0;
	}
}

static int read_all(struct perf_import *own)
{
	struct perf_record record;
	int r = perf_reader_begin(&own->reader);

	while (!r) {
		if (convert_interrupted())
			return -EINTR;
		r = perf_reader_next(&own->reader, &record);
		if (r <= 0)
			break;
		r = take_record(own, &record);
	}
	return r;
}

/* ---- the log ---- */

static void find_clock(struct perf_import *own)
{
	const struct perf_attr *attr = own->reader.attrs;
	struct story_clock *clock = &own->clock;

	clock->name = "perf";
	clock->is = "ns since boot, without the time that the machine was suspended, as the scheduler counts them";
	if (!attr || !(attr->flags & PERF_FLAG_CLOCKID))
		return;
	switch (attr->clockid) {
	case CLOCK_BOOTTIME:
		clock->name = "CLOCK_BOOTTIME";
		clock->is = "ns since boot";
		break;
	case CLOCK_MONOTONIC:
		clock->name = "CLOCK_MONOTONIC";
		clock->is = "ns since boot, without the time that the machine was suspended";
		break;
	case CLOCK_MONOTONIC_RAW:
		clock->name = "CLOCK_MONOTONIC_RAW";
		clock->is = "ns since boot, without the time that the machine was suspended, and not disciplined";
		break;
	case CLOCK_REALTIME:
		clock->name = "CLOCK_REALTIME";
		clock->is = "ns since 1970, so that the time of the boot is not known";
		break;
	default:
		clock->name = "of its own choice";
		clock->is = "their relation to the boot is not known";
	}
	clock->wall = own->wall && own->wall_clockid == (u32)attr->clockid;
	clock->utc = own->wall;
	clock->time = own->wall_time;
}

static bool is_grouped(const struct perf_import *own)
{
	size_t i;

	for (i = 0; i < own->reader.attrs_count; i++)
		if (own->reader.attrs[i].flags & (PERF_FLAG_COMM | PERF_FLAG_TASK))
			return true;
	return false;
}

/* Tells all that could be read, even if the rest is damaged. */
static int tell_damage(struct perf_import *own, int damage)
{
	if (!damage && !own->described) {
		complain(
			"%s: it describes no tracepoints; record with perf sched record, or perf record -e sched:sched_switch",
			own->import->path);
		return -EILSEQ;
	}
	find_clock(own);
	return story_finish(own->story, own->import, is_grouped(own), &own->clock, damage);
}

static int run_import(struct import *import)
{
	struct perf_import own = { .import = import };
	int r = -ENOMEM;

	own.reader.input = import->input;
	own.reader.feature = take_feature;
	own.reader.context = &own;
	own.points = tracepoints_new();
	own.story = own.points ? story_new(own.points, import->input->size) : NULL;
	if (own.story)
		r = read_all(&own);
	r = story_read_failed(own.story, import, r, own.reader.reason);
	if (!r || r == -EBADMSG)
		r = tell_damage(&own, r);
	story_free(own.story);
	tracepoints_free(own.points);
	perf_reader_end(&own.reader);
	return r;
}

static bool recognizes_perf(const char *path, const u8 *bytes, size_t size)
{
	(void)path;
	return size >= 8 && (!memcmp(bytes, PERF_MAGIC, 8) || !memcmp(bytes, PERF_MAGIC_SWAPPED, 8));
}

const struct importer perf_importer = {
	.name = "perf",
	.also = "eventheader",
	.suffix = ".data",
	.help = "perf.data: scheduler, interrupts, EventHeader events",
	.recognizes = recognizes_perf,
	.run = run_import,
};
