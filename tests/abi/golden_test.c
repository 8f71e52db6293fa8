// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The golden files have bytes by hand from the specification's tables. The core and the structures of the ABI must read
 * in them what golden.h says, and build these bytes from it.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include "core/format/fields.h"
#include "golden.h"
#include "hex.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Reads a file into memory of exactly its size, so that ASan finds reads beyond it. */
static u8 *load_file(const char *folder, const char *name, size_t *size)
{
	char path[512];
	static u8 bytes[65536];
	u8 *exact;
	long n;

	snprintf(path, sizeof(path), TESTS "/abi/%s/%s.hex", folder, name);
	n = hex_read(path, bytes, sizeof(bytes));
	assert_true(n >= 0);
	*size = (size_t)n;
	exact = malloc(*size ? *size : 1);
	assert_non_null(exact);
	memcpy(exact, bytes, *size);
	return exact;
}

static void check_text(const struct golden *want, const struct bcos_entry *entry)
{
	size_t length = 0;
	const char *text = bcos_entry_text(entry, &length);

	if (!want->text) {
		assert_null(text);
		return;
	}
	assert_non_null(text);
	assert_int_equal(length, strlen(want->text));
	assert_memory_equal(text, want->text, length);
}

static void check_rest(const struct golden *want, const void *bytes)
{
	const struct bcos_core_online *core = bytes;
	const struct bcos_generic *generic = bytes;
	const struct bcos_kernel_api *api = bytes;
	u32 i;

	switch (want->follows) {
	case NOTHING:
	case NAME:
		break;
	case STATUS:
		assert_int_equal(((const struct bcos_cancel_name *)bytes)->status, want->value);
		break;
	case GENERIC:
		assert_int_equal(generic->event_id, want->value);
		assert_int_equal(generic->severity, want->severity);
		assert_memory_equal(generic->text, want->text, strlen(want->text));
		break;
	case FUNCTIONS:
		assert_int_equal((want->size - 0x14) / 4, want->count);
		for (i = 0; i < want->count; i++)
			assert_int_equal(api->function[i], want->list[i]);
		break;
	case CORE:
		assert_int_equal(core->idle_power, want->idle);
		assert_int_equal(core->power_difference, want->difference);
		assert_int_equal((want->size - 0x18) / 4, want->count);
		for (i = 0; i < want->count; i++)
			assert_int_equal(core->performance[i], want->list[i]);
		break;
	case CORE_ID:
		assert_int_equal(((const struct bcos_cpu_online *)bytes)->core, want->value);
		break;
	case PROCESS:
		assert_int_equal(((const struct bcos_assign_cpu *)bytes)->process, want->value);
		break;
	case DEVICE:
		assert_int_equal(((const struct bcos_device_name *)bytes)->driver, want->value);
		break;
	case BYTES:
		assert_int_equal(((const struct bcos_device_io *)bytes)->bytes, want->value);
		break;
	case NUMBER:
		assert_int_equal(((const struct bcos_irq *)bytes)->number, want->value);
		break;
	}
}

/* Checks the current field of a walk, which is a number. */
static void check_number(struct bcos_walk *walk, const char *name, unsigned int offset, unsigned int width, u32 value)
{
	assert_true(bcos_walk_next(walk));
	assert_string_equal(walk->field->name, name);
	assert_int_equal(walk->field->form, BCOS_FORM_NUMBER);
	assert_int_equal(walk->field->offset, offset);
	assert_int_equal(walk->field->width, width);
	assert_int_equal(walk->number, value);
}

static void check_string(struct bcos_walk *walk, const char *name, unsigned int offset, const char *text)
{
	assert_true(bcos_walk_next(walk));
	assert_string_equal(walk->field->name, name);
	assert_int_equal(walk->field->form, BCOS_FORM_STRING);
	assert_int_equal(walk->field->offset, offset);
	assert_int_equal(walk->count, strlen(text));
	assert_memory_equal(walk->bytes, text, walk->count);
}

