// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables thread and turn, where the class state was on. */
#include "buffer.h"
#include "core/format/message.h"

/* ---- thread -------------------------------------------------------------------------------------- */

enum {
	UTID, TID, UPID, PID, NAME, START_TS, END_TS, CPU_NS, TURNS, WAITS, READY_NS, LONGEST_READY_NS, LONGEST_READY_TS, WAKEUPS,
	COMPLETE, THREAD_NAME, THREAD_COLUMNS
};

static const struct bcoslog_rows_column thread_columns[] = {
	[UTID] = { "utid", BCOSLOG_INTEGER, "the thread: unlike tid no other one has it, unless its process used the tid again" },
	[TID] = { "tid", BCOSLOG_INTEGER, "its thread ID" },
	[UPID] = { "upid", BCOSLOG_INTEGER, "its process, as in the table process" },
	[PID] = { "pid", BCOSLOG_INTEGER, "the ID of that process" },
	[NAME] = { "name", BCOSLOG_TEXT, "the name of that process" },
	[START_TS] = { "start_ts", BCOSLOG_INTEGER, "when the log first names it, ns since boot" },
	[END_TS] = { "end_ts", BCOSLOG_INTEGER, "when it ended, ns since boot; NULL if it lives" },
	[CPU_NS] = { "cpu_ns", BCOSLOG_INTEGER, "its CPU time, ns" },
	[TURNS] = { "turns", BCOSLOG_INTEGER, "how often a CPU switched to it" },
	[WAITS] = { "waits", BCOSLOG_INTEGER, "how often it waited for a CPU" },
	[READY_NS] = { "ready_ns", BCOSLOG_INTEGER, "for how long it waited for a CPU in all, ns" },
	[LONGEST_READY_NS] = { "longest_ready_ns", BCOSLOG_INTEGER, "the longest of these waits, ns" },
	[LONGEST_READY_TS] = { "longest_ready_ts", BCOSLOG_INTEGER, "when that ended, ns since boot" },
	[WAKEUPS] = { "wakeups", BCOSLOG_INTEGER, "how often it was woken" },
	[COMPLETE] = { "complete", BCOSLOG_INTEGER, "1 if nothing was lost that these sums count; 0 if they are lower bounds" },
	[THREAD_NAME] = { "thread_name", BCOSLOG_TEXT, "its own name; NULL if the log gives none" },
};

_Static_assert(sizeof(thread_columns) / sizeof(thread_columns[0]) == THREAD_COLUMNS, "each column has a name");

/* Sets the name of a thread; that of a leader is the name of its process. */
static void set_thread_name(struct bcoslog_rows *rows, struct bcoslog_value *value,
			    const struct bcoslog_account_process *process, u32 thread)
{
	size_t length;
	const char *name = bcoslog_account_thread_name(rows->account, process, thread, &length);

	if (name)
		value_set_name(value, rows_keep(rows, name, length));
}

static void add_thread(void *context, const struct bcoslog_account_thread *thread)
{
	struct bcoslog_rows *rows = context;
	const struct known_process *known;
	struct bcoslog_value *row;

	if (!rows_wants_pid(rows, thread->process->id))
		return;
	known = rows_process(rows, thread->process);
	row = known ? rows_add(rows) : NULL;
	if (!row)
		return;
	value_set(&row[UTID], (u64)rows_utid(known, thread->id));
	value_set(&row[TID], thread->id);
	value_set(&row[UPID], (u64)known->upid);
	value_set(&row[PID], thread->process->id);
	value_set_name(&row[NAME], known->name);
	value_set(&row[START_TS], thread->since);
	if (thread->ended)
		value_set(&row[END_TS], thread->end);
	value_set(&row[CPU_NS], thread->time);
	value_set(&row[TURNS], thread->turns);
	value_set(&row[WAITS], thread->waits);
	value_set(&row[READY_NS], thread->waited);
	if (thread->waits) {
		value_set(&row[LONGEST_READY_NS], thread->longest_wait);
		value_set(&row[LONGEST_READY_TS], thread->longest_wait_at);
	}
	value_set(&row[WAKEUPS], thread->wakeups);
	value_set(&row[COMPLETE], !rows->damaged && !thread->at_least);
	set_thread_name(rows, &row[THREAD_NAME], thread->process, thread->id);
}

static void begin_thread(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)sinks;
	rows->threads.ended = add_thread;
}

static void end_thread(struct bcoslog_rows *rows)
{
	const struct bcoslog_account_process *process = NULL;
	const struct bcoslog_account_thread *thread;

	while ((process = bcoslog_account_next_process(rows->account, process)))
		for (thread = NULL; (thread = bcoslog_account_next_thread(process, thread));)
			add_thread(rows, thread);
}

const struct rows_kind rows_of_thread = {
	.table = {
		.name = "thread",
		.about = "a thread, where the class state was on",
		.columns = thread_columns,
		.count = THREAD_COLUMNS,
	},
	.account = true,
	.threads = true,
	.keeps = 1ull << NAME | 1ull << THREAD_NAME,
	.begin = begin_thread,
	.end = end_thread,
};

/* ---- turn ---------------------------------------------------------------------------------------- */

enum {
	T_TS, T_DUR, T_CPU, T_UTID, T_TID, T_UPID, T_PID, T_NAME, T_END_STATE, T_OFF_NS, T_READY_NS, T_PREEMPTED, T_WAKER_KIND, T_WAKER_PID,
	T_WAKER_TID, T_WAKER_NAME, T_THREAD_NAME, T_WAKER_THREAD_NAME, TURN_COLUMNS
};

