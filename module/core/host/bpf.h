/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The BPF side of module/core/host/host.h: the types, from the kernel's BTF. */
#ifndef BCOS_HOST_BPF_H
#define BCOS_HOST_BPF_H

#include "vmlinux.h"

/* vmlinux.h has the declarations of these headers already. */
#define _LINUX_TYPES_H
#define _LINUX_IOCTL_H

#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#endif
