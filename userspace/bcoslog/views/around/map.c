// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Prints a map of the turns of CPUs: see map.h. */
#include <stdlib.h>

#include "map.h"
#include "output/output.h"
#include "report/course/imprecise.h"
#include "views/story/page.h"

/* The letters of processes. All processes after the others share the last letter. */
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*";

#define LETTERS (sizeof(letters) - 1)
#define OTHERS (LETTERS - 1)

enum { SEEN_IDLE = LETTERS, SEEN_KERNEL, SEEN_UNKNOWN, SEEN };

/* The row of a CPU. A cell shows the use that the CPU had first for the longest time without a change. */
struct row {
	u32 cpu;
	u64 time[MAP_WIDTH];		/* ns of the use that the cell shows */
	unsigned char use[MAP_WIDTH];	/* number of the letter that the cell shows, plus 1; 0: none */
	u64 sum;			/* ns of the use @last in the cell @cell so far */
	size_t cell;
	unsigned int last;
};

static struct map {
	u64 begin, end, known;
	struct row *rows;
	size_t count;
	struct recent_use uses[OTHERS];
	size_t given;
	bool seen[SEEN];
} map;

static struct row *row_of(u32 cpu)
{
	struct row *larger;
	size_t i;

	for (i = 0; i < map.count; i++)
		if (map.rows[i].cpu == cpu)
			return &map.rows[i];
	larger = reallocarray(map.rows, map.count + 1, sizeof(*larger));
	if (!larger)
		return NULL;
	map.rows = larger;
	memset(&larger[map.count], 0, sizeof(*larger));
	larger[map.count].cpu = cpu;
	return &larger[map.count++];
}

static unsigned int letter_of(const struct recent_use *use)
{
	size_t i;

	if (use->use == BCOSLOG_USE_IDLE)
		return SEEN_IDLE;
	if (use->use == BCOSLOG_USE_UNKNOWN)
		return SEEN_UNKNOWN;
	if (use->use == BCOSLOG_USE_KERNEL)
		return SEEN_KERNEL;
	for (i = 0; i < map.given; i++)
		if (map.uses[i].serial == use->serial)
			return (unsigned int)i;
	if (map.given == OTHERS)
		return OTHERS;
	map.uses[map.given] = *use;
	return (unsigned int)map.given++;
}

/* Return: the begin of a cell, or the end of the map if @cell is MAP_WIDTH. */
static u64 cell_begin(size_t cell)
{
	return map.begin + (u64)((unsigned __int128)(map.end - map.begin) * cell / MAP_WIDTH);
}

static void draw_turn(struct row *row, u64 begin, u64 end, unsigned int letter)
{
	size_t cell = (size_t)((unsigned __int128)(begin - map.begin) * MAP_WIDTH / (map.end - map.begin));
	u64 from, until;

	for (; cell < MAP_WIDTH && cell_begin(cell) < end; cell++) {
		from = cell_begin(cell) > begin ? cell_begin(cell) : begin;
		until = cell_begin(cell + 1) < end ? cell_begin(cell + 1) : end;
		if (row->cell != cell || row->last != letter)
			row->sum = 0;
		row->cell = cell;
		row->last = letter;
		row->sum += until - from;
		if (row->sum <= row->time[cell])
			continue;
		row->time[cell] = row->sum;
		row->use[cell] = (unsigned char)(letter + 1);
	}
}

static int add_turn(const struct happening *turn)
{
	u64 begin = turn->begin > map.begin ? turn->begin : map.begin;
	u64 end = turn->end < map.known ? turn->end : map.known;
	struct row *row = row_of(turn->id);
	unsigned int letter;

	if (!row)
		return -ENOMEM;
	if (begin >= end)
		return 0;
	letter = letter_of(&turn->use);
	draw_turn(row, begin, end, letter);
	return 0;
}

static char shown_letter(unsigned int letter)
{
	switch (letter) {
	case SEEN_IDLE:
		return '.';
	case SEEN_KERNEL:
		return '0';
	case SEEN_UNKNOWN:
		return '?';
	default:
		return letters[letter];
	}
}

static int by_cpu(const void *left, const void *right)
{
	u32 a = ((const struct row *)left)->cpu, b = ((const struct row *)right)->cpu;

	return a < b ? -1 : a > b;
}

static void print_rows(u64 moment)
{
	size_t i, cell;
	char label[24];

	page_begin("");
	cell = (size_t)((unsigned __int128)(moment - map.begin) * MAP_WIDTH / (map.end - map.begin));
	for (i = 0; i < cell; i++)
		put_char(' ');
	put_literal("v\n");
	for (i = 0; i < map.count; i++) {
		snprintf(label, sizeof(label), "CPU %u", map.rows[i].cpu);
		page_begin(label);
		for (cell = 0; cell < MAP_WIDTH; cell++) {
			put_char(map.rows[i].use[cell] ? shown_letter(map.rows[i].use[cell] - 1) : ' ');
			if (map.rows[i].use[cell])
				map.seen[map.rows[i].use[cell] - 1] = true;
		}
		while (output.buffer[output.used - 1] == ' ')
			output.used--;
		put_char('\n');
	}
}

/* Prints a line that marks the cells with changes whose precision exceeds a cell.  Return: whether there are any. */
static bool print_imprecise(void)
{
	u64 width = (map.end - map.begin) / MAP_WIDTH, until;
	char marks[MAP_WIDTH];
	size_t cell, last = 0;

	memset(marks, ' ', sizeof(marks));
	for (cell = 0; cell < MAP_WIDTH && cell_begin(cell) <= map.known; cell++) {
		until = cell_begin(cell + 1) > cell_begin(cell) ? cell_begin(cell + 1) : cell_begin(cell) + 1;
		if (!imprecise_in(cell_begin(cell), until, width))
			continue;
		marks[cell] = '~';
		last = cell + 1;
	}
	if (!last)
		return false;
	page_begin("");
	output_bytes(marks, last);
	put_char('\n');
	return true;
}

static void print_letters(bool imprecise)
{
	static const struct {
		unsigned int letter;
		const char *meaning;
	} others[] = {
		{ OTHERS, "others" }, { SEEN_KERNEL, "kernel" }, { SEEN_IDLE, "idle" }, { SEEN_UNKNOWN, "unknown" },
	};
	bool first = true;
	size_t i;

	page_begin("");
	for (i = 0; i < map.given; i++) {
		if (!map.seen[i])
			continue;
		page_format("%s%c ", first ? "" : ", ", letters[i]);
		put_text(map.uses[i].name, map.uses[i].name_length, 0);
		page_format(" (%u)", map.uses[i].process);
		first = false;
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (!map.seen[others[i].letter])
			continue;
		page_format("%s%c %s", first ? "" : ", ", shown_letter(others[i].letter), others[i].meaning);
		first = false;
	}
	if (imprecise)
		page_format("%s~ imprecise", first ? "" : ", ");
	page_end();
}

int map_print(const struct happenings *happenings, u64 begin, u64 end, u64 known, u64 moment)
{
	const struct happening *each = happenings->of + happenings->first;
	int r = 0;
	size_t i;

	map.begin = begin;
	map.end = end > begin ? end : begin + 1;
	map.known = known < map.end ? known : map.end;
	for (i = 0; !r && i < happenings->count; i++)
		if (each[i].kind == HAPPENS_TURN)
			r = add_turn(&each[i]);
	if (!r && map.count) {
		qsort(map.rows, map.count, sizeof(*map.rows), by_cpu);
		print_rows(moment);
		print_letters(print_imprecise());
	}
	free(map.rows);
	memset(&map, 0, sizeof(map));
	return r;
}
