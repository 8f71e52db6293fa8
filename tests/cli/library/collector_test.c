// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests collectors of the library, and "bcoslog collect": every return code, on logs that grow, end and break off.
 * unit/format/translator_test.c tests the contents of messages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "bcoslog_collector.h"

#define MESSAGE 7u

static char folder[] = "/tmp/bcos-collector-XXXXXX", path[64];
static struct bcoslog_collector *collector;
static struct bcoslog_error error;
static int writer;

static void write_message(uint64_t time, const char *words)
{
	union {
		struct bcos_generic generic;
		char bytes[256];
	} entry = { .generic = { .header = { .type = BCOS_GENERIC_PROCESS, .time = time, .precision = 1 },
				 .event_id = BCOS_EVENT_MESSAGE | MESSAGE, .severity = BCOS_SEVERITY_INFO } };
	size_t size = (BCOS_GENERIC_TEXT + strlen(words) + 3) / 4 * 4;

	entry.generic.header.size = (uint16_t)size;
	memcpy(entry.bytes + BCOS_GENERIC_TEXT, words, strlen(words));
	assert_int_equal(write(writer, entry.bytes, size), size);
}

static int file_up(void **state)
{
	snprintf(path, sizeof(path), "%s/log", folder);
	writer = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	return writer < 0;
}

static int free_collector(void **state)
{
	bcoslog_collector_free(collector);
	collector = NULL;
	if (writer >= 0)
		close(writer);
	writer = -1;
	return unlink(path);
}

static void open_collector(unsigned int flags)
{
	assert_int_equal(bcoslog_collector_register(&collector, path, flags, &error), 0);
	assert_int_equal(bcoslog_collector_get_mask(collector), 0);
	assert_int_equal(bcoslog_collector_get_monitor_mask(collector), 0);
	bcoslog_collector_set_mask(collector, 1u << (MESSAGE - 1));
	bcoslog_collector_set_monitor_mask(collector, BCOS_MONITOR_EVENT);
	assert_int_equal(bcoslog_collector_get_mask(collector), 0x40);
	assert_int_equal(bcoslog_collector_get_monitor_mask(collector), 8);
}

enum how { GET, WAIT, TIMEOUT };

/* Gets a message, with room for @room words.  Return: the result; *@first is the first word of the message. */
static int get_message(enum how how, uint32_t room, uint32_t *size, uint32_t *first)
{
	uint32_t id = 0, dropped = 9, words[4] = { 0 };
	int r;

	*size = room;
	if (how == GET)
		r = bcoslog_collector_get(collector, &id, &dropped, words, size);
	else if (how == WAIT)
		r = bcoslog_collector_get_wait(collector, &id, &dropped, words, size);
	else
		r = bcoslog_collector_get_wait_timeout(collector, &id, &dropped, words, size, 20);
	if (r > 0) {
		assert_int_equal(id, MESSAGE);
		assert_int_equal(dropped, 0);
		assert_int_equal((uint32_t)r, *size);
		*first = words[0];
	} else {
		assert_int_equal(id, 0);
		assert_int_equal(dropped, 9);
		assert_int_equal(words[0], 0);
	}
	return r;
}

static void test_get(void **state)
{
	uint32_t size, first;

	write_message(1, "0000002a 0000002b");
	write_message(2, "0000002c");
	open_collector(0);
	assert_int_equal(get_message(GET, 1, &size, &first), -EMSGSIZE);
	assert_int_equal(size, 2);
	assert_int_equal(get_message(GET, 4, &size, &first), 2);
	assert_int_equal(first, 0x2A);
	assert_int_equal(get_message(GET, 4, &size, &first), 1);
	assert_int_equal(first, 0x2C);
	assert_int_equal(get_message(GET, 4, &size, &first), 0);
	/* A file that is not followed ends, so waiting is over at once. */
	assert_int_equal(get_message(WAIT, 4, &size, &first), 0);
	assert_int_equal(get_message(TIMEOUT, 4, &size, &first), 0);
}

static void *say_later(void *unused)
{
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	write_message(3, "00000007");
	return NULL;
}

static void test_wait(void **state)
{
	uint32_t size, first;
	pthread_t thread;

	open_collector(BCOSLOG_FOLLOW);
	assert_int_equal(get_message(GET, 4, &size, &first), 0);
	assert_int_equal(get_message(TIMEOUT, 4, &size, &first), 0);
	pthread_create(&thread, NULL, say_later, NULL);
	assert_int_equal(get_message(WAIT, 4, &size, &first), 1);
	assert_int_equal(first, 7);
	pthread_join(thread, NULL);
	write_message(4, "00000008");
	assert_int_equal(get_message(TIMEOUT, 4, &size, &first), 1);
	assert_int_equal(first, 8);
	bcoslog_interrupt(bcoslog_collector_log(collector));
	assert_int_equal(get_message(WAIT, 4, &size, &first), -EINTR);
	assert_int_equal(get_message(TIMEOUT, 4, &size, &first), -EINTR);
}

