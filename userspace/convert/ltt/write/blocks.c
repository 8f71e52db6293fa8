// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Writes the blocks of an LTT trace. The cycle counter counts nanoseconds since boot. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../output.h"
#include "write.h"

#define SECOND 1000000000ull
/* After a pause longer than this, a new block takes less space than the heartbeats. */
#define LTT_PAUSE (600 * SECOND)
#define LTT_ROOM_MIN 4096

_Static_assert(LTT_EVENT_MAX > 65535 + 64, "the largest entry fits");

/* Puts a time value: seconds, nanoseconds and cycle counter. */
static u8 *put_time(const struct ltt_blocks *blocks, u8 *at, u64 time)
{
	u64 wall = time + blocks->wall, seconds = wall / SECOND;

	at = ltt_put32(at, seconds > UINT32_MAX ? UINT32_MAX : (u32)seconds);
	at = ltt_put32(at, (u32)(wall % SECOND));
	return ltt_put64(at, time);
}

/* Makes the block have memory for @size bytes. */
static int grow_block(struct ltt_blocks *blocks, size_t size)
{
	size_t room = blocks->room ? blocks->room : LTT_ROOM_MIN;
	u8 *block;

	while (room < size)
		room *= 2;
	if (room == blocks->room)
		return 0;
	block = realloc(blocks->block, room);
	if (!block)
		return blocks->error = -ENOMEM;
	blocks->block = block;
	blocks->room = room;
	return 0;
}

static void open_block(struct ltt_blocks *blocks, u64 time)
{
	u8 *at = blocks->block;

	at = ltt_put16(at, LTT_BLOCK_START);
	at = ltt_put32(at, 0);
	at = put_time(blocks, at, time);
	at = ltt_put32(at, blocks->id);
	blocks->used = (size_t)(at - blocks->block);
	blocks->value = blocks->last = time;
}

/* Writes the block. The bytes between block_end and the last four bytes of the block stay a hole. */
static int write_block(struct ltt_blocks *blocks)
{
	u64 offset = (u64)blocks->id * blocks->size;
	int fd, r, closed;
	u8 tail[4];

	fd = open(blocks->path, O_WRONLY | O_CREAT | O_CLOEXEC | (blocks->id ? 0 : O_TRUNC), 0666);
	if (fd < 0)
		return -errno;
	ltt_put32(tail, (u32)(blocks->used - LTT_HEADER - LTT_BLOCK_TIME));
	r = write_all_at(fd, blocks->block, blocks->used, offset);
	if (!r)
		r = write_all_at(fd, tail, sizeof(tail), offset + blocks->size - sizeof(tail));
	closed = close(fd) ? -errno : 0;
	return r ? r : closed;
}

/* Ends and writes the block. @time has to be at most UINT32_MAX ns after the last time value. */
static int close_block(struct ltt_blocks *blocks, u64 time)
{
	u8 *at = blocks->block + blocks->used;

	at = ltt_put16(at, LTT_BLOCK_END);
	at = ltt_put32(at, (u32)(time - blocks->value));
	at = put_time(blocks, at, time);
	at = ltt_put32(at, blocks->id);
	blocks->used = (size_t)(at - blocks->block);
	blocks->error = write_block(blocks);
	blocks->id++;
	return blocks->error;
}

static int next_block(struct ltt_blocks *blocks, u64 time)
{
	int r = close_block(blocks, blocks->last);

	open_block(blocks, time);
	return r;
}

/* Does an event of @size bytes, with its header, fit into the block? */
static bool block_fits(const struct ltt_blocks *blocks, size_t size)
{
	return blocks->used + size + LTT_BLOCK_TAIL <= LTT_BLOCK;
}

/* Brings the last time value of the file close enough to @time for the difference to fit into 32 bits. */
static int approach_time(struct ltt_blocks *blocks, u64 time)
{
	u8 *at;
	int r;

	if (time - blocks->last > LTT_PAUSE)
		return next_block(blocks, time);
	while (time - blocks->value > UINT32_MAX) {
		u64 beat = blocks->value + UINT32_MAX;

		if (!block_fits(blocks, LTT_HEADER + LTT_TIME)) {
			r = next_block(blocks, beat);
			if (r)
				return r;
			continue;
		}
		r = grow_block(blocks, blocks->used + LTT_HEADER + LTT_TIME + LTT_BLOCK_TAIL);
		if (r)
			return r;
		at = blocks->block + blocks->used;
		at = ltt_put16(at, LTT_TIME_HEARTBEAT);
		at = ltt_put32(at, UINT32_MAX);
		at = put_time(blocks, at, beat);
		blocks->used = (size_t)(at - blocks->block);
		blocks->value = blocks->last = beat;
	}
	return 0;
}

int ltt_blocks_make_room(struct ltt_blocks *blocks, u64 time, size_t size)
{
	int r = blocks->error;

	if (r)
		return r;
	r = approach_time(blocks, time);
	if (!r && !block_fits(blocks, LTT_HEADER + size))
		r = next_block(blocks, time);
	return r ? r : grow_block(blocks, blocks->used + LTT_HEADER + size + LTT_BLOCK_TAIL);
}

int ltt_blocks_begin(struct ltt_blocks *blocks, const char *path, u64 wall, u64 time)
{
	memset(blocks, 0, sizeof(*blocks));
	blocks->path = strdup(path);
	if (!blocks->path || grow_block(blocks, LTT_ROOM_MIN)) {
		ltt_blocks_free(blocks);
		return -ENOMEM;
	}
	blocks->wall = wall;
	blocks->size = LTT_BLOCK;
	open_block(blocks, time);
	return 0;
}

int ltt_blocks_approach(struct ltt_blocks *blocks, u64 time)
{
	return blocks->error ? blocks->error : approach_time(blocks, time < blocks->last ? blocks->last : time);
}

u32 ltt_blocks_need(const struct ltt_blocks *blocks)
{
	size_t need = blocks->used + LTT_BLOCK_TAIL + LTT_BLOCK_STEP - 1;

	return blocks->id ? LTT_BLOCK : (u32)(need - need % LTT_BLOCK_STEP);
}

int ltt_blocks_end(struct ltt_blocks *blocks, u64 time)
{
	int r = ltt_blocks_approach(blocks, time);

	return r ? r : close_block(blocks, time < blocks->last ? blocks->last : time);
}

void ltt_blocks_free(struct ltt_blocks *blocks)
{
	free(blocks->path);
	free(blocks->block);
	blocks->path = NULL;
	blocks->block = NULL;
}
