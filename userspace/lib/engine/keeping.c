// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The log that outlives its recorder.  At each moment each record is in the log of the newest whole pass that the image
 * tells of, or in its ring, which is pinned.  A pass goes like this, and may end at any step:
 *
 *	merge		entries behind the head of the last pass, which nobody counts until they are published
 *	publish		the older of two copies: its sum, and with it the pass, counts from its last store on
 *	show		from here on readers get the entries: what they have is in the image
 *	release		the places of records, up to the tail that is published: whoever comes next does it again
 */
#include <stdio.h>
#include <unistd.h>

#include "engine.h"
#include "engine_log.h"
#include "handle/error.h"

/* ---- the beginning ------------------------------------------------------------------- */

/* Take the maps of the former recorder.  Return: 0, or a negative errno after a sentence. */
static int adopt_maps(struct engine_keep *keep, const struct programs_options *programs, struct bcoslog_error *error)
{
	const struct bcos_image_header *header = keep->former.image.header;
	struct programs_options of_former = *programs;
	int r;

	of_former.rings = header->rings;
	of_former.staging = header->units * (u32)sizeof(struct bcos_unit);
	r = programs_adopt(&keep->maps, &of_former, header->pins);
	if (!r)
		return 0;
	if (r == -ENOENT)
		return error_set(error, ENOENT, "has lost its maps");
	if (r == -EBADMSG)
		return error_set(error, EBADMSG, "has maps of another version of bcoslog");
	return error_set(error, -r, "has maps that cannot be taken over: %s", strerror(-r));
}

/* Look for a log to go on with.  One that nobody can go on with is put aside, and @note says so. */
static void look_for_former(struct engine *engine, const struct programs_options *programs, u64 setup, struct bcoslog_error *note)
{
	struct engine_keep *keep = &engine->keep;
	struct bcoslog_error error;
	int r = former_open(&keep->former, &keep->place, engine->cpus, &error);

	if (r > 0)
		r = adopt_maps(keep, programs, &error) ?: 1;
	if (r < 0) {
		former_close(&keep->former);
		former_put_aside(&keep->place);
		error_set(note, 0, "the log in " PLACE_RUN "/%s %s: it is " PLACE_RUN "/%s/" PLACE_ASIDE " now, and this one begins anew",
			  keep->place.name, error.text, keep->place.name);
	}
	if (r <= 0)
		return;
	/* Adopted programs record as long as their links are pinned: nothing else holds these. */
	keep->goes_on = keep->wanted.links && programs_go_on(keep->former.image.header->pins) &&
			keep->former.image.header->setup == setup && keep->former.image.header->rings == programs->rings;
}

static int make_image(struct engine *engine, const struct programs_options *programs, u64 setup, struct bcoslog_error *error)
{
	const struct bcos_image_header *former = engine->keep.former.bytes ? engine->keep.former.image.header : NULL;
	struct engine_keep *keep = &engine->keep;
	struct kept_plan plan = {
		.cpus = engine->cpus,
		.rings = programs->rings,
		.units = programs->staging / (u32)sizeof(struct bcos_unit),
		.ring_size = former ? former->ring_size : engine->ring_size,
		.setup = setup,
		.pins = keep->pins,
	};
	char aside[PLACE_PATH];

	if (keep->goes_on)
		host_format(keep->pins, sizeof(keep->pins), "%s", former->pins);
	else
		place_name_pins(&keep->place, keep->pins);
	former_pins(&keep->place, PLACE_ASIDE, aside);
	/* What a recorder left that was killed before its image had its name. */
	place_tidy(&keep->place, former ? former->pins : "", aside);
	return kept_make(&keep->kept, &keep->place, &plan, error);
}

int engine_keep_begin(struct engine *engine, const struct programs_options *programs, struct bcoslog_error *error)
{
	struct engine_keep *keep = &engine->keep;
	struct bcoslog_error note = { 0 };
	u64 setup = 0;
	int r;

	if (!keep->wanted.name)
		return 0;
	r = programs_setup(programs, &setup);
	/* The kernel's refusal is explained where the programs are loaded. */
	if (r)
		return 0;
	r = place_open(&keep->place, keep->wanted.name, &note);
	if (!r) {
		look_for_former(engine, programs, setup, &note);
		r = make_image(engine, programs, setup, &note);
	}
	keep->on = !r;
	*error = note;
	if (!r)
		return 0;
	if (!keep->wanted.required)
		error_set(error, 0, "if this recorder is killed, what is not in files yet is lost: %s", note.text);
	kept_unmap(&keep->kept);
	programs_free(keep->maps);
	keep->maps = NULL;
	former_close(&keep->former);
	place_vacate(&keep->place);
	keep->goes_on = false;
	return keep->wanted.required ? r : 0;
}

