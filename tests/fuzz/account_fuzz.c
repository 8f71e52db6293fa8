// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any log into the account: what each CPU was used for adds up to the time
 * that it was online, intervals to the same, and processes to CPUs.
 *
 * Input: the window's begin and length in microseconds, 16 bits each, then the log.
 */
#include <stdlib.h>

#include "bcoslog_account.h"
#include "entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sums {
	u64 intervals[BCOSLOG_USES];
	u64 processes;
};

static void demand(bool holds)
{
	if (!holds)
		abort();
}

static void interval(void *context, const struct bcoslog_interval *told)
{
	demand(told->begin <= told->end);
	((struct sums *)context)->intervals[told->use] += told->end - told->begin;
}

static void ended(void *context, const struct bcoslog_account_process *process)
{
	((struct sums *)context)->processes += process->time;
}

static void add_up(struct bcoslog_account *account, struct sums *sums)
{
	const struct bcoslog_account_totals *totals = bcoslog_account_totals(account);
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_device *device = NULL;
	const struct bcoslog_account_cpu *cpu = NULL;
	struct bcoslog_latency latency;
	u64 sum;
	int use;

	while ((cpu = bcoslog_account_next_cpu(account, cpu))) {
		for (sum = 0, use = 0; use < BCOSLOG_USES; use++)
			sum += cpu->time[use];
		demand(sum == cpu->online);
	}
	for (use = 0; use < BCOSLOG_USES; use++)
		demand(sums->intervals[use] == totals->time[use]);
	while ((process = bcoslog_account_next_process(account, process)))
		sums->processes += process->time;
	demand(sums->processes == totals->time[BCOSLOG_USE_PROCESS] + totals->time[BCOSLOG_USE_KERNEL]);
	while ((device = bcoslog_account_next_device(account, device))) {
		bcoslog_account_latency(device, &latency);
		demand(latency.minimum <= latency.median && latency.median <= latency.ninety_nine &&
		       latency.ninety_nine <= latency.maximum);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bcoslog_account_options options = { .interval = interval, .process_ended = ended };
	struct sums sums = { { 0 }, 0 };
	struct bcoslog_account *account;
	u16 window[2];
	size_t length;
	u8 *entry;

	if (size < sizeof(window))
		return 0;
	memcpy(window, data, sizeof(window));
	data += sizeof(window);
	size -= sizeof(window);
	options.since = window[0] * 1000ull;
	options.until = window[1] ? options.since + window[1] * 1000ull : 0;
	options.context = &sums;
	account = bcoslog_account_new(&options);
	demand(account);
	for (; !bcos_entry_check(data, size); data += length, size -= length) {
		length = ((const struct bcos_entry *)data)->size;
		/* On its own, so that whatever is read beyond it is seen. */
		entry = malloc(length);
		demand(entry);
		memcpy(entry, data, length);
		demand(!bcoslog_account_entry(account, (const struct bcos_entry *)entry));
		free(entry);
		if (length == 24)
			bcoslog_account_settle(account);
	}
	bcoslog_account_end(account);
	add_up(account, &sums);
	bcoslog_account_free(account);
	return 0;
}
