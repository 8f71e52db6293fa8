/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loading and attaching the BPF programs of bpf/, and reading their records. */
#ifndef BCOSLOG_PROGRAMS_H
#define BCOSLOG_PROGRAMS_H

#include "bpf/shared.h"
#include "core/rules/rules.h"

#include "bcoslog.h"
#include "options.h"

struct programs;

/**
 * programs_load() - load the programs, which the kernel verifies
 * @programs: receives the programs
 * @options: the events to record
 * @error: receives the reason of a failure
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs **programs, const struct programs_options *options, struct bcoslog_error *error);

/* Attach the programs, which record from then on.  Return: 0 or a negative errno. */
int programs_attach(struct programs *programs, struct bcoslog_error *error);

/* Detach and unload the programs.  NULL is ignored. */
void programs_free(struct programs *programs);

/* Record which process an online CPU executes.  Return: 0 or a negative errno. */
int programs_restate(const struct programs *programs, u32 cpu);

/**
 * programs_walk() - list all live processes
 * @programs: the attached programs
 * @seen: receives the processes, in memory that the caller frees by free()
 * @count: receives the number of processes
 *
 * Return: 0 or a negative errno.
 */
int programs_walk(const struct programs *programs, struct bcos_seen **seen, u32 *count);

/* Return: the ID of this process in the initial PID namespace, after the first walk. */
u32 programs_self(const struct programs *programs);

/* Return: the state and the losses of the programs on a CPU. */
struct bcos_bpf_cpu *programs_cpu(const struct programs *programs, u32 cpu);

/* Tell the programs that user space has named the device with this key, or that it is gone. */
void programs_named(const struct programs *programs, u64 key, bool there);

/* Return: true if programs record when disks, and interfaces of this process's network namespace, come and go. */
bool programs_see_devices(const struct programs *programs);

/* Return: a descriptor that becomes readable when the ring of a CPU fills. */
int programs_fd(const struct programs *programs);

/* A function that takes a record of @cpu, aligned to 8 bytes.  Return: 0, or a negative errno to stop. */
typedef int (*programs_take)(void *context, u32 cpu, const struct bcos_unit *unit, u32 units);

/* Pass all records to @take, those of each CPU in the order of their arrival.  Return: 0, or the value of @take. */
int programs_drain(struct programs *programs, programs_take take, void *context);

/* Return: how often a program recorded nothing, because it was running on the CPU already, or left its place empty. */
u64 programs_missed(const struct programs *programs);

/* Return: the memory of rings and maps in bytes. */
u64 programs_memory(const struct programs *programs);

#endif
