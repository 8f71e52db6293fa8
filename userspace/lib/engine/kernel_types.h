/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where kernels differ in what BPF programs get, by the types that this one describes itself with. */
#ifndef BCOSLOG_KERNEL_TYPES_H
#define BCOSLOG_KERNEL_TYPES_H

#include "bpf/shared.h"

/**
 * kernel_types_look() - set what depends on it
 * @config: its fields about arguments of tracepoints
 * @functions: stays true if the functions are there that programs are for
 * @frequencies: out: there is a tracepoint of their limits
 *
 * Return: 0 or a negative errno: the kernel does not describe itself.
 */
int kernel_types_look(struct bcos_bpf_config *config, bool *functions, bool *frequencies);

#endif
