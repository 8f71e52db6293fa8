// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Publishes what the log writer knows: see publish.h. */
#include "core/model/device.h"
#include "core/model/space.h"
#include "publish.h"

/* ---- devices ------------------------------------------------------------------------- */

/* Returns the next free place of a table, zeroed; or NULL, and counts what is missing. */
static struct bcos_image_device *next_place(struct bcos_image_devices *table, u32 room)
{
	struct bcos_image_device *place = &table->device[table->count];

	if (table->count == room) {
		table->missing++;
		return NULL;
	}
	table->count++;
	memset(place, 0, sizeof(*place));
	return place;
}

static void put_device(struct bcos_image_device *place, const struct bcos_device *device)
{
	place->kind = BCOS_IMAGE_IS_DEVICE;
	place->key = device->item.key;
	place->id = device->id;
	place->requests = device->requests;
	if (device->space) {
		place->number = (u32)device->space->item.key;
		place->flags = BCOS_IMAGE_ELSEWHERE;
	}
}

static void put_line(struct bcos_image_device *place, const struct bcos_line *line)
{
	place->kind = BCOS_IMAGE_IS_LINE;
	place->key = line->item.key;
	place->id = line->device->id;
	place->number = line->number;
	place->tag = line->tag;
	place->flags = line->own ? BCOS_IMAGE_OWN : 0;
}

static void put_lines(struct bcos_image_devices *table, u32 room, const struct bcos_device *device)
{
	struct bcos_image_device *place;
	const struct bcos_line *line;

	for (line = device->lines; line; line = line->sibling) {
		place = next_place(table, room);
		if (place)
			put_line(place, line);
	}
}

/* Writes the table anew if a device or a line has come or gone. */
static void publish_devices(struct bcos_publisher *publisher, const struct bcos_model *model)
{
	u32 room = publisher->header->device_room;
	struct bcos_image_devices *table;
	struct bcos_image_device *place;
	const struct bcos_device *device;

	if (publisher->generation && publisher->changes == model->changes)
		return;
	publisher->changes = model->changes;
	publisher->generation++;
	table = bcos_image_copy(publisher->header, publisher->image, BCOS_IMAGE_DEVICES,
				publisher->generation);
	WRITE_ONCE(table->generation, 0);
	/* A reader of the old content sees that it is gone. Pairs with nobody: it runs later. */
	barrier();
	table->count = 0;
	table->missing = 0;
	for (device = bcos_model_next_device(model, NULL); device;
	     device = bcos_model_next_device(model, device)) {
		place = next_place(table, room);
		if (place)
			put_device(place, device);
		put_lines(table, room, device);
	}
	table->generation = publisher->generation;
	table->sum = bcos_image_devices_sum(table);
}

/* ---- the pass ------------------------------------------------------------------------ */

static void put_timebase(struct bcos_image_pass *pass, const struct bcos_timebase *timebase)
{
	const struct bcos_segment *from;
	struct bcos_image_segment *to;
	u32 i;

	if (timebase->sampled) {
		pass->flags |= BCOS_IMAGE_SAMPLED;
		pass->sample_ticks = timebase->newest.ticks;
		pass->sample_time = timebase->newest.time;
		pass->sample_span = timebase->newest.span;
		pass->low = timebase->low;
		pass->rate = timebase->rate;
	}
	pass->resolution = timebase->resolution;
	pass->segments = timebase->count;
	for (i = 0; i < timebase->count; i++) {
		from = &timebase->segment[i];
		to = &pass->segment[i];
		to->ticks = from->ticks;
		to->length = from->length;
		to->time = from->time;
		to->rate = from->rate;
		to->precision = from->precision;
		to->reserved = 0;
	}
}

/* Takes a loss that is read and not yet applied out of the counts, since the log lacks it. */
static void put_pending(struct bcos_image_source *to, const struct bcos_source *from)
{
	const struct bcos_loss *loss = &from->loss;
	u64 all = from->pending & BCOS_PENDING_ASSIGN ? 1 : 0;
	u32 class;

	to->lost[BCOS_LOSS_ASSIGN] -= all;
	if (from->pending & BCOS_PENDING_LOSS) {
		to->nested -= loss->nested;
		to->nmi -= loss->nmi;
		for (class = 0; class < BCOS_LOSS_CLASSES; class++) {
			to->lost[class] -= loss->count[class];
			all += loss->count[class];
		}
	}
	/* Its stretch is then new to whoever merges the rest. */
	if (all)
		to->stretch--;
}

static void put_source(struct bcos_image_source *to, const struct bcos_source *from)
{
	u32 class;

	memset(to, 0, sizeof(*to));
	if (!from->stage)
		return;
	to->tail = from->tail;
	to->gathered = from->gathered;
	to->size = from->stage->size;
	to->nested = from->nested;
	to->nmi = from->nmi;
	to->stretch = from->stretch;
	for (class = 0; class < BCOS_LOSS_CLASSES; class++)
		to->lost[class] = from->counted[class];
	if (from->pending)
		put_pending(to, from);
}

static void put_log(struct bcos_image_pass *pass, const struct bcos_log *log)
{
	pass->marks = log->ring.now;
	pass->mask = log->mask;
	pass->on_request = log->on_request;
	pass->elsewhere = log->elsewhere_limit;
	pass->flags = (log->hide_calls ? BCOS_IMAGE_HIDES_CALLS : 0) |
		      (log->begun ? BCOS_IMAGE_BEGUN : 0);
}

const struct bcos_image_pass *bcos_image_publish(struct bcos_publisher *publisher,
						 const struct bcos_merge *merge,
						 const struct bcos_publication *host)
{
	struct bcos_image_pass *pass;
	u32 i;

	publish_devices(publisher, &merge->log->model);
	publisher->sequence++;
	pass = bcos_image_copy(publisher->header, publisher->image, BCOS_IMAGE_PASS,
			       publisher->sequence);
	/* While the sequence is 0, this copy is none. */
	WRITE_ONCE(pass->sequence, 0);
	barrier();
	pass->passes = merge->passes;
	pass->time = host->time;
	pass->offset = host->offset;
	pass->kmsg = host->kmsg;
	pass->missed = host->missed;
	pass->horizon = merge->horizon;
	pass->devices = publisher->generation;
	put_log(pass, merge->log);
	put_timebase(pass, &merge->timebase);
	for (i = 0; i < publisher->header->stages; i++)
		put_source(&pass->source[i], &merge->source[i]);
	for (i = 0; host->tail && i + 1 < publisher->header->stages; i++) {
		pass->source[i].tail = host->tail[i];
		pass->source[i].gathered = 0;
		pass->source[i].size = i < publisher->header->rings ? host->size : 0;
	}
	pass->sequence = publisher->sequence;
	pass->sum = bcos_image_pass_sum(pass, publisher->header->stages);
	return pass;
}

_Static_assert(BCOS_SEGMENTS <= BCOS_IMAGE_SEGMENTS, "an image has all segments of the timebase");