static const struct bcoslog_rows_column turn_columns[] = {
	[T_TS] = { "ts", BCOSLOG_INTEGER, "when it began, ns since boot" },
	[T_DUR] = { "dur", BCOSLOG_INTEGER, "how long it lasted, ns" },
	[T_CPU] = { "cpu", BCOSLOG_INTEGER, "the CPU" },
	[T_UTID] = { "utid", BCOSLOG_INTEGER, "the thread, as in the table thread" },
	[T_TID] = { "tid", BCOSLOG_INTEGER, "its thread ID" },
	[T_UPID] = { "upid", BCOSLOG_INTEGER, "its process, as in the table process" },
	[T_PID] = { "pid", BCOSLOG_INTEGER, "the ID of that process" },
	[T_NAME] = { "name", BCOSLOG_TEXT, "the name of that process" },
	[T_END_STATE] = { "end_state", BCOSLOG_TEXT, "the state in which it left the CPU; NULL if the log does not tell" },
	[T_OFF_NS] = { "off_ns", BCOSLOG_INTEGER, "for how long it had no CPU before, ns; NULL if unknown" },
	[T_READY_NS] = { "ready_ns", BCOSLOG_INTEGER, "for how long of that it waited for a CPU, ns; NULL if unknown" },
	[T_PREEMPTED] = { "preempted", BCOSLOG_INTEGER, "1 if it waited because it was preempted" },
	[T_WAKER_KIND] = { "waker_kind", BCOSLOG_TEXT, "what woke it: thread, interrupt, either of both, or NULL" },
	[T_WAKER_PID] = { "waker_pid", BCOSLOG_INTEGER, "the process of the thread that woke it" },
	[T_WAKER_TID] = { "waker_tid", BCOSLOG_INTEGER, "that thread" },
	[T_WAKER_NAME] = { "waker_name", BCOSLOG_TEXT, "the name of that process" },
	[T_THREAD_NAME] = { "thread_name", BCOSLOG_TEXT, "the thread's own name; NULL if the log gives none" },
	[T_WAKER_THREAD_NAME] = { "waker_thread_name", BCOSLOG_TEXT, "likewise of the thread that woke it" },
};

_Static_assert(sizeof(turn_columns) / sizeof(turn_columns[0]) == TURN_COLUMNS, "each column has a name");

static void set_waker(struct bcoslog_rows *rows, struct bcoslog_value *row, const struct bcoslog_waker *waker)
{
	static const char *const kinds[] = { NULL, "thread", "interrupt", "either" };
	const struct bcoslog_account_process *process;
	const struct known_process *known;

	value_set_word(&row[T_WAKER_KIND], kinds[waker->by]);
	if (waker->by != BCOSLOG_WOKEN_BY_THREAD && waker->by != BCOSLOG_WOKEN_BY_EITHER)
		return;
	value_set(&row[T_WAKER_PID], waker->process);
	value_set(&row[T_WAKER_TID], waker->thread);
	process = bcoslog_account_process(rows->account, waker->process);
	known = process ? rows_process(rows, process) : NULL;
	if (known)
		value_set_name(&row[T_WAKER_NAME], known->name);
	if (process)
		set_thread_name(rows, &row[T_WAKER_THREAD_NAME], process, waker->thread);
}

static void add_turn(void *context, const struct bcoslog_thread_turn *turn)
{
	struct bcoslog_rows *rows = context;
	const struct bcoslog_account_process *process = turn->thread->process;
	const struct known_process *known;
	struct bcoslog_value *row;

	if (!rows_wants_time(rows, turn->begin) || !rows_wants_pid(rows, process->id) ||
	    (rows->options.cpu >= 0 && turn->cpu != (u64)rows->options.cpu))
		return;
	known = rows_process(rows, process);
	row = known ? rows_add(rows) : NULL;
	if (!row)
		return;
	value_set(&row[T_TS], turn->begin);
	value_set(&row[T_DUR], turn->end - turn->begin);
	value_set(&row[T_CPU], turn->cpu);
	value_set(&row[T_UTID], (u64)rows_utid(known, turn->thread->id));
	value_set(&row[T_TID], turn->thread->id);
	value_set(&row[T_UPID], (u64)known->upid);
	value_set(&row[T_PID], process->id);
	value_set_name(&row[T_NAME], known->name);
	set_thread_name(rows, &row[T_THREAD_NAME], process, turn->thread->id);
	if (turn->left < BCOS_STATES)
		value_set_word(&row[T_END_STATE], bcos_state_names[turn->left]);
	if (turn->off)
		value_set(&row[T_OFF_NS], turn->off);
	if (!turn->waited)
		return;
	value_set(&row[T_READY_NS], turn->waited);
	value_set(&row[T_PREEMPTED], turn->preempted);
	if (!turn->preempted)
		set_waker(rows, row, &turn->waker);
}

static void begin_turn(struct bcoslog_rows *rows, struct bcoslog_account_options *sinks)
{
	(void)sinks;
	rows->threads.turn = add_turn;
}

const struct rows_kind rows_of_turn = {
	.table = {
		.name = "turn",
		.about = "a turn of a thread on a CPU, and the wait before it, where the class state was on",
		.columns = turn_columns,
		.count = TURN_COLUMNS,
	},
	.account = true,
	.threads = true,
	.keeps = 1ull << T_NAME | 1ull << T_THREAD_NAME | 1ull << T_WAKER_THREAD_NAME | 1ull << T_WAKER_NAME | 1ull << T_END_STATE | 1ull << T_WAKER_KIND,
	.begin = begin_turn,
};
