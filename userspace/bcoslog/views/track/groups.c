// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups of processes: see groups.h. */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>

#include "family.h"
#include "groups.h"

static const char *const words[] = {
	[BY_CGROUP] = "cgroup", [BY_USER] = "user", [BY_PARENT] = "parent", [BY_NAME] = "name",
};

#define KINDS (sizeof(words) / sizeof(words[0]))

enum group_by group_choice(const char *text)
{
	size_t i;

	for (i = BY_CGROUP; i < KINDS; i++)
		if (!strcmp(text, words[i]))
			return (enum group_by)i;
	return BY_NOTHING;
}

/* ---- the group of a process ------------------------------------------------------------ */

static void set_name(struct group_key *key, const char *name, size_t length)
{
	key->name = name;
	key->length = length;
}

void group_key(struct group_key *key, enum group_by by, const struct bcoslog_account_process *process,
	       const struct bcoslog_account_process *parent)
{
	*key = (struct group_key){ 0 };
	/* Threads of the kernel are in no group, and have a row of their own in all reports. */
	if (by == BY_NAME || process->id == BCOS_PROCESS_KERNEL) {
		set_name(key, process->name, process->name_length);
	} else if (by == BY_CGROUP && process->cgroup) {
		set_name(key, process->cgroup, strlen(process->cgroup));
		key->cpu = process->cgroup_cpu;
		key->cut = process->cgroup_cut;
	} else if (by == BY_USER && process->has_user) {
		key->has_id = true;
		key->id = process->uid;
	} else if (by == BY_PARENT && process->has_parent) {
		key->has_id = true;
		key->id = process->parent;
		if (parent)
			set_name(key, parent->name, parent->name_length);
	} else {
		key->unknown = true;
	}
}

int group_compare(const struct group_key *left, const struct group_key *right)
{
	size_t length = left->length < right->length ? left->length : right->length;
	int order;

	if (left->unknown != right->unknown)
		return left->unknown - right->unknown;
	if (left->has_id != right->has_id)
		return left->has_id - right->has_id;
	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	if (left->cpu != right->cpu)
		return left->cpu - right->cpu;
	if (left->cut != right->cut)
		return left->cut - right->cut;
	order = length ? memcmp(left->name, right->name, length) : 0;
	return order ?: (left->length < right->length ? -1 : left->length > right->length);
}

/* ---- its cells -------------------------------------------------------------------------- */

static bool has_ids(enum group_by by)
{
	return by == BY_USER || by == BY_PARENT;
}

size_t group_columns(struct column columns[GROUP_COLUMNS], enum group_by by)
{
	if (!has_ids(by)) {
		columns[0] = (struct column){ words[by], words[by], CELL_TEXT };
		return 1;
	}
	columns[0] = (struct column){ words[by], words[by], CELL_ID };
	columns[1] = (struct column){ by == BY_USER ? "user_name" : "parent_name", "name", CELL_TEXT };
	return 2;
}

static struct cell name_cell(const struct report *report, enum group_by by, const struct group_key *key, struct group_text *text)
{
	const struct passwd *user = by == BY_USER && key->has_id && report->own ? getpwuid(key->id) : NULL;

	if (user) {
		snprintf(text->name, sizeof(text->name), "%s", user->pw_name);
		return CELL_WORD(text->name);
	}
	if (key->unknown)
		return report->form == TABLE_TEXT ? CELL_WORD("(not in the log)") : CELL_NONE;
	if (!key->name)
		return CELL_NONE;
	if (!key->cut && !key->cpu)
		return cell_name(key->name, key->length);
	snprintf(text->name, sizeof(text->name), "%s%.*s%s", key->cut ? "..." : "", (int)key->length, key->name,
		 key->cpu ? " (version 1, controller cpu)" : "");
	return CELL_WORD(text->name);
}

size_t group_cells(struct cell cells[GROUP_COLUMNS], const struct report *report, enum group_by by,
		   const struct group_key *key, struct group_text *text)
{
	if (!has_ids(by)) {
		cells[0] = name_cell(report, by, key, text);
		return 1;
	}
	text->id[0] = 0;
	if (key->has_id)
		snprintf(text->id, sizeof(text->id), "%u", key->id);
	cells[0] = CELL_WORD(text->id);
	cells[1] = name_cell(report, by, key, text);
	return 2;
}

size_t group_other_cells(struct cell cells[GROUP_COLUMNS], enum group_by by, const char *name)
{
	if (!has_ids(by)) {
		cells[0] = CELL_WORD(name);
		return 1;
	}
	cells[0] = CELL_WORD("");
	cells[1] = CELL_WORD(name);
	return 2;
}

/* ---- the groups of lives ------------------------------------------------------------------ */

struct keyed {
	struct group_key key;
	struct life *life;
};

static int by_key(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	int order = group_compare(&a->key, &b->key);

	if (order)
		return order;
	return a->life->process.serial < b->life->process.serial ? -1 : a->life->process.serial > b->life->process.serial;
}

/* Makes the groups of the sorted lives. */
static void join_keyed(struct groups *groups, const struct keyed *keyed, size_t count)
{
	struct group *group = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		groups->lives[i] = keyed[i].life;
		if (!group || group_compare(&group->key, &keyed[i].key)) {
			group = &groups->of[groups->count++];
			*group = (struct group){ .key = keyed[i].key, .lives = &groups->lives[i] };
		}
		group->count++;
	}
}

static void set_keys(struct keyed *keyed, enum group_by by, const struct lives *lives, const struct family *family)
{
	size_t i;

	for (i = 0; i < lives->count; i++) {
		keyed[i].life = &lives->lives[i];
		group_key(&keyed[i].key, by, &lives->lives[i].process,
			  family[i].parent == FAMILY_NONE ? NULL : &lives->lives[family[i].parent].process);
	}
}

int groups_make(struct groups *groups, enum group_by by, const struct lives *lives)
{
	size_t room = lives->count ? lives->count : 1;
	struct keyed *keyed = calloc(room, sizeof(*keyed));
	struct family *family = calloc(room, sizeof(*family));
	int error = -ENOMEM;

	*groups = (struct groups){ .of = calloc(room, sizeof(*groups->of)), .lives = calloc(room, sizeof(*groups->lives)) };
	if (keyed && family && groups->of && groups->lives)
		error = family_find(family, lives);
	if (!error) {
		set_keys(keyed, by, lives, family);
		if (lives->count)
			qsort(keyed, lives->count, sizeof(*keyed), by_key);
		join_keyed(groups, keyed, lives->count);
	}
	free(keyed);
	free(family);
	return error;
}

void groups_free(struct groups *groups)
{
	free(groups->of);
	free(groups->lives);
	*groups = (struct groups){ 0 };
}
