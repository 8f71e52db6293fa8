// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account: each of its rules on a log made by hand, with sums made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bcoslog_account.h"
#include "made_log.h"

#define SELF BCOS_DEVICE_SELF
#define ETH BCOS_DEVICE_NETWORK
#define IDLE BCOS_PROCESS_IDLE

static const uint32_t performance[] = { 1000, 700 };

/* What the account told of while entries were applied. */
static struct told {
	uint64_t interval[BCOSLOG_USES];	/* ns, summed */
	uint64_t segments;			/* ns, summed */
	unsigned int ended, vanished;
	uint64_t ended_time;			/* CPU time of those that ended, summed */
	struct bcoslog_account_process last_ended;
	unsigned int offs;
	uint64_t off_begin, off_end;
	uint32_t off_process, off_cpu;
	uint64_t unknown_begin, unknown_end;
	uint32_t unknown;
	uint64_t bytes;
	unsigned int interrupts, devices_ended;
	struct bcoslog_account_device last_device;
} told;

static struct bcoslog_account *account;
static struct made made;

static void interval(void *context, const struct bcoslog_interval *told_of)
{
	assert_true(told_of->begin <= told_of->end);
	told.interval[told_of->use] += told_of->end - told_of->begin;
}

static void segment(void *context, const struct bcoslog_segment *told_of)
{
	assert_true(told_of->begin < told_of->end);
	told.segments += told_of->end - told_of->begin;
}

static void off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end, __u32 cpu)
{
	told.offs++;
	told.off_process = process->id;
	told.off_begin = begin;
	told.off_end = end;
	told.off_cpu = cpu;
}

static void process_ended(void *context, const struct bcoslog_account_process *process)
{
	told.ended++;
	told.vanished += process->vanished;
	told.ended_time += process->time;
	told.last_ended = *process;
}

static void device_ended(void *context, const struct bcoslog_account_device *device)
{
	told.devices_ended++;
	told.last_device = *device;
}

static void transfer(void *context, const struct bcoslog_account_device *device, bool output, __u64 time, __u32 bytes)
{
	told.bytes += bytes;
}

static void interrupt(void *context, const struct bcoslog_account_device *device, __u64 time)
{
	told.interrupts++;
}

static void unknown(void *context, __u32 lost, __u64 begin, __u64 end)
{
	told.unknown |= lost;
	told.unknown_begin = begin;
	told.unknown_end = end;
}

static void begin_in(uint64_t since, uint64_t until)
{
	const struct bcoslog_account_options options = {
		.since = since, .until = until, .interval = interval, .segment = segment, .off = off,
		.process_ended = process_ended, .device_ended = device_ended, .transfer = transfer,
		.interrupt = interrupt, .unknown = unknown,
	};

	memset(&told, 0, sizeof(told));
	account = bcoslog_account_new(&options);
	assert_non_null(account);
}

static int down(void **state)
{
	bcoslog_account_free(account);
	account = NULL;
	return 0;
}

static void apply(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_account_entry(account, entry), 0);
}

static void core(uint16_t type, uint64_t time, uint16_t idle, uint16_t difference, size_t count)
{
	apply(made_core(&made, type, 0, time, idle, difference, performance, count));
}

static void word(uint16_t type, uint32_t source, uint64_t time, uint32_t value)
{
	apply(made_word(&made, type, source, time, value));
}

static void name(uint16_t type, uint32_t source, uint64_t time, const char *text)
{
	apply(made_name(&made, type, source, time, text));
}

static void device(uint16_t type, uint32_t source, uint64_t time, const char *text)
{
	apply(made_device(&made, type, source, time, 0, text));
}

static void assign(uint32_t cpu, uint64_t time, uint32_t process)
{
	word(BCOS_ASSIGN_CPU, cpu, time, process);
}

/* An entry that only has a time. */
static void moment(uint64_t time)
{
	apply(made_event(&made, BCOS_GENERIC_PROCESS, 0, time, 0, BCOS_SEVERITY_INFO, "tick"));
}

