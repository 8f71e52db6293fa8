/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The structure of the loaded programs, for the files of this folder. */
#ifndef BCOSLOG_SKELETON_H
#define BCOSLOG_SKELETON_H

#include "core/raw/raw.h"
#include "options.h"
#include "bcos_evlog.skel.h"

/* The most programs that record. */
#define PROGRAMS_MAX 64

/* Descriptors of maps and programs. */
struct programs_fds {
	int slots, cpus, kicks, named, memory;	/* maps; @memory has the variables of the programs */
	int restate, walk;			/* programs that user space runs */
	int recording[PROGRAMS_MAX];		/* the programs that record */
	u32 count;				/* number of @recording */
};

struct programs {
	struct bcos_evlog_bpf *skeleton;	/* NULL: another process loaded the programs */
	struct programs_fds fd;
	struct programs_options options;
	struct ring_buffer *kicks;	/* the ring buffer that wakes the log writer */
	char *cpus;			/* the memory of the map bcos_cpus */
	size_t stride, cpus_size;	/* size of an element of @cpus, and of all, in bytes */
	struct bcos_unit *slots;	/* the memory of the map bcos_slots: the rings of all CPUs */
	size_t slots_size;		/* size of @slots in bytes */
	u32 rings;			/* CPUs with lower IDs have a ring */
	u32 units;			/* size of each ring in units */
	u64 *read;			/* for each CPU, the unit that is read next */
	bool held;			/* records stay in the rings until programs_release() */
	u64 skipped;			/* number of units that programs took and never filled */
	u64 *stuck;			/* for each CPU, the unit that was empty at the last pass, plus 1 */
	int walk;			/* the link of the iterator over the tasks; -1: none */
	struct bcos_evlog_bpf__bss *variables;	/* of the programs */
	bool functions;			/* programs that attach to functions are loaded, too */
};

/* Allocate the structure, without any program.  Return: NULL without memory. */
struct programs *programs_new(const struct programs_options *options);

/* Map the rings, and what the CPUs share with user space.  Return: 0 or a negative errno. */
int programs_map(struct programs *programs);

/* Return: is the map what this version makes of it? A @value or @entries of 0 may be any. */
bool programs_is_map(int fd, u32 type, u32 value, u32 entries);

/*
 * Get the pinned programs that record, whose counts say what they missed; without one of them there are no more.
 * Return: 0, or a negative errno if one of them cannot be had.
 */
int programs_get_recording(struct programs *programs, const char *folder);

int programs_open_kicks(struct programs *programs);

/* Let programs_walk() work, and tell the programs the PID namespace of this process.  Return: 0 or a negative errno. */
int programs_attach_walk(struct programs *programs);

#endif
