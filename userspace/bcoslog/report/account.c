// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The account of a report, which a program without a screen has as well: see report.h. */
#include <errno.h>

#include "options/window.h"
#include "report.h"
#include "complain/complain.h"

const struct bcoslog_thread_sinks report_sleeps;

/* All sinks have the same context. */
static void begin_threads(struct report *report)
{
	struct bcoslog_thread_sinks threads = *report->threads;

	threads.context = report->sinks.context;
	bcoslog_account_threads(report->account, &threads);
}

/* The window is known when the first entries are here, also if options give it by the wall clock: see hold.c. */
int report_begin(struct report *report)
{
	u64 since, until;

	window_get(&report->session->window, &report->session->clock, &since, &until);
	report->sinks.since = since;
	report->sinks.until = until;
	report->sinks.context = report->context ? report->context : report;
	report->account = bcoslog_account_new(&report->sinks);
	if (report->account && report->threads)
		begin_threads(report);
	if (report->account && report->stretch)
		bcoslog_account_stretches(report->account, report->stretch, report->sinks.context);
	if (report->account)
		return 0;
	complain("no memory");
	return -ENOMEM;
}
