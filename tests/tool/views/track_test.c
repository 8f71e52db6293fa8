// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The memory of reports while a log goes on: the last turns of each CPU, and processes that have ended. */
#include "printed.h"
#include "made_log.h"
#include "options/filter.h"
#include "views/track/lives.h"
#include "views/track/recent.h"

static struct bcoslog_account *account;
static struct made made;

static void take_entry(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_account_entry(account, entry), 0);
}

static void begin_with(const struct bcoslog_account_options *options)
{
	const u32 performance[] = { 1000 };

	account = bcoslog_account_new(options);
	assert_non_null(account);
	take_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 1, 100, 300, performance, 1));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 1, 0));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 1, 0));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "ten"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 20, 1, "twenty"));
}

static int begin_account(void **state)
{
	begin_with(NULL);
	return 0;
}

static int end_account(void **state)
{
	recent_free();
	bcoslog_account_free(account);
	return 0;
}

/* ---- turns of CPUs ---------------------------------------------------------------------- */

static void add_turn(u32 cpu, u64 begin, u64 end, enum bcoslog_use use, u32 process)
{
	assert_int_equal(recent_add(&(struct bcoslog_interval){
		.cpu = cpu, .begin = begin, .end = end, .use = use,
		.process = use == BCOSLOG_USE_PROCESS ? bcoslog_account_process(account, process) : NULL,
	}), 0);
}

static void assert_most(u64 begin, u64 end, enum bcoslog_use use, u32 process, u64 time, bool partial)
{
	struct recent_use most;

	assert_true(recent_most(account, 0, begin, end, &most));
	assert_int_equal(most.use, use);
	assert_int_equal(most.process, process);
	assert_int_equal(most.time, time);
	assert_int_equal(most.partial, partial);
}

static void the_longest_use_of_a_stretch(void **state)
{
	struct recent_use most = { .time = 1 };

	assert_false(recent_most(account, 0, 100, 200, &most));
	assert_int_equal(most.time, 0);
	add_turn(0, 100, 200, BCOSLOG_USE_PROCESS, 10);
	add_turn(1, 100, 900, BCOSLOG_USE_PROCESS, 20);
	add_turn(0, 200, 350, BCOSLOG_USE_IDLE, 0);
	assert_most(100, 350, BCOSLOG_USE_IDLE, 0, 150, false);
	assert_most(349, 350, BCOSLOG_USE_IDLE, 0, 1, false);
	add_turn(0, 350, 490, BCOSLOG_USE_PROCESS, 20);
	assert_most(200, 490, BCOSLOG_USE_IDLE, 0, 150, false);
	assert_most(211, 490, BCOSLOG_USE_PROCESS, 20, 140, false);
	add_turn(0, 490, 600, BCOSLOG_USE_PROCESS, 10);
	/* Ten has 210, with its two turns. */
	assert_most(100, 600, BCOSLOG_USE_PROCESS, 10, 210, false);
	assert_most(99, 600, BCOSLOG_USE_PROCESS, 10, 210, true);
	assert_most(180, 600, BCOSLOG_USE_IDLE, 0, 150, false);
	assert_false(recent_most(account, 7, 100, 600, &most));
}

/* The turn that goes on counts, too: twenty has the CPU since 600, which is the end of the last one that ended. */
static void the_present_use(void **state)
{
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 600, 20));
	add_turn(0, 400, 600, BCOSLOG_USE_PROCESS, 10);
	assert_most(400, 801, BCOSLOG_USE_PROCESS, 20, 201, false);
	assert_most(400, 799, BCOSLOG_USE_PROCESS, 10, 200, false);
	assert_most(700, 750, BCOSLOG_USE_PROCESS, 20, 50, false);
	assert_most(500, 600, BCOSLOG_USE_PROCESS, 10, 100, false);
}

/* 1024 turns are kept, in the places of older ones. */
static void as_many_turns_as_there_is_room_for(void **state)
{
	u64 i;

	for (i = 0; i < 1024; i++)
		add_turn(0, 10 * i, 10 * i + 10, BCOSLOG_USE_PROCESS, 10);
	assert_most(0, 10240, BCOSLOG_USE_PROCESS, 10, 10240, false);
	for (; i < 1030; i++)
		add_turn(0, 10 * i, 10 * i + 10, BCOSLOG_USE_PROCESS, 10);
	assert_most(0, 10300, BCOSLOG_USE_PROCESS, 10, 10240, true);
	assert_most(60, 10300, BCOSLOG_USE_PROCESS, 10, 10240, false);
}

