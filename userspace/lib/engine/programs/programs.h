/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The BPF programs of bpf/: loading, attaching, and what they recorded. */
#ifndef BCOSLOG_PROGRAMS_H
#define BCOSLOG_PROGRAMS_H

#include "bpf/shared.h"
#include "core/rules/rules.h"

#include "bcoslog.h"
#include "options.h"

struct programs;

/**
 * programs_load() - have the kernel verify them
 * @programs: out
 * @options: what is recorded
 * @error: out: why it failed
 *
 * Return: 0 or a negative errno.
 */
int programs_load(struct programs **programs, const struct programs_options *options, struct bcoslog_error *error);

/* From here on they record.  Return: 0 or a negative errno. */
int programs_attach(struct programs *programs, struct bcoslog_error *error);

/* NULL is ignored. */
void programs_free(struct programs *programs);

/* Record what a CPU runs, which has to be online.  Return: 0 or a negative errno. */
int programs_restate(const struct programs *programs, u32 cpu);

/**
 * programs_walk() - all live processes
 * @seen: out: from malloc()
 * @count: out: how many
 *
 * Return: 0 or a negative errno.
 */
int programs_walk(const struct programs *programs, struct bcos_seen **seen, u32 *count);

/* This process, as the kernel numbers it: once it has walked. */
u32 programs_self(const struct programs *programs);

/* Returns the state and the losses of a CPU's programs. */
struct bcos_bpf_cpu *programs_cpu(const struct programs *programs, u32 cpu);

/* A device with this key has a name, or has gone with it. */
void programs_named(const struct programs *programs, u64 key, bool there);

/* Are disks, and interfaces of our network namespace, seen to come and go as they do? */
bool programs_see_devices(const struct programs *programs);

/* Readable when a CPU's ring fills. */
int programs_fd(const struct programs *programs);

/* @units units at @unit, 8-byte aligned: one record of @cpu.  Return: 0, or a negative errno, which ends it. */
typedef int (*programs_take)(void *context, u32 cpu, const struct bcos_unit *unit, u32 units);

/* Gives all records that are there, of each CPU as they came.  Return: 0 or what @take returned. */
int programs_drain(struct programs *programs, programs_take take, void *context);

/* How often programs did not record, on any CPU: since they were running there already, or found nowhere to store. */
u64 programs_missed(const struct programs *programs);

/* Bytes of memory of rings and maps. */
u64 programs_memory(const struct programs *programs);

#endif
