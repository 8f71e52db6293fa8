/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libbcoslog: who did it.  Takes apart what events of the class who say:
 *
 *	struct bcoslog_killed killed;
 *	size_t length;
 *	const char *text = bcoslog_text(entry, &length);
 *
 *	if (event->event_id == BCOS_EVENT_KILLED && !bcoslog_killed(&killed, text, length))
 *		printf("signal %u from process %u\n", killed.signal, killed.process);
 *
 * Each function returns 0, or -EINVAL if it is no such text (bcoslog(5) has the grammar).
 */
#ifndef BCOSLOG_WHO_H
#define BCOSLOG_WHO_H

#include "bcoslog.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * struct bcoslog_killed - BCOS_EVENT_KILLED: who sent the signal that the process died of
 * @signal: its number
 * @code: si_code
 * @process: the sender, BCOS_PROCESS_KERNEL: the kernel
 * @user: of the sender, 0 of the kernel
 * @name: of the sender, in the text that was given; NULL: not known
 * @name_length: of @name, in bytes
 */
struct bcoslog_killed {
	__u32 signal;
	__s32 code;
	__u32 process;
	__u32 user;
	const char *name;
	size_t name_length;
};

int bcoslog_killed(struct bcoslog_killed *killed, const char *text, size_t length);

/**
 * struct bcoslog_parent - BCOS_EVENT_PARENT: of whom the process was born
 * @process: the parent
 * @name: of it, in the text that was given; NULL: not known
 * @name_length: of @name, in bytes
 */
struct bcoslog_parent {
	__u32 process;
	const char *name;
	size_t name_length;
};

int bcoslog_parent(struct bcoslog_parent *parent, const char *text, size_t length);

#define BCOSLOG_ARGUMENTS_MAX	(BCOS_EVENT_TEXT_MAX / 3)

/**
 * struct bcoslog_exec - BCOS_EVENT_EXEC: what the process runs
 * @user: its real user
 * @path: as it was given to execve()
 * @cgroup: path in the default hierarchy, NULL: not known
 * @path_cut: only the beginning of @path is there
 * @cgroup_cut: @cgroup is not all of it
 * @told: the arguments are; else they are secret
 * @cut: the last argument is not all of it, or more followed
 * @count: of the arguments that are there
 * @argument: each ends with a zero byte, as @path and @cgroup do
 * @bytes: where all of these are: a copy moves with it, so take it apart again instead
 */
struct bcoslog_exec {
	__u32 user;
	bool path_cut, cgroup_cut, told, cut;
	const char *path;
	const char *cgroup;
	unsigned int count;
	const char *argument[BCOSLOG_ARGUMENTS_MAX];
	char bytes[BCOS_EVENT_TEXT_MAX];
};

/* Of at most BCOS_EVENT_TEXT_MAX bytes. */
int bcoslog_exec(struct bcoslog_exec *exec, const char *text, size_t length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
