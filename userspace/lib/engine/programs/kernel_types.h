/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Differences between kernels in the arguments that BPF programs get, from the BTF of this kernel. */
#ifndef BCOSLOG_KERNEL_TYPES_H
#define BCOSLOG_KERNEL_TYPES_H

#include "bpf/shared.h"

/* Functions, tracepoints and variables that not every kernel has. */
struct kernel_types {
	bool count;		/* the type of the variable that counts interrupts; it may lack an address */
	bool hot;		/* that variable is in the structure pcpu_hot */
	bool functions;
	bool frequency_limits;
	bool machine_checks;
};

/**
 * kernel_types_look() - examine this kernel
 * @config: receives the fields about arguments of tracepoints
 * @has: receives which of the others exist
 *
 * Return: 0, or a negative errno if the kernel has no BTF.
 */
int kernel_types_look(struct bcos_bpf_config *config, struct kernel_types *has);

/* Does the kernel show where this variable is? Without, programs cannot read it. */
bool kernel_types_address(const char *name);

#endif
