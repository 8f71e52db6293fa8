// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The places in the rows of CPUs where there is room for the name of the process. */
#include <stdlib.h>

#include "export.h"
#include "model/grid.h"
#include "model/model.h"
#include "paint.h"

#define LABELS_MOST 4096u
/* A column belongs to the label of a process if processes have at least this share of the column. */
#define SHARE_LEAST 0.6f

/* A label, as rows.js reads it. */
struct label {
	u32 row;		/* index of the row in the picture */
	u32 process;
	u32 x, width;		/* first column, and number of columns */
};

static struct {
	struct label *labels;
	u32 count, least;	/* number of labels, and the least width of a label */
} labels;

/* Begin the labels of the next picture. A label needs at least @least adjacent columns of one process. */
EXPORT(labels_begin) void labels_begin(u32 least)
{
	labels.count = 0;
	labels.least = least;
	if (!labels.labels)
		labels.labels = malloc(LABELS_MOST * sizeof(*labels.labels));
}

static void add_label(u32 row, u32 process, u32 x, u32 width)
{
	if (process < WHO_NONE && width >= labels.least && labels.count < LABELS_MOST)
		labels.labels[labels.count++] = (struct label){ row, process, x, width };
}

void labels_row(u32 row, const struct mix *columns, u32 width)
{
	u32 x, begin = 0, who, last = WHO_NONE;

	if (!labels.labels || !labels.least)
		return;
	for (x = 0; x <= width; x++) {
		who = x < width && columns[x].process >= SHARE_LEAST ? columns[x].top : WHO_NONE;
		if (who == last)
			continue;
		add_label(row, last, begin, x - begin);
		begin = x;
		last = who;
	}
}

EXPORT(labels_found) const struct label *labels_found(void)
{
	return labels.labels;
}

EXPORT(labels_count) u32 labels_count(void)
{
	return labels.count;
}
