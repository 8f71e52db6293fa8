// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The state found at load, CPUs that come and go, and interrupt lines. */
#include "core/write/figures.h"
#include "core/write/group.h"
#include "core/model/device.h"
#include "check.h"
#include "oracle.h"

static struct feed *begin_feed(u32 cpus, u32 cpus_per_core)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	feed->host.cpus_per_core = cpus_per_core;
	feed_start(feed, cpus);
	feed->time = 2000;
	return feed;
}

static void finish_feed(struct feed *feed)
{
	feed_check(feed);
	feed_end(feed);
	free(feed);
}

/* ---- load ------------------------------------------------------------------------------------ */

/*
 * The first group has cores, CPUs, processes and devices. It has no assignments, since the log does not know yet what
 * CPUs run.
 */
static void test_first_group(void **state)
{
	struct bcos_seen seen[] = {
		{ .id = 1, .tag = 11, .start = 50, .name = "init" },
		{ .id = 40, .tag = 12, .start = 70, .name = "" },
		{ .id = 41, .tag = 13, .start = 80, .hidden = true, .name = "helper" },
	};
	struct feed feed = { .host.cpus_per_core = 2 };

	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 3, seen, COUNT(seen), 1000), 0);
	feed_pass(&feed, 999);
	assert_int_equal(feed.length, 0);
	feed_pass(&feed, 1000);
	/*
	 * The last process of a walk is the first one in the list of recent processes. The kernel is always first in a
	 * group.
	 */
	check_history(&feed, 0,
		      "*0+1000 0 core online 2\n"
		      "*0+1000 1 core online 1\n"
		      "*0+1000 0 online 0\n"
		      "*0+1000 1 online 0\n"
		      "*0+1000 2 online 1\n"
		      "*0+0 0 name kernel\n"
		      "*70 40 name ?\n"
		      "*50 1 name init\n"
		      "*1000 0xc0000000 device 0 bcos_evlog\n");
	feed_check(&feed);
	feed_end(&feed);
}

/* Only each CPU's last switch before the beginning counts, with its time. */
static void test_primed_switches(void **state)
{
	struct bcos_seen seen[] = {
		{ .id = 1, .tag = 11, .start = 50, .name = "init" },
		{ .id = 2, .tag = 12, .start = 60, .name = "sh" },
	};
	struct feed feed = { 0 };
	u64 from;

	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 2, seen, COUNT(seen), 1000), 0);
	feed.time = 900;
	feed_switch(&feed, 0, 2);
	feed.time = 910;
	feed_switch(&feed, 0, 1);
	feed.time = 920;
	feed_switch(&feed, 1, 2);
	feed.time = 930;
	feed_switch(&feed, 1, BCOS_PROCESS_IDLE);
	assert_int_equal(feed.length, 0);
	/* The first record that is not older than the beginning begins the log before it is applied. */
	feed.time = 1000;
	feed_switch(&feed, 0, 2);
	from = feed_mark(&feed);
	assert_non_null(strstr(feed_text(&feed, 0, true),
			       "*910 0 assign 1\n"
			       "*930 1 assign idle\n"
			       "1000 0 assign 2\n"));
	check_text(&feed, 0, "1000 0 assign 2\n");
	assert_int_equal(from, feed.length);
	feed_check(&feed);
	feed_end(&feed);
}

/* If nobody saw when a CPU was assigned, the precision reaches to the last moment at which that may have happened. */
static void test_an_uncertain_assignment(void **state)
{
	struct feed *feed = begin_feed(2, 1);
	struct feed_record record = record_event(BCOS_RAW_ASSIGN, 0, 0, 0, 0, 0, "", 0);
	u64 from;

	/* Engines write such a record after a loss. */
	feed->flags |= ORACLE_LOSSES;
	feed_birth(feed, 0, 40, 1, "sh");
	from = feed_mark(feed);
	feed_switch(feed, 1, 40);
	/* 1 ns is the precision of the record's own time. */
	record.event.precision = 700;
	record.raw.id = 0;
	record.raw.aux = 0;
	feed->time = 2100;
	feed_apply(feed, 1, &record);
	feed->time = 2900;
	feed_switch(feed, 1, 40);
	/* A loss before it makes the same assignment news. */
	record.raw.id = 40;
	feed_apply(feed, 1, &record);
	check_text(feed, from, "2000 1 assign 40\n"
			       "2100+701 1 assign 0\n"
			       "2900 1 assign 40\n"
			       "2900+701 1 assign 40\n");
	finish_feed(feed);
}

