// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests the library without memory: each allocation of a task fails once, in a run of its own. A call then returns
 * -ENOMEM or NULL, and its error, if it has one, says that there is no memory. A run in which all calls succeed has the
 * right result. The sanitizers see that all memory is freed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bcoslog_account.h"
#include "bcoslog_archive.h"
#include "bcoslog_collector.h"
#include "descriptors.h"
#include "failing_memory.h"
#include "archive/recording.h"
#include "check/check.h"
#include "made_recording.h"

/* ---- runs ---------------------------------------------------------------------------- */

static struct bcoslog_error error;
static char folder[64];

/* Asserts that a call succeeded, or that its error explains the shortage.  Return: 0, or -ENOMEM. */
static int is_explained(int r, const struct bcoslog_error *by)
{
	if (r >= 0)
		return 0;
	assert_int_equal(r, -ENOMEM);
	assert_int_equal(by->code, ENOMEM);
	assert_true(strstr(by->text, "no memory") || strstr(by->text, strerror(ENOMEM)));
	return r;
}

/*
 * Runs a task with ever later failures, until none comes. The task returns 0 or -ENOMEM, and leaves no descriptor open.
 * At least @least of the runs have errors.
 */
static void run_short(int (*task)(void), unsigned int least)
{
	unsigned int number, errors = 0, before = count_descriptors();
	bool failed = true;

	for (number = 1; failed; number++) {
		memset(&error, 0, sizeof(error));
		failing = number;
		if (task())
			errors++;
		failed = !failing;
		failing = 0;
		assert_int_equal(count_descriptors(), before);
		assert_true(number < 10000);
	}
	assert_true(errors >= least);
	assert_int_equal(task(), 0);
}

/* ---- tasks --------------------------------------------------------------------------- */

static int read_recording(void)
{
	const struct bcoslog_window window = { .size = sizeof(window) };
	struct bcoslog_boot boot = { .size = sizeof(boot) };
	const struct bcos_entry *entry;
	unsigned int count = 0;
	struct bcoslog *log;
	int r;

	r = bcoslog_open(&log, folder, 0, &error);
	if (r) {
		assert_null(log);
		return is_explained(r, &error);
	}
	r = bcoslog_boot(log, 0, &boot) == 1 ? 0 : is_explained(-1, bcoslog_error(log));
	r = r ? r : is_explained(bcoslog_set_machine(log, "machine"), bcoslog_error(log));
	r = r ? r : is_explained(bcoslog_set_boot(log, "b1b1b1b1-b1b1-b1b1-b1b1-b1b1b1b1b1b1"), bcoslog_error(log));
	r = r ? r : is_explained(bcoslog_set_window(log, &window), bcoslog_error(log));
	while (!r) {
		r = bcoslog_next(log, &entry);
		if (!r)
			break;
		count++;
		r = is_explained(r, bcoslog_error(log));
	}
	if (!r)
		assert_int_equal(count, MADE_ENTRIES);
	bcoslog_close(log);
	return r;
}

static void a_recording(void **state)
{
	static const char *const names[] = { "first", "second", NULL };
	static struct made_recording file;

	strcpy(folder, "/tmp/shortage_test.XXXXXX");
	assert_non_null(mkdtemp(folder));
	made_recording(&file, 0xB1);
	made_file(folder, "first", file.bytes, file.size + file.index);
	made_recording(&file, 0xB2);
	made_file(folder, "second", file.bytes, file.size);
	run_short(read_recording, 10);
	made_folder_remove(folder, names);
}

