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

	load_module("ring_kb=8192");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	head = flush_log(fd);
	switcher = switcher_start(0);
	WAIT_FOR(flush_log(fd) > head + (64 << 10));
	switcher_stop(&switcher);
	status = status_of(fd);
	make_point(!status.compactions && !status.oldest, "a ring with room left has no compactions");
	make_point(!(poll_log(fd, POLLPRI, 0) & POLLPRI), "POLLPRI stays clear without a compaction");
	told = acknowledge_compaction(fd);
	make_point(!told.count && !told.bytes && !told.entries && !told.time, "and there is none to acknowledge");
	make_point(!poll_log(fd, POLLOUT | POLLWRNORM, 0), "who may not write is not told that he may");
	close(fd);
	fd = open_log(O_WRONLY);
	make_point(poll_log(fd, POLLIN | POLLOUT | POLLWRNORM, 0) == (POLLOUT | POLLWRNORM),
		   "who may write may do so at any time");
	close(fd);
	fd = open_log(O_RDWR);
	make_point(poll_log(fd, POLLIN | POLLOUT, patience_ms()) & POLLOUT, "also who reads as well");
	close(fd);
	unload_module();
}

/* ---- a subscriber -------------------------------------------------------------- */

struct sums {
	uint64_t count, bytes, entries;
};

static void add_compactions(struct sums *sums, int fd)
{
	struct bcos_compaction told = acknowledge_compaction(fd);

	sums->count += told.count;
	sums->bytes += told.bytes;
	sums->entries += told.entries;
}

static struct sums figures_of(int fd)
{
	struct bcos_status status = status_of(fd);

	return (struct sums){ status.compactions, status.discarded_bytes, status.discarded_entries };
}

static bool do_agree(const struct sums *sums, const struct sums *from, const struct sums *to)
{
	bool good = sums->count == to->count - from->count && sums->bytes == to->bytes - from->bytes &&
		    sums->entries == to->entries - from->entries;

	if (!good)
		print_note("acknowledged %llu compactions, %llu bytes, %llu entries; there were %llu, %llu, %llu",
			   (unsigned long long)sums->count, (unsigned long long)sums->bytes,
			   (unsigned long long)sums->entries, (unsigned long long)(to->count - from->count),
			   (unsigned long long)(to->bytes - from->bytes),
			   (unsigned long long)(to->entries - from->entries));
	return good;
}

/* Acknowledges until the figures no longer change after a load. Return: the figures. */
static struct sums settle_sums(int fd, struct sums *sums)
{
	struct sums before, after;

	do {
		flush_log(fd);
		before = figures_of(fd);
		add_compactions(sums, fd);
		after = figures_of(fd);
	} while (before.count != after.count);
	return after;
}

static void one_subscriber(int wanted)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), told = 0, late = 0, idle = 0;
	struct sums sums = { 0 }, from = figures_of(fd), to;
	struct bcos_compaction first;
	struct switcher switcher;

	make_point(acknowledge_compaction(fd).count == 0, "a file's count begins when it is opened");
	switcher = switcher_start(1);
	while (told < wanted) {
		if (!(poll_log(fd, POLLPRI, patience_ms()) & POLLPRI)) {
			late++;
			break;
		}
		first = acknowledge_compaction(fd);
		idle += !first.count || !first.time;
		told += (int)first.count;
		sums.count += first.count;
		sums.bytes += first.bytes;
		sums.entries += first.entries;
	}
	switcher_stop(&switcher);
	to = settle_sums(fd, &sums);
	make_point(!late, "%d compactions were told", told);
	make_point(!idle, "POLLPRI never came without a compaction");
	make_point(do_agree(&sums, &from, &to), "the acknowledged counts sum to the compactions that occurred");
	make_point(!(poll_log(fd, POLLPRI, 0) & POLLPRI) || figures_of(fd).count != to.count,
		   "acknowledging clears POLLPRI");
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
		give_up("pthread_create");
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

static void test_together(int wanted)
{
	struct sums sums[2] = { 0 }, from, to[2];
	struct reader reader[2];
	int subscriber[2], lazy, i;
	char bytes[4096];
	size_t common;

	load_module("ring_kb=512");
	lazy = open_log(O_RDONLY | O_NONBLOCK);
	if (read(lazy, bytes, sizeof(bytes)) <= 0)
		give_up("read of a new log");
	for (i = 0; i < 2; i++)
		subscriber[i] = open_log(O_RDONLY | O_NONBLOCK);
	from = figures_of(lazy);
	for (i = 0; i < 2; i++)
		start_reader(&reader[i]);
	/* The first subscriber acknowledges each compaction, the second one every other compaction or so. */
	for (i = 0; figures_of(lazy).count - from.count < (uint64_t)wanted;) {
		a_part_of_a_zone(lazy, reader);
		if (!(poll_log(subscriber[0], POLLPRI, 0) & POLLPRI))
			continue;
		add_compactions(&sums[0], subscriber[0]);
		if (i++ % 2)
			add_compactions(&sums[1], subscriber[1]);
	}
	for (i = 0; i < 2; i++)
		to[i] = settle_sums(subscriber[i], &sums[i]);
	make_point(sums[0].count >= (uint64_t)wanted, "with two readers and an overtaken file, %d compactions are told",
		   wanted);
	for (i = 0; i < 2; i++)
		make_point(do_agree(&sums[i], &from, &to[i]), "subscriber %d of 2: the counts sum to what occurred",
			   i + 1);
	make_point(poll_log(lazy, POLLPRI | POLLIN, 0) == (POLLERR | POLLPRI | POLLIN),
		   "the file that read nothing has POLLERR, POLLPRI and POLLIN");
	for (i = 0; i < 2; i++)
		stop_reader(&reader[i], flush_log(lazy));
	for (i = 0; i < 2; i++) {
		make_point(!missed_something(&reader[i].log), "reader %d of 2 missed nothing", i + 1);
		log_check(&reader[i].log, "reader %d of 2", i + 1);
	}
	common = reader[0].log.size < reader[1].log.size ? reader[0].log.size : reader[1].log.size;
	make_point(!memcmp(reader[0].log.bytes, reader[1].log.bytes, common), "both readers got the same %zu bytes",
		   common);
	for (i = 0; i < 2; i++) {
		log_free(&reader[i].log);
		close(reader[i].fd);
		close(subscriber[i]);
	}
	close(lazy);
	unload_module();
}

