// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A waiting reader is woken for events, but not for those that it causes itself, nor for a CPU that sleeps. */
#include "check.h"
#include "core/rules/rules.h"
#include "staged.h"

#define SECOND 1000000000ull
#define DISK BCOS_RAW_KEY(BCOS_DEVICE_STORAGE, 0x1234)
#define NONE 0
#define READER 8
#define SWITCH(id) record_plain(BCOS_RAW_SWITCH, (id), 0)
#define CALL(id) record_plain(BCOS_RAW_API, (id), 1)
#define STATE(id) record_pair(BCOS_RAW_STATE, (id), 1, (id), 0)

static int set_up(void **state)
{
	struct staged *s = staged_new(2, 256);

	staged_put(s, 0, 1100, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 1101, record_life(BCOS_RAW_BIRTH, READER, 0, 1, 0, "reader"));
	staged_put(s, 0, 1102, record_device(DISK, NONE, 0, 0, "vda"));
	staged_put(s, 0, 1103, record_limits(0, 1000, 3000));
	staged_put(s, 0, 1104, SWITCH(7));
	staged_put(s, 1, 1105, SWITCH(BCOS_PROCESS_IDLE));
	staged_pass(s, 1500, 1000);
	s->feed.log.quiet[0] = 99;
	s->feed.log.quiet[1] = READER;
	s->feed.log.quiets = 2;
	*state = s;
	return 0;
}

/* Is this record news to readers? News of earlier records are forgotten first. */
static bool is_news(struct staged *s, u32 cpu, struct feed_record record)
{
	static u64 time = 2000;

	time += 1000;
	s->feed.log.interesting = false;
	assert_true(staged_put(s, cpu, time, record) <= BCOS_STAGED_KICK);
	staged_pass(s, time + 100, 1000);
	return s->feed.log.interesting;
}

static void test_switches(void **state)
{
	struct staged *s = *state;

	assert_false(is_news(s, 0, SWITCH(BCOS_PROCESS_IDLE)));
	assert_false(is_news(s, 0, SWITCH(BCOS_PROCESS_KERNEL)));
	assert_false(is_news(s, 0, SWITCH(READER)));
	assert_false(is_news(s, 0, SWITCH(99)));
	assert_true(is_news(s, 0, SWITCH(7)));
	/* Switches to a process that no longer reads are news again. */
	s->feed.log.quiets = 1;
	assert_true(is_news(s, 0, SWITCH(READER)));
}

/* News in a batch stay news whatever comes after them. */
static void test_batch(void **state)
{
	struct staged *s = *state;

	s->feed.log.interesting = false;
	staged_put(s, 0, 2000, SWITCH(READER));
	staged_put(s, 0, 2001, SWITCH(7));
	staged_put(s, 0, 2002, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 0, 2003, CALL(READER));
	staged_pass(s, 2100, 1000);
	assert_true(s->feed.log.interesting);
}

static void test_calls_and_states(void **state)
{
	struct staged *s = *state;

	assert_true(is_news(s, 0, CALL(7)));
	assert_true(is_news(s, 0, STATE(7)));
	is_news(s, 0, SWITCH(READER));
	assert_false(is_news(s, 0, CALL(READER)));
	assert_false(is_news(s, 0, STATE(READER)));
	assert_false(is_news(s, 1, record_plain(BCOS_RAW_IDLE, 1, 0)));
	assert_false(is_news(s, 1, record_plain(BCOS_RAW_IDLE, BCOS_RAW_AWAKE, 0)));
}

static void test_lives(void **state)
{
	struct staged *s = *state;

	assert_true(is_news(s, 0, record_life(BCOS_RAW_BIRTH, 9, 0, 1, 0, "nine")));
	assert_true(is_news(s, 0, record_life(BCOS_RAW_EXEC, 9, 0, 1, 0, "neuf")));
	assert_true(is_news(s, 0, record_life(BCOS_RAW_DEAD, 9, 0, 1, 0, NULL)));
	/* A reader's own death is news, too: reading does not cause it. */
	assert_true(is_news(s, 0, record_life(BCOS_RAW_DEAD, READER, 0, 1, 0, NULL)));
	assert_true(is_news(s, 0, record_event(BCOS_RAW_EVENT, 0, 7, 1, 5, BCOS_SEVERITY_INFO, "hello", 5)));
}

static void test_cpus(void **state)
{
	struct staged *s = *state;

	/* Limits that are known already are no news, and other limits are. */
	assert_false(is_news(s, 0, record_limits(0, 1000, 3000)));
	assert_true(is_news(s, 0, record_limits(0, 1000, 2000)));
	assert_true(is_news(s, 0, record_plain(BCOS_RAW_CPU_DOWN, 1, 0)));
}

/* Records of a class on request that nobody has requested write nothing, and so are no news. */
static void test_on_request(void **state)
{
	struct staged *s = *state;
	struct bcos_log *log = &s->feed.log;

	assert_true(is_news(s, 0, record_about(BCOS_RAW_INPUT, DISK, 0, 512)));
	log->on_request = BCOS_CLASS_IO;
	assert_false(is_news(s, 0, record_about(BCOS_RAW_INPUT, DISK, 0, 512)));
	assert_int_equal(bcos_log_request(log, 77, BCOS_CLASS_IO, true), -ENODEV);
	assert_int_equal(bcos_log_request(log, 0, BCOS_CLASS_IO, true), 0);
	assert_true(is_news(s, 0, record_about(BCOS_RAW_INPUT, DISK, 0, 512)));
}

/* A loss is news, whatever was lost. */
static void test_loss(void **state)
{
	struct staged *s = *state;
	u64 time = 2000;

	while (staged_put(s, 1, time, SWITCH(BCOS_PROCESS_IDLE)) < BCOS_STAGE_LOST)
		time++;
	staged_put(s, 1, time + 1, record_plain(BCOS_RAW_IRQ, 5, 1));
	s->feed.log.interesting = false;
	staged_pass(s, time + 100, 1000);
	assert_true(s->feed.log.interesting);
}

/* Statements are news when they change, and not before the log has begun. */
static void test_statements(void **state)
{
	struct staged *s = *state, *early = staged_early(1, 64, 256 << 10);
	struct bcos_statements now = { .clock = true, .error = 20, .offset = 1700000000 * SECOND, .host = "box" };
	struct bcos_log *log = &s->feed.log;

	bcos_log_say(&early->feed.log, &now, 900);
	assert_false(early->feed.log.interesting);
	staged_pass(early, 1000, 1000);
	assert_true(early->feed.log.begun);
	assert_true(early->feed.log.interesting);
	staged_free(early);

	bcos_log_say(log, &now, 2 * SECOND);
	log->interesting = false;
	bcos_log_say(log, &now, 4 * SECOND);
	assert_false(log->interesting);
	now.offset += SECOND;
	bcos_log_say(log, &now, 6 * SECOND);
	assert_true(log->interesting);
	log->interesting = false;
	memcpy(now.host, "bix", 4);
	bcos_log_say(log, &now, 8 * SECOND);
	assert_true(log->interesting);
	feed_pull(&s->feed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_switches), TEST(test_batch), TEST(test_calls_and_states), TEST(test_lives), TEST(test_cpus),
		TEST(test_on_request), TEST(test_loss), TEST(test_statements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
