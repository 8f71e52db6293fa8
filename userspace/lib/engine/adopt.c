// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Going on with the log of a recorder that was killed: see engine_log.h. */
#include <stdlib.h>

#include "core/model/device.h"
#include "engine/keep/old_entries.h"
#include "engine_log.h"
#include "entry/gap.h"
#include "host/linux.h"
#include "resume/raw_check.h"
#include "resume/resume.h"
#include "resume/tags.h"

/* ---- the tags of processes -------------------------------------------------------------- */

struct adoption {
	struct engine *engine;
	struct tags tags;
	u64 horizon;			/* of the pass: records before this time are in the log */
	int error;
};

/* A process that lives now, and began before the horizon, is the one that the log has. */
static int note_living(struct adoption *adoption)
{
	struct bcos_seen *seen;
	u32 count, i;
	int r = programs_walk(adoption->engine->programs, &seen, &count);

	if (r)
		return r;
	for (i = 0; i < count && !r; i++)
		if (!seen[i].thread && seen[i].start < adoption->horizon)
			r = tags_add(&adoption->tags, seen[i].id, seen[i].tag, 0, false);
	free(seen);
	return r;
}

static int note_record(void *context, u32 cpu, const struct bcos_unit *unit, u32 units)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;
	struct adoption *adoption = context;

	(void)cpu;
	if (!raw_is_sound(raw, units, adoption->engine->cpus))
		return -EBADMSG;
	return raw->time < adoption->horizon ? 0 : tags_note(&adoption->tags, raw, raw->time);
}

/* Note from when on births and deaths of a CPU may be missing among the records. */
static void note_doubt(struct adoption *adoption, const struct bcos_bpf_cpu *cpu, const struct bcos_image_source *source)
{
	u64 first = cpu->lost.stretch != source->stretch ? cpu->lost.first : 0;

	if (cpu->lost.count[BCOS_LOSS_LIFE] != source->lost[BCOS_LOSS_LIFE] && first < adoption->tags.doubt)
		adoption->tags.doubt = first;
}

static u32 tag_of(void *context, u32 process)
{
	const struct adoption *adoption = context;

	return tags_find(&adoption->tags, process);
}

/* Find the tags of the processes of the log. The walk comes first: births after it have records. */
static int find_tags(struct adoption *adoption, struct programs *former)
{
	const struct bcos_image_pass *pass = adoption->engine->keep.former.image.pass;
	u32 cpu;
	int r = note_living(adoption) ?: grace_wait(&adoption->engine->grace);

	adoption->tags.doubt = ~0ull;
	for (cpu = 0; cpu < adoption->engine->cpus; cpu++)
		note_doubt(adoption, programs_cpu(former, cpu), &pass->source[cpu]);
	r = r ?: programs_look(former, note_record, adoption);
	tags_sort(&adoption->tags);
	return r;
}

/* ---- log, model and merge ------------------------------------------------------------------ */

static int take_log(struct adoption *adoption)
{
	struct engine *engine = adoption->engine;
	const struct bcos_image *image = &engine->keep.former.image;
	const struct bcos_image_pass *pass = image->pass;
	struct resume resume = {
		.mask = pass->mask, .on_request = pass->on_request, .elsewhere = pass->elsewhere,
		.hide_calls = pass->flags & BCOS_IMAGE_HIDES_CALLS, .begin = pass->horizon, .lost = pass->marks.lost,
		.device = image->devices ? image->devices->device : NULL,
		.devices = image->devices ? image->devices->count : 0, .tag_of = tag_of, .context = adoption,
	};
	struct bcoslog_state *state = bcoslog_state_new();
	int r = state ? old_entries_take(&engine->log.ring, image, state, &resume.time) : -ENOMEM;

	r = r ?: resume_log(&engine->log, state, &resume);
	/* A walk finds the names of threads, which are not among what the log resumes. */
	engine->log.needs_walk |= !!(pass->mask & BCOS_CLASS_STATE);
	bcoslog_state_free(state);
	return r;
}

