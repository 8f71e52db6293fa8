// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Grace periods: see grace.h. */
#include <bpf/bpf.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "grace.h"

static int call_membarrier(int command)
{
	return (int)syscall(SYS_membarrier, command, 0, 0);
}

int grace_open(struct grace *grace, bool by_map)
{
	LIBBPF_OPTS(bpf_map_create_opts, options);

	grace->outer = grace->inner = -1;
	grace->by_map = by_map || call_membarrier(MEMBARRIER_CMD_GLOBAL);
	grace->inner = bpf_map_create(BPF_MAP_TYPE_ARRAY, "bcos_inner", sizeof(u32), sizeof(u32), 1, NULL);
	if (grace->inner < 0)
		return -errno;
	options.inner_map_fd = (u32)grace->inner;
	grace->outer = bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "bcos_outer", sizeof(u32), sizeof(u32), 1, &options);
	if (grace->outer >= 0)
		return 0;
	grace_close(grace);
	return -errno;
}

void grace_close(struct grace *grace)
{
	int error = errno;

	if (grace->outer >= 0)
		close(grace->outer);
	if (grace->inner >= 0)
		close(grace->inner);
	grace->outer = grace->inner = -1;
	errno = error;
}

int grace_wait(struct grace *grace)
{
	static const u32 first;
	u32 inner = (u32)grace->inner;

	/* With a single online CPU membarrier() does not wait, although a preempted program may not have ended. */
	if (!grace->by_map && sysconf(_SC_NPROCESSORS_ONLN) > 1)
		return call_membarrier(MEMBARRIER_CMD_GLOBAL) ? -errno : 0;
	return bpf_map_update_elem(grace->outer, &first, &inner, BPF_ANY) ? -errno : 0;
}
