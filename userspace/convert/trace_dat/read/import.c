// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The importer for recordings of trace-cmd: scheduler, interrupts, and EventHeader events of programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../convert.h"
#include "../../bytes.h"
#include "../../tracepoints/read/read.h"
#include "read.h"

/* The largest size of a page that is believed. */
#define PAGE_MAX (16u << 20)

struct trace_import {
	struct import *import;
	struct trace_dat file;
	struct story *story;
	u32 cpu;		/* the CPU whose pages are being read */
	u64 *numbers;		/* while a buffer is only counted: how many records there are of each number; else NULL */
	u64 short_records;	/* records that are too short to be ones */
};

/* ---- pages ---- */

static u64 in_ns(const struct trace_dat *file, u64 time)
{
	if (file->tsc && !strcmp(file->clock, "x86-tsc"))
		time = (u64)((unsigned __int128)time * file->mult >> file->tsc_shift) + file->tsc_offset;
	return time + (u64)file->shift;
}

/* Takes a record, which begins with the common fields u16 number, u8 flags, u8 count, u32 thread. */
static int take_record(void *context, u64 time, const u8 *bytes, size_t size)
{
	struct trace_import *own = context;
	struct occasion when = { .time = in_ns(&own->file, time), .cpu = own->cpu };

	if (size < 8) {
		own->short_records++;
		return 0;
	}
	if (own->numbers) {
		own->numbers[get16(bytes, own->file.big)]++;
		return 0;
	}
	when.pid = when.tid = get32(bytes + 4, own->file.big);
	return story_record(own->story, &when, bytes, size, own->file.big);
}

static int take_lost(void *context, u64 time, u64 count)
{
	struct trace_import *own = context;
	const struct occasion when = { .time = in_ns(&own->file, time), .cpu = own->cpu, .pid = 0xFFFFFFFF };

	return own->numbers ? 0 : story_lost(own->story, &when, count ? count : 1);
}

static int read_pages(struct trace_import *own, const struct trace_buffer *buffer, const u8 *bytes, size_t size)
{
	const struct page_reader reader = {
		.big = own->file.big, .long_size = own->file.long_size, .context = own, .record = take_record,
		.lost = take_lost,
	};
	size_t at, length;
	int r = 0;

	for (at = 0; at < size && !r; at += length) {
		length = size - at < buffer->page_size ? size - at : buffer->page_size;
		r = page_read(&reader, bytes + at, length);
	}
	return r == -EBADMSG ? trace_dat_damaged(&own->file, "a page of its buffer is damaged") : r;
}

static int read_plain(struct trace_import *own, const struct trace_buffer *buffer, const struct trace_cpu *cpu, u8 *page)
{
	size_t length;
	u64 at;
	int r = 0;

	for (at = 0; at < cpu->size && !r; at += length) {
		if (convert_interrupted())
			return -EINTR;
		length = cpu->size - at < buffer->page_size ? (size_t)(cpu->size - at) : buffer->page_size;
		if (!input_at(own->import->input, cpu->offset + at, page, length))
			return trace_dat_damaged(&own->file, "it ends within its pages");
		r = read_pages(own, buffer, page, length);
	}
	return r;
}

/* Reads a chunk of pages: u32 compressed size, u32 size, data. */
static int read_chunk(struct trace_import *own, const struct trace_buffer *buffer, struct cursor *cursor)
{
	u32 packed, size;
	u8 *from, *to;
	int r;

	if (!cursor_take32(cursor, &packed) || !cursor_take32(cursor, &size) || packed > TRACE_DAT_MAX ||
	    packed > own->import->input->size || size > TRACE_DAT_MAX)
		return trace_dat_damaged(&own->file, "its compressed pages are damaged");
	from = malloc(packed ? packed : 1);
	to = malloc(size ? size : 1);
	r = from && to ? 0 : -ENOMEM;
	if (!r && !cursor_take(cursor, from, packed))
		r = trace_dat_damaged(&own->file, "it ends within its pages");
	if (!r)
		r = trace_dat_unpack(&own->file, from, packed, to, size);
	if (!r)
		r = read_pages(own, buffer, to, size);
	free(from);
	free(to);
	return r;
}

static int read_compressed(struct trace_import *own, const struct trace_buffer *buffer, const struct trace_cpu *cpu)
{
	struct cursor cursor = { &own->file, cpu->offset };
	u32 chunks;
	int r = 0;

	if (!cpu->size)
		return 0;
	if (!cursor_take32(&cursor, &chunks))
		return trace_dat_damaged(&own->file, "it ends within its pages");
	for (; chunks && !r; chunks--)
		r = convert_interrupted() ? -EINTR : read_chunk(own, buffer, &cursor);
	return r;
}

static int read_buffer(struct trace_import *own, const struct trace_buffer *buffer)
{
	const struct trace_dat *file = &own->file;
	u8 *page;
	u32 i;
	int r = 0;

	if (file->long_size != 4 && file->long_size != 8)
		return trace_dat_damaged(&own->file, "the size of its kernel's long is neither 4 nor 8");
	if (buffer->page_size < 64 || buffer->page_size > PAGE_MAX)
		return trace_dat_damaged(&own->file, "the size of its pages is invalid");
	page = malloc(buffer->page_size);
	if (!page)
		return -ENOMEM;
	for (i = 0; i < buffer->count && !r; i++) {
		own->cpu = buffer->cpus[i].cpu;
		r = buffer->compressed ? read_compressed(own, buffer, &buffer->cpus[i]) :
					 read_plain(own, buffer, &buffer->cpus[i], page);
	}
	free(page);
	return r;
}