/* Life-cycle records before the beginning correct what the walk found, by their tags. */
static void test_primed_lives(void **state)
{
	struct bcos_seen seen[] = {
		{ .id = 1, .tag = 11, .start = 50, .name = "init" },
		{ .id = 2, .tag = 12, .start = 60, .name = "gone" },
		{ .id = 3, .tag = 13, .start = 70, .name = "kept" },
		{ .id = 4, .tag = 14, .start = 80, .name = "before" },
		{ .id = 5, .tag = 15, .start = 940, .name = "child" },
	};
	struct feed feed = { 0 };
	const char *text;

	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 1, seen, COUNT(seen), 1000), 0);
	feed.time = 900;
	feed_dead(&feed, 0, 2, 12, 0);		/* died after the walk saw it */
	feed_dead(&feed, 0, 3, 99, 0);		/* the previous incarnation of the ID */
	feed_exec(&feed, 0, 4, 14, "after");
	feed.time = 940;
	feed_birth(&feed, 0, 5, 15, "child");	/* seen by the walk already */
	feed_birth(&feed, 0, 6, 16, "other");	/* not seen */
	feed_birth(&feed, 0, 7, 17, "brief");	/* not seen, and dead */
	feed_dead(&feed, 0, 7, 17, 0);
	feed.time = 1000;
	feed_pass(&feed, 1000);
	text = feed_text(&feed, 0, true);
	assert_null(strstr(text, "gone"));
	assert_null(strstr(text, "brief"));
	assert_null(strstr(text, "before"));
	assert_non_null(strstr(text, "*50 1 name init\n"));
	assert_non_null(strstr(text, "*70 3 name kept\n"));
	assert_non_null(strstr(text, "*80 4 name after\n"));
	assert_non_null(strstr(text, "*940 5 name child\n"));
	assert_non_null(strstr(text, "*940 6 name other\n"));
	check_text(&feed, 0, "");
	feed_check(&feed);
	feed_end(&feed);
}

/* A ring in which the CPUs' part of a group would not fit is refused (log.h). */
static void test_ring_too_small(void **state)
{
	struct feed feed = { 0 };

	assert_true(bcos_log_ring_min(1) == BCOS_RING_MIN);
	assert_true(bcos_log_ring_min(4096) > BCOS_RING_MIN);
	assert_int_equal(feed_init(&feed, 256 << 10, 4096), -EINVAL);
	feed_end(&feed);
	memset(&feed, 0, sizeof(feed));
	assert_int_equal(feed_init(&feed, bcos_log_ring_min(4096), 4096), 0);
	feed_end(&feed);
}

/* Returns the bytes of a group, as the status tells them. */
static u64 group_bytes(const struct feed *feed)
{
	struct bcos_status status = { 0 };

	bcos_log_status(&feed->log, &status);
	return status.group_bytes;
}

/*
 * A ring should hold sixteen groups. The smallest ring is advised if sixteen groups fit exactly, and the next size if
 * there is one name more.
 */
