// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A collector's translator: which entries become which messages, by which masks, of which sizes, and how many messages
 * were dropped.
 */
#include "check.h"
#include "core/format/entry.h"
#include "core/format/translator.h"
#include "core/format/message.h"

static struct bcos_translator translator;
/* Room for each kind of entry. */
static union {
	struct bcos_entry header;
	struct bcos_assign_cpu word;
	struct bcos_generic generic;
	struct bcos_kernel_api call;
	u8 bytes[2048];
} entry;

static int set_up(void **state)
{
	bcos_translator_init(&translator, 77);
	return 0;
}

static const struct bcos_entry *make_header(u16 type, u32 source, u64 time, size_t size)
{
	memset(&entry, 0, sizeof(entry));
	entry.header = (struct bcos_entry){ .size = (u16)size, .type = type, .source = source, .time = time };
	return &entry.header;
}

static const struct bcos_entry *make_word(u16 type, u32 source, u64 time, u32 value)
{
	make_header(type, source, time, sizeof(entry.word));
	entry.word.process = value;
	return &entry.header;
}

static const struct bcos_entry *make_event(u16 type, u32 source, u64 time, u32 id, const char *text)
{
	make_header(type, source, time, bcos_entry_size(BCOS_GENERIC_TEXT, strlen(text)));
	entry.generic.event_id = id;
	memcpy(entry.bytes + BCOS_GENERIC_TEXT, text, strlen(text));
	return &entry.header;
}

static void put_entry(const struct bcos_entry *next)
{
	bcos_translator_put(&translator, next);
}

/* Checks the next message, in the form "ID dropped: words". */
static void expect_message(const char *message)
{
	u32 id = 0, dropped = 0, words[BCOS_MESSAGE_WORDS_MAX], size = BCOS_MESSAGE_WORDS_MAX, i;
	char text[200];
	int length, count = bcos_translator_get(&translator, &id, &dropped, words, &size);

	assert_true(count > 0);
	assert_int_equal((u32)count, size);
	length = snprintf(text, sizeof(text), "%u %u:", id, dropped);
	for (i = 0; i < size; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, " %x", words[i]);
	assert_string_equal(text, message);
}

static void expect_none(void)
{
	u32 id, dropped, words[3], size = 3;

	assert_int_equal(bcos_translator_get(&translator, &id, &dropped, words, &size), 0);
}

/* At first both masks are 0, and there are no messages. */
static void test_silent(void **state)
{
	expect_none();
	put_entry(make_word(BCOS_ASSIGN_CPU, 0, 1000, 5));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 1000, 0x80000007, "0000002a"));
	expect_none();
	translator.monitor = 15;
	put_entry(make_word(BCOS_ASSIGN_CPU, 0, 1000, 5));
	expect_none();
}

static void test_switch(void **state)
{
	translator.mask = 1;
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x500001000, 5));
	expect_message("1 0: 1000 5");
	expect_none();
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x2000, BCOS_PROCESS_IDLE));
	expect_message("1 0: 2000 ffffffff");
	/* Switches to the collector's own process are hidden, and historical entries make no messages. */
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x3000, 77));
	expect_none();
	put_entry(make_word(BCOS_HIST_ASSIGN_CPU, 1, 0x3000, 5));
	expect_none();
}

/* With the swap bit of the monitor mask a switch to a process makes a second message. */
static void test_swap(void **state)
{
	translator.mask = 1 | 8;
	translator.monitor = BCOS_MONITOR_SWAP;
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x1000, 5));
	expect_message("1 0: 1000 5");
	expect_message("4 0: 1000 5 0");
	expect_none();
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x1000, BCOS_PROCESS_KERNEL));
	expect_message("1 0: 1000 0");
	expect_none();
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x1000, 77));
	expect_none();
	translator.mask = 8;
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x1000, 5));
	expect_message("4 0: 1000 5 0");
	expect_none();
}

static void test_interrupt(void **state)
{
	translator.mask = 2;
	put_entry(make_word(BCOS_IRQ, 0x40000002, 0x1000, 3));
	expect_message("2 0: 1000 40000002 3");
	/* Large numbers of devices and lines are told apart. */
	put_entry(make_word(BCOS_IRQ, 0x40030002, 0x1000, 0));
	expect_message("2 0: 1000 40030002 0");
	put_entry(make_word(BCOS_IRQ, 0x7FFFFFFF, 0x1000, 0x3FFFFFFF));
	expect_message("2 0: 1000 7fffffff 3fffffff");
	assert_true(BCOS_MESSAGE_IRQ(0x40000002u, 3u) == 0x340000002ull);
	assert_true(BCOS_MESSAGE_IRQ(0x40000002u, 3u) != BCOS_MESSAGE_IRQ(0x40030002u, 0u));
	translator.mask = ~2u;
	put_entry(make_word(BCOS_IRQ, 0x40000002, 0x1000, 3));
	expect_none();
}

