// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests the account: what the log does not know. Logs and sums are made by hand. */
#include "account_made.h"
#include "account/report.h"

static void lost_assignments_are_unknown_time(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 3 assignments, 2 interrupts: staging full, until 0.000001500 s");
	assign_cpu(0, 1600, 20);
	apply_moment(2000);
	end_log();
	assert_uses(0, 600, 0, 0, 400);
	assert_uses(1, 0, 0, 1000, 0);
	assert_int_equal(time_of(10), 200);
	assert_true(bcoslog_account_process(account, 10)->at_least);
	assert_true(bcoslog_account_device(account, 0)->at_least);
	assert_int_equal(bcoslog_account_totals(account)->losses, 1);
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_ASSIGNMENTS | BCOSLOG_LOST_INTERRUPTS);
	assert_int_equal(told.unknown_begin, 1200);
}

static void who_comes_after_a_loss_is_exact(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 3 assignments: staging full, until 0.000001500 s");
	assign_cpu(0, 1600, 20);
	apply_name(BCOS_SET_PROCESS_NAME, 30, 1700, "thirty");
	end_log();
	assert_false(bcoslog_account_process(account, 30)->at_least);
}

static void other_losses_leave_cpus_known(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 7 transfers, 1 births and deaths: staging full, until 0.000001500 s");
	apply_moment(2000);
	end_log();
	assert_uses(0, 1000, 0, 0, 0);
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_LIVES);
	assert_false(bcoslog_account_process(account, 10)->at_least);
	assert_true(bcoslog_account_device(account, ETH)->at_least);
}

/* Each text with which a log writer states a loss says what is missing, and no more. */
static void losses_by_their_texts(void **state)
{
	static const struct {
		const char *text;
		uint32_t lost;
	} losses[] = {
		{ "lost 3 kernel messages: overwritten or cleared in the kernel's own buffer, until 0.000001500 s",
		  BCOSLOG_LOST_EVENTS },
		{ "lost 4 executed programs: staging full, until 0.000001500 s", BCOSLOG_LOST_EVENTS },
		{ "lost 2 births, devices or senders of signals: no memory, since 0.000001100 s",
		  BCOSLOG_LOST_LIVES | BCOSLOG_LOST_DEVICES | BCOSLOG_LOST_EVENTS },
		{ "lost 5 network interfaces, 3 packets: of other network namespaces, of which 1024 interfaces are recorded, "
		  "since 0.000001100 s", BCOSLOG_LOST_DEVICES | BCOSLOG_LOST_TRANSFERS },
	};
	size_t i;

	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		begin_in(0, 0);
		apply_group();
		apply_moment(1000);
		cpu_event(0, 1200, BCOS_EVENT_LOSS, losses[i].text);
		apply_moment(2000);
		end_log();
		assert_int_equal(bcoslog_account_totals(account)->lost, losses[i].lost);
		assert_uses(0, 1000, 0, 0, 0);
	}
}

static void a_loss_of_anything_is_one_of_all(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 2 events: inside the recording of another, until 0.000001500 s");
	apply_moment(2000);
	end_log();
	assert_uses(0, 200, 0, 0, 800);
}

/* If a CPU is unknown already, no interval begins when it becomes unknown. A CPU that is offline is not lost. */
static void a_cpu_is_unknown_once(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_entry(made_entry(&made, BCOS_CPU_OFFLINE, 1, 1000, NULL, 0));
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 3 assignments: staging full, until 0.000001300 s");
	assert_int_equal(find_cpu(0)->since, 1200);
	told.intervals = 0;
	cpu_event(0, 1400, BCOS_EVENT_LOSS, "lost 2 assignments: staging full, until 0.000001500 s");
	cpu_event(1, 1400, BCOS_EVENT_LOSS, "lost 2 assignments: staging full, until 0.000001500 s");
	assert_int_equal(find_cpu(0)->since, 1200);
	assert_int_equal(told.intervals, 0);
	assign_cpu(0, 1600, 20);
	assert_int_equal(told.intervals, 1);
	apply_moment(2000);
	end_log();
	assert_uses(0, 600, 0, 0, 400);
	assert_int_equal(find_cpu(1)->online, 0);
}

