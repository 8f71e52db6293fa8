// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/rules/resync_device.c: after records of devices were lost, a walk says which there are (module/DESIGN.md, 8.2).
 */
#include <time.h>

#include "core/rules/rules.h"
#include "check.h"
#include "core/write/dropped.h"
#include "core/write/emit.h"
#include "oracle.h"

#define DISK BCOS_RAW_KEY(BCOS_DEVICE_STORAGE, 0x1234)
#define NET BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, 0xFFFF888000001000ull)

static int set_up(void **state)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	feed->flags = ORACLE_LOSSES;
	feed_start(feed, 2);
	feed->time = 2000;
	feed_birth(feed, 0, 1, 11, "init");
	*state = feed;
	return 0;
}

static int tear_down(void **state)
{
	struct feed *feed = *state;

	feed_check(feed);
	feed_end(feed);
	free(feed);
	return 0;
}

static void put_record(struct feed *feed, u64 time, struct feed_record record)
{
	feed->time = time;
	feed_apply(feed, 0, &record);
}

static void add_device(struct feed *feed, u64 time, u64 key, const char *names)
{
	put_record(feed, time, record_device(key, 0, 0, 0, names));
}

static void remove_device(struct feed *feed, u64 time, u64 key)
{
	put_record(feed, time, record_about(BCOS_RAW_DEVICE_GONE, key, 0, 0));
}

/* Adds a device to the list of a walk. */
static void see_device(struct feed *feed, struct bcos_seen_devices *seen, u64 key, u16 aux, const char *names)
{
	struct feed_record record = record_device(key, 0, 0, BCOS_RAW_FOUND | aux, names);

	if (!seen->unit)
		seen->unit = test_host.alloc(&feed->host, (seen->room = 1 << 20) * sizeof(*seen->unit));
	memcpy(seen->unit + seen->units, &record, record.raw.units * sizeof(*seen->unit));
	seen->units += record.raw.units;
}

/* Hands the log a walk from 3000 to 3100 that saw process 1 and these devices. */
static void walked_devices(struct feed *feed, const struct bcos_seen_devices *seen)
{
	struct bcos_seen *init = test_host.alloc(&feed->host, sizeof(*init));

	*init = (struct bcos_seen){ .id = 1, .tag = 11, .start = 10, .name = "init" };
	bcos_log_walked(&feed->log, init, 1, 3000, 3100);
	bcos_log_walked_devices(&feed->log, seen);
}

static void test_missed_devices(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen_devices seen = { 0 };
	u64 from;

	add_device(feed, 2100, DISK, "vda|virtio1");
	add_device(feed, 2100, NET, "eth0");
	add_device(feed, 2100, NET + 4096, "eth1");
	add_device(feed, 2100, NET + 8192, "eth2");
	from = feed_mark(feed);
	/* vda and eth2 went, eth1 was renamed, and eth7 came, with the ID that eth2 had. */
	see_device(feed, &seen, NET, 0, "eth0");
	see_device(feed, &seen, NET + 4096, 0, "lan0");
	see_device(feed, &seen, NET + 65536, 0, "eth7");
	walked_devices(feed, &seen);
	feed_pass(feed, 3099);
	check_text(feed, from, "");
	feed_pass(feed, 3100);
	check_text(feed, from,
		   "2100+1001 0 cancel device 0\n"
		   "2100+1001 1073741826 cancel device 0\n"
		   "2100+1001 1073741825 device 0 lan0\n"
		   "2100+1001 1073741826 device 0 eth7\n");
	from = feed_mark(feed);
	feed_pass(feed, 4000);
	check_text(feed, from, "");
	/* eth7 is known now, so a record that names it is no news. */
	add_device(feed, 4100, NET + 65536, "eth7");
	check_text(feed, from, "");
	remove_device(feed, 4200, NET + 65536);
	check_text(feed, from, "4200 1073741826 cancel device 0\n");
}

/* The lines of a device that went are gone with it, and a device that came takes its own lines. */
static void test_missed_lines(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen_devices seen = { 0 };

	add_device(feed, 2100, DISK, "vda|virtio1");
	feed_irq_name(feed, 0, 30, false, 1, "virtio1-req.0");
	feed_irq_name(feed, 0, 31, false, 2, "virtio2-req.0");
	assert_int_equal(bcos_model_line(&feed->log.model, 30, 1)->device->id, 0);
	assert_int_equal(bcos_model_line(&feed->log.model, 31, 2)->device->id >> 30, 3);
	see_device(feed, &seen, DISK + 1, 0, "vdb|virtio2");
	walked_devices(feed, &seen);
	feed_pass(feed, 3100);
	assert_null(bcos_model_line(&feed->log.model, 30, 1));
	assert_int_equal(bcos_model_line(&feed->log.model, 31, 2)->device->id, 0);
}

