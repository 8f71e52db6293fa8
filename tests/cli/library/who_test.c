// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests how the library reads texts of the class who: texts by hand, and all kinds that the core writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "entry/who.h"
#include "core/format/entry.h"
#include "core/format/who_text.h"

/* Each beginning of a text, and each text with one character too many, is another text or none. */
#define REFUSED(parse, into, text) assert_int_equal(parse(into, text, sizeof(text) - 1), -EINVAL)
#define TAKEN(parse, into, text) assert_int_equal(parse(into, text, sizeof(text) - 1), 0)

static void test_killed(void **state)
{
	struct bcoslog_killed killed;

	TAKEN(bcoslog_killed, &killed, "signal 9 code 0 from process 123 user 1000 \"bash\"");
	assert_int_equal(killed.signal, 9);
	assert_int_equal(killed.code, 0);
	assert_int_equal(killed.process, 123);
	assert_int_equal(killed.user, 1000);
	assert_int_equal(killed.name_length, 4);
	assert_memory_equal(killed.name, "bash", 4);
	TAKEN(bcoslog_killed, &killed, "signal 64 code -2147483648 from process 4294967295 user 4294967295");
	assert_int_equal(killed.code, INT32_MIN);
	assert_int_equal(killed.user, 4294967295u);
	assert_null(killed.name);
	TAKEN(bcoslog_killed, &killed, "signal 11 code 2147483647 from kernel");
	assert_int_equal(killed.process, BCOS_PROCESS_KERNEL);
	TAKEN(bcoslog_killed, &killed, "signal 1 code 1 from process 1 user 0 \"a\" from kernel \"\"");
	assert_int_equal(killed.name_length, sizeof("a\" from kernel \"") - 1);
	REFUSED(bcoslog_killed, &killed, "");
	REFUSED(bcoslog_killed, &killed, "signal 0 code 0 from kernel");
	REFUSED(bcoslog_killed, &killed, "signal 65 code 0 from kernel");
	REFUSED(bcoslog_killed, &killed, "signal 09 code 0 from kernel");
	REFUSED(bcoslog_killed, &killed, "signal 9 code -0 from kernel");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 2147483648 from kernel");
	REFUSED(bcoslog_killed, &killed, "signal 9 code -2147483649 from kernel");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from kernels");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 4294967296 user 0");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 1");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 1 user 0 ");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 1 user 0 \"");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 1 user 0 \"\"");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 1 user 0 \"a");
	REFUSED(bcoslog_killed, &killed, "signal 9 code 0 from process 1 user 0 \"a\"b");
}

static void test_parent(void **state)
{
	struct bcoslog_parent parent;

	TAKEN(bcoslog_parent, &parent, "parent 123 \"b\n\"");
	assert_int_equal(parent.process, 123);
	assert_int_equal(parent.name_length, 2);
	assert_memory_equal(parent.name, "b\n", 2);
	TAKEN(bcoslog_parent, &parent, "parent 0");
	assert_null(parent.name);
	REFUSED(bcoslog_parent, &parent, "parent ");
	REFUSED(bcoslog_parent, &parent, "parent 1 b");
	REFUSED(bcoslog_parent, &parent, "parent -1");
}

static void test_exec(void **state)
{
	static struct bcoslog_exec exec;

	TAKEN(bcoslog_exec, &exec, "user 1000 path \"/bin/ls\" cgroup \"/a/b\" arguments \"ls\" \"-l\" \"\" \"a \\\"b\\\\\n\"");
	assert_int_equal(exec.user, 1000);
	assert_string_equal(exec.path, "/bin/ls");
	assert_string_equal(exec.cgroup, "/a/b");
	assert_true(exec.told && !exec.cut && !exec.path_cut && !exec.cgroup_cut);
	assert_int_equal(exec.count, 4);
	assert_string_equal(exec.argument[0], "ls");
	assert_string_equal(exec.argument[2], "");
	assert_string_equal(exec.argument[3], "a \"b\\\n");
	TAKEN(bcoslog_exec, &exec, "user 0 path \"p\"... cgroup \"c\"...");
	assert_true(exec.path_cut && exec.cgroup_cut && !exec.told && !exec.cut);
	TAKEN(bcoslog_exec, &exec, "user 0 path \"\" arguments");
	assert_true(exec.told && !exec.cgroup);
	assert_int_equal(exec.count, 0);
	TAKEN(bcoslog_exec, &exec, "user 0 path \"p\" arguments \"a\" \"...\"...");
	assert_true(exec.cut);
	assert_string_equal(exec.argument[1], "...");
	REFUSED(bcoslog_exec, &exec, "user 0");
	REFUSED(bcoslog_exec, &exec, "user 0 path p");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\\");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\\n\"");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\0\"");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\" ");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\" cgroup");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\" arguments ");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\" arguments a");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\" arguments \"a\"... \"b\"");
	REFUSED(bcoslog_exec, &exec, "user 0 path \"p\" arguments \"a\"\"b\"");
}

