/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options of the programs: what they are to record. */
#ifndef BCOSLOG_PROGRAMS_OPTIONS_H
#define BCOSLOG_PROGRAMS_OPTIONS_H

#include "core/host/user.h"

struct programs_options {
	u32 classes;			/* to record */
	u32 calls_of;			/* class api: of this process alone, 0: of all */
	u32 cpus;			/* CPU IDs are below */
	u32 rings;			/* CPUs that have a ring: those below; what others record is lost, and counted */
	u32 staging;			/* bytes of each ring: a power of two, 64 KiB at least */
	bool no_functions;		/* leave out those that hook functions */
};

#endif
