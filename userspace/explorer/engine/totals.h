/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions that write the totals of an account as JSON, which bcoslog cpu, io, power and top print, too. */
#ifndef EXPLORER_TOTALS_H
#define EXPLORER_TOTALS_H

#include "bcoslog_account.h"
#include "account/report.h"

/* Sums over devices. They exclude stacked devices, which pass their transfers on to other devices. */
struct totals_io {
	u64 input, output, inputs, outputs, interrupts, faults;
	bool at_least;
};

/* Write a process as an element of an array, unless the log has no activity of the process in the window. */
void totals_process(const struct bcoslog_account_process *process);
/* Write a device as an element of an array, unless the log has no activity of the device in the window. */
void totals_device(const struct bcoslog_account_device *device, const struct bcoslog_latency *latency,
		   struct totals_io *sum);
/* Write the members of the answer after the arrays of processes and devices. The account has settled. */
void totals_rest(const struct bcoslog_account *account, const struct totals_io *sum);

#endif
