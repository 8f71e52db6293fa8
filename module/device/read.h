/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the log, for files of the device and for collectors. */
#ifndef BCOS_READING_H
#define BCOS_READING_H

#include <linux/mutex.h>

#include "writer/waiter.h"
#include "allowance.h"

/**
 * struct bcos_reader - a reader of the log: an open file or a collector
 * @waiter: place of the reader in the log, and threads that wait; they do not hold @lock
 * @lock: serialises reads and seeks; guards the cursor of @waiter, and @buffer
 * @buffer: BCOS_READER_BUFFER bytes, allocated at the first read
 * @flushed: when the reader last requested a merge, ns since boot
 * @owner: user who opened the file
 */
struct bcos_reader {
	struct bcos_waiter waiter;
	/* Guards the cursor of @waiter, and @buffer. Its holder never waits for the log writer. */
	struct mutex lock;
	void *buffer;
	u64 flushed;
	struct bcos_user owner;
};

#define BCOS_READER_BUFFER (64u << 10)

/* Begins a reader of the current process. @reader is zeroed, except that waiter.reads is set. */
void bcos_reader_begin(struct bcos_reader *reader);

/**
 * bcos_reader_flush() - merge all that happened before the call
 * @reader: the reader; a second call within a millisecond waits first
 *
 * Context: may sleep; not under @reader->lock.
 * Return: 0, or -ERESTARTSYS on a signal.
 */
int bcos_reader_flush(struct bcos_reader *reader);

/*
 * Sets the cursor to @place. @time is the time of the newest entry before @place. Context: under
 * @reader->lock.
 */
void bcos_reader_bind(struct bcos_reader *reader, const struct bcos_mark *place, u64 time,
		      bool caught_up);

/**
 * bcos_reader_fill() - read the next whole entries, or a notice of missed ones, into the buffer
 * @reader: the reader; bound to the oldest entry if it is unbound
 * @size: maximum number of bytes
 * @next: out: for bcos_reader_advance() once the entries are used
 *
 * Context: may sleep; under @reader->lock.
 * Return: bytes read; 0 at the end of the log; -ENOMEM; -EMSGSIZE: @size is too small for the next
 *   entry.
 */
long bcos_reader_fill(struct bcos_reader *reader, size_t size, struct bcos_cursor *next);
/* Moves the cursor past the entries of bcos_reader_fill(). Context: under @reader->lock. */
void bcos_reader_advance(struct bcos_reader *reader, const struct bcos_cursor *next);

/**
 * bcos_reader_await() - wait for something to read
 * @reader: the reader
 * @timeout: in jiffies; 0: do not wait; MAX_SCHEDULE_TIMEOUT: wait forever
 * @flushed: false at first; kept between calls for the same read
 *
 * Context: may sleep; not under @reader->lock.
 * Return: 0 if there may be something now; -EAGAIN: nothing came in time; -ERESTARTSYS: a signal
 *   came, or the caller is a kernel thread that should stop.
 */
int bcos_reader_await(struct bcos_reader *reader, long timeout, bool *flushed);

/* Removes a reader and frees its buffer. May sleep. */
void bcos_reader_end(struct bcos_reader *reader);

#endif
