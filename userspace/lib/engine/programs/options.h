/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options of the BPF programs: the events that they record, and the sizes of their rings. */
#ifndef BCOSLOG_PROGRAMS_OPTIONS_H
#define BCOSLOG_PROGRAMS_OPTIONS_H

#include "core/host/user.h"

struct programs_options {
	u32 classes;			/* the classes that the programs record */
	u32 calls_of;			/* the only process whose calls class api records; 0 for all processes */
	u32 cpus;			/* a number above all CPU IDs */
	u32 rings;			/* CPUs with lower IDs have a ring; the records of other CPUs count as lost */
	u32 staging;			/* size of each ring in bytes: a power of two, at least 64 KiB */
	bool no_functions;		/* load no programs that attach to functions */
	bool no_count;			/* do not read the count of interrupts */
	bool held;			/* records stay in the rings until programs_release() */
};

#endif
