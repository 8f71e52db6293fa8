// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums over CPUs and over processes: see once.h. */
#include "once.h"
#include "options/filter.h"

void top_sum_cpus(const struct report *report, struct top_sums *sums)
{
	const struct bcoslog_account_cpu *cpu = NULL;
	unsigned int use;

	*sums = (struct top_sums){ 0 };
	while ((cpu = bcoslog_account_next_cpu(report->account, cpu))) {
		if (!filter_wants_cpu(&report->session->filter, cpu->id, cpu->core))
			continue;
		sum_add(&sums->online, cpu->online);
		for (use = 0; use < BCOSLOG_USES; use++)
			sum_add(&sums->time[use], cpu->time[use]);
	}
}

void top_add_life(struct life *life, const struct life *other)
{
	struct bcoslog_account_process *sum = &life->process;
	const struct bcoslog_account_process *process = &other->process;

	sum_add(&life->bounds.time, other->bounds.time);
	life->bounds.instructions += other->bounds.instructions;
	life->bounds.joules += other->bounds.joules;
	life->bounds.time_known &= other->bounds.time_known;
	life->bounds.instructions_known &= other->bounds.instructions_known;
	life->bounds.joules_known &= other->bounds.joules_known;
	sum_add(&sum->time, process->time);
	sum->turns += process->turns;
	sum->at_least |= process->at_least;
	sum->lost |= process->lost;
	sum->work.instructions += process->work.instructions;
	sum->work.joules += process->work.joules;
	sum_add(&sum->work.performance_unknown, process->work.performance_unknown);
	sum_add(&sum->work.power_unknown, process->work.power_unknown);
	sum->work.at_least |= process->work.at_least;
}

void top_share_unknown(struct life *life, const struct top_sums *sums)
{
	u64 most = sum_of(life->process.time, sums->time[BCOSLOG_USE_UNKNOWN]);

	if (life->bounds.time > most)
		life->bounds.time = most;
}
