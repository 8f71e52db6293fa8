/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options of the programs: which events they record. */
#ifndef BCOSLOG_PROGRAMS_OPTIONS_H
#define BCOSLOG_PROGRAMS_OPTIONS_H

#include "core/host/user.h"

struct programs_options {
	u32 classes;			/* that the programs record */
	u32 calls_of;			/* the only process whose calls class api records; 0: all */
	u32 cpus;			/* all CPU IDs are below this */
	u32 rings;			/* CPUs below this have a ring; the records of others are lost, and counted */
	u32 staging;			/* size of each ring in bytes: a power of two, at least 64 KiB */
	bool no_functions;		/* load no programs at functions */
};

#endif
