// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counts failed allocations and dropped records: see dropped.h. bcos_log_write_dropped() states the
 * counts.
 */
#include "dropped.h"

void bcos_log_starved(struct bcos_log *log)
{
	log->stats.lost[BCOS_LOST_MEMORY]++;
	if (!log->starved++)
		log->starved_since = log->time;
	log->needs_walk = true;
}

void bcos_log_missed(struct bcos_log *log, enum bcos_missed_kind kind,
		     const struct bcos_missed *missed)
{
	struct bcos_missed *sum = &log->missed[kind];

	log->stats.lost[BCOS_LOST_SOURCE] += missed->count;
	if (!sum->count || missed->since < sum->since)
		sum->since = missed->since;
	if (sum->until < missed->until)
		sum->until = missed->until;
	sum->count += missed->count;
	log->needs_walk = true;
}

void bcos_log_unnamed(struct bcos_log *log)
{
	if (!log->begun)
		return;
	log->stats.unnamed++;
	log->stats.lost[BCOS_LOST_UNNAMED]++;
}

void bcos_log_stray(struct bcos_log *log)
{
	if (!log->begun)
		return;
	bcos_log_unnamed(log);
	if (!log->strays++)
		log->strays_since = log->time;
}

void bcos_log_beyond(struct bcos_log *log, u64 *count)
{
	log->stats.lost[BCOS_LOST_LIMIT]++;
	if (!log->beyond.interfaces && !log->beyond.packets)
		log->beyond.since = log->time;
	++*count;
}
