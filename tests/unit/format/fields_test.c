// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * core/format/fields.c: a walk visits the fields of any bytes, and the builder makes only whole entries. The fields of
 * each type are those of chapter 5; tests/abi/golden has their places and values.
 */
#include "check.h"
#include "core/format/fields.h"

/* Returns the kinds and units of the fields of a type, as a text. */
static const char *fields_of(u16 type)
{
	static const char *const kinds[BCOS_KINDS] = {
		[BCOS_KIND_PROCESS] = "process", [BCOS_KIND_RUNNING] = "running", [BCOS_KIND_CORE] = "core",
		[BCOS_KIND_CPU] = "CPU", [BCOS_KIND_DEVICE] = "device", [BCOS_KIND_TIME] = "time",
		[BCOS_KIND_DURATION] = "duration", [BCOS_KIND_STATUS] = "status", [BCOS_KIND_EVENT] = "event",
		[BCOS_KIND_SEVERITY] = "severity", [BCOS_KIND_FUNCTION] = "function", [BCOS_KIND_POWER] = "power",
		[BCOS_KIND_PERFORMANCE] = "performance", [BCOS_KIND_BYTES] = "bytes",
		[BCOS_KIND_INTERRUPT] = "interrupt", [BCOS_KIND_NAME] = "name", [BCOS_KIND_TEXT] = "text", [BCOS_KIND_PAYLOAD] = "payload",
	};
	const struct bcos_type *known = bcos_type_of(type);
	static char text[256];
	size_t used = 0, i;

	text[0] = 0;
	for (i = 0; i < known->count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s%s%s", i ? "; " : "",
					 kinds[known->fields[i].kind], known->fields[i].unit ? " in " : "",
					 known->fields[i].unit ? known->fields[i].unit : "");
	return text;
}

static void test_kinds(void **state)
{
	assert_string_equal(fields_of(BCOS_SET_PROCESS_NAME), "name");
	assert_string_equal(fields_of(BCOS_CANCEL_PROCESS_NAME), "status");
	assert_string_equal(fields_of(BCOS_GENERIC_PROCESS), "event; severity; text");
	assert_string_equal(fields_of(BCOS_KERNEL_API), "function");
	assert_string_equal(fields_of(BCOS_CORE_ONLINE), "power in 2 mW; power in 2 mW; "
			    "performance in instructions / 125 us");
	assert_string_equal(fields_of(BCOS_CORE_OFFLINE), "");
	assert_string_equal(fields_of(BCOS_GENERIC_CORE), "event; severity; text");
	assert_string_equal(fields_of(BCOS_CPU_ONLINE), "core");
	assert_string_equal(fields_of(BCOS_CPU_OFFLINE), "");
	assert_string_equal(fields_of(BCOS_ASSIGN_CPU), "running");
	assert_string_equal(fields_of(BCOS_GENERIC_CPU), "event; severity; text");
	assert_string_equal(fields_of(BCOS_SET_DEVICE_NAME), "process; name");
	assert_string_equal(fields_of(BCOS_CANCEL_DEVICE_NAME), "status");
	assert_string_equal(fields_of(BCOS_DEVICE_INPUT), "bytes in bytes");
	assert_string_equal(fields_of(BCOS_DEVICE_OUTPUT), "bytes in bytes");
	assert_string_equal(fields_of(BCOS_GENERIC_DEVICE), "event; severity; text");
	assert_string_equal(fields_of(BCOS_IRQ), "interrupt");
}

/* A historical entry has the fields of the entry whose effect it states (chapter 6). */
static void test_historical(void **state)
{
	size_t i;

	for (i = 0; i < BCOS_TYPES; i++)
		if (bcos_types[i].type & BCOS_TYPE_HISTORICAL)
			assert_ptr_equal(bcos_types[i].fields,
					 bcos_type_of(bcos_types[i].type & (u16)~BCOS_TYPE_HISTORICAL)->fields);
}

/* Chapter 5: these types begin or name their subject, and these end it. No other type does, defined or not. */
static void test_lives(void **state)
{
	static const u16 begin[] = { 0x0000, 0x2000, 0x4000, 0x6000, 0x8000, 0xA000, 0xC000, 0xE000 },
			 end[] = { 0x0001, 0x2001, 0x4001, 0x6001 };
	size_t begins = 0, ends = 0;
	unsigned int type;

	for (type = 0; type <= 0xFFFF; type++) {
		if (begins < COUNT(begin) && type == begin[begins]) {
			assert_true(bcos_type_begins((u16)type));
			begins++;
		} else {
			assert_false(bcos_type_begins((u16)type));
		}
		if (ends < COUNT(end) && type == end[ends]) {
			assert_true(bcos_type_ends((u16)type));
			ends++;
		} else {
			assert_false(bcos_type_ends((u16)type));
		}
	}
	assert_int_equal(begins, COUNT(begin));
	assert_int_equal(ends, COUNT(end));
}