static void test_damage(void **state)
{
	uint32_t size, first;

	write_message(1, "0000002a");
	assert_int_equal(write(writer, "\x03\0\0\0", 4), 4);
	open_collector(0);
	assert_int_equal(get_message(GET, 4, &size, &first), 1);
	assert_int_equal(get_message(GET, 4, &size, &first), -EBADMSG);
	assert_int_equal(bcoslog_error(bcoslog_collector_log(collector))->code, EBADMSG);
}

static void test_register(void **state)
{
	struct bcoslog_collector *none = NULL;

	assert_int_equal(bcoslog_collector_register(&none, "/nowhere/log", 0, &error), -ENOENT);
	assert_null(none);
	bcoslog_collector_free(NULL);
}

/* The library refuses invalid messages itself, and a file takes no messages. */
static void test_put(void **state)
{
	uint32_t words[114] = { 0 };
	struct bcoslog *log;

	open_collector(0);
	log = bcoslog_collector_log(collector);
	assert_int_equal(bcoslog_put(log, MESSAGE, words, 0), -EINVAL);
	assert_int_equal(bcoslog_put(log, MESSAGE, words, 114), -EMSGSIZE);
	assert_int_equal(bcoslog_put(log, 0, words, 1), -EINVAL);
	assert_int_equal(bcoslog_put(log, 0x40000000, words, 1), -EINVAL);
	assert_int_equal(bcoslog_put_timed(log, 0), -EINVAL);
	assert_int_equal(bcoslog_put(log, MESSAGE, words, 113), -ENOTTY);
	assert_int_equal(bcoslog_put_timed(log, MESSAGE), -ENOTTY);
}

/* Runs a command of the tool on the same log.  Return: its exit status. */
static int run_tool(const char *name, const char *arguments, const char *expected)
{
	const char *build = getenv("BUILD"), *program = getenv("BCOSLOG");
	char command[300], output[300];
	size_t length;
	FILE *pipe;

	if (program)
		snprintf(command, sizeof(command), "%s %s %s %s 2>&1", program, name, arguments, path);
	else
		snprintf(command, sizeof(command), "%s/bcoslog %s %s %s 2>&1", build ? build : "build", name,
			 arguments, path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	length = fread(output, 1, sizeof(output) - 1, pipe);
	output[length] = 0;
	if (expected)
		assert_string_equal(output, expected);
	return WEXITSTATUS(pclose(pipe));
}

static int run_collect(const char *arguments, const char *expected)
{
	return run_tool("collect", arguments, expected);
}

/* At the end of a recording nothing waits, unless the caller asks for that. */
static void test_recording(void **state)
{
	char recorded[80], options[100], command[100];
	uint32_t size, first;

	snprintf(recorded, sizeof(recorded), "%s/recorded", folder);
	snprintf(options, sizeof(options), "-o %s", recorded);
	write_message(1, "0000002a 0000002b");
	if (run_tool("record", options, "") == 2)
		skip();
	assert_int_equal(bcoslog_collector_register(&collector, recorded, 0, &error), 0);
	bcoslog_collector_set_mask(collector, 1u << (MESSAGE - 1));
	assert_int_equal(get_message(WAIT, 4, &size, &first), 2);
	assert_int_equal(first, 0x2a);
	assert_int_equal(get_message(WAIT, 4, &size, &first), 0);
	bcoslog_collector_free(collector);
	assert_int_equal(bcoslog_collector_register(&collector, recorded, BCOSLOG_FOLLOW, &error), 0);
	bcoslog_collector_set_mask(collector, 0);
	assert_int_equal(get_message(TIMEOUT, 4, &size, &first), 0);
	snprintf(command, sizeof(command), "rm -r %s", recorded);
	assert_int_equal(system(command), 0);
}

static void test_tool(void **state)
{
	write_message(1, "0000002a 0000002b");
	write_message(2, "time");
	assert_int_equal(run_collect("", "7 0 0000002a 0000002b\n7 0 00000002\n"), 0);
	assert_int_equal(run_collect("--mask 1", ""), 0);
	assert_int_equal(run_collect("--monitor 16", NULL), 2);
	assert_int_equal(run_collect("--put 0", NULL), 2);
	assert_int_equal(run_collect("--put 7 --timed", NULL), 2);
	assert_int_equal(write(writer, "\x03\0\0\0", 4), 4);
	assert_int_equal(run_collect("--mask 1", NULL), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, file_up, free_collector)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_get), TEST(test_wait), TEST(test_damage), TEST(test_register), TEST(test_put),
		TEST(test_tool), TEST(test_recording),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
