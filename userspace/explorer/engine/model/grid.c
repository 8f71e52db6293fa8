// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Making the levels of detail: see grid.h. */
#include <stdlib.h>

#include "grid.h"
#include "model.h"

#define LEVELS 8
#define COARSER 4		/* number of buckets of a level that make a bucket of the next level */
#define BUCKETS_LEAST 2048u	/* a level with fewer buckets is not worth while */
/* The greatest number of mixes of the finest level: 96 MiB.  With fewer, a column of a log of 1 GiB takes too long. */
#define MIXES_MOST (4u << 20)
/* Painting a bucket takes as long as painting so many stretches of each CPU. */
#define STRETCHES 12u

static struct {
	struct level level[LEVELS];
	u32 levels;
} grid;

void mix_add(struct mix *mix, u32 who, bool kernel, float time)
{
	if (who == WHO_IDLE)
		return;
	if (who == WHO_UNKNOWN) {
		mix->unknown += time;
	} else if (who == WHO_OFFLINE) {
		mix->offline += time;
	} else if (kernel) {
		mix->kernel += time;
	} else {
		mix->process += time;
		/*
		 * The process with most of the time follows from the majority vote of Boyer and Moore. The result is
		 * exact if one process has more than half of the time, and good enough otherwise.
		 */
		if (mix->top == who || mix->top == WHO_NONE) {
			mix->top = who;
			mix->top_time += time;
		} else if (time > mix->top_time) {
			mix->top = who;
			mix->top_time = time - mix->top_time;
		} else {
			mix->top_time -= time;
		}
	}
}

void mix_merge(struct mix *mix, const struct mix *other, float part)
{
	float time = other->top_time * part;

	mix->process += other->process * part;
	mix->kernel += other->kernel * part;
	mix->unknown += other->unknown * part;
	mix->offline += other->offline * part;
	if (other->top == WHO_NONE)
		return;
	if (mix->top == other->top || mix->top == WHO_NONE) {
		mix->top = other->top;
		mix->top_time += time;
	} else if (time > mix->top_time) {
		mix->top = other->top;
		mix->top_time = time - mix->top_time;
	} else {
		mix->top_time -= time;
	}
}

static void mixes_clear(struct mix *mixes, size_t count)
{
	size_t i;

	memset(mixes, 0, count * sizeof(*mixes));
	for (i = 0; i < count; i++)
		mixes[i].top = WHO_NONE;
}

/* The sums of the present bucket, while the buckets of a level are filled one after the other. */
struct gather {
	struct level *level;
	float *times;		/* the time of each process in the bucket */
	u32 *touched;		/* the processes that have any time in the bucket */
	u32 count;		/* number of elements of @touched */
	u32 parts, room;	/* number of elements of level->parts, and for how many there is room */
};

static bool gather_part(struct gather *gather, u32 process, float time)
{
	struct part *larger;

	if (gather->parts == gather->room) {
		gather->room = gather->room ? 2 * gather->room : 4096;
		larger = realloc(gather->level->parts, gather->room * sizeof(*larger));
		if (!larger)
			return false;
		gather->level->parts = larger;
	}
	gather->level->parts[gather->parts++] = (struct part){ process, time };
	return true;
}

static void gather_add(struct gather *gather, u32 process, float time)
{
	if (!(gather->times[process] > 0))
		gather->touched[gather->count++] = process;
	gather->times[process] += time;
}

/* Write the parts of a complete bucket.  Return: false if there is no memory. */
static bool gather_end(struct gather *gather, u32 bucket)
{
	u32 i;

	gather->level->first[bucket] = gather->parts;
	for (i = 0; i < gather->count; i++) {
		if (!gather_part(gather, gather->touched[i], gather->times[gather->touched[i]]))
			return false;
		gather->times[gather->touched[i]] = 0;
	}
	gather->count = 0;
	gather->level->first[bucket + 1] = gather->parts;
	return true;
}

static bool gather_begin(struct gather *gather, struct level *level)
{
	u32 processes = model.processes.count + 1;

	*gather = (struct gather){ .level = level };
	level->mixes = malloc((size_t)level->buckets * model.cpus.count * sizeof(*level->mixes));
	level->first = calloc((size_t)level->buckets + 1, sizeof(*level->first));
	gather->times = calloc(processes, sizeof(float));
	gather->touched = malloc(processes * sizeof(u32));
	if (!level->mixes || !level->first || !gather->times || !gather->touched)
		return false;
	mixes_clear(level->mixes, (size_t)level->buckets * model.cpus.count);
	return true;
}

