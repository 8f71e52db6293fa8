/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loading and attaching the BPF programs of bpf/, and reading their records. */
#ifndef BCOSLOG_PROGRAMS_H
#define BCOSLOG_PROGRAMS_H

#include "bpf/shared.h"
#include "core/rules/rules.h"

#include "bcoslog.h"
#include "options.h"

struct programs;

/* A function that takes a record of @cpu, aligned to 8 bytes.  Return: 0, or a negative errno to stop. */
typedef int (*programs_take)(void *context, u32 cpu, const struct bcos_unit *unit, u32 units);

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

/**
 * programs_setup() - sum up the programs and all that they are loaded with
 * @options: the events to record
 * @setup: receives the sum: programs with the same one do the same
 *
 * Return: 0, or a negative errno if the kernel has no BTF.
 */
int programs_setup(const struct programs_options *options, u64 *setup);

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

/* Pass all records to @take, those of each CPU in the order of their arrival.  Return: 0, or the value of @take. */
int programs_drain(struct programs *programs, programs_take take, void *context);

/* ---- rings that keep records until they are safe: programs_options.held ---- */

/*
 * Return: the unit up to which the ring of a CPU may be released, if all records before the time @horizon are safe. A
 * record that is read and newer keeps its place, and so do those after it.
 */
u64 programs_tail(const struct programs *programs, u32 cpu, u64 horizon);

/*
 * Return the room up to the unit @tail again, as a recorder was doing that was killed.  Reading begins there.
 * Return: 0; -EBADMSG if the ring cannot have this tail.
 */
int programs_skip(struct programs *programs, u32 cpu, u64 tail);

/* Pass all records that are not read yet to @take, and leave them unread.  Return: 0, or the value of @take. */
int programs_look(struct programs *programs, programs_take take, void *context);

/* Return: true if programs_drain() has passed all records of all rings. */
bool programs_all_read(const struct programs *programs);

/* Return: how many places programs took and left empty, as far as they are read. They are part of programs_missed(). */
u64 programs_skipped(const struct programs *programs);

/* Return the room up to the unit @tail, which programs_tail() returned, to the programs. */
void programs_release(struct programs *programs, u32 cpu, u64 tail);

/* ---- pins.c: programs and maps that outlive this process ---- */

/* Pin maps and programs in a folder that is made, which must not exist.  Return: 0 or a negative errno. */
int programs_pin(const struct programs *programs, const char *folder);

/* Pin the links, too, so that the programs go on recording without this process.  Return: 0 or a negative errno. */
int programs_pin_links(const struct programs *programs, const char *folder);

/* Unpin the links: the programs end when no process holds them. */
void programs_unpin_links(const char *folder);

/* Unpin everything, and remove the folder. */
void programs_unpin(const char *folder);

/* Return: true if the links that are pinned in the folder are complete, so that the programs are recording. */
bool programs_go_on(const char *folder);

/**
 * programs_adopt() - take over the maps and programs that another process pinned
 * @programs: receives the programs; records before their tails are gone, and they stay until programs_release()
 * @options: of which @classes, @cpus, @rings and @staging must be those of the other process
 * @folder: the folder
 *
 * Return: 0; -ENOENT if one of them is not there; -EBADMSG if the maps are others; another negative errno.
 */
int programs_adopt(struct programs **programs, const struct programs_options *options, const char *folder);

/**
 * programs_view() - copy the rings that another process pinned, and change nothing
 * @programs: receives the copy, of which no records are read yet
 * @options: of which @cpus, @rings and @staging must be those of the other process
 * @folder: the folder
 * @time: receives a time in ns since boot: all records before it are in the copy
 *
 * The other process and its programs may be running. They may take back what is before the tail of the newest pass that is
 * published when the function returns, and nothing else, so a reader begins there (programs_view_from()).
 *
 * Return: 0; -ENOENT if a map is not there; -EBADMSG if the maps are others; another negative errno.
 */
int programs_view(struct programs **programs, const struct programs_options *options, const char *folder, u64 *time);

/* Begin to read the copied ring of a CPU at the unit @tail.  Return: 0; -ESTALE if the ring no longer had what comes after it. */
int programs_view_from(struct programs *programs, u32 cpu, u64 tail);

/* Let adopted programs that are recording wake and serve this process.  Return: 0 or a negative errno. */
int programs_wake(struct programs *programs);

/* Return: how often a program recorded nothing, because it was running on the CPU already, or left its place empty. */
u64 programs_missed(const struct programs *programs);

/* Return: the memory of rings and maps in bytes. */
u64 programs_memory(const struct programs *programs);

#endif
