// SPDX-License-Identifier: GPL-2.0-only
/* Reads the log: see read.h. */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "capture/clock.h"
#include "capture/task.h"
#include "memory.h"
#include "writer/writer.h"
#include "read.h"

/* The shortest time between two merges that one file requests, in ns. */
#define BCOS_FLUSH_INTERVAL NSEC_PER_MSEC

/* A blocking read requests no merge if the last one is not older than this, in ns. */
#define BCOS_READ_INTERVAL (100 * NSEC_PER_MSEC)

int bcos_reader_flush(struct bcos_reader *reader)
{
	u64 passed = bcos_now() - READ_ONCE(reader->flushed);

	if (passed < BCOS_FLUSH_INTERVAL)
		usleep_range((BCOS_FLUSH_INTERVAL - passed) / NSEC_PER_USEC,
			     BCOS_FLUSH_INTERVAL / NSEC_PER_USEC);
	WRITE_ONCE(reader->flushed, bcos_now());
	return bcos_writer_flush();
}

void bcos_reader_bind(struct bcos_reader *reader, const struct bcos_mark *place, u64 time,
		      bool caught_up)
{
	lockdep_assert_held(&reader->lock);
	WRITE_ONCE(reader->waiter.cursor.place.offset, place->offset);
	reader->waiter.cursor.place.entry = place->entry;
	reader->waiter.cursor.time = time;
	WRITE_ONCE(reader->waiter.caught_up, caught_up);
	/* Pairs with bcos_waiter_events(), which takes no lock. */
	smp_store_release(&reader->waiter.bound, true);
}

long bcos_reader_fill(struct bcos_reader *reader, size_t size, struct bcos_cursor *next)
{
	struct bcos_marks marks;

	lockdep_assert_held(&reader->lock);
	if (!reader->buffer) {
		reader->buffer = bcos_memory_alloc_for_caller(BCOS_READER_BUFFER);
		if (!reader->buffer)
			return -ENOMEM;
	}
	if (!reader->waiter.bound) {
		bcos_ring_marks(bcos_writer_ring(), &marks);
		bcos_reader_bind(reader, &marks.oldest, 0, false);
	}
	return bcos_cursor_read(bcos_writer_ring(), &reader->waiter.cursor, U64_MAX, reader->buffer,
				min_t(size_t, size, BCOS_READER_BUFFER), next);
}

void bcos_reader_advance(struct bcos_reader *reader, const struct bcos_cursor *next)
{
	lockdep_assert_held(&reader->lock);
	WRITE_ONCE(reader->waiter.cursor.place.offset, next->place.offset);
	reader->waiter.cursor.place.entry = next->place.entry;
	reader->waiter.cursor.time = next->time;
}

/*
 * Before a read finds nothing, it merges all that happened before it. If the last merge is recent,
 * a blocking read does not request another one, and leaves that to the writer's timer: a merge is
 * what woke the reader, and a merge for each wake-up would keep an idle machine busy.
 */
static int bcos_reader_merge(struct bcos_reader *reader, bool nonblock)
{
	/* With ticks, the horizon may be slightly ahead of the kernel's clock. */
	s64 passed = bcos_now() - bcos_writer_horizon();

	if (!nonblock && passed < (s64)BCOS_READ_INTERVAL)
		return 0;
	return bcos_reader_flush(reader);
}

/* Is there something to read for a blocked reader? If not, starts the writer's timers. */
static bool bcos_reader_ready(struct bcos_reader *reader)
{
	if (bcos_waiter_events(&reader->waiter) & EPOLLIN)
		return true;
	bcos_writer_arm();
	return false;
}

/* Is the caller a kernel thread that should stop, as a collector of another module may be? */
static bool bcos_must_stop(void)
{
	return !bcos_task_is_user(current) && kthread_should_stop();
}

int bcos_reader_await(struct bcos_reader *reader, long timeout, bool *flushed)
{
	long left;
	int error;

	if (!*flushed) {
		*flushed = true;
		error = bcos_reader_merge(reader, !timeout);
		if (error || bcos_reader_ready(reader))
			return error;
	}
	if (!timeout)
		return -EAGAIN;
	left = wait_event_interruptible_timeout(reader->waiter.wait,
						bcos_must_stop() || bcos_reader_ready(reader),
						timeout);
	if (left < 0)
		return left;
	if (bcos_must_stop())
		return -ERESTARTSYS;
	return left ? 0 : -EAGAIN;
}

void bcos_reader_begin(struct bcos_reader *reader)
{
	mutex_init(&reader->lock);
	bcos_user_init(&reader->owner);
	bcos_waiters_add(&reader->waiter);
}

void bcos_reader_end(struct bcos_reader *reader)
{
	bcos_waiters_remove(&reader->waiter);
	bcos_memory_free(reader->buffer, BCOS_READER_BUFFER);
}
