/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Where kernels differ in what BPF programs get, by the types that this one describes itself with. */
#ifndef BCOSLOG_KERNEL_TYPES_H
#define BCOSLOG_KERNEL_TYPES_H

#include "bpf/shared.h"

/* What not every kernel has: functions that programs are for, and tracepoints. */
struct kernel_types {
	bool functions;
	bool frequency_limits;
	bool machine_checks;
};

/**
 * kernel_types_look() - set what depends on it
 * @config: its fields about arguments of tracepoints
 * @has: out: what it has
 *
 * Return: 0 or a negative errno: the kernel does not describe itself.
 */
int kernel_types_look(struct bcos_bpf_config *config, struct kernel_types *has);

#endif
