// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests how messages of /dev/kmsg become records. The expected records are written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/socket.h>
#include <unistd.h>

#include "engine/kernel_log.h"

static char said[4096];

/* Appends "SEVERITY text|" for each record. */
static void put_record(void *context, const struct bcos_unit *unit, u32 units)
{
	const struct bcos_raw *raw = (const struct bcos_raw *)unit;
	const struct bcos_raw_event *event = (const struct bcos_raw_event *)(unit + 1);
	size_t at = strlen(said);

	(void)context;
	assert_int_equal(raw->kind, BCOS_RAW_KMSG);
	assert_int_equal(raw->units, units);
	assert_int_equal(units, 2 + (event->length + 15) / 16);
	snprintf(said + at, sizeof(said) - at, "%02x %.*s|", BCOS_RAW_SEVERITY(raw->aux), event->length,
		 (const char *)(unit + 2));
}

static void put_lost(void *context, u64 count, const char *what, u64 since)
{
	size_t at = strlen(said);

	(void)context, (void)since;
	snprintf(said + at, sizeof(said) - at, "lost %llu %s|", (unsigned long long)count, what);
}

static void parse_message(struct kernel_log *log, const char *message)
{
	said[0] = 0;
	kernel_log_parse(log, message, strlen(message));
}

static void test_messages(void **state)
{
	struct kernel_log log = { .put = put_record, .lost = put_lost };

	(void)state;
	parse_message(&log, "6,100,5000,-;hello world\n SUBSYSTEM=pci\n DEVICE=+pci:0000\n");
	assert_string_equal(said, "40 hello world|");
	/* This message has level 3 of facility 1. */
	parse_message(&log, "11,101,5001,-,caller=T1;it failed\n");
	assert_string_equal(said, "a0 it failed|");
	parse_message(&log, "0,102,5002,c;one\\x0atwo\n");
	assert_string_equal(said, "f0 one|f0 two|");
	parse_message(&log, "4,103,5003,-;ends with a line\\x0a\n");
	assert_string_equal(said, "7f ends with a line|");
	parse_message(&log, "7,104,5004,-;\n");
	assert_string_equal(said, "20 |");
	parse_message(&log, "7,105,5004,-;a\\b \\x5cx \\xzz \\x4");
	assert_string_equal(said, "20 a\\b \\x \\xzz \\x4|");
}

static void test_missed(void **state)
{
	struct kernel_log log = { .put = put_record, .lost = put_lost };

	(void)state;
	parse_message(&log, "6,100,5000,-;first\n");
	parse_message(&log, "6,104,5000,-;next\n");
	assert_string_equal(said, "lost 3 kernel messages: overwritten or cleared in the kernel's own buffer|40 next|");
	parse_message(&log, "6,105,5000,-;and on\n");
	assert_string_equal(said, "40 and on|");
}

static void test_malformed(void **state)
{
	struct kernel_log log = { .put = put_record, .lost = put_lost };
	static const char *const bad[] = { "", "6", "6,1", "x,y,z;text", "6,100,5000,- no text", ";", ",,;" };
	static char longest[8192];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		parse_message(&log, bad[i]);
		assert_string_equal(said, "");
	}
	memset(longest, 'a', sizeof(longest) - 1);
	memcpy(longest, "6,1,1,-;", 8);
	parse_message(&log, longest);
	assert_int_equal(strlen(said), 3 + BCOS_RAW_TEXT + 1);
}

/* A pass reads only a part of many messages, and does not give the other messages a later earliest time. */
static void test_bounded(void **state)
{
	struct kernel_log log = { .put = put_record, .lost = put_lost, .since = 1 };
	int ends[2], lines = 0, i;
	u64 since;

	(void)state;
	/* The messages of this socket stay apart, as those of the kernel's log do. */
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
	log.fd = ends[0];
	for (; lines < 5000 && write(ends[1], "6,1,1,-;\n", 9) == 9; lines++)
		;
	i = lines;
	since = log.since;
	/* The buffer of the socket may be too small for more than 1000 messages. */
	if (lines > 1000) {
		kernel_log_read(&log);
		assert_int_equal(log.since, since);
		i -= 1000;
	}
	for (; i >= 1000; i -= 1000)
		kernel_log_read(&log);
	kernel_log_read(&log);
	assert_true(log.since > since);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages), cmocka_unit_test(test_missed), cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests_name("kernel_log", tests, NULL, NULL);
}
