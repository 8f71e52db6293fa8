/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The services of the kernel that the core uses. Their context is a pointer to the pointer to the
 * log writer's task.
 */
#ifndef BCOS_HOST_CALLBACKS_H
#define BCOS_HOST_CALLBACKS_H

#include "core/host/host.h"

extern const struct bcos_host bcos_kernel_host;

#endif
