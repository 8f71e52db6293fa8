// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mapping memory twice: see double_map.h. */
#include <sys/mman.h>

#include "double_map.h"

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
