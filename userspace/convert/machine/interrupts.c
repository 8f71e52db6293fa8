// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A table of interrupt lines by their numbers. Few handlers share a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "bcos_evlog.h"
#include "parts.h"
#include "state/table.h"

/* A line has at most this many devices. Once the last of them is used, all further handlers share it. */
#define SHARED 16
#define LINES_MAX 65536u
#define NUMBER_MAX (1u << 24)
#define NAME_MAX_KEPT 48

struct line {
	struct node node;
	unsigned int count;
	u8 lengths[SHARED];
	char names[SHARED][NAME_MAX_KEPT];
};

struct interrupts {
	struct table lines;
	char name[NAME_MAX_KEPT + 24];
};

struct interrupts *interrupts_new(void)
{
	struct interrupts *interrupts = calloc(1, sizeof(*interrupts));

	if (interrupts && table_init(&interrupts->lines)) {
		free(interrupts);
		return NULL;
	}
	return interrupts;
}

void interrupts_free(struct interrupts *interrupts)
{
	if (!interrupts)
		return;
	table_destroy(&interrupts->lines, node_free);
	free(interrupts);
}

const char *interrupts_name(const struct interrupts *interrupts)
{
	return interrupts->name;
}

static struct line *line_of(struct interrupts *interrupts, u32 number, int *error)
{
	struct line *line = table_find(&interrupts->lines, number);

	if (line)
		return line;
	*error = -ENOSPC;
	if (number >= NUMBER_MAX || interrupts->lines.count == LINES_MAX)
		return NULL;
	*error = -ENOMEM;
	line = calloc(1, sizeof(*line));
	if (!line)
		return NULL;
	line->node.id = number;
	if (!table_add(&interrupts->lines, &line->node))
		return line;
	free(line);
	return NULL;
}

int interrupts_device(struct interrupts *interrupts, u32 number, const char *name, size_t length, u32 *device,
		      bool *is_new)
{
	struct line *line;
	unsigned int i;
	int error;

	line = line_of(interrupts, number, &error);
	if (!line)
		return error;
	name = name ? name : "";
	length = length < NAME_MAX_KEPT ? length : NAME_MAX_KEPT;
	for (i = 0; i < line->count; i++)
		if (i == SHARED - 1 || (line->lengths[i] == length && !memcmp(line->names[i], name, length)))
			break;
	*is_new = i == line->count;
	/* The range begins with the ID of the log's own device, so the number 0 is left out. */
	*device = BCOS_DEVICE_OTHER + SHARED * (number + 1) + i;
	if (!*is_new)
		return 0;
	line->count++;
	line->lengths[i] = (u8)length;
	memcpy(line->names[i], name, length);
	snprintf(interrupts->name, sizeof(interrupts->name), "irq %u%s%.*s", number, length ? " " : "", (int)length,
		 name);
	return 0;
}
