// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The rows of a cursor that were not asked for yet, and their texts: see buffer.h. */
#include <stdlib.h>
#include <string.h>

#include "account/report.h"
#include "buffer.h"

struct bcoslog_value *rows_add(struct bcoslog_rows *rows)
{
	size_t width = rows->kind->table.count, room;
	struct bcoslog_value *values;

	if (rows->count == rows->room) {
		room = rows->room ? 2 * rows->room : 256;
		values = reallocarray(rows->values, room, width * sizeof(*values));
		if (!values) {
			rows->no_memory = true;
			return NULL;
		}
		rows->values = values;
		rows->room = room;
	}
	values = rows->values + width * rows->count++;
	memset(values, 0, width * sizeof(*values));
	return values;
}

const char *rows_copy(struct bcoslog_rows *rows, const char *text, size_t length)
{
	struct text_block *block = rows->texts;
	size_t room = length > 65536 ? length : 65536;
	char *copy;

	if (!text)
		return NULL;
	if (!block || block->room - block->used < length) {
		block = malloc(sizeof(*block) + room);
		if (!block) {
			rows->no_memory = true;
			return NULL;
		}
		*block = (struct text_block){ .next = rows->texts, .room = room };
		rows->texts = block;
	}
	copy = block->bytes + block->used;
	memcpy(copy, text, length);
	block->used += length;
	return copy;
}

const struct kept_name *rows_keep(struct bcoslog_rows *rows, const char *text, size_t length)
{
	const struct kept_name *name = names_keep(rows->kept, text, length);

	rows->no_memory |= !name;
	return name;
}

void rows_free_texts(struct bcoslog_rows *rows, bool all)
{
	struct text_block *block, *next;

	for (block = rows->texts; block && (all || block->next); block = next) {
		next = block->next;
		free(block);
	}
	rows->texts = block;
	if (block)
		block->used = 0;
}

/* Of some ID that can come again, and the time at which its owner began. */
static s64 unique_id(u64 start, u32 id)
{
	return (s64)((start << 22 ^ id) & INT64_MAX);
}

s64 rows_udid(const struct bcoslog_account_device *device)
{
	return unique_id(device->start, device->id);
}

/*
 * The ID of a process, which is the same whatever part of the log is read: its PID in the lower 22 bits, and above them the
 * lower 41 bits of the time at which it began.
 */
static s64 upid_of(const struct bcoslog_account_process *process)
{
	return unique_id(process->start, process->id);
}

struct known_process *rows_process(struct bcoslog_rows *rows, const struct bcoslog_account_process *process)
{
	struct known_process *known = process->user;

	if (!known) {
		known = calloc(1, sizeof(*known));
		if (!known) {
			rows->no_memory = true;
			return NULL;
		}
		known->upid = upid_of(process);
		known->renames = UINT64_MAX;
		bcoslog_account_set_user(process, known);
	}
	if (known->renames != process->renames && process->name) {
		known->name = rows_keep(rows, process->name, process->name_length);
		known->renames = process->renames;
	}
	return known;
}

void rows_forget_process(const struct bcoslog_account_process *process)
{
	struct known_process *known = process->user;

	if (known && known->release)
		known->release(known->more);
	free(known);
}
