/* SPDX-License-Identifier: GPL-2.0-only */
/* How a reader gets on in the log: for the device's files and for collectors alike. */
#ifndef BCOS_READING_H
#define BCOS_READING_H

#include "readers.h"

/**
 * bcos_reader_flush() - merge all that happened before the call
 * @reader: who asks; at most once in a millisecond, else it waits first
 *
 * Context: may sleep; not under @reader->lock.
 * Return: 0, or -ERESTARTSYS on a signal.
 */
int bcos_reader_flush(struct bcos_reader *reader);

/* Puts the cursor at a place of the log; @time: of the newest entry before it.  Under @reader->lock. */
void bcos_reader_bind(struct bcos_reader *reader, const struct bcos_mark *place, u64 time, bool caught_up);

/**
 * bcos_reader_fill() - the next whole entries, or the notice that it was overtaken, into the reader's buffer
 * @reader: the reader; bound to the oldest entry if it is not bound
 * @size: bytes at most
 * @next: out: for bcos_reader_advance(), once they were used
 *
 * Context: may sleep; under @reader->lock.
 * Return: bytes; 0 at the end of the log; -ENOMEM; -EMSGSIZE: @size is too small for the next entry.
 */
long bcos_reader_fill(struct bcos_reader *reader, size_t size, struct bcos_cursor *next);
void bcos_reader_advance(struct bcos_reader *reader, const struct bcos_cursor *next);

/**
 * bcos_reader_await() - there was nothing to read
 * @reader: the reader
 * @timeout: jiffies to wait; 0 not at all; MAX_SCHEDULE_TIMEOUT for ever
 * @flushed: false at first; kept between calls for the same read
 *
 * Context: may sleep; not under @reader->lock.
 * Return: 0 if there may be something now; -EAGAIN: not in time; -ERESTARTSYS on a signal, or if a kernel thread is to
 * stop.
 */
int bcos_reader_await(struct bcos_reader *reader, long timeout, bool *flushed);

/* Nobody reads any more: unlists it and gives its buffer back.  May sleep. */
void bcos_reader_end(struct bcos_reader *reader);

#endif
