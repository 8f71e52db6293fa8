// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How far the reading of a log that grows is behind the present: see lag.h. */
#include "core/format/entry.h"

#include "host/linux.h"
#include "lag.h"
#include "source.h"

u64 lag_newest(const struct bcoslog_batch *batch, u64 known)
{
	const struct bcos_entry *entry;

	bcoslog_each(entry, batch)
		if (!(entry->type & BCOS_TYPE_HISTORICAL) && entry->time > known)
			known = entry->time;
	return known;
}

bool lag_is_known(const struct run *run)
{
	enum bcoslog_kind kind = bcoslog_kind(run->log);

	return kind == BCOSLOG_DEVICE || kind == BCOSLOG_BPF || run->session->asked_recorder;
}

u64 lag_since(const struct run *run, u64 newest)
{
	u64 now = clock_now(CLOCK_BOOTTIME);

	return newest && now > newest && lag_is_known(run) ? now - newest : 0;
}
