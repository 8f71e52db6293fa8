// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * test: timeout=120:240
 *
 * There are many devices and interrupt lines: the tests measure what these cost, and check that none is taken for
 * another. The cost is the number of items that an index looks at, or the CPU time of some work, which is compared with
 * that of ten times the work.
 */
#include <string.h>
#include <time.h>
#include "core/rules/rules.h"
#include "core/model/line.h"
#include "check.h"

#define MANY 50000u

static struct feed *begin_feed(u64 size)
{
	struct feed *feed = calloc(1, sizeof(*feed));

	assert_non_null(feed);
	assert_int_equal(feed_init(feed, size, 2), 0);
	assert_int_equal(feed_prime(feed, 1, NULL, 0, 1000), 0);
	feed_pass(feed, 1000);
	feed->time = 2000;
	return feed;
}

static void end_feed(struct feed *feed)
{
	feed_end(feed);
	free(feed);
}

/* Applies a record and leaves out the tape, since the log writes more at once than the tape can follow. */
static void apply_record(struct feed *feed, struct feed_record record)
{
	bcos_log_apply(&feed->log, 0, feed->time, &record.raw);
}

static u64 key_of(u32 i, u64 from, u64 step)
{
	return BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, from + i * step);
}

/* Returns how many items of an index a search looks at on average. */
static double steps_of(const struct bcos_index *index)
{
	const struct bcos_item *item;
	u64 i, length, sum = 0;

	for (i = 0; i < 1ull << index->bits; i++) {
		length = 0;
		for (item = index->bucket[i]; item; item = item->next)
			sum += ++length;
	}
	return (double)sum / index->count;
}

/*
 * The keys are such as machines have: addresses of pages, far apart or one after another, and numbers of namespaces and
 * interfaces.
 */
static void test_steps(void **state)
{
	static const struct {
		const char *what;
		u64 from, step;
	} keys[] = {
		{ "4 KiB", 0xFFFF888100000000ull, 4096 },
		{ "64 bytes", 0xFFFF888100000000ull, 64 },
		{ "2 MiB", 0xFFFF888100000000ull, 2 << 20 },
		{ "64 GiB", 0xFFFF800000000000ull, 64ull << 30 },
		{ "numbers", 0x70000001ull << 31 | 2, 1 },
		{ "namespaces", 0x70000001ull << 31 | 2, 1ull << 31 },
	};
	struct bcos_device *device;
	struct feed *feed;
	double few, many;
	u32 i, count;
	size_t k;

	for (k = 0; k < COUNT(keys); k++) {
		feed = begin_feed(8 << 20);
		/* With this step 1000 keys already span 62 TiB. */
		count = keys[k].step == 64ull << 30 ? 1000 : MANY;
		for (few = 0, i = 0; i < count; i++) {
			apply_record(feed, record_device(key_of(i, keys[k].from, keys[k].step), 0, 0, 0, "dummy"));
			if (i == 4)
				few = steps_of(&feed->log.model.keys);
		}
		many = steps_of(&feed->log.model.keys);
		printf("# %s: %.2f steps with 5, %.2f with %u\n", keys[k].what, few, many, count);
		assert_int_equal(feed->log.model.device_count, count + 1);
		assert_true(few < 2 && many < 2);
		for (i = 0; i < count; i++) {
			device = bcos_model_device_of(&feed->log.model, key_of(i, keys[k].from, keys[k].step));
			assert_non_null(device);
			assert_ptr_equal(bcos_model_device(&feed->log.model, device->id), device);
		}
		end_feed(feed);
	}
}

/* Two devices whose addresses differ by 64 GiB have different keys. */
static void test_far_apart(void **state)
{
	u64 near = BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, 0xFFFF888100001000ull), far = near + (64ull << 30);
	struct feed *feed = begin_feed(256 << 10);
	struct feed_record record;
	u64 from = feed_mark(feed);

	record = record_device(near, 0, 0, 0, "eth0");
	feed_apply(feed, 0, &record);
	record = record_device(far, 0, 0, 0, "eth1");
	feed_apply(feed, 0, &record);
	record = record_about(BCOS_RAW_INPUT, near, 0, 60);
	feed_apply(feed, 0, &record);
	record = record_about(BCOS_RAW_INPUT, far, 0, 1500);
	feed_apply(feed, 0, &record);
	record = record_about(BCOS_RAW_DEVICE_GONE, near, 0, 0);
	feed_apply(feed, 0, &record);
	record = record_about(BCOS_RAW_OUTPUT, far, 0, 42);
	feed_apply(feed, 0, &record);
	check_text(feed, from,
		   "2000 1073741824 device 0 eth0\n"
		   "2000 1073741825 device 0 eth1\n"
		   "2000 1073741824 input 60\n"
		   "2000 1073741825 input 1500\n"
		   "2000 1073741824 cancel device 0\n"
		   "2000 1073741825 output 42\n");
	feed_check(feed);
	end_feed(feed);
}