static void cpu_event(uint32_t cpu, uint64_t time, uint32_t id, const char *text)
{
	apply(made_event(&made, BCOS_GENERIC_CPU, cpu, time, id, BCOS_SEVERITY_ERROR, text));
}

/* A core of two CPUs, of which CPU 0 has run process 10 since 100. */
static void group(void)
{
	core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 2);
	word(BCOS_HIST_CPU_ONLINE, 0, 5, 0);
	word(BCOS_HIST_CPU_ONLINE, 1, 6, 0);
	name(BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	name(BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten");
	name(BCOS_HIST_SET_PROCESS_NAME, 20, 60, "twenty");
	device(BCOS_HIST_SET_DEVICE_NAME, 0, 40, "sda");
	device(BCOS_HIST_SET_DEVICE_NAME, ETH, 41, "eth0");
	device(BCOS_HIST_SET_DEVICE_NAME, SELF, 42, "bcos_evlog");
	word(BCOS_HIST_ASSIGN_CPU, 0, 100, 10);
	word(BCOS_HIST_ASSIGN_CPU, 1, 200, IDLE);
}

static const struct bcoslog_account_cpu *cpu(uint32_t id)
{
	const struct bcoslog_account_cpu *each = NULL;

	while ((each = bcoslog_account_next_cpu(account, each)))
		if (each->id == id)
			return each;
	return NULL;
}

static const struct bcoslog_account_core *the_core(void)
{
	return bcoslog_account_next_core(account, NULL);
}

static uint64_t time_of(uint32_t id)
{
	const struct bcoslog_account_process *process = bcoslog_account_process(account, id);

	assert_non_null(process);
	return process->time;
}

/* The invariant: each CPU's uses add up to its online time, processes to CPUs, and intervals to both. */
static void end(void)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_cpu *each = NULL;
	const struct bcoslog_account_totals *totals;
	uint64_t processes = told.ended_time, sum;
	unsigned int use;

	bcoslog_account_end(account);
	totals = bcoslog_account_totals(account);
	while ((each = bcoslog_account_next_cpu(account, each))) {
		for (sum = 0, use = 0; use < BCOSLOG_USES; use++)
			sum += each->time[use];
		assert_int_equal(sum, each->online);
	}
	while ((process = bcoslog_account_next_process(account, process)))
		processes += process->time;
	assert_int_equal(processes, totals->time[BCOSLOG_USE_PROCESS] + totals->time[BCOSLOG_USE_KERNEL]);
	for (use = 0; use < BCOSLOG_USES; use++)
		assert_int_equal(told.interval[use], totals->time[use]);
}

#define assert_uses(id, process, kernel, idle, not_known)						\
	do {												\
		assert_int_equal(cpu(id)->time[BCOSLOG_USE_PROCESS], process);				\
		assert_int_equal(cpu(id)->time[BCOSLOG_USE_KERNEL], kernel);				\
		assert_int_equal(cpu(id)->time[BCOSLOG_USE_IDLE], idle);				\
		assert_int_equal(cpu(id)->time[BCOSLOG_USE_UNKNOWN], not_known);			\
	} while (0)

/* ---- where it begins and ends ------------------------------------------------------- */

static void state_comes_from_the_group(void **state)
{
	const struct bcoslog_account_process *ten;

	begin_in(0, 0);
	group();
	moment(1000);
	ten = bcoslog_account_process(account, 10);
	assert_int_equal(cpu(0)->since, 100);
	assert_ptr_equal(cpu(0)->process, ten);
	assign(0, 1500, 20);
	moment(2000);
	end();
	assert_int_equal(time_of(10), 500);
	assert_int_equal(time_of(20), 500);
	assert_uses(0, 1000, 0, 0, 0);
	assert_uses(1, 0, 0, 1000, 0);
	assert_int_equal(bcoslog_account_totals(account)->begin, 1000);
	assert_int_equal(bcoslog_account_totals(account)->end, 2000);
	assert_int_equal(bcoslog_account_totals(account)->online, 2000);
	assert_int_equal(bcoslog_account_totals(account)->turns, 1);
	assert_int_equal(cpu(0)->turns, 1);
	assert_false(ten->born);
}

