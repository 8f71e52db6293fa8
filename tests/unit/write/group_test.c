// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups and compaction: every snapshot explains itself, however many processes there are. */
#include "core/write/figures.h"
#include "core/model/device.h"
#include "check.h"
#include "churn.h"
#include "oracle.h"

static void to_feed(void *context, u32 cpu, u64 time, struct feed_record record)
{
	struct feed *feed = context;

	feed->time = time;
	feed_apply(feed, cpu, &record);
}

/* Begins a log of 256 KiB (zones of 64 KiB) on a machine with this many processes. */
static void begin_log(struct feed *feed, struct churn *churn, u32 processes)
{
	struct bcos_seen *seen;
	u32 n;

	memset(feed, 0, sizeof(*feed));
	churn_init(churn, test_seed(), 4, processes);
	churn_populate(churn, processes);
	churn->emit = to_feed;
	churn->context = feed;
	seen = calloc(churn->lives, sizeof(*seen));
	assert_non_null(seen);
	n = churn_walk(churn, seen);
	assert_int_equal(n, processes);
	assert_int_equal(feed_init(feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(feed, 4, seen, n, 1000), 0);
	free(seen);
	feed_pass(feed, 1000);
}

static void run_machine(struct feed *feed, struct churn *churn, u64 compactions)
{
	const char *wrong;
	u32 steps = 0;

	while (feed->log.ring.now.compactions < compactions) {
		churn_step(churn);
		feed_check_oldest(feed);
		/* churn_compare() looks at every process, so it is called rarely. */
		if (++steps % (1 + churn->lives / 64))
			continue;
		wrong = churn_compare(churn, &feed->log.model);
		if (wrong)
			print_error("%s\n", wrong);
		assert_null(wrong);
	}
	assert_int_equal(feed->log.stats.unnamed, 0);
	feed_check(feed);
}

static void finish_log(struct feed *feed, struct churn *churn)
{
	feed_end(feed);
	churn_free(churn);
}

/* Returns the bytes of the historical entries from @start on. */
static u64 group_length(const struct feed *feed, u64 start)
{
	u64 at = start;

	while (at < feed->length && feed->tape[at + 3] & 0x80)
		at += (u64)(feed->tape[at] | feed->tape[at + 1] << 8);
	return at - start;
}

static struct bcos_status status_of(const struct feed *feed)
{
	struct bcos_status status = { 0 };

	bcos_log_status(&feed->log, &status);
	return status;
}

/* With few processes each group is complete, and nothing is restated outside of a group. */
static void test_small(void **state)
{
	struct bcos_status status;
	struct churn churn;
	struct feed feed;

	begin_log(&feed, &churn, 50);
	churn.hotplug = churn.interrupts = true;
	run_machine(&feed, &churn, test_env("ROUNDS", 30));
	status = status_of(&feed);
	assert_int_equal(status.partial_groups, 0);
	assert_int_equal(status.restated, 0);
	assert_int_equal(status.groups_over_1_zone, 0);
	assert_int_equal(status.flags & BCOS_STATUS_PARTIAL, 0);
	assert_int_equal(status.advised_ring, 256 << 10);
	finish_log(&feed, &churn);
}

/* A complete group takes as many bytes as the status says. */
static void test_figures(void **state)
{
	struct churn churn;
	struct feed feed;
	u64 starts[64], entries = 0, historical = 0, at;
	struct bcos_status status;
	size_t groups;

	begin_log(&feed, &churn, 300);
	run_machine(&feed, &churn, 4);
	/* Right after a group, nothing has changed since the group. */
	do {
		churn_step(&churn);
		status = status_of(&feed);
	} while (status.newest_group + group_length(&feed, status.newest_group) != feed.length);
	assert_int_equal(status.group_bytes, group_length(&feed, status.newest_group));
	/* Some 300 processes of 24 to 36 bytes need less than a sixteenth of 512 KiB. */
	assert_true(status.group_bytes > feed.log.model.named_processes * 24 &&
		    status.group_bytes < feed.log.model.named_processes * 36 + 1000);
	assert_int_equal(status.advised_ring, status.group_bytes * 16 <= 256 << 10 ? 256 << 10 : 512 << 10);
	groups = oracle_groups(feed.tape, 0, feed.length, starts, 64);
	for (at = 0; at < feed.length; at += (u64)(feed.tape[at] | feed.tape[at + 1] << 8)) {
		entries++;
		historical += feed.tape[at + 3] >> 7;
	}
	assert_int_equal(status.head, feed.length);
	assert_int_equal(status.entries, entries);
	assert_int_equal(status.historical, historical);
	assert_int_equal(status.groups, groups);
	assert_int_equal(status.newest_group, starts[groups - 1]);
	assert_true(status.compactions >= 4);
	assert_int_equal(status.oldest, starts[status.compactions]);
	assert_int_equal(status.discarded_bytes, starts[status.compactions]);
	finish_log(&feed, &churn);
}

/* With 3,000 processes and 256 KiB a group takes up to two zones. */
static void test_two_zones(void **state)
{
	struct bcos_status status;
	struct churn churn;
	struct feed feed;

	begin_log(&feed, &churn, 3000);
	feed.flags = ORACLE_PARTIAL;
	assert_true(group_length(&feed, 0) > 64 << 10);
	assert_true(group_length(&feed, 0) <= 128 << 10);
	run_machine(&feed, &churn, test_env("ROUNDS", 20));
	status = status_of(&feed);
	assert_true(status.groups_over_1_zone > 0);
	assert_int_equal(status.groups_over_3_zones, 0);
	assert_true(status.advised_ring >= 16 * status.group_bytes);
	assert_true(status.advised_ring < 32 * status.group_bytes);
	finish_log(&feed, &churn);
}

/*
 * A complete group would need more than two, three or four zones, so groups leave processes out. A process that was
 * left out is named again before its next use.
 */
static void too_many(u32 processes, u64 compactions)
{
	struct bcos_status status;
	struct churn churn;
	struct feed feed;

	begin_log(&feed, &churn, processes);
	feed.flags = ORACLE_PARTIAL;
	churn.interrupts = true;
	assert_true(group_length(&feed, 0) <= 128 << 10);
	assert_true(feed.log.partial);
	run_machine(&feed, &churn, compactions);
	status = status_of(&feed);
	assert_true(status.partial_groups > 0);
	assert_true(status.restated > 0);
	assert_int_equal(status.flags & BCOS_STATUS_PARTIAL, BCOS_STATUS_PARTIAL);
	assert_int_equal(status.groups_over_3_zones > 0, status.group_bytes > 192 << 10);
	assert_int_equal(status.groups_over_4_zones > 0, status.group_bytes > 256 << 10);
	assert_true(status.advised_ring > 256 << 10);
	finish_log(&feed, &churn);
}

static void test_over_two(void **state) { too_many(5500, test_env("ROUNDS", 12)); }
static void test_over_three(void **state) { too_many(8000, test_env("ROUNDS", 12)); }
static void test_over_four(void **state) { too_many(12000, test_env("ROUNDS", 12)); }

/* Checks that from @from on the log names a process again, and then has @rest, which begins and ends with a newline. */
static void check_named(struct feed *feed, u64 from, u32 process, const char *rest)
{
	const char *text = feed_text(feed, from, true);
	char name[64];

	snprintf(name, sizeof(name), "*500 %u name ", process);
	assert_memory_equal(text, name, strlen(name));
	assert_string_equal(strchr(text, '\n'), rest);
}

/* Groups leave out the processes that ran least recently, and each of them is named right before its next use. */
static void test_who_is_left_out(void **state)
{
	struct churn churn;
	struct feed feed;
	const struct bcos_process *left;
	struct feed_record tun, told;
	u32 ran[100], i, used = 0;
	u64 group, from;
	char line[64];

	begin_log(&feed, &churn, 6000);
	feed.flags = ORACLE_PARTIAL;
	while (feed.log.stats.groups < 2) {
		for (i = 0; i < 100; i++) {
			ran[i] = churn.life[i * 3].id ? churn.life[i * 3].id : churn.life[i * 3 + 1].id;
			if (!bcos_model_process(&feed.log.model, ran[i]))
				continue;
			feed.time++;
			feed_switch(&feed, 0, ran[i]);
			feed_switch(&feed, 0, BCOS_PROCESS_IDLE);
		}
	}
	group = feed.log.ring.now.group.offset;
	assert_true(feed.log.partial);
	for (i = 0; i < 100; i++) {
		struct bcos_process *process = bcos_model_process(&feed.log.model, ran[i]);

		if (process) {
			assert_true(process->stated > group);
			used++;
		}
	}
	assert_true(used > 20);
	/* The last of the list ran least recently. */
	i = bcos_process_of(feed.log.model.recent.previous)->id;
	from = feed_mark(&feed);
	feed_switch(&feed, 0, i);
	snprintf(line, sizeof(line), "\n%llu 0 assign %u\n", (unsigned long long)feed.time, i);
	check_named(&feed, from, i, line);
	/* The process is named only once. */
	from = feed_mark(&feed);
	feed_switch(&feed, 1, i);
	snprintf(line, sizeof(line), "%llu 1 assign %u\n", (unsigned long long)feed.time, i);
	check_history(&feed, from, line);
	/* A rename to the name that a process has already is no use of the process. */
	left = bcos_process_of(feed.log.model.recent.previous);
	from = feed_mark(&feed);
	feed_rename(&feed, 0, left->id, left->tag, churn.life[churn.by_id[left->id] - 1].name);
	check_history(&feed, from, "");
	assert_true(left->stated <= feed.log.ring.now.group.offset);
	/* The process drives a device, and is named right before the device. */
	from = feed_mark(&feed);
	tun = record_device(BCOS_RAW_KEY(BCOS_DEVICE_NETWORK, 0x1234), left->id, left->tag, 0, "tun9");
	feed_apply(&feed, 0, &tun);
	snprintf(line, sizeof(line), "\n%llu 1073741824 device %u tun9\n", (unsigned long long)feed.time, left->id);
	check_named(&feed, from, left->id, line);
	/* An event is about the process, which is named right before the event. */
	left = bcos_process_of(feed.log.model.recent.previous->previous);
	assert_true(left->stated <= feed.log.ring.now.group.offset);
	from = feed_mark(&feed);
	told = record_event(BCOS_RAW_EVENT, BCOS_SUBJECT_PROCESS, left->id, left->tag, 5, 0x80, "hello", 5);
	feed_apply(&feed, 0, &told);
	snprintf(line, sizeof(line), "\n%llu %u event 0x5 80 hello\n", (unsigned long long)feed.time, left->id);
	check_named(&feed, from, left->id, line);
	finish_log(&feed, &churn);
}

/* Groups have no room for all devices of interrupt lines. Devices are left out and named again like processes. */
static void test_many_devices(void **state)
{
	struct churn churn;
	struct feed feed;
	char name[32];
	u32 line;

	begin_log(&feed, &churn, 5000);
	feed.flags = ORACLE_PARTIAL;
	for (line = 0; line < 3000; line++) {
		feed.time++;
		snprintf(name, sizeof(name), "a handler with a long name %u", line);
		feed_irq_name(&feed, line % 4, line, false, 1, name);
		feed_check_oldest(&feed);
	}
	while (feed.log.ring.now.compactions < 8) {
		feed.time++;
		line = (line + 7) % 3000;
		feed_irq(&feed, line % 4, line, 1);
		feed_check_oldest(&feed);
	}
	assert_int_equal(feed.log.model.device_count, 3001);
	assert_true(feed.log.stats.restated > 0);
	feed_check(&feed);
	finish_log(&feed, &churn);
}

/* A device whose driver is a process is stated after its driver, left out with it, and cancelled before it. */
static void test_drivers(void **state)
{
	struct bcos_device *device;
	struct bcos_seen *seen;
	struct churn churn;
	struct feed feed = { .flags = ORACLE_PARTIAL };
	u32 i, n;

	churn_init(&churn, test_seed(), 4, 6000);
	churn_populate(&churn, 6000);
	churn.emit = to_feed;
	churn.context = &feed;
	seen = calloc(churn.lives, sizeof(*seen));
	assert_non_null(seen);
	n = churn_walk(&churn, seen);
	assert_int_equal(feed_init(&feed, 256 << 10, 8), 0);
	assert_int_equal(feed_prime(&feed, 4, seen, n, 1000), 0);
	for (i = 0; i < 300; i++) {
		device = bcos_model_add_device(&feed.log.model, BCOS_DEVICE_NETWORK, 0, "tun", 3);
		assert_non_null(device);
		bcos_model_set_driver(&feed.log.model, device, seen[i * 7].id);
		device->start = 1000;
	}
	free(seen);
	feed_pass(&feed, 1000);
	run_machine(&feed, &churn, test_env("ROUNDS", 10));
	/* Some of the drivers have died. */
	assert_true(feed.log.model.device_count < 301);
	assert_true(feed.log.model.device_count > 1);
	assert_int_equal(feed.log.model.driven_count, feed.log.model.device_count - 1);
	finish_log(&feed, &churn);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small), cmocka_unit_test(test_figures), cmocka_unit_test(test_two_zones),
		cmocka_unit_test(test_over_two), cmocka_unit_test(test_over_three), cmocka_unit_test(test_over_four),
		cmocka_unit_test(test_who_is_left_out), cmocka_unit_test(test_many_devices),
		cmocka_unit_test(test_drivers),
	};

	return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
