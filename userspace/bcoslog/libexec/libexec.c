// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds and starts programs: see libexec.h. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <unistd.h>

#include "libexec.h"

char **libexec_arguments;

/* Gets the path of a program that is in @folder, as it is seen from the folder of this one. */
static bool find_in(char *path, size_t size, const char *folder, const char *program)
{
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length <= 0)
		return false;
	self[length] = '\0';
	return (size_t)snprintf(path, size, "%s/%s%s", dirname(self), folder, program) < size && !access(path, X_OK);
}

bool libexec_find(char *path, size_t size, const char *program)
{
	return find_in(path, size, "../libexec/", program);
}

int libexec_start(const char *program)
{
	char path[4096 + 256];

	if (!libexec_find(path, sizeof(path), program) && !find_in(path, sizeof(path), "", program))
		return -ENOENT;
	execv(path, libexec_arguments);
	return -errno;
}
