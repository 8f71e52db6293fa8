// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A log is restored from a trace that was made from a log: see restored.h. */
#include "restored.h"

/*
 * Takes a name, a core or a CPU that the log stated after its beginning, which means that the trace lost something
 * about it.
 */
static int take_lost(struct log_writer *log, enum bcoslog_news news, struct bcos_entry *entry, u64 now)
{
	bool again = news == BCOSLOG_OTHER_TIME && (entry->type & BCOS_TYPE_SUBJECT_MASK) != BCOS_SUBJECT_CORE;
	struct moment since = { entry->time, entry->precision };

	/*
	 * The known process or device of this ID has ended, and another one has begun, at the time that the entry
	 * states.
	 */
	if (again && entry->type == BCOS_HIST_SET_PROCESS_NAME && log_process_end(log, since, entry->source, BCOS_STATUS_UNKNOWN))
		return log_writer_error(log);
	if (again && entry->type == BCOS_HIST_SET_DEVICE_NAME && log_device_end(log, since, entry->source, BCOS_STATUS_UNKNOWN))
		return log_writer_error(log);
	entry->type &= (u16)~BCOS_TYPE_HISTORICAL;
	if (news != BCOSLOG_NEWS && !again) {
		/* The subject is still the same one, and changed at some time until now. */
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
		/*
		 * After a reader was overtaken, the group has the time of the notice, and this assignment may have
		 * happened much later.
		 */
		return log_assign(log, (struct moment){ now > entry->time ? now : entry->time, 0 }, entry->source,
				  assign->process);
	}
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return take_state(log, state, start, entry, now);
	/*
	 * After a reader was overtaken, a group follows, which is compared with the state before the notice. So the
	 * notice does not change @state.
	 */
	if (entry->type != BCOS_ASSIGN_CPU && entry->type != BCOS_IRQ && entry->type != BCOS_DEVICE_INPUT &&
	    entry->type != BCOS_DEVICE_OUTPUT && !bcoslog_is_missed(entry))
		r = bcoslog_state_apply(state, entry);
	return r ? r : log_entry(log, entry);
}
