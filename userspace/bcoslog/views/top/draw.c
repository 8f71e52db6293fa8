// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Draws the screen of bcoslog top: see top.h. */
#include "account/report.h"
#include "log/run.h"
#include "output/output.h"
#include "output/screen.h"
#include "top.h"

u64 top_every = 1000000000ull;

/* The greatest number of lines for the blocks, one for each CPU. */
#define CPU_LINES 4

static const char *const help[] = {
	"1 to 7     views: CPU time of processes (top), use of CPUs (cpu), devices",
	"           (io), cores (power), stretches without a CPU (offcpu), waits for a",
	"           CPU (latency), lives of processes (processes)",
	"c t w n i  sort top by CPU time, total time, watts, name, ID (process)",
	"r          reverse the order",
	"arrows, PgUp, PgDn, Home, End",
	"           show other rows, and other columns",
	"/          find a name: Enter goes to the next row that has it, Esc forgets it",
	"p          pause: the screen stays (PAUSED); the log is read all the same",
	"+ -        make the interval longer, shorter",
	"h ?        show this help; any key hides it",
	"q          leave",
	"",
	"All views show the last interval.  offcpu has stretches of 10 ms and more that",
	"ended in it, the newest first: the first 64 of them, or 1024 of a file.",
	">= is before a lower bound, and ? is an unknown value.",
	"BEHIND: the log grows faster than it can be read; by 5 s: the newest entry",
	"that was read is so old.",
};

size_t top_page(const struct top *top)
{
	size_t lines, columns;

	screen_size(&lines, &columns);
	/* The head of the table and the last line of the screen take a line each. */
	return lines > top->head_lines + 2 ? lines - top->head_lines - 2 : 1;
}

static void put_share(const char *name, u64 part, u64 whole, bool least)
{
	output_format("%s%s%.1f %%  ", name, least ? ">=" : "", whole ? 100 * (double)part / (double)whole : 0);
}

/* Puts the power of all cores whose power is known, and the number of the others. */
static void put_power(const struct live *live)
{
	double seconds = (double)(live->totals.end - live->totals.begin) / 1e9, joules = 0;
	u32 unknown = power_unknown_cores(live->cores, live->core_count);
	bool known = false, least = false;
	size_t i;

	for (i = 0; i < live->core_count; i++) {
		known |= live->cores[i].work.power_unknown < live->cores[i].online;
		least |= live->cores[i].work.at_least;
		joules += live->cores[i].work.joules;
	}
	if (known && seconds > 0)
		output_format("  %s%.2f W", least ? ">=" : "", joules / seconds);
	else
		output_format("  ? W");
	if (known && unknown)
		output_format(" + %u core%s unknown", unknown, unknown == 1 ? "" : "s");
}

static void put_first(const struct top *top)
{
	const struct live *live = &top->live;
	u64 span = live->totals.end - live->totals.begin;

	output_format("bcoslog %s%s%s%s", screen_tables[top->shown].name, top->paused ? " PAUSED" : "",
		      top->ended && !live->whole ? " ENDED" : "", top->behind || top->lag > TOP_LAG ? " BEHIND" : "");
	if (top->lag > TOP_LAG)
		output_format(" by %.1f s", (double)top->lag / 1e9);
	output_format("  ");
	if (bcoslog_kind(top->run->log) == BCOSLOG_BPF)
		put_string("BPF programs");
	else
		put_text(top->run->path, strlen(top->run->path), 0);
	if (!live->last.end && !top->ended) {
		output_format("  reading");
		return;
	}
	output_format("  %llu.%03llu s since boot, %s %llu.%03llu s",
		      (unsigned long long)(live->totals.end / 1000000000),
		      (unsigned long long)(live->totals.end / 1000000 % 1000), live->whole ? "all of" : "the last",
		      (unsigned long long)(span / 1000000000), (unsigned long long)(span / 1000000 % 1000));
	if (!live->whole)
		output_format(" of every %.9g s", (double)top_every / 1e9);
}

static void put_totals(const struct live *live)
{
	const struct bcoslog_account_totals *totals = &live->totals;
	bool least = totals->time[BCOSLOG_USE_UNKNOWN];
	size_t i, up = 0;

	for (i = 0; i < live->cpu_count; i++)
		up += live->cpus[i].up;
	put_share("busy ", totals->time[BCOSLOG_USE_PROCESS], totals->online, least);
	put_share("kernel ", totals->time[BCOSLOG_USE_KERNEL], totals->online, least);
	put_share("idle ", totals->time[BCOSLOG_USE_IDLE], totals->online, least);
	put_share("unknown ", totals->time[BCOSLOG_USE_UNKNOWN], totals->online, false);
	output_format("%zu CPU%s", up, up == 1 ? "" : "s");
	put_power(live);
}

static void put_counts(const struct live *live)
{
	const struct live_list *list = &live->processes;
	const struct bcoslog_account_totals *totals = &live->totals;
	const char *least = totals->lost & BCOSLOG_LOST_LIVES ? ">=" : "";
	size_t alive = list->count - list->ended;

	output_format("%s%zu process%s, %s%llu began, %s%llu ended, %s%llu execs and renames", least, alive,
		      alive == 1 ? "" : "es", least, (unsigned long long)totals->births, least,
		      (unsigned long long)totals->ends, least, (unsigned long long)totals->execs);
}

