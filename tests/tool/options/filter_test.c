// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which entries, processes, devices, CPUs and cores the options choose. Choices stay, so each test has a process of
 * its own.
 */
#include <sys/wait.h>

#include "printed.h"
#include "made_log.h"
#include "bcoslog_account.h"
#include "options/filter.h"

#define ALONE(test) static void test(void **state) { assert_passes(test##_alone); }

/* Asserts that a test passes in a process of its own, which says itself what is wrong. */
static void assert_passes(void (*test)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		test();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* In such a process: a condition that has to hold. */
#define HOLDS(condition) do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			_exit(1); \
		} \
	} while (0)

static struct bcoslog_state *known;
static struct made made;
static const u32 nothing[1];

/* CPUs 0 and 1 of core 0, and 2 of core 7; CPU 0 is ten's, CPU 1 is idle; ten drives sda. */
static void begin_names(void)
{
	known = bcoslog_state_new();
	bcoslog_state_apply(known, made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 1, 0, 0, nothing, 0));
	bcoslog_state_apply(known, made_core(&made, BCOS_HIST_CORE_ONLINE, 7, 1, 0, 0, nothing, 0));
	bcoslog_state_apply(known, made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 1, 0));
	bcoslog_state_apply(known, made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 1, 0));
	bcoslog_state_apply(known, made_word(&made, BCOS_HIST_CPU_ONLINE, 2, 1, 7));
	bcoslog_state_apply(known, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 1, "kernel"));
	bcoslog_state_apply(known, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "ten"));
	bcoslog_state_apply(known, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 11, 1, "tenth"));
	bcoslog_state_apply(known, made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 1, 10, "sda"));
	bcoslog_state_apply(known, made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 4, 1, 0, "sdb"));
	bcoslog_state_apply(known, made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 1, 10));
	bcoslog_state_apply(known, made_word(&made, BCOS_HIST_ASSIGN_CPU, 1, 1, BCOS_PROCESS_IDLE));
}

#define WANTS(entry) filter_wants(known, entry)
#define ASSIGN(cpu, process) made_word(&made, BCOS_ASSIGN_CPU, cpu, 5, process)
#define NAMED(id, name) made_name(&made, BCOS_SET_PROCESS_NAME, id, 5, name)
#define EVENT(id) made_event(&made, BCOS_GENERIC_PROCESS, id, 5, 1, 0x40, "")

static void nothing_is_chosen_alone(void)
{
	begin_names();
	HOLDS(!filter_active() && !filter_narrows() && !filter_has_processes() && !filter_has_cpus() &&
		!filter_has_devices());
	HOLDS(!filter_names_cpus() && !filter_names_cores());
	HOLDS(WANTS(ASSIGN(0, 10)) && WANTS(EVENT(99)));
	HOLDS(filter_wants_process(1, NULL, 0) && filter_wants_cpu(1, 1) &&
		filter_wants_core(1));
}

static void processes_alone(void)
{
	begin_names();
	HOLDS(!filter_process(NULL, "ten"));
	HOLDS(filter_active() && filter_narrows() && filter_has_processes() && !filter_has_cpus() &&
		!filter_has_devices());
	HOLDS(WANTS(EVENT(10)) && !WANTS(EVENT(11)) && !WANTS(EVENT(0)) && !WANTS(EVENT(99)));
	/*
	 * An assignment is about both: it gives the CPU, and takes it from another; a historical one takes it from
	 * nobody.
	 */
	HOLDS(WANTS(ASSIGN(1, 10)) && WANTS(ASSIGN(0, 11)) && WANTS(ASSIGN(0, BCOS_PROCESS_IDLE)));
	HOLDS(!WANTS(ASSIGN(1, 11)) && !WANTS(ASSIGN(2, 11)) && !WANTS(ASSIGN(9, 11)));
	HOLDS(!WANTS(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 5, 11)) && WANTS(made_word(&made,
		BCOS_HIST_ASSIGN_CPU, 1, 5, 10)));
	/* By the name before, and by the new one. */
	HOLDS(WANTS(NAMED(10, "other")) && WANTS(NAMED(50, "ten")) && !WANTS(NAMED(50, "te")) && !WANTS(NAMED(50,
		"tent")));
	HOLDS(WANTS(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 50, 5, "other")) == false);
	HOLDS(WANTS(made_device(&made, BCOS_SET_DEVICE_NAME, 5, 5, 10, "sdc")) && !WANTS(made_device(&made,
		BCOS_SET_DEVICE_NAME, 5, 5, 0, "ten")));
	HOLDS(!WANTS(made_word(&made, BCOS_IRQ, 3, 5, 1)) && !WANTS(made_word(&made, BCOS_CPU_ONLINE, 10, 5, 0)));
	HOLDS(filter_wants_process(99, "ten", 3) && !filter_wants_process(10, "tenth", 5) &&
		!filter_wants_process(10, NULL, 0));
	/* One more by its number; a name of this text is another. */
	HOLDS(!filter_process(NULL, "0x63"));
	HOLDS(WANTS(EVENT(99)) && WANTS(EVENT(10)) && !WANTS(EVENT(11)) && !WANTS(EVENT(0)));
	HOLDS(filter_wants_process(99, NULL, 0) && !filter_wants_process(98, "0x63", 4));
	HOLDS(WANTS(NAMED(99, "x")) && !WANTS(NAMED(98, "0x63")));
}

