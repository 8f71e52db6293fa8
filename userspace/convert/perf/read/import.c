// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The importer for recordings of perf: scheduler, interrupts, and EventHeader events of programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../carried/carried.h"
#include "../../cpus.h"
#include "read.h"
#include "../../tracepoints/read/read.h"

/**
 * struct perf_losses - what a recording says about the losses of a CPU
 * @lost: the sum of PERF_RECORD_LOST, which the kernel writes where records are missing
 * @samples: the sum of PERF_RECORD_LOST_SAMPLES, which perf adds at the end from the counts of the events
 * @place: the time of the record before the latest PERF_RECORD_LOST_SAMPLES
 */
struct perf_losses {
	u64 lost, samples, place;
};

/* No machine has more CPUs. */
#define TRACE_CPUS 8192u

struct perf_import {
	struct import *import;
	struct perf_reader reader;
	struct tracepoints *points;
	struct story *story;
	struct story_clock clock;
	bool described;		/* the recording describes tracepoints */
	u64 last;		/* the time of the latest record so far; 0: none had one */
	struct perf_losses *losses;	/* of each CPU */
	u32 losses_count;
	u64 lost, samples;	/* the sums of all CPUs */
	u64 untimed, unlike;	/* samples without a time, and those that are of no tracepoint */
	u64 kinds[PERF_HEADER_ATTR];	/* records that are left out */
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
		return -ENOTSUP;
	default:
		return 0;
	}
}

/* ---- records ---- */

static struct occasion sample_occasion(struct perf_import *own, const struct perf_sample *sample)
{
	struct occasion when = {
		.time = sample->time, .cpu = sample->has & PERF_CPU ? sample->cpu : OCCASION_NO_CPU,
		.pid = sample->has & PERF_TID ? sample->pid : 0xFFFFFFFF, .tid = sample->tid,
	};

	/* A record without a time came after the one before it; nothing says how long after. */
	if (!(sample->has & PERF_TIME)) {
		when.time = own->last;
		when.precision = own->last ? SINCE_BOOT : 0;
	} else if (when.time > own->last) {
		own->last = when.time;
	}
	return when;
}

static int take_sample(struct perf_import *own, const struct perf_record *record)
{
	struct perf_sample sample;
	struct occasion when;

	if (!perf_parse_sample(&own->reader, record, &sample)) {
		own->reader.reason = "a sample is not what its attribute says";
		return -EBADMSG;
	}
	if (sample.attr->type != PERF_ATTR_TRACEPOINT || !sample.raw) {
		own->unlike++;
		return 0;
	}
	if (!(sample.has & PERF_TIME)) {
		own->untimed++;
		return 0;
	}
	when = sample_occasion(own, &sample);
	return story_record(own->story, &when, sample.raw, sample.raw_size, own->reader.big);
}

static int say_short(struct perf_import *own)
{
	own->reader.reason = "a record is too short";
	return -EBADMSG;
}

/* Takes a fork or an exit: u32 process, parent, thread, parent's thread, u64 time. */
static int take_life(struct perf_import *own, const struct perf_record *record, struct occasion *when)
{
	bool big = own->reader.big;

	if (record->size < 24)
		return say_short(own);
	when->pid = get32(record->bytes, big);
	when->tid = get32(record->bytes + 8, big);
	when->time = get64(record->bytes + 16, big);
	when->precision = 0;
	if (record->type == PERF_EXIT)
		return story_exit(own->story, when);
	return story_fork(own->story, when, get32(record->bytes + 4, big));
}

/* Takes the name of a thread: u32 process, thread, then the name up to a zero. */
static int take_name(struct perf_import *own, const struct perf_record *record, struct occasion *when, size_t left)
{
	bool big = own->reader.big;

	if (left < 8)
		return say_short(own);
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
		return say_short(own);
	when->pid = get32(record->bytes, own->reader.big);
	when->tid = when->pid;
	file = (const char *)record->bytes + before;
	length = strnlen(file, left - before);
	slash = memrchr(file, '/', length);
	if (!slash || (s32)when->pid <= 0)
		return 0;
	return story_map(own->story, when, slash + 1, length - (size_t)(slash + 1 - file));
}

/* ---- losses ---- */

static int take_lost(struct perf_import *own, const struct perf_record *record, const struct occasion *when)
{
	bool sum = record->type == PERF_LOST_SAMPLES, timed = !when->precision && when->time;
	u64 count = get64(record->bytes + (sum ? 0 : 8), own->reader.big);
	u32 cpu = when->cpu < TRACE_CPUS ? when->cpu : 0;
	struct perf_losses *losses;

	if (cpu >= own->losses_count) {
		losses = cpus_grow(own->losses, &own->losses_count, sizeof(*losses), cpu);
		if (!losses)
			return -ENOMEM;
		own->losses = losses;
	}
	losses = &own->losses[cpu];
	if (sum) {
		losses->samples += count;
		losses->place = own->last;
		own->samples += count;
		return 0;
	}
	losses->lost += count;
	own->lost += count;
	return timed ? story_lost(own->story, &(struct occasion){ .time = when->time, .cpu = cpu }, count) :
		       story_lost_somewhere(own->story, &(struct occasion){ .time = own->last, .cpu = cpu }, count);
}

