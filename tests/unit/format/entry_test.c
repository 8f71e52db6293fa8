// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* core/format/entry.c: strings, types and sizes. tests/abi/golden has whole entries. */
#include "check.h"
#include "core/format/entry.h"

/* Checks an exact copy, so that ASan finds reads beyond it. */
static bool is_valid(const char *bytes, size_t length)
{
	char *copy = malloc(length ? length : 1);
	bool result;

	assert_non_null(copy);
	memcpy(copy, bytes, length);
	result = bcos_utf8_valid(copy, length);
	free(copy);
	return result;
}

#define VALID(text) assert_true(is_valid(text, sizeof(text) - 1))
#define INVALID(text) assert_false(is_valid(text, sizeof(text) - 1))

/* These are the first and the last character of each length, and those next to the surrogates. */
static void test_utf8_good(void **state)
{
	VALID("");
	VALID("\x01");
	VALID("\x7F");
	VALID("\xC2\x80");
	VALID("\xDF\xBF");
	VALID("\xE0\xA0\x80");
	VALID("\xED\x9F\xBF");
	VALID("\xEE\x80\x80");
	VALID("\xEF\xBF\xBD");
	VALID("\xEF\xBF\xBF");
	VALID("\xF0\x90\x80\x80");
	VALID("\xF4\x8F\xBF\xBF");
	VALID("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\xA2z");
}

/* These are just outside each range of table 3-7 of the Unicode standard. */
static void test_utf8_bad(void **state)
{
	INVALID("\0");
	INVALID("a\0b");
	INVALID("\x80");
	INVALID("\xBF");
	INVALID("\xC0\x80");
	INVALID("\xC1\xBF");
	INVALID("\xC2");
	INVALID("\xC2\x7F");
	INVALID("\xC2\xC0");
	INVALID("\xE0\x9F\xBF");
	INVALID("\xE0\xA0");
	INVALID("\xE1\x80");
	INVALID("\xE1\x7F\x80");
	INVALID("\xE1\x80\x7F");
	INVALID("\xE1\x80\xC0");
	INVALID("\xED\xA0\x80");
	INVALID("\xED\xBF\xBF");
	INVALID("\xEF\xBF");
	INVALID("\xF0\x8F\xBF\xBF");
	INVALID("\xF0\x90\x80");
	INVALID("\xF1\x80\x80\x7F");
	INVALID("\xF4\x90\x80\x80");
	INVALID("\xF5\x80\x80\x80");
	INVALID("\xF8\x88\x80\x80\x80");
	INVALID("\xFE");
	INVALID("\xFF");
	INVALID("fine until here \xE2\x82");
}

/* Each byte is tried in each place of an ASCII text, which the function checks word by word. */
static void test_utf8_words(void **state)
{
	char text[] = "\x01\x7F sixteen\x7F\x01 bytes";
	size_t place;
	unsigned int byte;
	char before;

	for (place = 0; place < sizeof(text) - 1; place++) {
		before = text[place];
		for (byte = 0; byte < 256; byte++) {
			text[place] = (char)byte;
			assert_int_equal(is_valid(text, sizeof(text) - 1), byte && byte < 0x80);
		}
		text[place] = before;
	}
}

#define BAD "\xEF\xBF\xBD"

static void check_cleaned(const char *from, size_t length, size_t size, const char *expected)
{
	char *copy = malloc(length ? length : 1), *to = malloc(size ? size : 1);
	size_t n;

	assert_non_null(copy);
	assert_non_null(to);
	memcpy(copy, from, length);
	n = bcos_utf8_clean(to, size, copy, length);
	assert_int_equal(n, strlen(expected));
	assert_memory_equal(to, expected, n);
	assert_true(is_valid(to, n));
	free(copy);
	free(to);
}

#define CLEAN(from, size, expected) check_cleaned(from, sizeof(from) - 1, size, expected)

static void test_clean(void **state)
{
	CLEAN("", 10, "");
	CLEAN("name", 10, "name");
	CLEAN("up to\0here", 20, "up to");
	CLEAN("\xC3\xA9t\xC3\xA9", 20, "\xC3\xA9t\xC3\xA9");
	CLEAN("a\x80z", 20, "a" BAD "z");
	CLEAN("\xFF\xFE", 20, BAD BAD);
	/* Each byte of an incomplete character is replaced by itself. */
	CLEAN("\xE2\x82", 20, BAD BAD);
	CLEAN("\xED\xA0\x80", 20, BAD BAD BAD);
	CLEAN("\xC0\xAF!", 20, BAD BAD "!");
	/* The text after a broken character is not lost with it. */
	CLEAN("\xE2\x82z", 20, BAD BAD "z");
}

