// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests the library's public calls, as bcoslog.h describes them: what a state knows, how history relates to it, the
 * words for numbers, and what a check counts; handle_test.c tests reading. The sanitizers see that all memory is freed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "bcoslog.h"
#include "check/check.h"
#include "reader/reader.h"
#include "made_log.h"

#define SELF 0xC0000000u
#define IDLE 0xFFFFFFFFu

static struct made made;
static struct bcoslog_state *state_of_ours;

static int set_up(void **state)
{
	state_of_ours = bcoslog_state_new();
	assert_non_null(state_of_ours);
	return 0;
}

static int tear_down(void **state)
{
	bcoslog_state_free(state_of_ours);
	return 0;
}

static void apply_entry(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_state_apply(state_of_ours, entry), 0);
}

static enum bcoslog_news compare_entry(const struct bcos_entry *entry)
{
	return bcoslog_state_compare(state_of_ours, entry);
}

/* ---- a state --------------------------------------------------------------------------------- */

/* Applies a group: a core of two CPUs; processes 0, 10 and 20; a disk with driver 10; CPU 0 runs 10 since 100. */
static void apply_group(void)
{
	static const uint32_t performance[] = { 1000, 700 };

	apply_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 2));
	apply_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 0));
	apply_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 7, 0));
	apply_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	apply_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten"));
	apply_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 20, 60, "twenty"));
	apply_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 40, 10, "sda"));
	apply_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 100, 10));
}

static void expect_process(uint32_t id, uint64_t start, const char *name, uint32_t cpus, uint32_t devices)
{
	const struct bcoslog_process *process = bcoslog_process(state_of_ours, id);

	assert_non_null(process);
	assert_int_equal(process->id, id);
	assert_true(process->start == start);
	assert_int_equal(process->precision, 1);
	assert_int_equal(process->name_length, strlen(name));
	assert_memory_equal(process->name, name, strlen(name));
	assert_int_equal(process->cpus, cpus);
	assert_int_equal(process->devices, devices);
}

static void a_group_is_known(void **state)
{
	const struct bcoslog_device *device;
	const struct bcoslog_core *core;
	const struct bcoslog_cpu *cpu;

	apply_group();
	expect_process(0, 0, "kernel", 0, 0);
	expect_process(10, 50, "ten", 1, 1);
	expect_process(20, 60, "twenty", 0, 0);
	assert_null(bcoslog_process(state_of_ours, 11));
	core = bcoslog_core(state_of_ours, 0);
	assert_non_null(core);
	assert_true(core->start == 5 && core->cpus == 2 && core->idle_power == 100 && core->power_difference == 300);
	assert_int_equal(core->performances, 2);
	assert_true(core->performance[0] == 1000 && core->performance[1] == 700);
	assert_null(bcoslog_core(state_of_ours, 1));
	cpu = bcoslog_cpu(state_of_ours, 0);
	assert_non_null(cpu);
	assert_true(cpu->core == 0 && cpu->start == 6 && cpu->assigned && cpu->process == 10 && cpu->since == 100);
	cpu = bcoslog_cpu(state_of_ours, 1);
	assert_non_null(cpu);
	assert_true(cpu->start == 7 && !cpu->assigned);
	assert_null(bcoslog_cpu(state_of_ours, 2));
	device = bcoslog_device(state_of_ours, 3);
	assert_non_null(device);
	assert_true(device->driver == 10 && device->start == 40 && device->name_length == 3);
	assert_memory_equal(device->name, "sda", 3);
	assert_null(bcoslog_device(state_of_ours, 4));
}