static void devices_alone(void)
{
	begin_names();
	HOLDS(!filter_device(NULL, "sda"));
	HOLDS(filter_active() && filter_has_devices() && !filter_has_processes() && !filter_has_cpus());
	HOLDS(WANTS(made_word(&made, BCOS_IRQ, 3, 5, 1)) && !WANTS(made_word(&made, BCOS_IRQ, 4, 5, 1)) &&
		!WANTS(made_word(&made, BCOS_IRQ, 9, 5, 1)));
	HOLDS(WANTS(made_device(&made, BCOS_SET_DEVICE_NAME, 9, 5, 0, "sda")) && !WANTS(made_device(&made,
		BCOS_SET_DEVICE_NAME, 9, 5, 0, "sd")));
	HOLDS(WANTS(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 9, 5, 0, "sda")));
	HOLDS(!WANTS(made_event(&made, BCOS_GENERIC_DEVICE, 9, 5, 1, 0x40, "sda")) && !WANTS(EVENT(3)));
	HOLDS(!filter_device(NULL, "4"));
	HOLDS(WANTS(made_word(&made, BCOS_IRQ, 4, 5, 1)));
}

static void cpus_alone(void)
{
	begin_names();
	HOLDS(!filter_cpu(NULL, "1"));
	HOLDS(filter_active() && filter_has_cpus() && filter_names_cpus() && !filter_names_cores() &&
		!filter_has_devices());
	HOLDS(WANTS(ASSIGN(1, 10)) && !WANTS(ASSIGN(0, 10)) && !WANTS(EVENT(1)));
	HOLDS(filter_wants_cpu(1, 5) && !filter_wants_cpu(0, 5) && filter_wants_core(5));
}

/* Also its CPUs: one that comes has the core that it will have. */
static void cores_alone(void)
{
	begin_names();
	HOLDS(!filter_core(NULL, "7"));
	HOLDS(filter_active() && filter_has_cpus() && !filter_names_cpus() && filter_names_cores());
	HOLDS(WANTS(ASSIGN(2, 10)) && !WANTS(ASSIGN(0, 10)) && !WANTS(ASSIGN(9, 10)) && !WANTS(EVENT(7)));
	HOLDS(WANTS(made_word(&made, BCOS_CPU_ONLINE, 0, 5, 7)) && !WANTS(made_word(&made, BCOS_CPU_ONLINE, 2, 5, 0)));
	HOLDS(WANTS(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 5, 7)));
	HOLDS(WANTS(made_entry(&made, BCOS_CORE_OFFLINE, 7, 5, nothing, 0)) && !WANTS(made_entry(&made,
		BCOS_CORE_OFFLINE, 0, 5, nothing, 0)));
	HOLDS(filter_wants_cpu(1, 7) && !filter_wants_cpu(7, 1) && filter_wants_core(7) && !filter_wants_core(1));
	/* Both have to fit. */
	HOLDS(!filter_cpu(NULL, "0"));
	HOLDS(!filter_wants_cpu(0, 1) && filter_wants_cpu(0, 7) && !WANTS(ASSIGN(2, 10)) && !WANTS(ASSIGN(0, 10)));
}

/* A type that is not historical has its historical entries with it. */
static void types_alone(void)
{
	begin_names();
	HOLDS(!filter_type(NULL, "assign-CPU"));
	HOLDS(filter_active() && filter_narrows() && !filter_has_cpus());
	HOLDS(WANTS(ASSIGN(0, 1)) && WANTS(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 5, 1)) && !WANTS(EVENT(1)));
	HOLDS(!filter_type(NULL, "0xA000") && !filter_type(NULL, "Historical_CPU Online") && !filter_type(NULL,
		"irq"));
	HOLDS(WANTS(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 0, 0, nothing, 0)) && !WANTS(made_core(&made,
		BCOS_CORE_ONLINE, 0, 5, 0, 0, nothing, 0)));
	HOLDS(WANTS(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 5, 1)) && !WANTS(made_word(&made, BCOS_CPU_ONLINE, 0,
		5, 1)));
	HOLDS(WANTS(made_word(&made, BCOS_IRQ, 3, 5, 1)));
	HOLDS(!filter_process(NULL, "10"));
	HOLDS(!WANTS(made_word(&made, BCOS_IRQ, 3, 5, 1)) && WANTS(ASSIGN(1, 10)) && !WANTS(EVENT(10)));
}