/*
 * Both kinds of records tell of the same losses. A sum may have more of them, which were lost after the last record of its
 * CPU that the kernel could write.
 */
static int take_more_lost(struct perf_import *own)
{
	u64 left = own->samples > own->lost ? own->samples - own->lost : 0, more;
	const struct perf_losses *losses;
	u32 cpu;
	int r = 0;

	for (cpu = 0; cpu < own->losses_count && left && !r; cpu++) {
		losses = &own->losses[cpu];
		more = losses->samples > losses->lost ? losses->samples - losses->lost : 0;
		more = more < left ? more : left;
		left -= more;
		if (more)
			r = story_lost_somewhere(own->story,
						 &(struct occasion){ .time = losses->place, .cpu = cpu }, more);
	}
	return r;
}

static int take_record(struct perf_import *own, const struct perf_record *record)
{
	struct perf_sample added;
	struct occasion when;
	size_t left;

	if (record->type == PERF_SAMPLE)
		return take_sample(own, record);
	perf_parse_trailer(&own->reader, record, &added, &left);
	when = sample_occasion(own, &added);
	switch (record->type) {
	case PERF_COMM:
		return take_name(own, record, &when, left);
	case PERF_FORK:
	case PERF_EXIT:
		return take_life(own, record, &when);
	case PERF_MMAP:
	case PERF_MMAP2:
		own->kinds[record->type]++;
		return take_map(own, record, &when, left);
	case PERF_LOST:
	case PERF_LOST_SAMPLES:
		if (left < (record->type == PERF_LOST ? 16u : 8u))
			return say_short(own);
		return take_lost(own, record, &when);
	default:
		own->kinds[record->type]++;
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
	return r && r != -EBADMSG ? r : (take_more_lost(own) ? : r);
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

static void leave_out(struct perf_import *own)
{
	static const char *const names[PERF_HEADER_ATTR] = {
		[PERF_MMAP] = "PERF_RECORD_MMAP", [PERF_MMAP2] = "PERF_RECORD_MMAP2", [5] = "PERF_RECORD_THROTTLE", [6] = "PERF_RECORD_UNTHROTTLE", [8] = "PERF_RECORD_READ",
		[11] = "PERF_RECORD_AUX", [12] = "PERF_RECORD_ITRACE_START", [14] = "PERF_RECORD_SWITCH",
		[15] = "PERF_RECORD_SWITCH_CPU_WIDE", [16] = "PERF_RECORD_NAMESPACES",
		[17] = "PERF_RECORD_KSYMBOL", [18] = "PERF_RECORD_BPF_EVENT", [19] = "PERF_RECORD_CGROUP",
		[20] = "PERF_RECORD_TEXT_POKE", [21] = "PERF_RECORD_AUX_OUTPUT_HW_ID",
	};
	struct left_out *left = &own->import->left;
	char name[32];
	u32 i;

	left_out_add(left, "sample without a time", "nothing tells when they happened", own->untimed);
	left_out_add(left, "sample that is of no tracepoint", LEFT_OUT_NO_ENTRY, own->unlike);
	for (i = 0; i < PERF_HEADER_ATTR; i++) {
		snprintf(name, sizeof(name), "PERF_RECORD number %u", i);
		left_out_add(left, names[i] ? names[i] : name,
			     i == PERF_MMAP || i == PERF_MMAP2 ? "they name only processes that have no name yet" :
								 LEFT_OUT_NO_ENTRY, own->kinds[i]);
	}
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
	leave_out(own);
	return story_finish(own->story, own->import, is_grouped(own), &own->clock, damage);
}

static int run_import(struct import *import)
{
	struct perf_import own = { .import = import };
	int r = carried_take_tail(import);

	if (r)
		return r < 0 ? r : 0;
	r = -ENOMEM;
	own.reader.input = import->input;
	own.reader.feature = take_feature;
	own.reader.context = &own;
	own.points = tracepoints_new();
	own.story = own.points ? story_new(own.points, import->input) : NULL;
	if (own.story)
		r = read_all(&own);
	r = story_read_failed(own.story, import, r, own.reader.reason);
	if (!r || r == -EBADMSG)
		r = tell_damage(&own, r);
	story_free(own.story);
	tracepoints_free(own.points);
	perf_reader_end(&own.reader);
	free(own.losses);
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
