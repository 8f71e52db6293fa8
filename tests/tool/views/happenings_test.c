// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collected happenings: the fields of each kind of happening, their order, and how many are kept. */
#include <sys/syscall.h>

#include "failing_memory.h"
#include "printed.h"
#include "made_log.h"
#include "views/around/happening.h"

#define DISK 3u
#define CORE 2u

static struct bcoslog_account *account;
static struct happenings all;
static struct made made;

static void take_entry(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_account_entry(account, entry), 0);
}

static int begin_account(void **state)
{
	const u32 performance[] = { 1000, 1000 };

	account = bcoslog_account_new(NULL);
	if (!account)
		return -1;
	take_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 1, 100, 300, performance, 2));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 1, 0));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 1, 0));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "ten"));
	take_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, DISK, 1, 0, "sda"));
	return 0;
}

static int end_account(void **state)
{
	happenings_free(&all);
	assert_null(all.of);
	assert_int_equal(all.count, 0);
	assert_int_equal(all.room, 0);
	bcoslog_account_free(account);
	return 0;
}

/* Return: the newest happening. */
static const struct happening *newest_happening(void)
{
	assert_true(all.count > 0);
	return &all.of[all.first + all.count - 1];
}

static const struct happening *happening_of(const struct bcos_entry *entry)
{
	size_t count = all.count;

	assert_int_equal(happenings_entry(&all, account, entry), 0);
	assert_int_equal(all.count, count + 1);
	assert_int_equal(newest_happening()->begin, entry->time);
	assert_int_equal(newest_happening()->end, entry->time);
	assert_int_equal(newest_happening()->id, entry->source);
	assert_int_equal(newest_happening()->subject, entry->type & BCOS_TYPE_SUBJECT_MASK);
	return newest_happening();
}

static void assert_text(const struct happening *happening, const char *expected)
{
	assert_int_equal(happening->length, strlen(expected));
	assert_non_null(happening->text);
	assert_memory_equal(happening->text, expected, strlen(expected));
}

static void assert_name(const struct happening *happening, const char *expected)
{
	assert_int_equal(happening->use.name_length, strlen(expected));
	assert_memory_equal(happening->use.name, expected, strlen(expected));
}

/* ---- entries ------------------------------------------------------------------------------- */

static void entries_with_numbers(void **state)
{
	const struct happening *it = happening_of(made_word(&made, BCOS_IRQ, DISK, 20, 7));

	assert_int_equal(it->kind, HAPPENS_INTERRUPT);
	assert_int_equal(it->number, 7);
	assert_name(it, "sda");
	assert_null(it->text);
	it = happening_of(made_word(&made, BCOS_DEVICE_INPUT, DISK, 21, 4096));
	assert_int_equal(it->kind, HAPPENS_INPUT);
	assert_int_equal(it->number, 4096);
	it = happening_of(made_word(&made, BCOS_DEVICE_OUTPUT, 77, 22, 512));
	assert_int_equal(it->kind, HAPPENS_OUTPUT);
	assert_int_equal(it->number, 512);
	assert_name(it, "");
	it = happening_of(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 23, 9));
	assert_int_equal(it->kind, HAPPENS_ENDS);
	assert_int_equal(it->number, 9);
	assert_name(it, "ten");
	it = happening_of(made_word(&made, BCOS_CANCEL_DEVICE_NAME, DISK, 24, 3));
	assert_int_equal(it->kind, HAPPENS_ENDS);
	assert_int_equal(it->number, 3);
	assert_name(it, "sda");
	it = happening_of(made_word(&made, BCOS_CORE_ONLINE, CORE, 25, 0));
	assert_int_equal(it->kind, HAPPENS_ONLINE);
	assert_int_equal(it->number, 0);
	assert_name(it, "");
	assert_int_equal(happening_of(made_word(&made, BCOS_CPU_ONLINE, 1, 26, 0))->kind, HAPPENS_ONLINE);
	assert_int_equal(happening_of(made_entry(&made, BCOS_CORE_OFFLINE, CORE, 27, NULL, 0))->kind, HAPPENS_OFFLINE);
	assert_int_equal(happening_of(made_entry(&made, BCOS_CPU_OFFLINE, 1, 28, NULL, 0))->kind, HAPPENS_OFFLINE);
	assert_int_equal(all.count, 9);
}

