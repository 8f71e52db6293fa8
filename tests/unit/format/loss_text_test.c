// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/format/loss_text.c: each loss that is written is read back, and so are the texts of earlier versions. */
#include "check.h"
#include "core/format/loss_text.h"

#define S 1000000000ull
#define TEST cmocka_unit_test

static struct bcos_loss_stated was_parsed(const char *text, u64 time, u32 precision)
{
	struct bcos_loss_stated loss;

	bcos_loss_text_parse(&loss, text, strlen(text), time, precision);
	return loss;
}

static void expect_span(const char *text, u64 time, u32 precision, u64 begin, u64 end)
{
	struct bcos_loss_stated loss = was_parsed(text, time, precision);

	if (loss.begin != begin || loss.end != end)
		fail_msg("%s: from %llu to %llu", text, (unsigned long long)loss.begin, (unsigned long long)loss.end);
	assert_int_equal(loss.late, begin < time);
}

static void expect_words(const char *text, const char *what, const char *reason, u64 count, u32 kinds)
{
	struct bcos_loss_stated loss = was_parsed(text, 5 * S, 1);

	assert_int_equal(loss.what_length, strlen(what));
	assert_memory_equal(loss.what, what, loss.what_length);
	assert_int_equal(loss.reason_length, strlen(reason));
	assert_memory_equal(loss.reason, reason, loss.reason_length);
	assert_int_equal(loss.count, count);
	assert_int_equal(loss.kinds, kinds);
	assert_int_equal(bcos_loss_text_counted(text, strlen(text)), count);
}

static void test_written(void **state)
{
	char text[120 + BCOS_LOSS_TEXT_END];
	int at = bcos_loss_text_count(text, 0, sizeof(text), 3, "assignments");

	at = bcos_loss_text_count(text, at, sizeof(text), 0, "nothing");
	at = bcos_loss_text_count(text, at, sizeof(text), 1, "interrupts");
	at = bcos_loss_text_end(text, at, sizeof(text), "staging full", 4 * S, 4 * S, 5 * S);
	assert_string_equal(text, "lost 3 assignments, 1 interrupts: staging full, until 5.000000000 s");
	assert_int_equal(at, strlen(text));
	expect_span(text, 4 * S, 1000000000, 4 * S, 5 * S);
	/* The log was at 4.5 s when it stated a loss that had begun at 4 s. */
	at = bcos_loss_text_count(text, 0, sizeof(text), 18446744073709551615ull, "packets");
	at = bcos_loss_text_end(text, at, sizeof(text), NULL, 4500000000ull, 4 * S + 7, 60 * S);
	assert_string_equal(text, "lost 18446744073709551615 packets, since 4.000000007 s, until 60.000000000 s");
	expect_span(text, 4500000000ull, 0xFFFFFFFF, 4 * S + 7, 60 * S);
	/* An end before the beginning is none. */
	at = bcos_loss_text_count(text, 0, sizeof(text), 1, "packets");
	bcos_loss_text_end(text, at, sizeof(text), NULL, 9 * S, 9 * S, 8 * S);
	assert_string_equal(text, "lost 1 packets, until 9.000000000 s");
	/* The longest times have room. */
	at = bcos_loss_text_end(text, 0, BCOS_LOSS_TEXT_END, NULL, ~0ull, ~0ull - 1, ~0ull);
	assert_string_equal(text, ", since 18446744073.709551614 s, until 18446744073.709551615 s");
}

static void test_spans(void **state)
{
	/* An entry without a text tells the times by itself. */
	expect_span("lost 1 packets", 4 * S, 7, 4 * S, 4 * S + 7);
	/* The precision of the clock reaches beyond the end in the text. */
	expect_span("lost 1 packets, until 4.500000000 s", 4 * S, 500000009, 4 * S, 4500000009ull);
	/* The text tells the end where the precision cannot. */
	expect_span("lost 1 packets, until 18.000000000 s", 10 * S, 0xFFFFFFFF, 10 * S, 18 * S);
	expect_span("lost 1 packets, until 18 s", 10 * S, 5, 10 * S, 18 * S);
	expect_span("lost 1 packets, until 12.5 s", 10 * S, 0xFFFFFFFF, 10 * S, 12500000000ull);
	/* A loss that an earlier version stated late lasts to its entry, or to the end of its precision. */
	expect_span("lost 5 packets: of others, since 10.000000000 s", 11 * S, 1, 10 * S, 11 * S);
	expect_span("lost 8 assignments or more: the kernel told of no switch, since 10.000000000 s", 11 * S, 30,
		    10 * S, 11 * S + 30);
	/* A loss may be over when it is stated. */
	expect_span("lost 3 packets, since 8.0 s, until 9.0 s", 10 * S, 1, 8 * S, 9 * S);
	expect_span("lost 3 packets, since 8.0 s, until 9.0 s", 10 * S, 0xFFFFFFFF, 8 * S, 9 * S);
	/* Times that contradict the entry do not count. */
	expect_span("lost 3 assignments: staging full, until 1.0 s", 10 * S, 500, 10 * S, 10 * S + 500);
	expect_span("lost 3 packets, since 11.0 s", 10 * S, 500, 10 * S, 10 * S + 500);
	expect_span("lost 3 packets, since 8.0 s, until 7.0 s", 10 * S, 1, 8 * S, 10 * S);
	/* Times of more than 64 bits, and what is no time, are words. */
	expect_span("lost 3 packets, until 99999999999999999999.0 s", 10 * S, 1, 10 * S, 10 * S + 1);
	expect_span("lost 3 packets, until x s", 10 * S, 1, 10 * S, 10 * S + 1);
	expect_span("lost 3 packets, until . s", 10 * S, 1, 10 * S, 10 * S + 1);
	expect_span("lost 3 packets until 12.0 s", 10 * S, 1, 10 * S, 10 * S + 1);
	expect_span("lost 3 packets, until 12.0 s, then", 10 * S, 1, 10 * S, 10 * S + 1);
	/* The end of time does not wrap. */
	expect_span("lost 3 packets", ~0ull - 1, 5, ~0ull - 1, ~0ull);
	expect_span("", 3, 4, 3, 7);
	expect_span(" s", 3, 4, 3, 7);
}

