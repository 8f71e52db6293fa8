// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The PID namespace of this process: see process_space.h. */
#include <sys/stat.h>

#include "process_space.h"

/* The inode number of the initial PID namespace, which the kernel fixes. */
#define INITIAL_PID_SPACE 0xEFFFFFFCu

bool process_space_is_initial(void)
{
	struct stat space;

	return !stat("/proc/self/ns/pid", &space) && space.st_ino == INITIAL_PID_SPACE;
}
