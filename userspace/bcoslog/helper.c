// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Members of the group bcos read the device by a copy of the program. make install puts the copy at
 * PREFIX/libexec/bcoslog-read: it has the capability that the device demands, and only the group may run it. bcoslog
 * itself has no capability, and everybody may run it.
 */
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "helper.h"

#define HELPER "bcoslog-read"

char **tool_arguments;

void helper_read(void)
{
	char path[4096], copy[sizeof(path)], helper[sizeof(path) + sizeof("/../libexec/" HELPER)];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length <= 0)
		return;
	path[length] = '\0';
	memcpy(copy, path, sizeof(copy));
	if (!strcmp(basename(copy), HELPER))
		return;
	snprintf(helper, sizeof(helper), "%s/../libexec/" HELPER, dirname(path));
	/* If the copy cannot read the device either, it complains. Without the copy the caller complains. */
	if (!access(helper, X_OK))
		execv(helper, tool_arguments);
}