/* The numbers of these incarnations are so far apart that they have one place in the table of the times. */
static void uses_that_share_a_place(void **state)
{
	static const struct bcoslog_account_process some[] = {
		{ .id = 1, .serial = 1, .name = "a", .name_length = 1 },
		{ .id = 2, .serial = 1 + 46368, .name = "b", .name_length = 1 },
		{ .id = 3, .serial = 1 + 2 * 46368, .name = "c", .name_length = 1 },
	};
	u64 at;

	for (at = 0; at < 7; at++)
		assert_int_equal(recent_add(&(struct bcoslog_interval){
			.begin = 10 * at, .end = 10 * at + 10, .use = BCOSLOG_USE_PROCESS, .process = &some[at % 3],
		}), 0);
	assert_most(0, 70, BCOSLOG_USE_PROCESS, 1, 30, false);
	assert_most(20, 60, BCOSLOG_USE_PROCESS, 3, 20, false);
}

static void a_stretch(void **state)
{
	struct stretch stretch;

	add_turn(0, 100, 200, BCOSLOG_USE_PROCESS, 20);
	recent_stretch(&stretch, account, 0, &(struct bcoslog_stretch){ .begin = 120, .end = 200, .cpu = 1 });
	assert_int_equal(stretch.begin, 120);
	assert_int_equal(stretch.end, 200);
	assert_int_equal(stretch.left, 0);
	assert_int_equal(stretch.cpu, 1);
	assert_true(stretch.known);
	assert_int_equal(stretch.instead.process, 20);
	assert_int_equal(stretch.instead.time, 80);
	recent_stretch(&stretch, account, 9, &(struct bcoslog_stretch){ .begin = 120, .end = 200, .cpu = 1 });
	assert_false(stretch.known);
}

static void names_of_uses(void **state)
{
	static const char name[] = "012345678901234567890123456789012345678\u00e4";
	const struct bcoslog_account_process process = { .id = 5, .serial = 6, .name = name, .name_length = 41 };
	struct recent_use use = { .time = 7, .partial = true };
	struct cell cell;

	recent_describe(&use, BCOSLOG_USE_PROCESS, &process);
	assert_int_equal(use.use, BCOSLOG_USE_PROCESS);
	assert_int_equal(use.process, 5);
	assert_int_equal(use.serial, 6);
	assert_int_equal(use.time, 0);
	/* 40 bytes, and whole characters. */
	assert_int_equal(use.name_length, 39);
	assert_memory_equal(use.name, name, 39);
	cell = recent_name(&use);
	assert_int_equal(cell.length, 39);
	assert_ptr_equal(cell.text, use.name);
	recent_name_it(&use, "0123456789012345678901234567890123456789x", 41);
	assert_int_equal(use.name_length, 40);
	recent_describe(&use, BCOSLOG_USE_IDLE, NULL);
	assert_int_equal(use.serial, 0);
	cell = recent_name(&use);
	assert_int_equal(cell.length, 4);
	assert_memory_equal(cell.text, "idle", 4);
	recent_describe(&use, BCOSLOG_USE_UNKNOWN, NULL);
	assert_true(recent_name(&use).absent);
}

/* ---- processes -------------------------------------------------------------------------- */

static void rename_process(u64 time, const char *name)
{
	take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 10, time, name));
}

static void assert_former(const char *expected)
{
	char text[FORMER_TEXT];

	assert_string_equal(former_names(text, bcoslog_account_process(account, 10)), expected);
}

/* The newest first, without the present one. */
static void former_names_of_a_process(void **state)
{
	char name[254] = "", expected[FORMER_TEXT];

	assert_former("");
	rename_process(2, "second");
	assert_former("ten");
	rename_process(3, "third");
	assert_former("second, ten");
	rename_process(4, "ten");
	assert_former("third, second");
	/* A list has 255 bytes at most: 200, two for the comma, and 53. */
	memset(name, 'b', 53);
	rename_process(5, name);
	memset(name, 'a', 200);
	rename_process(6, name);
	rename_process(7, "last");
	memset(expected, 'a', 200);
	memcpy(expected + 200, ", ", 2);
	memset(expected + 202, 'b', 53);
	expected[255] = '\0';
	assert_former(expected);
}

