// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Generic events of programs and of the kernel's log: how a line that was written is parsed, and which entry it
 * becomes.
 */
#include "check.h"
#include "core/capture/printk.h"
#include "core/format/event_text.h"
#include "staged.h"

/* ---- what was written -------------------------------------------------------- */

#define LINE(bytes) bcos_event_line_parse(bytes, sizeof(bytes) - 1, &line)

static void check_parsed(const struct bcos_event_line *line, u8 severity, u32 id, const char *text)
{
	assert_int_equal(line->severity, severity);
	assert_int_equal(line->event_id, id);
	assert_int_equal(line->length, strlen(text));
	assert_memory_equal(line->text, text, line->length);
}

static void test_prefix(void **state)
{
	struct bcos_event_line line;

	assert_int_equal(LINE("hello"), 0);
	check_parsed(&line, 0x40, 0, "hello");
	assert_int_equal(LINE("<128>hello\n"), 0);
	check_parsed(&line, 128, 0, "hello");
	assert_int_equal(LINE("<0xff,0xFFFFFFFF>x\n\n"), 0);
	check_parsed(&line, 255, 0xFFFFFFFF, "x\n");
	assert_int_equal(LINE("<0,4294967295>"), 0);
	check_parsed(&line, 0, 4294967295u, "");
	assert_int_equal(LINE(""), 0);
	check_parsed(&line, 0x40, 0, "");
	assert_int_equal(LINE("\n"), 0);
	check_parsed(&line, 0x40, 0, "");
	assert_int_equal(LINE("\xC3\xA4"), 0);
	check_parsed(&line, 0x40, 0, "\xC3\xA4");
}

static void test_no_prefix(void **state)
{
	static const char *const texts[] = {
		"<html>", "<", "<1", "<1,", "<1,2", "<,2>x", "<1,>x", "<-1>x", "<1 >x", "<0x>x", "<0xg>x", " <1>x",
		"<1,2,3>x",
	};
	struct bcos_event_line line;
	size_t i, length;
	char *exact;

	/* A line has no zero after it, and nothing beyond its end is read. */
	for (i = 0; i < COUNT(texts); i++) {
		length = strlen(texts[i]);
		exact = malloc(length);
		assert_non_null(exact);
		memcpy(exact, texts[i], length);
		assert_int_equal(bcos_event_line_parse(exact, length, &line), 0);
		check_parsed(&line, 0x40, 0, texts[i]);
		free(exact);
	}
}

static void test_refused(void **state)
{
	static char longest[BCOS_EVENT_LINE_MAX + 1];
	struct bcos_event_line line;

	assert_int_equal(LINE("<256>x"), -EINVAL);
	assert_int_equal(LINE("<0x100>x"), -EINVAL);
	assert_int_equal(LINE("<99999999999999999999999999>x"), -EINVAL);
	assert_int_equal(LINE("<1,4294967296>x"), -EINVAL);
	assert_int_equal(LINE("a\0b"), -EINVAL);
	assert_int_equal(LINE("\xFF"), -EINVAL);
	assert_int_equal(LINE("\xC3"), -EINVAL);
	assert_int_equal(LINE("\xED\xA0\x80"), -EINVAL);
	memset(longest, 'x', sizeof(longest));
	assert_int_equal(bcos_event_line_parse(longest, BCOS_RAW_TEXT, &line), 0);
	assert_int_equal(bcos_event_line_parse(longest, BCOS_RAW_TEXT + 1, &line), -EMSGSIZE);
	longest[BCOS_RAW_TEXT] = '\n';
	assert_int_equal(bcos_event_line_parse(longest, BCOS_RAW_TEXT + 1, &line), 0);
	memcpy(longest, "<0xFF,0xFFFFFFFF>", 17);
	longest[17 + BCOS_RAW_TEXT] = '\n';
	assert_int_equal(bcos_event_line_parse(longest, BCOS_EVENT_LINE_MAX, &line), 0);
	assert_int_equal(line.length, BCOS_RAW_TEXT);
}

