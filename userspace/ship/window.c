// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads the rows of a part of a boot: see window.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "complain/complain.h"
#include "entry/gap.h"
#include "rows/several.h"
#include "usage.h"
#include "window.h"

/* Rows of a table are sent when they have so many bytes. */
#define SEND_BYTES ((size_t)4 << 20)
#define DAY_NS 86400000000000ull
/* The recording is read for so long after a window at first: what it states of the window later than that is sent with another one. */
#define SLACK_NS 2000000000ull

/* ---- rows ------------------------------------------------------------------------------------------- */

static void set_number(struct bcoslog_value *value, u64 number)
{
	*value = (struct bcoslog_value){ .type = number > INT64_MAX ? BCOSLOG_NULL : BCOSLOG_INTEGER, .integer = (s64)number };
}

static void set_text(struct bcoslog_value *value, const char *text, size_t length)
{
	*value = (struct bcoslog_value){ .type = text ? BCOSLOG_TEXT : BCOSLOG_NULL, .length = (u32)length };
	value->text = text;
}

void window_set_number(struct ship_row *row, const char *column, u64 number)
{
	set_number(&row->values[ship_find(&ship_tables[row->table], column)], number);
}

void window_set_text(struct ship_row *row, const char *column, const char *text)
{
	set_text(&row->values[ship_find(&ship_tables[row->table], column)], text, text ? strlen(text) : 0);
}

static void set_wall(const struct ship_window *window, struct ship_row *row, u64 time)
{
	const struct bcoslog_wall *wall = time == UINT64_MAX ? NULL : bcoslog_clock_at(window->clock, time);
	u64 utc = wall ? bcoslog_wall_time(wall, time) : 0;

	if (!utc || utc == UINT64_MAX)
		return;
	set_number(&row->values[SHIP_DATE], utc / DAY_NS);
	set_number(&row->values[SHIP_WALL_NS], utc);
	if (wall->precision != UINT32_MAX)
		set_number(&row->values[SHIP_WALL_ERROR_NS], wall->precision);
}

void window_row(const struct ship_window *window, struct ship_row *row, enum ship_table_number table, u64 id, u64 time)
{
	*row = (struct ship_row){ .table = table };
	set_text(&row->values[SHIP_MACHINE], window->machine_key, strlen(window->machine_key));
	set_text(&row->values[SHIP_HOST], window->host, strlen(window->host));
	set_text(&row->values[SHIP_BOOT], window->boot->boot, strlen(window->boot->boot));
	set_number(&row->values[SHIP_ID], id);
	set_number(&row->values[SHIP_VERSION], window->until);
	set_wall(window, row, time);
	set_number(&row->values[SHIP_TIME], time);
}

int window_add(struct ship_window *window, const struct ship_row *row)
{
	struct row_bytes *rows = &window->rows[row->table];
	struct ship_row kept = *row;
	size_t i;

	for (i = 0; i < SHIP_COLUMNS_MAX; i++)
		if (window->without[row->table] >> i & 1)
			kept.values[i].type = BCOSLOG_NULL;
	if (row_binary_add(rows, &ship_tables[row->table], kept.values)) {
		complain("there is no memory for the rows that are shipped");
		return -ENOMEM;
	}
	return rows->size < SEND_BYTES ? 0 : window->send(window->context, row->table, rows);
}

int window_send(struct ship_window *window)
{
	int r = 0, i;

	/* The row of the boot is the last one, since it says how much the others are. */
	for (i = 0; !r && i < SHIP_TABLES; i++)
		if (window->rows[i].rows)
			r = window->send(window->context, (enum ship_table_number)i, &window->rows[i]);
	return r;
}

void window_free(struct ship_window *window)
{
	size_t i;

	for (i = 0; i < SHIP_TABLES; i++)
		free(window->rows[i].bytes);
	ship_processes_free(&window->lived);
}