/* ---- other ways to wait ------------------------------------------------------------ */

static void edge_triggered(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), set = epoll_create1(EPOLL_CLOEXEC), i, told = 0, twice = 0;
	struct epoll_event event = { .events = EPOLLPRI | EPOLLET }, got;

	if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, fd, &event))
		give_up("epoll");
	make_point(!epoll_wait(set, &got, 1, 0), "edge-triggered epoll: nothing before a compaction");
	/* The compactions are never acknowledged, and each one is an edge all the same. */
	for (i = 0; i < 3; i++) {
		compact_log(fd, 1);
		if (epoll_wait(set, &got, 1, patience_ms()) == 1)
			told += (got.events & EPOLLPRI) != 0;
		/* The load is over and has left a zone at most, so there is no other edge. */
		flush_log(fd);
		epoll_wait(set, &got, 1, 0);
		twice += epoll_wait(set, &got, 1, 0) == 1;
	}
	make_point(told == 3, "edge-triggered epoll: each compaction is an edge (%d of 3)", told);
	make_point(!twice, "edge-triggered epoll: and but one");
	make_point(poll_log(fd, POLLPRI, 0) & POLLPRI, "while POLLPRI itself is a level until acknowledged");
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
	make_point(got == 0, "select: exceptfds is clear without a compaction");
	compact_log(fd, 1);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	got = select(fd + 1, NULL, NULL, &set, &long_time);
	make_point(got == 1 && FD_ISSET(fd, &set), "select: exceptfds tells of a compaction");
	make_point(acknowledge_compaction(fd).count >= 1, "and it can be acknowledged");
	close(fd);
}

static void do_nothing(void *argument)
{
}

/* ---- POLLIN ---------------------------------------------------------------------------- */

static void test_watermark(void)
{
	const uint32_t mark = 8192;
	int fd = open_log(O_RDONLY | O_NONBLOCK), i, early = 0, small = 0;
	struct switcher switcher;
	uint64_t got;

	set_watermark(fd, mark);
	lseek(fd, 0, SEEK_END);
	drain_log(fd);
	for (i = 0; i < 5; i++) {
		switcher = switcher_start(1);
		if (!(poll_log(fd, POLLIN, patience_ms()) & POLLIN))
			early++;
		got = drain_log(fd);
		small += got < mark;
		switcher_stop(&switcher);
		/* Much less than a watermark happens between these two calls. If more does, POLLIN must tell. */
		drain_log(fd);
		if (poll_log(fd, POLLIN, 0) & POLLIN && drain_log(fd) < mark)
			early++;
	}
	make_point(!small, "POLLIN: there is as much to read as the watermark says");
	make_point(!early, "POLLIN: comes at the watermark, and not before");
	set_watermark(fd, 1);
	reap_child(spawn_child(do_nothing, NULL), NULL);
	make_point(poll_log(fd, POLLIN, patience_ms()) & POLLIN, "POLLIN: a watermark of 1 is met by any entry");
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
	make_point(got >= (ssize_t)mark && small < 10,
		   "a blocked read is woken at the watermark (%zd bytes, after %d times less)",
		   got, small);
	close(fd);
}

static void test_overtaken(void)
{
	int fd = open_log(O_RDONLY | O_NONBLOCK), unbound = open_log(O_RDONLY | O_NONBLOCK);
	struct log log = { NULL, 0 };
	static char bytes[1024];
	const struct bcos_entry *entry;
	uint64_t count;
	bool clear;

	/* Earlier events may still cause a compaction. */
	do {
		count = figures_of(fd).count;
		lseek(fd, 0, SEEK_SET);
		if (read(fd, bytes, sizeof(bytes)) <= 0)
			give_up("read");
		clear = !(poll_log(fd, POLLIN, 0) & POLLERR);
	} while (!clear && figures_of(fd).count != count);
	make_point(clear, "POLLERR is clear before the cursor is overtaken");
	compact_log(fd, 5);
	make_point(poll_log(fd, POLLIN, 0) & POLLERR, "a bound cursor that was overtaken has POLLERR");
	make_point(!(poll_log(unbound, POLLIN, 0) & POLLERR),
		   "a file that was never read follows the oldest: no POLLERR");
	log_append(&log, fd, 1);
	entry = entry_after(&log, NULL);
	make_point(entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
		   ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MISSED,
		   "its next read says what it missed");
	make_point(!(poll_log(fd, POLLIN, 0) & POLLERR), "and clears POLLERR");
	log_free(&log);
	close(unbound);
	close(fd);
}

int main(void)
{
	struct log log;

	none_without_one();
	load_module("ring_kb=256");
	one_subscriber(get_rounds(6));
	edge_triggered();
	with_select();
	test_watermark();
	blocked_read();
	test_overtaken();
	log = log_snapshot();
	log_check(&log, "after all this");
	unload_module();
	test_together(get_rounds(6) * 2 / 3);
	return finish_test();
}