static void events_and_texts(void **state)
{
	const struct happening *it = happening_of(made_event(&made, BCOS_GENERIC_PROCESS, 10, 30, 5, 0x80, "it fails"));

	assert_int_equal(it->kind, HAPPENS_EVENT);
	assert_int_equal(it->number, 5);
	assert_int_equal(it->severity, 0x80);
	assert_name(it, "ten");
	assert_text(it, "it fails");
	it = happening_of(made_event(&made, BCOS_GENERIC_DEVICE, DISK, 31, 6, 1, "link"));
	assert_name(it, "sda");
	assert_text(it, "link");
	it = happening_of(made_event(&made, BCOS_GENERIC_CPU, 1, 32, 7, 2, ""));
	assert_int_equal(it->kind, HAPPENS_EVENT);
	assert_text(it, "");
	/* A process and a CPU may have the number of a device or a process. */
	assert_name(happening_of(made_event(&made, BCOS_GENERIC_PROCESS, DISK, 33, 7, 2, "x")), "");
	assert_name(happening_of(made_event(&made, BCOS_GENERIC_CPU, 10, 34, 7, 2, "x")), "");
	assert_name(happening_of(made_event(&made, BCOS_GENERIC_CORE, DISK, 35, 7, 2, "x")), "");
}

/* A former name is the text. */
static void names_and_former_ones(void **state)
{
	const struct happening *it = happening_of(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 40, "eleven"));

	assert_int_equal(it->kind, HAPPENS_NAMED);
	assert_name(it, "eleven");
	assert_text(it, "ten");
	it = happening_of(made_name(&made, BCOS_SET_PROCESS_NAME, DISK, 41, "new"));
	assert_int_equal(it->kind, HAPPENS_BEGINS);
	assert_name(it, "new");
	assert_null(it->text);
	it = happening_of(made_device(&made, BCOS_SET_DEVICE_NAME, DISK, 42, 0, "sdb"));
	assert_int_equal(it->kind, HAPPENS_NAMED);
	assert_name(it, "sdb");
	assert_text(it, "sda");
	it = happening_of(made_device(&made, BCOS_SET_DEVICE_NAME, 10, 43, 0, "sdc"));
	assert_int_equal(it->kind, HAPPENS_BEGINS);
	assert_name(it, "sdc");
	assert_null(it->text);
}

static void calls_by_number(void **state)
{
	const u32 numbers[] = { 999991, 999992 | BCOS_FUNCTION_COMPAT, 999993, 999994, 999995, 999996, 999997, 999998,
		999981, 999982, 999983, 999984, 999985, 999986, 999987, 999988, 999971 };
	const struct happening *it = happening_of(made_entry(&made, BCOS_KERNEL_API, 10, 50, numbers, 4));

	assert_int_equal(it->kind, HAPPENS_CALLS);
	assert_name(it, "ten");
	assert_text(it, "999991");
	assert_text(happening_of(made_entry(&made, BCOS_KERNEL_API, 10, 51, numbers, 8)), "999991 999992");
	assert_text(happening_of(made_entry(&made, BCOS_KERNEL_API, 10, 52, NULL, 0)), "");
	assert_text(happening_of(made_entry(&made, BCOS_KERNEL_API, 10, 53, numbers, sizeof(numbers))),
		    "999991 999992 999993 999994 999995 999996 999997 999998 "
		    "999981 999982 999983 999984 999985 999986 999987 999988");
}

static void calls_by_name(void **state)
{
	const u32 numbers[] = { SYS_read, 999991, SYS_openat };

	assert_text(happening_of(made_entry(&made, BCOS_KERNEL_API, 10, 54, numbers, sizeof(numbers))), "read 999991 openat");
}

static void assert_nothing(const struct bcos_entry *entry)
{
	assert_int_equal(happenings_entry(&all, account, entry), 0);
	assert_int_equal(all.count, 0);
}

static void entries_without_a_happening(void **state)
{
	assert_nothing(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 60, "ten"));
	assert_nothing(made_word(&made, BCOS_ASSIGN_CPU, 0, 61, 10));
	/* Its type is the one of an event with the bit of history. */
	assert_nothing(made_event(&made, BCOS_TYPE_HISTORICAL | BCOS_GENERIC_PROCESS, 10, 62, 5, 0, "x"));
	assert_nothing(made_event(&made, BCOS_GENERIC_PROCESS, 0, 63, BCOS_EVENT_HOST, 0, "host x"));
	assert_nothing(made_word(&made, 0x0012, 10, 64, 1));
}