int engine_keep_pin(struct engine *engine, struct bcoslog_error *error)
{
	int r = engine->keep.on && !engine->keep.goes_on ? programs_pin(engine->programs, engine->keep.pins) : 0;

	return r ? error_set(error, -r, "the maps of the programs cannot be pinned in %s: %s", engine->keep.pins, strerror(-r)) : 0;
}

/* ---- passes --------------------------------------------------------------------------- */

static void publish(struct engine *engine)
{
	struct engine_keep *keep = &engine->keep;

	if (engine->merge.horizon > keep->lines_time)
		keep->lines = engine->kernel.next;
	kept_publish(&keep->kept, &engine->merge, keep->lines, engine->missed - programs_skipped(engine->programs));
	if (keep->committed)
		WRITE_ONCE(keep->shown, engine->log.ring.now.head.offset);
}

void engine_keep_part(struct engine *engine)
{
	u32 cpu;

	if (!engine->keep.on || !engine->log.begun)
		return;
	/* Calls that an entry has before their turn would be in the log twice. */
	for (cpu = 0; cpu < engine->cpus; cpu++)
		if (engine->merge.source[cpu].gathered > engine->merge.source[cpu].tail)
			return;
	publish(engine);
}

static void release(struct engine *engine)
{
	u32 cpu;

	for (cpu = 0; cpu < engine->cpus; cpu++)
		programs_release(engine->programs, cpu, engine->keep.kept.tail[cpu]);
}

void engine_keep_pass(struct engine *engine)
{
	struct engine_keep *keep = &engine->keep;
	u32 cpu;

	if (!keep->on || !engine->log.begun)
		return;
	for (cpu = 0; cpu < engine->cpus; cpu++)
		keep->kept.tail[cpu] = programs_tail(engine->programs, cpu, engine->merge.horizon);
	publish(engine);
	if (keep->committed)
		release(engine);
}

int engine_keep_commit(struct engine *engine)
{
	struct engine_keep *keep = &engine->keep;
	char former[PLACE_PATH] = "";
	int r;

	if (!keep->on)
		return 0;
	engine_keep_pass(engine);
	r = kept_commit(&keep->kept, &keep->place);
	if (r)
		return r;
	keep->committed = true;
	if (keep->former.bytes && !keep->goes_on)
		host_format(former, sizeof(former), "%s", keep->former.image.header->pins);
	former_close(&keep->former);
	engine_keep_pass(engine);
	if (*former)
		programs_unpin(former);
	if (!keep->wanted.links)
		programs_unpin_links(keep->pins);
	else if (!programs_go_on(keep->pins))
		r = programs_pin_links(engine->programs, keep->pins);
	/* Some of the links would go on for nobody. */
	if (r)
		programs_unpin_links(keep->pins);
	return r;
}

/* ---- the end ---------------------------------------------------------------------------- */

int engine_keep_refuse(struct engine *engine, struct bcoslog_error *error)
{
	struct engine_keep *keep = &engine->keep;

	former_put_aside(&keep->place);
	return error_set(error, EBADMSG, "the log in " PLACE_RUN "/%s is damaged: it is " PLACE_RUN "/%s/" PLACE_ASIDE
			 " now, so start the recorder again", keep->place.name, keep->place.name);
}

void engine_keep_end(struct engine *engine, bool clean)
{
	struct engine_keep *keep = &engine->keep;

	if (!keep->on)
		return;
	if (clean)
		programs_unpin_links(keep->pins);
	if (!keep->committed) {
		unlinkat(keep->place.run, PLACE_NEW, 0);
		if (!keep->goes_on)
			programs_unpin(keep->pins);
		place_vacate(&keep->place);
	}
	former_close(&keep->former);
	keep->ended = clean;
	place_close(&keep->place);
}

bool engine_leave(struct engine *engine)
{
	engine->keep.stays = true;
	return engine->keep.on && engine->keep.committed;
}

void engine_keep_remove(struct engine *engine)
{
	struct engine_keep *keep = &engine->keep;
	struct bcoslog_error error;

	if (!keep->on || !keep->ended || !keep->committed || keep->stays)
		return;
	/* The thread's lock went with the thread. Another recorder may be here since then, and go on with this log. */
	if (!place_open(&keep->place, keep->wanted.name, &error) && kept_is_there(&keep->kept, &keep->place)) {
		unlinkat(keep->place.run, PLACE_IMAGE, 0);
		programs_unpin(keep->pins);
	}
	place_vacate(&keep->place);
}
