// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Gives any log to the account: the uses of each CPU add up to the time for which it was online, and intervals and
 * processes to the same as CPUs.
 *
 * Input: the window's begin and length in microseconds, 16 bits each, then the log.
 */
#include <stdio.h>
#include <stdlib.h>

#include "balance.h"
#include "account/report.h"
#include "core/format/entry.h"
#include "demand.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void latencies_are_ordered(const struct bcoslog_account *account)
{
	const struct bcoslog_account_device *device = NULL;
	struct bcoslog_latency latency;

	while ((device = bcoslog_account_next_device(account, device))) {
		bcoslog_account_latency(device, &latency);
		demand_that(latency.minimum <= latency.median && latency.median <= latency.ninety_nine &&
			    latency.ninety_nine <= latency.maximum);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct balance balance;
	const char *wrong;
	u16 window[2];
	u16 length;
	u8 *entry;

	if (size < sizeof(window))
		return 0;
	memcpy(window, data, sizeof(window));
	data += sizeof(window);
	size -= sizeof(window);
	balance_begin(&balance, window[0] * 1000ull, window[1] ? (window[0] + window[1]) * 1000ull : 0);
	for (; !bcos_entry_check(data, size); data += length, size -= length) {
		memcpy(&length, data, sizeof(length));
		/* The entry has memory of its own, so that the sanitizer notices a read beyond its end. */
		entry = malloc(length);
		demand_that(entry);
		memcpy(entry, data, length);
		balance_entry(&balance, (const struct bcos_entry *)entry);
		free(entry);
		if (length == 24)
			bcoslog_account_settle(balance.account);
	}
	wrong = balance_end(&balance);
	if (wrong)
		puts(wrong);
	demand_that(!wrong);
	latencies_are_ordered(balance.account);
	balance_free(&balance);
	return 0;
}
