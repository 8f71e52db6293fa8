/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A temporary folder, which goes also when this process is killed. */
#ifndef BCOSLOG_RECORD_FOLDER_H
#define BCOSLOG_RECORD_FOLDER_H

#include <sys/types.h>

/**
 * struct folder - a temporary folder of files
 * @path: of it
 * @line: to the process that removes it, which waits for its end
 * @keeper: that process
 */
struct folder {
	char path[4096];
	int line;
	pid_t keeper;
};

/*
 * Makes a folder whose name begins with @name, where TMPDIR says, else in /tmp. No other thread may run yet.
 * Return: 0 or a negative errno; @folder->path is the template then.
 */
int folder_make(struct folder *folder, const char *name);
/* Removes it, with its files. */
void folder_remove(struct folder *folder);

#endif
