/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A temporary folder. A second process removes it, also if this process is killed. */
#ifndef BCOSLOG_RECORD_FOLDER_H
#define BCOSLOG_RECORD_FOLDER_H

#include <sys/types.h>

/**
 * struct folder - a temporary folder of files
 * @path: path of the folder
 * @line: socket to the process that removes the folder as soon as the socket is closed
 * @keeper: ID of that process
 */
struct folder {
	char path[4096];
	int line;
	pid_t keeper;
};

/*
 * Makes a folder in TMPDIR, or in /tmp; its name begins with @name. The function forks, so no other thread may run yet.
 * Return: 0, or a negative errno; @folder->path is then the template of the name.
 */
int folder_make(struct folder *folder, const char *name);
/* Removes the folder and its files. */
void folder_remove(struct folder *folder);

#endif