static void it_changes(void **state)
{
	static const uint32_t performance[] = { 9, 8, 7 };

	apply_group();
	apply_entry(made_word(&made, BCOS_ASSIGN_CPU, 0, 200, 20));
	expect_process(10, 50, "ten", 0, 1);
	expect_process(20, 60, "twenty", 1, 0);
	apply_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 210, 20));
	expect_process(20, 60, "twenty", 2, 0);
	apply_entry(made_word(&made, BCOS_ASSIGN_CPU, 1, 220, IDLE));
	expect_process(20, 60, "twenty", 1, 0);
	assert_true(bcoslog_cpu(state_of_ours, 1)->since == 220);
	/* A rename changes nothing but the name. */
	apply_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 20, 230, "a longer name than before"));
	expect_process(20, 60, "a longer name than before", 1, 0);
	apply_entry(made_device(&made, BCOS_SET_DEVICE_NAME, 3, 240, 20, "sdb"));
	expect_process(10, 50, "ten", 0, 0);
	expect_process(20, 60, "a longer name than before", 1, 1);
	apply_entry(made_word(&made, BCOS_CANCEL_DEVICE_NAME, 3, 250, 0));
	assert_null(bcoslog_device(state_of_ours, 3));
	expect_process(20, 60, "a longer name than before", 1, 0);
	apply_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 260, 0));
	assert_null(bcoslog_process(state_of_ours, 10));
	apply_entry(made_core(&made, BCOS_CORE_ONLINE, 0, 270, 1, 2, performance, 3));
	assert_int_equal(bcoslog_core(state_of_ours, 0)->performances, 3);
	assert_int_equal(bcoslog_core(state_of_ours, 0)->performance[2], 7);
	assert_int_equal(bcoslog_core(state_of_ours, 0)->cpus, 2);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 0, 280, NULL, 0));
	assert_null(bcoslog_cpu(state_of_ours, 0));
	assert_int_equal(bcoslog_core(state_of_ours, 0)->cpus, 1);
	expect_process(20, 60, "a longer name than before", 0, 0);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 290, NULL, 0));
	apply_entry(made_entry(&made, BCOS_CORE_OFFLINE, 0, 290, NULL, 0));
	assert_null(bcoslog_core(state_of_ours, 0));
}

static void what_is_unknown_teaches_nothing(void **state)
{
	apply_entry(made_word(&made, BCOS_ASSIGN_CPU, 5, 200, 20));
	apply_entry(made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 260, 0));
	apply_entry(made_word(&made, BCOS_CANCEL_DEVICE_NAME, 3, 250, 0));
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 0, 280, NULL, 0));
	apply_entry(made_entry(&made, BCOS_CORE_OFFLINE, 0, 290, NULL, 0));
	assert_null(bcoslog_cpu(state_of_ours, 5));
	assert_null(bcoslog_process(state_of_ours, 20));
}

static void it_forgets(void **state)
{
	uint32_t id;

	apply_group();
	for (id = 100; id < 2000; id++)
		apply_entry(made_name(&made, BCOS_SET_PROCESS_NAME, id, id, "one of many"));
	expect_process(1999, 1999, "one of many", 0, 0);
	bcoslog_state_forget(state_of_ours);
	for (id = 0; id < 2000; id++)
		assert_null(bcoslog_process(state_of_ours, id));
	assert_null(bcoslog_device(state_of_ours, 3));
	assert_null(bcoslog_cpu(state_of_ours, 0));
	assert_null(bcoslog_core(state_of_ours, 0));
	apply_group();
	expect_process(10, 50, "ten", 1, 1);
	/* The state forgets everything by itself when the reader is overtaken. */
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 300, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			       "missed 5 entries, 120 bytes"));
	assert_null(bcoslog_process(state_of_ours, 10));
	assert_null(bcoslog_cpu(state_of_ours, 0));
}

/* History that repeats what is known is no news. Each way to contradict it has a name. */
static void history_is_compared(void **state)
{
	static const uint32_t performance[] = { 1000, 700 }, other[] = { 1000, 701 };

	assert_int_equal(compare_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten")), BCOSLOG_NEWS);
	apply_group();
	assert_int_equal(compare_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten")), BCOSLOG_REPEATED);
	assert_int_equal(compare_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 51, "ten")),
			 BCOSLOG_OTHER_TIME);
	assert_int_equal(compare_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "tan")),
			 BCOSLOG_OTHER_NAME);
	assert_int_equal(compare_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "tenfold")),
			 BCOSLOG_OTHER_NAME);
	assert_int_equal(compare_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 11, 50, "ten")), BCOSLOG_NEWS);
	/* A normal entry always adds something. */
	assert_int_equal(compare_entry(made_name(&made, BCOS_SET_PROCESS_NAME, 10, 50, "ten")), BCOSLOG_NEWS);
	assert_int_equal(compare_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 40, 10, "sda")),
			 BCOSLOG_REPEATED);
	assert_int_equal(compare_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 41, 10, "sda")),
			 BCOSLOG_OTHER_TIME);
	assert_int_equal(compare_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 40, 11, "sda")),
			 BCOSLOG_OTHER_DRIVER);
	assert_int_equal(compare_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 40, 10, "sdb")),
			 BCOSLOG_OTHER_NAME);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 0)), BCOSLOG_REPEATED);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 5, 0)), BCOSLOG_OTHER_TIME);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 1)), BCOSLOG_OTHER_CORE);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 100, 10)), BCOSLOG_REPEATED);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 101, 10)), BCOSLOG_OTHER_TIME);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, 100, 20)), BCOSLOG_OTHER_PROCESS);
	assert_int_equal(compare_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 1, 100, 20)), BCOSLOG_NEWS);
	assert_int_equal(compare_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 2)),
			 BCOSLOG_REPEATED);
	assert_int_equal(compare_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 4, 100, 300, performance, 2)),
			 BCOSLOG_OTHER_TIME);
	assert_int_equal(compare_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 101, 300, performance, 2)),
			 BCOSLOG_OTHER_ESTIMATE);
	assert_int_equal(compare_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 301, performance, 2)),
			 BCOSLOG_OTHER_ESTIMATE);
	assert_int_equal(compare_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, other, 2)),
			 BCOSLOG_OTHER_ESTIMATE);
	assert_int_equal(compare_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 1)),
			 BCOSLOG_OTHER_ESTIMATE);
}