static void test_ring_advice(void **state)
{
	static const char name[] = "twelve chars";
	struct feed *feed = begin_feed(1, 1);
	u32 id = 1, least = sizeof(struct bcos_process_name) + 4, left, length;

	/* Each process adds a header and a name to a group. The lengths of names here are multiples of 4. */
	while ((left = (u32)(BCOS_RING_MIN / 16 - group_bytes(feed)))) {
		length = 12;
		while (length && left != least - 4 + length && left < 2 * least - 4 + length)
			length -= 4;
		assert_true(length > 0);
		feed_birth(feed, 0, id++, 1, name + 12 - length);
	}
	assert_int_equal(group_bytes(feed), BCOS_RING_MIN / 16);
	assert_true(bcos_log_ring_advice(&feed->log) == BCOS_RING_MIN);
	feed_birth(feed, 0, id, 1, "x");
	assert_true(bcos_log_ring_advice(&feed->log) == 2 * BCOS_RING_MIN);
	finish_feed(feed);
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

static void test_down_up(void **state)
{
	struct feed *feed = begin_feed(2, 1);
	u64 from = feed_mark(feed);

	feed_birth(feed, 0, 100, 1, "sh");
	feed_switch(feed, 1, 100);
	feed->time = 2100;
	feed_cpu_down(feed, 0, 1);
	feed_cpu_down(feed, 0, 1);
	feed->time = 2200;
	feed_switch(feed, 1, 100);
	check_text(feed, from,
		   "2000 100 name sh\n"
		   "2000 1 assign 100\n"
		   "2100 1 assign idle\n"
		   "2100 1 offline\n"
		   "2100 1 core offline\n"
		   "2200 1 core online 1\n"
		   "2200 1 online 1\n"
		   "2200 1 assign idle\n"
		   "2200 1 assign 100\n");
	finish_feed(feed);
}

/*
 * A core of two CPUs is online as long as one of them is. Its performance table has an entry for each CPU that it has
 * had.
 */
static void test_shared_core(void **state)
{
	struct feed *feed = begin_feed(2, 2);
	u64 from = feed_mark(feed);

	feed_switch(feed, 2, 0);
	feed->time = 2100;
	feed_switch(feed, 3, 0);
	feed->time = 2200;
	feed_cpu_down(feed, 0, 2);
	feed->time = 2300;
	feed_cpu_down(feed, 0, 3);
	feed->time = 2400;
	feed_switch(feed, 3, 0);
	check_text(feed, from,
		   "2000 1 core online 1\n"
		   "2000 2 online 1\n"
		   "2000 2 assign idle\n"
		   "2000 2 assign 0\n"
		   "2100 1 core online 2\n"
		   "2100 3 online 1\n"
		   "2100 3 assign idle\n"
		   "2100 3 assign 0\n"
		   "2200 2 assign idle\n"
		   "2200 2 offline\n"
		   "2300 3 assign idle\n"
		   "2300 3 offline\n"
		   "2300 1 core offline\n"
		   "2400 1 core online 2\n"
		   "2400 3 online 1\n"
		   "2400 3 assign idle\n"
		   "2400 3 assign 0\n");
	finish_feed(feed);
}

/* A process may still die after the CPU that ran it has gone offline. */
static void test_death_after_down(void **state)
{
	struct feed *feed = begin_feed(2, 1);
	u64 from;

	feed_birth(feed, 0, 100, 1, "sh");
	feed_switch(feed, 1, 100);
	feed_cpu_down(feed, 0, 1);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 1, 0);
	check_text(feed, from, "2000 100 cancel 0\n");
	finish_feed(feed);
}

/* ---- interrupt lines ------------------------------------------------------------------------- */

#define DEVICE "0xc0000001"
#define SECOND "0xc0000002"

static void test_irq(void **state)
{
	struct feed *feed = begin_feed(2, 1);
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 11, false, 5, "eth0");
	feed->time = 2100;
	feed_irq(feed, 0, 11, 5);
	feed_irq_name(feed, 1, 11, false, 5, "eth0");
	feed_irq_name(feed, 1, 12, false, 5, "disk");
	check_text(feed, from,
		   "2000 " DEVICE " device 0 eth0\n"
		   "2000 " DEVICE " irq 0\n"
		   "2100 " DEVICE " irq 0\n"
		   "2100 " DEVICE " irq 0\n"
		   "2100 " SECOND " device 0 disk\n"
		   "2100 " SECOND " irq 0\n");
	finish_feed(feed);
}

/* Each action of a shared line is a device of its own. */
static void test_irq_shared(void **state)
{
	struct feed *feed = begin_feed(1, 1);
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 11, true, 5, "usb1");
	feed_irq_name(feed, 0, 11, true, 6, "usb2");
	feed_irq(feed, 0, 11, 5);
	feed_irq(feed, 0, 11, 6);
	check_text(feed, from,
		   "2000 " DEVICE " device 0 usb1\n"
		   "2000 " DEVICE " irq 0\n"
		   "2000 " SECOND " device 0 usb2\n"
		   "2000 " SECOND " irq 0\n"
		   "2000 " DEVICE " irq 0\n"
		   "2000 " SECOND " irq 0\n");
	finish_feed(feed);
}

