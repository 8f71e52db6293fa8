/* SPDX-License-Identifier: GPL-2.0-only */
/* The format of /proc/witness, for the witness and the tests. */
#ifndef WITNESS_H
#define WITNESS_H

#include <linux/types.h>

#define WITNESS_KERNEL	0u
#define WITNESS_IDLE	0xFFFFFFFFu
#define WITNESS_NOBODY	0xFFFFFFFEu

enum witness_kind {
	WITNESS_FULL,		/* id: records that found no room */
	WITNESS_RUNS,		/* this CPU runs process id from now on, another than before */
	WITNESS_INTERRUPT,	/* a handler of line id is called */
	WITNESS_BIRTH,		/* process id is born */
	WITNESS_DEATH,		/* process id ends: none of its threads is left alive */
	WITNESS_AGAIN,		/* the last switch of a process leads to process id, which this CPU runs already */
};

struct witness_record {
	__u64 time;		/* ns since boot */
	__u32 id;
	__u16 kind;
	__u16 cpu;
};

#endif
