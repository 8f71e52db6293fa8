// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Parts that all reports share: which entries are imprecise in them, which CPUs they want, and their cells. */
#include "printed.h"
#include "made_log.h"
#include "report/course/imprecise.h"
#include "report/report.h"

static struct report report;
static struct made made;

static const struct bcos_entry *entry_of(u16 type, u64 time, u32 precision)
{
	struct bcos_entry *entry = (struct bcos_entry *)made_word(&made, type, 0, time, 0);

	entry->precision = precision;
	return entry;
}

/* Notes are kept, and each case has times of its own, so these tests follow one another. */
static void entries_of_a_window(void **state)
{
	report.sinks.since = 1000;
	report.sinks.until = 2000;
	/* It may have happened up to 999, or up to 1000. */
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 500, 499));
	assert_false(imprecise_in(0, 5000, 10));
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 500, 500));
	assert_true(imprecise_in(0, 5000, 10));
	assert_true(imprecise_in(1000, 1001, 499));
	assert_false(imprecise_in(1000, 1001, 500));
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 1999, 50));
	assert_true(imprecise_in(1999, 2000, 10));
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 2100, 50));
	assert_false(imprecise_in(2060, 5000, 10));
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 2000, 200));
	assert_false(imprecise_in(2060, 5000, 10));
	/* Without an end the window has all that follows, up to the end of time. */
	report.sinks.until = 0;
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 3000, 50));
	assert_true(imprecise_in(3000, 3001, 10));
	/* Stretches that overlap are one, of the least precise of its entries. */
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 5000, 20));
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 5010, 100));
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, 5050, 10));
	assert_true(imprecise_in(5000, 5001, 99));
	assert_true(imprecise_in(5110, 5111, 99));
	assert_false(imprecise_in(5000, 5001, 100));
	assert_false(imprecise_in(5111, 5112, 5));
}

static void entries_that_change_the_use_of_cpus(void **state)
{
	static const u16 types[] = { BCOS_SET_PROCESS_NAME, BCOS_KERNEL_API, BCOS_CORE_ONLINE, BCOS_CORE_OFFLINE,
		BCOS_CPU_ONLINE, BCOS_CPU_OFFLINE, BCOS_ASSIGN_CPU, BCOS_GENERIC_CPU, BCOS_DEVICE_INPUT };
	u64 time;
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		time = 100000 + 1000 * i;
		assert_int_equal(note_precision_of_use(&report, entry_of(types[i], time, 50)), 0);
		assert_int_equal(imprecise_in(time, time + 100, 10), types[i] >= BCOS_CORE_ONLINE && types[i] <= BCOS_ASSIGN_CPU);
	}
}

static void an_entry_at_the_end_of_time(void **state)
{
	report.sinks.since = UINT64_MAX - 5;
	report_note_precision(&report, entry_of(BCOS_ASSIGN_CPU, UINT64_MAX - 20, 30));
	assert_true(imprecise_in(UINT64_MAX - 3, UINT64_MAX, 10));
}

/* ---- cells --------------------------------------------------------------------------------------- */

static void assert_end(u32 status, const char *expected)
{
	const struct bcoslog_account_process process = { .ended = true, .status = status };
	char text[64];
	struct cell cell = cell_end(&process, text, sizeof(text));

	assert_int_equal(cell.length, strlen(expected));
	assert_memory_equal(cell.text, expected, cell.length);
}

/* How a process ended is in the upper bits of its status: 10 user space, 11 the kernel. */
static void ends_of_processes(void **state)
{
	struct bcoslog_account_process process = { .status = 3 };
	char text[64];

	assert_string_equal(cell_end(&process, text, sizeof(text)).text, "alive");
	process.vanished = true;
	assert_string_equal(cell_end(&process, text, sizeof(text)).text, "unseen");
	process.ended = true;
	assert_string_equal(cell_end(&process, text, sizeof(text)).text, "unseen");
	assert_end(0, "exit code 0");
	assert_end(255, "exit code 255");
	assert_end(0x80000009, "SIGKILL, sent by user space");
	assert_end(0xC000000B, "SIGSEGV, sent by the kernel");
	assert_end(0x80000028, "signal 40, sent by user space");
	assert_end(0xC0000028, "signal 40, sent by the kernel");
}

