// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Requests of disks: who issued them, and how long they were in the queue and on the device. */
#include "core/rules/rules.h"
#include "check.h"
#include "staged.h"

#define TAPE (&s->feed)
#define DISK BCOS_RAW_DISK(8, 16)

static struct feed_record start(u64 request, u32 process, u32 thread, u32 whose, u16 flags)
{
	struct bcos_raw_request_start unit = { .request_low = (u32)request, .request_high = (u16)(request >> 32),
					       .thread = thread, .whose = whose };
	u64 word[2];

	memcpy(word, &unit, sizeof(word));
	return record_pair(BCOS_RAW_REQUEST_START, process, flags, word[0], word[1]);
}

static struct feed_record issue(u64 request)
{
	return record_plain(BCOS_RAW_REQUEST_ISSUE, (u32)request, (u16)(request >> 32));
}

static struct feed_record end_at(u64 request, u16 result, u32 bytes, u64 sector, u32 major, u32 minor)
{
	struct bcos_raw_request_end unit = { .request_low = (u32)request, .request_high = (u16)(request >> 32),
					     .sector_low = (u32)sector, .sector_high = (u16)(sector >> 32), .bytes = bytes };
	u64 word[2];

	memcpy(word, &unit, sizeof(word));
	return record_pair(BCOS_RAW_REQUEST_END, BCOS_RAW_NUMBERS(major, minor), result, word[0], word[1]);
}

static struct feed_record end(u64 request, u16 result, u32 bytes, u64 sector)
{
	return end_at(request, result, bytes, sector, 8, 16);
}

static int set_up(void **state)
{
	struct staged *s = staged_new(2, 64);

	*state = s;
	staged_put(s, 0, 1900, record_device(DISK, 0, 0, 0, "sdb"));
	staged_put(s, 0, 1910, record_life(BCOS_RAW_BIRTH, 7, 0, 70, 0, "seven"));
	staged_pass(s, 1950, 1000);
	return 0;
}

#define READ BCOS_RAW_RESULT(BCOS_OPERATION_READ, 0, 0)
#define WRITE BCOS_RAW_RESULT(BCOS_OPERATION_WRITE, 0, 0)
#define FLUSH BCOS_RAW_RESULT(BCOS_OPERATION_FLUSH, BCOS_REQUEST_PREFLUSH, 0)

/* One of a process, one of a kernel thread for a control group, and one that fails; on two CPUs. */
static void test_times(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE), far = 0xFFFFFFFFFFFF;

	staged_put(s, 0, 2000, start(far, 7, 7, 70, BCOS_REQUEST_SYNC));
	staged_put(s, 0, 2010, start(2, 0, 33, 4000, 0));
	staged_put(s, 0, 2020, issue(far));
	staged_put(s, 1, 2100, issue(2));
	staged_put(s, 1, 2250, end(far, READ | BCOS_REQUEST_SYNC, 4096, 0x123456789ABC));
	staged_put(s, 1, 2300, end(2, WRITE, 65536, 8));
	staged_put(s, 0, 2400, start(2, 7, 8, 70, 0));
	/* The device gets it again, since it could not take it. */
	staged_put(s, 0, 2410, issue(2));
	staged_put(s, 0, 2450, issue(2));
	staged_put(s, 0, 2500, end(2, BCOS_RAW_RESULT(BCOS_OPERATION_WRITE, 0, 28), 512, 8));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2250 7 event 0xc0000020 00 Rs0 4096@20015998343868 20+230\n"
		   "2300 0 event 0xc0000020 00 W0 65536@8 90+200 t33 c4000\n"
		   "2500 7 event 0xc0000020 00 W0 512@8 50+50 t8 e28\n");
	assert_int_equal(TAPE->log.requests.index.count, 0);
}