static u64 own_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (u64)time.tv_sec * 1000000000u + (u64)time.tv_nsec;
}

/*
 * Lets @count devices come, requests a class for one of them, and lets them go in another order. @lines of them have an
 * interrupt. Return: the CPU time in ns.
 */
static u64 come_and_go(u32 count, u32 lines)
{
	struct feed *feed = begin_feed(64 << 20);
	struct bcos_model *model = &feed->log.model;
	u64 before = own_time(), spent;
	char names[64];
	u32 i;

	for (i = 0; i < count; i++) {
		snprintf(names, sizeof(names), i < lines ? "eth%u|0000:%04x" : "dummy%u", i, i);
		apply_record(feed, record_device(key_of(i, 0xFFFF888100000000ull, 4096), 0, 0, 0, names));
	}
	for (i = 0; i < lines; i++) {
		snprintf(names, sizeof(names), "eth%u-rx", i);
		apply_record(feed, record_irq(i, false, 1, names));
	}
	assert_int_equal(model->device_count, count + 1);
	assert_int_equal(bcos_log_request(&feed->log, BCOS_DEVICE_NETWORK + count / 2, BCOS_CLASS_IO, true), 0);
	assert_int_equal(bcos_log_requested(&feed->log), BCOS_CLASS_IO);
	/* Seven and the number of devices have no common factor, so each device goes once. */
	for (i = 0; i < count; i++)
		apply_record(feed,
			     record_about(BCOS_RAW_DEVICE_GONE, key_of(i * 7 % count, 0xFFFF888100000000ull, 4096), 0,
					  0));
	assert_int_equal(bcos_log_requested(&feed->log), 0);
	assert_int_equal(model->device_count, 1);
	assert_int_equal(model->lines.count, 0);
	spent = own_time() - before;
	end_feed(feed);
	return spent;
}

/* Ten times as many take ten times as long, and not a hundred times. */
static void test_linear(void **state)
{
	u64 few = ~0ull, many = ~0ull, spent;
	int i;

	for (i = 0; i < 5; i++) {
		spent = come_and_go(MANY / 10 + 1, 50);
		few = spent < few ? spent : few;
	}
	for (i = 0; i < 3; i++) {
		spent = come_and_go(MANY, 50);
		many = spent < many ? spent : many;
	}
	printf("# %u: %llu us, %u: %llu us\n", MANY / 10, (unsigned long long)few / 1000, MANY,
	       (unsigned long long)many / 1000);
	assert_true(many < 30 * few);
}

/* Lets processes live and die on a machine with devices that none of them drives. Return: the CPU time in ns. */
static u64 run_lives(u32 devices)
{
	struct feed *feed = begin_feed(64 << 20);
	u64 before, spent;
	u32 i;

	apply_record(feed, record_life(BCOS_RAW_BIRTH, 50, 0, 1, 0, "driver"));
	for (i = 0; i < devices; i++)
		apply_record(feed, record_device(key_of(i, 0xFFFF888100000000ull, 4096), 50, 1, 0, "tun"));
	assert_int_equal(feed->log.model.driven_count, devices);
	before = own_time();
	for (i = 0; i < 20000; i++) {
		apply_record(feed, record_life(BCOS_RAW_BIRTH, 100 + i, 0, 1, 0, "sh"));
		apply_record(feed, record_life(BCOS_RAW_DEAD, 100 + i, 0, 1, 0, NULL));
	}
	spent = own_time() - before;
	assert_int_equal(feed->log.model.driven_count, devices);
	apply_record(feed, record_life(BCOS_RAW_DEAD, 50, 0, 1, 0, NULL));
	assert_int_equal(feed->log.model.driven_count, 0);
	end_feed(feed);
	return spent;
}