/* Counts the events in the buffers of other instances, which are left out. */
static int count_others(struct trace_import *own)
{
	char kind[EVENTHEADER_NAME_MAX + 32];
	u32 i;
	int r = 0;

	if (!own->file.others_count)
		return 0;
	own->numbers = calloc(65536, sizeof(*own->numbers));
	if (!own->numbers)
		return -ENOMEM;
	for (i = 0; i < own->file.others_count && !r; i++)
		r = read_buffer(own, &own->file.others[i]);
	for (i = 0; i < 65536; i++) {
		if (!own->numbers[i])
			continue;
		tracepoints_name(own->file.points, (u16)i, kind, EVENTHEADER_NAME_MAX);
		strcat(kind, " in another buffer");
		left_out_add(&own->import->left, kind, "the log is that of the first buffer with records", own->numbers[i]);
	}
	free(own->numbers);
	own->numbers = NULL;
	return r;
}

/* ---- names ---- */

/* Takes the names of threads, in lines of "TID NAME". */
static int take_names(struct trace_import *own)
{
	const char *at = own->file.names, *end, *line_end, *name;
	u32 tid;
	int r = 0;

	if (!at)
		return 0;
	for (end = at + own->file.names_size; at < end && !r; at = line_end + 1) {
		line_end = memchr(at, '\n', (size_t)(end - at));
		if (!line_end)
			break;
		name = memchr(at, ' ', (size_t)(line_end - at));
		if (!name || *at < '0' || *at > '9')
			continue;
		for (tid = 0; *at >= '0' && *at <= '9'; at++)
			tid = tid * 10 + (u32)(*at - '0');
		name++;
		r = story_rumour(own->story, tid, name, (size_t)(line_end - name));
	}
	return r;
}

/* ---- the log ---- */

static void find_clock(const struct trace_dat *file, struct story_clock *clock)
{
	static const struct {
		const char *name, *is;
	} known[] = {
		{ "local",
		  "ns since boot, without the time that the machine was suspended, as the scheduler of each CPU "
		  "counts them" },
		{ "global",
		  "ns since boot, without the time that the machine was suspended, as the scheduler counts them" },
		{ "perf",
		  "ns since boot, without the time that the machine was suspended, as the scheduler counts them" },
		{ "mono", "ns since boot, without the time that the machine was suspended" },
		{ "mono_raw", "ns since boot, without the time that the machine was suspended, and not disciplined" },
		{ "boot", "ns since boot" },
		{ "tai", "ns since 1970, so that the time of the boot is not known" },
		{ "uptime", "ns since boot, in steps of a tick of the kernel" },
		{ "counter", "no times, but the order of the records" },
	};
	size_t i;

	clock->name = file->clock;
	clock->is = "their relation to the boot is not known";
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(file->clock, known[i].name))
			clock->is = known[i].is;
	if (file->tsc && !strcmp(file->clock, "x86-tsc"))
		clock->is = "ns since boot, reckoned from counts of the TSC";
	snprintf(clock->kernel, sizeof(clock->kernel), "%s", file->kernel);
}

static int tell_damage(struct trace_import *own, int damage)
{
	struct story_clock clock = { 0 };

	left_out_add(&own->import->left, "record without a number", LEFT_OUT_DAMAGED, own->short_records);
	find_clock(&own->file, &clock);
	return story_finish(own->story, own->import, false, &clock, damage);
}

static int read_all(struct trace_import *own)
{
	int r = trace_dat_begin(&own->file);

	if (!r)
		r = take_names(own);
	if (!r && own->file.buffer.count)
		r = read_buffer(own, &own->file.buffer);
	if (!r)
		r = count_others(own);
	return r || !own->file.cut ? r : trace_dat_damaged(&own->file, "it ends within a section");
}

static int run_import(struct import *import)
{
	struct trace_import own = { .import = import };
	struct tracepoints *points = tracepoints_new();
	int r = -ENOMEM;

	own.file.input = import->input;
	own.file.points = points;
	own.story = points ? story_new(points, import->input) : NULL;
	if (own.story)
		r = read_all(&own);
	r = story_read_failed(own.story, import, r, own.file.reason);
	if (!r || r == -EBADMSG)
		r = tell_damage(&own, r);
	story_free(own.story);
	tracepoints_free(points);
	trace_dat_end(&own.file);
	return r;
}

static bool recognizes_trace_dat(const char *path, const u8 *bytes, size_t size)
{
	(void)path;
	return size >= TRACE_DAT_MAGIC_SIZE && !memcmp(bytes, TRACE_DAT_MAGIC, TRACE_DAT_MAGIC_SIZE);
}

const struct importer trace_dat_importer = {
	.name = "trace-cmd",
	.also = "trace.dat",
	.suffix = ".dat",
	.help = "trace.dat of trace-cmd: scheduler, interrupts, EventHeader events",
	.recognizes = recognizes_trace_dat,
	.run = run_import,
};
