/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The BPF programs' half of module/core/host.h: the types, out of the kernel's own description of itself. */
#ifndef BCOS_HOST_BPF_H
#define BCOS_HOST_BPF_H

#include "vmlinux.h"

/* It has what these would declare again. */
#define _LINUX_TYPES_H
#define _LINUX_IOCTL_H

#endif