static void test_deaths(void **state)
{
	u64 few = ~0ull, many = ~0ull, spent;
	int i;

	for (i = 0; i < 3; i++) {
		spent = run_lives(5);
		few = spent < few ? spent : few;
		spent = run_lives(MANY);
		many = spent < many ? spent : many;
	}
	printf("# with 5 devices: %llu us, with %u: %llu us\n", (unsigned long long)few / 1000, MANY,
	       (unsigned long long)many / 1000);
	/* If each death walked all devices, 20,000 times 50,000 steps would take seconds. */
	assert_true(many < 10 * few);
}

/*
 * The lines of a device have the numbers from 0 on, in the order in which they are seen, and a free number is given out
 * again.
 */
static void test_numbers(void **state)
{
	struct feed *feed = begin_feed(8 << 20);
	struct bcos_device *device;
	struct bcos_line *line;
	char name[32];
	u32 i;

	apply_record(feed, record_device(key_of(0, 0, 0) + 1, 0, 0, 0, "nvme0n1|nvme0|0000:00:04.0"));
	device = bcos_model_device(&feed->log.model, BCOS_DEVICE_NETWORK);
	for (i = 0; i < 2048; i++) {
		snprintf(name, sizeof(name), "nvme0q%u", i);
		apply_record(feed, record_irq(100 + 64 * i, false, 1, name));
	}
	for (line = device->lines, i = 0; line; line = line->sibling, i++)
		assert_true(line->number == i && line->item.key == 100 + 64ull * i);
	assert_int_equal(i, 2048);
	assert_true(steps_of(&feed->log.model.lines) < 2);
	bcos_model_remove_line(&feed->log.model, bcos_model_line(&feed->log.model, 100 + 64 * 5, 1));
	apply_record(feed, record_irq(7, false, 1, "nvme0q9999"));
	assert_int_equal(bcos_model_line(&feed->log.model, 7, 1)->number, 5);
	end_feed(feed);
}

/* Returns the record as one about a device in this network namespace. */
static struct feed_record in_space(u32 number, struct feed_record record)
{
	record.raw.id = number;
	return record;
}

/*
 * Interfaces of other network namespaces are recorded up to a limit. Those beyond the limit are a loss, which is stated
 * once a second.
 */
static void test_limit(void **state)
{
	struct feed *feed = begin_feed(256 << 10);
	u64 from = feed_mark(feed), base = key_of(0, 0x1000, 0);
	struct feed_record record;
	u32 i;

	feed->log.elsewhere_limit = 2;
	for (i = 0; i < 5; i++)
		apply_record(feed, in_space(i, record_device(base + i, 0, 0, i ? BCOS_RAW_ELSEWHERE : 0, "veth")));
	for (i = 0; i < 5; i++) {
		record = record_about(BCOS_RAW_INPUT, base + i, i ? BCOS_RAW_ELSEWHERE : 0, 60 + i);
		apply_record(feed, in_space(i, record));
	}
	apply_record(feed, record_about(BCOS_RAW_LINK, base + 4, 1, 0));
	feed_pass(feed, 2000);
	check_text(feed, from,
		   "2000 1073741824 device 0 veth\n"
		   "2000 1073741825 device 0 veth\n"
		   "2000 1073741826 device 0 veth\n"
		   "2000 1073741824 input 60\n"
		   "2000 1073741825 input 61\n"
		   "2000 1073741826 input 62\n"
		   "2000 0 event 0x80000001 80 lost 2 network interfaces, 2 packets: of other network namespaces, "
		   "of which 2 interfaces are recorded, 1 of each, until 0.000002000 s\n");
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_LIMIT], 4);
	assert_int_equal(feed->log.stats.unnamed, 0);
	/* The loss is not stated for each packet, but a second later it is. */
	from = feed_mark(feed);
	for (i = 0; i < 100; i++) {
		feed->time += 1000;
		record = record_about(BCOS_RAW_INPUT, base + 3, BCOS_RAW_ELSEWHERE, 60);
		feed_apply(feed, 0, &record);
	}
	check_text(feed, from, "");
	feed_pass(feed, 1000002000);
	check_text(feed, from,
		   "102000 0 event 0x80000001 80 lost 100 packets: of other network namespaces, "
		   "of which 2 interfaces are recorded, 1 of each, since 0.000003000 s, until 0.000102000 s\n");
	/* An interface that goes makes room for another one. */
	from = feed_mark(feed);
	record = record_about(BCOS_RAW_DEVICE_GONE, base + 2, 0, 0);
	feed_apply(feed, 0, &record);
	record = record_device(base + 9, 0, 0, BCOS_RAW_ELSEWHERE, "new");
	feed_apply(feed, 0, &record);
	check_text(feed, from,
		   "102000 1073741826 cancel device 0\n"
		   "102000 1073741826 device 0 new\n");
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_LIMIT], 104);
	feed_check(feed);
	end_feed(feed);
}