/* What nobody saw is not invented, and a request that never ends is forgotten when its address comes again. */
static void test_unseen(void **state)
{
	struct bcos_loss loss = { .first = 2410, .last = 2600, .count[BCOS_LOSS_REQUEST] = 3 };
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, issue(1));
	staged_put(s, 0, 2010, end(1, READ, 512, 1));
	staged_put(s, 0, 2020, end(1, READ, 512, 1));
	staged_put(s, 0, 2030, end(1, WRITE, 0, 1));
	staged_put(s, 0, 2100, start(1, 7, 7, 70, 0));
	staged_put(s, 0, 2110, start(1, 0, 30, 0, 0));
	staged_put(s, 0, 2120, end(1, READ, 512, 1));
	/* The process ends, or another one has its ID. */
	staged_put(s, 0, 2200, start(1, 7, 7, 71, 0));
	staged_put(s, 0, 2210, end(1, READ, 512, 1));
	staged_put(s, 0, 2220, start(1, 7, 7, 70, 0));
	staged_put(s, 0, 2225, start(2, 7, 7, 70, 0));
	staged_put(s, 0, 2230, issue(2));
	staged_pass(s, 2400, 1000);
	bcos_log_lost(&TAPE->log, 0, &loss);
	staged_put(s, 0, 2610, issue(1));
	staged_put(s, 0, 2620, end(1, READ, 512, 1));
	staged_put(s, 0, 2630, end(2, READ, 512, 1));
	staged_put(s, 0, 2700, start(1, 7, 7, 70, 0));
	staged_pass(s, 2800, 1000);
	bcos_log_recorded(&TAPE->log, BCOS_CLASS_DEFAULT);
	bcos_log_recorded(&TAPE->log, BCOS_CLASS_ALL);
	staged_put(s, 0, 2900, end(1, READ, 512, 1));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2010 0 event 0xc0000020 00 R0 512@1 ?+10\n"
		   "2020 0 event 0xc0000020 00 R0 512@1 ?\n"
		   "2120 0 event 0xc0000020 00 R0 512@1 =10 t30\n"
		   "2210 0 event 0xc0000020 00 R0 512@1 =10 p7\n"
		   "2410+191 0 event 0x80000001 80 lost 3 requests of disks: staging full, until 0.000002600 s\n"
		   "2620 0 event 0xc0000020 00 R0 512@1 ?+10\n"
		   "2630 0 event 0xc0000020 00 R0 512@1 ?\n"
		   "2900 0 event 0xc0000020 00 R0 512@1 ?\n");
}

/* A write that asks for a flush never goes to the device, which gets a flush of its own; parts; and an unknown disk. */
static void test_forms(void **state)
{
	struct staged *s = *state;
	u64 from = feed_mark(TAPE);

	staged_put(s, 0, 2000, start(1, 7, 7, 70, BCOS_REQUEST_SYNC | BCOS_REQUEST_PREFLUSH));
	staged_put(s, 0, 2010, issue(5));
	staged_put(s, 0, 2500, end(5, FLUSH, 0, 0xFFFFFFFFFFFF));
	staged_put(s, 0, 2510, end(1, WRITE | BCOS_REQUEST_SYNC, 0, 0));
	staged_put(s, 0, 2600, start(1, 7, 7, 70, 0));
	staged_put(s, 0, 2610, issue(1));
	staged_put(s, 0, 2620, end(1, WRITE | BCOS_REQUEST_PART, 512, 8));
	staged_put(s, 0, 2640, end(1, WRITE, 1024, 9));
	staged_put(s, 0, 2700, end_at(1, WRITE, 1024, 9, 8, 32));
	staged_pass(s, 3000, 1000);
	check_text(TAPE, from,
		   "2500 0 event 0xc0000020 00 Ff0 0@0 ?+490\n"
		   "2510 7 event 0xc0000020 00 Wsf0 0@0 =510\n"
		   "2620 7 event 0xc0000020 00 Wp0 512@8 10+10\n"
		   "2640 7 event 0xc0000020 00 W0 1024@9 10+30\n"
		   "2700 0 event 0x80000001 80 lost 1 records: about what has no name here, until 0.000002700 s\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, staged_tear_down)
	static const struct CMUnitTest tests[] = { TEST(test_times), TEST(test_unseen), TEST(test_forms) };

	return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