static void check_list(struct bcos_walk *walk, const char *name, unsigned int offset, const struct golden *want)
{
	u32 i;

	assert_true(bcos_walk_next(walk));
	assert_string_equal(walk->field->name, name);
	assert_int_equal(walk->field->form, BCOS_FORM_LIST);
	assert_int_equal(walk->field->offset, offset);
	assert_int_equal(walk->field->width, 4);
	assert_int_equal(walk->count, want->count);
	for (i = 0; i < want->count; i++)
		assert_int_equal(bcos_walk_element(walk, i), want->list[i]);
}

/* The names, places and values of the fields, which a walk has to visit in this order. */
static void check_walk(const struct golden *want, const struct bcos_entry *entry)
{
	struct bcos_walk walk;

	bcos_walk_begin(&walk, entry);
	switch (want->follows) {
	case NOTHING: break;
	case NAME: check_string(&walk, "name", 0x14, want->text); break;
	case STATUS: check_number(&walk, "status", 0x14, 4, want->value); break;
	case CORE_ID: check_number(&walk, "core", 0x14, 4, want->value); break;
	case PROCESS: check_number(&walk, "process", 0x14, 4, want->value); break;
	case BYTES: check_number(&walk, "bytes", 0x14, 4, want->value); break;
	case NUMBER: check_number(&walk, "irq", 0x14, 4, want->value); break;
	case FUNCTIONS: check_list(&walk, "functions", 0x14, want); break;
	case GENERIC:
		check_number(&walk, "event", 0x14, 4, want->value);
		check_number(&walk, "severity", 0x18, 1, want->severity);
		check_string(&walk, "text", 0x19, want->text);
		break;
	case DEVICE:
		check_number(&walk, "driver", 0x14, 4, want->value);
		check_string(&walk, "name", 0x18, want->text);
		break;
	case CORE:
		check_number(&walk, "idle_power", 0x14, 2, want->idle);
		check_number(&walk, "power_difference", 0x16, 2, want->difference);
		check_list(&walk, "performance", 0x18, want);
		break;
	}
	assert_false(bcos_walk_next(&walk));
}

static void test_decode(void **state)
{
	const struct golden *want = *state;
	const struct bcos_entry *entry;
	const struct bcos_type *type;
	size_t size;
	u8 *bytes = load_file("golden", want->file, &size);

	assert_int_equal(size, want->size);
	assert_int_equal(bcos_entry_check(bytes, size), BCOS_WELL_FORMED);
	assert_int_equal(bcos_entry_unusual((const struct bcos_entry *)bytes), BCOS_USUAL);
	entry = (const struct bcos_entry *)bytes;
	assert_int_equal(entry->size, want->size);
	assert_int_equal(entry->type, want->type);
	assert_int_equal(entry->source, want->source);
	assert_true(entry->time == want->time);
	assert_int_equal(entry->precision, want->precision);
	type = bcos_type_of(entry->type);
	assert_non_null(type);
	assert_int_equal(type->type, want->type);
	check_text(want, entry);
	check_walk(want, entry);
	check_rest(want, bytes);
	free(bytes);
}

static void build_rest(const struct golden *want, void *bytes)
{
	struct bcos_core_online *core = bytes;
	struct bcos_generic *generic = bytes;
	struct bcos_device_name *device = bytes;
	struct bcos_kernel_api *api = bytes;
	size_t length = want->text ? strlen(want->text) : 0;
	u32 i;

	switch (want->follows) {
	case NOTHING: break;
	case NAME: memcpy(((struct bcos_process_name *)bytes)->name, want->text, length); break;
	case STATUS: ((struct bcos_cancel_name *)bytes)->status = want->value; break;
	case CORE_ID: ((struct bcos_cpu_online *)bytes)->core = want->value; break;
	case PROCESS: ((struct bcos_assign_cpu *)bytes)->process = want->value; break;
	case BYTES: ((struct bcos_device_io *)bytes)->bytes = want->value; break;
	case NUMBER: ((struct bcos_irq *)bytes)->number = want->value; break;
	case GENERIC:
		generic->event_id = want->value;
		generic->severity = (u8)want->severity;
		memcpy(generic->text, want->text, length);
		break;
	case DEVICE:
		device->driver = want->value;
		memcpy(device->name, want->text, length);
		break;
	case FUNCTIONS:
		for (i = 0; i < want->count; i++)
			api->function[i] = want->list[i];
		break;
	case CORE:
		core->idle_power = (u16)want->idle;
		core->power_difference = (u16)want->difference;
		for (i = 0; i < want->count; i++)
			core->performance[i] = want->list[i];
		break;
	}
}