static void cells_of_sums(void **state)
{
	struct bcoslog_work work = { .instructions = 6e6, .joules = 3 };
	struct cell cell;

	assert_true(cell_name(NULL, 0).absent);
	assert_false(cell_name("", 0).absent);
	assert_int_equal(cell_name("abc", 2).length, 2);
	assert_true(cell_share(1, 0).absent);
	assert_true(cell_share(1, 4).real == 0.25);
	assert_true(cell_sum(5, true).least);
	assert_false(cell_sum(5, false).least);
	assert_int_equal(cell_sum(5, false).number, 5);
	cell = cell_instructions(&work, 1e6, NULL);
	assert_true(cell.real == 6 && !cell.least && !cell.unknown);
	cell = cell_joules(&work, 2, NULL);
	assert_true(cell.real == 1.5 && !cell.least && !cell.unknown);
	work.at_least = true;
	assert_false(cell_instructions(&work, 1, NULL).least);
	assert_true(cell_joules(&work, 1, NULL).least);
	work.at_least = false;
	work.performance_unknown = work.power_unknown = 1;
	assert_true(cell_instructions(&work, 1, NULL).least && !cell_instructions(&work, 1, NULL).unknown);
	assert_true(cell_joules(&work, 1, NULL).least && !cell_joules(&work, 1, NULL).unknown);
	work.instructions = work.joules = 0;
	assert_true(cell_instructions(&work, 1, NULL).unknown);
	assert_true(cell_joules(&work, 1, NULL).unknown);
	/* A sum of 0 of which everything is known is 0. */
	work.performance_unknown = work.power_unknown = 0;
	assert_false(cell_instructions(&work, 1, NULL).unknown);
	assert_false(cell_joules(&work, 1, NULL).unknown);
}

/* ---- CPUs ------------------------------------------------------------------------------------------ */

/* CPUs 0 and 1 are on core 0, and CPU 2 on core 5. */
static void wanted_cpus(void **state)
{
	const u32 performance[] = { 1000, 1000 };

	report.account = bcoslog_account_new(NULL);
	assert_non_null(report.account);
	assert_int_equal(bcoslog_account_entry(report.account, made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 1, 0, 0, performance, 2)),
			 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_core(&made, BCOS_HIST_CORE_ONLINE, 5, 1, 0, 0, performance, 1)),
			 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 1, 0)), 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 1, 0)), 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_word(&made, BCOS_HIST_CPU_ONLINE, 2, 1, 5)), 0);
	assert_int_equal(bcoslog_account_entry(report.account, made_event(&made, BCOS_GENERIC_CPU, 0, 5, 7, 0, "x")), 0);
	/* All are wanted, also unknown ones, until some are named. */
	assert_true(report_wants_cpu(&report, 0));
	assert_true(report_wants_cpu(&report, 9));
	assert_int_equal(filter_cpu(NULL, "1"), 0);
	assert_int_equal(filter_cpu(NULL, "2"), 0);
	assert_int_equal(filter_core(NULL, "0"), 0);
	assert_false(report_wants_cpu(&report, 0));
	assert_true(report_wants_cpu(&report, 1));
	/* It is named, and its core is not. */
	assert_false(report_wants_cpu(&report, 2));
	assert_false(report_wants_cpu(&report, 9));
	bcoslog_account_free(report.account);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_of_a_window),
		cmocka_unit_test(entries_that_change_the_use_of_cpus),
		cmocka_unit_test(an_entry_at_the_end_of_time),
		cmocka_unit_test(ends_of_processes),
		cmocka_unit_test(cells_of_sums),
		cmocka_unit_test(wanted_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
