/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Differences between kernels in the arguments that BPF programs get, from the BTF of this kernel. */
#ifndef BCOSLOG_KERNEL_TYPES_H
#define BCOSLOG_KERNEL_TYPES_H

#include "bpf/shared.h"

/* Functions and tracepoints that not every kernel has. */
struct kernel_types {
	bool functions;
	bool frequency_limits;
	bool machine_checks;
};

/**
 * kernel_types_look() - examine this kernel
 * @config: receives the fields about arguments of tracepoints
 * @has: receives which functions and tracepoints exist
 *
 * Return: 0, or a negative errno if the kernel has no BTF.
 */
int kernel_types_look(struct bcos_bpf_config *config, struct kernel_types *has);

/* Can programs read this variable of the kernel's: does it have a type and an address? */
bool kernel_types_symbol(const char *name);

#endif