static void test_sleep(void **state)
{
	translator.mask = 4;
	put_entry(make_event(BCOS_GENERIC_CPU, 0, 0x1000, BCOS_EVENT_IDLE,
			     "idle state 2 for 256 ns, ended by a (0x1) b (0xc0000003)"));
	expect_message("3 0: f00 1000 c0000003");
	put_entry(make_event(BCOS_GENERIC_CPU, 0, 0x1000, BCOS_EVENT_IDLE, "idle state 0 for 16 ns"));
	expect_message("3 0: ff0 1000 ffffffff");
	put_entry(make_event(BCOS_GENERIC_CPU, 0, 0x1000, BCOS_EVENT_IDLE, "idle state 0 for a while"));
	expect_none();
}

static void test_states(void **state)
{
	static const char *const texts[] = {
		"thread 9 blocked", "thread 9 blocked, not to be interrupted",
		"thread 9 woken by process 7 thread 7 on CPU 0", "thread 9 stopped", "thread 9 dead",
	};
	static const char *const messages[] = {
		"4 0: 1000 9 1", "4 0: 1000 9 2", "4 0: 1000 9 3", "4 0: 1000 9 4", "4 0: 1000 9 5",
	};
	size_t i;

	translator.mask = 8;
	translator.monitor = BCOS_MONITOR_STATE;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_TASK_STATE, texts[i]));
		expect_message(messages[i]);
		expect_none();
	}
	put_entry(make_event(BCOS_GENERIC_PROCESS, 77, 0x1000, BCOS_EVENT_TASK_STATE, texts[0]));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_TASK_STATE, "thread 9 naps"));
	expect_none();
	/* State 0 is in the messages of switches, and "runs" makes no message. */
	put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_TASK_STATE,
			     "thread 9 runs on CPU 0 at priority 120"));
	expect_none();
	/* In digits it tells of the waking 32 ns before, by a timer, too; and so may an event of its own. */
	put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_THREAD_RUNS, "400W19"));
	expect_message("4 0: fe0 9 3");
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_THREAD_RUNS, "0009"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_THREAD_WOKEN, "400W19"));
	expect_message("4 0: fe0 9 3");
	expect_none();
	translator.monitor = (u32)~BCOS_MONITOR_STATE;
	put_entry(make_event(BCOS_GENERIC_PROCESS, 8, 0x1000, BCOS_EVENT_TASK_STATE, texts[0]));
	expect_none();
}

static void test_packets(void **state)
{
	translator.mask = 16;
	translator.monitor = BCOS_MONITOR_SERVICE;
	make_header(BCOS_KERNEL_API, 8, 0x1000, sizeof(struct bcos_entry) + 12);
	entry.call.function[0] = 1;
	entry.call.function[1] = 0x80000002;
	entry.call.function[2] = 3;
	put_entry(&entry.header);
	expect_message("5 0: 1000 8 1");
	expect_message("5 0: 1000 8 80000002");
	expect_message("5 0: 1000 8 3");
	expect_none();
	put_entry(make_header(BCOS_KERNEL_API, 8, 0x1000, sizeof(struct bcos_entry)));
	expect_message("5 0: 1000 8 ffffffff");
	expect_none();
	put_entry(make_header(BCOS_KERNEL_API, 77, 0x1000, sizeof(struct bcos_entry)));
	expect_none();
}

static void test_kernel_events(void **state)
{
	translator.mask = 32;
	translator.monitor = BCOS_MONITOR_EVENT;
	put_entry(make_header(BCOS_CPU_OFFLINE, 1, 0x1000, sizeof(struct bcos_entry)));
	expect_message("6 0: 1000 4001");
	put_entry(make_event(BCOS_SET_PROCESS_NAME, 8, 0x1000, 0, "x"));
	expect_message("6 0: 1000 0");
	put_entry(make_word(BCOS_CANCEL_PROCESS_NAME, 8, 0x1000, 0));
	expect_message("6 0: 1000 1");
	translator.monitor = 7;
	put_entry(make_word(BCOS_CANCEL_PROCESS_NAME, 8, 0x1000, 0));
	expect_none();
}

/* The translator restores exactly the words that were put; the mask's last bit is for all IDs from 32 on. */
static void test_custom(void **state)
{
	translator.mask = 1u << 6 | 1u << 31;
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "0000002a ffffffff 00000000"));
	expect_message("7 0: 2a ffffffff 0");
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000008, "0000002a"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000020, "00000001"));
	expect_message("32 0: 1");
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0xBFFFFFFF, "00000001"));
	expect_message("1073741823 0: 1");
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1234, 0x80000007, "time"));
	expect_message("7 0: 1234");
	/* Texts of other forms make no messages. */
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, ""));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "0000002A"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "0000002a 1"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "0000002a_00000001"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 7, "0000002a"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0xC0000007, "0000002a"));
	expect_none();
}

