/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What events tell of the life of a process: its parent, its program, and who ended it. */
#ifndef BCOSLOG_ROWS_LIFE_H
#define BCOSLOG_ROWS_LIFE_H

#include "buffer.h"

/**
 * struct life - what is known, as @more of struct known_process
 * @killed: a signal ended it, whose sender the other members tell
 * @oom: the out-of-memory killer chose it
 * @has_parent: the log names its parent
 * @killer: ID of the sender of the signal
 * @killer_user: user ID of the sender
 * @parent: ID of its parent
 * @user: user ID when it executed @path
 * @parent_upid: the parent; -1: the log does not name it
 * @killer_name: name of the sender; NULL if unknown
 * @parent_name: name of the parent; NULL if unknown
 * @path: path of the program; NULL if unknown
 * @arguments: its arguments, a JSON array; NULL if unknown
 * @cgroup: its control group; NULL if unknown
 */
struct life {
	bool killed, oom, has_parent;
	u32 killer, killer_user, parent, user;
	s64 parent_upid;
	const struct kept_name *killer_name, *parent_name;
	char *path, *arguments, *cgroup;
};

/* Take what an entry tells, as @entry of struct rows_kind. */
void rows_life_entry(struct bcoslog_rows *rows, const struct bcos_entry *entry);

#endif
