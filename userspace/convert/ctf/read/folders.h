/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The folders below a folder that are traces, such as those of a session of LTTng. */
#ifndef CONVERT_CTF_FOLDERS_H
#define CONVERT_CTF_FOLDERS_H

#include "core/host/user.h"

/* So many folders are kept; a session has one for the kernel, and some for each user or program. */
#define CTF_FOLDERS_MAX 256u
/* And so deep: archives/TIME/ust/uid/1000/64-bit, with room for more. */
#define CTF_FOLDERS_DEPTH 12
/* So many files and folders are looked at: somebody may name the root of a disk. */
#define CTF_FOLDERS_LOOK 100000u

/**
 * struct ctf_folders - folders that are traces
 * @names: their paths, which begin with that of the folder that was searched
 * @count: how many there are
 * @more: there may be more, which are not in @names
 */
struct ctf_folders {
	char *names[CTF_FOLDERS_MAX];
	unsigned int count;
	bool more;
};

/**
 * ctf_folders_find() - find all traces in a folder
 * @folders: gets them, in the order of their names
 * @path: the folder, which may be a trace itself
 * @is_trace: says whether a folder is a trace
 *
 * Links are not followed, apart from @path. A signal ends the search.
 */
void ctf_folders_find(struct ctf_folders *folders, const char *path, bool (*is_trace)(const char *folder));
void ctf_folders_free(struct ctf_folders *folders);

#endif