/* ---- words ------------------------------------------------------------------------------------- */

static void severities_have_bounds(void **state)
{
	static const struct {
		uint8_t from, to;
		const char *word;
	} words[] = { { 0, 0x3F, "debug" }, { 0x40, 0x7F, "info" }, { 0x80, 0xBF, "error" },
		      { 0xC0, 0xFF, "critical" } };
	unsigned int i, severity;

	for (i = 0; i < 4; i++)
		for (severity = words[i].from; severity <= words[i].to; severity++)
			assert_string_equal(bcoslog_severity((uint8_t)severity), words[i].word);
}

/* Exit codes have no bit 31. Signals have it, and bit 30 says that the kernel sent the signal (5.2.1). */
static void ends_are_taken_apart(void **state)
{
	uint32_t value;

	assert_int_equal(bcoslog_status_end(0, &value), BCOSLOG_EXITED);
	assert_int_equal(value, 0);
	assert_int_equal(bcoslog_status_end(255, &value), BCOSLOG_EXITED);
	assert_int_equal(value, 255);
	assert_int_equal(bcoslog_status_end(0x7FFFFFFF, &value), BCOSLOG_END_UNKNOWN);
	assert_int_equal(value, 0);
	assert_int_equal(bcoslog_status_end(0x80000009, &value), BCOSLOG_OWNER);
	assert_int_equal(value, 9);
	assert_int_equal(bcoslog_status_end(0xC000000B, &value), BCOSLOG_KERNEL);
	assert_int_equal(value, 11);
	assert_string_equal(bcoslog_signal(1), "SIGHUP");
	assert_string_equal(bcoslog_signal(11), "SIGSEGV");
	assert_string_equal(bcoslog_signal(31), "SIGSYS");
	assert_null(bcoslog_signal(0));
	assert_null(bcoslog_signal(32));
	assert_null(bcoslog_signal(0xFFFFFFFF));
}

static void types_have_names(void **state)
{
	assert_string_equal(bcoslog_type_name(BCOS_SET_PROCESS_NAME), "Set Process Name");
	assert_string_equal(bcoslog_type_name(BCOS_ASSIGN_CPU), "Assign CPU");
	assert_string_equal(bcoslog_type_name(BCOS_HIST_ASSIGN_CPU), "Historical Assign CPU");
	assert_null(bcoslog_type_name(0x0002));
	assert_null(bcoslog_type_name(0xFFFF));
	assert_string_equal(bcoslog_subject(0x0000), "process");
	assert_string_equal(bcoslog_subject(0x8000), "process");
	assert_string_equal(bcoslog_subject(0x2000), "core");
	assert_string_equal(bcoslog_subject(0x4002), "CPU");
	assert_string_equal(bcoslog_subject(0xE000), "device");
	assert_true(bcoslog_is_generic(0x0010) && bcoslog_is_generic(0x2010) && bcoslog_is_generic(0x4010) &&
		    bcoslog_is_generic(0x6010));
	assert_false(bcoslog_is_generic(0x0011) || bcoslog_is_generic(0x0000) || bcoslog_is_generic(0x8010));
}

/* A text ends where the padding begins, and an entry without a text has none. */
static void texts_end_at_padding(void **state)
{
	size_t length = 77;
	const char *text = bcoslog_text(made_name(&made, BCOS_SET_PROCESS_NAME, 1, 1, "five5"), &length);

	assert_int_equal(length, 5);
	assert_memory_equal(text, "five5", 5);
	text = bcoslog_text(made_device(&made, BCOS_SET_DEVICE_NAME, 1, 1, 7, "sda1"), &length);
	assert_int_equal(length, 4);
	assert_memory_equal(text, "sda1", 4);
	text = bcoslog_text(made_event(&made, BCOS_GENERIC_CPU, 1, 1, 7, 0, "event"), &length);
	assert_int_equal(length, 5);
	assert_memory_equal(text, "event", 5);
	assert_null(bcoslog_text(made_word(&made, BCOS_ASSIGN_CPU, 1, 1, 7), &length));
}

