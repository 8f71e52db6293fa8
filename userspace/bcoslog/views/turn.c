// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A turn of a CPU as a line: see turn.h. */
#include "output/object.h"
#include "output/times.h"
#include "turn.h"

void turn_head(enum table_form form)
{
	static bool headed;

	if (!headed && form == TABLE_TEXT)
		output_format("%*s  CPU          off    waited       ran  process\n", time_mode == TIME_WALL ? 26 : 16, "time");
	else if (!headed && form == TABLE_CSV)
		output_format("begin,end,%scpu,process,name,off_ns,waited_ns,cpu_ns\r\n",
			      time_mode == TIME_WALL ? "begin_wall,end_wall," : "");
	headed = true;
}

/* As wide as such columns usually are: the next lines are not known yet. */
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

/* In what is left of a terminal's line, of which @used columns have something already. */
static void put_process_in(const struct bcoslog_account_process *process, size_t used)
{
	size_t room = table_room(), length = process->name_length;
	char id[16];

	used += (size_t)snprintf(id, sizeof(id), "  %u ", process->id);
	output_bytes(id, strlen(id));
	if (room)
		length = table_cut(process->name, length, room > used ? room - used : 0);
	output_room();
	put_text(process->name, length, 0);
}

void turn_line(const struct bcoslog_interval *interval, const struct turn *turn, bool part)
{
	char time[TIME_TEXT];

	turn_head(TABLE_TEXT);
	output_room();
	time_text(time, interval->begin);
	output_format("%*s %4u  ", time_mode == TIME_WALL ? 26 : 16, time, interval->cpu);
	put_span(turn->off, turn->off, false);
	put_span(turn->delay, turn->delay, false);
	put_span(interval->end - interval->begin, true, part);
	if (interval->process) {
		put_process_in(interval->process, time_mode == TIME_WALL ? 66 : 56);
	} else {
		output_format("  idle");
	}
	output_bytes("\n", 1);
}

void turn_csv(const struct bcoslog_interval *interval, const struct turn *turn)
{
	const struct bcoslog_account_process *process = interval->process;
	const char *name = process ? process->name : "idle";
	size_t i, length = process ? process->name_length : strlen(name);
	char time[WALL_TEXT];

	turn_head(TABLE_CSV);
	output_format("%llu,%llu,", (unsigned long long)interval->begin, (unsigned long long)interval->end);
	if (time_mode == TIME_WALL) {
		wall_text(time, interval->begin);
		output_format("%s,", time);
		wall_text(time, interval->end);
		output_format("%s,", time);
	}
	output_format("%u,", interval->cpu);
	if (process)
		output_format("%u", process->id);
	output_bytes(",\"", 2);
	for (i = 0; i < length; i++)
		output_bytes(name[i] == '"' ? "\"\"" : &name[i], name[i] == '"' ? 2 : 1);
	output_bytes("\",", 2);
	if (turn->off)
		output_format("%llu", (unsigned long long)turn->off);
	output_bytes(",", 1);
	if (turn->delay)
		output_format("%llu", (unsigned long long)turn->delay);
	output_format(",%llu\r\n", (unsigned long long)(interval->end - interval->begin));
}

int turn_json(const struct bcoslog_interval *interval, const struct turn *turn, bool part)
{
	const struct bcoslog_account_process *process = interval->process;
	struct object object = { .json = json_object() };

	object_time(&object, "begin", interval->begin);
	object_time(&object, "end", interval->end);
	object_number(&object, "cpu", interval->cpu);
	object_add(&object, "process", process ? json_integer(process->id) : json_null());
	if (process)
		object_text(&object, "name", process->name, process->name_length);
	else
		object_word(&object, "name", "idle");
	object_add(&object, "off_ns", turn->off ? json_integer((json_int_t)turn->off) : json_null());
	object_add(&object, "waited_ns", turn->delay ? json_integer((json_int_t)turn->delay) : json_null());
	object_number(&object, "cpu_ns", interval->end - interval->begin);
	if (part)
		object_add(&object, "cpu_ns_at_least", json_true());
	return object_print(&object, "a turn");
}
