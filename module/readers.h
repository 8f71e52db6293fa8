/* SPDX-License-Identifier: GPL-2.0-only */
/* Open files of the log, as the writer sees them: who waits, and for what. */
#ifndef BCOS_READERS_H
#define BCOS_READERS_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "core/cursor.h"
#include "events.h"

/**
 * struct bcos_reader - an open file
 * @node: in the list of all that read
 * @reads: it is open for reading: set before it is added
 * @wait: who blocks in read or polls this file; and @lock's owner never does
 * @lock: one read or seek at a time: @cursor, @bound, @caught_up, @time, @buffer
 * @cursor: where it reads, if @bound; changed under @lock, looked at by all
 * @bound: there was a read or a seek; else the cursor is the oldest entry
 * @caught_up: it has been at the end since
 * @buffer: BCOS_READER_BUFFER bytes, from the first read on
 * @acknowledge: guards @known
 * @known: the marks when compactions were last acknowledged
 * @watermark: bytes that make it worth waking up
 * @flushed: when it last asked for a merge, ns since boot
 * @user: process that last called
 * @owner: who opened it
 * @told: end of the log when it was last woken to read; the writer's
 */
struct bcos_reader {
	struct list_head node;
	bool reads;
	wait_queue_head_t wait;
	struct mutex lock;
	struct bcos_cursor cursor;
	bool bound;
	bool caught_up;
	void *buffer;
	spinlock_t acknowledge;
	struct bcos_marks known;
	u32 watermark;
	u64 flushed;
	u32 user;
	struct bcos_user owner;
	u64 told;
};

#define BCOS_READER_BUFFER (64u << 10)

/* Initialises, counts, and lists if it reads; the marks of now are acknowledged. */
void bcos_readers_add(struct bcos_reader *reader);
void bcos_readers_remove(struct bcos_reader *reader);

/* How many there are. */
u32 bcos_readers_count(void);

/**
 * bcos_reader_events() - what poll says of a file
 * @reader: the file
 *
 * POLLIN: as much as the watermark asks for, and some of it news to this
 * reader; POLLPRI: compactions that it did not acknowledge; POLLERR: it was
 * overtaken.  Any context; takes no lock.
 */
__poll_t bcos_reader_events(struct bcos_reader *reader);

/* Is there something for a blocked read?  If not, has the timers run. */
bool bcos_reader_ready(struct bcos_reader *reader);

/* For the writer.  None of them in interrupts. */

/* Processes that read the log, at most @room.  Return: how many. */
u32 bcos_readers_quiet(u32 *ids, u32 room);
/* Does anybody wait? */
bool bcos_readers_waiting(void);
/* Something of interest was appended: it is worth a read from now on. */
void bcos_readers_news(void);
/* After a batch, with @news or without: wakes who has enough to read now. */
void bcos_readers_appended(bool news);
/* The oldest entries were discarded: wakes whoever subscribed to that, or was overtaken. */
void bcos_readers_compacted(void);

#endif
