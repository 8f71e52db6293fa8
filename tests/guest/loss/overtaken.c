// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A reader that stands still while the log goes on is told exactly what it missed.
 *
 * guest: cpus=2 rounds=10:50 debug-rounds=4 timeout=60:240
 *
 * The oracle is a second reader, which misses nothing and counts everything from the log's very first byte on: what the
 * first reader reads, plus what it is told that it missed, must be as much, in bytes and in entries.
 */
#include "device.h"

#include <poll.h>
#include <sched.h>
#include <sys/mman.h>

/* Bytes and entries of a log, or of a part of it. */
struct amount {
	uint64_t bytes, entries;
};

static struct amount amount_of(const struct log *log)
{
	struct amount amount = { 0, 0 };

	for_each_entry(entry, log) {
		amount.bytes += entry->size;
		amount.entries++;
	}
	return amount;
}

/*
 * The counter is a process that runs before all others, and writes what it reads into memory that it shares with the
 * test.
 */
struct counter {
	uint64_t bytes;		/* read so far */
	uint64_t stop;		/* reads on until this offset; 0: not yet known */
	uint64_t room;
	char log[];
};

static void count_missed(void *argument)
{
	struct counter *counter = argument;
	struct sched_param highest = { .sched_priority = 40 };
	int fd = open_log(O_RDONLY | O_NONBLOCK);
	uint64_t stop;
	ssize_t got;

	sched_setscheduler(0, SCHED_FIFO, &highest);
	for (;;) {
		if (counter->room - counter->bytes < 65536)
			give_up("the counter's memory is full");
		got = read(fd, counter->log + counter->bytes, counter->room - counter->bytes);
		if (got > 0) {
			__atomic_store_n(&counter->bytes, counter->bytes + (uint64_t)got, __ATOMIC_RELEASE);
			continue;
		}
		if (got < 0 && errno != EAGAIN)
			give_up("read of the counter");
		stop = __atomic_load_n(&counter->stop, __ATOMIC_ACQUIRE);
		if (stop && counter->bytes >= stop)
			return;
		poll_log(fd, POLLIN, 10);
	}
}

static struct counter *counter_new(size_t room)
{
	struct counter *counter = mmap(NULL, sizeof(*counter) + room, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (counter == MAP_FAILED)
		give_up("mmap");
	counter->room = room;
	return counter;
}

static bool missed_notice(const struct bcos_entry *entry)
{
	return entry->type == BCOS_GENERIC_DEVICE && entry->source == BCOS_DEVICE_SELF &&
	       ((const struct bcos_generic *)entry)->event_id == BCOS_EVENT_MISSED;
}

static int count_notices(const struct log *log)
{
	int found = 0;

	for_each_entry(entry, log)
		found += missed_notice(entry);
	return found;
}

/* Parses the notice. Whatever its words are, "entries" and "bytes" follow their numbers. */
static bool parse_notice(const struct bcos_entry *entry, struct amount *missed)
{
	const char *text = entry_text(entry), *at;
	unsigned long long number;
	bool bytes = false, entries = false;
	int length;

	for (at = text; *at; at++) {
		if (*at < '0' || *at > '9')
			continue;
		sscanf(at, "%llu%n", &number, &length);
		at += length;
		if (!strncmp(at, " bytes", 6)) {
			missed->bytes = number;
			bytes = true;
		} else if (!strncmp(at, " entries", 8)) {
			missed->entries = number;
			entries = true;
		}
		at--;
	}
	return bytes && entries;
}

/* Reads up to offset @until of the log. The part that @log has so far ends at offset @at. */
static void read_until(struct log *log, int fd, uint64_t at, uint64_t until)
{
	size_t begin = log->size;

	while (at + log->size - begin < until)
		log_append(log, fd, until - at - (log->size - begin));
}

static void test_once(unsigned int compactions, size_t first_read)
{
	struct counter *counter = counter_new(512u << 20);
	struct amount before, missed = { 0, 0 }, after, whole;
	struct log log = { NULL, 0 }, rest, all;
	const struct bcos_entry *notice;
	uint64_t head, offset, until;
	size_t said;
	pid_t pid;
	int fd;

	load_module("ring_kb=256");
	fd = open_log(O_RDONLY | O_NONBLOCK);
	pid = spawn_bound(count_missed, counter);
	/* The first reader stops somewhere in the middle, at no round offset. */
	log.bytes = malloc(first_read);
	log.size = (size_t)read(fd, log.bytes, first_read);
	if (!log.bytes || (ssize_t)log.size <= 0)
		give_up("read of %zu bytes", first_read);
	before = amount_of(&log);
	/* The counter has begun to read the log, and is never a zone behind from now on. */
	WAIT_FOR(__atomic_load_n(&counter->bytes, __ATOMIC_ACQUIRE));
	until = status_of(fd).compactions + compactions;
	do {
		switch_turns(count_cpus() - 1, 1000);
		head = flush_log(fd);
		WAIT_FOR(__atomic_load_n(&counter->bytes, __ATOMIC_ACQUIRE) >= head);
	} while (status_of(fd).compactions < until);

	rest = (struct log){ NULL, 0 };
	log_append(&rest, fd, 1);
	notice = entry_after(&rest, NULL);
	if (!make_point(missed_notice(notice), "after %u compactions the first that is read is the notice",
			compactions) ||
	    !make_point(parse_notice(notice, &missed), "it gives entries and bytes: \"%s\"", entry_text(notice)))
		give_up("there is nothing to compare");
	said = notice->size;
	offset = before.bytes + missed.bytes;
	read_until(&rest, fd, offset + rest.size - said, head);
	after = amount_of(&rest);
	after.bytes -= said;
	after.entries -= 1;

	/* Both readers are at the same place once the counter has at least as much. */
	__atomic_store_n(&counter->stop, before.bytes + missed.bytes + after.bytes, __ATOMIC_RELEASE);
	make_point(!reap_child(pid, NULL), "the second reader came to the same place");
	all = (struct log){ counter->log, before.bytes + missed.bytes + after.bytes };
	make_point(!count_notices(&all), "and missed nothing");
	make_point(count_notices(&rest) == 1, "the first is told once");
	whole = amount_of(&all);
	make_point(whole.bytes == before.bytes + missed.bytes + after.bytes &&
		   whole.entries == before.entries + missed.entries + after.entries,
		   "%llu + %llu missed + %llu entries are the %llu that the second counted",
		   (unsigned long long)before.entries, (unsigned long long)missed.entries,
		   (unsigned long long)after.entries, (unsigned long long)whole.entries);
	make_point(missed.entries && missed.bytes > (compactions - 1) * (256u << 10) / 4,
		   "it missed what so many compactions discard");
	make_point(!memcmp(all.bytes, log.bytes, log.size) &&
		   !memcmp(all.bytes + before.bytes + missed.bytes, rest.bytes + said, after.bytes),
		   "what it did read is what the second read there");
	log_check(&(struct log){ rest.bytes + said, after.bytes }, "what is after the notice, alone");
	/* Join both parts, as "cat" would have written them. */
	log.bytes = realloc(log.bytes, log.size + rest.size);
	memcpy(log.bytes + log.size, rest.bytes, rest.size);
	log.size += rest.size;
	log_check(&log, "the log of the reader that was overtaken");
	log_check(&all, "the log of the one that was not");
	log_free(&log);
	log_free(&rest);
	munmap(counter, sizeof(*counter) + counter->room);
	close(fd);
	unload_module();
}

int main(void)
{
	test_once((unsigned int)get_rounds(10), 2000);
	test_once(2, 300);
	return finish_test();
}
