// SPDX-License-Identifier: GPL-2.0-only
/* Open files of the log, as the log writer sees them. */
#include <linux/sched.h>

#include "waiter.h"
#include "writer.h"

static LIST_HEAD(bcos_readers);
static DEFINE_SPINLOCK(bcos_readers_lock);
static u32 bcos_reader_count;

/*
 * The end of the log when entries worth waking a reader for were last appended. Entries after it
 * are only switches of readers and of the writer: if they woke readers, reading would cause more of
 * them, endlessly.
 */
static u64 bcos_news;

void bcos_readers_add(struct bcos_reader *reader)
{
	init_waitqueue_head(&reader->wait);
	mutex_init(&reader->lock);
	spin_lock_init(&reader->acknowledge);
	bcos_user_init(&reader->owner);
	reader->watermark = 1;
	reader->user = current->tgid;
	bcos_ring_marks(bcos_writer_ring(), &reader->known);
	INIT_LIST_HEAD(&reader->node);
	spin_lock(&bcos_readers_lock);
	/* The writer walks only files that can read; there may be any number of others. */
	if (reader->reads)
		list_add_tail(&reader->node, &bcos_readers);
	WRITE_ONCE(bcos_reader_count, bcos_reader_count + 1);
	spin_unlock(&bcos_readers_lock);
}

void bcos_readers_remove(struct bcos_reader *reader)
{
	spin_lock(&bcos_readers_lock);
	list_del(&reader->node);
	WRITE_ONCE(bcos_reader_count, bcos_reader_count - 1);
	spin_unlock(&bcos_readers_lock);
}

u32 bcos_readers_count(void)
{
	return READ_ONCE(bcos_reader_count);
}

__poll_t bcos_reader_events(struct bcos_reader *reader)
{
	struct bcos_marks marks;
	__poll_t events = 0;
	u64 cursor, news = READ_ONCE(bcos_news);
	/* Pairs with bcos_reader_bind(): a bound reader has a cursor. */
	bool bound = smp_load_acquire(&reader->bound);

	/* The cursor is read before the marks, so it cannot be ahead of them. */
	cursor = READ_ONCE(reader->cursor.place.offset);
	bcos_ring_marks(bcos_writer_ring(), &marks);
	if (bound && cursor < marks.oldest.offset) {
		events |= EPOLLERR | EPOLLIN | EPOLLRDNORM;
	} else {
		if (!bound)
			cursor = marks.oldest.offset;
		if (cursor != marks.head.offset &&
		    marks.head.offset - cursor >= READ_ONCE(reader->watermark) &&
		    (!READ_ONCE(reader->caught_up) || cursor < news))
			events |= EPOLLIN | EPOLLRDNORM;
	}
	if (marks.compactions != READ_ONCE(reader->known.compactions))
		events |= EPOLLPRI;
	return events;
}

bool bcos_reader_ready(struct bcos_reader *reader)
{
	if (bcos_reader_events(reader) & EPOLLIN)
		return true;
	bcos_writer_arm();
	return false;
}

u32 bcos_readers_quiet(u32 *ids, u32 room)
{
	struct bcos_reader *reader;
	u32 count = 0;

	spin_lock(&bcos_readers_lock);
	list_for_each_entry(reader, &bcos_readers, node) {
		if (count == room)
			break;
		ids[count++] = READ_ONCE(reader->user);
	}
	spin_unlock(&bcos_readers_lock);
	return count;
}

bool bcos_readers_waiting(void)
{
	struct bcos_reader *reader;
	bool waiting = false;

	spin_lock(&bcos_readers_lock);
	list_for_each_entry(reader, &bcos_readers, node) {
		waiting = wq_has_sleeper(&reader->wait);
		if (waiting)
			break;
	}
	spin_unlock(&bcos_readers_lock);
	return waiting;
}

/* A reader that has not read since it was last woken is woken again only for news. */
static bool bcos_reader_untold(struct bcos_reader *reader, bool news)
{
	struct bcos_marks marks;

	if (!news && reader->told > READ_ONCE(reader->cursor.place.offset))
		return false;
	bcos_ring_marks(bcos_writer_ring(), &marks);
	reader->told = marks.head.offset;
	return true;
}

void bcos_readers_news(void)
{
	struct bcos_marks marks;

	bcos_ring_marks(bcos_writer_ring(), &marks);
	WRITE_ONCE(bcos_news, marks.head.offset);
}

void bcos_readers_appended(bool news)
{
	struct bcos_reader *reader;
	__poll_t events;

	spin_lock(&bcos_readers_lock);
	list_for_each_entry(reader, &bcos_readers, node) {
		if (!wq_has_sleeper(&reader->wait))
			continue;
		events = bcos_reader_events(reader);
		if (events & EPOLLIN && bcos_reader_untold(reader, news))
			wake_up_interruptible_poll(&reader->wait, events);
	}
	spin_unlock(&bcos_readers_lock);
}

void bcos_readers_compacted(void)
{
	struct bcos_reader *reader;
	__poll_t events;

	spin_lock(&bcos_readers_lock);
	list_for_each_entry(reader, &bcos_readers, node) {
		if (!wq_has_sleeper(&reader->wait))
			continue;
		events = bcos_reader_events(reader);
		if (events & (EPOLLPRI | EPOLLERR))
			wake_up_interruptible_poll(&reader->wait, events);
	}
	spin_unlock(&bcos_readers_lock);
}
