/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* This machine, as /proc and /sys describe it. */
#ifndef BCOSLOG_MACHINE_H
#define BCOSLOG_MACHINE_H

#include "core/write/log.h"

/* First line of a file, without its end.  Return: false if there is none. */
bool machine_read_line(const char *path, char *text, size_t size);

/* CPU IDs are below this; of those that are there, online or not, below the other. */
u32 machine_cpus(void);
u32 machine_present(void);

/**
 * machine_online() - CPUs that are online
 * @cpu: out: their IDs, ascending
 * @room: at most so many
 *
 * Return: how many.
 */
u32 machine_online(u32 *cpu, u32 room);

/* Core of a CPU that is online.  Return: false if nothing is known of it. */
bool machine_core(u32 cpu, u32 *core);

/* Estimates power and performance of the core of a CPU (5.5). */
void machine_estimate(u32 cpu, struct bcos_estimate *estimate);

/* Gets the statements of the log: clock, boot, host, kernel, version. */
void machine_statements(struct bcos_statements *now);

/* CPUs whose frequency is limited together with that of @cpu.  Return: how many, at most @room; 0: not known. */
u32 machine_policy(u32 cpu, u32 *cpus, u32 room);

/* Is the time since boot another one for this process (a time namespace)? */
bool machine_has_own_time(void);

/* Number of our network namespace, 0: unknown. */
u32 machine_net_space(void);

/* Bytes of memory. */
u64 machine_memory(void);

/* Name of the device whose messages are interrupts of this line, as of a PCI function; empty if it has none. */
void machine_interrupt(u32 line, char *name, size_t size);

#endif