/* Copies the columns that come from a row of the log. */
static void copy_row(struct ship_row *to, const struct bcoslog_rows_table *from, const struct bcoslog_value *values)
{
	const struct ship_table *table = &ship_tables[to->table];
	const struct ship_column *column;
	size_t i;
	int n;

	for (i = SHIP_OWN; (column = ship_column(table, i)); i++) {
		n = column->source ? bcoslog_rows_find_column(from, column->source) : -1;
		if (n >= 0)
			to->values[i] = values[n];
	}
}

/* ---- cursors ---------------------------------------------------------------------------------------- */

static void take_damage(void *context, enum bcoslog_kind kind, const struct bcoslog_error *error)
{
	struct ship_window *window = context;

	(void)kind;
	(void)error;
	window->damaged = true;
}

static int ends_window(void *context)
{
	struct ship_window *window = context;

	return window->ends && window->ends(window->context);
}

/* The tables of the log that are read, in one pass. */
enum source { FROM_RUN, FROM_PROCESS, FROM_EVENT, FROM_LOSS, SOURCES };

/**
 * struct pass - a row of the pass over the log, and what the pass has found so far
 * @rows: the cursor
 * @table: the table of the row
 * @numbers: numbers of the tables that are read
 * @ts: number of this column of the table run; likewise @dur, @use and @name, since there are many of these rows
 * @sums: the use of CPUs
 * @reached: how far the entries reach that were read, ns since boot
 * @seen: begin of the last interval in the window, ns since boot
 * @event_time: time of the last event; UINT64_MAX: there was none
 * @event_id: number of events before it that have its time
 */
struct pass {
	struct bcoslog_rows *rows;
	const struct bcoslog_rows_table *table;
	u32 numbers[SOURCES];
	int ts, dur, use, name;
	struct usage_sums sums;
	u64 reached, seen;
	u64 event_time, event_id;
};

static u64 time_after(u64 time, u64 more)
{
	return time > UINT64_MAX - more ? UINT64_MAX : time + more;
}

/* Return: 0, or a negative errno after a complaint. */
static int add_tables(struct pass *pass)
{
	/* A loss of the time before the window may be stated in it. */
	if (!rows_add_table(pass->rows, pass->numbers[FROM_LOSS], false) && !rows_add_table(pass->rows, pass->numbers[FROM_EVENT], true) &&
	    !rows_add_table(pass->rows, pass->numbers[FROM_PROCESS], true))
		return 0;
	complain("there is no memory for the rows of the recording");
	return -ENOMEM;
}

/* Return: 0, or a negative errno after a complaint. */
static int begin_pass(struct ship_window *window, struct pass *pass)
{
	static const char *const names[SOURCES] = { [FROM_RUN] = "run", [FROM_PROCESS] = "process", [FROM_EVENT] = "event", [FROM_LOSS] = "loss" };
	struct bcoslog_rows_options options = BCOSLOG_ROWS_ALL(0, window->path);
	u64 begin = window->boot->seen < window->from ? window->boot->seen : window->from;
	struct bcoslog_error error;
	size_t i;
	int r;

	*pass = (struct pass){ .seen = window->boot->seen, .event_time = UINT64_MAX };
	for (i = 0; i < SOURCES; i++)
		pass->numbers[i] = (u32)bcoslog_rows_find(names[i]);
	pass->table = bcoslog_rows_table(pass->numbers[FROM_RUN]);
	pass->ts = bcoslog_rows_find_column(pass->table, "ts");
	pass->dur = bcoslog_rows_find_column(pass->table, "dur");
	pass->use = bcoslog_rows_find_column(pass->table, "use");
	pass->name = bcoslog_rows_find_column(pass->table, "name");
	options.table = pass->numbers[FROM_RUN];
	options.machine = window->machine;
	options.boot = window->boot_id;
	options.part = (struct bcoslog_window){ .size = sizeof(options.part), .since = BCOSLOG_MOMENT_BOOT, .since_ns = begin };
	if (window->slack != UINT64_MAX) {
		options.part.until = BCOSLOG_MOMENT_BOOT;
		options.part.until_ns = time_after(window->until, window->slack);
	}
	options.since = window->from;
	options.until = window->until;
	options.context = window;
	options.ends = ends_window;
	options.damaged = take_damage;
	r = bcoslog_rows_open(&pass->rows, &options, &error);
	if (r)
		complain("%s", error.text);
	return r ? r : add_tables(pass);
}

