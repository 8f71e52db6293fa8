// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints each turn on a CPU as a line: see turns.h. */
#include "account/report.h"
#include "output/object.h"
#include "output/output.h"
#include "output/times.h"
#include "turns.h"
#include "views/track/waits.h"

void turn_head(struct turn_form *form)
{
	bool dates = form->session->clock.mode == TIME_WALL;

	if (!form->headed && form->session->form == TABLE_TEXT)
		output_format("%*s  CPU          off    waited       ran  %sprocess\n", dates ? 26 : 16, "time",
			      form->threads ? "thread of " : "");
	else if (!form->headed && form->session->form == TABLE_CSV)
		output_format("begin,end,%scpu,process,name,%soff_ns,waited_ns,cpu_ns,left,woken_by,waker,waker_thread,"
			      "next,next_name%s,off_unknown_ns,waited_unknown_ns,at_least%s\r\n", dates ? "begin_wall,end_wall," : "", form->threads ? "thread," : "",
			      form->threads ? ",next_thread" : "", form->threads ? ",thread_name" : "");
	form->headed = true;
}

/* Return: how the turn ended, or NULL if that is unknown. */
static const char *left_of(const struct turn *turn)
{
	static const char *const words[] = { "preempted", "blocked", "blocked hard", "woken", "stopped", "dead" };

	return turn->left < sizeof(words) / sizeof(words[0]) ? words[turn->left] : NULL;
}

/* Is the wait a lower bound? */
static bool waited_more(const struct turn *turn)
{
	return turn->cut && turn->preempted;
}

/* The width of a column of durations. */
#define SPAN_WIDTH 11

/* ---- for people ---------------------------------------------------------------------------- */

static void put_right(const char *text, size_t width)
{
	size_t length = strlen(text);

	while (width-- > length)
		put_char(' ');
	put_bytes(text, length);
}

/*
 * Puts a duration in a column of fixed width, since the following lines are not known yet.
 * Return: the columns by which it exceeds that width, since it is apart from the column before.
 */
static size_t put_span(u64 ns, bool known, const char *bound)
{
	char text[40];
	int length = 0;

	if (bound)
		length = snprintf(text, sizeof(text), "%s", bound);
	if (known)
		table_span(text + length, sizeof(text) - (size_t)length, ns);
	else
		text[0] = 0;
	if (strlen(text) >= SPAN_WIDTH)
		put_char(' ');
	put_right(text, SPAN_WIDTH);
	return strlen(text) >= SPAN_WIDTH ? strlen(text) + 1 - SPAN_WIDTH : 0;
}

/* Puts @text if the rest of the line has room for it and @more columns.  Return: whether it had. */
static bool put_if_room(const char *text, size_t more, size_t *room)
{
	size_t length = strlen(text);

	if (length + more > *room)
		return false;
	output_format("%s", text);
	*room -= length;
	return true;
}

/* Puts a name, cut to the rest of the line. */
static void put_name(const struct bcoslog_account_process *process, size_t *room)
{
	size_t length = table_cut(process->name, process->name_length, *room);

	output_room();
	put_text(process->name, length, 0);
	*room -= table_columns(process->name, length);
}

static void put_next(const struct successor *next, struct turn_form *form, size_t *room)
{
	char text[64];

	if (!next->known)
		return;
	if (next->id == BCOS_PROCESS_IDLE)
		snprintf(text, sizeof(text), ", then idle");
	else if (form->threads && next->thread)
		snprintf(text, sizeof(text), ", then %u of %u ", next->thread, next->id);
	else
		snprintf(text, sizeof(text), ", then %u ", next->id);
	if (!put_if_room(text, next->process ? table_columns(next->process->name, next->process->name_length) : 0,
			 room))
		form->no_next = true;
	else if (next->process)
		put_name(next->process, room);
}

static void put_waker(const struct turn *turn, struct turn_form *form, size_t *room)
{
	char by[64], text[96];
	struct cell cell = waits_waker(&turn->waker, by, sizeof(by));

	if (turn->preempted)
		snprintf(text, sizeof(text), ", preempted before");
	else if (!cell.absent)
		snprintf(text, sizeof(text), ", woken by %s", cell.text);
	else
		return;
	form->no_waker |= !put_if_room(text, 0, room);
}

/* Puts the name of the thread, unless it has that of its process. */
static void put_thread_name(const struct turn *turn, struct turn_form *form, size_t *room)
{
	const struct cell *name = &turn->thread_name;
	size_t columns = name->absent ? 0 : table_columns(name->text, name->length);

	if (name->absent || (name->length == turn->process->name_length &&
			     !memcmp(name->text, turn->process->name, name->length)))
		return;
	if (!put_if_room(", named ", columns, room)) {
		form->no_name = true;
		return;
	}
	output_room();
	put_text(name->text, name->length, 0);
	*room -= columns;
}