static void test_clean_cut(void **state)
{
	CLEAN("name", 4, "name");
	CLEAN("name", 3, "nam");
	CLEAN("name", 0, "");
	CLEAN("ab\xC3\xA9", 3, "ab");
	CLEAN("ab\xF0\x9F\x90\xA2", 5, "ab");
	CLEAN("ab\xF0\x9F\x90\xA2", 6, "ab\xF0\x9F\x90\xA2");
	CLEAN("\xFF\xFF", 5, BAD);
	CLEAN("a\xFF", 3, "a");
}

/* Any bytes become valid, and valid ones stay as they are. */
static void test_clean_random(void **state)
{
	static const char pieces[] = "\x00\x01 az\x7F\x80\xBF\xC2\xE0\xE2\xED\xA0\x9F\xF0\x90\x82\xAC\xF4\xFF";
	u64 seed = test_seed(), rounds = test_env("ROUNDS", 100000);
	char from[24], to[72], again[72];
	size_t length, n, i;

	for (; rounds; rounds--) {
		length = next_random(&seed) % (sizeof(from) + 1);
		for (i = 0; i < length; i++)
			from[i] = pieces[next_random(&seed) % (sizeof(pieces) - 1)];
		n = bcos_utf8_clean(to, sizeof(to), from, length);
		assert_true(bcos_utf8_valid(to, n));
		assert_int_equal(bcos_utf8_clean(again, sizeof(again), to, n), n);
		assert_memory_equal(to, again, n);
		length = strnlen(from, length);
		if (bcos_utf8_valid(from, length)) {
			assert_int_equal(n, length);
			assert_memory_equal(to, from, n);
		}
	}
}

/* The numbers of chapter 5, by hand: every other number is no type. */
static void test_types(void **state)
{
	static const u16 known[] = {
		0x0000, 0x0001, 0x0010, 0x0011, 0x2000, 0x2001, 0x2010, 0x4000, 0x4001, 0x4002, 0x4010,
		0x6000, 0x6001, 0x6002, 0x6003, 0x6010, 0x6011, 0x8000, 0xA000, 0xC000, 0xC002, 0xE000,
	};
	size_t i, n = 0;
	u32 type;

	assert_int_equal(COUNT(known), 22);
	for (type = 0; type <= 0xFFFF; type++) {
		if (n < COUNT(known) && known[n] == type) {
			assert_non_null(bcos_type_of((u16)type));
			assert_int_equal(bcos_type_of((u16)type)->type, type);
			n++;
		} else {
			assert_null(bcos_type_of((u16)type));
		}
	}
	assert_int_equal(n, COUNT(known));
	for (i = 0; i < BCOS_TYPES; i++)
		assert_int_equal(bcos_types[i].type, known[i]);
}

/* The names are the headings of chapter 5. */
static void test_names(void **state)
{
	assert_string_equal(bcos_type_of(0x0000)->name, "Set Process Name");
	assert_string_equal(bcos_type_of(0x0001)->name, "Cancel Process Name");
	assert_string_equal(bcos_type_of(0x0010)->name, "Generic Process");
	assert_string_equal(bcos_type_of(0x0011)->name, "Kernel API");
	assert_string_equal(bcos_type_of(0x2001)->name, "Core Offline");
	assert_string_equal(bcos_type_of(0x4002)->name, "Assign CPU");
	assert_string_equal(bcos_type_of(0x6003)->name, "Device Output");
	assert_string_equal(bcos_type_of(0x6011)->name, "IRQ");
	assert_string_equal(bcos_type_of(0x8000)->name, "Historical Set Process Name");
	assert_string_equal(bcos_type_of(0xC002)->name, "Historical Assign CPU");
	assert_string_equal(bcos_type_of(0xE000)->name, "Historical Set Device Name");
}

/* A type that nothing defines is skipped by its size, never an error (chapter 2). */
static void test_unknown(void **state)
{
	u8 bytes[28] = { 28, 0, 0x34, 0x12 };
	size_t length;

	assert_int_equal(bcos_entry_check(bytes, sizeof(bytes)), BCOS_WELL_FORMED);
	assert_int_equal(bcos_entry_check(bytes, sizeof(bytes) - 1), BCOS_TRUNCATED);
	assert_null(bcos_entry_text((const struct bcos_entry *)bytes, &length));
}

static void test_size(void **state)
{
	assert_int_equal(bcos_entry_size(0x14, 0), 20);
	assert_int_equal(bcos_entry_size(0x14, 1), 24);
	assert_int_equal(bcos_entry_size(0x14, 4), 24);
	assert_int_equal(bcos_entry_size(0x14, 5), 28);
	assert_int_equal(bcos_entry_size(0x19, 0), 28);
	assert_int_equal(bcos_entry_size(0x19, 3), 28);
	assert_int_equal(bcos_entry_size(0x19, 4), 32);
	assert_int_equal(bcos_entry_size(0x18, 2), 28);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8_good),
		cmocka_unit_test(test_utf8_bad),
		cmocka_unit_test(test_utf8_words),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_clean_cut),
		cmocka_unit_test(test_clean_random),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_size),
	};

	return cmocka_run_group_tests_name("entry", tests, NULL, NULL);
}
