// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Losses are stated where they happened, none twice and none in silence. The newest lost assignment is kept. */
#include "check.h"
#include "staged.h"

#define ALL 1000000
#define SWITCH(id) record_plain(BCOS_RAW_SWITCH, (id), 0)
#define BIRTH(id, name) record_life(BCOS_RAW_BIRTH, (id), 0, 1, 0, (name))
#define DEAD(id) record_life(BCOS_RAW_DEAD, (id), 0, 1, 0, NULL)
#define TAPE (&s->feed)

static int set_up(void **state)
{
	*state = staged_new(4, 64);
	return 0;
}

/* Stages switches to idle and kernel from @time on until one is lost. Return: the time of the lost switch. */
static u64 overflow_stage(struct staged *s, u32 cpu, u64 time)
{
	enum bcos_staged result;

	do {
		result = staged_put(s, cpu, time, SWITCH(time & 1 ? BCOS_PROCESS_IDLE : 0));
		time++;
	} while (result != BCOS_STAGE_LOST && result != BCOS_STAGE_LOST_KICK);
	return time - 1;
}

/* Returns the line that states a loss on CPU @cpu, or NULL. */
static const char *loss_line(struct staged *s, u64 from, u32 cpu)
{
	static char line[512];
	char *at = (char *)(uintptr_t)feed_text(TAPE, from, false), *end;
	char event[40];

	snprintf(event, sizeof(event), " %u event 0x80000001 ", cpu);
	for (; *at; at = end + 1) {
		end = strchr(at, '\n');
		snprintf(line, sizeof(line), "%.*s", (int)(end - at), at);
		if (strstr(line, event))
			return line;
	}
	return NULL;
}

/* A loss has the time of the first lost record, and its precision is the stretch. The newest assignment is kept. */
static void test_loss(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE), lost;
	const char *text, *loss;
	char expected[64];

	staged_put(s, 1, 2000, BIRTH(100, "kept"));
	lost = overflow_stage(s, 0, 2001);
	staged_put(s, 0, lost + 10, SWITCH(0));
	staged_put(s, 0, lost + 20, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_put(s, 0, lost + 30, SWITCH(100));
	staged_put(s, 1, lost + 5, SWITCH(0));
	staged_put(s, 1, lost + 29, SWITCH(BCOS_PROCESS_IDLE));
	staged_pass(s, 5000, ALL);
	loss = loss_line(s, from, 0);
	assert_non_null(loss);
	/* Three switches were lost, of which the last is in the log. */
	snprintf(expected, sizeof(expected), "%llu+31 0 event 0x80000001 80 ", (unsigned long long)lost);
	assert_memory_equal(loss, expected, strlen(expected));
	assert_non_null(strstr(loss, " 2 assignments"));
	assert_non_null(strstr(loss, " 1 interrupts"));
	assert_null(strstr(loss, "births"));
	snprintf(expected, sizeof(expected), "until 0.%09llu s", (unsigned long long)lost + 30);
	assert_non_null(strstr(loss, expected));
	text = strstr(feed_text(TAPE, from, false), loss) + strlen(loss);
	snprintf(expected, sizeof(expected), "\n%llu 1 assign 0\n%llu 1 assign idle\n%llu 0 assign 100\n",
		 (unsigned long long)lost + 5, (unsigned long long)lost + 29, (unsigned long long)lost + 30);
	assert_string_equal(text, expected);
	assert_int_equal(s->feed.log.stats.lost[BCOS_LOST_STAGING], 3);
	assert_false(s->feed.log.needs_walk);
}

/* One lost assignment that is kept is no loss. */
static void test_loss_of_one(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE), lost = overflow_stage(s, 0, 2001);
	char expected[64];

	staged_pass(s, 5000, ALL);
	assert_null(loss_line(s, from, 0));
	snprintf(expected, sizeof(expected), "\n%llu 0 assign %s\n", (unsigned long long)lost, lost & 1 ? "idle" : "0");
	assert_non_null(strstr(feed_text(TAPE, from, false), expected));
}