static void a_window_cuts_what_goes_on(void **state)
{
	begin_in(1200, 1800);
	group();
	moment(1000);
	assign(0, 1500, 20);
	moment(2000);
	end();
	assert_int_equal(time_of(10), 300);
	assert_int_equal(time_of(20), 300);
	assert_uses(1, 0, 0, 600, 0);
	assert_int_equal(bcoslog_account_totals(account)->begin, 1200);
	assert_int_equal(bcoslog_account_totals(account)->end, 1800);
	/* Of the core, too. */
	assert_int_equal(the_core()->online, 600);
	assert_int_equal(told.segments, 600);
}

static void a_window_behind_the_log_is_empty(void **state)
{
	begin_in(5000, 6000);
	group();
	moment(1000);
	assign(0, 1500, 20);
	end();
	assert_int_equal(bcoslog_account_totals(account)->online, 0);
	assert_int_equal(bcoslog_account_totals(account)->turns, 0);
	assert_int_equal(time_of(10), 0);
}

static void no_entry_is_an_account_too(void **state)
{
	begin_in(0, 0);
	end();
	assert_int_equal(bcoslog_account_totals(account)->online, 0);
	assert_null(bcoslog_account_next_cpu(account, NULL));
	/* Nor has a group a place in time. */
	group();
	end();
	assert_int_equal(bcoslog_account_totals(account)->online, 0);
	moment(1000);
	end();
	assert_int_equal(bcoslog_account_totals(account)->begin, 1000);
	assert_int_equal(bcoslog_account_totals(account)->end, 1000);
}

static void settling_changes_nothing(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	moment(1300);
	bcoslog_account_settle(account);
	assert_int_equal(time_of(10), 300);
	bcoslog_account_settle(account);
	assert_int_equal(time_of(10), 300);
	moment(1400);
	end();
	assert_int_equal(time_of(10), 400);
}

/* ---- what is not known ---------------------------------------------------------------- */

static void lost_assignments_are_unknown_time(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 3 assignments, 2 interrupts: staging full, until 0.000001500 s");
	assign(0, 1600, 20);
	moment(2000);
	end();
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
	group();
	moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 3 assignments: staging full, until 0.000001500 s");
	assign(0, 1600, 20);
	name(BCOS_SET_PROCESS_NAME, 30, 1700, "thirty");
	end();
	assert_false(bcoslog_account_process(account, 30)->at_least);
}

static void other_losses_leave_cpus_known(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 7 transfers, 1 births and deaths: staging full, until 0.000001500 s");
	moment(2000);
	end();
	assert_uses(0, 1000, 0, 0, 0);
	assert_int_equal(bcoslog_account_totals(account)->lost, BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_LIVES);
	assert_false(bcoslog_account_process(account, 10)->at_least);
	assert_true(bcoslog_account_device(account, ETH)->at_least);
}

/* Each text that a log writer states a loss with says what is missing, and no more. */
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
		group();
		moment(1000);
		cpu_event(0, 1200, BCOS_EVENT_LOSS, losses[i].text);
		moment(2000);
		end();
		assert_int_equal(bcoslog_account_totals(account)->lost, losses[i].lost);
		assert_uses(0, 1000, 0, 0, 0);
	}
}

static void a_loss_of_anything_is_one_of_all(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_LOSS, "lost 2 events: inside the recording of another, until 0.000001500 s");
	moment(2000);
	end();
	assert_uses(0, 200, 0, 0, 800);
}