static void test_open(void **state)
{
	assert_true(was_parsed("lost 3 packets: staging full", 10 * S, 0xFFFFFFFF).open);
	assert_true(was_parsed("lost 3 packets: staging full, until 9.0 s", 10 * S, 0xFFFFFFFF).open);
	assert_false(was_parsed("lost 3 packets: staging full, until 18.0 s", 10 * S, 0xFFFFFFFF).open);
	assert_false(was_parsed("lost 3 packets: staging full", 10 * S, 0xFFFFFFFE).open);
}

static void test_words(void **state)
{
	expect_words("lost 3 assignments, 18446744073709551000 interrupts: staging full, until 12.0 s",
		     "3 assignments, 18446744073709551000 interrupts", "staging full", 18446744073709551003ull,
		     BCOS_LOSS_OF_ASSIGNMENTS | BCOS_LOSS_OF_INTERRUPTS);
	/* Sums stop at the greatest number. */
	expect_words("lost 18446744073709551615 packets, 2 interrupts", "18446744073709551615 packets, 2 interrupts",
		     "", ~0ull, BCOS_LOSS_OF_TRANSFERS | BCOS_LOSS_OF_INTERRUPTS);
	expect_words("lost 99999999999999999999999 packets", "99999999999999999999999 packets", "", ~0ull,
		     BCOS_LOSS_OF_TRANSFERS);
	/* Numbers in a reason or a time are no counts, whatever stands before them. */
	expect_words("lost 2 network interfaces, 5 packets: of other network namespaces, of which 1024 interfaces are "
		     "recorded, since 4.0 s", "2 network interfaces, 5 packets",
		     "of other network namespaces, of which 1024 interfaces are recorded", 7,
		     BCOS_LOSS_OF_DEVICES | BCOS_LOSS_OF_TRANSFERS);
	expect_words("lost 3 devices coming or going: the kernel dropped its messages, until 5.000000000 s",
		     "3 devices coming or going", "the kernel dropped its messages", 3, BCOS_LOSS_OF_DEVICES);
	expect_words("lost 1 input devices: no handle could be attached, until 5.000000000 s", "1 input devices",
		     "no handle could be attached", 1, BCOS_LOSS_OF_DEVICES | BCOS_LOSS_OF_TRANSFERS);
	expect_words("lost 2 network interfaces: of other network namespaces, of which 1024 interfaces are recorded, 256 of "
		     "each, since 4.0 s", "2 network interfaces",
		     "of other network namespaces, of which 1024 interfaces are recorded, 256 of each", 2,
		     BCOS_LOSS_OF_DEVICES);
	expect_words("lost 7 births, devices or senders of signals: no memory, since 3.0 s",
		     "7 births, devices or senders of signals", "no memory", 7,
		     BCOS_LOSS_OF_LIVES | BCOS_LOSS_OF_DEVICES | BCOS_LOSS_OF_EVENTS);
	expect_words("lost 8 assignments or more, or task states: the kernel told of no switch, since 4.0 s",
		     "8 assignments or more, or task states", "the kernel told of no switch", 8,
		     BCOS_LOSS_OF_ASSIGNMENTS | BCOS_LOSS_OF_STATES | BCOS_LOSS_OF_EVENTS);
	expect_words("lost 4 records: about what has no name here, since 4.0 s", "4 records",
		     "about what has no name here", 4, BCOS_LOSS_OF_TRANSFERS | BCOS_LOSS_OF_EVENTS);
	expect_words("lost 4 events: inside the recording of another, until 6.0 s", "4 events",
		     "inside the recording of another", 4, BCOS_LOSS_OF_ALL);
	expect_words("lost 4 unheard-of things", "4 unheard-of things", "", 4, BCOS_LOSS_OF_ALL);
	expect_words("found 5", "", "", 0, BCOS_LOSS_OF_ALL);
	expect_words("lost", "", "", 0, BCOS_LOSS_OF_ALL);
	expect_words("lost ", "", "", 0, BCOS_LOSS_OF_ALL);
}

/* A text is cut to any size, and nothing is written beyond, which ASan watches. */
static void test_cut(void **state)
{
	int size, at;
	char *text;

	for (size = 1; size < 100; size++) {
		text = malloc((size_t)size);
		assert_non_null(text);
		at = bcos_loss_text_count(text, 0, size, 12, "assignments");
		at = bcos_loss_text_end(text, at, size, "no room", 2 * S, S, 3 * S);
		assert_true(at < size);
		assert_int_equal(text[at], 0);
		free(text);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_written), TEST(test_spans), TEST(test_open), TEST(test_words), TEST(test_cut),
	};

	return cmocka_run_group_tests_name("loss_text", tests, NULL, NULL);
}
