// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Temporary files: see temporary.h. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"

const char *temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

char *temporary_beside(const char *output)
{
	const char *slash = strrchr(output, '/');
	struct stat is;

	if (!strcmp(output, "-") || (!stat(output, &is) && !S_ISREG(is.st_mode)))
		return strdup(temporary_folder());
	return slash ? strndup(output, slash == output ? 1 : (size_t)(slash - output)) : strdup(".");
}

int temporary_file(const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char *name;

	/* Some file systems have no files without a name. */
	if (fd < 0 && errno != ENOSPC) {
		if (asprintf(&name, "%s/bcoslog.XXXXXX", folder) < 0)
			return -ENOMEM;
		fd = mkostemp(name, O_CLOEXEC);
		if (fd >= 0)
			unlink(name);
		else
			fd = -errno;
		free(name);
		return fd;
	}
	return fd < 0 ? -errno : fd;
}

static int remove_one(const char *path, const struct stat *stat, int kind, struct FTW *where)
{
	(void)stat;
	(void)kind;
	(void)where;
	remove(path);
	return 0;
}

void temporary_remove(const char *folder)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
