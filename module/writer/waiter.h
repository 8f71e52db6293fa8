/* SPDX-License-Identifier: GPL-2.0-only */
/* Open files of the log, as the log writer sees them: who waits, and for what. */
#ifndef BCOS_READERS_H
#define BCOS_READERS_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "core/ring/cursor.h"
#include "capture/event.h"

/**
 * struct bcos_reader - an open file
 * @node: link in the list of all files open for reading
 * @reads: the file is open for reading; set before bcos_readers_add()
 * @wait: threads that block in read or poll; the owner of @lock never waits here
 * @lock: serialises reads and seeks; guards @cursor, @bound, @caught_up, @buffer
 * @cursor: next entry to read, if @bound; changed under @lock, read by all
 * @bound: a read or seek has set @cursor; before, the place is the oldest entry
 * @caught_up: the reader has reached the end since it was bound
 * @buffer: BCOS_READER_BUFFER bytes, allocated at the first read
 * @acknowledge: guards @known
 * @known: the marks when compactions were last acknowledged
 * @watermark: bytes that are worth waking the reader for
 * @flushed: time of its last request to merge, ns since boot
 * @user: process that last called
 * @owner: user who opened the file
 * @told: end of the log when the reader was last woken; used by the log writer
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

/*
 * bcos_readers_add() initialises and counts a reader, and lists it if it reads. Past compactions
 * count as acknowledged.
 */
void bcos_readers_add(struct bcos_reader *reader);
void bcos_readers_remove(struct bcos_reader *reader);

/* Returns the number of open files and collectors. */
u32 bcos_readers_count(void);

/**
 * bcos_reader_events() - the poll events of a file
 * @reader: the file
 *
 * POLLIN: at least the watermark is there to read, and some of it is news to this reader. POLLPRI:
 * there are compactions that it has not acknowledged. POLLERR: the writer overtook it.
 *
 * Context: any; takes no lock.
 */
__poll_t bcos_reader_events(struct bcos_reader *reader);

/* Is there something for a blocked read? If not, starts the writer's timers. */
bool bcos_reader_ready(struct bcos_reader *reader);

/* The log writer calls these, never in interrupts. */

/* Writes the processes that read the log to @ids, at most @room. Returns their number. */
u32 bcos_readers_quiet(u32 *ids, u32 room);
/* Does any reader wait? */
bool bcos_readers_waiting(void);
/* Notes that entries worth waking a reader for were appended. */
void bcos_readers_news(void);
/* Wakes the readers that have enough to read, after a batch with or without news. */
void bcos_readers_appended(bool news);
/* Wakes the readers that wait for compactions or were overtaken, after entries were discarded. */
void bcos_readers_compacted(void);

#endif