/* A record since the walk began is newer than the walk. */
static void test_devices_under_walk(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen_devices seen = { 0 };
	u64 from;

	add_device(feed, 2100, NET, "old");
	add_device(feed, 2100, NET + 4096, "before");
	see_device(feed, &seen, NET, 0, "old");
	see_device(feed, &seen, NET + 4096, 0, "before");
	see_device(feed, &seen, NET + 8192, 0, "brief");
	walked_devices(feed, &seen);
	/*
	 * The walk saw two devices that go before it ends, of which the log did not know one, and a device that is
	 * renamed. Another device comes unseen.
	 */
	remove_device(feed, 3050, NET);
	remove_device(feed, 3050, NET + 8192);
	add_device(feed, 3050, NET + 4096, "after");
	add_device(feed, 3050, NET + 12288, "new");
	from = feed_mark(feed);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_null(bcos_model_device_of(&feed->log.model, NET));
	assert_null(bcos_model_device_of(&feed->log.model, NET + 8192));
	assert_non_null(bcos_model_device_of(&feed->log.model, NET + 12288));
}

/* A host whose walks do not look at devices loses none. No walk can see lines and the log's own device. */
static void test_devices_not_looked_at(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen_devices seen = { 0 };
	u64 from;

	add_device(feed, 2100, NET, "eth0");
	feed_irq_name(feed, 0, 5, false, 1, "alone");
	from = feed_mark(feed);
	walked_devices(feed, &seen);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	see_device(feed, &seen, NET, 0, "eth0");
	walked_devices(feed, &seen);
	feed_pass(feed, 3200);
	check_text(feed, from, "");
	assert_int_equal(feed->log.model.device_count, 3);
}

/* Devices beyond the limit were stated as lost when they came, and are named once there is room. */
static void test_devices_beyond(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen_devices seen = { 0 }, again = { 0 };
	u64 from;
	u32 i;

	feed->log.elsewhere_limit = 8;
	for (i = 0; i < 3; i++)
		put_record(feed, 2100, record_device(NET + 4096 * i, 0, 0, BCOS_RAW_ELSEWHERE, "dummy"));
	feed_pass(feed, 2200);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_LIMIT], 1);
	from = feed_mark(feed);
	for (i = 0; i < 3; i++)
		see_device(feed, &seen, NET + 4096 * i, BCOS_RAW_ELSEWHERE, "dummy");
	walked_devices(feed, &seen);
	feed_pass(feed, 3100);
	check_text(feed, from, "");
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_LIMIT], 1);
	for (i = 1; i < 3; i++)
		see_device(feed, &again, NET + 4096 * i, BCOS_RAW_ELSEWHERE, "dummy");
	walked_devices(feed, &again);
	feed_pass(feed, 3200);
	check_text(feed, from,
		   "2100+1001 1073741824 cancel device 0\n"
		   "2100+1001 1073741824 device 0 dummy\n");
}

/* A loss of records of devices requires a walk, as a loss of births and deaths does. */
static void test_lost_devices_need_a_walk(void **state)
{
	struct bcos_loss loss = { .first = 2100, .last = 2200, .count[BCOS_LOSS_IO] = 1 };
	struct feed *feed = *state;

	bcos_log_lost(&feed->log, 0, &loss);
	assert_false(feed->log.needs_walk);
	loss = (struct bcos_loss){ .first = 2300, .last = 2400, .count[BCOS_LOSS_DEVICE] = 1 };
	bcos_log_lost(&feed->log, 0, &loss);
	assert_true(feed->log.needs_walk);
	feed->log.needs_walk = false;
	feed_pull(feed);
}

static void starve_log(struct feed *feed, unsigned long allocation)
{
	feed->host.fail_at = feed->host.asked + allocation;
	feed->host.fail_for = 1;
}

/* A device for which the log had no memory is stated as lost, and a walk names it, or the next one if memory is short. */
static void test_starved_device(void **state)
{
	struct bcos_seen_devices seen = { 0 }, again = { 0 };
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	starve_log(feed, 2);
	add_device(feed, 2100, NET, "eth0");
	assert_int_equal(feed->host.failed, 1);
	assert_true(feed->log.needs_walk);
	check_text(feed, from,
		   "2100 0 event 0x80000001 80 lost 1 births, devices or senders of signals: no memory, "
		   "until 0.000002100 s\n");
	see_device(feed, &seen, NET, 0, "eth0");
	walked_devices(feed, &seen);
	assert_false(feed->log.needs_walk);
	starve_log(feed, 1);
	feed_pass(feed, 3100);
	assert_int_equal(feed->host.failed, 2);
	assert_true(feed->log.needs_walk);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_MEMORY], 2);
	from = feed_mark(feed);
	see_device(feed, &again, NET, 0, "eth0");
	walked_devices(feed, &again);
	feed_pass(feed, 3200);
	assert_false(feed->log.needs_walk);
	check_text(feed, from, "2100+1001 1073741824 device 0 eth0\n");
}