static void end_pass(struct pass *pass)
{
	usage_free(&pass->sums);
	bcoslog_rows_close(pass->rows);
}

static const struct bcoslog_value *value_of(const struct pass *pass, const struct bcoslog_value *row, const char *column)
{
	return &row[bcoslog_rows_find_column(pass->table, column)];
}

/* Return: a number, or @absent if there is none. */
static u64 number_of(const struct pass *pass, const struct bcoslog_value *row, const char *column, u64 absent)
{
	const struct bcoslog_value *value = value_of(pass, row, column);

	return value->type == BCOSLOG_INTEGER ? (u64)value->integer : absent;
}

static bool is_inside(const struct ship_window *window, u64 time)
{
	return time >= window->from && time < window->until;
}

/* ---- usage ------------------------------------------------------------------------------------------ */

static int use_number(const struct usage_sum *sum)
{
	static const char *const uses[] = { "process", "kernel", "idle", "unknown" };
	int i;

	for (i = 0; i < 3 && (strlen(uses[i]) != sum->use_length || memcmp(uses[i], sum->use, sum->use_length)); i++)
		;
	return i;
}

static int add_usage(struct ship_window *window, const struct usage_sum *sum)
{
	u64 begin = sum->step * SHIP_STEP, end = begin + SHIP_STEP, known;
	struct ship_row row;

	begin = begin > window->from ? begin : window->from;
	end = end < window->until ? end : window->until;
	/* The row is that of the step, so that it is the same one however much of the step there is when it is sent again. */
	known = begin > window->first ? begin : window->first;
	window_row(window, &row, SHIP_USAGE, (u64)use_number(sum), begin);
	window_set_number(&row, "dur", end > known ? end - known : 0);
	set_text(&row.values[ship_find(&ship_tables[SHIP_USAGE], "use")], sum->use, sum->use_length);
	if (sum->name)
		set_text(&row.values[ship_find(&ship_tables[SHIP_USAGE], "name")], sum->name, sum->name_length);
	window_set_number(&row, "cpu_ns", sum->cpu);
	return window_add(window, &row);
}

/* Adds an interval to the use of CPUs, and finds out how far the entries that are read reach.  Return: 0 or a negative errno. */
static int take_run(struct ship_window *window, struct pass *pass, const struct bcoslog_value *row)
{
	u64 begin = (u64)row[pass->ts].integer, end = begin + (u64)row[pass->dur].integer;
	struct usage_sum key = { .use = row[pass->use].text, .use_length = row[pass->use].length };

	if (row[pass->name].type == BCOSLOG_TEXT) {
		key.name = row[pass->name].text;
		key.name_length = row[pass->name].length;
	}
	pass->reached = end > pass->reached ? end : pass->reached;
	if (begin > window->from && begin < window->until && begin > pass->seen)
		pass->seen = begin;
	if (!usage_add(&pass->sums, &key, begin, end))
		return 0;
	complain("there is no memory for the sums that are shipped");
	return -ENOMEM;
}

static int add_usages(struct ship_window *window, const struct usage_sums *sums)
{
	size_t i;
	int r = 0;

	for (i = 0; !r && i < sums->room; i++)
		if (sums->at[i].use)
			r = add_usage(window, &sums->at[i]);
	return r;
}

/* ---- lives ------------------------------------------------------------------------------------------ */

static const char *const number_columns[SHIP_NUMBERS] = {
	[SHIP_UID] = "uid", [SHIP_PARENT_PID] = "parent_pid", [SHIP_KILLER_PID] = "killer_pid", [SHIP_KILLER_UID] = "killer_uid",
	[SHIP_OOM] = "oom",
};

static const char *const fact_columns[SHIP_FACTS] = {
	[SHIP_PATH] = "path", [SHIP_ARGUMENTS] = "arguments", [SHIP_CGROUP] = "cgroup", [SHIP_PARENT_NAME] = "parent_name",
	[SHIP_KILLER_NAME] = "killer_name", [SHIP_FORMER] = "former",
};