static void test_loss_of_lives(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE), time = 2000;

	while (staged_put(s, 3, time, record_plain(BCOS_RAW_SIGNAL, 1, 1)) < BCOS_STAGE_LOST)
		time++;
	staged_put(s, 3, time + 1, BIRTH(100, "x"));
	staged_pass(s, 5000, ALL);
	assert_non_null(strstr(loss_line(s, from, 3), " 2 births and deaths"));
	assert_true(s->feed.log.needs_walk);
}

/* Later losses are another stretch, and none is stated twice. */
static void test_loss_again(void **state)
{
	struct staged *s = *state;
	u64 from, lost;
	char expected[64];

	lost = overflow_stage(s, 0, 2001);
	staged_put(s, 0, lost + 1, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_pass(s, 5000, ALL);
	from = feed_mark(TAPE);
	staged_pass(s, 6000, ALL);
	assert_null(loss_line(s, from, 0));
	lost = overflow_stage(s, 0, 7001);
	staged_put(s, 0, lost + 7, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_put(s, 0, lost + 8, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_pass(s, 9000, ALL);
	/* The one kept assignment is the first of the stretch. */
	snprintf(expected, sizeof(expected), "%llu+9 0 event", (unsigned long long)lost);
	assert_memory_equal(loss_line(s, from, 0), expected, strlen(expected));
	assert_non_null(strstr(loss_line(s, from, 0), " 2 interrupts"));
	assert_int_equal(s->feed.log.stats.lost[BCOS_LOST_STAGING], 3);
}

/* A loss that lies beyond the horizon waits for its turn, and does not hide a later one. */
static void test_loss_waits(void **state)
{
	struct staged *s = *state;
	u64 from, lost, counts = 0;
	int pass;

	lost = overflow_stage(s, 0, 2001);
	staged_put(s, 0, lost + 1, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_put(s, 0, lost + 2, record_plain(BCOS_RAW_IRQ, 5, 1));
	from = feed_mark(TAPE);
	staged_pass(s, lost, ALL);
	assert_null(loss_line(s, from, 0));
	lost = overflow_stage(s, 0, lost + 10);
	staged_put(s, 0, lost + 1, record_plain(BCOS_RAW_IRQ, 5, 1));
	for (pass = 0; pass < 3; pass++)
		staged_pass(s, lost + 100 + (u64)pass, ALL);
	counts = s->feed.log.stats.lost[BCOS_LOST_STAGING];
	assert_int_equal(counts, 3);
	assert_non_null(loss_line(s, from, 0));
}

/*
 * Records that follow a newer loss on their CPU come after it in the log, although an older loss is still to be stated.
 */
static void test_loss_after_loss(void **state)
{
	struct staged *s = *state;
	u64 from, lost;
	char *assign, *cancel;

	staged_put(s, 1, 2000, BIRTH(100, "x"));
	lost = overflow_stage(s, 0, 2001);
	from = feed_mark(TAPE);
	staged_pass(s, lost, ALL);
	lost = overflow_stage(s, 0, lost + 1);
	assert_true(staged_put(s, 0, lost + 1, SWITCH(100)) >= BCOS_STAGE_LOST);
	assert_true(staged_put(s, 0, lost + 2, DEAD(100)) < BCOS_STAGE_LOST);
	while (staged_pass(s, lost + 100, ALL))
		;
	assign = strstr(feed_text(TAPE, from, false), " 0 assign 100\n");
	cancel = strstr(feed_text(TAPE, from, false), " 100 cancel 0\n");
	assert_non_null(assign);
	assert_non_null(cancel);
	assert_true(assign < cancel);
	assert_int_equal(s->feed.log.stats.unnamed, 0);
}

/* A CPU that stands still while it writes its losses hides its older losses as well: no record may overtake them. */
static void test_loss_unreadable(void **state)
{
	struct staged *s = *state;
	u64 from, lost;

	staged_pass(s, 2000, ALL);
	lost = overflow_stage(s, 0, 2001);
	staged_put(s, 0, lost + 1, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_put(s, 1, lost + 5, SWITCH(0));
	staged_put(s, 0, lost + 9, record_plain(BCOS_RAW_IRQ, 5, 1));
	s->stage[0]->mark = 1;
	s->stage[0]->lost.sequence++;
	staged_step = 500;
	from = feed_mark(TAPE);
	staged_pass(s, lost + 50, ALL);
	staged_step = 0;
	assert_null(strstr(feed_text(TAPE, from, false), " 1 assign 0\n"));
	s->stage[0]->mark = 0;
	s->stage[0]->lost.sequence++;
	staged_pass(s, lost + 5000, ALL);
	assert_non_null(strstr(feed_text(TAPE, from, false), " 1 assign 0\n"));
	assert_true(strstr(feed_text(TAPE, from, false), " event 0x80000001 ") <
		    strstr(feed_text(TAPE, from, false), " 1 assign 0\n"));
	assert_int_equal(s->feed.log.stats.clamped, 0);
}

/* CPU 2 only counts these events, so the log knows no more of their time than between which passes they were. */
static void check_refused(struct staged *s, u64 *counter, unsigned int reason, const char *text)
{
	u64 from = feed_mark(TAPE);

	staged_pass(s, 2000, ALL);
	*counter = 5;
	staged_pass(s, 3000, ALL);
	staged_pass(s, 4000, ALL);
	assert_memory_equal(loss_line(s, from, 2), "2000+1001 2 event 0x80000001 80 ", 32);
	assert_non_null(strstr(loss_line(s, from, 2), text));
	assert_int_equal(s->feed.log.stats.lost[reason], 5);
	from = feed_mark(TAPE);
	staged_pass(s, 5000, ALL);
	check_text(TAPE, from, "");
}

static void test_nested(void **state)
{
	struct staged *s = *state;

	check_refused(s, &s->stage[2]->nested, BCOS_LOST_NESTED, " 5 events");
}

/* Those that had no room have times, but the refused ones may be of any time between the two passes. */
static void test_nested_and_full(void **state)
{
	struct staged *s = *state;
	char end[60];
	u64 from, lost;

	staged_pass(s, 2000, ALL);
	lost = overflow_stage(s, 0, 2001);
	staged_put(s, 0, lost + 1, record_plain(BCOS_RAW_IRQ, 5, 1));
	s->stage[0]->nested = 5;
	from = feed_mark(TAPE);
	staged_pass(s, 9000, ALL);
	staged_pass(s, 9500, ALL);
	snprintf(end, sizeof(end), "until %.9f s", 9000 / 1e9);
	assert_non_null(strstr(feed_text(TAPE, from, false), " 5 events: inside the recording of another"));
	assert_non_null(strstr(strstr(feed_text(TAPE, from, false), " 5 events: inside"), end));
	assert_int_equal(strtoull(loss_line(s, from, 0), NULL, 10), 2000);
}

static void test_nmi(void **state)
{
	struct staged *s = *state;

	check_refused(s, &s->stage[2]->nmi, BCOS_LOST_NMI,
		      " 5 events: asked for in a non-maskable interrupt");
}

/*
 * Staging is full when the log begins. The losses from then on are stated, and lost records of devices even if they are
 * older.
 */
static void test_loss_at_beginning(void **state)
{
	struct staged *s = staged_early(2, 64, 256 << 10);
	u64 i = 0;

	(void)state;
	overflow_stage(s, 0, 500);
	staged_put(s, 0, 900, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_put(s, 0, 1500, record_plain(BCOS_RAW_IRQ, 5, 1));
	overflow_stage(s, 1, 500);
	staged_put(s, 1, 900, record_plain(BCOS_RAW_IRQ, 5, 1));
	staged_pass(s, 5000, ALL);
	assert_memory_equal(loss_line(s, 0, 0), "1000+501 0 event", 16);
	assert_non_null(strstr(loss_line(s, 0, 0), " 2 interrupts"));
	assert_null(loss_line(s, 0, 1));
	feed_check(TAPE);
	staged_free(s);

	s = staged_early(2, 64, 256 << 10);
	while (staged_put(s, 1, 500 + i, record_about(BCOS_RAW_DEVICE_GONE, 5, 0, 0)) < BCOS_STAGE_LOST)
		i++;
	staged_pass(s, 5000, ALL);
	assert_memory_equal(loss_line(s, 0, 1), "1000 1 event", 12);
	assert_non_null(strstr(loss_line(s, 0, 1), " 1 devices coming or going"));
	feed_check(TAPE);
	staged_free(s);

	/*
	 * A loss from before the beginning, of a CPU whose stage has only records that were read already, does not
	 * begin the log before what another CPU recorded until then.
	 */
	s = staged_early(2, 64, 256 << 10);
	for (i = 0; i < 100; i++) {
		staged_put(s, 0, 300 + i, SWITCH(0));
		if (i % 10 == 9)
			staged_pass(s, 301 + i, ALL);
	}
	s->stage[0]->nested = 5;
	staged_put(s, 1, 700, SWITCH(0));
	staged_pass(s, 5000, ALL);
	assert_memory_equal(loss_line(s, 0, 0), "1000+4001 0 event", 17);
	assert_null(strstr(feed_text(TAPE, 0, false), " assign "));
	assert_non_null(strstr(feed_text(TAPE, 0, true), "\n*700 1 assign 0\n"));
	feed_check(TAPE);
	staged_free(s);
}

/*
 * A loss stands where it happened, even if the next record of its CPU has the same time and a kind that comes late at
 * equal times.
 */
static void test_loss_at_equal_time(void **state)
{
	struct staged *s = *state;
	const char *text, *line;
	char assigned[32];
	u64 from, time = 2000;

	staged_put(s, 1, time, BIRTH(100, "x"));
	staged_pass(s, time + 1, ALL);
	while (staged_put(s, 0, ++time, record_plain(BCOS_RAW_IRQ, 5, 1)) < BCOS_STAGE_LOST)
		;
	assert_true(staged_put(s, 0, time, DEAD(100)) < BCOS_STAGE_LOST);
	staged_put(s, 1, time, SWITCH(0));
	from = feed_mark(TAPE);
	staged_pass(s, 5000, ALL);
	text = feed_text(TAPE, from, false);
	line = strstr(text, " 0 event 0x80000001 ");
	snprintf(assigned, sizeof(assigned), "\n%llu 1 assign 0\n", (unsigned long long)time);
	assert_non_null(line);
	assert_non_null(strstr(line, assigned));
	assert_non_null(strstr(line, " 100 cancel 0\n"));
}

/* A loss and its assignment that is kept are as precise as the clock was when the merge found them. */
static void test_loss_precision(void **state)
{
	struct staged *s = *state;
	u64 from, lost;
	char expected[64];

	staged_put(s, 1, 2000, BIRTH(100, "x"));
	lost = overflow_stage(s, 0, 2001);
	staged_put(s, 0, lost + 10, SWITCH(100));
	staged_put(s, 0, lost + 20, record_plain(BCOS_RAW_IRQ, 5, 1));
	/* Records of another CPU come in between. */
	staged_put(s, 1, lost + 4, SWITCH(BCOS_PROCESS_IDLE));
	staged_put(s, 1, lost + 5, SWITCH(100));
	from = feed_mark(TAPE);
	s->merge.timebase.line.precision = 50;
	/* This pass finds the losses, which wait. */
	staged_pass(s, 5000, 1);
	assert_null(loss_line(s, from, 0));
	s->merge.timebase.line.precision = 7;
	while (staged_pass(s, 6000, ALL))
		;
	snprintf(expected, sizeof(expected), "%llu+%u 0 event 0x80000001 80 ", (unsigned long long)lost, 20 + 50);
	assert_memory_equal(loss_line(s, from, 0), expected, strlen(expected));
	snprintf(expected, sizeof(expected), "\n%llu+50 0 assign 100\n", (unsigned long long)lost + 10);
	assert_non_null(strstr(feed_text(TAPE, from, false), expected));
	snprintf(expected, sizeof(expected), "\n%llu+7 1 assign 100\n", (unsigned long long)lost + 5);
	assert_non_null(strstr(feed_text(TAPE, from, false), expected));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = {
		TEST(test_loss), TEST(test_loss_of_one), TEST(test_loss_of_lives), TEST(test_loss_again),
		TEST(test_loss_waits), TEST(test_loss_precision), TEST(test_loss_at_equal_time),
		TEST(test_loss_after_loss),
		TEST(test_loss_unreadable),
		TEST(test_nested), TEST(test_nested_and_full), TEST(test_nmi), cmocka_unit_test(test_loss_at_beginning),
	};

	return cmocka_run_group_tests_name("loss", tests, NULL, NULL);
}
