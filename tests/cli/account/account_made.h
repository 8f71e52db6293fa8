/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tests of the account share this: an account, the events that it reported while entries were applied, a log that
 * is made by hand, and the log's end, at which the sums have to add up.
 */
#ifndef BCOS_TESTS_CLI_ACCOUNT_MADE_H
#define BCOS_TESTS_CLI_ACCOUNT_MADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bcoslog_account.h"
#include "account/report.h"
#include "made_log.h"

#define SELF BCOS_DEVICE_SELF
#define ETH BCOS_DEVICE_NETWORK
#define IDLE BCOS_PROCESS_IDLE

static const uint32_t performance[] = { 1000, 700 };

/* The calls that the account made while entries were applied. */
static struct told {
	uint64_t interval[BCOSLOG_USES];	/* sum of all intervals, in ns */
	unsigned int intervals;
	uint64_t segments;			/* sum of all segments, in ns */
	unsigned int ended, vanished;
	uint64_t ended_time;			/* CPU time of all processes that ended, in ns */
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

static inline void count_interval(void *context, const struct bcoslog_interval *told_of)
{
	assert_true(told_of->begin <= told_of->end);
	told.interval[told_of->use] += told_of->end - told_of->begin;
	told.intervals++;
}

static inline void count_segment(void *context, const struct bcoslog_segment *told_of)
{
	assert_true(told_of->begin < told_of->end);
	told.segments += told_of->end - told_of->begin;
}

static inline void count_off(void *context, const struct bcoslog_account_process *process, __u64 begin, __u64 end,
			     __u32 cpu)
{
	told.offs++;
	told.off_process = process->id;
	told.off_begin = begin;
	told.off_end = end;
	told.off_cpu = cpu;
}

static inline void process_ended(void *context, const struct bcoslog_account_process *process)
{
	told.ended++;
	told.vanished += process->vanished;
	told.ended_time += process->time;
	told.last_ended = *process;
}

static inline void device_ended(void *context, const struct bcoslog_account_device *device)
{
	told.devices_ended++;
	told.last_device = *device;
}

static inline void count_transfer(void *context, const struct bcoslog_account_device *device, bool output, __u64 time,
				  __u32 bytes)
{
	told.bytes += bytes;
}

static inline void count_interrupt(void *context, const struct bcoslog_account_device *device, __u64 time)
{
	told.interrupts++;
}

static inline void note_unknown(void *context, __u32 lost, __u64 begin, __u64 end)
{
	told.unknown |= lost;
	told.unknown_begin = begin;
	told.unknown_end = end;
}

static inline void begin_in(uint64_t since, uint64_t until)
{
	const struct bcoslog_account_options options = {
		.since = since, .until = until, .interval = count_interval, .segment = count_segment, .off = count_off,
		.process_ended = process_ended, .device_ended = device_ended, .transfer = count_transfer,
		.interrupt = count_interrupt, .unknown = note_unknown,
	};

	bcoslog_account_free(account);
	memset(&told, 0, sizeof(told));
	account = bcoslog_account_new(&options);
	assert_non_null(account);
}

static inline int free_account(void **state)
{
	bcoslog_account_free(account);
	account = NULL;
	return 0;
}

static inline void apply_entry(const struct bcos_entry *entry)
{
	assert_int_equal(bcoslog_account_entry(account, entry), 0);
}

static inline void apply_core(uint16_t type, uint64_t time, uint16_t idle, uint16_t difference, size_t count)
{
	apply_entry(made_core(&made, type, 0, time, idle, difference, performance, count));
}

static inline void apply_word(uint16_t type, uint32_t source, uint64_t time, uint32_t value)
{
	apply_entry(made_word(&made, type, source, time, value));
}

static inline void apply_name(uint16_t type, uint32_t source, uint64_t time, const char *text)
{
	apply_entry(made_name(&made, type, source, time, text));
}

static inline void apply_device(uint16_t type, uint32_t source, uint64_t time, const char *text)
{
	apply_entry(made_device(&made, type, source, time, 0, text));
}

static inline void assign_cpu(uint32_t cpu, uint64_t time, uint32_t process)
{
	apply_word(BCOS_ASSIGN_CPU, cpu, time, process);
}

/* Applies an entry that only has a time. */
static inline void apply_moment(uint64_t time)
{
	apply_entry(made_event(&made, BCOS_GENERIC_PROCESS, 0, time, 0, BCOS_SEVERITY_INFO, "tick"));
}

static inline void cpu_event(uint32_t cpu, uint64_t time, uint32_t id, const char *text)
{
	apply_entry(made_event(&made, BCOS_GENERIC_CPU, cpu, time, id, BCOS_SEVERITY_ERROR, text));
}

/* Applies a group: a core of two CPUs, of which CPU 0 has run process 10 since 100. */
static inline void apply_group(void)
{
	apply_core(BCOS_HIST_CORE_ONLINE, 5, 100, 300, 2);
	apply_word(BCOS_HIST_CPU_ONLINE, 0, 5, 0);
	apply_word(BCOS_HIST_CPU_ONLINE, 1, 6, 0);
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel");
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten");
	apply_name(BCOS_HIST_SET_PROCESS_NAME, 20, 60, "twenty");
	apply_device(BCOS_HIST_SET_DEVICE_NAME, 0, 40, "sda");
	apply_device(BCOS_HIST_SET_DEVICE_NAME, ETH, 41, "eth0");
	apply_device(BCOS_HIST_SET_DEVICE_NAME, SELF, 42, "bcos_evlog");
	apply_word(BCOS_HIST_ASSIGN_CPU, 0, 100, 10);
	apply_word(BCOS_HIST_ASSIGN_CPU, 1, 200, IDLE);
}

static inline const struct bcoslog_account_cpu *find_cpu(uint32_t id)
{
	const struct bcoslog_account_cpu *each = NULL;

	while ((each = bcoslog_account_next_cpu(account, each)))
		if (each->id == id)
			return each;
	return NULL;
}

static inline const struct bcoslog_account_core *the_core(void)
{
	return bcoslog_account_next_core(account, NULL);
}

static inline uint64_t time_of(uint32_t id)
{
	const struct bcoslog_account_process *process = bcoslog_account_process(account, id);

	assert_non_null(process);
	return process->time;
}

/*
 * Ends the log, and asserts that each CPU's uses add up to its online time, processes to CPUs, and intervals to both.
 */
static inline void end_log(void)
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
		assert_int_equal(find_cpu(id)->time[BCOSLOG_USE_PROCESS], process);			\
		assert_int_equal(find_cpu(id)->time[BCOSLOG_USE_KERNEL], kernel);			\
		assert_int_equal(find_cpu(id)->time[BCOSLOG_USE_IDLE], idle);				\
		assert_int_equal(find_cpu(id)->time[BCOSLOG_USE_UNKNOWN], not_known);			\
	} while (0)

#define TEST(function) cmocka_unit_test_teardown(function, free_account)

#endif