static void overtaken_is_unknown_until_the_next_group(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	apply(made_event(&made, BCOS_GENERIC_DEVICE, SELF, 1200, BCOS_EVENT_MISSED, BCOS_SEVERITY_ERROR,
			 "missed 5 entries, 120 bytes"));
	/* CPU 1 went, 20 ended and another process has its ID; 10 lives on. */
	core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 2);
	word(BCOS_HIST_CPU_ONLINE, 0, 5, 0);
	name(BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	name(BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten");
	name(BCOS_HIST_SET_PROCESS_NAME, 20, 1300, "other");
	device(BCOS_HIST_SET_DEVICE_NAME, SELF, 42, "bcos_evlog");
	word(BCOS_HIST_ASSIGN_CPU, 0, 1650, 20);
	moment(1700);
	assert_int_equal(cpu(0)->since, 1650);
	moment(2000);
	end();
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
}

static void a_class_that_is_off_is_unknown(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x1f -> 0x1e: assign off");
	cpu_event(0, 1300, BCOS_EVENT_MASK, "class mask 0x1e -> 0x0e: io off");
	cpu_event(0, 1400, BCOS_EVENT_MASK, "class mask 0x0e -> 0x1e: io on");
	assert_int_equal(told.unknown, BCOSLOG_LOST_TRANSFERS);
	assert_int_equal(told.unknown_begin, 1300);
	assert_int_equal(told.unknown_end, 1400);
	cpu_event(0, 1500, BCOS_EVENT_MASK, "class mask 0x1e -> 0x1f: assign on");
	assign(0, 1500, 10);
	assign(1, 1500, IDLE);
	moment(2000);
	end();
	assert_uses(0, 700, 0, 0, 300);
	assert_uses(1, 0, 0, 700, 300);
	assert_int_equal(told.unknown, BCOSLOG_LOST_TRANSFERS | BCOSLOG_LOST_ASSIGNMENTS);
}

static void time_in_the_kernel_takes_all_assignments(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	cpu_event(0, 1100, BCOS_EVENT_MASK, "class mask 0x1f -> 0x5f: kernel_time on");
	cpu_event(0, 1200, BCOS_EVENT_MASK, "class mask 0x5f -> 0x5e: assign off");
	moment(1500);
	cpu_event(0, 1500, BCOS_EVENT_MASK, "class mask 0x5e -> 0x1e: kernel_time off");
	moment(2000);
	end();
	assert_uses(0, 500, 0, 0, 500);
	assert_uses(1, 0, 0, 500, 500);
}

static void unnamed_is_unknown_and_counted(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1200, 99);
	assign(7, 1300, 10);
	word(BCOS_DEVICE_INPUT, 5, 1400, 512);
	word(BCOS_CANCEL_PROCESS_NAME, 98, 1400, 0);
	moment(2000);
	end();
	assert_int_equal(bcoslog_account_totals(account)->unnamed, 4);
	assert_uses(0, 200, 0, 0, 800);
}

/* ---- who is who ------------------------------------------------------------------------ */

static void an_id_may_come_again(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1200, 0);
	word(BCOS_CANCEL_PROCESS_NAME, 10, 1200, BCOS_STATUS_OWNER + 9);
	assert_int_equal(told.ended, 1);
	assert_true(told.last_ended.ended);
	assert_int_equal(told.last_ended.time, 200);
	assert_int_equal(told.last_ended.end, 1200);
	assert_int_equal(told.last_ended.status, BCOS_STATUS_OWNER + 9);
	name(BCOS_SET_PROCESS_NAME, 10, 1300, "again");
	assign(0, 1400, 10);
	moment(1500);
	end();
	assert_int_equal(time_of(10), 100);
	assert_true(bcoslog_account_process(account, 10)->born);
	assert_int_not_equal(bcoslog_account_process(account, 10)->serial, told.last_ended.serial);
	assert_uses(0, 300, 200, 0, 0);
	assert_int_equal(bcoslog_account_totals(account)->births, 1);
	assert_int_equal(bcoslog_account_totals(account)->ends, 1);
}

