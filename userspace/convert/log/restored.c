// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A log is restored from a trace that was made from a log: see restored.h. */
#include "restored.h"

/* Does the entry state another beginning of its process, device or CPU than the one that is known? */
static bool is_another(const struct bcoslog_state *state, const struct bcos_entry *entry)
{
	const struct bcoslog_process *process;
	const struct bcoslog_device *device;
	const struct bcoslog_cpu *cpu;

	switch (entry->type) {
	case BCOS_HIST_SET_PROCESS_NAME:
		process = bcoslog_process(state, entry->source);
		return process && process->start != entry->time;
	case BCOS_HIST_SET_DEVICE_NAME:
		device = bcoslog_device(state, entry->source);
		return device && device->start != entry->time;
	case BCOS_HIST_CPU_ONLINE:
		cpu = bcoslog_cpu(state, entry->source);
		return cpu && cpu->start != entry->time;
	default:
		return false;
	}
}

/* Returns the moment of something that happened from @begin on until @end; if that is not later, until nobody knows when. */
static struct moment moment_between(u64 begin, u64 end)
{
	return (struct moment){ begin, end > begin && end - begin < SINCE_BOOT ? (u32)(end - begin) : SINCE_BOOT };
}

/*
 * Takes a name, a core or a CPU that the log stated after its beginning, which means that the trace lost something about
 * it. @another: it is another subject of the same ID.
 */
static int take_lost(struct log_writer *log, enum bcoslog_news news, bool another, struct bcos_entry *entry, u64 missed,
		     u64 now)
{
	struct moment end = { entry->time, entry->precision };
	int r = 0;

	/* The known process or device ended at some time until the other one began. */
	if (entry->time > missed)
		end = moment_between(missed, entry->time + entry->precision);
	if (another && entry->type == BCOS_HIST_SET_PROCESS_NAME)
		r = log_process_end(log, end, entry->source, BCOS_STATUS_UNKNOWN);
	else if (another && entry->type == BCOS_HIST_SET_DEVICE_NAME)
		r = log_device_end(log, end, entry->source, BCOS_STATUS_UNKNOWN);
	if (r)
		return r;
	entry->type &= (u16)~BCOS_TYPE_HISTORICAL;
	if (news != BCOSLOG_NEWS && !another) {
		/* The subject is still the same one, and changed at some time since the reader was overtaken. */
		end = moment_between(missed, now);
		entry->time = end.time;
		entry->precision = end.precision;
	}
	return log_entry(log, entry);
}

static int take_state(struct log_writer *log, struct bcoslog_state *state, u64 missed, u64 start, struct bcos_entry *entry,
		      u64 now)
{
	enum bcoslog_news news = bcoslog_state_compare(state, entry);
	bool another = is_another(state, entry);
	int r;

	if (news == BCOSLOG_REPEATED)
		return 0;
	r = bcoslog_state_apply(state, entry);
	if (r)
		return r;
	if (now <= start || (news == BCOSLOG_NEWS && entry->time <= start))
		return log_entry(log, entry);
	return take_lost(log, news, another, entry, missed ? missed : now, now);
}

int log_restored(struct log_writer *log, struct bcoslog_state *state, u64 *missed, u64 start,
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
		return log_assign(log, now > entry->time ? (struct moment){ now, 0 } :
							   (struct moment){ entry->time, entry->precision },
				  entry->source, assign->process);
	}
	if (entry->type & BCOS_TYPE_HISTORICAL)
		return take_state(log, state, *missed, start, entry, now);
	if (bcoslog_is_missed(entry))
		*missed = entry->time;
	/*
	 * After a reader was overtaken, a group follows, which is compared with the state before the notice. So the
	 * notice does not change @state.
	 */
	if (entry->type != BCOS_ASSIGN_CPU && entry->type != BCOS_IRQ && entry->type != BCOS_DEVICE_INPUT &&
	    entry->type != BCOS_DEVICE_OUTPUT && !bcoslog_is_missed(entry))
		r = bcoslog_state_apply(state, entry);
	return r ? r : log_entry(log, entry);
}
