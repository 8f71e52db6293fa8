/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Groups of processes, for the reports with --by: all of a name, a control group, a user or a parent. Each process is in
 * one group, also if the log does not tell in which one, so that the sums of the groups are those of all processes.
 */
#ifndef BCOSLOG_VIEWS_GROUPS_H
#define BCOSLOG_VIEWS_GROUPS_H

#include "views/track/lives.h"

enum group_by { BY_NOTHING, BY_CGROUP, BY_USER, BY_PARENT, BY_NAME };

/**
 * struct group_key - a group of processes
 * @unknown: the log does not tell in which group the process is
 * @has_id: @id is valid
 * @cpu: the path is of version 1's hierarchy of the controller cpu
 * @cut: the path lacks its beginning
 * @id: ID of the user or the parent
 * @name: the path of the control group, or the name; NULL: none
 * @length: length of @name
 */
struct group_key {
	bool unknown, has_id, cpu, cut;
	u32 id;
	const char *name;
	size_t length;
};

/* What the option --by of a report is called in its help, and takes. */
#define GROUP_VALUES "cgroup|user|parent|name"

/* Return: what @text, the value of --by, asks for; BY_NOTHING: none of these. */
enum group_by group_choice(const char *text);

/**
 * group_key() - tell in which group a process is
 * @key: out: the group, whose name is a part of @process or @parent
 * @by: a kind of groups
 * @process: a process of an account, or a copy of one
 * @parent: the process that it was born of, as far as that is known; or NULL
 */
void group_key(struct group_key *key, enum group_by by, const struct bcoslog_account_process *process,
	       const struct bcoslog_account_process *parent);

/* Return: less than 0, 0 or more, as @left comes before @right, is the same group, or comes after. */
int group_compare(const struct group_key *left, const struct group_key *right);

/* The columns of a kind of groups, before others, and their number. */
#define GROUP_COLUMNS 2
/* Writes them to @columns.  Return: their number. */
size_t group_columns(struct column columns[GROUP_COLUMNS], enum group_by by);

/* The texts of the cells of a group. */
struct group_text {
	char id[16], name[1100];
};

/*
 * Writes the cells of a group, which use @text. The report tells whether the table is for people, and whether the log is of
 * this machine, which knows the names of its users.  Return: their number.
 */
size_t group_cells(struct cell cells[GROUP_COLUMNS], const struct report *report, enum group_by by,
		   const struct group_key *key, struct group_text *text);
/* Likewise of a row that is no group, such as "idle". */
size_t group_other_cells(struct cell cells[GROUP_COLUMNS], enum group_by by, const char *name);

/* A group, and its lives: @count of them. */
struct group {
	struct group_key key;
	struct life **lives;
	size_t count;
};

/* The groups of all lives. */
struct groups {
	struct group *of;
	size_t count;
	struct life **lives;		/* all of them, by group */
};

/* Makes the groups of @lives, in no order that means anything.  Return: 0, or -ENOMEM. groups_free() follows in any case. */
int groups_make(struct groups *groups, enum group_by by, const struct lives *lives);
void groups_free(struct groups *groups);

#endif