/* An idle CPU has no process, and yet its use changes when it becomes unknown. */
static void an_idle_cpu_becomes_unknown(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(1, 1200, 99);
	apply_moment(1500);
	assign_cpu(1, 1700, IDLE);
	apply_moment(2000);
	end_log();
	assert_uses(1, 0, 0, 500, 500);
}

static void overtaken_is_unknown_until_the_next_group(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1200, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			       "missed 5 entries, 120 bytes"));
	/* CPU 1 went, 20 ended and another process has its ID; 10 lives on. */
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 2);
	apply_word(BCOS_HIST_CPU_ONLINE, 0, 5, 0);
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten");
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 20, 1300, "other");
	apply_device(BCOS_HIST_SET_DEVICE_NAME, SELF, 42, "bcos_evlog");
	apply_word(BCOS_HIST_ASSIGN_CPU, 0, 1650, 20);
	apply_moment(1700);
	assert_int_equal(find_cpu(0)->since, 1650);
	apply_moment(2000);
	end_log();
	assert_uses(0, 200 + 300, 0, 0, 500);
	assert_uses(1, 0, 0, 200, 0);
	assert_int_equal(time_of(10), 200);
	assert_int_equal(time_of(20), 300);
	assert_int_equal(told.vanished, 1);
	assert_int_equal(told.last_ended.id, 20);
	assert_int_equal(told.last_ended.start, 60);
	assert_int_equal(bcoslog_account_totals(account)->overtaken, 1);
	assert_int_equal(told.unknown_begin, 1200);
	assert_int_equal(told.unknown_end, 1700);
	assert_true(bcoslog_account_process(account, 10)->at_least);
	assert_true(bcoslog_account_process(account, 20)->at_least);
}

static void a_class_that_is_off_is_unknown(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x1f -> 0x1e: assign off");
	cpu_event(0, 1300, BCOS_EVENT_MASK, "class mask 0x1e -> 0x0e: io off");
	cpu_event(0, 1400, BCOS_EVENT_MASK, "class mask 0x0e -> 0x1e: io on");
	assert_int_equal(told.unknown, BCOSLOG_LOST_TRANSFERS);
	assert_int_equal(told.unknown_begin, 1300);
	assert_int_equal(told.unknown_end, 1400);
	cpu_event(0, 1500, BCOS_EVENT_MASK, "class mask 0x1e -> 0x1f: assign on");
	assign_cpu(0, 1500, 10);
	assign_cpu(1, 1500, IDLE);
	apply_moment(2000);
	end_log();
	assert_uses(0, 700, 0, 0, 300);
	assert_uses(1, 0, 0, 700, 300);
	assert_int_equal(told.unknown, BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_ASSIGNMENTS);
}

/* A class that went off before the window and comes back within it was off in a part of it. */
static void a_class_may_be_off_at_the_beginning(void **state)
{
	begin_in(1350, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1300, BCOS_EVENT_MASK, "class mask 0x1f -> 0x0f: io off");
	apply_moment(1340);
	assert_int_equal(bcoslog_account_totals(account)->lost, 0);
	cpu_event(0, 1400, BCOS_EVENT_MASK, "class mask 0x0f -> 0x1f: io on");
	apply_moment(2000);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_TRANSFERS);
}

static void time_in_the_kernel_takes_all_assignments(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1100, BCOS_EVENT_MASK, "class mask 0x1f -> 0x5f: kernel_time on");
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x5f -> 0x5e: assign off");
	apply_moment(1500);
	cpu_event(0, 1500, BCOS_EVENT_MASK, "class mask 0x5e -> 0x1e: kernel_time off");
	apply_moment(2000);
	end_log();
	assert_uses(0, 500, 0, 0, 500);
	assert_uses(1, 0, 0, 500, 500);
}

static void unnamed_is_unknown_and_counted(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	assign_cpu(0, 1200, 99);
	assign_cpu(7, 1300, 10);
	apply_word(BCOS_DEVICE_INPUT, 5, 1400, 512);
	apply_word(BCOS_CANCEL_PROCESS_NAME, 98, 1400, 0);
	apply_word(BCOS_KERNEL_API, 97, 1500, 1);
	apply_entry(made_event(&made, BCOS_GENERIC_PROCESS, 96, 1500, 0, BCOS_SEVERITY_INFO, "who"));
	apply_moment(2000);
	end_log();
	assert_int_equal(bcoslog_account_totals(account)->unnamed, 6);
	assert_uses(0, 200, 0, 0, 800);
}

