// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The markers of events in the picture. If several events have one place, the marker shows the most important one. */
#include <stdlib.h>

#include "export.h"
#include "model/model.h"
#include "paint.h"

#define MARKERS_MOST 20000u

/* A marker, as markers.js reads it. */
struct marker {
	float x;		/* place of the event's time */
	float end;		/* place at which the event's precision ends */
	u32 row;		/* index of the row in the picture */
	u32 event;		/* number of the event */
	u32 look;		/* kind in byte 0, severity in byte 1, number of other events here in the upper half */
};

static struct {
	struct marker *markers;
	u32 count;
	u32 *there;		/* for each row and place, the index of the marker plus 1; 0 if there is none */
	size_t room;		/* number of elements of @there */
} markers;

/* Return: the importance of an event. */
static u32 event_weight(const struct event *event)
{
	switch (event->kind) {
	case EVENT_LOSS:
	case EVENT_MISSED:
		return 300;
	case EVENT_GENERIC:
		return 20 + event->severity;
	case EVENT_END:
		return event->value ? 150 : 60;
	case EVENT_BIRTH:
		return 50;
	case EVENT_CALLS:
		return 0;
	default:
		return 70;
	}
}

static u32 row_of(const struct event *event)
{
	switch (event->type & BCOS_TYPE_SUBJECT_MASK) {
	case BCOS_SUBJECT_PROCESS:
		return event->item < WHO_NONE ? paint_row_of(ROW_PROCESS, event->item) : ~0u;
	case BCOS_SUBJECT_DEVICE:
		return event->item < WHO_NONE ? paint_row_of(ROW_DEVICE, event->item) : ~0u;
	case BCOS_SUBJECT_CPU:
		return paint_row_of_cpu(event->id);
	default:
		return paint_row_of_core(event->id);
	}
}

static bool has_room(u32 width)
{
	size_t need = (size_t)paint_row_count() * width;

	if (!markers.markers)
		markers.markers = malloc(MARKERS_MOST * sizeof(*markers.markers));
	if (need > markers.room) {
		free(markers.there);
		markers.there = malloc(need * sizeof(u32));
		markers.room = markers.there ? need : 0;
	}
	if (!markers.markers || (need && !markers.there))
		return false;
	memset(markers.there, 0, need * sizeof(u32));
	return true;
}

static void add_marker(u32 number, const struct event *event, u32 row, double x, double end, u32 width)
{
	u32 *there = &markers.there[(size_t)row * width + (u32)x];
	/* In place of a severity, the second byte of an end says whether the status is other than 0. */
	u32 look = event->kind | (u32)(event->kind == EVENT_END ? event->value != 0 : event->severity) << 8;
	struct marker *marker;

	if (!*there) {
		if (markers.count == MARKERS_MOST)
			return;
		marker = &markers.markers[markers.count++];
		*marker = (struct marker){ (float)x, (float)end, row, number, look };
		*there = markers.count;
		return;
	}
	marker = &markers.markers[*there - 1];
	look |= (marker->look & 0xFFFF0000u) + (marker->look < 0xFFFF0000u ? 0x10000u : 0);
	if (event_weight(event) > event_weight(list_at(&model.events, marker->event))) {
		marker->event = number;
		marker->x = (float)x;
		marker->end = (float)end;
		marker->look = look;
	} else {
		marker->look = (look & 0xFFFF0000u) | (marker->look & 0xFFFFu);
	}
}

/**
 * markers_find() - find the markers of the rows that were painted last
 * @from: time of the picture's left edge, ns since the log's beginning
 * @span: width of the picture, ns
 * @width: number of places for markers in a row
 *
 * Return: the markers, whose number markers_count() returns; NULL if there is no memory.
 */
EXPORT(markers_find) const struct marker *markers_find(double from, double span, u32 width)
{
	double begin = from + (double)model.begin, scale = width / span, x, end;
	const struct event *event;
	u32 i, row;

	markers.count = 0;
	if (!width || !has_room(width))
		return NULL;
	i = begin > 0 ? list_after(&model.events, (u64)begin) : 0;
	/* The precision of some of the last 64 events before the picture may reach into the picture. */
	for (i = i > 64 ? i - 64 : 0; i < model.events.count; i++) {
		event = list_at(&model.events, i);
		x = ((double)(s64)(event->time - model.begin) - from) * scale;
		if (x >= width)
			break;
		end = x + event->precision * scale;
		if (x < 0 && end <= 0)
			continue;
		row = row_of(event);
		if (row != ~0u)
			add_marker(i, event, row, x > 0 ? x : 0, end, width);
	}
	return markers.markers;
}

EXPORT(markers_count) u32 markers_count(void)
{
	return markers.count;
}
