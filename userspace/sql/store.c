// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Rows that are kept by their keys: see store.h. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/temporary.h"
#include "store.h"

/* A column of a row is a number, the bits of a real number, or a pointer to a text; this is none, which no column has otherwise. */
#define NOTHING INT64_MIN

/* The rows of a group that are in memory, in a block of a chain. */
struct row_block {
	struct row_block *next;
	__u32 used, room;		/* in rows */
	__s64 values[];
};

/* Rows of a group that are in the file. */
struct extent {
	__u64 offset;
	__u64 rows;
};

struct row_group {
	struct row_group *same;		/* the next one of its slot */
	__s64 key[STORE_KEYS];
	__u32 length[STORE_KEYS];	/* of the keys that are texts */
	struct row_block *first, *last;
	struct extent *extents;
	size_t extent_count;
};

/* A block of copies of texts. */
struct copies {
	struct copies *next;
	size_t used, room;
	char bytes[];
};

/* The rows that are read from the file at once. */
#define ROWS_READ 1024

struct store {
	struct store_shape shape;
	int slot[64];			/* of each column: its place in a row; -1: it is not kept; below that, key -2 - n */
	int column[64];			/* the column at each place of a row */
	size_t width;			/* values of a row, of which the last one is its number if that is kept */
	__s64 rows;			/* number of rows */
	struct row_group **slots;
	size_t slot_count;
	struct row_group **groups;
	size_t count, room;
	struct copies *copies;
	size_t memory, bytes;		/* the limit, and bytes of blocks */
	int fd;
	__u64 written;
	bool sorted;
	/* The present row. */
	size_t group, group_end;	/* its group, and that at which reading ends */
	size_t extent;			/* number of the extents of the group that were read */
	__u64 extent_row;		/* rows of the present extent that were read */
	const struct row_block *block;	/* the block of the row; NULL: it is in @buffer */
	__u32 place, end;		/* the row in the block or buffer, and the end of that */
	__s64 *buffer;
};

/* ---- keeping -------------------------------------------------------------------------------- */

bool store_is_possible(const struct store_shape *shape)
{
	const struct bcoslog_rows_table *table = shape->table;
	__u32 column;
	int i;

	for (i = 0; i < shape->keys; i++)
		if (table->columns[shape->key[i]].type == BCOSLOG_REAL)
			return false;
	/* Keys are places of texts, and copies of texts would not be in the file. */
	for (column = 0; column < table->count; column++)
		if (shape->columns >> column & 1 && table->columns[column].type == BCOSLOG_TEXT && !(shape->keeps >> column & 1))
			return false;
	return true;
}

struct store *store_new(const struct store_shape *shape, size_t memory)
{
	struct store *store = calloc(1, sizeof(*store));
	int i;

	if (!store)
		return NULL;
	store->shape = *shape;
	store->memory = memory;
	store->fd = -1;
	for (i = 0; i < 64; i++)
		store->slot[i] = -1;
	for (i = 0; i < shape->keys; i++)
		store->slot[shape->key[i]] = -2 - i;
	for (i = 0; i < (int)shape->table->count; i++) {
		if (!(shape->columns >> i & 1) || store->slot[i] != -1)
			continue;
		store->column[store->width] = i;
		store->slot[i] = (int)store->width++;
	}
	store->width += shape->numbered;
	return store;
}

static void free_blocks(struct row_group *group)
{
	struct row_block *block, *next;

	for (block = group->first; block; block = next) {
		next = block->next;
		free(block);
	}
	group->first = group->last = NULL;
}

void store_free(struct store *store)
{
	struct copies *copies, *next;
	size_t i;

	if (!store)
		return;
	for (i = 0; i < store->count; i++) {
		free_blocks(store->groups[i]);
		free(store->groups[i]->extents);
		free(store->groups[i]);
	}
	for (copies = store->copies; copies; copies = next) {
		next = copies->next;
		free(copies);
	}
	if (store->fd >= 0)
		close(store->fd);
	free(store->buffer);
	free(store->groups);
	free(store->slots);
	free(store);
}

/* Return: a copy of a text; NULL if there is no memory. */
static const char *copy_text(struct store *store, const char *text, size_t length)
{
	struct copies *copies = store->copies;
	size_t room = length + 1 > 65536 ? length + 1 : 65536;
	char *copy;

	if (!copies || copies->room - copies->used <= length) {
		copies = malloc(sizeof(*copies) + room);
		if (!copies)
			return NULL;
		*copies = (struct copies){ .next = store->copies, .room = room };
		store->copies = copies;
	}
	copy = copies->bytes + copies->used;
	memcpy(copy, text, length);
	copy[length] = 0;
	copies->used += length + 1;
	return copy;
}

/* Return: the value as it is kept; NOTHING with *@failed if there is no memory. */
static __s64 pack_value(struct store *store, int column, const struct bcoslog_value *value, bool *failed)
{
	const char *text;
	__s64 bits;

	switch (value->type) {
	case BCOSLOG_INTEGER:
		return value->integer;
	case BCOSLOG_REAL:
		memcpy(&bits, &value->real, sizeof(bits));
		return bits;
	case BCOSLOG_TEXT:
		text = value->text;
		if (!(store->shape.keeps >> column & 1))
			text = copy_text(store, text, value->length);
		*failed |= !text;
		return text ? (__s64)(intptr_t)text : NOTHING;
	default:
		return NOTHING;
	}
}

