/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The differences between kernels that matter to the BPF programs, from the BTF of this kernel. */
#ifndef BCOSLOG_KERNEL_TYPES_H
#define BCOSLOG_KERNEL_TYPES_H

#include "bpf/shared.h"

/* Functions, tracepoints and variables that not every kernel has; a field is true if this kernel has them. */
struct kernel_types {
	bool count;		/* the variable that counts interrupts has a type; it need not have an address */
	bool hot;		/* this variable is in the structure pcpu_hot */
	bool queue;		/* the distance of this variable from the run queue of its CPU is known */
	bool functions;		/* all functions to which programs attach */
	bool frequency_limits;	/* the tracepoint cpu_frequency_limits */
	bool machine_checks;	/* the tracepoint mce_record */
	bool cgroups;		/* the tracepoint cgroup_attach_task */
	bool request_start;	/* the tracepoint block_io_start */
};

/**
 * kernel_types_look() - examine this kernel
 * @config: receives the fields about arguments of tracepoints
 * @has: receives the functions, tracepoints and variables that exist
 *
 * Return: 0, or a negative errno if the kernel has no BTF.
 */
int kernel_types_look(struct bcos_bpf_config *config, struct kernel_types *has);

/* Return: true if the kernel shows the address of the variable that counts interrupts, so that programs can read it. */
bool kernel_types_show_count(const struct kernel_types *has);

/* Return: true if programs can read in any way whether a CPU handles an interrupt. */
bool kernel_types_tell_count(const struct kernel_types *has);

#endif
