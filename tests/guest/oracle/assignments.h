/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The assignments of one CPU, as the log has them, against the changes that the witness saw there.
 *
 * The entries themselves tell these permitted differences apart:
 *  - a process that dies is taken off its CPUs before its name is cancelled, also where the kernel goes on with
 *    another process: an Assign CPU to the kernel at the time of the cancellation, which is no change;
 *  - a change to what the log shows already is not written: after such a release, and where the newest assignment
 *    of a lost stretch, which is written after all, leads back to what was shown before the stretch;
 *  - after a process' last switch what the CPU runs is recorded anew, even if that is the kernel before and after:
 *    such a record, lost, is stated though nothing changed.  The witness tells how often that was so.  Where it was
 *    a change to the kernel, the release above shows it all the same.
 */
#ifndef BCOS_TESTS_GUEST_ASSIGNMENTS_H
#define BCOS_TESTS_GUEST_ASSIGNMENTS_H

#include "testimony.h"

struct comparison {
	int cpu;
	struct change *change;	/* what the witness saw, while it is compared */
	size_t count;
	size_t events;		/* changes that the witness saw in time */
	size_t entries;		/* of these, in the log */
	size_t stated;		/* as lost */
	size_t unchanged;	/* neither, since the log showed it already */
	size_t renewed;		/* stated as lost, but no change, or shown by a release */
	size_t wrong;		/* anything else */
};

/* Between two times at which nothing happens; what is wrong is explained by notes. */
struct comparison assignments_compare(int cpu, const struct log *log, const struct testimony *all, uint64_t begin,
				      uint64_t end);

#endif