_Static_assert(STORE_KEYS == 3, "find_group() compares three keys");

static size_t hash_key(const struct store *store, const __s64 *key)
{
	__u64 hash = 0;
	int i;

	for (i = 0; i < store->shape.keys; i++)
		hash = (hash ^ (__u64)key[i]) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
	/* The number of slots is a power of two. */
	return (size_t)(hash & (store->slot_count - 1));
}

static struct row_group *find_group(const struct store *store, const __s64 *key)
{
	struct row_group *group = store->slot_count ? store->slots[hash_key(store, key)] : NULL;

	/* Keys that there are not are 0. */
	while (group && (group->key[0] != key[0] || group->key[1] != key[1] || group->key[2] != key[2]))
		group = group->same;
	return group;
}

/* Makes room for one group more.  Return: whether there is. */
static bool grow_groups(struct store *store)
{
	size_t room = store->room ? 2 * store->room : 64, i, at;
	struct row_group **groups, **slots;

	if (store->count < store->room)
		return true;
	groups = reallocarray(store->groups, room, sizeof(struct row_group *));
	if (!groups)
		return false;
	store->groups = groups;
	slots = calloc(2 * room, sizeof(struct row_group *));
	if (!slots)
		return false;
	free(store->slots);
	store->slots = slots;
	store->slot_count = 2 * room;
	store->room = room;
	for (i = 0; i < store->count; i++) {
		at = hash_key(store, store->groups[i]->key);
		store->groups[i]->same = slots[at];
		slots[at] = store->groups[i];
	}
	return true;
}

static struct row_group *add_group(struct store *store, const __s64 *key)
{
	struct row_group *group = grow_groups(store) ? calloc(1, sizeof(*group)) : NULL;
	size_t at;
	int i;

	if (!group)
		return NULL;
	memcpy(group->key, key, sizeof(group->key));
	for (i = 0; i < store->shape.keys; i++)
		if (key[i] != NOTHING && store->shape.table->columns[store->shape.key[i]].type == BCOSLOG_TEXT)
			group->length[i] = (__u32)strlen((const char *)(intptr_t)key[i]);
	at = hash_key(store, key);
	group->same = store->slots[at];
	store->slots[at] = group;
	store->groups[store->count++] = group;
	return group;
}

/* ---- the file --------------------------------------------------------------------------------- */

static int write_block(struct store *store, const struct row_block *block)
{
	size_t size = block->used * store->width * sizeof(__s64), done = 0;
	ssize_t n;

	for (; done < size; done += (size_t)n) {
		n = pwrite(store->fd, (const char *)block->values + done, size - done, (off_t)(store->written + done));
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -errno;
	}
	store->written += size;
	return 0;
}

/* Writes the rows of a group to the file, and frees them. */
static int spill_group(struct store *store, struct row_group *group)
{
	struct extent *extents, extent = { .offset = store->written };
	const struct row_block *block;
	int r;

	if (!group->first)
		return 0;
	extents = reallocarray(group->extents, group->extent_count + 1, sizeof(*extents));
	if (!extents)
		return -ENOMEM;
	group->extents = extents;
	for (block = group->first; block; block = block->next) {
		r = write_block(store, block);
		if (r)
			return r;
		extent.rows += block->used;
	}
	extents[group->extent_count++] = extent;
	free_blocks(group);
	return 0;
}

static int spill(struct store *store)
{
	size_t i;
	int r = 0;

	if (store->fd < 0)
		store->fd = temporary_file(temporary_folder());
	if (store->fd < 0)
		return store->fd;
	for (i = 0; !r && i < store->count; i++)
		r = spill_group(store, store->groups[i]);
	store->bytes = 0;
	return r;
}

/* Return: a block of the group with room for a row; NULL if there is no memory. */
static struct row_block *block_with_room(struct store *store, struct row_group *group)
{
	struct row_block *block = group->last;
	__u32 room = block ? 2 * block->room : 8;
	size_t size;

	if (block && block->used < block->room)
		return block;
	if (room > ROWS_READ)
		room = ROWS_READ;
	size = sizeof(*block) + room * store->width * sizeof(__s64);
	block = malloc(size);
	if (!block)
		return NULL;
	*block = (struct row_block){ .room = room };
	if (group->last)
		group->last->next = block;
	else
		group->first = block;
	group->last = block;
	store->bytes += size;
	return block;
}

