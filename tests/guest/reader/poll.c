// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * poll() and its relatives: each compaction is told to each subscriber once, and to nobody else.
 *
 * guest: cpus=2 rounds=6:30 debug-rounds=3 timeout=180:240 also=6.12-rt
 *
 * The oracle is arithmetic: what a subscriber acknowledged must add up to the status' figures, which count since
 * load, and what two readers got must be the same bytes.
 */
#include "device.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>

/* ---- nothing happens --------------------------------------------------------- */

static void none_without_one(void)
{
	struct bcos_status status;
	struct switcher switcher;
	struct bcos_compaction told;
	uint64_t head;
	int fd;

	load("ring_kb=8192");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	head = flush_log(fd);
	switcher = switcher_start(0);
	WAIT_FOR(flush_log(fd) > head + (64 << 10));
	switcher_stop(&switcher);
	status = status_of(fd);
	ok(!status.compactions && !status.oldest, "a ring with room left has no compactions");
	ok(!(poll_log(fd, POLLPRI, 0) & POLLPRI), "POLLPRI stays clear without a compaction");
	told = acknowledge(fd);
	ok(!told.count && !told.bytes && !told.entries && !told.time, "and there is none to acknowledge");
	ok(!poll_log(fd, POLLOUT | POLLWRNORM, 0), "who may not write is not told that he may");
	close(fd);
	fd = open_log(O_WRONLY);
	ok(poll_log(fd, POLLIN | POLLOUT | POLLWRNORM, 0) == (POLLOUT | POLLWRNORM),
	   "who may write may do so at any time");
	close(fd);
	fd = open_log(O_RDWR);
	ok(poll_log(fd, POLLIN | POLLOUT, patience_ms()) & POLLOUT, "also who reads as well");
	close(fd);
	unload();
}

/* ---- a subscriber -------------------------------------------------------------- */

struct sums {
	uint64_t count, bytes, entries;
};

static void add(struct sums *sums, int fd)
{
	struct bcos_compaction told = acknowledge(fd);

	sums->count += told.count;
	sums->bytes += told.bytes;
	sums->entries += told.entries;
}

static struct sums figures(int fd)
{
	struct bcos_status status = status_of(fd);

	return (struct sums){ status.compactions, status.discarded_bytes, status.discarded_entries };
}

static bool agree(const struct sums *sums, const struct sums *from, const struct sums *to)
{
	bool good = sums->count == to->count - from->count && sums->bytes == to->bytes - from->bytes &&
		    sums->entries == to->entries - from->entries;

	if (!good)
		note("acknowledged %llu compactions, %llu bytes, %llu entries; there were %llu, %llu, %llu",
		     (unsigned long long)sums->count, (unsigned long long)sums->bytes,
		     (unsigned long long)sums->entries, (unsigned long long)(to->count - from->count),
		     (unsigned long long)(to->bytes - from->bytes),
		     (unsigned long long)(to->entries - from->entries));
	return good;
}

/* Acknowledges until the figures no longer change after a load. Return: the figures. */
static struct sums settle(int fd, struct sums *sums)
{
	struct sums before, after;

	do {
		flush_log(fd);
		before = figures(fd);
		add(sums, fd);
		after = figures(fd);
	} while (before.count != after.count);
	return after;
}

static void one_subscriber(int wanted)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), told = 0, late = 0, idle = 0;
	struct sums sums = { 0 }, from = figures(fd), to;
	struct bcos_compaction first;
	struct switcher switcher;

	ok(acknowledge(fd).count == 0, "a file's count begins when it is opened");
	switcher = switcher_start(1);
	while (told < wanted) {
		if (!(poll_log(fd, POLLPRI, patience_ms()) & POLLPRI)) {
			late++;
			break;
		}
		first = acknowledge(fd);
		idle += !first.count || !first.time;
		told += (int)first.count;
		sums.count += first.count;
		sums.bytes += first.bytes;
		sums.entries += first.entries;
	}
	switcher_stop(&switcher);
	to = settle(fd, &sums);
	ok(!late, "%d compactions were told", told);
	ok(!idle, "POLLPRI never came without a compaction");
	ok(agree(&sums, &from, &to), "the acknowledged counts sum to the compactions that occurred");
	ok(!(poll_log(fd, POLLPRI, 0) & POLLPRI) || figures(fd).count != to.count, "acknowledging clears POLLPRI");
	close(fd);
}

/* ---- many files at once ---------------------------------------------------------- */

struct reader {
	pthread_t thread;
	int fd;
	bool stop;
	uint64_t until;			/* reads on until it has this much of the log */
	uint64_t has;
	struct log log;
};