static void a_name_may_change(void **state)
{
	const struct bcoslog_account_process *ten;

	begin_in(0, 0);
	group();
	moment(1000);
	name(BCOS_SET_PROCESS_NAME, 10, 1100, "a name that is longer than most are");
	end();
	ten = bcoslog_account_process(account, 10);
	assert_int_equal(ten->renames, 1);
	assert_int_equal(ten->name_length, 35);
	assert_memory_equal(ten->former, "ten", ten->former_length);
	assert_int_equal(ten->start, 50);
	assert_int_equal(bcoslog_account_totals(account)->execs, 1);
}

static void repeated_history_is_no_news(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1300, 20);
	group();
	moment(1500);
	end();
	assert_int_equal(time_of(10), 300);
	assert_int_equal(time_of(20), 200);
	assert_int_equal(told.ended, 0);
}

static void who_ends_on_a_cpu_leaves_it(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	word(BCOS_CANCEL_PROCESS_NAME, 10, 1200, 0);
	moment(1500);
	end();
	assert_uses(0, 200, 0, 0, 300);
}

static void off_the_cpu(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(0, 1200, 20);
	assign(1, 1700, 10);
	assert_int_equal(told.offs, 1);
	assert_int_equal(told.off_process, 10);
	assert_int_equal(told.off_begin, 1200);
	assert_int_equal(told.off_end, 1700);
	assert_int_equal(told.off_cpu, 1);
	/* Who has two CPUs and loses one is not without. */
	assign(0, 1800, 10);
	assign(1, 1900, IDLE);
	assign(1, 1950, 10);
	assert_int_equal(told.offs, 1);
	/* Nor is it known of who may have run unseen. */
	assign(1, 2000, IDLE);
	assign(0, 2000, IDLE);
	cpu_event(1, 2100, BCOS_EVENT_LOSS, "lost 1 assignments: staging full, until 0.000002100 s");
	assign(1, 2200, IDLE);
	assign(0, 2300, 10);
	assert_int_equal(told.offs, 1);
	end();
	assert_int_equal(bcoslog_account_process(account, 10)->longest_off, 500);
	assert_int_equal(bcoslog_account_process(account, 10)->longest_off_at, 1700);
	assert_int_equal(bcoslog_account_process(account, 10)->turns, 4);
}

/* ---- CPUs and cores ---------------------------------------------------------------------- */

static void an_offline_cpu_is_no_capacity(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	assign(1, 1200, IDLE);
	apply(made_entry(&made, BCOS_CPU_OFFLINE, 1, 1300, NULL, 0));
	assert_false(cpu(1)->up);
	word(BCOS_CPU_ONLINE, 1, 1600, 0);
	assign(1, 1600, IDLE);
	moment(2000);
	end();
	assert_int_equal(cpu(1)->online, 700);
	assert_uses(1, 0, 0, 700, 0);
	assert_int_equal(bcoslog_account_totals(account)->online, 1700);
	/* 700 instructions in 125 us each where both are busy. */
	assert_float_equal(the_core()->capacity, (700.0 * 300 * 2 + 700.0 * 300 + 700.0 * 400 * 2) * 8000 / 1e9, 1e-9);
}

static void performance_and_power(void **state)
{
	const struct bcoslog_account_process *ten, *twenty;

	begin_in(0, 0);
	group();
	moment(1000);
	assign(1, 1400, 20);
	moment(2000);
	end();
	ten = bcoslog_account_process(account, 10);
	twenty = bcoslog_account_process(account, 20);
	assert_float_equal(ten->work.instructions, (1000.0 * 400 + 700.0 * 600) * 8000 / 1e9, 1e-9);
	assert_float_equal(twenty->work.instructions, 700.0 * 600 * 8000 / 1e9, 1e-9);
	assert_float_equal(ten->work.joules, (300.0 * 400 + 150.0 * 600) * 2e-3 / 1e9, 1e-15);
	assert_float_equal(twenty->work.joules, 150.0 * 600 * 2e-3 / 1e9, 1e-15);
	assert_float_equal(the_core()->work.joules, 400.0 * 1000 * 2e-3 / 1e9, 1e-15);
	assert_float_equal(the_core()->work.instructions, (1000.0 * 400 + 1400.0 * 600) * 8000 / 1e9, 1e-9);
	assert_int_equal(ten->work.power_unknown, 0);
	assert_int_equal(ten->work.performance_unknown, 0);
	assert_false(ten->work.at_least);
	assert_int_equal(the_core()->idle, 0);
	assert_int_equal(told.segments, 1000);
}