/* ---- what becomes of it ------------------------------------------------------ */

static int set_up(void **state)
{
	*state = staged_new(2, 256);
	return 0;
}

#define EVENT(subject, id, tag, event, severity, text) \
	record_event(BCOS_RAW_EVENT, subject, id, tag, event, severity, text, strlen(text))
#define SWITCH(id) record_plain(BCOS_RAW_SWITCH, (id), 0)
#define TAPE (&s->feed)

static void test_sources(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, record_life(BCOS_RAW_BIRTH, 7, 0, 1, 0, "seven"));
	staged_put(s, 0, 2001, EVENT(BCOS_SUBJECT_PROCESS, 7, 1, 5, 0x80, "hello"));
	staged_put(s, 0, 2002, EVENT(BCOS_SUBJECT_PROCESS, 7, 0, 5, 0x80, ""));
	/* Events of an incarnation that is gone, and of an unknown process, become the kernel's and are counted. */
	staged_put(s, 0, 2003, EVENT(BCOS_SUBJECT_PROCESS, 7, 2, 5, 0x80, "old"));
	staged_put(s, 0, 2004, EVENT(BCOS_SUBJECT_PROCESS, 8, 1, 5, 0x80, "none"));
	staged_put(s, 0, 2005, EVENT(BCOS_SUBJECT_CPU, 1, 0, 0x80000010, 0x40, "a CPU"));
	staged_put(s, 0, 2006, EVENT(BCOS_SUBJECT_CORE, 0, 0, 0x80000011, 0x40, "a core"));
	staged_put(s, 0, 2007, EVENT(BCOS_SUBJECT_DEVICE, 0, BCOS_DEVICE_SELF, 0x80000012, 0x40, "a device"));
	/* Events about a CPU, a core and a device that do not exist are left out, counted, and stated as lost. */
	staged_put(s, 0, 2008, EVENT(BCOS_SUBJECT_CPU, 5, 0, 1, 0x40, "no CPU"));
	staged_put(s, 0, 2009, EVENT(BCOS_SUBJECT_CORE, 5, 0, 1, 0x40, "no core"));
	staged_put(s, 0, 2010, EVENT(BCOS_SUBJECT_DEVICE, 5, 0, 1, 0x40, "no device"));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2000 7 name seven\n"
		   "2001 7 event 0x5 80 hello\n"
		   "2002 7 event 0x5 80 \n"
		   "2003 0 event 0x5 80 old\n"
		   "2004 0 event 0x5 80 none\n"
		   "2005 1 event 0x80000010 40 a CPU\n"
		   "2006 0 event 0x80000011 40 a core\n"
		   "2007 0xc0000000 event 0x80000012 40 a device\n"
		   "2010 0 event 0x80000001 80 lost 3 records: about what has no name here, since 0.000002008 s, until 0.000002010 s\n");
	assert_int_equal(s->feed.log.stats.unnamed, 5);
}

static void test_hidden(void **state)
{
	struct staged *s = *state;
	u64 from;

	staged_put(s, 0, 2000, record_life(BCOS_RAW_HELPER, 7, 0, 1, 0, "helper"));
	staged_pass(s, 2500, 1000);
	from = feed_mark(TAPE);
	staged_put(s, 0, 2600, EVENT(BCOS_SUBJECT_PROCESS, 7, 1, 5, 0x80, "hello"));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from, "2600 0 event 0x5 80 hello\n");
	assert_int_equal(s->feed.log.stats.unnamed, 0);
}