static void put_block(const struct bcoslog_account_cpu *cpu)
{
	static const char *const blocks[] = { "_", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	u64 busy = cpu->time[BCOSLOG_USE_PROCESS] + cpu->time[BCOSLOG_USE_KERNEL];
	u64 known = cpu->online - cpu->time[BCOSLOG_USE_UNKNOWN];

	if (!cpu->online)
		put_string("-");
	else if (!known)
		put_string("?");
	else
		put_string(blocks[(busy * 8 + known - 1) / known]);
}

/* Draws a block for each CPU.  Return: the line below the blocks. */
static size_t draw_blocks(const struct live *live, size_t line, size_t columns)
{
	size_t i, room = columns > 8 ? columns - 6 : 2, last = line + CPU_LINES;

	for (i = 0; i < live->cpu_count && line < last; line++) {
		put_string(i ? "     " : "CPUs ");
		do
			put_block(&live->cpus[i++]);
		while (i < live->cpu_count && i % room);
		screen_line(line, 0, LOOK_PLAIN);
	}
	return line;
}

static size_t draw_losses(const struct live *live, size_t line)
{
	if (!live->last.losses && !live->last.overtaken)
		return line;
	output_format("the log states %llu %s%s: sums are lower bounds", (unsigned long long)live->last.losses,
		      live->last.losses == 1 ? "loss" : "losses",
		      live->last.overtaken ? ", and was read too slowly" : "");
	screen_line(line, 0, LOOK_WARNING);
	return line + 1;
}

static bool row_has(const struct table_rows *table, size_t row, const char *text, size_t length)
{
	const struct cell *cell = &table->cells[row * table->width];
	size_t i;

	for (i = 0; i < table->width; i++, cell++)
		if (cell_is_text(table->columns[i].kind) && cell->text &&
		    memmem(cell->text, cell->length, text, length))
			return true;
	return false;
}

void top_find(struct top *top)
{
	const struct table_rows *table = top->table;
	size_t i, row;

	for (i = 0; table && top->find_length && i < table->rows; i++) {
		row = (top->scroll + 1 + i) % table->rows;
		if (row_has(table, row, top->find, top->find_length)) {
			top->scroll = row;
			return;
		}
	}
}

static void draw_table(struct top *top, size_t line, size_t lines)
{
	const struct table_rows *table = top->table;
	size_t *widths = top->widths[top->shown], row;
	bool marked;

	if (!table) {
		for (; line < lines; line++)
			screen_line(line, 0, LOOK_PLAIN);
		return;
	}
	table_put_head(table, widths);
	screen_line(line++, top->shift, LOOK_HEAD);
	for (row = top->scroll; line < lines; line++, row++) {
		marked = row < table->rows && top->find_length && row_has(table, row, top->find, top->find_length);
		if (row < table->rows)
			table_put_row(table, &top->run->session->clock, row, widths);
		screen_line(line, top->shift, marked ? LOOK_MARKED : LOOK_PLAIN);
	}
}

static void draw_last(const struct top *top, size_t line)
{
	size_t i;

	if (top->finding) {
		put_string("/");
		put_text(top->find, top->find_length, 0);
		screen_line(line, 0, LOOK_STRONG);
		return;
	}
	for (i = 0; i < SCREEN_TABLES; i++)
		output_format("%c %s  ", screen_tables[i].key, screen_tables[i].name);
	put_string("h help  q quit");
	screen_line(line, 0, LOOK_STRONG);
}

static void draw_help(size_t line, size_t lines)
{
	size_t i;

	for (i = 0; line < lines; i++, line++) {
		if (i < sizeof(help) / sizeof(help[0]))
			put_string(help[i]);
		screen_line(line, 0, LOOK_PLAIN);
	}
}

static void fill_table(struct top *top)
{
	top->stale = false;
	table_free(&top->own);
	top->table = screen_tables[top->shown].table(&top->live, &top->own);
	table_widths(top->table, &top->run->session->clock, top->widths[top->shown]);
	if (top->scroll >= top->table->rows)
		top->scroll = top->table->rows ? top->table->rows - 1 : 0;
}

void top_draw(struct top *top)
{
	size_t lines, columns, line = 0;

	if (top->stale)
		fill_table(top);
	screen_size(&lines, &columns);
	/* Nothing else uses the output buffer while the screen is shown. */
	output.used = 0;
	put_first(top);
	screen_line(line++, 0, LOOK_STRONG);
	put_totals(&top->live);
	screen_line(line++, 0, LOOK_PLAIN);
	put_counts(&top->live);
	screen_line(line++, 0, LOOK_PLAIN);
	line = draw_blocks(&top->live, line, columns);
	top->head_lines = draw_losses(&top->live, line);
	if (top->help)
		draw_help(top->head_lines, lines - 1);
	else
		draw_table(top, top->head_lines, lines - 1);
	draw_last(top, lines - 1);
	screen_show();
}