static bool gather_free(struct gather *gather, bool complete)
{
	free(gather->times);
	free(gather->touched);
	if (complete)
		return true;
	free(gather->level->mixes);
	free(gather->level->first);
	free(gather->level->parts);
	return false;
}

/*
 * Add the stretches of a CPU in a bucket. *@at is the index of the CPU's stretch at the beginning of the bucket, and
 * receives that at its end.
 */
static void fill_bucket(struct gather *gather, u32 number, u32 bucket, u32 *at)
{
	const struct cpu_item *cpu = cpu_at(number);
	struct level *level = gather->level;
	struct mix *mix = &level->mixes[(size_t)number * level->buckets + bucket];
	double from = level->width * bucket, until = from + level->width, begin, end;
	const struct stretch *stretch, *next;

	for (; *at < cpu->stretches.count; (*at)++) {
		stretch = list_at(&cpu->stretches, *at);
		next = *at + 1 < cpu->stretches.count ? list_at(&cpu->stretches, *at + 1) : NULL;
		begin = (double)(s64)(stretch->begin - model.begin);
		end = (double)(s64)((next ? next->begin : cpu->end) - model.begin);
		if (begin >= until)
			return;
		begin = begin > from ? begin : from;
		if (end > begin) {
			float time = (float)((end < until ? end : until) - begin);

			mix_add(mix, stretch->who, stretch->who < WHO_NONE && !process_at(stretch->who)->id, time);
			if (stretch->who < WHO_NONE)
				gather_add(gather, stretch->who, time);
		}
		if (end >= until)
			return;
	}
}

static bool make_finest(struct level *level)
{
	u32 *at = calloc(model.cpus.count, sizeof(*at)), bucket, cpu;
	struct gather gather;
	bool going = gather_begin(&gather, level) && at;

	for (bucket = 0; going && bucket < level->buckets; bucket++) {
		for (cpu = 0; cpu < model.cpus.count; cpu++)
			fill_bucket(&gather, cpu, bucket, &at[cpu]);
		going = gather_end(&gather, bucket);
	}
	free(at);
	return gather_free(&gather, going);
}

static bool make_coarser(struct level *level, const struct level *finer)
{
	struct gather gather;
	bool going = gather_begin(&gather, level);
	u32 bucket, i, cpu, end;

	for (bucket = 0; going && bucket < level->buckets; bucket++) {
		end = (bucket + 1) * COARSER < finer->buckets ? (bucket + 1) * COARSER : finer->buckets;
		for (cpu = 0; cpu < model.cpus.count; cpu++)
			for (i = bucket * COARSER; i < end; i++)
				mix_merge(&level->mixes[(size_t)cpu * level->buckets + bucket],
					  &grid_mixes(finer, cpu)[i], 1);
		for (i = finer->first[bucket * COARSER]; i < finer->first[end]; i++)
			gather_add(&gather, finer->parts[i].process, finer->parts[i].time);
		going = gather_end(&gather, bucket);
	}
	return gather_free(&gather, going);
}

static void grid_forget(void)
{
	struct level *level;

	while (grid.levels) {
		level = &grid.level[--grid.levels];
		free(level->mixes);
		free(level->first);
		free(level->parts);
	}
}

void grid_build(void)
{
	struct level *level = grid.level, *before;
	u64 stretches = 0;
	u32 i, buckets;

	grid_forget();
	for (i = 0; i < model.cpus.count; i++)
		stretches += cpu_at(i)->stretches.count;
	if (!model.cpus.count || model.end <= model.begin)
		return;
	buckets = (u32)(stretches / model.cpus.count / STRETCHES);
	if (buckets > MIXES_MOST / model.cpus.count)
		buckets = MIXES_MOST / model.cpus.count;
	for (before = NULL; buckets >= BUCKETS_LEAST && grid.levels < LEVELS; before = level++) {
		*level = (struct level){ .buckets = buckets };
		level->width = before ? before->width * COARSER : (double)(model.end - model.begin) / buckets;
		if (!(before ? make_coarser(level, before) : make_finest(level)))
			return;
		grid.levels++;
		buckets = (buckets + COARSER - 1) / COARSER;
	}
}

const struct level *grid_level(double ns)
{
	u32 i;

	for (i = grid.levels; i--; )
		if (grid.level[i].width * 2 <= ns)
			return &grid.level[i];
	return NULL;
}
