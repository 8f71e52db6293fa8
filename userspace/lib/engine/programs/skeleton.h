/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The structure of the loaded programs, for the files of this folder. */
#ifndef BCOSLOG_SKELETON_H
#define BCOSLOG_SKELETON_H

#include "core/raw/raw.h"
#include "options.h"
#include "bcos_evlog.skel.h"

struct programs {
	struct bcos_evlog_bpf *skeleton;
	struct programs_options options;
	struct ring_buffer *kicks;	/* the ring buffer that wakes the log writer */
	char *cpus;			/* the memory of the map bcos_cpus */
	size_t stride, cpus_size;	/* size of an element of @cpus, and of all, in bytes */
	struct bcos_unit *slots;	/* the memory of the map bcos_slots: the rings of all CPUs */
	size_t slots_size;		/* size of @slots in bytes */
	u32 rings;			/* CPUs with lower IDs have a ring */
	u32 units;			/* size of each ring in units */
	u64 skipped;			/* number of units that programs took and never filled */
	u64 *stuck;			/* for each CPU, the unit that was empty at the last pass, plus 1 */
	struct bpf_link *walk;		/* the iterator over the tasks */
	bool functions;			/* programs that attach to functions are loaded, too */
};

#endif