/* Puts the fields by the builder, whatever the type is. */
static size_t put_fields(const struct golden *want, void *room, size_t size)
{
	const struct bcos_entry header = { .type = (u16)want->type, .source = want->source, .time = want->time,
					   .precision = want->precision };
	struct bcos_build build;

	bcos_build_begin(&build, room, size, &header);
	while (build.left && !build.failed)
		switch (build.next->form) {
		case BCOS_FORM_STRING:
			bcos_build_string(&build, want->text, strlen(want->text));
			break;
		case BCOS_FORM_LIST:
			bcos_build_list(&build, want->list, want->count);
			break;
		default:
			bcos_build_number(&build, build.next->kind == BCOS_KIND_SEVERITY ? want->severity :
					  want->follows != CORE ? want->value :
					  build.left == 3 ? want->idle : want->difference);
			break;
		}
	return bcos_build_end(&build);
}

/* The builder makes the golden bytes in exactly as much memory as they need, and does not go beyond less. */
static void test_builder(void **state)
{
	const struct golden *want = *state;
	size_t size;
	u8 *bytes = load_file("golden", want->file, &size), *room = malloc(size);

	assert_non_null(room);
	assert_int_equal(put_fields(want, room, size), size);
	assert_memory_equal(room, bytes, size);
	free(room);
	room = malloc(size - 1);
	assert_non_null(room);
	if (size > sizeof(struct bcos_entry))
		assert_int_equal(put_fields(want, room, size - 1), 0);
	free(room);
	free(bytes);
}

static void test_build(void **state)
{
	const struct golden *want = *state;
	struct bcos_entry *entry = calloc(1, want->size);
	size_t size;
	u8 *bytes = load_file("golden", want->file, &size);

	assert_non_null(entry);
	entry->size = (u16)want->size;
	entry->type = (u16)want->type;
	entry->source = want->source;
	entry->time = want->time;
	entry->precision = want->precision;
	build_rest(want, entry);
	assert_int_equal(size, want->size);
	assert_memory_equal(entry, bytes, size);
	if (want->text)
		assert_int_equal(bcos_entry_size(want->follows == NAME ? 0x14 : want->follows == DEVICE ? 0x18 : 0x19,
						 strlen(want->text)), want->size);
	free(entry);
	free(bytes);
}

/* An entry that is cut anywhere is truncated, and an entry that is not aligned is still well-formed. */
static void test_cut(void **state)
{
	const struct golden *want = *state;
	u8 shifted[512 + 1];
	size_t size, n;
	u8 *bytes = load_file("golden", want->file, &size), *cut;

	for (n = 0; n < size; n++) {
		cut = malloc(n ? n : 1);
		assert_non_null(cut);
		memcpy(cut, bytes, n);
		assert_int_equal(bcos_entry_check(cut, n), BCOS_TRUNCATED);
		free(cut);
	}
	memcpy(shifted + 1, bytes, size);
	assert_int_equal(bcos_entry_check(shifted + 1, size), BCOS_WELL_FORMED);
	free(bytes);
}

static void test_malformed(void **state)
{
	size_t i = (size_t)(uintptr_t)*state, size;
	u8 *bytes = load_file("golden/bad", malformed[i].file, &size);

	assert_int_equal(bcos_entry_check(bytes, size), malformed[i].wrong);
	free(bytes);
}