static void put_line(const struct turn *turn, struct turn_form *form)
{
	size_t room = table_room(), used = form->session->clock.mode == TIME_WALL ? 66 : 56;
	const char *left = left_of(turn);
	char text[TIME_TEXT], id[40];

	output_room();
	time_text(&form->session->clock, text, turn->begin);
	put_right(text, form->session->clock.mode == TIME_WALL ? 26 : 16);
	output_format(" %4u  ", turn->cpu);
	used += put_span(turn->off, turn->off, turn->off_unknown ? turn->cut ? "~" : "<=" : turn->cut ? ">=" : NULL);
	used += put_span(turn->waited, turn->waited,
			 turn->waited_unknown ? waited_more(turn) ? "~" : "<=" : waited_more(turn) ? ">=" : NULL);
	used += put_span(turn->end - turn->begin, true, turn->part ? ">=" : NULL);
	if (!turn->process)
		snprintf(id, sizeof(id), "  idle");
	else if (form->threads)
		snprintf(id, sizeof(id), "  %u of %u ", turn->thread, turn->process->id);
	else
		snprintf(id, sizeof(id), "  %u ", turn->process->id);
	put_string(id);
	used += strlen(id);
	/* If standard output is no terminal, everything has room. */
	room = !room ? (size_t)-1 : room > used ? room - used : 0;
	if (turn->process)
		put_name(turn->process, &room);
	if (form->threads && turn->process && turn->thread != turn->process->id)
		put_thread_name(turn, form, &room);
	if (left) {
		snprintf(text, sizeof(text), ", %s", left);
		form->no_left |= !put_if_room(text, 0, &room);
	}
	if (form->next)
		put_next(&turn->next, form, &room);
	put_waker(turn, form, &room);
	output_bytes("\n", 1);
}

void turn_foot(const struct turn_form *form)
{
	const struct {
		bool missing;
		const char *what;
	} parts[] = {
		{ form->no_name, "the thread's name" }, { form->no_left, "how it ended" }, { form->no_next, "then" },
		{ form->no_waker, "woken by" },
	};
	const char *before = "(no room for: ";
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].missing)
			continue;
		output_format("%s%s", before, parts[i].what);
		before = ", ";
	}
	if (before[0] == ',')
		output_format(")\n");
}

/* ---- for programs ------------------------------------------------------------------------ */

static const char *name_of(const struct bcoslog_account_process *process, size_t *length)
{
	*length = process ? process->name_length : strlen("idle");
	return process ? process->name : "idle";
}

static void put_number_if(u64 number, bool known)
{
	if (known)
		output_format("%llu", (unsigned long long)number);
	output_bytes(",", 1);
}

static void put_csv_next(const struct successor *next, bool threads)
{
	size_t length;
	const char *name = name_of(next->process, &length);

	put_number_if(next->id, next->known && next->id != BCOS_PROCESS_IDLE);
	if (next->known && (next->process || next->id == BCOS_PROCESS_IDLE))
		table_put_csv_text(name, length);
	if (threads)
		output_bytes(",", 1);
	if (threads && next->thread)
		output_format("%u", next->thread);
}

/* Puts the keys of what is only a lower bound. */
static void put_csv_bounds(const struct turn *turn)
{
	bool off = turn->cut && turn->off && !turn->off_unknown;
	bool waited = waited_more(turn) && turn->waited && !turn->waited_unknown;

	output_format(",\"%s%s%s%s%s\"", off ? "off_ns" : "", off && waited ? " " : "", waited ? "waited_ns" : "",
		      (off || waited) && turn->part ? " " : "", turn->part ? "cpu_ns" : "");
}

static void put_csv_thread_name(const struct turn *turn)
{
	output_bytes(",", 1);
	if (!turn->thread_name.absent)
		table_put_csv_text(turn->thread_name.text, turn->thread_name.length);
}

