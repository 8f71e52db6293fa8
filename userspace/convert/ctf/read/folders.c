// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds the traces below a folder: see read.h. */
#include <fts.h>
#include <stdlib.h>

#include "../../caller.h"
#include "read.h"

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void add_folder(struct ctf_folders *folders, const char *path)
{
	char *name = folders->count < CTF_FOLDERS_MAX ? strdup(path) : NULL;

	if (name)
		folders->names[folders->count++] = name;
	else
		folders->more = true;
}

void ctf_folders_find(struct ctf_folders *folders, const char *path, bool (*is_trace)(const char *folder))
{
	char *const paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, compare_names);
	unsigned int looked = 0;
	FTSENT *entry;

	while (tree && !convert_interrupted() && !folders->more && (entry = fts_read(tree))) {
		folders->more |= looked++ == CTF_FOLDERS_LOOK;
		if (entry->fts_info != FTS_D)
			continue;
		if (entry->fts_level >= CTF_FOLDERS_DEPTH)
			fts_set(tree, entry, FTS_SKIP);
		if (is_trace(entry->fts_path))
			add_folder(folders, entry->fts_path);
	}
	if (tree)
		fts_close(tree);
}

void ctf_folders_free(struct ctf_folders *folders)
{
	while (folders->count)
		free(folders->names[--folders->count]);
}