/* Lines of the kernel's log belong to no CPU and may have any time. The precision says how late a line came. */
static void test_kmsg(void **state)
{
	static struct bcos_stage stage;
	static struct bcos_unit units[64];
	struct bcos_raw raw = { .kind = BCOS_RAW_KMSG, .aux = BCOS_RAW_ABOUT(BCOS_SUBJECT_PROCESS, 0xA0) };
	struct bcos_raw_event event = { .precision = 1000 };
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);
	int room = 0;

	memset(&stage, 0, sizeof(stage));
	bcos_stage_init(&stage, units, 64);
	bcos_merge_add(&s->merge, 8, &stage);
	staged_put(s, 0, 2000, SWITCH(0));
	staged_put(s, 0, 2010, SWITCH(BCOS_PROCESS_IDLE));
	assert_true(bcos_stage_append(&stage, 2005, &raw, &event, "disk \xFF fails", 12));
	staged_pass(s, 3000, 1000);
	assert_true(bcos_stage_append(&stage, 2008, &raw, &event, "late", 4));
	staged_pass(s, 4000, 1000);
	check_text(TAPE, from,
		   "2000 0 assign 0\n"
		   "2005+1001 0 event 0x0 a0 disk \xEF\xBF\xBD fails\n"
		   "2010 0 assign idle\n"
		   "2010+999 0 event 0x0 a0 late\n");
	assert_int_equal(s->feed.log.model.cpus_online, 2);
	/* The ring takes no more lines until there is room again. */
	while (bcos_stage_append(&stage, 4000, &raw, &event, "sixteen bytes...", 16))
		room++;
	assert_int_equal(room, 64 / 3);
	staged_pass(s, 5000, 1000);
	assert_true(bcos_stage_append(&stage, 4000, &raw, &event, "sixteen bytes...", 16));
}

/*
 * A loss of no CPU is stated by one CPU. If that CPU goes offline before the statement is applied, another CPU states
 * it.
 */
static void test_loss_of_none(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	assert_int_equal(bcos_log_spokesman(&s->feed.log), 0);
	staged_put(s, 1, 2000, record_plain(BCOS_RAW_CPU_DOWN, 0, 0));
	staged_put(s, 1, 2010, EVENT(BCOS_SUBJECT_CPU, 0, 0, BCOS_EVENT_LOSS, 0x80, "lost 3 kernel messages"));
	staged_put(s, 1, 2020, EVENT(BCOS_SUBJECT_CPU, 0, 0, 0x80000010, 0x40, "of a CPU that is gone"));
	staged_pass(s, 3000, 1000);
	assert_int_equal(bcos_log_spokesman(&s->feed.log), 1);
	assert_non_null(strstr(feed_text(TAPE, from, false),
			       "2010 1 event 0x80000001 80 lost 3 kernel messages\n"
			       "2020 1 event 0x80000001 80 lost 1 records: about what has no name here"));
}

static void check_line(const char *line, u8 severity, bool timed, u64 time, const char *text)
{
	struct bcos_printk printk;

	bcos_printk_parse(line, strlen(line), &printk);
	assert_int_equal(printk.severity, severity);
	assert_int_equal(printk.timed, timed);
	assert_int_equal(printk.time, time);
	assert_int_equal(printk.length, strlen(text));
	assert_memory_equal(printk.text, text, strlen(text));
}

static void test_printk(void **state)
{
	check_line("<6>[   12.345678] a line", 0x40, true, 12345678000ull, "a line");
	check_line("<0>[12345.000001] x", 0xF0, true, 12345000001000ull, "x");
	check_line("<1>[    0.000000] x", 0xE0, true, 0, "x");
	check_line("<2>[    1.000000] x", 0xC0, true, 1000000000, "x");
	check_line("<3>[    1.000000][  T123] x", 0xA0, true, 1000000000, "x");
	check_line("<12>[    1.000000][   C0] [x]", 0x7F, true, 1000000000, "[x]");
	check_line("<29>[    1.000000] x", 0x60, true, 1000000000, "x");
	check_line("<191>[    1.000000]  x", 0x20, true, 1000000000, " x");
	check_line("<6>[    1.000000] ", 0x40, true, 1000000000, "");
	/* These lines have no time, or no valid form. */
	check_line("<3>text", 0xA0, false, 0, "text");
	check_line("text", 0x40, false, 0, "text");
	check_line("", 0x40, false, 0, "");
	check_line("<3", 0x40, false, 0, "<3");
	check_line("<>x", 0x40, false, 0, "<>x");
	check_line("<3>[text] x", 0xA0, false, 0, "[text] x");
	check_line("<3>[ 1.00000] x", 0xA0, false, 0, "[ 1.00000] x");
	check_line("<3>[ 1.000000", 0xA0, false, 0, "[ 1.000000");
	check_line("<3>[", 0xA0, false, 0, "[");
	check_line("<3>[ 1.000000][", 0xA0, true, 1000000000, "");
}