/*
 * Keeps a text of a row, or the one that was known before; @replaced: not that one. What is left out is not kept either.
 * Return: 0 or -ENOMEM.
 */
static int merge_text(const struct ship_window *window, const struct bcoslog_value *text, bool replaced, const struct ship_process *before,
		      struct ship_process *now, enum ship_fact fact)
{
	if (window->without[SHIP_LIFE] >> ship_find(&ship_tables[SHIP_LIFE], fact_columns[fact]) & 1)
		return 0;
	if (text->type == BCOSLOG_TEXT)
		return ship_process_set(now, fact, text->text, text->length);
	if (!replaced && before && before->texts[fact])
		return ship_process_set(now, fact, before->texts[fact], before->lengths[fact]);
	return 0;
}

/* Makes of what was known before and of a row what is known now.  Return: 0 or -ENOMEM. */
static int merge_process(const struct ship_window *window, const struct pass *pass, const struct bcoslog_value *row,
			 const struct ship_process *before, struct ship_process *now)
{
	u64 start = number_of(pass, row, "start_ts", 0), known = window->boot->begun ? window->from : window->first;
	bool executed = value_of(pass, row, "path")->type == BCOSLOG_TEXT;
	size_t i;

	now->cpu = number_of(pass, row, "cpu_ns", 0) + (before ? before->cpu : 0);
	now->turns = number_of(pass, row, "turns", 0) + (before ? before->turns : 0);
	now->since = before ? before->since : start > known ? start : known;
	now->incomplete = !number_of(pass, row, "complete", 0) || (before && before->incomplete);
	for (i = 0; i < SHIP_NUMBERS; i++)
		now->numbers[i] = (s64)number_of(pass, row, number_columns[i], before ? (u64)before->numbers[i] : UINT64_MAX);
	/* Another program has other arguments, or unknown ones. */
	for (i = 0; i < SHIP_FACTS; i++)
		if (merge_text(window, value_of(pass, row, fact_columns[i]), executed && i <= SHIP_CGROUP, before, now, (enum ship_fact)i))
			return -ENOMEM;
	return 0;
}

/* Adds the row of a process that has ended. */
static int add_life(struct ship_window *window, const struct pass *pass, const struct bcoslog_value *values, const struct ship_process *now)
{
	const struct ship_table *table = &ship_tables[SHIP_LIFE];
	struct ship_row row;
	size_t i;

	window_row(window, &row, SHIP_LIFE, now->upid, number_of(pass, values, "end_ts", UINT64_MAX));
	copy_row(&row, pass->table, values);
	window_set_number(&row, "cpu_ns", now->cpu);
	window_set_number(&row, "turns", now->turns);
	window_set_number(&row, "counted_ts", now->since);
	window_set_number(&row, "complete", !now->incomplete);
	for (i = 0; i < SHIP_NUMBERS; i++)
		window_set_number(&row, number_columns[i], (u64)now->numbers[i]);
	for (i = 0; i < SHIP_FACTS; i++)
		set_text(&row.values[ship_find(table, fact_columns[i])], now->texts[i], now->lengths[i]);
	return window_add(window, &row);
}

/*
 * Takes a process of the window. One of which only the end is unknown may come again in the next window with more time; the row that
 * is sent then replaces this one.
 */
static int take_process(struct ship_window *window, const struct pass *pass, const struct bcoslog_value *row)
{
	u64 upid = number_of(pass, row, "upid", 0), end = number_of(pass, row, "end_ts", UINT64_MAX);
	bool ended = value_of(pass, row, "end_kind")->type == BCOSLOG_TEXT, timed = end != UINT64_MAX;
	bool over = ended && timed && end < window->until;
	const struct ship_process *before = ship_processes_find(&window->boot->processes, upid);
	bool fresh = !window->boot->begun || number_of(pass, row, "start_ts", 0) >= window->from;
	struct ship_process now = { .upid = upid }, *kept;
	int r = 0;

	/* What ended before the window was shipped with the window of its end. */
	if (ended && (timed ? end < window->from : !before && !fresh))
		return 0;
	if (merge_process(window, pass, row, before, &now)) {
		complain("there is no memory for the processes that live");
		r = -ENOMEM;
	}
	if (!r && ended && (!timed || over))
		r = add_life(window, pass, row, &now);
	kept = r || over ? NULL : ship_processes_add(&window->lived);
	if (kept) {
		*kept = now;
		return 0;
	}
	ship_process_clear(&now);
	if (!r && !over) {
		complain("there is no memory for the processes that live");
		r = -ENOMEM;
	}
	return r;
}