static void test_common(void **state)
{
	static const char *const names[] = { "process", "core", "cpu", "device" };
	static const u8 kinds[] = { BCOS_KIND_PROCESS, BCOS_KIND_CORE, BCOS_KIND_CPU, BCOS_KIND_DEVICE };
	const struct bcos_field *fields;
	size_t i;

	for (i = 0; i < 4; i++) {
		fields = bcos_common_fields((u16)(0x8010 | i << 13));
		assert_string_equal(fields[0].name, names[i]);
		assert_int_equal(fields[0].kind, kinds[i]);
		assert_int_equal(fields[0].offset, 4);
		assert_int_equal(fields[0].width, 4);
		assert_string_equal(fields[1].name, "time");
		assert_string_equal(fields[1].unit, "ns");
		assert_int_equal(fields[1].offset, 8);
		assert_int_equal(fields[1].width, 8);
		assert_string_equal(fields[2].name, "precision");
		assert_string_equal(fields[2].unit, "ns");
		assert_int_equal(fields[2].offset, 16);
		assert_int_equal(fields[2].width, 4);
	}
}

/* A memory of exactly @size bytes, all of them @fill after the header. ASan finds reads beyond it. */
static struct bcos_entry *bytes_of(u16 type, size_t size, u8 fill)
{
	struct bcos_entry *entry = malloc(size);

	assert_non_null(entry);
	memset(entry, fill, size);
	*entry = (struct bcos_entry){ .size = (u16)size, .type = type };
	return entry;
}

/* Whatever the size, each field of the type is visited once, and a field that is cut off has no value. */
static void test_any_size(void **state)
{
	struct bcos_entry *entry;
	struct bcos_walk walk;
	size_t i, size, fields;

	for (i = 0; i < BCOS_TYPES; i++)
		for (size = sizeof(*entry); size < 40; size++) {
			entry = bytes_of(bcos_types[i].type, size, 0x41);
			fields = 0;
			for (bcos_walk_begin(&walk, entry); bcos_walk_next(&walk); fields++) {
				const struct bcos_field *field = walk.field;
				bool whole = field->offset + field->width <= size;

				if (field->form == BCOS_FORM_NUMBER)
					assert_int_equal(walk.number, !whole ? 0 : 0x41414141u >> (32 - 8 * field->width));
				else
					assert_int_equal(walk.count, whole ? (size - field->offset) / field->width : 0);
			}
			assert_int_equal(fields, bcos_types[i].count);
			free(entry);
		}
}

/* The shortest generic event has no severity, which then is 0 (module/DESIGN.md, 3.4). */
static void test_short_event(void **state)
{
	struct bcos_entry *entry = bytes_of(BCOS_GENERIC_CPU, 24, 0x80);
	struct bcos_walk walk;

	assert_int_equal(bcos_entry_check(entry, 24), BCOS_WELL_FORMED);
	bcos_walk_begin(&walk, entry);
	assert_true(bcos_walk_next(&walk));
	assert_int_equal(walk.number, 0x80808080);
	assert_true(bcos_walk_next(&walk));
	assert_int_equal(walk.number, 0);
	assert_true(bcos_walk_next(&walk));
	assert_int_equal(walk.count, 0);
	assert_false(bcos_walk_next(&walk));
	free(entry);
}

/* What follows the header of a type that nothing defines are bytes, and zeros at their end count. */
static void test_undefined(void **state)
{
	struct bcos_entry *entry = bytes_of(0x1234, 40, 0);
	struct bcos_walk walk;

	bcos_walk_begin(&walk, entry);
	assert_true(bcos_walk_next(&walk));
	assert_string_equal(walk.field->name, "payload");
	assert_int_equal(walk.count, 20);
	assert_ptr_equal(walk.bytes, entry + 1);
	assert_false(bcos_walk_next(&walk));
	free(entry);
}

/* ---- builder ---- */

static u8 room[BCOS_ENTRY_MAX] __attribute__((aligned(4)));

static void begin(struct bcos_build *build, u16 type, size_t size)
{
	const struct bcos_entry header = { .type = type, .source = 7, .time = 9, .precision = 1 };

	bcos_build_begin(build, room, size, &header);
}