/* Such an entry is taken whole, and nothing is read beyond it. */
static void test_allowed(void **state)
{
	size_t i = (size_t)(uintptr_t)*state, size, length = 77;
	u8 *bytes = load_file("golden/allowed", allowed[i].file, &size);
	const struct bcos_entry *entry = (const struct bcos_entry *)bytes;
	const char *text;

	assert_int_equal(bcos_entry_check(bytes, size), BCOS_WELL_FORMED);
	assert_int_equal(entry->size, size);
	assert_int_equal(bcos_entry_unusual(entry), allowed[i].how);
	text = bcos_entry_text(entry, &length);
	assert_int_equal(!text, !allowed[i].text);
	if (text) {
		assert_int_equal(length, strlen(allowed[i].text));
		assert_memory_equal(text, allowed[i].text, length);
	}
	free(bytes);
}

static size_t files_in(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *item;
	size_t n = 0;

	assert_non_null(dir);
	while ((item = readdir(dir)))
		n += strlen(item->d_name) > 4 && !strcmp(item->d_name + strlen(item->d_name) - 4, ".hex");
	closedir(dir);
	return n;
}

/* Each file is in a table here, and each type of chapter 5 and each way to be wrong has a file. */
static void test_complete(void **state)
{
	size_t i, j;
	int wrong;

	assert_int_equal(files_in(TESTS "/abi/golden"), COUNT(golden));
	assert_int_equal(files_in(TESTS "/abi/golden/bad"), COUNT(malformed));
	assert_int_equal(files_in(TESTS "/abi/golden/allowed"), COUNT(allowed));
	for (i = 0; i < BCOS_TYPES; i++) {
		for (j = 0; j < COUNT(golden) && golden[j].type != bcos_types[i].type; j++)
			;
		assert_true(j < COUNT(golden));
	}
	for (wrong = BCOS_TRUNCATED; wrong <= BCOS_BAD_PADDING; wrong++) {
		for (j = 0; j < COUNT(malformed) && (int)malformed[j].wrong != wrong; j++)
			;
		assert_true(j < COUNT(malformed));
	}
	for (wrong = BCOS_ODD_SIZE; wrong <= BCOS_EMPTY_NAME; wrong++) {
		for (j = 0; j < COUNT(allowed) && (int)allowed[j].how != wrong; j++)
			;
		assert_true(j < COUNT(allowed));
	}
}

int main(void)
{
	static struct CMUnitTest tests[4 * COUNT(golden) + COUNT(malformed) + COUNT(allowed) + 1];
	static char names[4 * COUNT(golden)][64];
	struct CMUnitTest *test = tests;
	char (*name)[64] = names;
	size_t i;

	*test++ = (struct CMUnitTest)cmocka_unit_test(test_complete);
	for (i = 0; i < COUNT(golden); i++) {
		void *state = (void *)(uintptr_t)&golden[i];

		snprintf(*name, sizeof(*name), "decode %s", golden[i].file);
		*test++ = (struct CMUnitTest){ *name++, test_decode, NULL, NULL, state };
		snprintf(*name, sizeof(*name), "build %s", golden[i].file);
		*test++ = (struct CMUnitTest){ *name++, test_build, NULL, NULL, state };
		snprintf(*name, sizeof(*name), "put %s", golden[i].file);
		*test++ = (struct CMUnitTest){ *name++, test_builder, NULL, NULL, state };
		snprintf(*name, sizeof(*name), "cut %s", golden[i].file);
		*test++ = (struct CMUnitTest){ *name++, test_cut, NULL, NULL, state };
	}
	for (i = 0; i < COUNT(malformed); i++)
		*test++ = (struct CMUnitTest){ malformed[i].file, test_malformed, NULL, NULL,
					       (void *)(uintptr_t)i };
	for (i = 0; i < COUNT(allowed); i++)
		*test++ = (struct CMUnitTest){ allowed[i].file, test_allowed, NULL, NULL, (void *)(uintptr_t)i };
	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
