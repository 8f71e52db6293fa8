// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What is asked of Linux: see linux.h. */
#include <sys/mman.h>
#include <sys/stat.h>

#include "linux.h"

u64 clock_now(clockid_t clock)
{
	struct timespec now;

	return clock_gettime(clock, &now) ? 0 : (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

static bool map_at(void *address, int fd, u64 offset, u64 size)
{
	return mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)offset) != MAP_FAILED;
}

void *double_map(int fd, u64 offset, u64 size)
{
	char *both = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int error;

	if (both == MAP_FAILED)
		return NULL;
	if (map_at(both, fd, offset, size) && map_at(both + size, fd, offset, size)) {
		madvise(both, 2 * size, MADV_DONTFORK);
		return both;
	}
	error = errno;
	munmap(both, 2 * size);
	errno = error;
	return NULL;
}

void double_unmap(void *both, u64 size)
{
	if (both)
		munmap(both, 2 * size);
}

#define INITIAL_PID_SPACE 0xEFFFFFFCu

bool process_space_is_initial(void)
{
	struct stat space;

	return !stat("/proc/self/ns/pid", &space) && space.st_ino == INITIAL_PID_SPACE;
}