/* One network namespace has at most a quarter of the limit, so others still get theirs, also after it has some back. */
static void test_shares(void **state)
{
	struct feed *feed = begin_feed(256 << 10);
	u64 base = key_of(0, 0x1000, 0), from;
	struct feed_record record;
	u32 i;

	feed->log.elsewhere_limit = 9;
	from = feed_mark(feed);
	for (i = 0; i < 5; i++)
		apply_record(feed, in_space(7, record_device(base + i, 0, 0, BCOS_RAW_ELSEWHERE, "mine")));
	for (i = 5; i < 8; i++)
		apply_record(feed, in_space(8, record_device(base + i, 0, 0, BCOS_RAW_ELSEWHERE, "yours")));
	feed_pass(feed, 2000);
	check_text(feed, from,
		   "2000 1073741824 device 0 mine\n"
		   "2000 1073741825 device 0 mine\n"
		   "2000 1073741826 device 0 mine\n"
		   "2000 1073741827 device 0 yours\n"
		   "2000 1073741828 device 0 yours\n"
		   "2000 1073741829 device 0 yours\n"
		   "2000 0 event 0x80000001 80 lost 2 network interfaces: of other network namespaces, "
		   "of which 9 interfaces are recorded, 3 of each, until 0.000002000 s\n");
	from = feed_mark(feed);
	record = record_about(BCOS_RAW_DEVICE_GONE, base + 1, 0, 0);
	feed_apply(feed, 0, &record);
	for (i = 10; i < 12; i++) {
		record = in_space(7, record_device(base + i, 0, 0, BCOS_RAW_ELSEWHERE, "more"));
		feed_apply(feed, 0, &record);
	}
	check_text(feed, from,
		   "2000 1073741825 cancel device 0\n"
		   "2000 1073741825 device 0 more\n");
	assert_int_equal(feed->log.stats.lost[BCOS_LOST_LIMIT], 3);
	assert_int_equal(feed->log.model.elsewhere_count, 6);
	/* A device for whose namespace there is no memory is not half in the model. */
	feed->host.fail_at = feed->host.asked + 2;
	feed->host.fail_for = 1;
	apply_record(feed, in_space(9, record_device(base + 20, 0, 0, BCOS_RAW_ELSEWHERE, "poor")));
	assert_int_equal(feed->host.failed, 1);
	assert_null(bcos_model_device_of(&feed->log.model, base + 20));
	assert_true(feed->log.needs_walk);
	for (i = 0; i < 12; i++) {
		record = record_about(BCOS_RAW_DEVICE_GONE, base + i, 0, 0);
		feed_apply(feed, 0, &record);
	}
	assert_int_equal(feed->log.model.elsewhere_count, 0);
	assert_int_equal(feed->log.model.spaces.count, 0);
	feed_check(feed);
	end_feed(feed);
}

/* An interface that a user names after an interrupt line does not get that line, because it has no parent device. */
static void test_name_thief(void **state)
{
	struct feed *feed = begin_feed(256 << 10);
	struct feed_record record;
	u64 from = feed_mark(feed);

	record = record_device(key_of(0, 0x1000, 0), 0, 0, BCOS_RAW_ELSEWHERE, "virtio1");
	feed_apply(feed, 0, &record);
	feed_irq_name(feed, 0, 30, false, 1, "virtio1-req.0");
	check_text(feed, from,
		   "2000 1073741824 device 0 virtio1\n"
		   "2000 0xc0000001 device 0 virtio1-req.0\n"
		   "2000 0xc0000001 irq 0\n");
	feed_check(feed);
	end_feed(feed);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_far_apart),
		cmocka_unit_test(test_linear),
		cmocka_unit_test(test_deaths),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_name_thief),
	};

	return cmocka_run_group_tests_name("many_devices", tests, NULL, NULL);
}