/* ---- events ----------------------------------------------------------------------------------------- */

/* The texts of these events have the arguments of a program. */
static bool has_arguments(const struct pass *pass, const struct bcoslog_value *row)
{
	return number_of(pass, row, "event_id", 0) == BCOS_EVENT_EXEC;
}

static int add_event(struct ship_window *window, const struct pass *pass, const struct bcoslog_value *values, u64 id)
{
	size_t arguments = ship_find(&ship_tables[SHIP_LIFE], "arguments");
	struct ship_row row;

	window_row(window, &row, SHIP_EVENT, id, number_of(pass, values, "ts", 0));
	copy_row(&row, pass->table, values);
	if (window->without[SHIP_LIFE] >> arguments & 1 && has_arguments(pass, values))
		window_set_text(&row, "text", NULL);
	return window_add(window, &row);
}

/* The ID of an event is how many events have the same time before it, whatever their severity. */
static int take_event(struct ship_window *window, struct pass *pass, const struct bcoslog_value *row)
{
	u64 time = number_of(pass, row, "ts", UINT64_MAX);

	pass->event_id = time == pass->event_time ? pass->event_id + 1 : 0;
	pass->event_time = time;
	if (!is_inside(window, time) || number_of(pass, row, "severity", 0) < window->severity)
		return 0;
	return add_event(window, pass, row, pass->event_id);
}

/* ---- losses ----------------------------------------------------------------------------------------- */

static u64 hash_bytes(u64 hash, const void *bytes, size_t size)
{
	const u8 *at = bytes;

	for (; size; size--)
		hash = (hash ^ *at++) * 0x100000001B3ull;
	return hash;
}

/* Return: what tells losses of one time apart. */
static u64 loss_id(const struct ship_row *row)
{
	static const char *const columns[] = { "cpu", "kinds", "what", "why", "stated_ts", "bytes" };
	const struct bcoslog_value *value;
	u64 hash = 0xCBF29CE484222325ull;
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		value = &row->values[ship_find(&ship_tables[SHIP_LOSS], columns[i])];
		hash = hash_bytes(hash, &value->type, sizeof(value->type));
		if (value->type == BCOSLOG_TEXT)
			hash = hash_bytes(hash, value->text, value->length);
		else if (value->type == BCOSLOG_INTEGER)
			hash = hash_bytes(hash, &value->integer, sizeof(value->integer));
	}
	return hash & INT64_MAX;
}

static int add_loss_row(struct ship_window *window, struct ship_row *row)
{
	set_number(&row->values[SHIP_ID], loss_id(row));
	return window_add(window, row);
}

/*
 * Adds what all CPUs lack from @begin to @end, as a row for each step, so that the rows are the same whatever windows they are sent in.
 * Only the first one has its count, and when it was stated.
 */
static int add_parts(struct ship_window *window, const struct pass *pass, const struct bcoslog_value *values, u64 begin, u64 end)
{
	u64 at = begin > window->from ? begin : window->from, next;
	struct ship_row row;
	int r = 0;

	for (; !r && at < window->until && (at < end || at == begin); at = next) {
		next = (at / SHIP_STEP + 1) * SHIP_STEP;
		next = next < window->until ? next : window->until;
		window_row(window, &row, SHIP_LOSS, 0, at);
		copy_row(&row, pass->table, values);
		if (at > begin) {
			window_set_text(&row, "count", NULL);
			window_set_text(&row, "stated_ts", NULL);
		}
		/* The next row has the rest. */
		if (end >= next)
			window_set_number(&row, "open", 0);
		window_set_number(&row, "dur", (end < next ? end : next) - at);
		r = add_loss_row(window, &row);
	}
	return r;
}