static void test_wrong_value(void **state)
{
	struct bcos_build build;

	begin(&build, BCOS_CORE_ONLINE, sizeof(room));
	assert_false(bcos_build_number(&build, 0x10000));
	assert_int_equal(bcos_build_end(&build), 0);
	begin(&build, BCOS_CPU_ONLINE, sizeof(room));
	assert_false(bcos_build_string(&build, "1", 1));
	assert_int_equal(bcos_build_end(&build), 0);
	begin(&build, BCOS_CPU_ONLINE, sizeof(room));
	assert_true(bcos_build_number(&build, 0xFFFFFFFF));
	assert_false(bcos_build_number(&build, 1));
	assert_int_equal(bcos_build_end(&build), 0);
	begin(&build, BCOS_SET_PROCESS_NAME, sizeof(room));
	assert_true(bcos_build_string(&build, "a\xC3", 2));
	assert_int_equal(bcos_build_end(&build), 0);
	begin(&build, BCOS_SET_PROCESS_NAME, sizeof(room));
	assert_true(bcos_build_string(&build, "a\0b", 3));
	assert_int_equal(bcos_build_end(&build), 0);
}

static void test_missing_value(void **state)
{
	struct bcos_build build;

	begin(&build, BCOS_GENERIC_CPU, sizeof(room));
	assert_true(bcos_build_number(&build, 1));
	assert_true(bcos_build_number(&build, 2));
	assert_int_equal(bcos_build_end(&build), 0);
	begin(&build, 0x1234, sizeof(room));
	assert_int_equal(bcos_build_end(&build), 0);
	begin(&build, 0x1234, sizeof(room));
	assert_true(bcos_build_bytes(&build, "\xFF\0\0\0", 4));
	assert_int_equal(bcos_build_end(&build), 24);
}

/* Where not even a header has room, nothing is written. */
static void test_no_room(void **state)
{
	struct bcos_entry *small = calloc(1, sizeof(struct bcos_entry) - 4);
	const struct bcos_entry header = { .type = BCOS_CPU_OFFLINE };
	struct bcos_build build;

	assert_non_null(small);
	bcos_build_begin(&build, small, sizeof(*small) - 4, &header);
	assert_int_equal(bcos_build_end(&build), 0);
	free(small);
}

/* The longest list makes an entry of 65532 bytes, since the size of an entry has 16 bits. */
static void test_long_list(void **state)
{
	static const u32 elements[16384];
	struct bcos_build build;

	begin(&build, BCOS_KERNEL_API, sizeof(room));
	assert_true(bcos_build_list(&build, elements, 16378));
	assert_int_equal(bcos_build_end(&build), 65532);
	begin(&build, BCOS_KERNEL_API, sizeof(room));
	assert_false(bcos_build_list(&build, elements, 16379));
	begin(&build, BCOS_KERNEL_API, sizeof(room));
	assert_false(bcos_build_list(&build, elements, SIZE_MAX));
	assert_int_equal(bcos_build_end(&build), 0);
}

/* A list may come in parts, of which the first may be empty. */
static void test_list_in_parts(void **state)
{
	static const u32 elements[] = { 11, 22, 33 };
	struct bcos_build build;
	struct bcos_walk walk;

	begin(&build, BCOS_CORE_ONLINE, sizeof(room));
	assert_true(bcos_build_number(&build, 1) && bcos_build_number(&build, 2));
	assert_true(bcos_build_list(&build, NULL, 0));
	assert_true(bcos_build_list(&build, elements, 1));
	assert_true(bcos_build_list(&build, elements + 1, 2));
	assert_false(build.left);
	assert_int_equal(bcos_build_end(&build), 36);
	bcos_walk_begin(&walk, (const struct bcos_entry *)room);
	assert_true(bcos_walk_next(&walk) && bcos_walk_next(&walk) && bcos_walk_next(&walk));
	assert_int_equal(walk.count, 3);
	assert_int_equal(bcos_walk_element(&walk, 2), 33);
	assert_false(bcos_build_string(&build, "x", 1));
	begin(&build, BCOS_GENERIC_CORE, sizeof(room));
	assert_false(bcos_build_list(&build, elements, 1));
	assert_false(bcos_build_list(&build, elements, 1));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_historical),
		cmocka_unit_test(test_lives),
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_any_size),
		cmocka_unit_test(test_short_event),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_wrong_value),
		cmocka_unit_test(test_missing_value),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_long_list),
		cmocka_unit_test(test_list_in_parts),
	};

	return cmocka_run_group_tests_name("fields", tests, NULL, NULL);
}
