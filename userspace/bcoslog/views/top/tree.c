// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bcoslog top --tree: which families of processes had the CPUs. */
#include <errno.h>
#include <stdlib.h>

#include "complain/complain.h"
#include "once.h"
#include "svg/svg.h"
#include "views/track/family.h"

static const struct column columns[] = {
	{ "process", "process", CELL_ID },
	{ "name", "name", CELL_TEXT },
	{ "parent", NULL, CELL_NUMBER },
	{ "depth", NULL, CELL_NUMBER },
	{ "cpu_ns", "on CPUs", CELL_SPAN },
	{ "family_ns", "with descendants", CELL_SPAN },
	{ "family_share", "share", CELL_SHARE },
	{ "descendants", "descendants", CELL_COUNT },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

/* The depth up to which names are indented, and the bytes of a name with that. */
#define DEPTH_SHOWN 16
#define NAME_ROOM (2 * DEPTH_SHOWN + 256)

/* A life, and the sums of its family: itself and all descendants. */
struct member {
	size_t life;
	struct life sum;
	u64 count, depth;
	size_t order;			/* its place among all, the greatest sum first */
};

/**
 * struct tree - all families
 * @family: the family of each life
 * @members: likewise the member
 * @by_sum: indices of lives, in the order in which families are printed: the greatest first
 */
struct tree {
	struct family *family;
	struct member *members;
	const struct member **by_sum;
	const struct lives *lives;
};

static int most_first(const void *left, const void *right)
{
	const struct member *a = *(const struct member *const *)left, *b = *(const struct member *const *)right;

	if (a->sum.process.time != b->sum.process.time)
		return a->sum.process.time > b->sum.process.time ? -1 : 1;
	return a->life < b->life ? -1 : a->life > b->life;
}

static int newest_first(const void *left, const void *right)
{
	const struct life *a = left, *b = right;

	if (a->process.start != b->process.start)
		return a->process.start > b->process.start ? -1 : 1;
	return a->process.serial > b->process.serial ? -1 : a->process.serial < b->process.serial;
}

/* Adds each life to its parent. The lives are in the order of newest_first(), so that children come before parents. */
static void sum_families(struct tree *tree)
{
	const struct lives *lives = tree->lives;
	struct member *member, *parent;
	size_t i;

	for (i = 0; i < lives->count; i++) {
		member = &tree->members[i];
		member->life = i;
		member->sum = TOP_LIFE;
	}
	for (i = 0; i < lives->count; i++) {
		member = &tree->members[i];
		top_add_life(&member->sum, &lives->lives[i]);
		if (tree->family[i].parent == FAMILY_NONE)
			continue;
		parent = &tree->members[tree->family[i].parent];
		top_add_life(&parent->sum, &member->sum);
		parent->count += 1 + member->count;
	}
}

/* Orders children by their sums, and counts how deep they are. */
static void order_families(struct tree *tree)
{
	size_t i, life, count = tree->lives->count;
	struct family *parent;

	for (i = 0; i < count; i++) {
		tree->by_sum[i] = &tree->members[i];
		tree->family[i].child = FAMILY_NONE;
	}
	if (count)
		qsort(tree->by_sum, count, sizeof(*tree->by_sum), most_first);
	/* Each goes before those that are there, so the greatest comes last. */
	for (i = count; i; i--) {
		life = tree->by_sum[i - 1]->life;
		if (tree->family[life].parent == FAMILY_NONE)
			continue;
		parent = &tree->family[tree->family[life].parent];
		tree->family[life].next = parent->child;
		parent->child = life;
	}
	for (i = count; i; i--)
		if (tree->family[i - 1].parent != FAMILY_NONE)
			tree->members[i - 1].depth = tree->members[tree->family[i - 1].parent].depth + 1;
}

static void member_row(struct table_rows *table, const struct report *report, struct tree *tree, size_t at,
		       const struct top_sums *sums)
{
	const struct life *life = &tree->lives->lives[at];
	const struct bcoslog_account_process *process = &life->process;
	struct member *member = &tree->members[at];
	int indent = report->form == TABLE_TEXT ? (int)(member->depth < DEPTH_SHOWN ? 2 * member->depth : 2 * DEPTH_SHOWN) : 0;
	char id[16], name[NAME_ROOM];

	snprintf(id, sizeof(id), "%u", process->id);
	snprintf(name, sizeof(name), "%*s%.*s", indent, "", (int)process->name_length, process->name);
	top_share_unknown(&member->sum, sums);
	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(id), CELL_WORD(name), process->has_parent ? CELL_OF(process->parent) : CELL_NONE, CELL_OF(member->depth),
		cell_time(process->time, &life->bounds), cell_time(member->sum.process.time, &member->sum.bounds),
		cell_time_share(member->sum.process.time, sums->online, &member->sum.bounds),
		cell_sum(member->count, member->sum.process.lost & BCOSLOG_LOST_LIVES),
	});
}