static void a_loss_lasts_as_long_as_it_says(void **state)
{
	struct bcos_entry *entry;

	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	made_event(&made, BCOS_GENERIC_CPU, 1, 1200, BCOS_EVENT_LOSS, BCOS_SEVERITY_ERROR,
		   "lost 1 interrupts: staging full, until 0.000001450 s");
	entry = (struct bcos_entry *)made.word;
	entry->precision = 250;
	apply_entry(entry);
	apply_moment(2000);
	end_log();
	assert_int_equal(told.unknown, BCOSLOG_LOST_INTERRUPTS);
	assert_int_equal(told.unknown_begin, 1200);
	assert_int_equal(told.unknown_end, 1450);
	assert_uses(0, 1000, 0, 0, 0);
}

static void interrupts_that_are_off_are_unknown(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x1f -> 0x1d: irq off");
	apply_moment(1700);
	end_log();
	/* The interrupts are unknown until the log ends. */
	assert_int_equal(told.unknown, BCOSLOG_LOST_INTERRUPTS);
	assert_int_equal(told.unknown_begin, 1200);
	assert_int_equal(told.unknown_end, 1700);
	assert_true(bcoslog_account_device(account, 0)->at_least);
	assert_uses(0, 700, 0, 0, 0);
}

static void overtaken_devices_are_lower_bounds(void **state)
{
	begin_in(0, 0);
	apply_group();
	apply_word(BCOS_DEVICE_INPUT, 0, 1000, 512);
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1200, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			       "missed 5 entries"));
	/* The disk is there as before. The interface has gone, and another one came in its place. */
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 2);
	apply_word(BCOS_HIST_CPU_ONLINE, 0, 5, 0);
	apply_word(BCOS_HIST_CPU_ONLINE, 1, 6, 0);
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	apply_device(BCOS_HIST_SET_DEVICE_NAME, 0, 40, "sda");
	apply_device(BCOS_HIST_SET_DEVICE_NAME, ETH, 1300, "eth0");
	apply_word(BCOS_DEVICE_INPUT, 0, 1500, 512);
	end_log();
	assert_int_equal(bcoslog_account_device(account, 0)->input, 1024);
	assert_true(bcoslog_account_device(account, 0)->at_least);
	assert_int_equal(told.devices_ended, 1);
	assert_int_equal(told.last_device.id, ETH);
	assert_true(told.last_device.vanished);
	assert_false(told.last_device.ended);
	/* The new interface came in the gap. */
	assert_true(bcoslog_account_device(account, ETH)->at_least);
}

/* A gap may hide another interrupt, so the latency of this one is unknown, also before a group follows. */
static void no_latency_reaches_over_a_gap(void **state)
{
	struct bcoslog_latency latency;

	begin_in(0, 0);
	apply_group();
	apply_word(BCOS_IRQ, 0, 1000, 1);
	apply_entry(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1200, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			       "missed 5 entries"));
	apply_word(BCOS_DEVICE_INPUT, 0, 1300, 512);
	bcoslog_account_latency(bcoslog_account_device(account, 0), &latency);
	assert_int_equal(latency.count, 0);
	assert_int_equal(bcoslog_account_device(account, 0)->unprompted, 1);
	end_log();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(lost_assignments_are_unknown_time),
		TEST(who_comes_after_a_loss_is_exact),
		TEST(other_losses_leave_cpus_known),
		TEST(losses_by_their_texts),
		TEST(a_loss_of_anything_is_one_of_all),
		TEST(a_cpu_is_unknown_once), TEST(an_idle_cpu_becomes_unknown),
		TEST(overtaken_is_unknown_until_the_next_group),
		TEST(a_class_that_is_off_is_unknown), TEST(a_class_may_be_off_at_the_beginning),
		TEST(time_in_the_kernel_takes_all_assignments),
		TEST(unnamed_is_unknown_and_counted),
		TEST(a_loss_lasts_as_long_as_it_says),
		TEST(interrupts_that_are_off_are_unknown),
		TEST(overtaken_devices_are_lower_bounds),
		TEST(no_latency_reaches_over_a_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