static void *read_on(void *argument)
{
	struct reader *reader = argument;

	for (;;) {
		poll_log(reader->fd, POLLIN, 10);
		log_append(&reader->log, reader->fd, 0);
		__atomic_store_n(&reader->has, reader->log.size, __ATOMIC_RELEASE);
		if (__atomic_load_n(&reader->stop, __ATOMIC_ACQUIRE) && reader->log.size >= reader->until)
			return NULL;
	}
}

/* Starts a reader at the log's very beginning, so that its offsets are the log's. */
static void start_reader(struct reader *reader)
{
	*reader = (struct reader){ .fd = open_log(O_RDONLY | O_NONBLOCK) };
	if (pthread_create(&reader->thread, NULL, read_on, reader))
		die("pthread_create");
}

static void stop_reader(struct reader *reader, uint64_t until)
{
	reader->until = until;
	__atomic_store_n(&reader->stop, true, __ATOMIC_RELEASE);
	pthread_join(reader->thread, NULL);
}

static bool missed_something(const struct log *log)
{
	const struct bcos_entry *entry = NULL;

	while ((entry = entry_find(log, entry, BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF)))
		if (((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MISSED)
			return true;
	return false;
}

/* Writes a part of a zone and waits for both readers, so that none is a zone behind, however slow this machine is. */
static void a_part_of_a_zone(int fd, struct reader *reader)
{
	uint64_t head;
	int i;

	switch_turns(1, 1000);
	head = flush_log(fd);
	for (i = 0; i < 2; i++)
		WAIT_FOR(__atomic_load_n(&reader[i].has, __ATOMIC_ACQUIRE) >= head);
}

static void together(int wanted)
{
	struct sums sums[2] = { 0 }, from, to[2];
	struct reader reader[2];
	int subscriber[2], lazy, i;
	char bytes[4096];
	size_t common;

	load("ring_kb=512");
	lazy = open_log(O_RDONLY | O_NONBLOCK);
	if (read(lazy, bytes, sizeof(bytes)) <= 0)
		die("read of a new log");
	for (i = 0; i < 2; i++)
		subscriber[i] = open_log(O_RDONLY | O_NONBLOCK);
	from = figures(lazy);
	for (i = 0; i < 2; i++)
		start_reader(&reader[i]);
	/* The first subscriber acknowledges each compaction, the second one every other compaction or so. */
	for (i = 0; figures(lazy).count - from.count < (uint64_t)wanted;) {
		a_part_of_a_zone(lazy, reader);
		if (!(poll_log(subscriber[0], POLLPRI, 0) & POLLPRI))
			continue;
		add(&sums[0], subscriber[0]);
		if (i++ % 2)
			add(&sums[1], subscriber[1]);
	}
	for (i = 0; i < 2; i++)
		to[i] = settle(subscriber[i], &sums[i]);
	ok(sums[0].count >= (uint64_t)wanted, "with two readers and an overtaken file, %d compactions are told",
	   wanted);
	for (i = 0; i < 2; i++)
		ok(agree(&sums[i], &from, &to[i]), "subscriber %d of 2: the counts sum to what occurred", i + 1);
	ok(poll_log(lazy, POLLPRI | POLLIN, 0) == (POLLERR | POLLPRI | POLLIN),
	   "the file that read nothing has POLLERR, POLLPRI and POLLIN");
	for (i = 0; i < 2; i++)
		stop_reader(&reader[i], flush_log(lazy));
	for (i = 0; i < 2; i++) {
		ok(!missed_something(&reader[i].log), "reader %d of 2 missed nothing", i + 1);
		log_check(&reader[i].log, "reader %d of 2", i + 1);
	}
	common = reader[0].log.size < reader[1].log.size ? reader[0].log.size : reader[1].log.size;
	ok(!memcmp(reader[0].log.bytes, reader[1].log.bytes, common), "both readers got the same %zu bytes", common);
	for (i = 0; i < 2; i++) {
		log_free(&reader[i].log);
		close(reader[i].fd);
		close(subscriber[i]);
	}
	close(lazy);
	unload();
}

/* ---- other ways to wait ------------------------------------------------------------ */

static void edge_triggered(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), set = epoll_create1(EPOLL_CLOEXEC), i, told = 0, twice = 0;
	struct epoll_event event = { .events = EPOLLPRI | EPOLLET }, got;

	if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, fd, &event))
		die("epoll");
	ok(!epoll_wait(set, &got, 1, 0), "edge-triggered epoll: nothing before a compaction");
	/* The compactions are never acknowledged, and each one is an edge all the same. */
	for (i = 0; i < 3; i++) {
		compact(fd, 1);
		if (epoll_wait(set, &got, 1, patience_ms()) == 1)
			told += (got.events & EPOLLPRI) != 0;
		/* The load is over and has left a zone at most, so there is no other edge. */
		flush_log(fd);
		epoll_wait(set, &got, 1, 0);
		twice += epoll_wait(set, &got, 1, 0) == 1;
	}
	ok(told == 3, "edge-triggered epoll: each compaction is an edge (%d of 3)", told);
	ok(!twice, "edge-triggered epoll: and but one");
	ok(poll_log(fd, POLLPRI, 0) & POLLPRI, "while POLLPRI itself is a level until acknowledged");
	close(set);
	close(fd);
}