/* Let the merge go on where the pass ended. The losses are those that the log has. */
static void take_counts(struct engine *engine)
{
	const struct bcos_image_pass *pass = engine->keep.former.image.pass;
	struct bcos_source *source;
	struct bcos_stage *stage;
	u32 cpu;

	engine->merge.horizon = pass->horizon;
	for (cpu = 0; cpu < engine->cpus; cpu++) {
		source = &engine->merge.source[cpu];
		stage = &engine->cpu[cpu].stage;
		stage->nested = source->nested = pass->source[cpu].nested;
		stage->nmi = source->nmi = pass->source[cpu].nmi;
		stage->lost.stretch = source->stretch = pass->source[cpu].stretch;
		memcpy(source->counted, pass->source[cpu].lost, sizeof(source->counted));
		memcpy(stage->lost.count, pass->source[cpu].lost, sizeof(stage->lost.count));
	}
	engine->missed = pass->missed;
	engine->keep.since = pass->horizon;
	/* A recorder without this class counted no line, so that all lines since boot would seem to come after its log. */
	if (pass->mask & BCOS_CLASS_KMSG) {
		if (engine->kernel.fd < 0)
			kernel_log_open(&engine->kernel);
		engine->keep.lines = pass->kmsg;
		kernel_log_go_on(&engine->kernel, pass->kmsg, pass->horizon);
	}
	engine->hardware.since[0] = engine->hardware.since[1] = pass->horizon;
}

/* Do again what the recorder was doing when it was killed: return the room of what is in the log. */
static int release_again(struct engine *engine, struct programs *former)
{
	const struct bcos_image_pass *pass = engine->keep.former.image.pass;
	u32 cpu;
	int r = 0;

	for (cpu = 0; cpu < engine->keep.former.image.header->rings && !r; cpu++)
		r = programs_skip(former, cpu, pass->source[cpu].tail);
	return r;
}

/* Say that nothing is recorded between the log and the programs that were attached just now. */
static void write_gap(struct engine *engine)
{
	const struct gap gap = { .cause = GAP_NO_RECORDER };
	struct bcos_log *log = &engine->log;
	u32 room[GAP_ENTRY / sizeof(u32)];
	size_t size = gap_put(room, log->time, clock_now(CLOCK_BOOTTIME), &gap);

	memcpy(bcos_ring_reserve(&log->ring, (u32)size, log->time), room, size);
	bcos_ring_commit(&log->ring, (u32)size);
}

/* Merge what the former programs left, and begin anew behind it. */
static int end_former(struct engine *engine, struct programs *former)
{
	struct programs *own = engine->programs;
	u32 cpu;
	int r;

	engine->programs = former;
	r = engine_merge_rest(engine);
	engine->programs = own;
	if (r)
		return r;
	/* It may have been read for the former recorder's log alone. */
	if (!(engine->options.classes & BCOS_CLASS_KMSG))
		kernel_log_close(&engine->kernel);
	write_gap(engine);
	for (cpu = 0; cpu <= engine->cpus; cpu++) {
		stream_free(&engine->cpu[cpu].stream);
		memset(&engine->cpu[cpu].unseen, 0, sizeof(engine->cpu[cpu].unseen));
		engine->cpu[cpu].switched = 0;
	}
	told_free(&engine->told);
	engine->missed = 0;
	engine->keep.since = 0;
	engine->hardware.since[0] = engine->hardware.since[1] = clock_now(CLOCK_BOOTTIME);
	return engine_begin_anew(engine);
}

int engine_adopt(struct engine *engine, struct programs *former)
{
	struct adoption adoption = { .engine = engine, .horizon = engine->keep.former.image.pass->horizon };
	int r = release_again(engine, former) ?: find_tags(&adoption, former) ?: take_log(&adoption);

	tags_free(&adoption.tags);
	if (r)
		return r;
	take_counts(engine);
	return engine->keep.goes_on ? 0 : end_former(engine, former);
}
