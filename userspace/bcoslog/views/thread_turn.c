// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A turn of a thread on a CPU as a line: see turn.h. */
#include "output/object.h"
#include "output/times.h"
#include "turn.h"
#include "views/track/waits.h"

void thread_turn_head(enum table_form form)
{
	static bool headed;

	if (!headed && form == TABLE_TEXT)
		output_format("%*s  CPU          off    waited       ran  thread of process\n",
			      time_mode == TIME_WALL ? 26 : 16, "time");
	else if (!headed && form == TABLE_CSV)
		output_format("begin,end,%scpu,process,name,thread,off_ns,waited_ns,cpu_ns,left,woken_by,waker,waker_thread\r\n",
			      time_mode == TIME_WALL ? "begin_wall,end_wall," : "");
	headed = true;
}

/* How it ended: nobody knows of one that goes on. */
static const char *left_of(const struct bcoslog_thread_turn *turn, bool part)
{
	static const char *const words[] = { "preempted", "blocked", "blocked hard", "woken", "stopped", "dead" };

	if (turn->left >= sizeof(words) / sizeof(words[0]) || (part && turn->left == BCOS_STATE_RUNS))
		return NULL;
	return words[turn->left];
}

static const char *waker_of(const struct bcoslog_thread_turn *turn, char *text, size_t size)
{
	struct cell cell = waits_waker(&turn->waker, text, size);

	return turn->preempted ? "preempted before" : cell.absent ? NULL : cell.text;
}

static void put_span(u64 ns, bool known, bool least)
{
	char text[40];
	int length = 0;

	if (least)
		length = snprintf(text, sizeof(text), ">=");
	if (known)
		table_span(text + length, sizeof(text) - (size_t)length, ns);
	else
		text[0] = 0;
	output_format("%11s", text);
}

static void line(const struct bcoslog_thread_turn *turn, bool part)
{
	const struct bcoslog_account_thread *thread = turn->thread;
	const char *left = left_of(turn, part), *waker;
	char time[TIME_TEXT], by[64];

	output_room();
	time_text(time, turn->begin);
	output_format("%*s %4u  ", time_mode == TIME_WALL ? 26 : 16, time, turn->cpu);
	put_span(turn->off, turn->off, false);
	put_span(turn->waited, turn->waited, false);
	put_span(turn->end - turn->begin, true, part);
	output_format("  %u of %u ", thread->id, thread->process->id);
	output_room();
	put_text(thread->process->name, thread->process->name_length, 0);
	if (left)
		output_format(", %s", left);
	waker = waker_of(turn, by, sizeof(by));
	if (waker)
		output_format(turn->preempted ? ", %s" : ", woken by %s", waker);
	output_bytes("\n", 1);
}

static void put_number_if(u64 number, bool known)
{
	if (known)
		output_format("%llu", (unsigned long long)number);
	output_bytes(",", 1);
}

static void put_name(const char *name, size_t length)
{
	size_t i;

	output_bytes("\"", 1);
	for (i = 0; i < length; i++)
		output_bytes(name[i] == '"' ? "\"\"" : &name[i], name[i] == '"' ? 2 : 1);
	output_bytes("\",", 2);
}

static void csv(const struct bcoslog_thread_turn *turn, bool part)
{
	const struct bcoslog_account_thread *thread = turn->thread;
	bool is_thread = turn->waker.by == BCOSLOG_WOKEN_BY_THREAD;
	const char *left = left_of(turn, part);
	char by[64], time[WALL_TEXT];
	struct cell cell = waits_waker(&turn->waker, by, sizeof(by));

	output_format("%llu,%llu,", (unsigned long long)turn->begin, (unsigned long long)turn->end);
	if (time_mode == TIME_WALL) {
		wall_text(time, turn->begin);
		output_format("%s,", time);
		wall_text(time, turn->end);
		output_format("%s,", time);
	}
	output_format("%u,%u,", turn->cpu, thread->process->id);
	put_name(thread->process->name, thread->process->name_length);
	output_format("%u,", thread->id);
	put_number_if(turn->off, turn->off);
	put_number_if(turn->waited, turn->waited);
	output_format("%llu,%s,%s,", (unsigned long long)(turn->end - turn->begin), left ? left : "",
		      cell.absent ? "" : cell.text);
	put_number_if(turn->waker.process, is_thread);
	if (is_thread)
		output_format("%u", turn->waker.thread);
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
	return inner.json;
}

static int json(const struct bcoslog_thread_turn *turn, bool part)
{
	const struct bcoslog_account_thread *thread = turn->thread;
	struct object object = { .json = json_object() };

	object_time(&object, "begin", turn->begin);
	object_time(&object, "end", turn->end);
	object_number(&object, "cpu", turn->cpu);
	object_number(&object, "process", thread->process->id);
	object_text(&object, "name", thread->process->name, thread->process->name_length);
	object_number(&object, "thread", thread->id);
	object_add(&object, "off_ns", turn->off ? json_integer((json_int_t)turn->off) : json_null());
	object_add(&object, "waited_ns", turn->waited ? json_integer((json_int_t)turn->waited) : json_null());
	object_add(&object, "preempted", json_boolean(turn->preempted));
	object_add(&object, "woken_by", waker_json(&turn->waker, &object));
	object_number(&object, "cpu_ns", turn->end - turn->begin);
	if (part)
		object_add(&object, "cpu_ns_at_least", json_true());
	object_word(&object, "left", left_of(turn, part));
	return object_print(&object, "a turn");
}

int thread_turn(const struct bcoslog_thread_turn *turn, enum table_form form, bool part)
{
	if (form == TABLE_JSON)
		return json(turn, part);
	thread_turn_head(form);
	if (form == TABLE_CSV)
		csv(turn, part);
	else
		line(turn, part);
	return 0;
}