static void estimates_hold_from_their_place_on(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	moment(1300);
	/* Unknown power, a table of one CPU's work. */
	core(BCOS_CORE_ONLINE, 1300, 0, 0, 1);
	assign(1, 1500, 20);
	moment(1600);
	core(BCOS_HIST_CORE_ONLINE, 5, 0xFFFF, 0, 2);
	moment(2000);
	end();
	/* One busy: 1000 for 500 ns; both: the only entry, assumed, for 100; then 700 for 400. */
	assert_float_equal(bcoslog_account_process(account, 10)->work.instructions,
			   (1000.0 * 500 + 1000.0 * 100 + 700.0 * 400) * 8000 / 1e9, 1e-9);
	assert_int_equal(bcoslog_account_process(account, 10)->work.performance_assumed, 100);
	assert_int_equal(bcoslog_account_process(account, 10)->work.power_unknown, 300);
	assert_true(bcoslog_account_process(account, 10)->work.at_least);
	assert_float_equal(the_core()->work.joules, (400.0 * 300 + 65535.0 * 400) * 2e-3 / 1e9, 1e-12);
	assert_int_equal(the_core()->work.power_unknown, 300);
}

static void a_table_of_nothing_is_unknown(void **state)
{
	begin_in(0, 0);
	group();
	core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 0);
	moment(1000);
	moment(2000);
	end();
	assert_int_equal(bcoslog_account_process(account, 10)->work.performance_unknown, 1000);
	assert_float_equal(bcoslog_account_process(account, 10)->work.joules, 300.0 * 1000 * 2e-3 / 1e9, 1e-15);
}

static void an_unknown_sibling_makes_work_unknown(void **state)
{
	begin_in(0, 0);
	group();
	moment(1000);
	cpu_event(1, 1200, BCOS_EVENT_LOSS, "lost 1 assignments: staging full, until 0.000001200 s");
	assign(1, 1700, IDLE);
	moment(2000);
	end();
	assert_int_equal(bcoslog_account_process(account, 10)->work.performance_unknown, 500);
	assert_int_equal(bcoslog_account_process(account, 10)->work.power_unknown, 500);
	assert_int_equal(the_core()->work.power_unknown, 500);
}

/* ---- devices ----------------------------------------------------------------------------- */

static void bytes_and_interrupts(void **state)
{
	const struct bcoslog_account_device *sda, *eth;
	struct bcoslog_latency latency;

	begin_in(0, 0);
	group();
	moment(1000);
	word(BCOS_DEVICE_OUTPUT, ETH, 1050, 60);
	word(BCOS_IRQ, 0, 1100, 0);
	word(BCOS_DEVICE_INPUT, 0, 1130, 4096);
	word(BCOS_DEVICE_INPUT, 0, 1140, 512);
	word(BCOS_IRQ, 0, 1200, 0);
	word(BCOS_IRQ, 0, 1300, 1);
	/* More than 32 bits hold: one transfer. */
	word(BCOS_DEVICE_OUTPUT, 0, 1310, 0xFFFFFFFF);
	word(BCOS_DEVICE_OUTPUT, 0, 1310, 1);
	apply(made_event(&made, BCOS_GENERIC_DEVICE, 0, 1400, 0, BCOS_SEVERITY_ERROR, "read failed: errno 5"));
	apply(made_event(&made, BCOS_GENERIC_DEVICE, ETH, 1400, 0, BCOS_SEVERITY_INFO, "link up"));
	end();
	sda = bcoslog_account_device(account, 0);
	eth = bcoslog_account_device(account, ETH);
	assert_int_equal(sda->input, 4608);
	assert_int_equal(sda->inputs, 2);
	assert_true(sda->output == 0x100000000ull);
	assert_int_equal(sda->outputs, 1);
	assert_int_equal(sda->interrupts, 3);
	assert_int_equal(sda->batched, 1);
	assert_int_equal(sda->fruitless, 1);
	assert_int_equal(sda->unprompted, 0);
	assert_int_equal(sda->faults, 1);
	assert_int_equal(eth->output, 60);
	assert_int_equal(eth->unprompted, 1);
	assert_int_equal(eth->faults, 0);
	bcoslog_account_latency(sda, &latency);
	assert_int_equal(latency.count, 2);
	assert_int_equal(latency.minimum, 10);
	assert_int_equal(latency.maximum, 30);
	assert_int_equal(latency.maximum_at, 1130);
	assert_int_equal(latency.median, 10);
	assert_int_equal(latency.ninety_nine, 30);
	bcoslog_account_latency(eth, &latency);
	assert_int_equal(latency.count, 0);
}