/*
 * Texts of any length, also where the end of the ring cuts the record in two. A text that does not fit is cut between
 * characters.
 */
static void test_long(void **state)
{
	struct staged *s = *state;
	char bytes[BCOS_RAW_TEXT], text[2 * BCOS_RAW_TEXT];
	const struct bcos_generic *entry;
	u64 from, time = 2000;
	size_t i, length;

	for (length = 0; length <= sizeof(bytes); length += 41) {
		for (i = 0; i < length; i++)
			bytes[i] = (char)('a' + (i + length) % 26);
		snprintf(text, sizeof(text), "%llu 0 event 0x1 40 %.*s\n", (unsigned long long)time, (int)length,
			 bytes);
		from = feed_mark(TAPE);
		assert_true(staged_put(s, 0, time,
				       record_event(BCOS_RAW_EVENT, BCOS_SUBJECT_PROCESS, 0, 0, 1, 0x40, bytes,
								length)) <= BCOS_STAGED_KICK);
		staged_pass(s, time + 100, 1000);
		/* feed_text() shows the first 400 bytes of a line. */
		if (length < 300)
			check_text(TAPE, from, text);
		entry = (const void *)(s->feed.tape + from);
		assert_memory_equal(entry->text, bytes, length);
		assert_int_equal(entry->header.size, (BCOS_GENERIC_TEXT + length + 3) / 4 * 4);
		time += 1000;
	}
	memset(bytes, 0xFF, sizeof(bytes));
	from = feed_mark(TAPE);
	staged_put(s, 0, time, record_event(BCOS_RAW_EVENT, BCOS_SUBJECT_PROCESS, 0, 0, 1, 0x40, bytes, sizeof(bytes)));
	staged_pass(s, time + 100, 1000);
	entry = (const void *)(s->feed.tape + from);
	assert_int_equal(entry->header.size, (BCOS_GENERIC_TEXT + 1023 + 3) / 4 * 4);
	assert_memory_equal(entry->text + 1020, "\xEF\xBF\xBD", 3);
}

static void test_lost(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE), time = 2000, lost = 0;
	const char *text;
	char expected[100];

	while (lost < 3)
		lost += staged_put(s, 0, time++, EVENT(BCOS_SUBJECT_PROCESS, 0, 0, 1, 0x40, "sixteen bytes...")) >=
			BCOS_STAGE_LOST;
	staged_pass(s, 9000, 1000);
	text = feed_text(TAPE, from, false);
	snprintf(expected, sizeof(expected), "lost 3 user events: staging full, until 0.00000%llu s",
		 (unsigned long long)time - 1);
	if (!strstr(text, expected))
		print_message("# %s\n", text);
	assert_non_null(strstr(text, expected));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_no_prefix),
		cmocka_unit_test(test_refused),
		cmocka_unit_test_setup_teardown(test_sources, set_up, staged_tear_down),
		cmocka_unit_test_setup_teardown(test_hidden, set_up, staged_tear_down),
		cmocka_unit_test_setup_teardown(test_kmsg, set_up, staged_tear_down),
		cmocka_unit_test_setup_teardown(test_loss_of_none, set_up, staged_tear_down),
		cmocka_unit_test(test_printk),
		cmocka_unit_test_setup_teardown(test_long, set_up, staged_tear_down),
		cmocka_unit_test_setup_teardown(test_lost, set_up, staged_tear_down),
	};

	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
