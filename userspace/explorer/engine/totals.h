/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The totals of an account as JSON: what bcoslog cpu, io, power and top print of it. */
#ifndef EXPLORER_TOTALS_H
#define EXPLORER_TOTALS_H

#include "bcoslog_account.h"

/* Sums over devices, without those that pass on to others what they transfer. */
struct totals_io {
	u64 input, output, inputs, outputs, interrupts, faults;
	bool at_least;
};

/* An element of an array; nothing if the log tells of no activity in the window. */
void totals_process(const struct bcoslog_account_process *process);
void totals_device(const struct bcoslog_account_device *device, const struct bcoslog_latency *latency, struct totals_io *sum);
/* The members that follow the arrays of processes and devices, of an account that has settled. */
void totals_rest(const struct bcoslog_account *account, const struct totals_io *sum);

#endif