static void quantiles_are_close(void **state)
{
	struct bcoslog_latency latency;
	uint64_t i, time = 1000;

	begin_in(0, 0);
	group();
	/* 1000, 2000 ... 200000 ns. */
	for (i = 1; i <= 200; i++) {
		word(BCOS_IRQ, 0, time, 0);
		time += i * 1000;
		word(BCOS_DEVICE_INPUT, 0, time, 1);
	}
	bcoslog_account_latency(bcoslog_account_device(account, 0), &latency);
	assert_int_equal(latency.count, 200);
	assert_int_equal(latency.minimum, 1000);
	assert_int_equal(latency.maximum, 200000);
	assert_in_range(latency.median, 100000, 100000 + 100000 / 16);
	assert_in_range(latency.ninety_nine, 198000, 200000);
}

static void a_lost_interrupt_prompts_nothing(void **state)
{
	struct bcoslog_latency latency;

	begin_in(0, 0);
	group();
	word(BCOS_IRQ, 0, 1100, 0);
	cpu_event(1, 1200, BCOS_EVENT_LOSS, "lost 1 interrupts: staging full, until 0.000001200 s");
	word(BCOS_DEVICE_INPUT, 0, 1300, 512);
	end();
	bcoslog_account_latency(bcoslog_account_device(account, 0), &latency);
	assert_int_equal(latency.count, 0);
	assert_int_equal(bcoslog_account_device(account, 0)->unprompted, 1);
}

static void devices_end_and_are_stacked(void **state)
{
	begin_in(0, 0);
	group();
	device(BCOS_SET_DEVICE_NAME, 1, 1100, "dm-0 (stacked)");
	word(BCOS_DEVICE_INPUT, 1, 1200, 512);
	assert_true(bcoslog_account_device(account, 1)->stacked);
	assert_false(bcoslog_account_device(account, 0)->stacked);
	word(BCOS_CANCEL_DEVICE_NAME, 1, 1300, 0);
	assert_int_equal(told.devices_ended, 1);
	assert_int_equal(told.last_device.input, 512);
	assert_null(bcoslog_account_device(account, 1));
	end();
}

/* ---- anything ------------------------------------------------------------------------------ */

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(seed >> 8) * below >> 24);
}