static void with_select(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), got;
	struct timeval none = { 0, 0 }, long_time = { patience_ms() / 1000, 0 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	got = select(fd + 1, NULL, NULL, &set, &none);
	ok(got == 0, "select: exceptfds is clear without a compaction");
	compact(fd, 1);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	got = select(fd + 1, NULL, NULL, &set, &long_time);
	ok(got == 1 && FD_ISSET(fd, &set), "select: exceptfds tells of a compaction");
	ok(acknowledge(fd).count >= 1, "and it can be acknowledged");
	close(fd);
}

static void do_nothing(void *argument)
{
}

/* ---- POLLIN ---------------------------------------------------------------------------- */

static void watermark(void)
{
	const uint32_t mark = 8192;
	int fd = open_log(O_RDONLY | O_NONBLOCK), i, early = 0, small = 0;
	struct switcher switcher;
	uint64_t got;

	set_watermark(fd, mark);
	lseek(fd, 0, SEEK_END);
	drain(fd);
	for (i = 0; i < 5; i++) {
		switcher = switcher_start(1);
		if (!(poll_log(fd, POLLIN, patience_ms()) & POLLIN))
			early++;
		got = drain(fd);
		small += got < mark;
		switcher_stop(&switcher);
		/* Much less than a watermark happens between these two calls. If more does, POLLIN must tell. */
		drain(fd);
		if (poll_log(fd, POLLIN, 0) & POLLIN && drain(fd) < mark)
			early++;
	}
	ok(!small, "POLLIN: there is as much to read as the watermark says");
	ok(!early, "POLLIN: comes at the watermark, and not before");
	set_watermark(fd, 1);
	reap(spawn(do_nothing, NULL), NULL);
	ok(poll_log(fd, POLLIN, patience_ms()) & POLLIN, "POLLIN: a watermark of 1 is met by any entry");
	close(fd);
}

/*
 * A blocked read waits for the watermark, too. A read that finds something at once does not block, so a few may return
 * less. If each entry were enough, there would be hundreds of them.
 */
static void blocked_read(void)
{
	const uint32_t mark = 16384;
	struct switcher switcher = switcher_start(1);
	int fd = open_log(O_RDONLY), small = -1;
	static char bytes[65536];
	ssize_t got;

	set_watermark(fd, mark);
	lseek(fd, 0, SEEK_END);
	do {
		got = read(fd, bytes, sizeof(bytes));
		small++;
	} while (got > 0 && got < (ssize_t)mark);
	switcher_stop(&switcher);
	ok(got >= (ssize_t)mark && small < 10,
	   "a blocked read is woken at the watermark (%zd bytes, after %d times less)",
	   got, small);
	close(fd);
}

static void overtaken(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), unbound = open_log(O_RDONLY | O_NONBLOCK);
	struct log log = { NULL, 0 };
	static char bytes[1024];
	const struct bcos_entry *entry;
	uint64_t count;
	bool clear;

	/* Earlier events may still cause a compaction. */
	do {
		count = figures(fd).count;
		lseek(fd, 0, SEEK_SET);
		if (read(fd, bytes, sizeof(bytes)) <= 0)
			die("read");
		clear = !(poll_log(fd, POLLIN, 0) & POLLERR);
	} while (!clear && figures(fd).count != count);
	ok(clear, "POLLERR is clear before the cursor is overtaken");
	compact(fd, 5);
	ok(poll_log(fd, POLLIN, 0) & POLLERR, "a bound cursor that was overtaken has POLLERR");
	ok(!(poll_log(unbound, POLLIN, 0) & POLLERR), "a file that was never read follows the oldest: no POLLERR");
	log_append(&log, fd, 1);
	entry = entry_after(&log, NULL);
	ok(entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
	   ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MISSED, "its next read says what it missed");
	ok(!(poll_log(fd, POLLIN, 0) & POLLERR), "and clears POLLERR");
	log_free(&log);
	close(unbound);
	close(fd);
}

int main(void)
{
	struct log log;

	none_without_one();
	load("ring_kb=256");
	one_subscriber(rounds(6));
	edge_triggered();
	with_select();
	watermark();
	blocked_read();
	overtaken();
	log = log_snapshot();
	log_check(&log, "after all this");
	unload();
	together(rounds(6) * 2 / 3);
	return finish();
}
