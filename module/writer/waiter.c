// SPDX-License-Identifier: GPL-2.0-only
/* Open files and collectors, as the log writer sees them: see waiter.h. */
#include <linux/sched.h>

#include "waiter.h"

/* The ring that all waiters read. */
static const struct bcos_ring *bcos_waiters_ring;

/*
 * This lock guards bcos_waiters and bcos_waiter_count. The log writer takes it, so its holders
 * never wait.
 */
static DEFINE_SPINLOCK(bcos_waiters_lock);

static LIST_HEAD(bcos_waiters);
static u32 bcos_waiter_count;

/*
 * The end of the log when entries that are worth waking a reader for were last appended. Entries
 * after this are only switches of readers and of the writer: if these woke readers, reading would
 * cause more of them, endlessly.
 */
static u64 bcos_news;

void bcos_waiters_add(struct bcos_waiter *waiter)
{
	init_waitqueue_head(&waiter->wait);
	spin_lock_init(&waiter->acknowledge);
	waiter->watermark = 1;
	waiter->user = current->tgid;
	bcos_ring_marks(bcos_waiters_ring, &waiter->known);
	INIT_LIST_HEAD(&waiter->node);
	spin_lock(&bcos_waiters_lock);
	/*
	 * The writer goes through the list, so only files that can read are in it. There may be any
	 * number of others.
	 */
	if (waiter->reads)
		list_add_tail(&waiter->node, &bcos_waiters);
	WRITE_ONCE(bcos_waiter_count, bcos_waiter_count + 1);
	spin_unlock(&bcos_waiters_lock);
}

void bcos_waiters_remove(struct bcos_waiter *waiter)
{
	spin_lock(&bcos_waiters_lock);
	list_del(&waiter->node);
	WRITE_ONCE(bcos_waiter_count, bcos_waiter_count - 1);
	spin_unlock(&bcos_waiters_lock);
}

void bcos_waiters_up(const struct bcos_ring *ring)
{
	bcos_waiters_ring = ring;
}

u32 bcos_waiters_count(void)
{
	return READ_ONCE(bcos_waiter_count);
}

__poll_t bcos_waiter_events(struct bcos_waiter *waiter)
{
	struct bcos_marks marks;
	__poll_t events = 0;
	u64 cursor, news = READ_ONCE(bcos_news);
	/* Pairs with bcos_reader_bind(): a bound reader has a cursor. */
	bool bound = smp_load_acquire(&waiter->bound);

	/* The cursor is read before the marks, so it cannot be ahead of head. */
	cursor = READ_ONCE(waiter->cursor.place.offset);
	bcos_ring_marks(bcos_waiters_ring, &marks);
	if (bound && cursor < marks.oldest.offset) {
		events |= EPOLLERR | EPOLLIN | EPOLLRDNORM;
	} else {
		if (!bound)
			cursor = marks.oldest.offset;
		if (cursor != marks.head.offset &&
		    marks.head.offset - cursor >= READ_ONCE(waiter->watermark) &&
		    (!READ_ONCE(waiter->caught_up) || cursor < news))
			events |= EPOLLIN | EPOLLRDNORM;
	}
	if (marks.compactions != READ_ONCE(waiter->known.compactions))
		events |= EPOLLPRI;
	return events;
}

u32 bcos_waiters_quiet(u32 *ids, u32 room)
{
	struct bcos_waiter *waiter;
	u32 count = 0;

	spin_lock(&bcos_waiters_lock);
	list_for_each_entry(waiter, &bcos_waiters, node) {
		if (count == room)
			break;
		ids[count++] = READ_ONCE(waiter->user);
	}
	spin_unlock(&bcos_waiters_lock);
	return count;
}

bool bcos_waiters_waiting(void)
{
	struct bcos_waiter *waiter;
	bool waiting = false;

	spin_lock(&bcos_waiters_lock);
	list_for_each_entry(waiter, &bcos_waiters, node) {
		waiting = wq_has_sleeper(&waiter->wait);
		if (waiting)
			break;
	}
	spin_unlock(&bcos_waiters_lock);
	return waiting;
}

/*
 * Should the waiter be woken? A reader that has not read since it was last woken is woken again
 * only for news.
 */
static bool bcos_waiter_untold(struct bcos_waiter *waiter, bool news)
{
	struct bcos_marks marks;

	if (!news && waiter->told > READ_ONCE(waiter->cursor.place.offset))
		return false;
	bcos_ring_marks(bcos_waiters_ring, &marks);
	waiter->told = marks.head.offset;
	return true;
}

void bcos_waiters_news(void)
{
	struct bcos_marks marks;

	bcos_ring_marks(bcos_waiters_ring, &marks);
	WRITE_ONCE(bcos_news, marks.head.offset);
}

void bcos_waiters_appended(bool news)
{
	struct bcos_waiter *waiter;
	__poll_t events;

	spin_lock(&bcos_waiters_lock);
	list_for_each_entry(waiter, &bcos_waiters, node) {
		if (!wq_has_sleeper(&waiter->wait))
			continue;
		events = bcos_waiter_events(waiter);
		if (events & EPOLLIN && bcos_waiter_untold(waiter, news))
			wake_up_interruptible_poll(&waiter->wait, events);
	}
	spin_unlock(&bcos_waiters_lock);
}

void bcos_waiters_compacted(void)
{
	struct bcos_waiter *waiter;
	__poll_t events;

	spin_lock(&bcos_waiters_lock);
	list_for_each_entry(waiter, &bcos_waiters, node) {
		if (!wq_has_sleeper(&waiter->wait))
			continue;
		events = bcos_waiter_events(waiter);
		if (events & (EPOLLPRI | EPOLLERR))
			wake_up_interruptible_poll(&waiter->wait, events);
	}
	spin_unlock(&bcos_waiters_lock);
}