static void losses_and_notices(void **state)
{
	assert_true(bcoslog_is_loss(made_event(&made, BCOS_GENERIC_CPU, 0, 1, BCOS_EVENT_LOSS, 0x80,
					       "lost 1 assignments")));
	assert_false(bcoslog_is_loss(made_event(&made, BCOS_GENERIC_CPU, 0, 1, 7, 0x80, "lost 1 assignments")));
	assert_true(bcoslog_is_missed(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1, BCOS_EVENT_MISSED, 0x80,
						 "missed")));
	assert_false(bcoslog_is_missed(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1, BCOS_EVENT_LOSS, 0x80,
						  "missed")));
	assert_false(bcoslog_is_missed(made_event(&made, BCOS_GENERIC_DEVICE, 1, 1, BCOS_EVENT_MISSED, 0x80,
						  "missed")));
}

static void classes_by_name(void **state)
{
	uint32_t mask = 0, all = 0, one;
	unsigned int bit;
	char number[16];

	for (bit = 0; bcoslog_class(bit); bit++) {
		assert_int_equal(bcoslog_class_mask(bcoslog_class(bit), strlen(bcoslog_class(bit)), &one), 0);
		assert_int_equal(one, 1u << bit);
		all |= one;
	}
	assert_true(bit > 10 && bit <= 32);
	assert_null(bcoslog_class(32));
	assert_null(bcoslog_class(0xFFFFFFFF));
	assert_int_equal(bcoslog_class_mask("all", 3, &mask), 0);
	assert_int_equal(mask, all);
	assert_int_equal(bcoslog_class_mask("none", 4, &mask), 0);
	assert_int_equal(mask, 0);
	assert_int_equal(bcoslog_class_mask("0x5", 3, &mask), 0);
	assert_int_equal(mask, 5);
	/* All classes may be given as a number, but one class more may not. */
	snprintf(number, sizeof(number), "%#x", all);
	assert_int_equal(bcoslog_class_mask(number, strlen(number), &mask), 0);
	assert_int_equal(mask, all);
	snprintf(number, sizeof(number), "%#x", all + 1);
	assert_int_equal(bcoslog_class_mask(number, strlen(number), &mask), -EINVAL);
	/* Only so many bytes of the text count as the caller has given. */
	assert_int_equal(bcoslog_class_mask("allowance", 3, &mask), 0);
	assert_int_equal(bcoslog_class_mask("allowance", 4, &mask), -EINVAL);
	assert_int_equal(bcoslog_class_mask("", 0, &mask), -EINVAL);
	assert_int_equal(bcoslog_class_mask("5x", 2, &mask), -EINVAL);
}

/* ---- checking -------------------------------------------------------------------------------------- */

static struct {
	unsigned int count;
	uint64_t offset;
	char word[32];
} reported;

static void count_violation(void *context, const struct bcoslog_violation *violation)
{
	assert_ptr_equal(context, &reported);
	reported.count++;
	reported.offset = violation->offset;
	snprintf(reported.word, sizeof(reported.word), "%s", violation->word);
}

static void a_check_counts(void **state)
{
	struct bcoslog_check *check = bcoslog_check_new(count_violation, &reported);
	const struct bcoslog_summary *summary;
	uint32_t id;

	assert_non_null(check);
	memset(&reported, 0, sizeof(reported));
	assert_int_equal(bcoslog_check_entry(check, 0, made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel")),
			 0);
	for (id = 1; id < 500; id++)
		assert_int_equal(bcoslog_check_entry(check, 28 * id, made_name(&made, BCOS_SET_PROCESS_NAME, id, id,
									       "x")), 0);
	assert_int_equal(bcoslog_check_entry(check, 20000, made_word(&made, BCOS_CANCEL_PROCESS_NAME, 10, 499, 0)), 0);
	summary = bcoslog_check_end(check);
	assert_int_equal(summary->entries, 501);
	assert_int_equal(summary->historical, 1);
	assert_int_equal(summary->losses, 0);
	assert_int_equal(reported.count, summary->violations + summary->unusual);
	bcoslog_check_free(check);
	bcoslog_check_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_group_is_known), TEST(it_changes), TEST(what_is_unknown_teaches_nothing), TEST(it_forgets),
		TEST(history_is_compared), TEST(severities_have_bounds), TEST(ends_are_taken_apart),
		TEST(types_have_names),
		TEST(texts_end_at_padding), TEST(losses_and_notices), TEST(classes_by_name), TEST(a_check_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
