// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Painting the rows of devices: input above the middle, output below it, interrupts as a line at the bottom. */
#include <math.h>
#include <stdlib.h>

#include "model/model.h"
#include "paint.h"

/* The bytes that a device transferred in a column, and whether an interrupt of the device lies in the column. */
struct flow {
	float input, output;
	bool interrupt;
};

static struct {
	struct flow *flows;	/* for each row of a device one after the other, the flows of all columns */
	u32 *row_of;		/* for each device, the index of its row among those of devices, or ~0 */
} devices;

enum what { INPUT, OUTPUT, INTERRUPT };

static void gather_bytes(const struct list *list, enum what what)
{
	double begin = canvas.from + (double)model.begin, x;
	const struct traffic *traffic;
	struct flow *flow;
	u32 i;

	for (i = begin > 1 ? list_after(list, (u64)begin - 1) : 0; i < list->count; i++) {
		traffic = list_at(list, i);
		x = canvas_x(traffic->time);
		if (x >= canvas.width)
			return;
		if (x < 0 || devices.row_of[traffic->device] == ~0u)
			continue;
		flow = &devices.flows[(size_t)devices.row_of[traffic->device] * canvas.width + (u32)x];
		if (what == INPUT)
			flow->input += (float)traffic->bytes;
		else if (what == OUTPUT)
			flow->output += (float)traffic->bytes;
		else
			flow->interrupt = true;
	}
}

/*
 * Return: the height of a bar for so many bytes, as a share of the greatest height, by the logarithm, so that a packet
 * can be seen beside a large file: at least 0.15, and 1 for a GiB.
 */
static float bar_height(float bytes)
{
	float height = (log2f(bytes + 1) - 4) / 26;

	return bytes <= 0 ? 0 : height < 0.15f ? 0.15f : height > 1 ? 1 : height;
}

static void paint_flows(const struct row *row, const struct flow *flows)
{
	const struct device_item *item = device_at(row->number);
	u32 half = (row->height - 2) / 2, x;
	s32 middle = row->top + (s32)half, bottom = row->top + (s32)row->height;
	double left = item->told.start < model.begin ? -canvas.from / canvas.width_ns : canvas_x(item->told.start);
	double right = canvas_x(item->gone ? item->told.end : model.end);

	for (x = left > 0 ? (u32)left : 0; x < canvas.width && x < right; x++)
		canvas_fill(x, middle, middle + 1, canvas.palette[COLOR_LIFE]);
	for (x = 0; x < canvas.width; x++) {
		if (flows[x].input > 0)
			canvas_bar(x, middle, half, bar_height(flows[x].input), canvas.palette[COLOR_INPUT]);
		if (flows[x].output > 0)
			canvas_fill(x, middle + 1, middle + 1 + (s32)((float)half * bar_height(flows[x].output) + 0.5f),
				    canvas.palette[COLOR_OUTPUT]);
		if (flows[x].interrupt)
			canvas_fill(x, bottom - 2, bottom, canvas.palette[COLOR_INTERRUPT]);
	}
}

int paint_devices(const struct row *rows, u32 count)
{
	u32 i, number = 0;
	bool complete;

	devices.flows = calloc((size_t)count * canvas.width + 1, sizeof(*devices.flows));
	devices.row_of = malloc((model.devices.count + 1) * sizeof(u32));
	complete = devices.flows && devices.row_of;
	if (complete) {
		memset(devices.row_of, 0xFF, model.devices.count * sizeof(u32));
		for (i = 0; i < count; i++)
			if (rows[i].kind == ROW_DEVICE)
				devices.row_of[rows[i].number] = number++;
		if (number) {
			gather_bytes(&model.inputs, INPUT);
			gather_bytes(&model.outputs, OUTPUT);
			gather_bytes(&model.interrupts, INTERRUPT);
		}
		for (i = 0; i < count; i++)
			if (rows[i].kind == ROW_DEVICE)
				paint_flows(&rows[i],
					    devices.flows + (size_t)devices.row_of[rows[i].number] * canvas.width);
	}
	free(devices.flows);
	free(devices.row_of);
	return complete ? 0 : -ENOMEM;
}