/* Returns an entry of a log that has more of everything than a table has room for at first, and names that grow. */
static const struct bcos_entry *busy_entry(struct made *made, unsigned int number)
{
	static const uint32_t performance[] = { 1000, 700, 500 };

	if (number < MADE_ENTRIES)
		return made_entry_of(made, number);
	if (number < 50)
		return made_name(made, BCOS_SET_PROCESS_NAME, 100 + number, 3000 + number, "short");
	if (number < 60)
		return made_name(made, BCOS_SET_PROCESS_NAME, 100 + number - 43, 3000 + number,
				 "a name that is much longer");
	if (number < 100)
		return made_device(made, BCOS_SET_DEVICE_NAME, number, 3000 + number, 10, "device");
	if (number < 140)
		return made_core(made, BCOS_CORE_ONLINE, number, 3000 + number, 1, 2, performance, 1 + number % 3);
	if (number < 180)
		return made_word(made, BCOS_CPU_ONLINE, number, 3000 + number, number - 40);
	if (number == 180)
		return made_core(made, BCOS_CORE_ONLINE, 0, 4000, 1, 2, performance, 3);
	if (number < 200)
		return made_word(made, BCOS_IRQ, 3, 4000 + number, 1);
	if (number < 240)
		return made_word(made, BCOS_CANCEL_PROCESS_NAME, number - 93, 4000 + number, 0);
	return number == 240 ? made_word(made, BCOS_ASSIGN_CPU, 140, 4240, 10) : NULL;
}

static int keep_state(void)
{
	struct bcoslog_state *known = bcoslog_state_new();
	const struct bcos_entry *entry;
	struct made made;
	unsigned int i;
	int r = known ? 0 : -ENOMEM;

	for (i = 0; !r && (entry = busy_entry(&made, i)); i++)
		r = bcoslog_state_apply(known, entry);
	assert_true(!r || r == -ENOMEM);
	if (!r) {
		assert_int_equal(bcoslog_process(known, 10)->cpus, 2);
		assert_null(bcoslog_process(known, 107));
		assert_int_equal(bcoslog_process(known, 149)->name_length, 5);
		assert_int_equal(bcoslog_core(known, 0)->performances, 3);
		assert_int_equal(bcoslog_core(known, 139)->cpus, 1);
		assert_int_equal(bcoslog_device(known, 99)->name_length, 6);
	}
	bcoslog_state_free(known);
	return r;
}

static void a_state(void **state)
{
	run_short(keep_state, 100);
}

static int keep_account(void)
{
	const struct bcoslog_account_options options = { .since = 0 };
	struct bcoslog_account *account = bcoslog_account_new(&options);
	const struct bcos_entry *entry;
	struct made made;
	unsigned int i;
	int r = account ? 0 : -ENOMEM;

	for (i = 0; !r && (entry = busy_entry(&made, i)); i++)
		r = bcoslog_account_entry(account, entry);
	assert_true(!r || r == -ENOMEM);
	if (!r) {
		bcoslog_account_end(account);
		assert_int_equal(bcoslog_account_process(account, 10)->time, 4240 - 2000);
		assert_int_equal(bcoslog_account_device(account, 3)->interrupts, 19);
		assert_int_equal(bcoslog_account_process(account, 149)->name_length, 5);
	}
	bcoslog_account_free(account);
	return r;
}

static void an_account(void **state)
{
	run_short(keep_account, 100);
}

static void ignore_violation(void *context, const struct bcoslog_violation *violation)
{
}

static int keep_check(void)
{
	struct bcoslog_check *check = bcoslog_check_new(ignore_violation, NULL);
	const struct bcos_entry *entry;
	struct made made;
	unsigned int i, offset = 0;
	int r = check ? 0 : -ENOMEM;

	for (i = 0; !r && (entry = busy_entry(&made, i)); i++) {
		r = bcoslog_check_entry(check, offset, entry);
		offset += entry->size;
	}
	assert_true(!r || r == -ENOMEM);
	if (!r)
		assert_int_equal(bcoslog_check_end(check)->entries, 241);
	bcoslog_check_free(check);
	return r;
}

static void a_check(void **state)
{
	run_short(keep_check, 100);
}

static int register_collector(void)
{
	struct bcoslog_collector *collector;
	int r = bcoslog_collector_register(&collector, "/dev/null", 0, &error);

	if (r)
		assert_null(collector);
	bcoslog_collector_free(collector);
	return is_explained(r, &error);
}

static void a_collector(void **state)
{
	run_short(register_collector, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording), cmocka_unit_test(a_state), cmocka_unit_test(an_account),
		cmocka_unit_test(a_check), cmocka_unit_test(a_collector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
