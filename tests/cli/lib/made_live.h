/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reports intervals of a growing log, whose entries the test gives one by one. */
#ifndef BCOS_TESTS_CLI_MADE_LIVE_H
#define BCOS_TESTS_CLI_MADE_LIVE_H

#include "made_log.h"
#include "screen/live.h"

#define SECOND 1000000000ull
#define MS 1000000ull

static struct live live;
static struct report report;
static bool lacking;

/* Gives the report an entry. The entry may be lost while memory is lacking. */
static inline void take_entry(const struct bcos_entry *entry)
{
	int r = lacking ? -1 : report.entry(&report, entry);

	lacking |= r || bcoslog_account_entry(report.account, entry);
}

/* Begins a log with two CPUs of a core, and the processes 10 and 20, of which the first has CPU 0. */
static inline void begin_live(bool whole)
{
	static const uint32_t performance[] = { 1000, 2000 };
	struct made made;

	memset(&live, 0, sizeof(live));
	memset(&report, 0, sizeof(report));
	live.whole = whole;
	lacking = live_begin(&live, &report) || report_begin(&report);
	if (lacking)
		return;
	take_entry(made_core(&made, BCOS_HIST_CORE_ONLINE, 0, 5, 100, 300, performance, 2));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 0, 6, 0));
	take_entry(made_word(&made, BCOS_HIST_CPU_ONLINE, 1, 6, 0));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 0, 0, "kernel"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 10, 50, "ten"));
	take_entry(made_name(&made, BCOS_HIST_SET_PROCESS_NAME, 20, 50, "twenty"));
	take_entry(made_device(&made, BCOS_HIST_SET_DEVICE_NAME, 3, 60, 10, "sda"));
	take_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 0, SECOND, 10));
	take_entry(made_word(&made, BCOS_HIST_ASSIGN_CPU, 1, SECOND, BCOS_PROCESS_IDLE));
}

static inline void end_live(void)
{
	live_free(&live);
	bcoslog_account_free(report.account);
}

static inline const struct live_process *row_of(u32 id)
{
	size_t i;

	for (i = 0; i < live.processes.count; i++)
		if (live.processes.of[i].id == id && !live.processes.of[i].others)
			return &live.processes.of[i];
	return NULL;
}

#endif