/* Also by a name that it had, of several. */
static void lives_alone(void)
{
	struct bcoslog_account *account = bcoslog_account_new(NULL);
	const struct bcoslog_account_process *process;

	bcoslog_account_entry(account, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "first"));
	bcoslog_account_entry(account, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 2, "second"));
	bcoslog_account_entry(account, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 3, "third"));
	bcoslog_account_entry(account, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 4, "last"));
	process = bcoslog_account_process(account, 10);
	HOLDS(filter_wants_life(process));
	HOLDS(!filter_process(NULL, "none"));
	HOLDS(!filter_wants_life(process));
	HOLDS(!filter_process(NULL, "second"));
	HOLDS(filter_wants_life(process));
	bcoslog_account_free(account);
}

static void the_first_name_alone(void)
{
	struct bcoslog_account *account = bcoslog_account_new(NULL);

	bcoslog_account_entry(account, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 1, "first"));
	bcoslog_account_entry(account, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 2, "second"));
	bcoslog_account_entry(account, made_name(&made, BCOS_SET_PROCESS_NAME, 10, 3, "last"));
	HOLDS(!filter_process(NULL, "first"));
	HOLDS(filter_wants_life(bcoslog_account_process(account, 10)));
	bcoslog_account_free(account);
}

ALONE(nothing_is_chosen)
ALONE(processes)
ALONE(devices)
ALONE(cpus)
ALONE(cores)
ALONE(types)
ALONE(lives)
ALONE(the_first_name)

/* ---- what is no choice ------------------------------------------------------------------------------ */

static void values_that_are_none(void **state)
{
	assert_complains("bcoslog: --process takes a number or a name, and this is empty\n", filter_process(NULL,
		"") == -1);
	assert_complains("bcoslog: --device takes a number or a name, and this is empty\n", filter_device(NULL,
		"") == -1);
	assert_complains("bcoslog: --process takes a number from 0 to 4294967295, not \"4294967296\"\n",
		filter_process(NULL, "4294967296") == -1);
	assert_complains("bcoslog: --cpu takes a number from 0 to 4294967295, not \"x\"\n", filter_cpu(NULL,
		"x") == -1);
	assert_complains("bcoslog: --core takes a number from 0 to 4294967295, not \"4294967296\"\n",
		filter_core(NULL, "4294967296") == -1);
	assert_complains("bcoslog: --cpu takes a number from 0 to 4294967295, not \"4294967296\"\n", filter_cpu(NULL,
		"4294967296") == -1);
	assert_complains("bcoslog: --type takes a number from 0 to 65535, not \"65536\"\n", filter_type(NULL,
		"65536") == -1);
	assert_complains("bcoslog: --type takes the name of a type of entries, such as \"Assign CPU\" (bcoslog(5) "
		"has them all), or a "
			 "number, not \"assign\"\n", filter_type(NULL, "assign") == -1);
	assert_complains("bcoslog: --type takes the name of a type of entries, such as \"Assign CPU\" (bcoslog(5) "
		"has them all), or a "
			 "number, not \"assign-cpus\"\n", filter_type(NULL, "assign-cpus") == -1);
	assert_complains("bcoslog: --type takes the name of a type of entries, such as \"Assign CPU\" (bcoslog(5) "
		"has them all), or a "
			 "number, not \"assign+cpu\"\n", filter_type(NULL, "assign+cpu") == -1);
	assert_false(filter_narrows());
}

static void as_many_as_there_is_room_for(void **state)
{
	int i;

	for (i = 0; i < 64; i++)
		assert_complains("", !filter_cpu(NULL, "4294967295"));
	assert_complains("bcoslog: --cpu can be given 64 times, and not more\n", filter_cpu(NULL, "1") == -1);
	assert_true(filter_wants_cpu(0xFFFFFFFF, 0));
	assert_false(filter_wants_cpu(1, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_chosen),
		cmocka_unit_test(processes),
		cmocka_unit_test(devices),
		cmocka_unit_test(cpus),
		cmocka_unit_test(cores),
		cmocka_unit_test(types),
		cmocka_unit_test(lives),
		cmocka_unit_test(the_first_name),
		cmocka_unit_test(values_that_are_none),
		cmocka_unit_test(as_many_as_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
