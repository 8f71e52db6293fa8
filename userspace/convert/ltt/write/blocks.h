/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes one file of an LTT trace, block by block. */
#ifndef CONVERT_LTT_BLOCKS_H
#define CONVERT_LTT_BLOCKS_H

#include "../format.h"

/*
 * A block is large enough for the largest entry of a log, so no event has to be split.  The blocks of a trace whose files
 * have one block each are as small as the fullest of them allows, in steps of LTT_BLOCK_STEP.
 */
#define LTT_BLOCK (128u << 10)
#define LTT_BLOCK_STEP 4096u

/* Bytes at the end of a block: the event block_end, and the four bytes with its offset. */
#define LTT_BLOCK_TAIL (LTT_HEADER + LTT_BLOCK_TIME + 4)

/* The largest size of an event's fields. */
#define LTT_EVENT_MAX (LTT_BLOCK - LTT_BLOCK_TAIL - LTT_HEADER - LTT_BLOCK_TIME - LTT_HEADER)

/**
 * struct ltt_blocks - a file that is open for writing
 * @path: its path
 * @wall: ns between the time since boot and the wall clock
 * @value: the last time value in the file, in ns
 * @last: time of the last event
 * @block: the block that is being filled
 * @used: bytes in the block
 * @room: bytes of the block that have memory; this grows, since most CPUs of a large machine are idle
 * @id: ID of this block
 * @size: bytes of a block in the file
 * @error: negative errno of the first failure, after which nothing is written
 */
struct ltt_blocks {
	char *path;
	u64 wall;
	u64 value, last;
	u8 *block;
	size_t used, room;
	u32 id, size;
	int error;
};

/* Begins a file, which is created when its first block is full. Returns 0 or -ENOMEM. */
int ltt_blocks_begin(struct ltt_blocks *blocks, const char *path, u64 wall, u64 time);
/* Prepares for ltt_blocks_end(). Returns 0 or the negative errno of the first failure. */
int ltt_blocks_approach(struct ltt_blocks *blocks, u64 time);
/*
 * Returns the size of a block that the file needs after ltt_blocks_approach(). If all files of a trace need less than
 * LTT_BLOCK, the largest of these sizes may become the @size of all.
 */
u32 ltt_blocks_need(const struct ltt_blocks *blocks);
/* Writes the last block, so that the file ends at @time. Returns 0 or the negative errno of the first failure. */
int ltt_blocks_end(struct ltt_blocks *blocks, u64 time);
void ltt_blocks_free(struct ltt_blocks *blocks);

/* The slow path of ltt_event(). */
int ltt_blocks_make_room(struct ltt_blocks *blocks, u64 time, size_t size);

static inline u8 *ltt_put16(u8 *at, u16 value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline u8 *ltt_put32(u8 *at, u32 value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

static inline u8 *ltt_put64(u8 *at, u64 value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

/* Puts a string and a terminating zero. For readers, a zero in the text ends the string. */
static inline u8 *ltt_put_text(u8 *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	at[length] = 0;
	return at + length + 1;
}

/**
 * ltt_event() - begin an event
 * @blocks: the file
 * @id: ID of the event
 * @time: ns since boot; a time before the file's last event is raised to that event's time
 * @size: bytes of the fields, at most LTT_EVENT_MAX
 *
 * Return: the place of the fields, all of which the caller writes, or NULL after a failure.
 */
static inline u8 *ltt_event(struct ltt_blocks *blocks, u16 id, u64 time, size_t size)
{
	u8 *at;

	if (unlikely(time < blocks->last))
		time = blocks->last;
	if (unlikely(time - blocks->value > UINT32_MAX ||
		     blocks->used + LTT_HEADER + size + LTT_BLOCK_TAIL > blocks->room) &&
	    ltt_blocks_make_room(blocks, time, size))
		return NULL;
	at = blocks->block + blocks->used;
	at = ltt_put16(at, id);
	at = ltt_put32(at, (u32)(time - blocks->value));
	blocks->used += LTT_HEADER + size;
	blocks->last = time;
	return at;
}

#endif