/* Another action of a line cancels the device and names a new one, which gets the same ID again. */
static void test_irq_changed(void **state)
{
	struct feed *feed = begin_feed(1, 1);
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 11, false, 5, "old");
	feed->time = 2100;
	feed_irq_name(feed, 0, 11, false, 6, "new");
	feed->time = 2200;
	feed_irq_name(feed, 0, 11, false, 6, "newer");
	check_text(feed, from,
		   "2000 " DEVICE " device 0 old\n"
		   "2000 " DEVICE " irq 0\n"
		   "2100 " DEVICE " cancel device 0\n"
		   "2100 " DEVICE " device 0 new\n"
		   "2100 " DEVICE " irq 0\n"
		   "2200 " DEVICE " cancel device 0\n"
		   "2200 " DEVICE " device 0 newer\n"
		   "2200 " DEVICE " irq 0\n");
	finish_feed(feed);
}

/* A handler without a name is the device "?", and is one device on however many CPUs it is first seen. */
static void test_irq_unnamed(void **state)
{
	struct feed *feed = begin_feed(2, 1);
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 11, false, 5, "");
	feed_irq_name(feed, 1, 11, false, 5, "");
	check_text(feed, from,
		   "2000 " DEVICE " device 0 ?\n"
		   "2000 " DEVICE " irq 0\n"
		   "2000 " DEVICE " irq 0\n");
	finish_feed(feed);
}

static void test_irq_names(void **state)
{
	struct feed *feed = begin_feed(1, 1);
	u64 from = feed_mark(feed);

	feed_irq_name(feed, 0, 1, false, 5, "thirty-two bytes, not terminated");
	feed_irq_name(feed, 0, 2, false, 5, "bad \xFF");
	/* The record with the name was lost, so the device is named by the number of the line. */
	feed_irq(feed, 0, 3, 5);
	check_text(feed, from,
		   "2000 " DEVICE " device 0 thirty-two bytes, not terminated\n"
		   "2000 " DEVICE " irq 0\n"
		   "2000 " SECOND " device 0 bad \xEF\xBF\xBD\n"
		   "2000 " SECOND " irq 0\n"
		   "2000 0xc0000003 device 0 irq 3\n"
		   "2000 0xc0000003 irq 0\n");
	finish_feed(feed);
}

/* When the process of a driver ends, its devices are cancelled before it, with its status (5.13). */
static void test_driver_dies(void **state)
{
	struct feed *feed = begin_feed(1, 1);
	struct bcos_line *line;
	u64 from;

	feed_birth(feed, 0, 100, 1, "driver");
	feed_irq_name(feed, 0, 11, false, 5, "kernel's");
	feed_irq_name(feed, 0, 12, false, 5, "its own");
	line = bcos_model_line(&feed->log.model, 12, 5);
	assert_non_null(line);
	bcos_model_set_driver(&feed->log.model, line->device, 100);
	from = feed_mark(feed);
	feed_dead(feed, 0, 100, 1, 3 << 8);
	check_text(feed, from,
		   "2000 " SECOND " cancel device 3\n"
		   "2000 100 cancel 3\n");
	assert_non_null(bcos_model_line(&feed->log.model, 11, 5));
	feed_end(feed);
	free(feed);
}

int main(void)
{
#define TEST(name) cmocka_unit_test(name)
	static const struct CMUnitTest tests[] = {
		TEST(test_first_group), TEST(test_primed_switches), TEST(test_primed_lives),
		TEST(test_an_uncertain_assignment),
		TEST(test_ring_too_small), TEST(test_ring_advice), TEST(test_down_up), TEST(test_shared_core),
		TEST(test_death_after_down), TEST(test_irq), TEST(test_irq_shared), TEST(test_irq_changed),
		TEST(test_irq_unnamed), TEST(test_irq_names), TEST(test_driver_dies),
	};

	return cmocka_run_group_tests_name("cpu", tests, NULL, NULL);
}