/* ---- turns --------------------------------------------------------------------------------- */

static int add_turn(u32 cpu, u64 begin, u64 end, enum bcoslog_use use)
{
	return happenings_interval(&all, &(struct bcoslog_interval){
		.cpu = cpu, .begin = begin, .end = end, .use = use,
		.process = use == BCOSLOG_USE_PROCESS ? bcoslog_account_process(account, 10) : NULL,
	});
}

static void turns_of_cpus(void **state)
{
	assert_int_equal(add_turn(1, 100, 200, BCOSLOG_USE_PROCESS), 0);
	assert_int_equal(newest_happening()->kind, HAPPENS_TURN);
	assert_int_equal(newest_happening()->subject, BCOS_SUBJECT_CPU);
	assert_int_equal(newest_happening()->id, 1);
	assert_int_equal(newest_happening()->begin, 100);
	assert_int_equal(newest_happening()->end, 200);
	assert_int_equal(newest_happening()->use.process, 10);
	assert_name(newest_happening(), "ten");
	assert_null(newest_happening()->text);
	/* Unknown use that takes no time is none; other use is. */
	assert_int_equal(add_turn(1, 200, 200, BCOSLOG_USE_UNKNOWN), 0);
	assert_int_equal(all.count, 1);
	assert_int_equal(add_turn(1, 200, 201, BCOSLOG_USE_UNKNOWN), 0);
	assert_int_equal(add_turn(1, 201, 201, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(all.count, 3);
}

/* CPU 1 goes offline before, so its use does not go on. The end of one CPU's turn is not that of another one. */
static void turns_that_go_on(void **state)
{
	const struct bcoslog_interval end = { .cpu = 0, .begin = 100, .end = 300 };
	const struct bcoslog_interval later = { .cpu = 0, .begin = 300, .end = 400 };

	take_entry(made_word(&made, BCOS_CPU_ONLINE, 2, 90, 0));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 100, 10));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 2, 110, BCOS_PROCESS_IDLE));
	take_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 120, NULL, 0));
	assert_int_equal(add_turn(0, 50, 100, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(happenings_open(&all, account), 0);
	assert_int_equal(all.count, 3);
	assert_int_equal(all.of[1].id, 0);
	assert_int_equal(all.of[1].begin, 100);
	assert_true(all.of[1].end == HAPPENING_OPEN);
	assert_name(&all.of[1], "ten");
	assert_int_equal(all.of[2].id, 2);
	assert_int_equal(all.of[2].begin, 110);
	assert_int_equal(all.of[2].use.use, BCOSLOG_USE_IDLE);
	happenings_close(&all, &end);
	assert_int_equal(all.of[0].end, 100);
	assert_int_equal(all.of[1].end, 300);
	assert_true(all.of[2].end == HAPPENING_OPEN);
	happenings_close(&all, &later);
	assert_int_equal(all.of[1].end, 300);
	happenings_close(&all, &(struct bcoslog_interval){ .cpu = 2, .begin = 110, .end = 500 });
	assert_int_equal(all.of[2].end, 500);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Those that ended before the time are forgotten, up to the first happening that did not. */
static void old_ones_are_forgotten(void **state)
{
	happening_of(made_event(&made, BCOS_GENERIC_PROCESS, 10, 100, 5, 0, "text"));
	assert_int_equal(add_turn(0, 50, 200, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(add_turn(0, 40, 150, BCOSLOG_USE_IDLE), 0);
	happenings_trim(&all, 100);
	assert_int_equal(all.count, 3);
	happenings_trim(&all, 101);
	assert_int_equal(all.count, 2);
	happenings_trim(&all, 200);
	assert_int_equal(all.count, 2);
	assert_int_equal(all.of[all.first].end, 200);
	happenings_trim(&all, 201);
	assert_int_equal(all.count, 0);
	happenings_trim(&all, 300);
	assert_int_equal(all.count, 0);
}

/* Those that are kept stay as they are when others are added after many were forgotten. */
static void places_are_used_again(void **state)
{
	u64 i;

	for (i = 1; i <= 600; i++) {
		assert_int_equal(add_turn((u32)i, i, i, BCOSLOG_USE_IDLE), 0);
		happenings_trim(&all, i > 100 ? i - 100 : 0);
	}
	assert_int_equal(all.count, 101);
	assert_int_equal(all.room, 256);
	for (i = 0; i <= 100; i++) {
		assert_int_equal(all.of[all.first + i].id, 500 + i);
		assert_int_equal(all.of[all.first + i].begin, 500 + i);
	}
}

/* There is room for 256 at first. */
static void room_for_more(void **state)
{
	u64 i;

	for (i = 0; i < 600; i++)
		assert_int_equal(add_turn((u32)i, i, i, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(all.count, 600);
	for (i = 0; i < 600; i++)
		assert_int_equal(all.of[all.first + i].id, i);
}

static void as_many_as_are_kept(void **state)
{
	all.of = calloc(HAPPENINGS_MAX, sizeof(*all.of));
	assert_non_null(all.of);
	all.room = HAPPENINGS_MAX;
	all.count = HAPPENINGS_MAX - 1;
	assert_int_equal(add_turn(0, 1, 2, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(all.count, HAPPENINGS_MAX);
	assert_int_equal(add_turn(0, 2, 3, BCOSLOG_USE_IDLE), -E2BIG);
	assert_int_equal(happenings_entry(&all, account, made_word(&made, BCOS_IRQ, DISK, 3, 7)), -E2BIG);
	assert_int_equal(all.count, HAPPENINGS_MAX);
	all.count = 0;
}

static void without_memory(void **state)
{
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 1, 10));
	failing = 1;
	assert_int_equal(add_turn(0, 1, 2, BCOSLOG_USE_IDLE), -ENOMEM);
	failing = 1;
	assert_int_equal(happenings_entry(&all, account, made_word(&made, BCOS_IRQ, DISK, 3, 7)), -ENOMEM);
	failing = 1;
	assert_int_equal(happenings_open(&all, account), -ENOMEM);
	assert_int_equal(all.count, 0);
	/* There is memory for the happening, but not for its text. */
	failing = 2;
	assert_int_equal(happenings_entry(&all, account, made_event(&made, BCOS_GENERIC_CPU, 0, 4, 5, 0, "text")), -ENOMEM);
	failing = 1;
	assert_int_equal(happenings_entry(&all, account, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 5, "x")), -ENOMEM);
	failing = 0;
}

static void assert_order(const u32 *ids, size_t count)
{
	size_t i;

	assert_int_equal(all.count, count);
	for (i = 0; i < count; i++)
		assert_int_equal(all.of[all.first + i].id, ids[i]);
}

/* By their begins; of one time turns by their CPUs, and then the others as they came. */
static void by_their_begins(void **state)
{
	happenings_sort(&all);
	assert_int_equal(add_turn(9, 300, 400, BCOSLOG_USE_IDLE), 0);
	happening_of(made_word(&made, BCOS_IRQ, 8, 200, 7));
	happening_of(made_word(&made, BCOS_IRQ, 7, 200, 7));
	assert_int_equal(add_turn(12, 200, 400, BCOSLOG_USE_IDLE), 0);
	happening_of(made_word(&made, BCOS_IRQ, 6, 200, 7));
	assert_int_equal(add_turn(11, 200, 500, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(add_turn(10, 100, 500, BCOSLOG_USE_IDLE), 0);
	happenings_trim(&all, 0);
	happenings_sort(&all);
	assert_order((const u32[]){ 10, 11, 12, 8, 7, 6, 9 }, 7);
}

static void two_of_them(void **state)
{
	assert_int_equal(add_turn(2, 300, 400, BCOSLOG_USE_IDLE), 0);
	assert_int_equal(add_turn(1, 200, 400, BCOSLOG_USE_IDLE), 0);
	happenings_sort(&all);
	assert_order((const u32[]){ 1, 2 }, 2);
}

#define happenings_test(test) cmocka_unit_test_setup_teardown(test, begin_account, end_account)

int main(void)
{
	const struct CMUnitTest tests[] = {
		happenings_test(entries_with_numbers),
		happenings_test(events_and_texts),
		happenings_test(names_and_former_ones),
		happenings_test(calls_by_number),
		happenings_test(calls_by_name),
		happenings_test(entries_without_a_happening),
		happenings_test(turns_of_cpus),
		happenings_test(turns_that_go_on),
		happenings_test(old_ones_are_forgotten),
		happenings_test(places_are_used_again),
		happenings_test(room_for_more),
		happenings_test(as_many_as_are_kept),
		happenings_test(without_memory),
		happenings_test(by_their_begins),
		happenings_test(two_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
