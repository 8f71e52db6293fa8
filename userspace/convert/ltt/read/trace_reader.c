// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reads all files of a trace. It reads those of the CPUs side by side, so that events of equal times keep their order.
 */
#include <stdlib.h>

#include "read.h"

/* The file of a CPU, and its next event. */
struct source {
	struct ltt_file file;
	struct ltt_record record;
	char *path;
	u32 cpu, current;
};

static bool is_before(const struct source *a, const struct source *b)
{
	if (a->record.time != b->record.time)
		return a->record.time < b->record.time;
	return a->cpu < b->cpu;
}

/* Moves the element @i of a heap down to its place. */
static void sift_down(struct source **heap, size_t count, size_t i)
{
	struct source *moved = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count && is_before(heap[child + 1], heap[child]))
			child++;
		if (!is_before(heap[child], moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

static int take_gap(struct ltt_reader *reader, u32 cpu, const struct ltt_record *record)
{
	u64 from = record->from ? record->from : record->time;

	return log_loss(reader->log, (struct moment){ from, 0 }, record->time < from ? from : record->time, cpu,
			record->blocks, record->blocks == 1 ? "block of events" : "blocks of events",
			"the trace does not have them");
}

static int take_record(struct ltt_reader *reader, struct source *source)
{
	const struct ltt_record *record = &source->record;

	if (record->kind == LTT_RECORD_GAP)
		return take_gap(reader, source->cpu, record);
	reader->events++;
	if (reader->events == 1 || record->time < reader->start)
		reader->start = record->time;
	if (record->time > reader->last)
		reader->last = record->time;
	return ltt_reader_other(reader, source->cpu, &source->current, record);
}

/* Gets the next event of a file. Returns 1; 0 at the end of the file; or a negative errno. */
static int advance_source(struct ltt_reader *reader, struct source *source)
{
	int r = ltt_file_next(&source->file, &source->record);

	if (r < 0 && r != -ENOMEM) {
		reader->unreadable++;
		return 0;
	}
	return r;
}

static int open_source(struct ltt_reader *reader, struct source *source, char *path, u32 cpu)
{
	int r;

	memset(source, 0, sizeof(*source));
	source->path = path;
	source->cpu = cpu;
	source->current = LTT_UNKNOWN;
	if (!path)
		return -ENOMEM;
	r = ltt_file_open(&source->file, reader->trace, path);
	if (r && r != -ENOMEM) {
		reader->unreadable++;
		return 0;
	}
	reader->cut += !r && source->file.rest;
	return r;
}

/* Nothing says when the last blocks of a file ended that could not be decoded. They may reach to the end of the trace. */
static void close_source(struct ltt_reader *reader, struct source *source)
{
	const struct ltt_record gap = {
		.kind = LTT_RECORD_GAP, .from = source->file.lost_from, .time = reader->last, .blocks = source->file.lost,
	};

	if (gap.blocks)
		take_gap(reader, source->cpu, &gap);
	reader->spoiled += source->file.spoiled;
	reader->missing += source->file.missing;
	ltt_file_close(&source->file);
	free(source->path);
}

static bool is_interrupted(const struct ltt_reader *reader)
{
	return reader->interrupted && !(reader->events & 4095) && reader->interrupted();
}

/* Reads @count files side by side. */
static int merge_sources(struct ltt_reader *reader, struct source *sources, size_t count)
{
	struct source **heap = calloc(count + 1, sizeof(*heap));
	size_t alive = 0, i;
	int r = heap ? 0 : -ENOMEM;

	for (i = 0; !r && i < count; i++) {
		r = sources[i].file.bytes ? advance_source(reader, &sources[i]) : 0;
		if (r > 0)
			heap[alive++] = &sources[i];
		r = r < 0 ? r : 0;
	}
	for (i = alive / 2; i--;)
		sift_down(heap, alive, i);
	while (!r && alive) {
		r = is_interrupted(reader) ? -EINTR : take_record(reader, heap[0]);
		if (r)
			break;
		r = advance_source(reader, heap[0]);
		if (!r)
			heap[0] = heap[--alive];
		if (alive)
			sift_down(heap, alive, 0);
		r = r < 0 ? r : 0;
	}
	free(heap);
	return r;
}

static int read_cpus(struct ltt_reader *reader)
{
	struct ltt_trace *trace = reader->trace;
	size_t count = trace->cpus_count, at, step, i, opened;
	struct source *sources;
	int r = 0;

	step = count * (u64)trace->block > LTT_BLOCKS_MEMORY ? 1 : count;
	sources = calloc(step + 1, sizeof(*sources));
	if (!sources)
		return -ENOMEM;
	for (at = 0; !r && at < count; at += step) {
		for (opened = 0; !r && opened < step; opened++)
			r = open_source(reader, &sources[opened], ltt_trace_cpu_path(trace, trace->cpus[at + opened]),
					trace->cpus[at + opened]);
		if (!r)
			r = merge_sources(reader, sources, step);
		for (i = 0; i < opened; i++)
			close_source(reader, &sources[i]);
	}
	free(sources);
	return r;
}

/* Reads a control file, which belongs to no CPU and may be missing. */
static int read_control(struct ltt_reader *reader, const char *name)
{
	struct source source;
	u64 unreadable = reader->unreadable;
	int r = open_source(reader, &source, ltt_trace_path(reader->trace, name), 0);

	reader->unreadable = unreadable;
	if (!r && source.file.bytes)
		r = merge_sources(reader, &source, 1);
	close_source(reader, &source);
	return r;
}

/* The CPUs exist from the beginning, each with a core of its own. */
static int tell_cpus(struct ltt_reader *reader)
{
	struct moment since = { 0, SINCE_BOOT };
	u32 nothing = 0, i;
	int r = 0;

	for (i = 0; !r && i < reader->trace->cpus_count; i++) {
		r = log_known_core(reader->log, since, reader->trace->cpus[i], 0, 0, &nothing, 1);
		if (!r)
			r = log_known_cpu(reader->log, since, reader->trace->cpus[i], reader->trace->cpus[i]);
	}
	return r;
}

/* Learns the rate of the counter, which control/facilities is often too short to tell. */
static void learn_rate(struct ltt_trace *trace)
{
	char *path;
	u32 i;

	for (i = 0; i < trace->cpus_count && !trace->rate_cycles; i++) {
		path = ltt_trace_cpu_path(trace, trace->cpus[i]);
		if (path)
			ltt_file_learn(trace, path);
		free(path);
	}
}

int ltt_reader_run(struct ltt_reader *reader)
{
	int r;

	learn_rate(reader->trace);
	r = tell_cpus(reader);
	if (!r)
		r = read_cpus(reader);
	if (!r)
		r = read_control(reader, "control/processes");
	if (!r)
		r = read_control(reader, "control/interrupts");
	if (!r)
		r = ltt_reader_system(reader);
	if (!r)
		r = ltt_bookmarks_read(reader->trace, ltt_reader_bookmark, reader);
	if (r)
		return r;
	return reader->spoiled || reader->missing || reader->cut || reader->unreadable || reader->trace->undescribed ?
		-EBADMSG : 0;
}