/* A message that does not fit stays, and only the size is written. */
static void test_too_small(void **state)
{
	u32 id = 1, dropped = 2, words[3] = { 3, 4, 5 }, size = 2;

	translator.mask = ~0u;
	put_entry(make_event(BCOS_GENERIC_CPU, 0, 0x1000, BCOS_EVENT_LOSS,
			     "lost 5 interrupts: staging full, until 1.000000000 s"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "0000000a 0000000b 0000000c"));
	assert_int_equal(bcos_translator_get(&translator, &id, &dropped, words, &size), -EMSGSIZE);
	assert_int_equal(size, 3);
	assert_int_equal(id, 1);
	assert_int_equal(dropped, 2);
	assert_int_equal(words[0], 3);
	size = 0;
	assert_int_equal(bcos_translator_get(&translator, &id, &dropped, words, &size), -EMSGSIZE);
	assert_int_equal(size, 3);
	/* The message fits exactly. */
	assert_int_equal(bcos_translator_get(&translator, &id, &dropped, words, &size), 3);
	assert_int_equal(id, 7);
	assert_int_equal(dropped, 5);
	assert_int_equal(words[2], 12);
	expect_none();
}

/* The next message has the number of losses before it, and later messages do not. */
static void test_dropped(void **state)
{
	translator.mask = 1;
	put_entry(make_event(BCOS_GENERIC_CPU, 0, 0x1000, BCOS_EVENT_LOSS,
			     "lost 5 interrupts, 12 assignments: staging full, until 1.000000000 s"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_CPU, 1, 0x1000, BCOS_EVENT_LOSS,
			     "lost 100 events: inside the recording of another, until 1.000000000 s"));
	expect_none();
	put_entry(make_event(BCOS_GENERIC_DEVICE, BCOS_DEVICE_SELF, 0x1000, BCOS_EVENT_MISSED,
			     "missed 1000 entries, 24000 bytes"));
	expect_none();
	/* An event of another device with this ID does not count. */
	put_entry(make_event(BCOS_GENERIC_DEVICE, 1, 0x1000, BCOS_EVENT_MISSED, "missed 1000 entries, 24000 bytes"));
	expect_none();
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x2000, 5));
	expect_message("1 1117: 2000 5");
	put_entry(make_word(BCOS_ASSIGN_CPU, 1, 0x3000, 6));
	expect_message("1 0: 3000 6");
}

static u32 count_tens(void *context, u64 time)
{
	return (u32)(time / 16) + *(u32 *)context;
}

/* A timer converts the times that the translator adds, and not words that were put. */
static void test_timer(void **state)
{
	u32 one = 1;

	translator.mask = ~0u;
	translator.monitor = 15;
	translator.timer = count_tens;
	translator.context = &one;
	put_entry(make_event(BCOS_GENERIC_CPU, 0, 0x1000, BCOS_EVENT_IDLE, "idle state 2 for 256 ns"));
	expect_message("3 0: f1 101 ffffffff");
	put_entry(make_word(BCOS_IRQ, 1, 0x2000, 0));
	expect_message("2 0: 201 1 0");
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "time"));
	expect_message("7 0: 101");
	put_entry(make_event(BCOS_GENERIC_PROCESS, 0, 0x1000, 0x80000007, "00001000"));
	expect_message("7 0: 1000");
}

static void test_words(void **state)
{
	u32 words[BCOS_MESSAGE_WORDS_MAX + 1], back[BCOS_MESSAGE_WORDS_MAX];
	char text[BCOS_MESSAGE_TEXT(BCOS_MESSAGE_WORDS_MAX)];
	size_t i, length;

	for (i = 0; i <= BCOS_MESSAGE_WORDS_MAX; i++)
		words[i] = (u32)(i * 0x9E3779B9u);
	for (i = 1; i <= BCOS_MESSAGE_WORDS_MAX; i++) {
		length = bcos_message_format(text, words, i);
		assert_int_equal(length, 9 * i - 1);
		assert_int_equal(bcos_message_parse(back, text, length), i);
		assert_memory_equal(back, words, i * sizeof(u32));
	}
	assert_int_equal(bcos_message_format(text, words, BCOS_MESSAGE_WORDS_MAX + 1), sizeof(text));
	assert_int_equal(bcos_message_parse(back, "", 0), -EINVAL);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_silent), TEST(test_switch), TEST(test_swap), TEST(test_interrupt), TEST(test_sleep),
		TEST(test_states), TEST(test_packets), TEST(test_kernel_events), TEST(test_custom),
		TEST(test_too_small), TEST(test_dropped), TEST(test_timer), TEST(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