int store_add(struct store *store, const struct bcoslog_value *row)
{
	__s64 key[STORE_KEYS] = { 0 }, *to;
	struct row_group *group;
	struct row_block *block;
	bool failed = false;
	size_t i;
	int r;

	for (i = 0; i < (size_t)store->shape.keys; i++)
		key[i] = pack_value(store, store->shape.key[i], &row[store->shape.key[i]], &failed);
	group = find_group(store, key);
	if (!group)
		group = add_group(store, key);
	if (!group)
		return -ENOMEM;
	if (store->bytes > store->memory) {
		r = spill(store);
		if (r)
			return r;
	}
	block = block_with_room(store, group);
	if (!block)
		return -ENOMEM;
	to = block->values + block->used++ * store->width;
	store->rows++;
	for (i = 0; i < store->width - store->shape.numbered; i++)
		to[i] = pack_value(store, store->column[i], &row[store->column[i]], &failed);
	if (store->shape.numbered)
		to[i] = store->rows;
	return failed ? -ENOMEM : 0;
}

/* ---- giving back --------------------------------------------------------------------------------- */

/* The order of SQLite: nothing comes first, then numbers, or texts by their bytes. */
static int compare_groups(const void *left, const void *right, void *context)
{
	const struct row_group *a = *(struct row_group *const *)left, *b = *(struct row_group *const *)right;
	const struct store *store = context;
	int i, order;

	for (i = 0; i < store->shape.keys; i++) {
		if (a->key[i] == b->key[i])
			continue;
		if (store->shape.table->columns[store->shape.key[i]].type == BCOSLOG_TEXT && a->key[i] != NOTHING && b->key[i] != NOTHING)
			order = strcmp((const char *)(intptr_t)a->key[i], (const char *)(intptr_t)b->key[i]);
		else
			order = a->key[i] < b->key[i] ? -1 : 1;
		if (order)
			return store->shape.descends[i] ? -order : order;
	}
	return 0;
}

/* Reads the next rows of an extent.  Return: 1 or a negative errno. */
static int read_extent(struct store *store, const struct extent *extent)
{
	__u64 left = extent->rows - store->extent_row, rows = left < ROWS_READ ? left : ROWS_READ;
	size_t size = rows * store->width * sizeof(__s64), done = 0;
	ssize_t n;

	if (!store->buffer)
		store->buffer = malloc(ROWS_READ * (store->width + 1) * sizeof(__s64));
	if (!store->buffer)
		return -ENOMEM;
	for (; done < size; done += (size_t)n) {
		n = pread(store->fd, (char *)store->buffer + done, size - done,
			  (off_t)(extent->offset + store->extent_row * store->width * sizeof(__s64) + done));
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return n ? -errno : -EIO;
	}
	store->extent_row += rows;
	if (store->extent_row == extent->rows) {
		store->extent++;
		store->extent_row = 0;
	}
	store->block = NULL;
	store->place = 0;
	store->end = (__u32)rows;
	return 1;
}

/* Goes to the first row of the present group, or of the first group after it that has one. */
static int enter_group(struct store *store)
{
	const struct row_group *group;

	store->extent = 0;
	store->extent_row = 0;
	for (; store->group < store->group_end; store->group++) {
		group = store->groups[store->group];
		if (group->extent_count)
			return read_extent(store, group->extents);
		if (!group->first)
			continue;
		store->block = group->first;
		store->place = 0;
		store->end = group->first->used;
		return 1;
	}
	return 0;
}

int store_next(struct store *store)
{
	const struct row_group *group = store->groups[store->group];
	const struct row_block *next;

	if (++store->place < store->end)
		return 1;
	if (!store->block && store->extent < group->extent_count)
		return read_extent(store, &group->extents[store->extent]);
	next = store->block ? store->block->next : group->first;
	if (next) {
		store->block = next;
		store->place = 0;
		store->end = next->used;
		return 1;
	}
	store->group++;
	return enter_group(store);
}

int store_first(struct store *store)
{
	if (!store->sorted && store->count)
		qsort_r(store->groups, store->count, sizeof(struct row_group *), compare_groups, store);
	store->sorted = true;
	store->group = 0;
	store->group_end = store->count;
	return enter_group(store);
}

int store_find(struct store *store, __s64 key)
{
	const __s64 keys[STORE_KEYS] = { key };
	struct row_group *group = find_group(store, keys);
	size_t low = 0, high = store->count, middle;

	if (!group)
		return 0;
	/* The groups are sorted by then. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_groups(&store->groups[middle], &group, store) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	store->group = low;
	store->group_end = low + 1;
	return enter_group(store);
}

/* Return: the values of the present row. */
static const __s64 *present_row(const struct store *store)
{
	return (store->block ? store->block->values : store->buffer) + store->place * store->width;
}

__s64 store_number(const struct store *store)
{
	return store->shape.numbered ? present_row(store)[store->width - 1] : 0;
}

void store_get(const struct store *store, int column, struct bcoslog_value *value)
{
	int slot = store->slot[column];
	__s64 packed;

	*value = (struct bcoslog_value){ .type = BCOSLOG_NULL };
	if (slot == -1)
		return;
	packed = slot < 0 ? store->groups[store->group]->key[-2 - slot] : present_row(store)[slot];
	if (packed == NOTHING)
		return;
	value->type = store->shape.table->columns[column].type;
	if (value->type == BCOSLOG_TEXT) {
		value->text = (const char *)(intptr_t)packed;
		value->length = slot < 0 ? store->groups[store->group]->length[-2 - slot] : (__u32)strlen(value->text);
	} else {
		value->integer = packed;
	}
}