static void put_csv(const struct turn *turn, const struct turn_form *form)
{
	bool is_thread = turn->waker.by == BCOSLOG_WOKEN_BY_THREAD;
	char by[64], time[WALL_TEXT];
	struct cell cell = waits_waker(&turn->waker, by, sizeof(by));
	const char *left = left_of(turn), *name;
	size_t length;

	output_format("%llu,%llu,", (unsigned long long)turn->begin, (unsigned long long)turn->end);
	if (form->session->clock.mode == TIME_WALL) {
		wall_text(&form->session->clock, time, turn->begin);
		output_format("%s,", time);
		wall_text(&form->session->clock, time, turn->end);
		output_format("%s,", time);
	}
	output_format("%u,", turn->cpu);
	put_number_if(turn->process ? turn->process->id : 0, turn->process);
	name = name_of(turn->process, &length);
	table_put_csv_text(name, length);
	output_bytes(",", 1);
	if (form->threads)
		put_number_if(turn->thread, turn->process);
	put_number_if(turn->off, turn->off);
	put_number_if(turn->waited, turn->waited);
	output_format("%llu,%s,%s,", (unsigned long long)(turn->end - turn->begin), left ? left : "",
		      cell.absent ? "" : cell.text);
	put_number_if(turn->waker.process, is_thread);
	put_number_if(turn->waker.thread, is_thread);
	put_csv_next(&turn->next, form->threads);
	output_bytes(",", 1);
	put_number_if(turn->off_unknown, turn->off);
	if (turn->waited)
		output_format("%llu", (unsigned long long)turn->waited_unknown);
	put_csv_bounds(turn);
	if (form->threads)
		put_csv_thread_name(turn);
	output_bytes("\r\n", 2);
}

static json_t *waker_json(const struct bcoslog_waker *waker, struct object *object)
{
	struct object inner = { .json = json_object() };

	if (waker->by == BCOSLOG_WOKEN_BY_UNKNOWN) {
		json_decref(inner.json);
		return json_null();
	}
	if (waker->by == BCOSLOG_WOKEN_BY_INTERRUPT) {
		object_add(&inner, "interrupt", json_true());
	} else {
		object_number(&inner, "process", waker->process);
		object_number(&inner, "thread", waker->thread);
	}
	object->failed |= inner.failed;
	return waker->by == BCOSLOG_WOKEN_BY_EITHER ? object_uncertain(object, inner.json) : inner.json;
}

static void add_process(struct object *object, const char *key, const struct bcoslog_account_process *process)
{
	size_t length;
	const char *name = name_of(process, &length);

	object_text(object, key, name, length);
}

static void add_next(struct object *object, const struct successor *next, bool threads)
{
	if (!next->known)
		return;
	object_add(object, "next", next->id != BCOS_PROCESS_IDLE ? json_integer(next->id) : json_null());
	if (next->process || next->id == BCOS_PROCESS_IDLE)
		add_process(object, "next_name", next->process);
	if (threads && next->thread)
		object_number(object, "next_thread", next->thread);
}

static void add_thread(struct object *object, const struct turn *turn)
{
	object_add(object, "thread", turn->process ? json_integer(turn->thread) : json_null());
	if (!turn->thread_name.absent)
		object_text(object, "thread_name", turn->thread_name.text, turn->thread_name.length);
}

static int put_json(const struct turn *turn, const struct turn_form *form)
{
	struct object object = { .json = json_object() };

	object_time(&object, &form->session->clock, "begin", turn->begin);
	object_time(&object, &form->session->clock, "end", turn->end);
	object_number(&object, "cpu", turn->cpu);
	object_add(&object, "process", turn->process ? json_integer(turn->process->id) : json_null());
	add_process(&object, "name", turn->process);
	if (form->threads)
		add_thread(&object, turn);
	object_add(&object, "off_ns", turn->off ? json_integer((json_int_t)turn->off) : json_null());
	if (turn->off_unknown)
		object_number(&object, "off_unknown_ns", turn->off_unknown);
	if (turn->off && turn->cut)
		object_add(&object, turn->off_unknown ? "off_ns_about" : "off_ns_at_least", json_true());
	object_add(&object, "waited_ns", turn->waited ? json_integer((json_int_t)turn->waited) : json_null());
	if (turn->waited_unknown)
		object_number(&object, "waited_unknown_ns", turn->waited_unknown);
	if (turn->waited && waited_more(turn))
		object_add(&object, turn->waited_unknown ? "waited_ns_about" : "waited_ns_at_least", json_true());
	object_add(&object, "preempted", turn->waited || form->threads ? json_boolean(turn->preempted) : json_null());
	object_add(&object, "woken_by", waker_json(&turn->waker, &object));
	object_number(&object, "cpu_ns", turn->end - turn->begin);
	if (turn->part)
		object_add(&object, "cpu_ns_at_least", json_true());
	object_word(&object, "left", left_of(turn));
	add_next(&object, &turn->next, form->threads);
	return object_print(&object, "a turn");
}

int turn_put(const struct turn *turn, struct turn_form *form)
{
	if (form->session->form == TABLE_JSON)
		return put_json(turn, form);
	turn_head(form);
	if (form->session->form == TABLE_CSV)
		put_csv(turn, form);
	else
		put_line(turn, form);
	return 0;
}
