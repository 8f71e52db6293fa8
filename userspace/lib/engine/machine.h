/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The CPUs, clocks, names and devices of this machine, from /proc and /sys. */
#ifndef BCOSLOG_MACHINE_H
#define BCOSLOG_MACHINE_H

#include "core/write/log.h"

/* Read the first line of a file without the newline.  Return: true; false if there is no file, or it is empty. */
bool machine_read_line(const char *path, char *text, size_t size);

/* Return: a number above all IDs of possible CPUs. */
u32 machine_cpus(void);
/* Return: a number above all IDs of present CPUs, online or not. */
u32 machine_present(void);

/**
 * machine_online() - list the online CPUs
 * @cpu: receives the IDs of the CPUs in ascending order
 * @room: number of elements that @cpu has room for
 *
 * Return: the number of IDs in @cpu.
 */
u32 machine_online(u32 *cpu, u32 room);

/* Find the ID of the core of an online CPU.  Return: true; false if the core is unknown. */
bool machine_core(u32 cpu, u32 *core);

/* Estimate the power and performance of the core of a CPU (5.5). */
void machine_estimate(u32 cpu, struct bcos_estimate *estimate);

/* Collect the statements of the log: wall clock, boot, host, kernel and version. */
void machine_statements(struct bcos_statements *now);

/* Return: a descriptor that becomes readable when somebody sets the wall clock; -1 if the kernel gives none. */
int machine_watch_clock(void);

/* Return: was the wall clock set since the last call? */
bool machine_clock_was_set(int fd);

/* List the CPUs that share the frequency limits of @cpu.  Return: their number, at most @room; 0 if unknown. */
u32 machine_policy(u32 cpu, u32 *cpus, u32 room);

/* Return: true if a time namespace gives this process another time since boot than the kernel's. */
bool machine_has_own_time(void);

/* Return: the inode number of this process's network namespace; 0 if unknown. */
u32 machine_net_space(void);

/* Return: true if this process is in control groups of version 1, too. */
bool machine_has_old_groups(void);

/*
 * Read in which control group the process @id is, unless it began after @since: the callback of struct bcos_host. Where
 * this process is not in the initial namespaces of processes and control groups, nothing is known.
 */
u32 machine_cgroup(void *context, u32 id, u32 tag, u64 since, char *path, u16 *flags, u64 *until);

/* Return: the memory of the machine in bytes. */
u64 machine_memory(void);

/* Find the name of the PCI function that sends interrupts of @line as messages; @name is empty if there is none. */
void machine_interrupt(u32 line, char *name, size_t size);

#endif
