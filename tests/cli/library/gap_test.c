// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Notices that entries are missing: the texts of released recordings, and whatever the formatter writes, are understood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "bcoslog.h"
#include "core/host/host.h"
#include "entry/gap.h"

static const struct {
	struct gap gap;
	const char *text;
} known[] = {
	{ { .cause = GAP_OVERTAKEN, .entries = 5, .bytes = 120 }, "missed 5 entries, 120 bytes" },
	{ { .cause = GAP_OVERTAKEN, .entries = ~0ull, .bytes = 1 }, "missed 18446744073709551615 entries, 1 bytes" },
	{ { .cause = GAP_DISK_FULL, .entries = 7, .bytes = 99, .ns = 62300000000ull },
	  "missed 7 entries, 99 bytes: recording paused for 62.3 s, since there was no room on the disk" },
	{ { .cause = GAP_NO_RECORDER }, "nothing is recorded of this time: the recorder did not run, or was too late" },
	{ { .cause = GAP_LOG_DAMAGED, .bytes = 1 }, "nothing is recorded of 1 byte: the log is damaged there" },
	{ { .cause = GAP_LOG_DAMAGED, .bytes = 20 }, "nothing is recorded of 20 bytes: the log is damaged there" },
	{ { .cause = GAP_NOT_RECORDED }, "nothing is recorded of this time, and the log has no more of it" },
	{ { .cause = GAP_FILE_CUT, .name = "a is not there.bcoslogz", .name_length = 23 },
	  "the recording has nothing of the time before this: the end of a is not there.bcoslogz is not there" },
	{ { .cause = GAP_FILES_GONE }, "the recording has nothing of the time before this: its files are not there" },
	{ { .cause = GAP_FILE_DAMAGED }, "the recording has nothing of the time before this: a part of it is damaged" },
	{ { .cause = GAP_BOOT, .name = "6b7f8a1e", .name_length = 8 }, "another boot begins here: 6b7f8a1e" },
	{ { .cause = GAP_LIVE_BOOT }, "another boot begins here, which is not recorded yet" },
};

static void assert_gap(const struct gap *gap, const struct gap *expected)
{
	assert_int_equal(gap->cause, expected->cause);
	assert_int_equal(gap->entries, expected->entries);
	assert_int_equal(gap->bytes, expected->bytes);
	assert_int_equal(gap->ns, expected->ns);
	assert_int_equal(gap->name_length, expected->name_length);
	if (expected->name)
		assert_memory_equal(gap->name, expected->name, expected->name_length);
}

static void there_and_back(void **state)
{
	char text[GAP_TEXT];
	struct gap gap;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		gap_parse(&gap, known[i].text, strlen(known[i].text));
		assert_gap(&gap, &known[i].gap);
		assert_int_equal(gap_format(text, &gap), strlen(known[i].text));
		assert_string_equal(text, known[i].text);
	}
}

/* What is not the whole text of a notice, or more than it, is of a cause that nobody knows, and no gap of a recording. */
static void other_texts(void **state)
{
	static const char *const texts[] = {
		"", "missed", "missed x entries", "missed 99999999999999999999 entries", "nothing is recorded of this time",
		"nothing is recorded of bytes: the log is damaged there", "another boot begins here",
		"the recording has nothing of the time before this: its files are not there.",
	};
	struct gap gap;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		gap_parse(&gap, texts[i], strlen(texts[i]));
		assert_gap(&gap, &(struct gap){ .cause = GAP_UNKNOWN });
	}
	assert_false(gap_is_recorded(GAP_UNKNOWN));
	assert_false(gap_is_recorded(GAP_OVERTAKEN));
	assert_true(gap_is_recorded(GAP_DISK_FULL));
}

/* The longest texts have room, and the precision is the span in which something is missing. */
static void the_entry(void **state)
{
	static const struct {
		u64 until;
		u32 precision;
	} spans[] = { { 99, 0 }, { 100, 0 }, { 101, 1 }, { 100 + 0xFFFFFFFFull, 0xFFFFFFFF },
		      { 101 + 0xFFFFFFFFull, 0xFFFFFFFF } };
	char name[300];
	struct gap gap = { .cause = GAP_FILE_CUT, .name = name, .name_length = sizeof(name) }, found;
	u32 room[GAP_ENTRY / sizeof(u32)];
	const struct bcos_entry *entry = (const struct bcos_entry *)room;
	size_t i, size;

	(void)state;
	memset(name, 'n', sizeof(name));
	for (i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		size = gap_put(room, 100, spans[i].until, &gap);
		assert_int_equal(entry->size, size);
		assert_in_range(entry->size, 300, sizeof(room));
		assert_int_equal(entry->type, BCOS_GENERIC_DEVICE);
		assert_int_equal(entry->source, BCOS_DEVICE_SELF);
		assert_int_equal(((const struct bcos_generic *)entry)->event_id, BCOS_EVENT_MISSED);
		assert_int_equal(((const struct bcos_generic *)entry)->severity, BCOS_SEVERITY_ERROR);
		assert_int_equal(entry->time, 100);
		assert_int_equal(entry->precision, spans[i].precision);
		assert_true(gap_of_entry(&found, entry));
		assert_int_equal(found.cause, GAP_FILE_CUT);
		assert_int_equal(found.name_length, 255);
	}
	((struct bcos_generic *)room)->event_id = BCOS_EVENT_UNSPECIFIED;
	assert_false(gap_of_entry(&found, entry));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back), cmocka_unit_test(other_texts), cmocka_unit_test(the_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
