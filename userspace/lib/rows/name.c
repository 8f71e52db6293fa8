// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table name: from when until when a process had a name. */
#include <stdlib.h>

#include "account/account.h"
#include "buffer.h"

enum { TS, DUR, UPID, PID, NAME, BEGINS, ENDS, COMPLETE, COLUMNS };

static const struct bcoslog_rows_column columns[] = {
	[TS] = { "ts", BCOSLOG_INTEGER, "from when on the log tells of this name, ns since boot" },
	[DUR] = { "dur", BCOSLOG_INTEGER, "for how long it had it, ns; to the end of the log if it has it there; NULL if it lost it at an "
					  "unknown time" },
	[UPID] = { "upid", BCOSLOG_INTEGER, "the process, as in the table process" },
	[PID] = { "pid", BCOSLOG_INTEGER, "its process ID" },
	[NAME] = { "name", BCOSLOG_TEXT, "the name" },
	[BEGINS] = { "begins", BCOSLOG_INTEGER, "1 if it got the name at ts; 0 if it may have had it before" },
	[ENDS] = { "ends", BCOSLOG_INTEGER, "1 if it lost the name, or ended, at the end of this time; 0 if not, or if that is unknown" },
	[COMPLETE] = { "complete", BCOSLOG_INTEGER, "1 if no change of the name can be missing; 0 if some may have been lost" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) == COLUMNS, "each column has a name");

/* The present name of a process, as @more of struct known_process. */
struct naming {
	const struct kept_name *name;
	u64 since;			/* from when on the log tells of it; 0: from the beginning */
	bool begins;			/* the process got it then */
};

/* A name that the account gets next; what comes of it shows afterwards. */
struct rows_naming {
	bool pending, history;
	u32 id;
	u64 time;
	u64 first;			/* time of the first normal entry; 0 if there was none */
};

/* Adds a row for a name that the process has had up to @end; UINT64_MAX if nobody knows until when. */
static void add_name(struct bcoslog_rows *rows, const struct bcoslog_account_process *process, const struct naming *naming, u64 end,
		     bool ends)
{
	const struct bcoslog_rows_options *options = &rows->options;
	u64 since = naming->since ? naming->since : rows->naming->first, begin = since > options->since ? since : options->since;
	const struct known_process *known;
	struct bcoslog_value *row;

	if ((end < options->since && end < begin) || !rows_wants_time(rows, begin) || !rows_wants_pid(rows, process->id))
		return;
	known = rows_process(rows, process);
	row = known ? rows_add(rows) : NULL;
	if (!row)
		return;
	if (options->until && end != UINT64_MAX && end > options->until) {
		end = options->until;
		ends = false;
	}
	/* A group alone tells of no time. */
	if (rows->begun)
		value_set(&row[TS], begin);
	if (rows->begun && end != UINT64_MAX)
		value_set(&row[DUR], end > begin ? end - begin : 0);
	value_set(&row[UPID], (u64)known->upid);
	value_set(&row[PID], process->id);
	value_set_name(&row[NAME], naming->name);
	value_set(&row[BEGINS], naming->begins && begin == since);
	value_set(&row[ENDS], ends);
	value_set(&row[COMPLETE], !rows->damaged && end != UINT64_MAX && !(account_lost_since(rows->account, since) & BCOSLOG_LOST_LIVES));
}

static void begin_naming(struct bcoslog_rows *rows, const struct bcoslog_account_process *process, struct known_process *known)
{
	const struct rows_naming *pending = rows->naming;
	struct naming *naming = calloc(1, sizeof(*naming));

	rows->no_memory |= !naming;
	if (!naming)
		return;
	*naming = (struct naming){ .name = known->name, .since = process->born ? process->start : pending->time, .begins = process->born };
	known->more = naming;
	known->release = free;
}

/* Looks what came of the name that the account got last. */
static void settle_name(struct bcoslog_rows *rows)
{
	struct rows_naming *pending = rows->naming;
	const struct bcoslog_account_process *process = pending->pending ? bcoslog_account_process(rows->account, pending->id) : NULL;
	struct known_process *known = process ? rows_process(rows, process) : NULL;
	struct naming *naming;

	pending->pending = false;
	if (!known)
		return;
	naming = known->more;
	if (!naming) {
		begin_naming(rows, process, known);
		return;
	}
	/* Equal texts are at one place. */
	if (naming->name == known->name)
		return;
	/* A group restates names: when this one came is not in the log. */
	add_name(rows, process, naming, pending->history ? UINT64_MAX : pending->time, !pending->history);
	*naming = (struct naming){ .name = known->name, .since = pending->time, .begins = !pending->history };
}

static void take_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry)
{
	struct rows_naming *pending = rows->naming;
	bool history = entry->type & BCOS_TYPE_HISTORICAL;

	if (!history && !pending->first)
		pending->first = entry->time;
	if (unlikely(pending->pending))
		settle_name(rows);
	if ((entry->type & ~BCOS_TYPE_HISTORICAL) != BCOS_SET_PROCESS_NAME)
		return;
	*pending = (struct rows_naming){ .pending = true, .history = history, .id = entry->source,
					   .time = history ? rows->now : entry->time, .first = pending->first };
}

/* A name that a process has to its end, or to that of the log. */
static void end_name(struct bcoslog_rows *rows, const struct bcoslog_account_process *process, u64 end)
{
	struct known_process *known = process->user;

	if (!known || !known->more) {
		known = rows_process(rows, process);
		if (known)
			begin_naming(rows, process, known);
	}
	if (known && known->more)
		add_name(rows, process, known->more, end, process->ended);
}

/* If its end is not in the log, its ID has passed to another process, whose name comes. */
static void end_process(struct bcoslog_rows *rows, const struct bcoslog_account_process *process)
{
	end_name(rows, process, process->ended ? process->end : UINT64_MAX);
}

static void begin_names(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)sinks;
	rows->naming = calloc(1, sizeof(*rows->naming));
	rows->no_memory |= !rows->naming;
}

static void end_names(struct bcoslog_rows *rows)
{
	const struct bcoslog_account_process *process = NULL;

	settle_name(rows);
	while ((process = bcoslog_account_next_process(rows->account, process)))
		end_name(rows, process, process->end_lost ? UINT64_MAX : rows->now);
}

const struct rows_kind rows_of_name = {
	.table = {
		.name = "name",
		.about = "a stretch of time for which a process had one name",
		.columns = columns,
		.count = COLUMNS,
	},
	.account = true,
	.keeps = 1ull << NAME,
	.begin = begin_names,
	.entry = take_entry,
	.process_ended = end_process,
	.end = end_names,
};
