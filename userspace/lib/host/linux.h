/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the library, the engine and programs need of Linux beyond host.h. */
#ifndef BCOSLOG_HOST_LINUX_H
#define BCOSLOG_HOST_LINUX_H

#include <linux/capability.h>
#include <stdbool.h>
#include <time.h>

#include "core/host/user.h"

/* Headers of the C library may be older. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#ifndef CAP_BPF
#define CAP_BPF 39
#endif

/* Return: the time of @clock in ns; 0 if the machine has no such clock. */
u64 clock_now(clockid_t clock);

/**
 * double_map() - map a part of a file twice
 * @fd: the file
 * @offset: of the part, a multiple of the page size
 * @size: of the part, in bytes, likewise
 *
 * A child of the calling process does not get the mapping, which would only slow down its fork and exit.
 *
 * Return: the address of the first mapping, which the second one follows; NULL with errno if that fails.
 */
void *double_map(int fd, u64 offset, u64 size);

/* Unmap both.  NULL is ignored. */
void double_unmap(void *both, u64 size);

/* Return: true if this process is in the initial PID namespace, whose IDs the log contains. */
bool process_space_is_initial(void);

#endif
