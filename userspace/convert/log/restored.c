// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A log is made again of a trace that was made of a log: see restored.h. */
#include "restored.h"

/* A name, a core or a CPU that the log stated later than at its beginning: something about it was lost. */
static int take_lost(struct log_writer *log, enum bcoslog_news news, struct bcos_entry *entry, u64 now)
{
	bool again = news == BCOSLOG_OTHER_TIME && (entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_CORE;
	struct moment since = { entry->time, entry->precision };

	/* It has ended, and another one of its ID has begun, since when is known. */
	if (again && entry->type == BCOS_HIST_SET_PROCESS_NAME && log_process_end(log, since, entry->source, 0))
		return log_writer_error(log);
	if (again && entry->type == BCOS_HIST_SET_DEVICE_NAME && log_device_end(log, since, entry->source, 0))
		return log_writer_error(log);
	entry->type &= (u16)~BCOS_TYPE_HISTORICAL;
	if (news != BCOSLOG_NEWS && !again) {
		/* It is the same one, and changed at some time until now. */
		entry->time = now;
		entry->precision = 0;
	}
	return log_entry(log, entry);
}

static int take_state(struct log_writer *log, struct bcoslog_state *state, u64 start, struct bcos_entry *entry, u64 now)
{
	enum bcoslog_news news = bcoslog_state_compare(state, entry);
	int r;

	if (news == BCOSLOG_REPEATED)
		return 0;
	r = bcoslog_state_apply(state, entry);
	if (r)
		return r;
	if (now <= start || (news == BCOSLOG_NEWS && entry->time <= start))
		return log_entry(log, entry);
	return take_lost(log, news, entry, now);
}

int log_restored(struct log_writer *log, struct bcoslog_state *state, u64 start,
		 struct bcos_entry *entry, u64 now)
{
	const struct bcos_assign_cpu *assign = (const struct bcos_assign_cpu *)entry;
	int r = 0;

	if (entry->type == BCOS_HIST_ASSIGN_CPU) {
		if (now <= start)
			return log_entry(log, entry);
		/* After a reader was overtaken, that may be long after the notice, whose time the group has. */
		return log_assign(log, (struct moment){ now > entry->time ? now : entry->time, 0 }, entry->source, assign->process);
	}
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return take_state(log, state, start, entry, now);
	/* After an overtaken reader, a group is compared with what was true before. */
	if (entry->type != BCOS_ASSIGN_CPU && entry->type != BCOS_IRQ && entry->type != BCOS_DEVICE_INPUT &&
	    entry->type != BCOS_DEVICE_OUTPUT && !bcoslog_is_missed(entry))
		r = bcoslog_state_apply(state, entry);
	return r ? r : log_entry(log, entry);
}