/* The list is a text, so a name ends in it at a zero byte. */
static void a_former_name_with_a_zero_byte(void **state)
{
	take_entry(made_entry(&made, BCOS_SET_PROCESS_NAME, 10, 2, "ab\0cd", 5));
	rename_process(3, "last");
	assert_former("ab, ten");
}

static void a_former_name_without_room(void **state)
{
	char name[254] = "", expected[FORMER_TEXT] = "";

	memset(name, 'b', 54);
	rename_process(5, name);
	memset(name, 'a', 200);
	rename_process(6, name);
	rename_process(7, "last");
	memset(expected, 'a', 200);
	assert_former(expected);
}

static const struct bcoslog_account_options sinks = { .interval = lives_interval, .process_ended = lives_ended };

static void forget_lives(void)
{
	lives_free();
	memset(&lives, 0, sizeof(lives));
}

/* Those that have ended, in this order, and then those that live. */
static void all_lives(void **state)
{
	u32 id;

	bcoslog_account_free(account);
	begin_with(&sinks);
	rename_process(2, "new");
	for (id = 100; id < 400; id++)
		take_entry(made_name(&made, BCOS_SET_PROCESS_NAME, id, id, "many"));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 500, 20));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 600, 10));
	take_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 20, 700, 0));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 800, 0));
	assert_int_equal(lives.count, 1);
	lives_add_living(account);
	assert_int_equal(lives.count, 303);
	assert_false(lives.failed);
	assert_int_equal(lives.lives[0].process.id, 20);
	assert_string_equal(lives.lives[0].name, "twenty");
	assert_ptr_equal(lives.lives[0].process.name, lives.lives[0].name);
	assert_string_equal(lives.lives[0].former, "");
	assert_int_equal(lives.lives[0].process.time, 100);
	assert_int_equal(lives.lives[2].process.id, 10);
	assert_string_equal(lives.lives[2].name, "new");
	assert_string_equal(lives.lives[2].former, "ten");
	assert_int_equal(lives.lives[302].process.id, 399);
	forget_lives();
}

/* Where CPUs are named, time is on these, and a process that had none of them is left out. This is the last test. */
static void lives_on_a_cpu(void **state)
{
	bcoslog_account_free(account);
	begin_with(&sinks);
	assert_int_equal(filter_cpu(NULL, "1"), 0);
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 1000, 10));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 1000, 20));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 1100, BCOS_PROCESS_IDLE));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 1100, 10));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 1200, BCOS_PROCESS_IDLE));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 1300, 10));
	take_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 1350, BCOS_PROCESS_IDLE));
	lives_add_living(account);
	assert_int_equal(lives.count, 1);
	assert_int_equal(lives.lives[0].process.id, 10);
	assert_int_equal(lives.lives[0].process.time, 150);
	assert_int_equal(lives.lives[0].process.turns, 2);
	assert_int_equal(lives.lives[0].process.work.performance_unknown, 1);
	assert_int_equal(lives.lives[0].process.work.power_unknown, 1);
	assert_true(lives.lives[0].process.work.joules == 0);
	/* It ran on other CPUs meanwhile, so nothing is told of stretches without one of these. */
	assert_int_equal(lives.lives[0].process.longest_off, 0);
	assert_int_equal(lives.lives[0].process.longest_off_at, 0);
	assert_int_equal(lives.lives[0].longest.end, 0);
	assert_null(bcoslog_account_process(account, 10)->user);
	forget_lives();
}

#define account_test(test) cmocka_unit_test_setup_teardown(test, begin_account, end_account)

int main(void)
{
	const struct CMUnitTest tests[] = {
		account_test(the_longest_use_of_a_stretch),
		account_test(the_present_use),
		account_test(as_many_turns_as_there_is_room_for),
		account_test(uses_that_share_a_place),
		account_test(a_stretch),
		account_test(names_of_uses),
		account_test(former_names_of_a_process),
		account_test(a_former_name_with_a_zero_byte),
		account_test(a_former_name_without_room),
		account_test(all_lives),
		account_test(lives_on_a_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
