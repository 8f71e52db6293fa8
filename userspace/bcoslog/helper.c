// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Reading the device for members of its group, who may not read it themselves. Where bcoslog is installed,
 * PREFIX/libexec/bcoslog-read is a copy of it that has the capability which the device demands, and only the group may
 * run that copy. So everybody may run bcoslog itself, which has no capability.
 */
#include <libgen.h>
#include <unistd.h>

#include "command.h"

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
	/* It says what is wrong if that is not enough; who may not run it is told here. */
	if (!access(helper, X_OK))
		execv(helper, tool_arguments);
}