/* Parses the text that the core makes of these bytes. */
static void there_and_back(struct bcoslog_exec *exec, const char *path, const char *cgroup, u16 flags,
			   const char *bytes, size_t length)
{
	struct bcos_raw_program program = { .user = 7, .path = (u16)strlen(path), .cgroup = (u16)strlen(cgroup) };
	char *text = malloc(BCOS_RAW_TEXT), *raw = malloc(strlen(path) + strlen(cgroup) + length + 1);
	size_t used;

	assert_true(text && raw);
	memcpy(raw, path, strlen(path));
	memcpy(raw + strlen(path), cgroup, strlen(cgroup));
	memcpy(raw + strlen(path) + strlen(cgroup), bytes, length);
	program.length = (u16)(strlen(path) + strlen(cgroup) + length);
	used = bcos_exec_format(text, &program, flags, raw, program.length);
	assert_in_range(used, 1, BCOS_RAW_TEXT);
	assert_true(bcos_utf8_valid(text, used));
	assert_int_equal(bcoslog_exec(exec, text, used), 0);
	assert_int_equal(exec->user, 7);
	free(raw);
	free(text);
}

#define BACK(exec, path, cgroup, flags, bytes) there_and_back(exec, path, cgroup, flags, bytes, sizeof(bytes) - 1)

static void test_back(void **state)
{
	static struct bcoslog_exec exec;

	BACK(&exec, "/bin/\"quoted\\\"", "/", 0, "ls\0-l \"\\\"\0\0line\nfeed\x1b\0caf\xC3\xA9\0\xFF\xC3\0");
	assert_string_equal(exec.path, "/bin/\"quoted\\\"");
	assert_string_equal(exec.cgroup, "/");
	assert_int_equal(exec.count, 6);
	assert_string_equal(exec.argument[0], "ls");
	assert_string_equal(exec.argument[1], "-l \"\\\"");
	assert_string_equal(exec.argument[2], "");
	assert_string_equal(exec.argument[3], "line\nfeed\x1b");
	assert_string_equal(exec.argument[4], "caf\xC3\xA9");
	assert_string_equal(exec.argument[5], "\xEF\xBF\xBD\xEF\xBF\xBD");
	assert_false(exec.cut);
	BACK(&exec, "p", "", BCOS_RAW_SECRET | BCOS_RAW_PATH_CUT, "secret");
	assert_true(!exec.told && !exec.cgroup && exec.path_cut);
	/* The arguments are cut in the middle of one, and at the end of one. */
	BACK(&exec, "p", "c", BCOS_RAW_ARGUMENTS_CUT | BCOS_RAW_CGROUP_CUT, "one\0tw");
	assert_true(exec.cut && exec.cgroup_cut && exec.count == 2);
	assert_string_equal(exec.argument[1], "tw");
	BACK(&exec, "p", "c", BCOS_RAW_ARGUMENTS_CUT, "one\0two\0");
	assert_true(exec.cut && exec.count == 2);
}

/* Texts have every length. A part without room is cut at a character, and the text says so. */
static void test_long(void **state)
{
	static struct bcoslog_exec exec;
	static char bytes[1024];
	size_t length, i;
	unsigned int kept = 0, kind;

	for (kind = 0; kind < 5; kind++) {
		for (length = 0; length + 2 <= sizeof(bytes); length++) {
			memset(bytes, "aa\xFF\"\0"[kind], length);
			/* These characters have two bytes. */
			for (i = 0; kind == 1 && i < length; i++)
				bytes[i] = i % 2 ? '\xA9' : '\xC3';
			there_and_back(&exec, "/p", "", 0, bytes, length);
			if (kind == 0 && length) {
				assert_int_equal(exec.count, 1);
				assert_true(exec.cut == (strlen(exec.argument[0]) < length));
				assert_true(strlen(exec.argument[0]) >= kept);
				kept = (unsigned int)strlen(exec.argument[0]);
			}
			if (kind == 4)
				assert_true(exec.cut == (exec.count < length));
		}
	}
	assert_in_range(kept, BCOS_RAW_TEXT - 48, BCOS_RAW_TEXT);
}

/* A part that is cut already is not marked again when the next part has no room. */
static void test_cut_twice(void **state)
{
	static char path[256], cgroup[256];
	static struct bcoslog_exec exec;
	size_t length;

	memset(path, 0xFF, 255);
	for (length = 1; length <= 255; length++) {
		memset(cgroup, 'c', sizeof(cgroup));
		cgroup[length] = '\0';
		there_and_back(&exec, path, cgroup, BCOS_RAW_PATH_CUT | BCOS_RAW_CGROUP_CUT, "one\0two", 8);
		assert_true(exec.path_cut && exec.cgroup && exec.cgroup_cut);
	}
}

/* The core gets any bytes, with any lengths. */
static void test_any(void **state)
{
	static struct bcoslog_exec exec;
	struct bcos_raw_program program;
	char bytes[64], text[BCOS_RAW_TEXT];
	size_t i, room, used;
	unsigned int round;

	srand(1);
	for (round = 0; round < 20000; round++) {
		for (i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)(rand() % 3 ? "ab\"\\\0 .\xC3"[rand() % 8] : rand());
		room = (size_t)rand() % (sizeof(bytes) + 1);
		program = (struct bcos_raw_program){
			.user = (u32)rand(), .length = (u16)(rand() % 100), .path = (u16)(rand() % 70),
			.cgroup = (u16)(rand() % 70),
		};
		used = bcos_exec_format(text, &program, (u16)(rand() % 16), bytes + sizeof(bytes) - room, room);
		assert_true(bcos_utf8_valid(text, used));
		assert_int_equal(bcoslog_exec(&exec, text, used), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed), cmocka_unit_test(test_parent), cmocka_unit_test(test_exec),
		cmocka_unit_test(test_back), cmocka_unit_test(test_long), cmocka_unit_test(test_cut_twice),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests_name("who", tests, NULL, NULL);
}
