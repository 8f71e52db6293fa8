/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* This machine, as /proc and /sys describe it. */
#ifndef BCOSLOG_MACHINE_H
#define BCOSLOG_MACHINE_H

#include "core/write/log.h"

/* Read the first line of a file, without its end.  Return: false if there is none. */
bool machine_read_line(const char *path, char *text, size_t size);

/* All CPU IDs are below machine_cpus(); those of present CPUs, online or not, are below machine_present(). */
u32 machine_cpus(void);
u32 machine_present(void);

/**
 * machine_online() - list the online CPUs
 * @cpu: receives their IDs in ascending order
 * @room: number of elements that @cpu has room for
 *
 * Return: the number of IDs in @cpu.
 */
u32 machine_online(u32 *cpu, u32 room);

/* Find the core of an online CPU.  Return: false if it is unknown. */
bool machine_core(u32 cpu, u32 *core);

/* Estimate the power and performance of the core of a CPU (5.5). */
void machine_estimate(u32 cpu, struct bcos_estimate *estimate);

/* Collect the statements of the log: wall clock, boot, host, kernel and version. */
void machine_statements(struct bcos_statements *now);

/* List the CPUs that share the frequency limits of @cpu.  Return: their number, at most @room; 0 if unknown. */
u32 machine_policy(u32 cpu, u32 *cpus, u32 room);

/* Return: true if a time namespace gives this process another time since boot. */
bool machine_has_own_time(void);

/* Return: the number of our network namespace; 0 if unknown. */
u32 machine_net_space(void);

/* Return: the memory of the machine in bytes. */
u64 machine_memory(void);

/* Find the name of the device, such as a PCI function, whose messages are this interrupt line; empty if there is none. */
void machine_interrupt(u32 line, char *name, size_t size);

#endif