/* Adds the rows of a family, each parent before its children. */
static void family_rows(struct table_rows *table, const struct report *report, struct tree *tree, size_t root,
			const struct top_sums *sums)
{
	const struct family *family = tree->family;
	size_t at = root;

	while (at != FAMILY_NONE) {
		member_row(table, report, tree, at, sums);
		if (family[at].child != FAMILY_NONE) {
			at = family[at].child;
			continue;
		}
		while (at != root && family[at].next == FAMILY_NONE)
			at = family[at].parent;
		at = at == root ? FAMILY_NONE : family[at].next;
	}
}

/* Adds a row with a sum that is no process. */
static void sum_row(struct table_rows *table, const char *name, u64 time, const struct bcoslog_bounds *bounds, u64 online, struct cell count)
{
	table_row(table, (struct cell[COLUMNS]){
		CELL_WORD(""), CELL_WORD(name), CELL_NONE, CELL_NONE, CELL_NONE, cell_time(time, bounds),
		cell_time_share(time, online, bounds), count,
	});
}

static void use_row(struct table_rows *table, const char *name, const struct top_sums *sums, enum bcoslog_use use, u64 more)
{
	struct bcoslog_bounds bounds = { .time = sums->time[use] + more, .time_known = true };

	sum_row(table, name, sums->time[use], &bounds, sums->online, CELL_NONE);
}

static void put_families(struct table_rows *table, const struct report *report, struct tree *tree, u64 rows)
{
	struct life others = TOP_LIFE;
	struct top_sums sums;
	u64 shown = 0, left = 0;
	size_t i, life;

	top_sum_cpus(report, &sums);
	for (i = 0; i < tree->lives->count; i++) {
		life = tree->by_sum[i]->life;
		if (tree->family[life].parent != FAMILY_NONE)
			continue;
		if (rows && shown >= rows && tree->lives->lives[life].process.id != BCOS_PROCESS_KERNEL) {
			top_add_life(&others, &tree->members[life].sum);
			left += 1 + tree->members[life].count;
			continue;
		}
		shown += tree->lives->lives[life].process.id != BCOS_PROCESS_KERNEL;
		family_rows(table, report, tree, life, &sums);
	}
	top_share_unknown(&others, &sums);
	if (left)
		sum_row(table, "others", others.process.time, &others.bounds, sums.online,
			cell_sum(left, others.process.lost & BCOSLOG_LOST_LIVES));
	if (!sums.online)
		return;
	use_row(table, "idle", &sums, BCOSLOG_USE_IDLE, sums.time[BCOSLOG_USE_UNKNOWN]);
	use_row(table, "unknown", &sums, BCOSLOG_USE_UNKNOWN, 0);
}

int top_tree_print(struct report *report, struct lives *lives, u64 rows)
{
	size_t room = lives->count ? lives->count : 1;
	struct tree tree = {
		.family = calloc(room, sizeof(*tree.family)), .members = calloc(room, sizeof(*tree.members)),
		.by_sum = calloc(room, sizeof(*tree.by_sum)), .lives = lives,
	};
	struct table_rows table;
	int error = -ENOMEM;

	if (lives->count)
		qsort(lives->lives, lives->count, sizeof(*lives->lives), newest_first);
	if (tree.family && tree.members && tree.by_sum)
		error = family_find(tree.family, lives);
	if (error) {
		complain("no memory for the processes of the log");
	} else {
		sum_families(&tree);
		order_families(&tree);
		table_begin(&table, columns, COLUMNS);
		table.spare = "descendants cpu_ns";
		put_families(&table, report, &tree, rows);
		table.failed |= lives->failed;
		error = report->form == TABLE_SVG ?
			chart_bars(report, &table, &(struct bars){ .title = "Which families had the CPUs", .id = 0, .name = 1, .value = 5 }) :
			report_table(report, &table);
	}
	free(tree.family);
	free(tree.members);
	free(tree.by_sum);
	return error;
}