/* If memory lacks for the buses of a device, a walk gives the device its interrupt lines. */
static void test_starved_buses(void **state)
{
	struct feed *feed = *state;
	struct bcos_seen_devices seen = { 0 };

	add_device(feed, 2100, DISK + 1, "vdb|virtio2");
	starve_log(feed, 2);
	add_device(feed, 2100, DISK, "vda|virtio1");
	assert_int_equal(feed->host.failed, 1);
	assert_true(feed->log.needs_walk);
	feed_irq_name(feed, 0, 30, false, 1, "virtio1-req.0");
	assert_int_equal(bcos_model_line(&feed->log.model, 30, 1)->device->id >> 30, 3);
	see_device(feed, &seen, DISK, 0, "vda|virtio1");
	see_device(feed, &seen, DISK + 1, 0, "vdb|virtio2");
	walked_devices(feed, &seen);
	feed_pass(feed, 3100);
	assert_int_equal(bcos_model_line(&feed->log.model, 30, 1)->device->id,
			 bcos_model_device_of(&feed->log.model, DISK)->id);
}

/* The messages that the sources of devices missed are stated once its time is over, as one loss of each kind, and needs a walk. */
static void test_missed_messages(void **state)
{
	const struct bcos_missed first = { .count = 2, .since = 2200, .until = 2300 };
	const struct bcos_missed next = { .count = 1, .since = 2150, .until = 2250 };
	struct feed *feed = *state;
	u64 from = feed_mark(feed);

	bcos_log_missed(&feed->log, BCOS_MISSED_MESSAGES, &first);
	assert_true(feed->log.needs_walk);
	bcos_log_missed(&feed->log, BCOS_MISSED_MESSAGES, &next);
	bcos_log_missed(&feed->log, BCOS_MISSED_INPUTS, &next);
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_SOURCE], 4);
	feed_pass(feed, 2249);
	check_text(feed, from, "");
	feed_pass(feed, 2300);
	feed_pass(feed, 2400);
	check_text(feed, from,
		   "2150+151 0 event 0x80000001 80 lost 3 devices coming or going: the kernel dropped its messages, "
		   "until 0.000002300 s\n"
		   "2150+101 0 event 0x80000001 80 lost 1 input devices: no handle could be attached, "
		   "until 0.000002250 s\n");
	feed->log.needs_walk = false;
}

/*
 * Many devices are there that the walk did not see, many that it saw, and many that went meanwhile: no pass takes long,
 * and all passes together do not take a time that grows with the square of the number.
 */
static void test_many_devices(void **state)
{
	const u32 count = 50000;
	struct bcos_seen_devices seen = { 0 };
	struct timespec begin, end;
	struct feed_record record;
	u32 i, passes = 0;
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	assert_int_equal(feed_init(feed, 32 << 20, 2), 0);
	assert_int_equal(feed_prime(feed, 1, NULL, 0, 1000), 0);
	feed_pass(feed, 1000);
	for (i = 0; i < count; i++) {
		record = record_device(NET + 4096ull * i, 0, 0, 0, "x");
		bcos_log_apply(&feed->log, 0, 2100, &record.raw);
	}
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	feed->log.needs_walk = true;
	bcos_log_walk_begins(&feed->log);
	for (i = 0; i < count; i++) {
		see_device(feed, &seen, NET + 4096ull * (i + count), 0, "y");
		if (i & 1)
			bcos_log_gone_device(&feed->log, NET + 4096ull * (i + count));
	}
	walked_devices(feed, &seen);
	do {
		feed_pass(feed, 3100 + passes);
	} while (++passes < count && feed->log.resyncing);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	assert_in_range(passes, 10, count / 1000);
	assert_int_equal(feed->log.model.device_count, count / 2 + 1);
	assert_true(end.tv_sec - begin.tv_sec < 10);
	feed_end(feed);
	free(feed);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_missed_devices), TEST(test_missed_lines), TEST(test_devices_under_walk),
		TEST(test_devices_not_looked_at), TEST(test_devices_beyond), TEST(test_lost_devices_need_a_walk),
		TEST(test_starved_device), TEST(test_starved_buses), TEST(test_missed_messages),
		cmocka_unit_test(test_many_devices),
	};

	return cmocka_run_group_tests_name("resync devices", tests, NULL, NULL);
}