static void any_entry(uint64_t time)
{
	static const uint16_t types[] = {
		BCOS_ASSIGN_CPU, BCOS_ASSIGN_CPU, BCOS_ASSIGN_CPU, BCOS_HIST_ASSIGN_CPU, BCOS_CPU_ONLINE,
		BCOS_HIST_CPU_ONLINE, BCOS_CANCEL_PROCESS_NAME, BCOS_DEVICE_INPUT, BCOS_DEVICE_OUTPUT, BCOS_IRQ,
		BCOS_CANCEL_DEVICE_NAME,
	};
	static const char *const texts[] = {
		"lost 1 assignments: staging full, until 0.000001200 s", "lost 2 interrupts: staging full",
		"class mask 0x1f -> 0x1e: assign off", "class mask 0x1e -> 0x1f: assign on", "nothing",
	};
	uint32_t pick = any(20);

	if (pick < 11) {
		word(types[pick], any(6), time, types[pick] == BCOS_CPU_ONLINE || types[pick] == BCOS_HIST_CPU_ONLINE ?
						any(3) : any(10) ? any(8) : IDLE);
		return;
	}
	switch (pick) {
	case 11:
	case 12:
		name(any(2) ? BCOS_SET_PROCESS_NAME : BCOS_HIST_SET_PROCESS_NAME, any(8), time, any(2) ? "a" : "bb");
		break;
	case 13:
		device(any(2) ? BCOS_SET_DEVICE_NAME : BCOS_HIST_SET_DEVICE_NAME, any(6), time, "d");
		break;
	case 14:
		apply(made_core(&made, any(2) ? BCOS_CORE_ONLINE : BCOS_HIST_CORE_ONLINE, any(3), time,
				(uint16_t)any(0x10000), (uint16_t)any(0x10000), performance, any(3)));
		break;
	case 15:
		if (!any(8))
			apply(made_entry(&made, BCOS_CPU_OFFLINE, any(6), time, NULL, 0));
		break;
	case 16:
		if (!any(20))
			apply(made_event(&made, BCOS_GENERIC_DEVICE, SELF, time, BCOS_EVENT_MISSED,
					 BCOS_SEVERITY_ERROR, "missed 5 entries"));
		break;
	case 17:
		cpu_event(any(6), time, any(2) ? BCOS_EVENT_LOSS : BCOS_EVENT_MASK, texts[any(5)]);
		break;
	default:
		moment(time);
		break;
	}
}

static void sums_hold_for_any_log(void **state)
{
	uint64_t time;
	unsigned int round, i;

	for (round = 0; round < 200; round++) {
		if (round % 2)
			begin_in(0, 0);
		else
			begin_in(any(20000), 20000 + any(20000));
		time = 1000;
		if (any(4))
			group();
		for (i = 0; i < 1000; i++) {
			/* A hostile log may go back. */
			time += any(50) ? any(100) : -(uint64_t)any(200);
			any_entry(time);
			if (!any(100))
				bcoslog_account_settle(account);
		}
		end();
		bcoslog_account_free(account);
		account = NULL;
	}
}

#define TEST(function) cmocka_unit_test_teardown(function, down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(state_comes_from_the_group),
		TEST(a_window_cuts_what_goes_on),
		TEST(a_window_behind_the_log_is_empty),
		TEST(no_entry_is_an_account_too),
		TEST(settling_changes_nothing),
		TEST(lost_assignments_are_unknown_time),
		TEST(who_comes_after_a_loss_is_exact),
		TEST(other_losses_leave_cpus_known), TEST(losses_by_their_texts),
		TEST(a_loss_of_anything_is_one_of_all),
		TEST(overtaken_is_unknown_until_the_next_group),
		TEST(a_class_that_is_off_is_unknown),
		TEST(time_in_the_kernel_takes_all_assignments),
		TEST(unnamed_is_unknown_and_counted),
		TEST(an_id_may_come_again),
		TEST(a_name_may_change),
		TEST(repeated_history_is_no_news),
		TEST(who_ends_on_a_cpu_leaves_it),
		TEST(off_the_cpu),
		TEST(an_offline_cpu_is_no_capacity),
		TEST(performance_and_power),
		TEST(estimates_hold_from_their_place_on),
		TEST(a_table_of_nothing_is_unknown),
		TEST(an_unknown_sibling_makes_work_unknown),
		TEST(bytes_and_interrupts),
		TEST(quantiles_are_close),
		TEST(a_lost_interrupt_prompts_nothing),
		TEST(devices_end_and_are_stacked),
		TEST(sums_hold_for_any_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