/*
 * Adds what is missing. What a CPU has lost is one row, however many windows it concerns. What all CPUs lack, such as a class that is
 * off, may last for days.
 */
static int add_loss(struct ship_window *window, const struct pass *pass, const struct bcoslog_value *values)
{
	u64 begin = number_of(pass, values, "ts", 0), end = time_after(begin, number_of(pass, values, "dur", 0));
	u64 stated = number_of(pass, values, "stated_ts", begin);
	bool one_cpu = value_of(pass, values, "cpu")->type == BCOSLOG_INTEGER;
	bool damage = value_of(pass, values, "bytes")->type == BCOSLOG_INTEGER;
	struct ship_row row;

	if (!(begin < window->until && (end > window->from || begin >= window->from)) && !is_inside(window, stated))
		return 0;
	if (!one_cpu && !damage)
		return add_parts(window, pass, values, begin, end);
	window_row(window, &row, SHIP_LOSS, 0, begin);
	copy_row(&row, pass->table, values);
	return add_loss_row(window, &row);
}

int window_add_deleted(struct ship_window *window, u64 begin, u64 end, bool open)
{
	char kinds[LOST_KINDS_TEXT];
	struct ship_row row;

	window_row(window, &row, SHIP_LOSS, 0, begin);
	window_set_number(&row, "dur", end > begin ? end - begin : 0);
	window_set_text(&row, "kinds", lost_kinds(kinds, sizeof(kinds), 0));
	window_set_text(&row, "what", "entries");
	window_set_text(&row, "why", "the recorder deleted what it had of this time before it was shipped");
	window_set_number(&row, "open", open);
	return add_loss_row(window, &row);
}

/* ---- the window ------------------------------------------------------------------------------------- */

static int take_row(struct ship_window *window, struct pass *pass, u32 table, const struct bcoslog_value *row)
{
	if (table == pass->numbers[FROM_RUN])
		return take_run(window, pass, row);
	pass->table = bcoslog_rows_table(table);
	if (table == pass->numbers[FROM_PROCESS])
		return take_process(window, pass, row);
	if (table == pass->numbers[FROM_EVENT])
		return take_event(window, pass, row);
	return add_loss(window, pass, row);
}

/* Return: 0, or a negative errno, after a complaint unless it is -EINTR. */
static int read_rows(struct ship_window *window, struct pass *pass)
{
	const struct bcoslog_value *row;
	u32 table;
	int r;

	while ((r = rows_next_of_several(pass->rows, &table, &row)) > 0) {
		r = take_row(window, pass, table, row);
		if (r < 0)
			return r;
	}
	if (r && r != -EINTR)
		complain("%s", bcoslog_rows_error(pass->rows)->text);
	return r;
}

/* Forgets what a pass has found that did not reach far enough. What was sent of it is sent again, and replaced. */
static void drop_pass(struct ship_window *window, struct pass *pass)
{
	size_t i;

	for (i = 0; i < SHIP_TABLES; i++)
		if (i != SHIP_LOSS)
			window->rows[i].size = window->rows[i].rows = 0;
	ship_processes_free(&window->lived);
	end_pass(pass);
}

/*
 * If the part that was read ends before the window, nothing is known of its rest, unless there are entries later: more is read then.
 */
int window_ship(struct ship_window *window)
{
	struct pass pass;
	int r;

	for (window->slack = SLACK_NS;; window->slack = window->slack > UINT64_MAX / 64 ? UINT64_MAX : window->slack * 16) {
		r = begin_pass(window, &pass);
		if (!r)
			r = read_rows(window, &pass);
		/* The last window ends a nanosecond after the last entry. */
		if (r || pass.reached + 1 >= window->until || window->slack == UINT64_MAX)
			break;
		drop_pass(window, &pass);
	}
	if (!r)
		r = add_usages(window, &pass.sums);
	if (!r) {
		ship_processes_sort(&window->lived);
		window->boot->seen = pass.seen;
	}
	end_pass(&pass);
	return r;
}
